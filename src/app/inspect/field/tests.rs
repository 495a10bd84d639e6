use std::sync::Arc;
use std::time::{Duration, Instant};

use super::*;
use crate::app::session::history::{Change, Framing};
use crate::app::widgets::pixel_rect::PixelRect;
use crate::image::{Channels, Page, Raster, Region, Samples};
use crate::sampling::AddressMode;
use crate::test_support::size;
use crate::view::View;

/// A session of an image of 40 × 30 random samples, in the four panels.
fn session(channels: Channels) -> Session {
    let mut random = fastrand::Rng::with_seed(7);
    let size = size(40, 30);
    let values = (0..size.area() * channels.count()).map(|_| random.u8(..)).collect();
    let raster = Raster::new(size, channels, Samples::U8 { values, maxval: 255 }).expect("a raster");
    let mut session = Session::new(Arc::new(Image::of_page("noise", Page::new(raster))));
    session.resize(crate::test_support::size(320, 240));
    session
}

fn transforms(session: &Session) -> Vec<PanelTransform> {
    let place = PixelRect { left: 0, top: 0, size: session.output() };
    (0..session.panels().len()).map(|index| PanelTransform::new(session, index, place, 1.0)).collect()
}

/// Updates until nothing is left to measure.
fn settle(overlays: &mut FieldOverlays, session: &Session) {
    let start = Instant::now();
    loop {
        overlays.update(session, &transforms(session), &Context::default());
        if overlays.is_idle() {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the measurements end");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn caption_of(overlays: &FieldOverlays, session: &Session, index: usize) -> Option<String> {
    let place = (session.panels()[index].id(), Layer::Samples);
    match &overlays.measured.get(&place)?.found {
        Ok(FieldMeasure::Samples(check)) => sample_check::caption(check).texts.into_iter().next(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn samples_are_kept_by_interpolating_methods_and_by_a_prefiltered_spline_in_grey_and_colour() {
    for channels in [Channels::Grey, Channels::Rgb, Channels::Rgba] {
        let mut session = session(channels);
        session.inspect.state.checks_samples = true;
        let mut overlays = FieldOverlays::default();
        settle(&mut overlays, &session);
        for (index, keeps) in [true, true, false, true].into_iter().enumerate() {
            let caption = caption_of(&overlays, &session, index).expect("a caption");
            assert_eq!(caption.starts_with("1200 of 1200 samples kept"), keeps, "{channels:?} {index}: {caption}");
        }
        session.panel_mut(2).expect("a panel").sampler.prefilter = true;
        for address in [AddressMode::Clamp, AddressMode::Border, AddressMode::Wrap, AddressMode::Mirror] {
            session.panel_mut(2).expect("a panel").sampler.address = [address; 2];
            settle(&mut overlays, &session);
            let caption = caption_of(&overlays, &session, 2).expect("a caption");
            assert!(caption.starts_with("1200 of 1200 samples kept"), "{channels:?} {address}: {caption}");
        }
    }
}

#[test]
fn filtered_samples_are_not_kept_and_filters_of_pixels_do_not_count() {
    let mut session = session(Channels::Grey);
    session.inspect.state.checks_samples = true;
    session.panel_mut(0).expect("a panel").filters.before = "gaussian=1".parse().expect("a filter");
    session.panel_mut(1).expect("a panel").filters.after = "gaussian=1".parse().expect("a filter");
    let mut overlays = FieldOverlays::default();
    settle(&mut overlays, &session);
    let [before, after] = [0, 1].map(|index| caption_of(&overlays, &session, index).expect("a caption"));
    assert!(!before.starts_with("1200 of") && after.starts_with("1200 of 1200"), "{before}; {after}");
}

#[test]
fn visible_samples_are_compared_and_settled_checks_are_not_made_again() {
    let mut session = session(Channels::Grey);
    session.inspect.state.checks_samples = true;
    let view = View::new([-10.0, -5.0], 1.0 / 32.0).expect("a view");
    session.go(view, Framing::Free, Change::Jump);
    let mut overlays = FieldOverlays::default();
    settle(&mut overlays, &session);
    let (place, at) = {
        let (place, measured) = overlays.measured.first_key_value().expect("a measurement");
        let FieldRequest::Samples(request) = &measured.key.request else { panic!("{:?}", measured.key) };
        // x from 20 − 10 − 5 to 20 − 10 + 5, y alike, each sample one mark.
        assert_eq!((request.region, request.block), (Region { left: 5, top: 6, right: 15, bottom: 14 }, 1));
        (*place, measured.at)
    };
    settle(&mut overlays, &session);
    assert_eq!(overlays.measured[&place].at, at);
    session.inspect.state.checks_samples = false;
    settle(&mut overlays, &session);
    assert!(overlays.measured.is_empty() && overlays.thread.is_none());
}
