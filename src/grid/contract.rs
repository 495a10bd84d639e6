//! Sums of stored values by the weights of all axes: the tensor product of the weights with a block of values.
//!
//! Rows of the last axis lie side by side in memory and fill a vector register; they are added up axis by axis, the outermost
//! last, and the weights of the last axis come at the end. So a point of N axes with n taps takes n^(N−1) loads and as many
//! multiplications of whole rows.

use multiversion::multiversion;

use super::number::Number;
use super::{Components, MAX_DIMENSIONS};
use crate::sampling::MAX_TAPS;

/// Stored values with what is equal for all points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a, T> {
    pub(super) values: &'a [T],
    /// Distance of neighbours along each axis, in numbers; the last is the number of components.
    pub(super) strides: [usize; MAX_DIMENSIONS],
    pub(super) dimensions: usize,
    pub(super) components: Components,
    /// Number of taps of each axis.
    pub(super) taps: usize,
}

impl<T: Number> Block<'_, T> {
    /// Writes the value of each point: `bases` are the first values of their runs, `weights` have `dimensions` × `taps`
    /// numbers a point, `out` the components of one.
    ///
    /// # Panics
    /// If a run leaves the values.
    pub(super) fn contract(&self, bases: &[usize], weights: &[T], out: &mut [T]) {
        let span: usize = self.strides[..self.dimensions].iter().map(|stride| stride * (self.taps - 1)).sum();
        let highest = bases.iter().max().copied().unwrap_or(0);
        assert!(highest + span + self.components.count() <= self.values.len(), "runs are stored");
        assert_eq!(weights.len(), bases.len() * self.dimensions * self.taps, "each point has its weights");
        match (self.taps, self.components) {
            (1, Components::Real) => self.unrolled::<1, 1>(bases, weights, out),
            (1, Components::Complex) => self.unrolled::<1, 2>(bases, weights, out),
            (2, Components::Real) => self.unrolled::<2, 2>(bases, weights, out),
            (2, Components::Complex) => self.unrolled::<2, 4>(bases, weights, out),
            (4, Components::Real) => self.unrolled::<4, 4>(bases, weights, out),
            (4, Components::Complex) => self.unrolled::<4, 8>(bases, weights, out),
            (6, Components::Real) => self.unrolled::<6, 6>(bases, weights, out),
            (6, Components::Complex) => self.unrolled::<6, 12>(bases, weights, out),
            (_, Components::Real) => contract_any::<T, 1>(self, bases, weights, out),
            (_, Components::Complex) => contract_any::<T, 2>(self, bases, weights, out),
        }
    }

    /// With loops of fixed length: `LANES` is `TAPS` × components.
    fn unrolled<const TAPS: usize, const LANES: usize>(&self, bases: &[usize], weights: &[T], out: &mut [T]) {
        let s = self.strides;
        let inner = |values| Rows { values, strides: [s[0], s[1], s[2]] };
        match self.dimensions {
            1 => contract_unrolled::<T, 1, TAPS, LANES>(&inner(self.values), bases, weights, out),
            2 => contract_unrolled::<T, 2, TAPS, LANES>(&inner(self.values), bases, weights, out),
            3 => contract_unrolled::<T, 3, TAPS, LANES>(&inner(self.values), bases, weights, out),
            4 => contract_unrolled::<T, 4, TAPS, LANES>(&inner(self.values), bases, weights, out),
            _ => contract_outer::<T, TAPS, LANES>(self, bases, weights, out),
        }
    }
}

/// Rows of the last axis, and the distances of neighbours along the axes before it, the outermost first.
struct Rows<'a, T> {
    values: &'a [T],
    strides: [usize; 3],
}

impl<T: Number> Rows<'_, T> {
    /// The row that begins at `at`.
    ///
    /// # Safety
    /// `at + LANES` is at most the number of values.
    #[inline(always)]
    #[expect(unsafe_code, reason = "the callers check the highest row of a block of points once")]
    unsafe fn row<const LANES: usize>(&self, at: usize) -> [T; LANES] {
        debug_assert!(at + LANES <= self.values.len());
        // SAFETY: the row lies within the values, and arrays of numbers need no other alignment than a number.
        unsafe { *self.values.as_ptr().add(at).cast::<[T; LANES]>() }
    }

    /// The sum over `AXES` axes before the last, which are the last of the strides; `weights` are theirs.
    ///
    /// # Safety
    /// As of [`Rows::row`], for each row of the block.
    #[inline(always)]
    #[expect(unsafe_code, reason = "the callers check the highest row of a block of points once")]
    unsafe fn sum<const AXES: usize, const TAPS: usize, const LANES: usize>(
        &self,
        at: usize,
        weights: &[[T; TAPS]],
    ) -> [T; LANES] {
        // SAFETY: as the caller promises.
        unsafe {
            match AXES {
                0 => self.row(at),
                1 => combine(&weights[0], |k| self.row(at + k * self.strides[0])),
                2 => combine(&weights[0], |j| {
                    let at = at + j * self.strides[0];
                    combine(&weights[1], |k| self.row(at + k * self.strides[1]))
                }),
                _ => combine(&weights[0], |i| {
                    let at = at + i * self.strides[0];
                    combine(&weights[1], |j| {
                        let at = at + j * self.strides[1];
                        combine(&weights[2], |k| self.row(at + k * self.strides[2]))
                    })
                }),
            }
        }
    }
}

