//! Reasons why a backend's device exists but cannot be used.

use thiserror::Error;

/// Reason, as a value: the status line shows its short form, the tooltip and the log the message.
#[derive(Clone, PartialEq, Eq, Error)]
pub enum Unusable {
    /// The driver supports no sufficient CUDA version; versions as major and minor number.
    #[error(
        "the NVIDIA driver is too old: it supports CUDA {}.{}, CUDA {}.{} is needed (driver 525 or newer)",
        found.0, found.1, needed.0, needed.1
    )]
    DriverTooOld {
        /// Version of the driver.
        found: (i32, i32),
        /// Version needed.
        needed: (i32, i32),
    },
    /// The device's compute capability is too low; as major and minor number.
    #[error(
        "the CUDA device is too old: compute capability {}.{}, {}.{} is needed", found.0, found.1, needed.0, needed.1
    )]
    DeviceTooOld {
        /// Compute capability of the device.
        found: (i32, i32),
        /// Compute capability needed.
        needed: (i32, i32),
    },
    /// Other programs use the device's memory.
    #[error("the GPU's memory is taken: {what}")]
    MemoryTaken {
        /// The operation that failed, and the driver's message.
        what: String,
    },
    /// The driver fails on opening the device, or its library is not the driver's.
    #[error("the GPU's driver fails: {what}")]
    DriverFails {
        /// The operation that failed, and the driver's message.
        what: String,
    },
}

impl Unusable {
    /// Short form, for the status line.
    pub fn short(&self) -> &'static str {
        match self {
            Self::DriverTooOld { .. } => "driver too old",
            Self::DeviceTooOld { .. } => "GPU too old",
            Self::MemoryTaken { .. } => "GPU memory taken",
            Self::DriverFails { .. } => "driver fails",
        }
    }
}
