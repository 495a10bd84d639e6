//! Straight colours: premultiplied ones times the reciprocal of their alpha, 0 where that is 0.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};

#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};

/// Values of a pixel: three colours and alpha.
const PIXEL: usize = 4;

/// 1/alpha; 0 for an alpha of 0 and for subnormal ones, whose reciprocals may not be finite.
#[inline(always)]
fn reciprocal(alpha: f32) -> f32 {
    if alpha.abs() < f32::MIN_POSITIVE { 0.0 } else { 1.0 / alpha }
}

/// Divides premultiplied colours by the alpha behind them.
#[inline(always)]
pub(super) fn straighten<const CHANNELS: usize>(pixels: &mut [[f32; CHANNELS]]) {
    for pixel in pixels {
        let factor = reciprocal(pixel[CHANNELS - 1]);
        for colour in &mut pixel[..CHANNELS - 1] {
            *colour = if factor == 0.0 { 0.0 } else { *colour * factor };
        }
    }
}

/// The same of whole pixels of three colours, all at once.
#[inline(always)]
pub(super) fn straighten_values<const VALUES: usize>(values: &mut [f32; VALUES]) {
    const { assert!(VALUES.is_multiple_of(PIXEL)) };
    let mut factors = [1.0; VALUES];
    for place in 0..VALUES {
        let factor = reciprocal(values[place | (PIXEL - 1)]);
        factors[place] = if place % PIXEL == PIXEL - 1 { 1.0 } else { factor };
    }
    for place in 0..VALUES {
        values[place] = if factors[place] == 0.0 { 0.0 } else { values[place] * factors[place] };
    }
}

/// The same of sixteen pixels.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn straightened(simd: V4, values: [__m512; PIXEL]) -> [__m512; PIXEL] {
    const LESS: i32 = 17;
    const EQUAL: i32 = 0;
    const ALPHAS: u16 = 0x8888;
    let avx = simd.avx512f;
    // Lane k of each four: the alpha of vector k.
    let alphas = avx._mm512_permute_ps::<0xFF>(values[0]);
    let alphas = avx._mm512_mask_permute_ps::<0xFF>(alphas, 0x2222, values[1]);
    let alphas = avx._mm512_mask_permute_ps::<0xFF>(alphas, 0x4444, values[2]);
    let alphas = avx._mm512_mask_blend_ps(ALPHAS, alphas, values[3]);
    let is_small = avx._mm512_cmp_ps_mask::<LESS>(avx._mm512_abs_ps(alphas), avx._mm512_set1_ps(f32::MIN_POSITIVE));
    let factors = avx._mm512_maskz_div_ps(!is_small, avx._mm512_set1_ps(1.0), alphas);
    let is_zero = avx._mm512_cmp_ps_mask::<EQUAL>(factors, avx._mm512_setzero_ps());
    let of_vectors = [
        avx._mm512_permute_ps::<0x00>(factors),
        avx._mm512_permute_ps::<0x55>(factors),
        avx._mm512_permute_ps::<0xAA>(factors),
        avx._mm512_permute_ps::<0xFF>(factors),
    ];
    let mut straight = values;
    for place in 0..PIXEL {
        let (values, factors) = (values[place], of_vectors[place]);
        straight[place] = if is_zero == 0 {
            avx._mm512_mask_mul_ps(values, !ALPHAS, values, factors)
        } else {
            // Colours may be infinite where alpha is 0.
            let is_zero = avx._mm512_cmp_ps_mask::<EQUAL>(factors, avx._mm512_setzero_ps());
            let kept = avx._mm512_maskz_mov_ps(ALPHAS, values);
            avx._mm512_mask_mul_ps(kept, !(ALPHAS | is_zero), values, factors)
        };
    }
    straight
}

