//! Files of the window, sessions and settings: accepted text is written and parsed again equal, other text is refused in one line.

use std::sync::Arc;

use lerpscope::app::{SavedSession, Session, Settings};
use lerpscope::image::{Channels, Image, Page, Raster, Samples, Size};

use super::check_message;
use super::text::text_of;

/// Parses `bytes` as a session file.
pub(crate) fn session(bytes: &[u8]) {
    let saved = match SavedSession::parse(&text_of(bytes), "session.toml") {
        Ok(saved) => saved,
        Err(error) => return check_message(&error.to_string()),
    };
    let text = saved.text().expect("images that were read from text are text");
    let again = SavedSession::parse(&text, "session.toml").expect("what was written is a session");
    // As text, since NaN is not equal to itself.
    assert_eq!(again.text().as_ref(), Ok(&text));
    let images = (0..saved.images.len().min(16)).map(|_| Arc::new(tiny_image())).collect();
    if let Some(session) = Session::restored(images, &saved.state) {
        assert_eq!(session.panels().len(), saved.state.panels.len());
        for index in 0..session.panels().len() {
            if let Err(error) = session.request(index).check(&session.page_of(index)) {
                check_message(&error.to_string());
            }
        }
    }
}

/// Four grey samples.
fn tiny_image() -> Image {
    let size = Size::new(2, 2).expect("a size");
    let samples = Samples::U8 { values: vec![0, 85, 170, 255], maxval: 255 };
    let raster = Raster::new(size, Channels::Grey, samples).expect("four samples");
    Image::new("tiny", vec![Page::new(raster)]).expect("one page")
}

/// Parses `bytes` as a settings file.
pub(crate) fn settings(bytes: &[u8]) {
    let text = text_of(bytes);
    let (settings, problems) = Settings::parse(&text, "settings.toml");
    problems.iter().for_each(|problem| check_message(&problem.to_string()));
    match settings.written_into(&text) {
        Ok(written) => {
            let (again, _) = Settings::parse(&written, "settings.toml");
            assert_eq!(again, settings, "{written}");
            assert_eq!(again.written_into(&written).as_ref(), Ok(&written), "a second time changes nothing");
        }
        Err(error) => check_message(&error.to_string()),
    }
}
