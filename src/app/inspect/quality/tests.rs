use std::sync::Arc;
use std::time::Instant;

use super::*;
use crate::app::session::history::{Change, Framing};
use crate::app::session::panel_sets::PanelSet;
use crate::backend::{CpuBackend, PixelFormat, render};
use crate::filter::ExecOptions;
use crate::image::{Channels, Depth, Formula, Image, Page, Raster};
use crate::quality::{Counted, compare, truth};
use crate::test_support::size;
use crate::view::View;

fn session_of(formula: &str) -> Session {
    let formula: Formula = formula.parse().expect("a formula");
    let mut session = Session::new(Arc::new(Image::of_page(formula.to_string(), formula.page())));
    session.resize(size(120, 90));
    session.inspect.state.has_metrics = true;
    session
}

fn go(session: &mut Session, translation: [f64; 2], scale: f64) {
    session.go(View::new(translation, scale).expect("a view"), Framing::Free, Change::Jump);
}

/// Updates until nothing is left to measure.
fn settle(meter: &mut QualityMeter, session: &Session) {
    let start = Instant::now();
    loop {
        meter.update(session, &egui::Context::default());
        if meter.is_idle() {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the measurements end");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn metrics(meter: &QualityMeter, session: &Session, index: usize) -> PanelMetrics {
    match meter.of(session, index) {
        Some(PanelQuality::Measured(metrics)) => metrics,
        other => panic!("{other:?}"),
    }
}

#[test]
fn measured_errors_equal_those_of_compare_for_the_panels_request() {
    let mut session = session_of("synth:zone-plate:64x64");
    let mut meter = QualityMeter::default();
    for (translation, scale) in [([10.0, 10.0], 0.125), ([0.5, -3.0], 0.3), ([0.0, 0.0], 2.5)] {
        go(&mut session, translation, scale);
        settle(&mut meter, &session);
        for index in 0..4 {
            let request = session.request(index);
            let counted = Counted::between_samples(&request, session.page().size());
            let exact = truth(&session.page(), &request, &counted, &ExecOptions::default()).expect("a truth");
            let picture = render(&mut CpuBackend::new(), session.image(), &request, PixelFormat::file(Depth::Float));
            let expected = compare(&picture.expect("a picture"), &exact, &counted).expect("pixels");
            let found = metrics(&meter, &session, index);
            assert_eq!(found, PanelMetrics { metrics: expected, counted: counted.count() }, "{index} at {scale}");
        }
    }
}

#[test]
fn rows_of_the_zone_plate_are_sorted_by_psnr_with_their_times() {
    let mut session = session_of("synth:zone-plate:256x256");
    PanelSet::Truth.show(&mut session);
    go(&mut session, [0.0; 2], 0.125);
    let mut meter = QualityMeter::default();
    settle(&mut meter, &session);
    for (index, panel) in session.panels().iter().enumerate() {
        // One of them is an outlier.
        for ms in [index as u64, 500, index as u64, index as u64 + 1, 0] {
            meter.note_time(panel.id(), Duration::from_millis(ms));
        }
    }
    let rows = meter.rows(&session);
    // Prefiltered B-spline, Catmull-Rom, linear, nearest; the truth has no errors.
    let order: Vec<_> = rows.iter().map(|row| session.index_of(row.panel).expect("a panel")).collect();
    assert_eq!(order, [4, 3, 2, 1]);
    assert!(rows.is_sorted_by(|a, b| a.metrics.psnr_db > b.metrics.psnr_db + 1.0), "{rows:?}");
    assert_eq!(rows[0].took, Duration::from_millis(4));
    assert!(matches!(meter.of(&session, 0), Some(PanelQuality::IsTruth)));
}

#[test]
fn page_without_a_formula_has_its_reason_and_no_thread() {
    let page = Page::new(Raster::zeros(size(8, 8), Channels::Grey, Depth::EIGHT));
    let mut session = Session::new(Arc::new(Image::of_page("zeros", page)));
    let mut meter = QualityMeter::default();
    assert!(!meter.update(&session, &egui::Context::default()) && meter.of(&session, 0).is_none());
    session.inspect.state.has_metrics = true;
    settle(&mut meter, &session);
    let Some(PanelQuality::Unknown(why)) = meter.of(&session, 0) else { panic!("{:?}", meter.of(&session, 0)) };
    assert_eq!(why.to_string(), "no truth: the image has no formula and is not decimated from a larger one");
}

#[test]
fn settled_measurement_is_not_made_again_and_a_moved_view_is_measured_anew() {
    let mut session = session_of("synth:gaussian:64x64");
    let mut meter = QualityMeter::default();
    settle(&mut meter, &session);
    let at = |meter: &QualityMeter, session: &Session| meter.measured[&session.panels()[0].id()].at;
    let first = at(&meter, &session);
    settle(&mut meter, &session);
    assert_eq!(at(&meter, &session), first);
    session.pan([3.0, 0.0]);
    meter.update(&session, &egui::Context::default());
    // The last errors are shown as those of an earlier view until the new ones arrive.
    assert!(matches!(meter.of(&session, 0), Some(PanelQuality::Outdated(_))), "{:?}", meter.of(&session, 0));
    assert_eq!(meter.rows(&session).len(), 4, "nor does a row of the table vanish");
    settle(&mut meter, &session);
    assert!(matches!(meter.of(&session, 0), Some(PanelQuality::Measured(_))), "{:?}", meter.of(&session, 0));
    assert!(at(&meter, &session) > first);
}

/// A basilica reduced to 1/8 takes a minute.
#[test]
fn newer_view_ends_a_long_measurement() {
    let mut session = session_of("synth:basilica:2000x2000");
    session.resize(size(700, 700));
    go(&mut session, [0.0; 2], 8.0);
    let mut meter = QualityMeter::default();
    meter.update(&session, &egui::Context::default());
    std::thread::sleep(Duration::from_millis(50));
    assert!(!meter.is_idle());
    go(&mut session, [0.0; 2], 0.5);
    settle(&mut meter, &session);
    metrics(&meter, &session, 3);
}
