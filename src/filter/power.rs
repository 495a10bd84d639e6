//! Powers in single precision, without branches, so that loops are vectorised.

/// a·b + c, rounded once if `fused`: for machines with a fused multiply-add instruction.
#[inline(always)]
pub(super) fn multiply_add(fused: bool, a: f32, b: f32, c: f32) -> f32 {
    if fused { a.mul_add(b, c) } else { a * b + c }
}

/// 2^−x for −128 < x < 126; unspecified elsewhere.
///
/// The nearest integer power goes into the exponent's bits. The remainder, |f| ≤ ½, is a minimax polynomial, exact at
/// 0, with a relative error of 2·10⁻⁹.
#[inline(always)]
pub(super) fn two_to_minus(fused: bool, x: f32) -> f32 {
    /// Adding it puts the nearest integer into the low bits.
    const TO_INTEGER: f32 = 12_582_912.0;
    /// Coefficients of f, f² and so on.
    const COEFFICIENTS: [f32; 6] =
        [std::f32::consts::LN_2, 0.240_226_48, 0.055_503_324, 0.009_618_437, 0.001_339_887_5, 0.000_153_533_62];
    let shifted = TO_INTEGER - x;
    let f = (TO_INTEGER - shifted) - x;
    let [a, b, c, d, e, g] = COEFFICIENTS;
    let add = |series: f32, coefficient: f32| multiply_add(fused, series, f, coefficient);
    let power = add(add(add(add(add(add(g, e), d), c), b), a), 1.0);
    f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// x^γ for x ≥ 0 and γ > 0, by 2^(γ·log₂x); NaN stays NaN. The relative error is 2·10⁻⁷·(1 + |γ·log₂x|); powers below
/// 2⁻¹²⁶ are 0.
///
/// x = m·2^k with √½ ≤ m < √2, and ln m = 2·artanh((m − 1)/(m + 1)) is a power series.
#[inline(always)]
pub(super) fn power(fused: bool, x: f32, gamma: f32) -> f32 {
    /// The bits of √½, where m starts.
    const START: u32 = std::f32::consts::FRAC_1_SQRT_2.to_bits();
    /// Factor that makes subnormal numbers normal.
    const SCALE: f32 = 16_777_216.0;
    /// 2/ln 2.
    const FACTOR: f32 = 2.0 * std::f32::consts::LOG2_E;
    let (normal, scaled) = if x < f32::MIN_POSITIVE { (x * SCALE, 24.0) } else { (x, 0.0) };
    let offset = normal.to_bits().wrapping_sub(START);
    let m = f32::from_bits((offset & 0x007f_ffff) + START);
    let k = (offset as i32 >> 23) as f32 - scaled;
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let [a, b, c, d, e] = [1.0, 3.0, 5.0, 7.0, 9.0].map(|odd| FACTOR / odd);
    let add = |series: f32, coefficient: f32| multiply_add(fused, series, square, coefficient);
    let exponent = gamma * multiply_add(fused, s, add(add(add(add(e, d), c), b), a), k);
    let result = two_to_minus(fused, -exponent);
    let result = if exponent < 128.0 { result } else { f32::INFINITY };
    let result = if exponent < -126.0 || x == 0.0 { 0.0 } else { result };
    if x < f32::INFINITY { result } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_exact_to_single_precision() {
        for fused in [false, true] {
            for i in -1_270_000..1_260_000 {
                let x = i as f32 / 10_000.0;
                let (ours, exact) = (f64::from(two_to_minus(fused, x)), (-f64::from(x)).exp2());
                assert!((ours - exact).abs() <= 2e-7 * exact, "2^-{x}: {ours} is not {exact}");
            }
            assert_eq!(two_to_minus(fused, 0.0), 1.0);
        }
    }

    #[test]
    fn powers_of_any_value_have_a_relative_error_by_their_exponent() {
        for fused in [false, true] {
            for gamma in [0.01_f32, 0.45, 1.0, 2.2, 7.3, 100.0] {
                for i in 0..200_000 {
                    let x = f32::from_bits(i * 10_651);
                    let exact = f64::from(x).powf(f64::from(gamma));
                    let exponent = exact.log2();
                    let ours = power(fused, x, gamma);
                    if exponent >= 127.99 {
                        assert!(ours > 3e38, "{x}^{gamma}: {ours}");
                    } else if exponent <= -125.9 {
                        assert!(ours < 2e-38, "{x}^{gamma}: {ours}");
                    } else {
                        let error = (f64::from(ours) - exact).abs() / exact;
                        assert!(error <= 2e-7 * (1.0 + exponent.abs()), "{x}^{gamma}: {ours} is not {exact}");
                    }
                }
                assert_eq!(power(fused, 0.0, gamma), 0.0);
                assert_eq!(power(fused, 1.0, gamma), 1.0);
                assert_eq!(power(fused, f32::INFINITY, gamma), f32::INFINITY);
                assert!(power(fused, f32::NAN, gamma).is_nan());
            }
        }
    }
}
