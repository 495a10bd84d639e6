//! The CUDA driver: the device with its limits and errors, memory, textures, surfaces and events.

pub(crate) mod array;
pub(crate) mod destination;
pub(crate) mod device;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod limits;
pub(crate) mod mapping;
pub(crate) mod scratch;
pub(crate) mod staging;
pub(crate) mod surface;
pub(crate) mod texture;
pub(crate) mod uploads;
pub(crate) mod volume;
