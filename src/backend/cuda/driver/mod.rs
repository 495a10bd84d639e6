//! The CUDA driver: device, errors, textures, events.

pub(in crate::backend::cuda) mod destination;
pub(in crate::backend::cuda) mod device;
pub(in crate::backend::cuda) mod events;
pub(in crate::backend::cuda) mod fault;
pub(in crate::backend::cuda) mod mapping;
pub(in crate::backend::cuda) mod staging;
pub(in crate::backend::cuda) mod texture;
pub(in crate::backend::cuda) mod uploads;
