//! Kernels of the filters: which entries a filter launches, and which filters CUDA leaves to the CPU.

use super::filter_grid::TileOfGaussian;
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::backend::cuda::kernels::entry::{Entry, MedianWindow, TypedEntry};
use crate::backend::{BackendError, BackendKind, Feature};
use crate::filter::{Chain, Filter, GaussianBlur};
use crate::sampling::AddressMode;

/// The kernels of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernel {
    Points,
    Gaussian,
    Bilateral,
    Unsharp,
    Median,
    Sobel,
    Convolve,
}

impl Kernel {
    /// The kernels of `filter`; `None` for a filter that CUDA does not implement and leaves to the CPU.
    pub(super) fn of(filter: Filter) -> Option<Self> {
        Some(match filter {
            Filter::Gamma | Filter::Negative | Filter::Brightness | Filter::Noise => Self::Points,
            Filter::Gaussian => Self::Gaussian,
            Filter::Bilateral => Self::Bilateral,
            Filter::Unsharp => Self::Unsharp,
            Filter::Median => Self::Median,
            Filter::Sobel => Self::Sobel,
            Filter::Convolve => Self::Convolve,
            // The host fills holes once for a page: `PlaneCache::get`.
            Filter::Inpaint => return None,
        })
    }

    /// The entries of its launches.
    fn entries(self, kind: SampleKind, colour: bool) -> Vec<Entry> {
        let gaussian = || {
            let both = vec![
                TypedEntry::gaussian_horizontal(kind, colour).entry(),
                TypedEntry::gaussian_vertical(colour).entry(),
            ];
            [both, TileOfGaussian::all(kind, colour).map(|tile| tile.entry().entry()).collect()].concat()
        };
        match self {
            Self::Points => vec![TypedEntry::point_filters(colour).entry()],
            Self::Gaussian => gaussian(),
            Self::Bilateral => vec![TypedEntry::bilateral(colour).entry()],
            Self::Unsharp => [gaussian(), vec![TypedEntry::unsharp(colour).entry()]].concat(),
            Self::Median => MedianWindow::ALL.map(|window| TypedEntry::median(window, colour).entry()).into(),
            Self::Sobel => vec![TypedEntry::sobel(colour).entry()],
            Self::Convolve => vec![TypedEntry::convolve(colour).entry()],
        }
    }
}

/// The kernels of `filter`.
///
/// # Errors
/// [`BackendError::Unsupported`] if CUDA does not implement the filter.
pub(super) fn kernel_of(filter: Filter) -> Result<Kernel, BackendError> {
    kernel_by(filter, Kernel::of)
}

/// The kernels of `filter` by `of`.
///
/// # Errors
/// [`BackendError::Unsupported`] if CUDA does not implement the filter.
fn kernel_by(filter: Filter, of: impl Fn(Filter) -> Option<Kernel>) -> Result<Kernel, BackendError> {
    of(filter).ok_or(BackendError::Unsupported { backend: BackendKind::Cuda, what: Feature::Filter(filter) })
}

/// Checks that CUDA implements every active filter of `chain`, before anything is launched.
///
/// # Errors
/// [`BackendError::Unsupported`] with the first filter that it does not implement.
pub(crate) fn check_filters(chain: &Chain) -> Result<(), BackendError> {
    check_by(chain, Kernel::of)
}

fn check_by(chain: &Chain, of: impl Fn(Filter) -> Option<Kernel>) -> Result<(), BackendError> {
    chain.active().try_for_each(|step| kernel_by(step.filter(), &of).map(drop))
}

/// Every entry that `filter` needs.
pub(crate) fn entries_of(filter: Filter) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for colour in [false, true] {
        for kind in SampleKind::ALL {
            for entry in Kernel::of(filter).map_or_else(Vec::new, |kernel| kernel.entries(kind, colour)) {
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
        }
    }
    entries
}

/// The entries that `chain` launches over samples of `kind`, extended by these address modes, in the order of the launches.
pub(crate) fn entries_of_chain(
    chain: &Chain,
    (mut kind, colour): (SampleKind, bool),
    address: [AddressMode; 2],
) -> Vec<Entry> {
    let mut entries = Vec::new();
    for step in chain.active() {
        let Some(kernel) = Kernel::of(step.filter()) else { continue };
        let blur = match kernel {
            Kernel::Gaussian => Some(GaussianBlur::new(step.parameters())),
            Kernel::Unsharp => Some(GaussianBlur::new(&step.parameters()[..1])),
            Kernel::Points | Kernel::Bilateral | Kernel::Median | Kernel::Sobel | Kernel::Convolve => None,
        };
        if let Some(blur) = blur {
            match TileOfGaussian::of_blur((kind, colour), blur, address.contains(&AddressMode::Border)) {
                Some(tile) => entries.push(tile.entry().entry()),
                None => entries.extend([
                    TypedEntry::gaussian_horizontal(kind, colour).entry(),
                    TypedEntry::gaussian_vertical(colour).entry(),
                ]),
            }
        }
        entries.extend(match kernel {
            Kernel::Gaussian => None,
            Kernel::Points => Some(TypedEntry::point_filters(colour).entry()),
            Kernel::Bilateral => Some(TypedEntry::bilateral(colour).entry()),
            Kernel::Unsharp => Some(TypedEntry::unsharp(colour).entry()),
            Kernel::Median => Some(TypedEntry::median(MedianWindow::of_radius(step.reach() as i32), colour).entry()),
            Kernel::Sobel => Some(TypedEntry::sobel(colour).entry()),
            Kernel::Convolve => Some(TypedEntry::convolve(colour).entry()),
        });
        kind = SampleKind::F32;
    }
    entries
}

/// Whether a chain reads its page through a texture.
pub(crate) fn reads_texture(chain: &Chain) -> bool {
    chain.active().next().is_some_and(|step| Kernel::of(step.filter()) != Some(Kernel::Gaussian))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::cuda::abi::arguments::{MAX_RADIUS, MAX_WEIGHTS};
    use crate::filter::{FILTERS, Matrix, gaussian_radius};

    #[test]
    fn a_filter_without_cuda_kernels_is_refused_by_name_wherever_it_stands() {
        let without_sobel = |filter| Kernel::of(filter).filter(|_| filter != Filter::Sobel);
        let chain = |text: &str| -> Chain { text.parse().expect("a chain") };
        for text in ["sobel", "gaussian=2;sobel", "sobel;median=3"] {
            let refused = check_by(&chain(text), without_sobel);
            let names_it =
                matches!(&refused, Err(BackendError::Unsupported { what: Feature::Filter(Filter::Sobel), .. }));
            assert!(names_it, "{text}: {refused:?}");
            check_filters(&chain(text)).expect("CUDA has these filters");
        }
        check_by(&chain("gaussian=2;median=3"), without_sobel).expect("the others are served");
    }

    #[test]
    fn weights_of_the_largest_matrix_fit_their_arguments() {
        assert_eq!(Matrix::MAX_SIDE.pow(2) as usize, MAX_WEIGHTS);
    }

    #[test]
    fn gaussian_weights_fit_their_arguments() {
        let widest = FILTERS.iter().filter(|row| Kernel::of(row.filter) == Some(Kernel::Gaussian));
        for row in widest {
            assert_eq!(gaussian_radius(row.parameters[0].range.1) as usize, MAX_RADIUS);
        }
        let most = [1, 2].map(|index| Filter::Gaussian.row().parameters[index].range.1);
        assert_eq!((gaussian_radius(most[0]) as usize, most[1] as usize), (MAX_RADIUS, MAX_RADIUS));
    }
}
