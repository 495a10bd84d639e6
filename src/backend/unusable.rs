//! Why a backend's device, which is there, cannot be used.

use thiserror::Error;

/// The reason, as a value: the status line shows it in short, its tooltip and the log in full.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum Unusable {
    /// The driver knows no CUDA version that is new enough; versions as major and minor number.
    #[error(
        "the NVIDIA driver is too old: it knows CUDA {}.{}, CUDA {}.{} is needed (driver 525 or newer)",
        found.0, found.1, needed.0, needed.1
    )]
    DriverTooOld {
        /// What the driver knows.
        found: (i32, i32),
        /// What is needed.
        needed: (i32, i32),
    },
    /// The device's compute capability is too low; as major and minor number.
    #[error(
        "the CUDA device is too old: compute capability {}.{}, {}.{} is needed", found.0, found.1, needed.0, needed.1
    )]
    DeviceTooOld {
        /// What the device has.
        found: (i32, i32),
        /// What is needed.
        needed: (i32, i32),
    },
    /// Other programs have taken the device's memory.
    #[error("the GPU's memory is taken: {what}")]
    MemoryTaken {
        /// What was tried, and what the driver says.
        what: String,
    },
    /// The driver fails where it is asked for the device, or its library is another one.
    #[error("the GPU's driver fails: {what}")]
    DriverFails {
        /// What was tried, and what the driver says.
        what: String,
    },
}

impl Unusable {
    /// The reason in a few words, as a status line has room for.
    pub fn short(&self) -> &'static str {
        match self {
            Self::DriverTooOld { .. } => "driver too old",
            Self::DeviceTooOld { .. } => "GPU too old",
            Self::MemoryTaken { .. } => "GPU memory taken",
            Self::DriverFails { .. } => "driver fails",
        }
    }
}
