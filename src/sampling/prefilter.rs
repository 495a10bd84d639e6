//! The B-spline prefilter: samples become coefficients, so that the cubic B-spline passes through the samples.
//!
//! The samples are extended to infinity by their address mode, and that endless signal is filtered (Unser 1999): along
//! each axis c⁺[k] = s[k] + z·c⁺[k−1], then c[k] = z·(c[k+1] − c⁺[k]), times 6, with the pole z = √3 − 2. What happens at
//! one place is forgotten by a factor |z| = 0.27 a sample, so a recursion that starts [`WARM_UP`] samples away is exact in
//! double precision. Under wrap and mirror the coefficients wrap and mirror as the samples do; under clamp and border
//! those beyond an edge are their own, and a halo of [`HALO`] of them is kept on each side: further out they are the
//! constant that they tend to, to single precision.

use rayon::prelude::*;

use super::Address;

/// The filter's pole, √3 − 2.
pub const POLE: f64 = -0.267_949_192_431_122_7;
/// Coefficients kept beyond an edge under clamp and border: |z|¹⁶ < 10⁻⁹.
pub const HALO: u32 = 16;
/// Samples that a recursion runs before its result counts: |z|³² < 10⁻¹⁸.
const WARM_UP: u32 = 32;
/// Columns that are filtered together, so that rows are read in whole cache lines.
const STRIP: usize = 16;
/// Columns that one task filters, strip by strip.
const TASK_COLUMNS: usize = 8 * STRIP;

/// How many coefficients lie beyond each edge of an axis with this address mode.
pub fn halo(address: Address) -> u32 {
    match address {
        Address::Clamp | Address::Border => HALO,
        Address::Wrap | Address::Mirror => 0,
    }
}

/// B-spline coefficients of a plane of samples, halo included.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// Columns: the samples' and twice the x axis's halo.
    pub width: u32,
    /// Rows: the samples' and twice the y axis's halo.
    pub height: u32,
    /// Row by row, channels interleaved.
    pub values: Vec<f32>,
}

/// Filters `samples` (`width` × `height`, `channels` interleaved), each axis by its own address mode; beyond a border
/// edge the samples are `border`.
///
/// # Panics
/// Where `samples` is not width × height × channels long.
pub fn coefficients(
    samples: &[f32],
    [width, height]: [u32; 2],
    channels: usize,
    address: [Address; 2],
    border: f32,
) -> Coefficients {
    let stride = width as usize * channels;
    assert_eq!(samples.len(), stride * height as usize, "a plane has width × height × channels values");
    let read = |row: usize, out: &mut [f32]| out.copy_from_slice(&samples[row * stride..][..stride]);
    coefficients_of_rows([width, height], channels, address, border, read)
}

/// The same for samples that `read(row, values)` writes row by row, in any order and from several threads.
///
/// Memory: the coefficients themselves, 4 bytes each, and for each thread 16 columns in double precision
/// ([`prefilter_bytes`] is the sum). Rows are filtered from `read` into the plane, columns within it.
pub fn coefficients_of_rows(
    [width, height]: [u32; 2],
    channels: usize,
    address: [Address; 2],
    border: f32,
    read: impl Fn(usize, &mut [f32]) + Sync,
) -> Coefficients {
    let [halo_x, halo_y] = address.map(halo);
    let (out_width, out_height) = (width + 2 * halo_x, height + 2 * halo_y);
    let stride = out_width as usize * channels;
    let mut values = vec![0.0_f32; stride * out_height as usize];

    let row_line = Line::new(width, address[0]);
    let inside = &mut values[halo_y as usize * stride..][..height as usize * stride];
    inside.par_chunks_mut(stride).enumerate().for_each_init(
        || (vec![0.0_f32; width as usize * channels], vec![0.0_f64; row_line.len()]),
        |(samples, line), (row, out)| {
            read(row, samples);
            for channel in 0..channels {
                row_line.load(line, 1, |k| samples[k as usize * channels + channel], border);
                row_line.filter(line, 1);
                for (k, c) in row_line.kept(line, 1).enumerate() {
                    out[k * channels + channel] = c[0] as f32;
                }
            }
        },
    );

    let columns = Columns { line: Line::new(height, address[1]), first: halo_y as usize, border };
    columns.filter(values.chunks_mut(stride).collect());
    Coefficients { width: out_width, height: out_height, values }
}

/// Bytes that [`coefficients_of_rows`] takes at its peak, the coefficients included.
pub fn prefilter_bytes([width, height]: [u32; 2], channels: usize, address: [Address; 2]) -> u64 {
    let [out_width, out_height] = [(width, 0), (height, 1)].map(|(len, axis)| u64::from(len + 2 * halo(address[axis])));
    let stride = out_width * channels as u64;
    let column_bytes = (out_height + 2 * u64::from(WARM_UP)) * (STRIP * size_of::<f64>()) as u64;
    // Lists of row slices: two at each level of the halving.
    let levels = u64::from(stride.div_ceil(TASK_COLUMNS as u64).next_power_of_two().ilog2()) + 1;
    let list_bytes = out_height * size_of::<&mut [f32]>() as u64 * 2 * levels;
    let tasks = stride.div_ceil(TASK_COLUMNS as u64).min(rayon::current_num_threads() as u64);
    stride * out_height * size_of::<f32>() as u64 + (column_bytes + list_bytes) * tasks
}

