//! Plain stores: the lower bound that a kernel's time is compared with.

use cudarc::driver::{LaunchConfig, PushKernelArg};

use crate::backend::cuda::driver::error::{Context as _, DriverError};
use crate::backend::cuda::driver::surface::Pieces;
use crate::backend::cuda::kernels::entry::TypedEntry;
use crate::backend::cuda::kernels::launch::Launcher;

/// Fills a surface with `value`, 16 bytes a thread. No kernel that writes the whole surface can be faster.
///
/// # Errors
/// If the kernel does not load or the driver refuses the launch.
pub(crate) fn store_plain(launcher: &mut Launcher, pieces: Pieces<'_>, value: u32) -> Result<(), DriverError> {
    let function = launcher.function(&TypedEntry::store_plain().entry())?;
    let [width, height] = pieces.target().size_px.map(|side| side.unsigned_abs());
    let config = LaunchConfig {
        // A warp covers 64 bytes by 8 rows: one block of a surface's layout, and the fastest shape.
        grid_dim: (width.div_ceil(4), height.div_ceil(64), 1),
        block_dim: (4, 64, 1),
        shared_mem_bytes: 0,
    };
    let mut launch = launcher.device.stream.launch_builder(&function);
    launch.arg(pieces.target()).arg(&value);
    #[expect(unsafe_code, reason = "a kernel is launched")]
    // SAFETY: the entry takes a target and a number, which the driver copies before the call returns. The surface is
    // borrowed for the call and waits for the stream before it is destroyed; stores beyond its edge are dropped.
    let launched = unsafe { launch.launch(config) };
    launched.context("a plain store does not start")?;
    Ok(())
}
