//! Repeated rotation: an image is turned N times by 360°/N about its centre by one method, each turn from the values of the
//! turn before it, so that small errors of a method add up until they are seen.
//!
//! The experiment is that of Thévenaz, Blu and Unser, "Interpolation revisited", IEEE Transactions on Medical Imaging 19
//! (2000): single-precision values, neither clamped nor rounded between turns.
//!
//! ```text
//!   central square of the image          turn k shows the original at the angle k·360°/N
//!   ┌───────────┐
//!   │  ╭─────╮  │   errors are counted in a disc of ¾ of the inscribed one: what comes from beyond the square
//!   │  │     │  │   through the address mode stays outside it
//!   │  ╰─────╯  │
//!   └───────────┘
//! ```
//! Turn k is compared with the original at that angle ([`Reference`]).

mod report;

use std::sync::Arc;

pub use self::report::{RotationReport, RotationRow};
use crate::backend::{self, Backend, BackendError, Content, PixelFormat, RenderRequest, output_demand};
use crate::filter::ExecOptions;
use crate::image::{Channels, Depth, Image, Page, Raster, Size, Truth};
use crate::memory::{Demand, Memory};
use crate::quality::{CompareError, Counted, Metrics, compare, truth};
use crate::sampling::{Method, Sampler, SamplingPath, SplineDegree};
use crate::view::View;

/// Smallest and largest number of turns.
pub const TURNS: std::ops::RangeInclusive<u32> = 2..=360;
/// Number of turns of the published experiment.
pub const USUAL_TURNS: u32 = 15;
/// Least side of an image, in samples.
pub const LEAST_SIDE: u32 = 16;
/// Radius of the disc that is counted, as a part of the inscribed disc's.
const COUNTED_SHARE: f64 = 0.75;

/// What a turn is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The samples themselves, at a multiple of 90°, where samples fall on samples. Exact.
    Samples,
    /// The formula of a synthetic image at the turned positions. Exact.
    Formula,
    /// One turn of the original by the prefiltered B-spline of degree 5, whose own error is far below that of repeated turns.
    /// An estimate.
    OneTurn,
}

impl Reference {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Formula => "formula",
            Self::OneTurn => "one-turn",
        }
    }
}

/// Reason why nothing was turned.
#[derive(Clone, thiserror::Error)]
pub enum RotationError {
    /// The number of turns is out of range.
    #[error("{0} turns: from {least} to {most} are possible", least = TURNS.start(), most = TURNS.end())]
    Turns(u32),
    /// The image is too small for a disc of samples.
    #[error("an image of {0} is too small to be turned: {LEAST_SIDE} samples a side are the least")]
    TooSmall(Size),
    /// A render failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// There is nothing to compare.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

/// An image to be turned.
#[derive(Clone, Debug)]
pub struct RotationTest {
    /// The page that the square is cut out of.
    page: Arc<Page>,
    /// The central square, floats without alpha.
    original: Image,
    /// Position of its centre in the page.
    centre: [f64; 2],
    side: Size,
    turns: u32,
    counted: Counted,
}

/// One turn of one method.
#[derive(Clone, Copy, Debug)]
pub struct Turned<'a> {
    /// Number of turns so far, from 1.
    pub turn: u32,
    /// Index of the sampler.
    pub sampler: usize,
    /// The values after this turn.
    pub picture: &'a Raster,
    /// Its errors.
    pub metrics: Metrics,
    /// What it was compared with.
    pub reference: Reference,
}

impl RotationTest {
    /// The central square of `page`, of at most `most` samples a side, turned `turns` times.
    ///
    /// # Errors
    /// For a number of turns outside [`TURNS`], and a page smaller than [`LEAST_SIDE`].
    pub fn new(page: &Arc<Page>, turns: u32, most: Option<u32>) -> Result<Self, RotationError> {
        if !TURNS.contains(&turns) {
            return Err(RotationError::Turns(turns));
        }
        let [width, height] = page.size().sides();
        let side = width.min(height).min(most.unwrap_or(u32::MAX));
        if side < LEAST_SIDE {
            return Err(RotationError::TooSmall(page.size()));
        }
        let corner = [(width - side) / 2, (height - side) / 2];
        let half = f64::from(side - 1) / 2.0;
        let centre = corner.map(|start| f64::from(start) + half);
        let side = Size::new(side, side).map_err(|_| RotationError::TooSmall(page.size()))?;
        let original = Image::of_page("original", Page::new(page.raster().floats(corner, side)));
        let counted = Counted::disc(side, COUNTED_SHARE * half);
        Ok(Self { page: Arc::clone(page), original, centre, side, turns, counted })
    }

