//! Prefilters: recursive filters that turn samples into B-spline or O-MOMS coefficients, so that the kernel's sum passes
//! through the samples.
//!
//! The samples are extended to infinity by their address mode, and that endless signal is filtered (Unser, Aldroubi, Eden
//! 1993, part II; Unser 1999, box 2): along each axis, for each pole z, c⁺[k] = s[k] + z·c⁺[k−1], then
//! c[k] = z·(c[k+1] − c⁺[k]), times the gain (1 − z)(1 − 1/z). The influence of a sample falls by |z| with each sample of
//! distance. So a recursion that starts [`Prefilter::warm_up`] samples away is exact in double precision. Under wrap and
//! mirror the coefficients wrap and mirror as the samples do. Under clamp and border the coefficients beyond an edge have
//! values of their own: [`Prefilter::halo`] of them are kept on each side. Further out they are the constant that they tend
//! to, to single precision.
//!
//! | kernel | poles | halo |
//! |---|---|---|
//! | `bspline=2` | √8 − 3 | 12 |
//! | `bspline=3` | √3 − 2 | 16 |
//! | `bspline=4` | √(664 − √438976) + √304 − 19, √(664 + √438976) − √304 − 19 | 21 |
//! | `bspline=5` | √(135/2 − √(17745/4)) + √(105/4) − 13/2, √(135/2 + √(17745/4)) − √(105/4) − 13/2 | 25 |
//! | `o-moms` | (√105 − 13)/8 | 20 |

mod line;
mod plane;
mod tile;

use rayon::prelude::*;

use self::plane::{Columns, PADDING, Rows, TASK_COLUMNS};
use super::address::{AddressMode, Edges};
use super::parameters::SplineDegree;

pub(crate) use self::line::Line;
pub(super) use self::line::{run_anticausal, run_causal};

/// Lines that are filtered together. Each step of a recursion waits for the step before it; other lines fill that time. Columns are
/// read in whole cache lines.
const STRIP: usize = 16;

/// The recursive filter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prefilter {
    poles: &'static [f64],
    halo: u32,
}

const QUADRATIC: Prefilter = Prefilter { poles: &[-0.171_572_875_253_809_9], halo: 12 };
const CUBIC: Prefilter = Prefilter { poles: &[-0.267_949_192_431_122_7], halo: 16 };
const QUARTIC: Prefilter = Prefilter { poles: &[-0.361_341_225_900_220_18, -0.013_725_429_297_339_121], halo: 21 };
const QUINTIC: Prefilter = Prefilter { poles: &[-0.430_575_347_099_973_8, -0.043_096_288_203_264_65], halo: 25 };

impl Prefilter {
    /// The largest halo of any prefilter.
    pub const MAX_HALO: u32 = QUINTIC.halo;

    /// The filter of the cubic O-MOMS (Blu, Thévenaz, Unser 2001).
    pub(super) const O_MOMS: Self = Self { poles: &[-0.344_131_154_255_050_2], halo: 20 };

    /// The filter of a B-spline.
    pub(super) fn of_bspline(degree: SplineDegree) -> Self {
        match degree {
            SplineDegree::Quadratic => QUADRATIC,
            SplineDegree::Cubic => CUBIC,
            SplineDegree::Quartic => QUARTIC,
            SplineDegree::Quintic => QUINTIC,
        }
    }

