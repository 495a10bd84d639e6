//! Twin: kernels/transposed.cu. A Gaussian blur by two transposing passes, as in document 004: each reads columns and writes rows.
//!
//! ```text
//!   columns of W × H  ──pass──►  rows of H × W      filtered along y, transposed
//!   columns of H × W  ──pass──►  rows of W × H      filtered along x, upright again
//! ```
//! [`super::gaussian`] makes the same values without this order of memory; this form is there to be timed against it.

use super::{Edges, ExecOptions, GaussianBlur, Plane};

/// Rows of one task.
const BAND_ROWS: usize = 16;

/// Writes the values of `plane` after `blur` to `out`, reusing its memory. After a cancellation the contents of `out` are
/// unspecified.
pub(crate) fn gaussian_transposed(
    blur: &GaussianBlur,
    plane: &Plane,
    edges: &Edges,
    work: &ExecOptions,
    out: &mut Vec<f32>,
) {
    let single = |weights: Vec<f64>| -> Vec<f32> { weights.into_iter().map(|weight| weight as f32).collect() };
    let [across, down] = blur.weights().map(single);
    let Edges { address: [x, y], border } = *edges;
    let turned = pass((plane, edges), &down, work, Vec::new());
    let turned_edges = Edges { address: [y, x], border };
    *out = pass((&turned, &turned_edges), &across, work, std::mem::take(out)).values;
}

/// The plane filtered along y by `weights`, from the centre outwards, and transposed, in the memory of `values`.
fn pass((plane, edges): (&Plane, &Edges), weights: &[f32], work: &ExecOptions, mut values: Vec<f32>) -> Plane {
    let ([width, height], count) = (plane.size, plane.channels.count());
    let (stride, turned_stride) = (plane.stride(), height as usize * count);
    values.resize(plane.values.len(), 0.0);
    let reach = weights.len() as i64 - 1;
    work.for_bands(
        (&mut values, turned_stride),
        BAND_ROWS,
        || (),
        |(), from, out| {
            for (column, line) in (from..).zip(out.chunks_exact_mut(turned_stride)) {
                for (row, pixel) in (0_i64..).zip(line.chunks_exact_mut(count)) {
                    let is_inside = row >= reach && row + reach < i64::from(height);
                    for (channel, value) in pixel.iter_mut().enumerate() {
                        let at = |row: usize| plane.values[row * stride + column * count + channel];
                        let sample = |row: i64| match edges.address[1].resolve(row, height) {
                            Some(row) => at(row as usize),
                            None => edges.border,
                        };
                        let sample = |row: i64| if is_inside { at(row as usize) } else { sample(row) };
                        // From the outermost weights, the smallest, inwards.
                        let outer = weights.iter().enumerate().skip(1).rev();
                        let pair = |d: i64| sample(row - d) + sample(row + d);
                        let sum: f32 = outer.map(|(d, weight)| weight * pair(d as i64)).sum();
                        *value = sum + weights[0] * sample(row);
                    }
                }
            }
        },
    );
    let [x, y] = plane.first;
    Plane { size: [height, width], first: [y, x], channels: plane.channels, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Step;
    use crate::image::Channels;
    use crate::sampling::ADDRESS_MODES;

    #[test]
    fn two_transposing_passes_make_the_values_of_the_filter() {
        let mut random = fastrand::Rng::with_seed(8);
        let work = ExecOptions::default();
        for (text, size, channels) in [
            ("gaussian=0.8", [9, 5], Channels::Grey),
            ("gaussian=2.5,0.6", [40, 23], Channels::Rgb),
            ("gaussian=1,3,4", [3, 17], Channels::GreyAlpha),
            ("gaussian=2,0", [1, 6], Channels::Grey),
        ] {
            let step: Step = text.parse().expect(text);
            let values = (0..size[0] * size[1] * channels.count() as u32).map(|_| random.f32()).collect();
            let plane = Plane { size, first: [3, 7], channels, values };
            for x in &ADDRESS_MODES {
                for y in &ADDRESS_MODES {
                    let edges = Edges { address: [x.address, y.address], border: 0.375 };
                    let (mut expected, mut values) = (Vec::new(), vec![f32::NAN; 2]);
                    step.apply(&plane, &edges, &work, &mut expected);
                    gaussian_transposed(&GaussianBlur::new(step.parameters()), &plane, &edges, &work, &mut values);
                    assert_eq!(values.len(), expected.len());
                    for (a, b) in values.iter().zip(&expected) {
                        assert!((a - b).abs() < 1e-6, "{text} {} {}: {a} is not {b}", x.name, y.name);
                    }
                }
            }
        }
    }
}
