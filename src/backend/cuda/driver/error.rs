//! Errors of the CUDA driver: the failed call, the driver's code, and the class of that code.

use cudarc::driver::{DriverError as DriverCode, sys};

use crate::backend::BackendError;

/// A failed call of the driver.
#[derive(Clone, Debug)]
pub(crate) struct DriverError {
    /// What was tried.
    pub(crate) what: String,
    pub(crate) code: DriverCode,
}

/// Names the failed call in the error of a `Result`.
pub(crate) trait Context<T> {
    /// The error with a description of what was tried; formatted for an error only.
    ///
    /// # Errors
    /// The error of `self`.
    fn context(self, what: impl std::fmt::Display) -> Result<T, DriverError>;
}

impl<T> Context<T> for Result<T, DriverCode> {
    fn context(self, what: impl std::fmt::Display) -> Result<T, DriverError> {
        self.map_err(|code| DriverError::new(what, code))
    }
}

/// Checks a precondition of an access to device memory. A violation is an error of this program; it is reported as the
/// driver reports an invalid argument.
///
/// # Errors
/// Unless `is_right`; `what` describes the violation.
pub(crate) fn check(is_right: bool, what: &'static str) -> Result<(), DriverError> {
    if is_right { Ok(()) } else { Err(invalid(what)) }
}

/// The error of a violated precondition; see [`check`].
pub(crate) fn invalid(what: &'static str) -> DriverError {
    DriverError::new(what, DriverCode(sys::CUresult::CUDA_ERROR_INVALID_VALUE))
}

/// The error of a resource that should exist and does not: an error of this program.
pub(crate) fn missing(what: &'static str) -> DriverError {
    DriverError::new(what, DriverCode(sys::CUresult::CUDA_ERROR_NOT_FOUND))
}

/// The class of a driver's code: what it means for the calls that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorClass {
    /// The context is lost: no later call in this process succeeds.
    ContextLost,
    /// The driver or the device cannot be used as installed, and no later call changes that: the driver is too old for the
    /// kernels, matches no kernel module, or grants no access.
    Unusable,
    /// The device or the host is out of memory; the same call may succeed later.
    Memory,
    /// The launch asks for more than the device has; another request may succeed.
    Limit,
    /// This call failed; the context works on.
    Call,
}