    /// Its poles z, −1 < z < 0, the slowest first. The filters of the poles follow one another.
    pub fn poles(&self) -> &'static [f64] {
        self.poles
    }

    /// (1 − z)(1 − 1/z): the factor that keeps a constant as it is.
    pub fn gain(pole: f64) -> f64 {
        (1.0 - pole) * (1.0 - 1.0 / pole)
    }

    /// How many coefficients are kept beyond each edge of an axis with this address mode: as many as it takes until the
    /// slowest pole's |z|^k is below 10⁻⁹; none where coefficients repeat as the samples do.
    pub fn halo(&self, address: AddressMode) -> u32 {
        match address {
            AddressMode::Clamp | AddressMode::Border => self.halo,
            AddressMode::Wrap | AddressMode::Mirror => 0,
        }
    }

    /// Samples that a recursion runs before its result counts: |z|^k < 10⁻¹⁸.
    pub fn warm_up(&self) -> u32 {
        2 * self.halo
    }

    /// Filters `samples` (width × height, `channels` interleaved), which go on beyond their edges as `edges` says.
    ///
    /// # Panics
    /// If `samples` is not width × height × channels long.
    pub fn coefficients(&self, samples: &[f32], size: [u32; 2], channels: usize, edges: &Edges) -> Coefficients {
        let stride = size[0] as usize * channels;
        assert_eq!(samples.len(), stride * size[1] as usize, "a plane has width × height × channels values");
        let read = |row: usize, out: &mut [f32]| out.copy_from_slice(&samples[row * stride..][..stride]);
        self.coefficients_of_rows(size, channels, edges, read)
    }

    /// The same for samples that `read(row, values)` writes row by row, in any order and from several threads.
    ///
    /// Memory: the coefficients themselves, 4 bytes each, and for each thread 16 rows of samples and 16 lines in double
    /// precision ([`Prefilter::bytes`] is the sum). Rows are filtered from `read` into the plane, columns within it.
    pub fn coefficients_of_rows(
        &self,
        [width, height]: [u32; 2],
        channels: usize,
        edges: &Edges,
        read: impl Fn(usize, &mut [f32]) + Sync,
    ) -> Coefficients {
        let [halo_x, halo_y] = edges.address.map(|address| self.halo(address));
        let (out_width, out_height) = (width + 2 * halo_x, height + 2 * halo_y);
        let stride = out_width as usize * channels;
        let mut values = vec![0.0_f32; stride * out_height as usize];

        let rows = Rows { line: Line::new(*self, width, edges.address[0]), width, channels, border: edges.border };
        let inside = &mut values[halo_y as usize * stride..][..height as usize * stride];
        inside.par_chunks_mut(stride * STRIP).enumerate().for_each_init(
            || (vec![0.0_f32; STRIP * rows.buffered()], vec![[0.0_f64; STRIP]; rows.line.len()]),
            |(samples, lines), (strip, out)| {
                for (row, samples) in samples.chunks_exact_mut(rows.buffered()).take(out.len() / stride).enumerate() {
                    read(strip * STRIP + row, &mut samples[..width as usize * channels]);
                }
                rows.filter(samples, lines, out);
            },
        );

        let line = Line::new(*self, height, edges.address[1]);
        let columns = Columns { line, first: halo_y as usize, border: edges.border };
        columns.filter(values.chunks_mut(stride).collect());
        Coefficients { width: out_width, height: out_height, values }
    }

    /// Bytes that [`Prefilter::coefficients_of_rows`] takes at its peak, the coefficients included.
    pub fn bytes(&self, [width, height]: [u32; 2], channels: usize, address: [AddressMode; 2]) -> u64 {
        let [out_width, out_height] =
            [(width, address[0]), (height, address[1])].map(|(len, address)| u64::from(len + 2 * self.halo(address)));
        let stride = out_width * channels as u64;
        let line_bytes = |len: u64| (len + 2 * u64::from(self.warm_up())) * (STRIP * size_of::<f64>()) as u64;
        // Lists of row slices: two at each level of the halving.
        let levels = u64::from(stride.div_ceil(TASK_COLUMNS as u64).next_power_of_two().ilog2()) + 1;
        let list_bytes = out_height * size_of::<&mut [f32]>() as u64 * 2 * levels;
        let threads = rayon::current_num_threads() as u64;
        let row_bytes = (STRIP * size_of::<f32>()) as u64 * (stride + (PADDING * channels) as u64);
        let rows = (row_bytes + line_bytes(out_width)) * out_height.div_ceil(STRIP as u64).min(threads);
        let columns = (line_bytes(out_height) + list_bytes) * stride.div_ceil(TASK_COLUMNS as u64).min(threads);
        stride * out_height * size_of::<f32>() as u64 + rows.max(columns)
    }
}