/// The second pass: columns, filtered where they stand.
struct Columns {
    line: Line,
    /// The row that holds the first sample; those above it are the halo.
    first: usize,
    /// The sample beyond a border edge.
    border: f32,
}

impl Columns {
    /// Filters the columns of `rows`, slices of equal length, halving them until they are [`TASK_COLUMNS`] wide.
    fn filter(&self, rows: Vec<&mut [f32]>) {
        let width = rows.first().map_or(0, |row| row.len());
        if width <= TASK_COLUMNS {
            self.filter_strips(rows, width);
            return;
        }
        let middle = (width / 2).next_multiple_of(TASK_COLUMNS);
        let (left, right): (Vec<_>, Vec<_>) = rows.into_iter().map(|row| row.split_at_mut(middle)).unzip();
        rayon::join(|| self.filter(left), || self.filter(right));
    }

    /// Filters `rows` of `width` values, [`STRIP`] columns at a time.
    fn filter_strips(&self, mut rows: Vec<&mut [f32]>, width: usize) {
        let mut lines = vec![0.0_f64; self.line.len() * STRIP];
        for from in (0..width).step_by(STRIP) {
            let columns = from..width.min(from + STRIP);
            for (place, source) in lines.chunks_exact_mut(STRIP).zip(&self.line.source) {
                match source {
                    Some(row) => {
                        let row = &rows[self.first + *row as usize][columns.clone()];
                        place.iter_mut().zip(row).for_each(|(to, &value)| *to = f64::from(value));
                    }
                    None => place.fill(f64::from(self.border)),
                }
            }
            self.line.filter(&mut lines, STRIP);
            for (row, c) in rows.iter_mut().zip(self.line.kept(&lines, STRIP)) {
                row[columns.clone()].iter_mut().zip(c).for_each(|(to, &c)| *to = c as f32);
            }
        }
    }
}

/// One line of an axis with what lies beyond its ends: which samples it runs over, and which results are kept.
struct Line {
    /// The sample behind each place of the extended line, `None` where it is the border.
    source: Vec<Option<u32>>,
    /// Places before the first result that is kept.
    skip: usize,
    /// How many results are kept.
    keep: usize,
}

impl Line {
    fn new(len: u32, address: Address) -> Self {
        let halo = halo(address);
        let reach = i64::from(halo + WARM_UP);
        let source = (-reach..i64::from(len) + reach).map(|index| address.resolve(index, len)).collect();
        Self { source, skip: WARM_UP as usize, keep: (len + 2 * halo) as usize }
    }

    fn len(&self) -> usize {
        self.source.len()
    }

    /// Fills `line` (each place `lanes` wide, the first lane used) from `sample`.
    fn load(&self, line: &mut [f64], lanes: usize, sample: impl Fn(u32) -> f32, border: f32) {
        for (place, source) in line.chunks_exact_mut(lanes).zip(&self.source) {
            place[0] = f64::from(source.map_or(border, &sample));
        }
    }

    /// The two recursions over `lanes` lines at once. Both start as if the line's end went on for ever.
    fn filter(&self, line: &mut [f64], lanes: usize) {
        let gain = (1.0 - POLE) * (1.0 - 1.0 / POLE);
        let (first, _) = line.split_at_mut(lanes);
        first.iter_mut().for_each(|c| *c /= 1.0 - POLE);
        for k in 1..self.len() {
            let (before, here) = line[(k - 1) * lanes..(k + 1) * lanes].split_at_mut(lanes);
            here.iter_mut().zip(before).for_each(|(c, before)| *c += POLE * *before);
        }
        let last = &mut line[(self.len() - 1) * lanes..];
        last.iter_mut().for_each(|c| *c *= -POLE / (1.0 - POLE) * gain);
        for k in (0..self.len() - 1).rev() {
            let (here, after) = line[k * lanes..(k + 2) * lanes].split_at_mut(lanes);
            here.iter_mut().zip(after).for_each(|(c, after)| *c = POLE * (*after - *c * gain));
        }
    }

