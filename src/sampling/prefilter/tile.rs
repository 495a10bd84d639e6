//! Squares of values, from rows of single precision to lanes of double precision and back.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::__m256;

#[cfg(target_arch = "x86_64")]
use pulp::NullaryFnOnce;
#[cfg(target_arch = "x86_64")]
use pulp::x86::V3;

use super::STRIP;

/// Rows and columns of a tile.
pub(super) const SIDE: usize = STRIP;

/// Row k of the result has the values k of all `rows`.
pub(super) fn lanes_of_rows(rows: &[&[f32; SIDE]; SIDE], lanes: &mut [[f64; SIDE]; SIDE]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = V3::try_new() {
        return simd.vectorize(LanesOfRows(simd, rows, lanes));
    }
    for (lane, row) in rows.iter().enumerate() {
        lanes.iter_mut().zip(*row).for_each(|(lanes, &value)| lanes[lane] = f64::from(value));
    }
}

/// Row k of the result has the values k of all `lanes`, rounded.
pub(super) fn rows_of_lanes(lanes: &[[f64; SIDE]; SIDE], rows: &mut [[f32; SIDE]; SIDE]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = V3::try_new() {
        return simd.vectorize(RowsOfLanes(simd, lanes, rows));
    }
    for (place, lanes) in lanes.iter().enumerate() {
        rows.iter_mut().zip(lanes).for_each(|(row, &value)| row[place] = value as f32);
    }
}

/// Values of a vector of AVX2.
#[cfg(target_arch = "x86_64")]
const HALF: usize = SIDE / 2;

#[cfg(target_arch = "x86_64")]
struct LanesOfRows<'a>(V3, &'a [&'a [f32; SIDE]; SIDE], &'a mut [[f64; SIDE]; SIDE]);

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for LanesOfRows<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self(simd, rows, lanes) = self;
        for [down, across] in [[0, 0], [0, HALF], [HALF, 0], [HALF, HALF]] {
            let mut quarter = [[0.0; HALF]; HALF];
            for (quarter, row) in quarter.iter_mut().zip(&rows[down..down + HALF]) {
                quarter.copy_from_slice(&row[across..across + HALF]);
            }
            let quarter: [[f32; HALF]; HALF] = pulp::cast(transposed(simd, pulp::cast(quarter)));
            for (lanes, values) in lanes[across..across + HALF].iter_mut().zip(quarter) {
                let lanes = &mut lanes[down..down + HALF];
                for lane in 0..HALF {
                    lanes[lane] = f64::from(values[lane]);
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct RowsOfLanes<'a>(V3, &'a [[f64; SIDE]; SIDE], &'a mut [[f32; SIDE]; SIDE]);

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for RowsOfLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self(simd, lanes, rows) = self;
        for [down, across] in [[0, 0], [0, HALF], [HALF, 0], [HALF, HALF]] {
            let mut quarter = [[0.0; HALF]; HALF];
            for (quarter, lanes) in quarter.iter_mut().zip(&lanes[across..across + HALF]) {
                let lanes = &lanes[down..down + HALF];
                for lane in 0..HALF {
                    quarter[lane] = lanes[lane] as f32;
                }
            }
            let quarter: [[f32; HALF]; HALF] = pulp::cast(transposed(simd, pulp::cast(quarter)));
            for (row, values) in rows[down..down + HALF].iter_mut().zip(quarter) {
                row[across..across + HALF].copy_from_slice(&values);
            }
        }
    }
}

/// Eight rows of eight values as columns: pairs, fours, then halves are exchanged.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn transposed(simd: V3, rows: [__m256; HALF]) -> [__m256; HALF] {
    const LOWER: i32 = 0x44;
    const UPPER: i32 = 0xEE;
    let avx = simd.avx;
    let mut fours = rows;
    for half in [0, 4] {
        let [a, b, c, d] = [rows[half], rows[half + 1], rows[half + 2], rows[half + 3]];
        let [ab, cd] = [avx._mm256_unpacklo_ps(a, b), avx._mm256_unpacklo_ps(c, d)];
        fours[half] = avx._mm256_shuffle_ps::<LOWER>(ab, cd);
        fours[half + 1] = avx._mm256_shuffle_ps::<UPPER>(ab, cd);
        let [ab, cd] = [avx._mm256_unpackhi_ps(a, b), avx._mm256_unpackhi_ps(c, d)];
        fours[half + 2] = avx._mm256_shuffle_ps::<LOWER>(ab, cd);
        fours[half + 3] = avx._mm256_shuffle_ps::<UPPER>(ab, cd);
    }
    let mut columns = fours;
    for place in 0..4 {
        columns[place] = avx._mm256_permute2f128_ps::<0x20>(fours[place], fours[place + 4]);
        columns[place + 4] = avx._mm256_permute2f128_ps::<0x31>(fours[place], fours[place + 4]);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_have_the_values_of_rows_and_rows_those_of_lanes() {
        let rows: [[f32; SIDE]; SIDE] = std::array::from_fn(|y| std::array::from_fn(|x| (y * SIDE + x) as f32 / 7.0));
        let mut lanes = [[0.0; SIDE]; SIDE];
        lanes_of_rows(&rows.each_ref(), &mut lanes);
        for (x, lanes) in lanes.iter().enumerate() {
            assert_eq!(*lanes, rows.map(|row| f64::from(row[x])), "place {x}");
        }
        // Halfway between two numbers of single precision, and what is beside.
        let lanes = lanes.map(|lanes| lanes.map(|value| value * (1.0 + f64::from(f32::EPSILON) / 2.0)));
        let mut found = [[0.0; SIDE]; SIDE];
        rows_of_lanes(&lanes, &mut found);
        for (y, row) in found.iter().enumerate() {
            assert_eq!(*row, lanes.map(|lanes| lanes[y] as f32), "row {y}");
        }
    }
}