/// Coefficients of a plane of samples, halo included.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// Columns: the samples' and twice the x axis's halo.
    pub width: u32,
    /// Rows: the samples' and twice the y axis's halo.
    pub height: u32,
    /// Row by row, channels interleaved.
    pub values: Vec<f32>,
}

#[cfg(test)]
mod tests {
    use super::super::ADDRESS_MODES;
    use super::*;

    fn modes() -> [AddressMode; ADDRESS_MODES.len()] {
        ADDRESS_MODES.each_ref().map(|row| row.address)
    }

    /// Each prefilter with its kernel's weights at −2 … 2.
    fn filters() -> Vec<(Prefilter, [f64; 5])> {
        let methods = ["bspline=2", "bspline", "bspline=4", "bspline=5", "o-moms"];
        let kernels = methods.map(|text| text.parse::<super::super::Method>().expect(text).kernel());
        let of = kernels.map(|kernel| {
            let prefilter = kernel.prefilter.expect("a prefilter");
            (prefilter, [-2.0, -1.0, 0.0, 1.0, 2.0].map(|d| kernel.weight(d)))
        });
        of.to_vec()
    }

    #[test]
    fn poles_are_roots_of_the_kernel_at_whole_distances() {
        for (filter, weights) in filters() {
            for pole in filter.poles() {
                let value: f64 = weights.iter().zip(-2..).map(|(w, k)| w * pole.powi(k)).sum();
                let scale: f64 = weights.iter().zip(-2..).map(|(w, k)| (w * pole.powi(k)).abs()).sum();
                assert!(value.abs() < 4e-16 * scale, "{filter:?}: {value:e} of {scale}");
                assert!(pole.abs() <= filter.poles()[0].abs(), "{filter:?}");
            }
        }
    }

    #[test]
    fn halo_is_the_least_distance_at_which_the_slowest_pole_has_faded_below_a_billionth() {
        for (filter, _) in filters() {
            let faded = |distance: u32| filter.poles()[0].abs().powi(distance as i32) < 1e-9;
            assert!(faded(filter.halo) && !faded(filter.halo - 1), "{filter:?}");
            assert!(filter.halo <= Prefilter::MAX_HALO);
        }
    }

    /// The kernel's sum over the coefficients at whole positions gives the samples back, the halo's included.
    #[test]
    fn coefficients_pass_through_the_samples_under_each_address_mode() {
        let mut random = fastrand::Rng::with_seed(3);
        let border = 0.4;
        for (filter, weights) in filters() {
            for address in modes() {
                for len in [1_u32, 2, 3, 5, 17, 64] {
                    let samples: Vec<f32> = (0..len).map(|_| random.f32()).collect();
                    let edges = Edges { address: [address, AddressMode::Wrap], border };
                    let line = filter.coefficients(&samples, [len, 1], 1, &edges);
                    let halo = i64::from(filter.halo(address));
                    let n = i64::from(len);
                    let at = |k: i64| match address {
                        AddressMode::Clamp | AddressMode::Border => {
                            line.values[usize::try_from((k + halo).clamp(0, n + 2 * halo - 1)).expect("in range")]
                        }
                        _ => line.values[address.resolve(k, len).expect("inside") as usize],
                    };
                    for k in -halo..n + halo {
                        let through: f64 = weights.iter().zip(-2..).map(|(w, d)| w * f64::from(at(k - d))).sum();
                        let sample = address.resolve(k, len).map_or(border, |k| samples[k as usize]);
                        assert!((through - f64::from(sample)).abs() < 1e-6, "{filter:?} {address} {len} at {k}");
                    }
                }
            }
        }
    }

