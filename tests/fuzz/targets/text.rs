//! Specs: accepted text is written and parsed again equal, other text is refused in one line.

use std::fmt::{Debug, Display};
use std::str::FromStr;

#[cfg(feature = "window")]
use lerpscope::app::Chord;
use lerpscope::arguments::{
    PanelSpec, parse_address, parse_methods, parse_number, parse_page, parse_pair, parse_panel, parse_size,
    parse_subtract, render_arguments, sampler_text,
};
use lerpscope::backend::{Content, Kernel, RenderRequest};
use lerpscope::filter::{Chain, Filters, Step};
use lerpscope::image::{Formula, Size};
use lerpscope::sampling::{Method, Sampler};

use super::check_message;

/// Longer texts cover nothing more; the limit on a session's size is tested elsewhere.
const MAX_TEXT: usize = 1 << 14;

/// `bytes` as text.
pub(super) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_TEXT)]).into_owned()
}

/// Parses `bytes` as each kind of text in options and keys.
pub(crate) fn spec(bytes: &[u8]) {
    let text = text_of(bytes);
    check::<Step>(&text);
    check::<Chain>(&text);
    check::<Kernel>(&text);
    check::<Method>(&text);
    check::<Formula>(&text);
    #[cfg(feature = "window")]
    check::<Chord>(&text);
    check_panel(&text);
    check_subtract(&text);
    for error in [
        parse_size(&text).err(),
        parse_page(&text).err(),
        parse_address(&text).err(),
        parse_methods(&text).err(),
        parse_number::<f32>(&text).err(),
        parse_pair::<f64>(&text, ',').err(),
    ] {
        error.iter().for_each(|error| check_refusal(&text, error));
    }
}

/// A message echoes its input, so it is one line if the input is.
fn check_refusal(text: &str, error: &dyn Display) {
    if !text.contains(char::is_control) {
        check_message(&error.to_string());
    }
}

/// Checks that the value of `text` is written and parsed again equal.
fn check<T: FromStr<Err: Display> + Display + Debug + PartialEq>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            let again = written.parse::<T>().unwrap_or_else(|error| panic!("{written:?} from {text:?}: {error}"));
            assert_eq!(again, value, "{written:?} from {text:?}");
        }
        Err(error) => check_refusal(text, &error),
    }
}

/// The same for a panel, whose text is composed here.
fn check_panel(text: &str) {
    let panel = match parse_panel(text) {
        Ok(panel) => panel,
        Err(error) => return check_refusal(text, &error),
    };
    let PanelSpec { content, sampler, filters } = &panel;
    let other = if sampler.method == Method::Linear { Method::Nearest } else { Method::Linear };
    let mut keys = vec![sampler_text(sampler, &Sampler::default().with_method(other))];
    if *content == Content::Truth {
        // A text names one method: that of the truth.
        keys = vec![sampler_text(sampler, &Sampler::default().with_method(sampler.method)), "method=truth".to_owned()];
        keys.retain(|keys| !keys.is_empty());
    }
    for (name, chain) in [("filter", &filters.before), ("filter-after", &filters.after)] {
        keys.push(format!("{name}={}", chain.to_string().replace(',', ":")));
    }
    assert_eq!(parse_panel(&keys.join(",")).as_ref(), Ok(&panel), "{keys:?} from {text:?}");
}

/// The same for a subtracted request, as written by “copy as command line”.
fn check_subtract(text: &str) {
    let filters = Filters { before: "gaussian=2".parse().expect("a chain"), ..Filters::default() };
    let minuend = RenderRequest { filters, ..RenderRequest::new(Size::new(8, 8).expect("a size")) };
    let other = match parse_subtract(text, &minuend) {
        Ok(other) => other,
        Err(error) => return check_refusal(text, &error),
    };
    let arguments = render_arguments(&RenderRequest { subtract: Some(Box::new(other.clone())), ..minuend.clone() });
    let place = arguments.iter().position(|argument| argument == "--subtract").expect("the option");
    assert_eq!(parse_subtract(&arguments[place + 1], &minuend).as_ref(), Ok(&other), "{arguments:?} from {text:?}");
}
