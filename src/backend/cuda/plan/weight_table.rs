//! Document 002's table of the cubic B-spline's weights, which `filtered` can read in place of making them.

use crate::sampling::Method;

/// The B-spline's weights as document 002's table has them: g₀, h₀ and h₁ for 128 fractions, 16 bits each.
pub(crate) fn weight_table() -> Vec<u16> {
    let kernel = Method::BSPLINE.kernel();
    (0..128)
        .flat_map(|k| {
            let mut w = [0.0; 4];
            // The last entry is the limit at 1, from the left.
            let fraction = (f64::from(k) / 127.0).min(1.0 - 1e-12);
            kernel.weights_at(fraction, &mut w);
            let (g0, g1) = (w[0] + w[1], w[2] + w[3]);
            [g0, w[1] / g0, w[3] / g1, 0.0].map(|value| (value * 65535.0).round() as u16)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::fixed_point_fraction;

    #[test]
    fn table_holds_two_fetches_that_make_the_four_weights() {
        let table = weight_table();
        for (k, entry) in table.as_chunks::<4>().0.iter().enumerate() {
            let [g0, h0, h1, _] = entry.map(|value| f64::from(value) / 65535.0);
            let mut w = [0.0; 4];
            Method::BSPLINE.kernel().weights_at((k as f64 / 127.0).min(1.0 - 1e-12), &mut w);
            let made = [g0 * (1.0 - h0), g0 * h0, (1.0 - g0) * (1.0 - h1), (1.0 - g0) * h1];
            assert!(made.iter().zip(w).all(|(a, b)| (a - b).abs() < 2e-5), "{k}: {made:?} {w:?}");
            assert!((fixed_point_fraction(h0) - h0).abs() <= 1.0 / 512.0 + 1e-12);
        }
    }
}