/// The same of eight pixels, by AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn straightened_256(simd: V3, values: [[__m256; 2]; 2]) -> [[__m256; 2]; 2] {
    const LESS: i32 = 17;
    const EQUAL: i32 = 0;
    const ALPHAS: i32 = 0x88;
    let avx = simd.avx;
    let values: [__m256; PIXEL] = pulp::cast(values);
    // Lane k of each four: the alpha of vector k.
    let alphas = avx._mm256_permute_ps::<0xFF>(values[0]);
    let alphas = avx._mm256_blend_ps::<0x22>(alphas, avx._mm256_permute_ps::<0xFF>(values[1]));
    let alphas = avx._mm256_blend_ps::<0x44>(alphas, avx._mm256_permute_ps::<0xFF>(values[2]));
    let alphas = avx._mm256_blend_ps::<ALPHAS>(alphas, values[3]);
    let magnitudes = avx._mm256_andnot_ps(avx._mm256_set1_ps(-0.0), alphas);
    let is_small = avx._mm256_cmp_ps::<LESS>(magnitudes, avx._mm256_set1_ps(f32::MIN_POSITIVE));
    let factors = avx._mm256_andnot_ps(is_small, avx._mm256_div_ps(avx._mm256_set1_ps(1.0), alphas));
    let of_vectors = [
        avx._mm256_permute_ps::<0x00>(factors),
        avx._mm256_permute_ps::<0x55>(factors),
        avx._mm256_permute_ps::<0xAA>(factors),
        avx._mm256_permute_ps::<0xFF>(factors),
    ];
    let mut straight = values;
    for place in 0..PIXEL {
        let (values, factors) = (values[place], of_vectors[place]);
        // Colours may be infinite where alpha is 0.
        let is_zero = avx._mm256_cmp_ps::<EQUAL>(factors, avx._mm256_setzero_ps());
        let colours = avx._mm256_andnot_ps(is_zero, avx._mm256_mul_ps(values, factors));
        straight[place] = avx._mm256_blend_ps::<ALPHAS>(colours, values);
    }
    pulp::cast(straight)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels with alphas of every kind.
    fn pixels(random: &mut fastrand::Rng) -> [[f32; PIXEL]; 16] {
        const SPECIAL: [f32; 8] = [0.0, -0.0, 1.0, -0.25, 1e-40, f32::MIN_POSITIVE, f32::INFINITY, 3e38];
        std::array::from_fn(|_| {
            let alpha = if random.bool() { random.f32() } else { SPECIAL[random.usize(..SPECIAL.len())] };
            let colour = |random: &mut fastrand::Rng| match random.u8(..12) {
                0 => f32::INFINITY,
                _ => (random.f32() - 0.1) * alpha,
            };
            [colour(random), colour(random), colour(random), alpha]
        })
    }

    /// Bits of values; one pattern for every NaN.
    fn bits(pixels: &[[f32; PIXEL]; 16]) -> [u32; 16 * PIXEL] {
        let mut bits = [0; 16 * PIXEL];
        bits.iter_mut().zip(pixels.as_flattened()).for_each(|(bits, value)| {
            *bits = if value.is_nan() { u32::MAX } else { value.to_bits() };
        });
        bits
    }

    #[test]
    fn colours_are_quotients_by_alpha_and_0_where_that_is_0() {
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..500 {
            let premultiplied = pixels(&mut random);
            let mut straight = premultiplied;
            straighten(&mut straight);
            for (from, to) in premultiplied.iter().zip(straight) {
                assert_eq!(from[3].to_bits(), to[3].to_bits(), "alpha stays");
                for (colour, found) in from[..3].iter().zip(to) {
                    let is_bare = from[3].abs() < f32::MIN_POSITIVE || from[3].is_infinite();
                    let expected = if is_bare { 0.0 } else { f64::from(*colour) / f64::from(from[3]) };
                    let error = (f64::from(found) - expected).abs();
                    let is_near = error <= 1.5 * f64::from(f32::EPSILON) * expected.abs();
                    assert!(is_near || f64::from(found) == expected, "{colour} by {}: {found}", from[3]);
                }
            }
        }
    }

    #[test]
    fn values_and_vectors_have_the_bits_of_pixels() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..500 {
            let premultiplied = pixels(&mut random);
            let mut expected = premultiplied;
            straighten(&mut expected);
            let mut values: [f32; 16 * PIXEL] = bytemuck::cast(premultiplied);
            straighten_values(&mut values);
            assert_eq!(bits(&bytemuck::cast(values)), bits(&expected), "{premultiplied:?}");
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = V4::try_new() {
                let found = pulp::cast(straightened(simd, pulp::cast(premultiplied)));
                assert_eq!(bits(&found), bits(&expected), "{premultiplied:?}");
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = V3::try_new() {
                let halves: [[[__m256; 2]; 2]; 2] = pulp::cast(premultiplied);
                let found = pulp::cast(halves.map(|half| straightened_256(simd, half)));
                assert_eq!(bits(&found), bits(&expected), "{premultiplied:?}");
            }
        }
    }
}