impl ErrorClass {
    /// The class of `code`, by the descriptions in cuda.h. Every code is listed, so that a new one does not compile until
    /// it has a class. The driver is not called.
    pub(crate) fn of(code: sys::CUresult) -> Self {
        use sys::CUresult as Code;
        match code {
            Code::CUDA_ERROR_DEINITIALIZED
            | Code::CUDA_ERROR_ECC_UNCORRECTABLE
            | Code::CUDA_ERROR_NVLINK_UNCORRECTABLE
            | Code::CUDA_ERROR_ILLEGAL_ADDRESS
            | Code::CUDA_ERROR_LAUNCH_TIMEOUT
            | Code::CUDA_ERROR_CONTEXT_IS_DESTROYED
            | Code::CUDA_ERROR_ASSERT
            | Code::CUDA_ERROR_HARDWARE_STACK_ERROR
            | Code::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | Code::CUDA_ERROR_MISALIGNED_ADDRESS
            | Code::CUDA_ERROR_INVALID_ADDRESS_SPACE
            | Code::CUDA_ERROR_INVALID_PC
            | Code::CUDA_ERROR_LAUNCH_FAILED
            | Code::CUDA_ERROR_MPS_RPC_FAILURE
            | Code::CUDA_ERROR_MPS_CLIENT_TERMINATED
            | Code::CUDA_ERROR_EXTERNAL_DEVICE
            | Code::CUDA_ERROR_UNKNOWN => Self::ContextLost,
            Code::CUDA_ERROR_NOT_INITIALIZED
            | Code::CUDA_ERROR_STUB_LIBRARY
            | Code::CUDA_ERROR_DEVICE_UNAVAILABLE
            | Code::CUDA_ERROR_NO_DEVICE
            | Code::CUDA_ERROR_INVALID_DEVICE
            | Code::CUDA_ERROR_DEVICE_NOT_LICENSED
            | Code::CUDA_ERROR_NO_BINARY_FOR_GPU
            | Code::CUDA_ERROR_JIT_COMPILER_NOT_FOUND
            | Code::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
            | Code::CUDA_ERROR_JIT_COMPILATION_DISABLED
            | Code::CUDA_ERROR_SYSTEM_NOT_READY
            | Code::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
            | Code::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
            | Code::CUDA_ERROR_MPS_CONNECTION_FAILED
            | Code::CUDA_ERROR_MPS_SERVER_NOT_READY
            | Code::CUDA_ERROR_MPS_MAX_CLIENTS_REACHED
            | Code::CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED => Self::Unusable,
            Code::CUDA_ERROR_OUT_OF_MEMORY => Self::Memory,
            Code::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
            | Code::CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING
            | Code::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE => Self::Limit,
            Code::CUDA_SUCCESS
            | Code::CUDA_ERROR_INVALID_VALUE
            | Code::CUDA_ERROR_PROFILER_DISABLED
            | Code::CUDA_ERROR_PROFILER_NOT_INITIALIZED
            | Code::CUDA_ERROR_PROFILER_ALREADY_STARTED
            | Code::CUDA_ERROR_PROFILER_ALREADY_STOPPED
            | Code::CUDA_ERROR_INVALID_IMAGE
            // No context is current on this thread: the caller's error, which binding one mends.
            | Code::CUDA_ERROR_INVALID_CONTEXT
            | Code::CUDA_ERROR_CONTEXT_ALREADY_CURRENT
            | Code::CUDA_ERROR_MAP_FAILED
            | Code::CUDA_ERROR_UNMAP_FAILED
            | Code::CUDA_ERROR_ARRAY_IS_MAPPED
            | Code::CUDA_ERROR_ALREADY_MAPPED
            | Code::CUDA_ERROR_ALREADY_ACQUIRED
            | Code::CUDA_ERROR_NOT_MAPPED
            | Code::CUDA_ERROR_NOT_MAPPED_AS_ARRAY
            | Code::CUDA_ERROR_NOT_MAPPED_AS_POINTER
            | Code::CUDA_ERROR_UNSUPPORTED_LIMIT
            | Code::CUDA_ERROR_CONTEXT_ALREADY_IN_USE
            | Code::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED
            | Code::CUDA_ERROR_INVALID_PTX
            | Code::CUDA_ERROR_INVALID_GRAPHICS_CONTEXT
            | Code::CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY
            | Code::CUDA_ERROR_INVALID_SOURCE
            | Code::CUDA_ERROR_FILE_NOT_FOUND
            | Code::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND
            | Code::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED
            | Code::CUDA_ERROR_OPERATING_SYSTEM
            | Code::CUDA_ERROR_INVALID_HANDLE
            | Code::CUDA_ERROR_ILLEGAL_STATE
            | Code::CUDA_ERROR_NOT_FOUND
            | Code::CUDA_ERROR_NOT_READY
            | Code::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
            | Code::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED
            | Code::CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE
            | Code::CUDA_ERROR_TOO_MANY_PEERS
            | Code::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
            | Code::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
            | Code::CUDA_ERROR_NOT_PERMITTED
            | Code::CUDA_ERROR_NOT_SUPPORTED
            | Code::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
            | Code::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
            | Code::CUDA_ERROR_STREAM_CAPTURE_MERGE
            | Code::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED
            | Code::CUDA_ERROR_STREAM_CAPTURE_UNJOINED
            | Code::CUDA_ERROR_STREAM_CAPTURE_ISOLATION
            | Code::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
            | Code::CUDA_ERROR_CAPTURED_EVENT
            | Code::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
            | Code::CUDA_ERROR_TIMEOUT
            | Code::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE
            | Code::CUDA_ERROR_CDP_NOT_SUPPORTED
            | Code::CUDA_ERROR_CDP_VERSION_MISMATCH
            | Code::CUDA_ERROR_INVALID_CLUSTER_SIZE => Self::Call,
        }
    }

