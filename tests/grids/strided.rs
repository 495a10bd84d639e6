//! Grids of samples that lie elsewhere: slices, strides of any sign, views of `ndarray`.

use lerpscope::grid::{Components, Grid, GridError, GridSampler, Strided};
use lerpscope::sampling::Method;

use super::{samples, single_grid};

/// The numbers that strides select, sample by sample from the definition.
fn selected(layout: Strided<'_>, components: Components, numbers: &[f64]) -> Vec<f64> {
    let Strided { shape, strides, first } = layout;
    let count: usize = shape.iter().product();
    let start = |index: usize| {
        let (mut rest, mut at) = (index, first as isize);
        for (&side, &stride) in shape.iter().zip(strides).rev() {
            at += stride * (rest % side) as isize;
            rest /= side;
        }
        at as usize
    };
    (0..count).flat_map(|index| numbers[start(index)..][..components.count()].to_vec()).collect()
}

#[test]
fn strided_grids_have_the_samples_of_the_definition_for_every_sign_and_order_of_strides() {
    let numbers = samples(&[240]);
    let real: [(&[usize], &[isize], usize); 9] = [
        (&[240], &[1], 0),
        (&[240], &[-1], 239),
        (&[4, 6, 10], &[60, 10, 1], 0),
        // Axes exchanged, reversed, every second sample, and the same samples again.
        (&[10, 4, 6], &[1, 60, 10], 0),
        (&[4, 6, 10], &[-60, 10, -1], 189),
        (&[2, 3, 5], &[120, 20, 2], 11),
        (&[3, 6, 2], &[0, 10, 1], 40),
        (&[2, 2, 2, 2, 2], &[-1, 0, 7, -3, 100], 50),
        (&[2, 1, 2, 3, 2, 1], &[1, isize::MAX, 4, -8, 0, isize::MIN], 20),
    ];
    for (shape, strides, first) in real {
        let layout = Strided { shape, strides, first };
        let grid = Grid::from_strided(layout, Components::Real, &numbers).expect("a grid");
        assert_eq!((grid.shape(), grid.components()), (shape, Components::Real));
        assert_eq!(grid.values(), selected(layout, Components::Real, &numbers), "{layout:?}");
    }
    // 120 complex numbers, and pairs that overlap.
    for (shape, strides, first) in [
        (&[5, 24][..], &[48, 2][..], 0),
        (&[24, 5], &[2, 48], 0),
        (&[5, 24], &[-48, -2], 238),
        (&[3, 5], &[0, 48], 4),
        (&[239], &[1], 0),
    ] {
        let layout = Strided { shape, strides, first };
        let grid = Grid::from_strided(layout, Components::Complex, &numbers).expect("a grid");
        assert_eq!(grid.values(), selected(layout, Components::Complex, &numbers), "{layout:?}");
    }
}

#[test]
fn slices_and_their_strides_are_the_same_grid_as_a_vector() {
    let shape = [4, 6, 10];
    let grid = single_grid(&shape);
    assert_eq!(Grid::from_slice(&shape, Components::Real, grid.values()), Ok(grid.clone()));
    let layout = Strided { shape: &shape, strides: &[60, 10, 1], first: 0 };
    assert_eq!(Grid::from_strided(layout, Components::Real, grid.values()), Ok(grid.clone()));
    // A reversed axis is read at the mirrored coordinate.
    let layout = Strided { shape: &shape, strides: &[60, -10, 1], first: 50 };
    let reversed = Grid::from_strided(layout, Components::Real, grid.values()).expect("a grid");
    let sampler = GridSampler::of_method(Method::CATMULL_ROM);
    let value = |grid: &Grid<f32>, point: [f64; 3]| {
        grid.interpolator(&sampler).expect("served").sample(&point).expect("a point")
    };
    let [a, b] = [value(&grid, [1.5, 3.25, 7.0]), value(&reversed, [1.5, 5.0 - 3.25, 7.0])];
    assert!((a[0] - b[0]).abs() < 2e-6, "{a:?} {b:?}");
}