    /// Side of the square that is turned.
    pub fn size(&self) -> Size {
        self.side
    }

    /// Channels of the values.
    pub fn channels(&self) -> Channels {
        self.original.pages()[0].channels()
    }

    /// Number of turns.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Angle after `turn` turns, in degrees.
    pub fn angle_deg(&self, turn: u32) -> f64 {
        f64::from(turn) * 360.0 / f64::from(self.turns)
    }

    /// The values before the first turn.
    pub fn original(&self) -> &Raster {
        self.original.pages()[0].raster()
    }

    /// The request that turns an image of this size by `turn` times the angle with `sampler`. The tiled path serves no
    /// rotated view; the exact path takes its place.
    pub fn request(&self, sampler: Sampler, turn: u32) -> RenderRequest {
        let path = if sampler.path == SamplingPath::Tiled { SamplingPath::Auto } else { sampler.path };
        let sampler = Sampler { path, antialias: false, ..sampler };
        RenderRequest { view: self.view(turn), sampler, ..RenderRequest::new(self.side) }
    }

    /// The view that turns the square about its centre.
    fn view(&self, turn: u32) -> View {
        // Any number of degrees below a whole turn is valid.
        View::default().rotated(self.angle_deg(turn)).unwrap_or_default().centred_at(1.0)
    }

    /// Turns the square by each of `samplers`, turn by turn, and calls `each` after each render.
    ///
    /// # Errors
    /// For a request that is not served, and a cancellation.
    pub fn run(
        &self,
        backend: &mut dyn Backend,
        samplers: &[Sampler],
        work: &ExecOptions,
        each: &mut dyn FnMut(Turned<'_>),
    ) -> Result<(), RotationError> {
        self.check_memory(samplers.len())?;
        backend.set_exec_options(work.stage("turns"));
        let mut pictures = vec![self.original.clone(); samplers.len()];
        for turn in 1..=self.turns {
            let (reference, exact) = self.reference(backend, turn, work)?;
            for (index, (picture, sampler)) in pictures.iter_mut().zip(samplers).enumerate() {
                let request = self.request(*sampler, 1);
                let turned = backend::render(backend, picture, &request, PixelFormat::file(Depth::Float))?;
                let metrics = compare(&turned, &exact, &self.counted)?;
                each(Turned { turn, sampler: index, picture: &turned, metrics, reference });
                *picture = Image::of_page("turned", Page::new(turned));
            }
        }
        Ok(())
    }

    /// The values that turn `turn` is compared with.
    fn reference(
        &self,
        backend: &mut dyn Backend,
        turn: u32,
        work: &ExecOptions,
    ) -> Result<(Reference, Raster), RotationError> {
        let format = PixelFormat::file(Depth::Float);
        if (4 * turn).is_multiple_of(self.turns) {
            let nearest = self.request(Sampler::default().with_method(Method::Nearest), turn);
            return Ok((Reference::Samples, backend::render(backend, &self.original, &nearest, format)?));
        }
        if let Some(Truth::Formula(_) | Truth::Function(_)) = self.page.truth() {
            let request = RenderRequest {
                content: Content::Truth,
                view: self.view_in_page(turn)?,
                ..self.request(Sampler::default(), 1)
            };
            return Ok((Reference::Formula, truth(&self.page, &request, &self.counted, work)?));
        }
        let quintic =
            Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSpline(SplineDegree::Quintic)) };
        let once = self.request(quintic, turn);
        Ok((Reference::OneTurn, backend::render(backend, &self.original, &once, format)?))
    }

    /// The same view of the page that the square was cut out of.
    fn view_in_page(&self, turn: u32) -> Result<View, RotationError> {
        let view = self.view(turn);
        let middle = self.page.size().sides().map(|side| f64::from(side - 1) / 2.0);
        let [x, y] = view.translation();
        let moved = [x + self.centre[0] - middle[0], y + self.centre[1] - middle[1]];
        view.translated(moved).map_err(|_| RotationError::TooSmall(self.page.size()))
    }

    /// The original, a picture of each sampler, the next one, and what it is compared with.
    fn check_memory(&self, samplers: usize) -> Result<(), BackendError> {
        let raster = output_demand(self.side, self.channels(), Depth::Float).peak();
        let mut demand = Demand::default();
        let side = self.side;
        demand.hold(|| format!("{} pictures of {side} pixels take", samplers + 3), (samplers as u64 + 3) * raster);
        Ok(Memory::Machine.check(&demand)?)
    }
}

#[cfg(test)]
mod tests;
