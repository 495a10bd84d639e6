//! Estimate of an image's noise, and what filters make of it.

use super::{Chain, Edges, ExecOptions, Plane};
use crate::image::Page;

/// Median of the magnitude of a normal number of deviation 1.
const NORMAL_MEDIAN: f64 = 0.674_489_750_196_081_7;

/// Standard deviation of the white noise in `plane`, by the median of the magnitudes of its finest diagonal details:
/// Donoho and Johnstone, "Ideal spatial adaptation by wavelet shrinkage", Biometrika 81 (1994), in the Haar basis.
///
/// ```text
///   a b     d = (a − b − c + d)/2 of each block of 2 × 2 values: noise keeps its deviation, and what is flat, a ramp or
///   c d     an edge along an axis is 0. σ = median|d| / 0.6745: edges are few, and the median does not see them.
/// ```
///
/// Of a colour plane the details of all colours count; alpha does not, and values are premultiplied. `None` for a plane
/// without a block, and where details are not finite.
pub fn estimated_noise(plane: &Plane) -> Option<f64> {
    let (count, colours, stride) = (plane.channels.count(), plane.channels.opaque().count(), plane.stride());
    let mut details = Vec::with_capacity(plane.values.len() / 4);
    for rows in plane.values.chunks_exact(2 * stride) {
        let (above, below) = rows.split_at(stride);
        for (above, below) in above.chunks_exact(2 * count).zip(below.chunks_exact(2 * count)) {
            for c in 0..colours {
                let [a, b] = [above[c], above[count + c]].map(f64::from);
                let [c, d] = [below[c], below[count + c]].map(f64::from);
                details.push(((a - b - c + d) / 2.0).abs());
            }
        }
    }
    if details.is_empty() || !details.iter().all(|detail| detail.is_finite()) {
        return None;
    }
    let middle = details.len() / 2;
    let (_, median, _) = details.select_nth_unstable_by(middle, f64::total_cmp);
    Some(*median / NORMAL_MEDIAN)
}

/// Columns and rows of a page, around its middle, that count for an estimate.
const MAX_SIDE: u32 = 512;

/// Standard deviation of the white noise of `page`, from its middle 512 × 512 samples; `None` as of [`estimated_noise`].
pub fn noise_of_page(page: &Page) -> Option<f64> {
    estimated_noise(&middle_of(page))
}

/// The same after the filters `before`.
pub fn noise_after(page: &Page, before: &Chain, edges: &Edges) -> Option<f64> {
    estimated_noise(&before.apply(middle_of(page), edges, &ExecOptions::default())?)
}

/// The middle samples of `page` that count for an estimate.
fn middle_of(page: &Page) -> Plane {
    let (whole, channels) = (page.size().sides(), page.channels());
    let size = whole.map(|side| side.min(MAX_SIDE));
    let first = [0, 1].map(|axis| (whole[axis] - size[axis]) / 2);
    let (count, colours) = (channels.count(), channels.opaque().count());
    let samples = page.raster().samples();
    let maxval = f32::from(samples.maxval());
    let mut values = Vec::with_capacity(size[0] as usize * size[1] as usize * count);
    for y in first[1]..first[1] + size[1] {
        for x in first[0]..first[0] + size[0] {
            let place = (y as usize * whole[0] as usize + x as usize) * count;
            let pixel = (place..place + count).map(|index| samples.number(index) / maxval);
            values.extend(pixel);
            if channels.has_alpha() {
                let at = values.len() - count;
                let alpha = values[at + colours];
                values[at..at + colours].iter_mut().for_each(|colour| *colour *= alpha);
            }
        }
    }
    Plane { size, first, channels, values }
}

/// The range sigma of a bilateral filter for noise of this deviation: twice as much (Zhang and Gunturk,
/// "Multiresolution bilateral filtering for image denoising", IEEE Transactions on Image Processing 17, 2008).
pub(super) fn range_for(noise: f64) -> f64 {
    2.0 * noise
}

/// The sigma of a Gaussian filter that leaves a deviation of 1/255 of this white noise: a Gaussian of σ ≥ ½ leaves
/// noise/(2·√π·σ).
pub(super) fn blur_for(noise: f64) -> f64 {
    255.0 * noise / (2.0 * std::f64::consts::PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::{Edges, ExecOptions, Step};
    use super::*;
    use crate::image::Channels;
    use crate::sampling::AddressMode;

    fn plane(channels: Channels, value: impl Fn(usize, usize) -> f32) -> Plane {
        let count = channels.count();
        let values = (0..256 * 256 * count).map(|k| value(k / count % 256, k / count / 256)).collect();
        Plane { size: [256; 2], first: [0; 2], channels, values }
    }

    fn after(plane: &Plane, text: &str) -> Plane {
        let edges = Edges { address: [AddressMode::Mirror; 2], border: 0.0 };
        let mut out = Vec::new();
        text.parse::<Step>().expect(text).apply(plane, &edges, &ExecOptions::default(), &mut out);
        Plane { values: out, ..plane.clone() }
    }

    /// Ramps, and edges along and across: of the details only those at the corners of the squares are not 0.
    #[test]
    fn estimate_is_the_noise_that_was_added_to_a_picture_with_edges() {
        let squares =
            |x: usize, y: usize| 0.001 * x as f32 + if (x / 37 + y / 29).is_multiple_of(2) { 0.5 } else { 0.1 };
        for channels in [Channels::Grey, Channels::Rgb] {
            let clean = plane(channels, squares);
            assert!(estimated_noise(&clean).expect("details") < 1e-4);
            for sigma in [0.005, 0.02, 0.1] {
                let found = estimated_noise(&after(&clean, &format!("noise=white,{sigma}"))).expect("details");
                assert!((found / sigma - 1.0).abs() < 0.05, "{sigma}: {found}");
            }
        }
    }

    #[test]
    fn gaussian_of_the_offered_sigma_leaves_one_grey_level_of_noise() {
        let flat = plane(Channels::Grey, |_, _| 0.5);
        let noise = 0.03;
        let blurred = after(&after(&flat, "noise=white,0.03"), &format!("gaussian={}", blur_for(noise)));
        let variance = blurred.values.iter().map(|&v| (f64::from(v) - 0.5).powi(2)).sum::<f64>() / 65536.0;
        let levels = 255.0 * variance.sqrt();
        assert!((0.9..1.1).contains(&levels), "{levels} levels");
    }

    #[test]
    fn plane_without_a_block_or_with_infinite_details_has_no_estimate() {
        let line = Plane { size: [4, 1], first: [0; 2], channels: Channels::Grey, values: vec![0.5; 4] };
        assert_eq!(estimated_noise(&line), None);
        let mut odd = plane(Channels::Grey, |_, _| 0.5);
        odd.values[300] = f32::NAN;
        assert_eq!(estimated_noise(&odd), None);
    }
}