    fn kept<'a>(&self, line: &'a [f64], lanes: usize) -> impl Iterator<Item = &'a [f64]> + use<'a> {
        line.chunks_exact(lanes).skip(self.skip).take(self.keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (c[k−1] + 4c[k] + c[k+1])/6 must give the samples back, the halo's included.
    #[test]
    fn coefficients_pass_through_the_samples_under_each_address_mode() {
        let mut random = fastrand::Rng::with_seed(3);
        let border = 0.4;
        for address in [Address::Clamp, Address::Border, Address::Wrap, Address::Mirror] {
            for len in [1_u32, 2, 3, 5, 17, 64] {
                let samples: Vec<f32> = (0..len).map(|_| random.f32()).collect();
                let line = coefficients(&samples, [len, 1], 1, [address, Address::Wrap], border);
                let halo = i64::from(halo(address));
                let n = i64::from(len);
                let at = |k: i64| match address {
                    Address::Clamp | Address::Border => {
                        line.values[usize::try_from((k + halo).clamp(0, n + 2 * halo - 1)).expect("in range")]
                    }
                    _ => line.values[address.resolve(k, len).expect("inside") as usize],
                };
                for k in -halo + 1..n + halo - 1 {
                    let through = (at(k - 1) + 4.0 * at(k) + at(k + 1)) / 6.0;
                    let sample = address.resolve(k, len).map_or(border, |k| samples[k as usize]);
                    assert!((through - sample).abs() < 1e-6, "{address} {len} at {k}: {through} {sample}");
                }
            }
        }
    }

    /// One line by the formula alone: samples at `-96 … len + 96` extended by the address mode, the two recursions in double
    /// precision, and the results at `-halo … len + halo` rounded once.
    fn filtered_line(samples: &[f32], address: Address, border: f32) -> Vec<f32> {
        let len = samples.len() as u32;
        let reach = i64::from(halo(address) + WARM_UP);
        let at = |k: i64| address.resolve(k, len).map_or(border, |k| samples[k as usize]);
        let mut line: Vec<f64> = (-reach..i64::from(len) + reach).map(|k| f64::from(at(k))).collect();
        let last = line.len() - 1;
        line[0] /= 1.0 - POLE;
        for k in 1..=last {
            line[k] += POLE * line[k - 1];
        }
        let gain = (1.0 - POLE) * (1.0 - 1.0 / POLE);
        line[last] *= -POLE / (1.0 - POLE) * gain;
        for k in (0..last).rev() {
            line[k] = POLE * (line[k + 1] - line[k] * gain);
        }
        let kept = WARM_UP as usize..line.len() - WARM_UP as usize;
        line[kept].iter().map(|&c| c as f32).collect()
    }

    /// A plane line by line, with every intermediate in memory of its own.
    fn filtered_plane(samples: &[f32], [width, height]: [usize; 2], address: [Address; 2], border: f32) -> Vec<f32> {
        let rows: Vec<Vec<f32>> =
            samples.chunks_exact(width).map(|row| filtered_line(row, address[0], border)).collect();
        let columns: Vec<Vec<f32>> = (0..rows[0].len())
            .map(|x| filtered_line(&(0..height).map(|y| rows[y][x]).collect::<Vec<_>>(), address[1], border))
            .collect();
        (0..columns[0].len()).flat_map(|y| columns.iter().map(move |column| column[y])).collect()
    }

    #[test]
    fn coefficients_made_in_place_have_the_bits_of_those_made_line_by_line() {
        let mut random = fastrand::Rng::with_seed(4);
        let modes = [Address::Clamp, Address::Border, Address::Wrap, Address::Mirror];
        // Widths below, at and beyond those of strips and tasks.
        let widths =
            [1, 7, STRIP, STRIP + 1, TASK_COLUMNS - 1, TASK_COLUMNS, 2 * TASK_COLUMNS + 5, 5 * TASK_COLUMNS + 77];
        for (case, width) in widths.into_iter().enumerate() {
            for x in modes {
                for y in modes {
                    let (height, channels) = (random.usize(1..40), 1 + case % 4);
                    let planes: Vec<Vec<f32>> =
                        (0..channels).map(|_| (0..width * height).map(|_| random.f32() - 0.25).collect()).collect();
                    let samples: Vec<f32> =
                        (0..width * height).flat_map(|k| planes.iter().map(move |plane| plane[k])).collect();
                    let made = coefficients(&samples, [width as u32, height as u32], channels, [x, y], 0.7);
                    for (channel, plane) in planes.iter().enumerate() {
                        let expected = filtered_plane(plane, [width, height], [x, y], 0.7);
                        let found = made.values.iter().skip(channel).step_by(channels);
                        assert_eq!(made.values.len(), expected.len() * channels, "{width}×{height} {x} {y}");
                        let same = found.zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                        assert!(same, "{width}×{height}×{channels} {x} {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn both_axes_are_filtered_and_channels_stay_apart() {
        let samples: Vec<f32> = (0..6 * 4 * 3).map(|i| (i * 37 % 101) as f32 / 101.0).collect();
        let all = coefficients(&samples, [6, 4], 3, [Address::Mirror, Address::Clamp], 0.0);
        assert_eq!((all.width, all.height), (6, 4 + 2 * HALO));
        for channel in 0..3 {
            let one: Vec<f32> = samples.iter().skip(channel).step_by(3).copied().collect();
            let alone = coefficients(&one, [6, 4], 1, [Address::Mirror, Address::Clamp], 0.0);
            let among: Vec<f32> = all.values.iter().skip(channel).step_by(3).copied().collect();
            assert_eq!(alone.values, among);
        }
    }
}