/// Σ weights\[k\]·row(k).
#[inline(always)]
fn combine<T: Number, const TAPS: usize, const LANES: usize>(
    weights: &[T; TAPS],
    row: impl Fn(usize) -> [T; LANES],
) -> [T; LANES] {
    let first = row(0);
    let mut sum: [T; LANES] = std::array::from_fn(|lane| weights[0] * first[lane]);
    for (k, &weight) in weights.iter().enumerate().skip(1) {
        let row = row(k);
        for lane in 0..LANES {
            sum[lane] += weight * row[lane];
        }
    }
    sum
}

/// The sum of a row by the weights of the last axis, for each component.
#[inline(always)]
fn along_row<T: Number, const TAPS: usize, const LANES: usize>(weights: &[T; TAPS], row: &[T; LANES], out: &mut [T]) {
    let components = LANES / TAPS;
    for (c, out) in out.iter_mut().enumerate() {
        *out = weights[0] * row[c];
        for k in 1..TAPS {
            *out += weights[k] * row[k * components + c];
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2+fma", "aarch64+neon"))]
fn contract_unrolled<T: Number, const AXES: usize, const TAPS: usize, const LANES: usize>(
    rows: &Rows<'_, T>,
    bases: &[usize],
    weights: &[T],
    out: &mut [T],
) {
    let weights = weights.as_chunks::<TAPS>().0.chunks_exact(AXES);
    for ((&base, weights), out) in bases.iter().zip(weights).zip(out.chunks_exact_mut(LANES / TAPS)) {
        let weights: &[[T; TAPS]; AXES] = weights.try_into().expect("the weights of a point");
        // SAFETY: the caller has checked that all runs are stored.
        #[expect(unsafe_code, reason = "a check for each row would take as long as its sum")]
        let row: [T; LANES] = unsafe {
            match AXES {
                1 => rows.sum::<0, TAPS, LANES>(base, &[]),
                2 => rows.sum::<1, TAPS, LANES>(base, &weights[..1]),
                3 => rows.sum::<2, TAPS, LANES>(base, &weights[..2]),
                _ => rows.sum::<3, TAPS, LANES>(base, &weights[..3]),
            }
        };
        along_row(&weights[AXES - 1], &row, out);
    }
}

/// Of five and six axes: the last four as above, the others by loops.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2+fma", "aarch64+neon"))]
fn contract_outer<T: Number, const TAPS: usize, const LANES: usize>(
    block: &Block<'_, T>,
    bases: &[usize],
    weights: &[T],
    out: &mut [T],
) {
    let outer = block.dimensions - 4;
    let strides = std::array::from_fn(|k| block.strides[outer + k]);
    let rows = Rows { values: block.values, strides };
    let weights = weights.as_chunks::<TAPS>().0.chunks_exact(block.dimensions);
    for ((&base, weights), out) in bases.iter().zip(weights).zip(out.chunks_exact_mut(LANES / TAPS)) {
        let mut sum = [T::default(); LANES];
        for place in 0..TAPS.pow(outer as u32) {
            let (mut at, mut product, mut rest) = (base, T::from_f64(1.0), place);
            for (stride, weights) in block.strides[..outer].iter().zip(weights) {
                at += rest % TAPS * stride;
                product = product * weights[rest % TAPS];
                rest /= TAPS;
            }
            // SAFETY: the caller has checked that all runs are stored.
            #[expect(unsafe_code, reason = "a check for each row would take as long as its sum")]
            let part: [T; LANES] = unsafe { rows.sum::<3, TAPS, LANES>(at, &weights[outer..]) };
            for lane in 0..LANES {
                sum[lane] += product * part[lane];
            }
        }
        along_row(&weights[block.dimensions - 1], &sum, out);
    }
}

/// Of any number of taps.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl", "x86_64+avx2+fma", "aarch64+neon"))]
fn contract_any<T: Number, const COMPONENTS: usize>(
    block: &Block<'_, T>,
    bases: &[usize],
    weights: &[T],
    out: &mut [T],
) {
    let (taps, last) = (block.taps, block.dimensions - 1);
    let mut sum = [T::default(); 2 * MAX_TAPS];
    let sum = &mut sum[..taps * COMPONENTS];
    for ((&base, weights), out) in
        bases.iter().zip(weights.chunks_exact(block.dimensions * taps)).zip(out.chunks_exact_mut(COMPONENTS))
    {
        sum.fill(T::default());
        let mut places = [0; MAX_DIMENSIONS];
        loop {
            let (mut at, mut product) = (base, T::from_f64(1.0));
            for (axis, &place) in places[..last].iter().enumerate() {
                at += place * block.strides[axis];
                product = product * weights[axis * taps + place];
            }
            let row = &block.values[at..][..taps * COMPONENTS];
            sum.iter_mut().zip(row).for_each(|(sum, &value)| *sum += product * value);
            // The next place of the outer axes, the last of them fastest.
            let Some(axis) = (0..last).rev().find(|&axis| places[axis] + 1 < taps) else { break };
            places[axis] += 1;
            places[axis + 1..last].fill(0);
        }
        out.fill(T::default());
        for (k, values) in sum.as_chunks::<COMPONENTS>().0.iter().enumerate() {
            for (out, &value) in out.iter_mut().zip(values) {
                *out += weights[last * taps + k] * value;
            }
        }
    }
}