#[test]
fn strides_that_leave_the_slice_or_do_not_fit_the_shape_are_refused() {
    let numbers = [0.0_f32; 12];
    let refused = |shape: &[usize], strides: &[isize], first, components| {
        Grid::from_strided(Strided { shape, strides, first }, components, &numbers).expect_err("refused")
    };
    let real = |shape: &[usize], strides: &[isize], first| refused(shape, strides, first, Components::Real);
    assert_eq!(real(&[3, 4], &[4, 1], 1), GridError::Outside { least: 1, greatest: 12, len: 12 });
    assert_eq!(real(&[3, 4], &[-4, 1], 7), GridError::Outside { least: -1, greatest: 10, len: 12 });
    assert_eq!(real(&[12], &[1], usize::MAX).to_string().matches("the slice has 12").count(), 1);
    assert_eq!(
        real(&[2, 2], &[isize::MIN, isize::MIN], 0),
        GridError::Outside { least: 2 * i128::from(isize::MIN as i64), greatest: 0, len: 12 }
    );
    assert!(matches!(real(&[1 << 30; 6], &[isize::MAX; 6], 0), GridError::Outside { least: 0, .. }));
    // The imaginary part of the last sample is beyond the end.
    let half = refused(&[12], &[1], 0, Components::Complex);
    assert_eq!(half.to_string(), "the samples lie at numbers 0 to 12; the slice has 12, from 0");
    let few = real(&[3, 4], &[4], 0);
    assert_eq!(few.to_string(), "1 strides for 2 axes: give one for each axis");
    assert_eq!(real(&[3, 0], &[4, 1], 0), GridError::Len { axis: 1, len: 0 });
    assert_eq!(real(&[], &[], 0), GridError::Dimensions(0));
    // One number many times is more than a machine has.
    assert!(matches!(real(&[1 << 30; 2], &[0; 2], 0), GridError::Memory(_)));
    assert!(matches!(real(&[1 << 30; 6], &[0; 6], 0), GridError::Memory(_)));
    let error = Grid::from_slice(&[2, 5], Components::Real, &numbers).expect_err("twelve");
    assert_eq!(error.to_string(), "a grid of 2×5 has 10 values, not 12");
}

#[cfg(feature = "ndarray")]
mod views {
    use lerpscope::grid::{Components, Grid, GridError};
    use ndarray::{Array, ArrayView, ArrayViewD, Dimension, IxDyn, s};
    use num_complex::Complex;

    use crate::samples;

    /// A view's own elements in C order, by its own indexing.
    fn elements<T: Copy, D: Dimension>(view: &ArrayView<'_, T, D>) -> Vec<T> {
        let view = view.view().into_dyn();
        ndarray::indices(view.raw_dim()).into_iter().map(|place| view[&place]).collect()
    }

    /// Transposed, reversed, sliced and broadcast views.
    fn views<'a, T>(array: &'a Array<T, IxDyn>) -> Vec<ArrayViewD<'a, T>> {
        let whole = array.view();
        let fixed: ArrayView<'a, T, ndarray::Ix3> = whole.clone().into_dimensionality().expect("three axes");
        vec![
            whole.clone(),
            whole.clone().reversed_axes(),
            whole.clone().permuted_axes(vec![1, 2, 0]),
            fixed.slice_move(s![..;-1, .., ..;-1]).into_dyn(),
            fixed.slice_move(s![1..;2, ..;-3, 2..5]).into_dyn(),
            fixed.slice_move(s![2, .., ..]).into_dyn(),
            fixed.slice_move(s![.., ..1, ..]).into_dyn(),
        ]
    }

    #[test]
    fn views_of_any_strides_are_grids_of_their_elements() {
        let shape = [4, 5, 6];
        let array = Array::from_shape_vec(IxDyn(&shape), samples(&shape)).expect("an array");
        let complex = array.map(|&value| Complex::new(value, 1.0 - value * value));
        for (view, pairs) in views(&array).into_iter().zip(views(&complex)) {
            let grid = Grid::try_from(view.clone()).expect("a grid");
            assert_eq!((grid.shape(), grid.components()), (view.shape(), Components::Real));
            assert_eq!(grid.values(), elements(&view), "{:?}", view.strides());
            let grid = Grid::try_from(pairs.clone()).expect("a complex grid");
            assert_eq!((grid.shape(), grid.components()), (pairs.shape(), Components::Complex));
            let expected: Vec<f64> = elements(&pairs).iter().flat_map(|number| [number.re, number.im]).collect();
            assert_eq!(grid.values(), expected, "{:?}", pairs.strides());
        }
        let broadcast = array.broadcast(IxDyn(&[3, 4, 5, 6])).expect("a view");
        assert_eq!(broadcast.strides()[0], 0);
        let grid = Grid::try_from(broadcast).expect("a grid");
        assert_eq!(grid.shape(), [3, 4, 5, 6]);
        assert!(grid.values().chunks_exact(120).all(|part| part == samples(&shape)));
    }

    #[test]
    fn views_of_other_sizes_than_grids_are_refused() {
        let refused = |shape: &[usize]| {
            let view = ArrayView::from_shape(IxDyn(&[1]), &[0.5_f32]).expect("a view");
            let view = view.broadcast(IxDyn(shape)).expect("a view");
            Grid::try_from(view).expect_err("refused")
        };
        assert_eq!(refused(&[1; 7]), GridError::Dimensions(7));
        assert_eq!(refused(&[2, 0, 3]), GridError::Len { axis: 1, len: 0 });
        assert!(matches!(refused(&[1 << 30, 1 << 20]), GridError::Memory(_)));
        let point = ndarray::arr0(1.0_f64);
        assert_eq!(Grid::try_from(point.view()).expect_err("no axis"), GridError::Dimensions(0));
    }
}
