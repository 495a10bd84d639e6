//! Fresnel integrals, for the means of sweeps.

use std::f64::consts::{FRAC_PI_2, PI};

/// Distance from which on the continued fraction is used: the series cancels more beyond.
const FAR: f64 = 1.8;

/// C(x) = ∫ cos(πt²/2) dt and S(x) = ∫ sin(πt²/2) dt from 0 to x, to 10⁻¹⁴.
///
/// Near 0 by their power series. Far from it by erfc's continued fraction (DLMF 7.9.3), since
/// C + iS = ½(1 + i)·erf(½√π(1 − i)x) (DLMF 7.5.8).
pub(super) fn fresnel(x: f64) -> [f64; 2] {
    let far = x.abs();
    let [c, s] = if far < FAR { series(far) } else { fraction(far) };
    [c.copysign(x), s.copysign(x)]
}

fn series(x: f64) -> [f64; 2] {
    // Terms of e^(iz) with z = πx²/2, each integrated over t.
    let z = FRAC_PI_2 * x * x;
    let (mut sums, mut term) = ([0.0; 2], x);
    for k in 0..40 {
        let sign = if k % 4 < 2 { 1.0 } else { -1.0 };
        sums[k % 2] += sign * term / (2 * k + 1) as f64;
        term *= z / (k + 1) as f64;
    }
    sums
}

fn fraction(x: f64) -> [f64; 2] {
    // z = ½√π(1 − i)x; erfc(z) = e^(−z²)/√π · 1/(z + ½/(z + 1/(z + 1½/(z + …)))), and −z² = iπx²/2.
    let part = PI.sqrt() / 2.0 * x;
    let (re, im) = (part, -part);
    let (mut u, mut v) = (re, im);
    let terms = 12 + (360.0 / (x * x)) as u32;
    for k in (1..=terms).rev() {
        let scale = f64::from(k) / 2.0 / (u * u + v * v);
        (u, v) = (re + scale * u, im - scale * v);
    }
    let (sin, cos) = (FRAC_PI_2 * x * x).sin_cos();
    let scale = 1.0 / (PI.sqrt() * (u * u + v * v));
    // (cos + i·sin)/(u + iv)
    let (a, b) = ((cos * u + sin * v) * scale, (sin * u - cos * v) * scale);
    // ½(1 + i)(1 − a − ib)
    [(1.0 - a + b) / 2.0, (1.0 - a - b) / 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x, C(x), S(x) by scipy.special.fresnel of SciPy 1.17.1.
    const FRESNEL: [(f64, f64, f64); 10] = [
        (0.0, 0.0, 0.0),
        (0.1, 0.099_997_532_627_085_06, 0.000_523_589_547_612_210_8),
        (-0.7, -0.659_652_351_904_510_3, -0.172_136_457_863_477_42),
        (1.3, 0.638_550_454_727_029_1, 0.686_333_285_534_650_1),
        (1.79, 0.330_215_966_867_054_07, 0.460_335_464_678_070_7),
        (1.81, 0.337_575_507_352_514_74, 0.441_750_229_199_232_46),
        (2.5, 0.457_413_009_641_777_06, 0.619_181_755_819_592_9),
        (-4.0, -0.498_426_033_038_177_6, -0.420_515_754_246_928_44),
        (9.7, 0.495_486_310_531_391_2, 0.532_502_598_564_265_5),
        (60.25, 0.499_482_621_630_256_1, 0.505_257_757_105_320_8),
    ];

    #[test]
    fn fresnel_integrals_equal_scipys() {
        for (x, c, s) in FRESNEL {
            let [our_c, our_s] = fresnel(x);
            assert!((our_c - c).abs() < 1e-14 && (our_s - s).abs() < 1e-14, "{x}: {our_c} {our_s}");
        }
    }

    #[test]
    fn series_and_fraction_agree_where_they_meet() {
        let (near, far) = (series(FAR), fraction(FAR));
        assert!((near[0] - far[0]).abs() < 1e-14 && (near[1] - far[1]).abs() < 1e-14, "{near:?} {far:?}");
    }
}