    /// One line by the formula alone: samples extended by the address mode, the recursions in double precision, and the
    /// results at `-halo … len + halo` rounded once.
    fn filtered_line(filter: Prefilter, samples: &[f32], address: AddressMode, border: f32) -> Vec<f32> {
        let len = samples.len() as u32;
        let warm_up = filter.warm_up();
        let reach = i64::from(filter.halo(address) + warm_up);
        let at = |k: i64| address.resolve(k, len).map_or(border, |k| samples[k as usize]);
        let mut line: Vec<f64> = (-reach..i64::from(len) + reach).map(|k| f64::from(at(k))).collect();
        let last = line.len() - 1;
        for pole in filter.poles() {
            line[0] /= 1.0 - pole;
            for k in 1..=last {
                line[k] += pole * line[k - 1];
            }
            let gain = (1.0 - pole) * (1.0 - 1.0 / pole);
            line[last] *= -pole / (1.0 - pole) * gain;
            for k in (0..last).rev() {
                line[k] = pole * (line[k + 1] - line[k] * gain);
            }
        }
        let kept = warm_up as usize..line.len() - warm_up as usize;
        line[kept].iter().map(|&c| c as f32).collect()
    }

    /// A plane line by line, with every intermediate in memory of its own.
    fn filtered_plane(filter: Prefilter, samples: &[f32], width: usize, edges: &Edges) -> Vec<f32> {
        let line = |samples: &[f32], axis: usize| filtered_line(filter, samples, edges.address[axis], edges.border);
        let rows: Vec<Vec<f32>> = samples.chunks_exact(width).map(|row| line(row, 0)).collect();
        let column = |x: usize| rows.iter().map(|row| row[x]).collect::<Vec<_>>();
        let columns: Vec<Vec<f32>> = (0..rows[0].len()).map(|x| line(&column(x), 1)).collect();
        (0..columns[0].len()).flat_map(|y| columns.iter().map(move |column| column[y])).collect()
    }

    #[test]
    fn coefficients_made_in_place_have_the_bits_of_those_made_line_by_line() {
        let mut random = fastrand::Rng::with_seed(4);
        // Widths below, at and beyond those of strips and tasks.
        let widths =
            [1, 7, STRIP, STRIP + 1, TASK_COLUMNS - 1, TASK_COLUMNS, 2 * TASK_COLUMNS + 5, 5 * TASK_COLUMNS + 77];
        for (filter, _) in filters() {
            for (case, width) in widths.into_iter().enumerate() {
                for (x, y) in modes().into_iter().flat_map(|x| modes().map(|y| (x, y))) {
                    let (height, channels) = (random.usize(1..40), 1 + case % 4);
                    let edges = Edges { address: [x, y], border: 0.7 };
                    let planes: Vec<Vec<f32>> =
                        (0..channels).map(|_| (0..width * height).map(|_| random.f32() - 0.25).collect()).collect();
                    let samples: Vec<f32> =
                        (0..width * height).flat_map(|k| planes.iter().map(move |plane| plane[k])).collect();
                    let made = filter.coefficients(&samples, [width as u32, height as u32], channels, &edges);
                    for (channel, plane) in planes.iter().enumerate() {
                        let expected = filtered_plane(filter, plane, width, &edges);
                        let found = made.values.iter().skip(channel).step_by(channels);
                        assert_eq!(made.values.len(), expected.len() * channels, "{width}×{height} {x} {y}");
                        let same = found.zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                        assert!(same, "{filter:?} {width}×{height}×{channels} {x} {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn both_axes_are_filtered_and_channels_stay_apart() {
        let samples: Vec<f32> = (0..6 * 4 * 3).map(|i| (i * 37 % 101) as f32 / 101.0).collect();
        let edges = Edges { address: [AddressMode::Mirror, AddressMode::Clamp], border: 0.0 };
        for (filter, _) in filters() {
            let all = filter.coefficients(&samples, [6, 4], 3, &edges);
            assert_eq!((all.width, all.height), (6, 4 + 2 * filter.halo));
            for channel in 0..3 {
                let one: Vec<f32> = samples.iter().skip(channel).step_by(3).copied().collect();
                let alone = filter.coefficients(&one, [6, 4], 1, &edges);
                let among: Vec<f32> = all.values.iter().skip(channel).step_by(3).copied().collect();
                assert_eq!(alone.values, among);
            }
        }
    }
}