    /// Whether the device is of no more use to this process.
    pub(crate) fn is_final(self) -> bool {
        match self {
            Self::ContextLost | Self::Unusable => true,
            Self::Memory | Self::Limit | Self::Call => false,
        }
    }
}

impl DriverError {
    /// The error of a call that was to do `what`.
    pub(crate) fn new(what: impl std::fmt::Display, code: DriverCode) -> Self {
        Self { what: what.to_string(), code }
    }

    /// The class of the driver's code.
    pub(crate) fn class(&self) -> ErrorClass {
        ErrorClass::of(self.code.0)
    }

    /// Whether the device is of no more use to this process.
    pub(crate) fn is_fatal(&self) -> bool {
        self.class().is_final()
    }
}

impl From<DriverError> for BackendError {
    fn from(error: DriverError) -> Self {
        let class = error.class();
        match class {
            ErrorClass::Memory => Self::Memory { what: error.what },
            ErrorClass::Limit => Self::Limit { what: format!("what a block asks for ({})", error.what) },
            ErrorClass::ContextLost | ErrorClass::Unusable | ErrorClass::Call => {
                Self::Device { what: format!("{}: {}", error.what, describe(error.code)), lost: class.is_final() }
            }
        }
    }
}

/// The driver's own words; the code's name where there is no driver to ask.
pub(crate) fn describe(error: DriverCode) -> String {
    let name = || format!("{:?}", error.0);
    if !is_driver_present() {
        return name();
    }
    let text = error.error_string().map(|text| text.to_string_lossy().into_owned());
    text.unwrap_or_else(|_| name())
}

