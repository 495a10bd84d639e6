//! The interpolated field: whether it passes through its samples, by how much it leaves their range, how smooth it is.
//!
//! Each measurement renders by the CPU backend, in the values of the file divided by maxval.

mod exceedance;
mod lens;
mod lens_picture;
mod overshoot;
mod samples;

pub use exceedance::Exceedance;
pub use lens::{Field, LENSES, Lens, LensRow, isoline_step, slope_range};
pub use lens_picture::LensPicture;
pub use overshoot::{OVERSHOOT_TOLERANCE, Overshoot, SIDES, Side, SideCount, distance};
pub use samples::{
    SAMPLE_TOLERANCE, SampleBlock, SampleCheck, SampleCheckRequest, SampleDifference, SampleReport, visit_samples,
};
