//! Every plan that is chosen, for every method: its kernel reads the method's weights from its arguments.

use super::device_twin::{Launched, memory_weights};
use super::kernel_curve::CurveForm;
use super::weight_polynomials::{TAPS, WeightForm, WeightPolynomials};
use super::*;
use crate::backend::KERNEL_VARIANTS;
use crate::image::{Depth, Raster};
use crate::sampling::{
    Axis, AxisTable, Family, Method, PairedFetches, SAMPLING_PATHS, Sampler, Taps, samples_of_methods,
};
use crate::test_support::size;
use crate::view::View;

/// Scale, angle, antialias: zoomed in, one sample a pixel, zoomed out, stretched, rotated, rotated and stretched.
const VIEWS: [(f64, f64, bool); 7] = [
    (0.37, 0.0, false),
    (1.0, 0.0, false),
    (2.9, 0.0, false),
    (40.0, 0.0, false),
    (2.3, 0.0, true),
    (0.45, 28.0, false),
    (2.3, 28.0, true),
];

/// Every plan that `method` takes, by some path or by name.
fn launch_plans(method: Method) -> Vec<(LaunchPlan, RenderRequest)> {
    let mut plans = Vec::new();
    for (side, channels) in [(300, Channels::Grey), (300, Channels::Rgb), (140_000, Channels::Grey)] {
        let height = if side > 1000 { 2 } else { 200 };
        let page = Page::new(Raster::zeros(size(side, height), channels, Depth::EIGHT));
        for (scale, degrees, antialias) in VIEWS {
            let view = View::new([3.25, -1.5], scale).and_then(|view| view.rotated(degrees)).expect("a view");
            for path in SAMPLING_PATHS.iter().map(|row| row.path) {
                for prefilter in [false, true] {
                    let sampler = Sampler { path, antialias, prefilter, ..Sampler::default().with_method(method) };
                    let request = RenderRequest { sampler, view, ..RenderRequest::new(size(120, 90)) };
                    if request.check(&page).is_err() {
                        continue;
                    }
                    let mut found = vec![launch_plan(&Limits::H200, &page, &request).ok()];
                    found.extend(
                        KERNEL_VARIANTS
                            .iter()
                            .map(|row| launch_plan_by(row.variant, &Limits::H200, &page, &request).ok()),
                    );
                    plans.extend(found.into_iter().flatten().map(|plan| (plan, request.clone())));
                }
            }
        }
    }
    plans
}

/// The largest difference between the weights that the kernel of `plan` evaluates and those of the method.
fn weight_error(plan: LaunchPlan, request: &RenderRequest) -> f64 {
    // Every plan named by a form has exact weights, whatever the request's path.
    let sampler = Sampler { path: SamplingPath::Auto, ..request.sampler };
    let kernel = sampler.method.kernel();
    let mut exact = vec![0.0; kernel.taps];
    let mut worst = 0.0_f64;
    match plan {
        // The tables are made by `sampling`: each entry has the weights of its position, joined where samples are joined.
        LaunchPlan::Passes => {
            let taps = Taps::new(&sampler, request.view.scale());
            let axis = Axis { len: 300, halo: 0, address: request.sampler.address[0] };
            let page = size(300, 200);
            let map = request.view.image_from_output(request.size, page);
            let table = AxisTable::new(&taps, axis, &map, 0, request.size.width());
            let mut exact = Vec::new();
            for entry in 0..table.len() {
                taps.weights_at(map.along(0, entry as f64), &mut exact);
                let sum: f64 = table.entry(entry).1.iter().map(|&weight| f64::from(weight)).sum();
                worst = worst.max((sum - exact.iter().sum::<f64>()).abs());
            }
        }
        LaunchPlan::Memory => {
            let curve = weights::kernel_curve(kernel.method).expect("a plan by memory has a curve");
            let stretch = request.sampler.stretch(request.view.scale());
            let taps = Taps::new(&sampler, request.view.scale());
            let mut exact = Vec::new();
            for step in 0..500 {
                let x = 50.0 + f64::from(step) * 0.0317;
                let first = taps.weights_at(x, &mut exact);
                let (start, made) = memory_weights(&kernel, &curve, x, stretch.unwrap_or(0.0));
                for sample in first - 3..first + exact.len() as i64 + 3 {
                    let of = |first: i64, weights: &[f64]| {
                        usize::try_from(sample - first).ok().and_then(|k| weights.get(k)).copied().unwrap_or(0.0)
                    };
                    worst = worst.max((of(first, &exact) - of(start as i64, &made)).abs());
                }
            }
        }
        _ => {
            let polynomials = weights::polynomials(kernel.method).expect("this plan has polynomials");
            let launched = Launched::new(&kernel, &polynomials);
            for step in 0..2048 {
                let fraction = step as f32 / 2048.0;
                if plan == LaunchPlan::FilteredTable {
                    // The table is the weights' definition.
                    let PairedFetches { first_weight: g0, fractions: [h0, h1] } =
                        PairedFetches::looked_up(f64::from(fraction));
                    exact = vec![g0 * (1.0 - h0), g0 * h0, (1.0 - g0) * (1.0 - h1), (1.0 - g0) * h1];
                } else {
                    kernel.weights_at(f64::from(fraction), &mut exact);
                }
                let made = launched.weights(plan, fraction);
                assert_eq!(made.len(), exact.len());
                for (made, exact) in made.iter().zip(&exact) {
                    let error = (f64::from(*made) - exact).abs();
                    worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
                }
            }
        }
    }
    worst
}