/// Whether the driver's library is on this machine. cudarc panics where it is called without one.
pub(crate) fn is_driver_present() -> bool {
    #[expect(unsafe_code, reason = "cudarc's own question whether there is a driver is an unsafe function")]
    // SAFETY: it opens and closes the driver's library by name. The library's initializers run, as they do for every program
    // that links to it; none of its functions is called.
    unsafe {
        sys::is_culib_present()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: sys::CUresult) -> BackendError {
        DriverError { what: "a call".to_owned(), code: DriverCode(code) }.into()
    }

    /// The expectations are of cuda.h's descriptions, written down apart from the table above.
    #[test]
    fn driver_codes_fall_into_the_classes_of_their_descriptions() {
        use sys::CUresult as Code;
        let expected = [
            (
                ErrorClass::ContextLost,
                &[
                    Code::CUDA_ERROR_ILLEGAL_ADDRESS,
                    Code::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    Code::CUDA_ERROR_MISALIGNED_ADDRESS,
                    Code::CUDA_ERROR_INVALID_ADDRESS_SPACE,
                    Code::CUDA_ERROR_INVALID_PC,
                    Code::CUDA_ERROR_HARDWARE_STACK_ERROR,
                    Code::CUDA_ERROR_LAUNCH_FAILED,
                    Code::CUDA_ERROR_LAUNCH_TIMEOUT,
                    Code::CUDA_ERROR_ASSERT,
                    Code::CUDA_ERROR_ECC_UNCORRECTABLE,
                    Code::CUDA_ERROR_NVLINK_UNCORRECTABLE,
                    Code::CUDA_ERROR_CONTEXT_IS_DESTROYED,
                    Code::CUDA_ERROR_DEINITIALIZED,
                    Code::CUDA_ERROR_MPS_RPC_FAILURE,
                    Code::CUDA_ERROR_MPS_CLIENT_TERMINATED,
                    Code::CUDA_ERROR_EXTERNAL_DEVICE,
                    Code::CUDA_ERROR_UNKNOWN,
                ][..],
            ),
            (
                ErrorClass::Unusable,
                &[
                    Code::CUDA_ERROR_NO_DEVICE,
                    Code::CUDA_ERROR_INVALID_DEVICE,
                    Code::CUDA_ERROR_DEVICE_UNAVAILABLE,
                    Code::CUDA_ERROR_DEVICE_NOT_LICENSED,
                    Code::CUDA_ERROR_NOT_INITIALIZED,
                    Code::CUDA_ERROR_STUB_LIBRARY,
                    Code::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                    Code::CUDA_ERROR_SYSTEM_NOT_READY,
                    Code::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
                    Code::CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                    Code::CUDA_ERROR_NO_BINARY_FOR_GPU,
                    Code::CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                    Code::CUDA_ERROR_JIT_COMPILATION_DISABLED,
                    Code::CUDA_ERROR_MPS_CONNECTION_FAILED,
                    Code::CUDA_ERROR_MPS_SERVER_NOT_READY,
                    Code::CUDA_ERROR_MPS_MAX_CLIENTS_REACHED,
                    Code::CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED,
                ],
            ),
            (ErrorClass::Memory, &[Code::CUDA_ERROR_OUT_OF_MEMORY]),
            (
                ErrorClass::Limit,
                &[
                    Code::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                    Code::CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING,
                    Code::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                ],
            ),
            (
                ErrorClass::Call,
                &[
                    Code::CUDA_ERROR_INVALID_VALUE,
                    Code::CUDA_ERROR_INVALID_CONTEXT,
                    Code::CUDA_ERROR_INVALID_HANDLE,
                    Code::CUDA_ERROR_INVALID_IMAGE,
                    Code::CUDA_ERROR_INVALID_PTX,
                    Code::CUDA_ERROR_INVALID_GRAPHICS_CONTEXT,
                    Code::CUDA_ERROR_MAP_FAILED,
                    Code::CUDA_ERROR_UNMAP_FAILED,
                    Code::CUDA_ERROR_ALREADY_MAPPED,
                    Code::CUDA_ERROR_NOT_MAPPED,
                    Code::CUDA_ERROR_NOT_FOUND,
                    Code::CUDA_ERROR_NOT_READY,
                    Code::CUDA_ERROR_NOT_SUPPORTED,
                    Code::CUDA_ERROR_NOT_PERMITTED,
                    Code::CUDA_ERROR_OPERATING_SYSTEM,
                    Code::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                    Code::CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                    Code::CUDA_ERROR_TIMEOUT,
                ],
            ),
        ];
        for (class, codes) in expected {
            for &code in codes {
                assert_eq!(ErrorClass::of(code), class, "{code:?}");
            }
        }
    }

    #[test]
    fn fault_classes_become_the_backend_errors_that_the_fallback_acts_on() {
        use sys::CUresult as Code;
        for (code, is_expected) in [
            (Code::CUDA_ERROR_OUT_OF_MEMORY, is_memory as fn(&BackendError) -> bool),
            (Code::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, is_limit),
            (Code::CUDA_ERROR_ILLEGAL_ADDRESS, BackendError::is_lost),
            (Code::CUDA_ERROR_UNSUPPORTED_PTX_VERSION, BackendError::is_lost),
            (Code::CUDA_ERROR_INVALID_VALUE, is_call),
        ] {
            let error = error(code);
            assert!(is_expected(&error), "{code:?} became {error:?}");
            assert!(error.to_string().contains("a call"), "{error}");
        }
    }

    fn is_memory(error: &BackendError) -> bool {
        matches!(error, BackendError::Memory { .. })
    }

    fn is_limit(error: &BackendError) -> bool {
        matches!(error, BackendError::Limit { .. })
    }

    fn is_call(error: &BackendError) -> bool {
        matches!(error, BackendError::Device { lost: false, .. })
    }
}
