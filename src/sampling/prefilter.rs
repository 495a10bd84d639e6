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
/// Columns that one task filters together, so that rows are read in whole cache lines.
const STRIP: usize = 16;

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
    assert_eq!(
        samples.len(),
        width as usize * height as usize * channels,
        "a plane has width × height × channels values"
    );
    let out_width = width + 2 * halo(address[0]);
    let out_height = height + 2 * halo(address[1]);
    let stride = out_width as usize * channels;

    let rows_line = Line::new(width, address[0]);
    let mut rows = vec![0.0_f32; stride * height as usize];
    rows.par_chunks_mut(stride).zip(samples.par_chunks(width as usize * channels)).for_each_init(
        || vec![0.0_f64; rows_line.len()],
        |line, (out, row)| {
            for channel in 0..channels {
                rows_line.load(line, 1, |k| row[k as usize * channels + channel], border);
                rows_line.filter(line, 1);
                for (k, c) in rows_line.kept(line, 1).enumerate() {
                    out[k * channels + channel] = c[0] as f32;
                }
            }
        },
    );

    let columns_line = Line::new(height, address[1]);
    let strips: Vec<Vec<f32>> = (0..stride.div_ceil(STRIP))
        .into_par_iter()
        .map_init(
            || vec![0.0_f64; columns_line.len() * STRIP],
            |lines, strip| {
                let from = strip * STRIP;
                let count = STRIP.min(stride - from);
                for (k, place) in lines.chunks_exact_mut(STRIP).enumerate() {
                    match columns_line.source[k] {
                        Some(row) => {
                            let row = &rows[row as usize * stride + from..][..count];
                            place.iter_mut().zip(row).for_each(|(to, &value)| *to = f64::from(value));
                        }
                        None => place.fill(f64::from(border)),
                    }
                }
                columns_line.filter(lines, STRIP);
                columns_line.kept(lines, STRIP).flat_map(|c| c[..count].iter().map(|&c| c as f32)).collect()
            },
        )
        .collect();

    let mut values = vec![0.0_f32; stride * out_height as usize];
    values.par_chunks_mut(stride).enumerate().for_each(|(row, out)| {
        for (strip, out) in strips.iter().zip(out.chunks_mut(STRIP)) {
            out.copy_from_slice(&strip[row * out.len()..][..out.len()]);
        }
    });
    Coefficients { width: out_width, height: out_height, values }
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