/// No plan renders with weights that its kernel does not read: a kernel that finds none renders black.
#[test]
fn every_chosen_route_of_every_method_reads_its_weights() {
    let mut seen: Vec<(Method, std::mem::Discriminant<LaunchPlan>)> = Vec::new();
    for method in samples_of_methods() {
        for (plan, request) in launch_plans(method) {
            let kind = (method, std::mem::discriminant(&plan));
            // One request of a kind of plan; of `memory` and `passes` each stretch.
            let is_general = matches!(plan, LaunchPlan::Passes | LaunchPlan::Memory);
            if seen.contains(&kind) && !is_general {
                continue;
            }
            seen.push(kind);
            let error = weight_error(plan, &request);
            assert!(error <= 3e-7, "{method} by {plan:?}: weights off by {error:e}: {request:#?}");
        }
    }
    for method in samples_of_methods() {
        let has = |plan: LaunchPlan| seen.contains(&(method, std::mem::discriminant(&plan)));
        assert!(has(LaunchPlan::Passes) && has(LaunchPlan::Memory), "{method} has the two general plans");
    }
}

#[test]
fn direct_refuses_weights_in_segments() {
    let view = View::new([3.25, -1.5], 0.37).expect("a view");
    let (image, size) = (size(300, 200), size(120, 90));
    let map = view.image_from_output(size, image);
    let served = DirectView { map: &map, stored: [300, 200], size };
    let kernel = Method::CATMULL_ROM.kernel();
    for (form, is_served) in [
        (WeightForm::Linear, true),
        (WeightForm::SymmetricCubic, true),
        (WeightForm::Cubic, true),
        (WeightForm::Lanczos, true),
        (WeightForm::Segments, false),
    ] {
        assert_eq!(Direct::new(&Limits::H200, &kernel, form, served).is_some(), is_served, "{form:?}");
    }
}

#[test]
fn polynomials_have_the_form_and_the_taps_that_entries_are_compiled_for() {
    for method in samples_of_methods() {
        let kernel = method.kernel();
        let Some(polynomials) = weights::polynomials(method) else { continue };
        assert!(TAPS.contains(&kernel.taps), "{method}");
        assert!(WeightForm::of_taps(kernel.taps).contains(&polynomials.form()), "{method}: {polynomials:?}");
        if let WeightPolynomials::Segments(terms, segments) = &*polynomials {
            assert_eq!(terms.len(), 2 * segments * kernel.taps, "{method}");
        }
    }
}

#[test]
fn linear_weights_have_a_form_of_their_own() {
    let form = |method| weights::polynomials(method).map(|weights| weights.form());
    assert_eq!(form(Method::Linear), Some(WeightForm::Linear));
    assert_eq!(form(Method::Nearest), Some(WeightForm::Cubic));
    assert_eq!(form(Method::CATMULL_ROM), Some(WeightForm::SymmetricCubic));
    assert_eq!(form(Method::LANCZOS3), Some(WeightForm::Lanczos));
}

#[test]
fn smooth_cubics_alone_have_the_symmetric_form() {
    for method in samples_of_methods() {
        let kernel = method.kernel();
        // The slopes from both sides of the middle and of an end.
        let slope = |d: f64| (kernel.weight(d + 1e-7) - kernel.weight(d)) / 1e-7;
        let is_flat = [-1e-7, 0.0, 2.0 - 1e-7, 2.0].into_iter().all(|d| slope(d).abs() < 1e-5);
        let expected = kernel.taps == 4 && kernel.family == Family::Cubic && is_flat;
        let form = weights::polynomials(method).map(|weights| weights.form());
        assert_eq!(form == Some(WeightForm::SymmetricCubic), expected, "{method}: {form:?}");
    }
    for name in ["bspline", "catmull-rom", "mitchell"] {
        let method = crate::sampling::METHODS.iter().find(|row| row.name == name).map(|row| row.method);
        let form = method.and_then(weights::polynomials).map(|weights| weights.form());
        assert_eq!(form, Some(WeightForm::SymmetricCubic), "{name}");
    }
}

#[test]
fn named_methods_have_polynomials_in_registers() {
    for row in &crate::sampling::METHODS {
        let form = weights::polynomials(row.method).map(|weights| weights.form());
        assert!(!matches!(form, None | Some(WeightForm::Segments)), "{}: {form:?}", row.name);
    }
}

#[test]
fn whole_positions_read_one_sample_if_the_method_interpolates() {
    for method in samples_of_methods().into_iter().filter(|method| method.kernel().interpolates) {
        let kernel = method.kernel();
        let Some(polynomials) = weights::polynomials(method) else { continue };
        let launched = Launched::new(&kernel, &polynomials);
        let made = launched.weights(LaunchPlan::Points(polynomials.form()), 0.0);
        for (tap, weight) in made.into_iter().enumerate() {
            let expected = if tap + 1 == kernel.taps.div_ceil(2) { 1.0 } else { 0.0 };
            assert!((weight - expected).abs() < 1e-15, "{method} tap {tap}: {weight}");
        }
    }
}

#[test]
fn curves_of_kernels_have_knots_or_bins_over_the_support() {
    for method in samples_of_methods() {
        let kernel = method.kernel();
        match &weights::kernel_curve(method).expect("every method has a curve").form {
            CurveForm::Polynomials(terms) => assert!(terms.len() <= 2049, "{method}: {}", terms.len()),
            CurveForm::Lines { knots, first_knots } => {
                assert!(knots.is_sorted_by(|a, b| a[0] < b[0]) && first_knots.is_sorted(), "{method}");
                // The search of the last bin reaches the last knot.
                let reached = first_knots.last().map(|&last| (last as usize + 2).min(knots.len()));
                assert_eq!(reached, Some(knots.len()), "{method}");
                assert!(kernel.radius >= knots[knots.len() - 1][0], "{method}");
            }
        }
    }
}
