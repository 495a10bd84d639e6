//! Text in messages: one line each; values from outside are cut to a readable length.

use std::borrow::Cow;
use std::io::{self, ErrorKind};

/// Largest number of characters of a value in a message.
pub(crate) const MAX_ECHO: usize = 40;

/// Largest number of characters of another library's message.
const MAX_FOREIGN: usize = 240;

/// `value` for a message: its first [`MAX_ECHO`] characters, followed by `…` if there are more, and U+FFFD in place of each
/// control character. File names are never cut.
pub(crate) fn shortened(value: &str) -> Cow<'_, str> {
    let cut = cut(value, MAX_ECHO);
    if !cut.contains(char::is_control) {
        return cut;
    }
    Cow::Owned(cut.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect())
}

/// `text` with its first letter in upper case, as it begins a sentence.
#[cfg(feature = "window")]
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Formats `value` with at most `digits` significant digits, without trailing zeros.
#[cfg(feature = "cli")]
pub(crate) fn short(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    let whole_digits = value.abs().log10().floor() as i32 + 1;
    let decimals = (digits - whole_digits).clamp(0, 15) as usize;
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Formats a value of a range that begins at `low`, with at most four significant digits, and with its sign if the range begins below 0.
#[cfg(feature = "cli")]
pub(crate) fn signed(value: f64, low: f64) -> String {
    let text = short(value.abs(), 4);
    match () {
        () if value < 0.0 => format!("−{text}"),
        () if value > 0.0 && low < 0.0 => format!("+{text}"),
        () => text,
    }
}

/// The least end of a scale whose short text is a whole number.
#[cfg(feature = "window")]
const WHOLE_FROM: f64 = 10.0;

/// An end of a scale in few figures, with the sign that [`signed`] gives it: whole from 10 on.
#[cfg(feature = "window")]
pub(crate) fn signed_end(value: f64, low: f64) -> String {
    signed(if value.abs() >= WHOLE_FROM { value.round() } else { value }, low)
}

/// `text` in one line: each run of white space or control characters becomes a blank.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// What the system says of a file, behind the file's name: `does not exist`. Without numbers of errors.
pub(crate) fn system_message(error: &io::Error) -> String {
    let said = match error.kind() {
        // An error made by this program or a library has words of its own.
        _ if error.get_ref().is_some() => return one_line(&error.to_string()),
        ErrorKind::NotFound => "does not exist",
        ErrorKind::PermissionDenied => "the system does not permit access",
        ErrorKind::IsADirectory => "is a folder",
        ErrorKind::NotADirectory => "a part of its path is a file, not a folder",
        ErrorKind::AlreadyExists => "exists already",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "the quota of the disk is used up",
        ErrorKind::ReadOnlyFilesystem => "its file system is read-only",
        ErrorKind::FileTooLarge => "is larger than its file system allows",
        ErrorKind::InvalidFilename => "the system does not allow this name",
        ErrorKind::ResourceBusy | ErrorKind::ExecutableFileBusy => "another program uses it",
        ErrorKind::UnexpectedEof => "ends early",
        ErrorKind::TimedOut => "the system took too long",
        _ => {
            let text = one_line(&error.to_string());
            return text.split(" (os error").next().unwrap_or_default().to_lowercase();
        }
    };
    said.to_owned()
}

/// The same of a file to write, behind `cannot be written`. A file that does not exist is created, so that its folder is missing.
pub(crate) fn write_message(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "its folder does not exist".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => system_message(error),
    }
}

/// Another library's message in one line. Quoted passages and words are cut as by [`shortened`], since such messages quote
/// the input; the whole is cut at 240 characters.
pub(crate) fn foreign_message(text: &str) -> String {
    let line = one_line(text);
    let (mut message, mut rest) = (String::new(), line.as_str());
    while let Some((start, open, close)) = next_quotation(rest) {
        message.push_str(&shortened_words(&rest[..start]));
        let inside = &rest[start + open.len_utf8()..];
        let end = inside.find(close).unwrap_or(inside.len());
        message.push(open);
        message.push_str(&shortened(&inside[..end]));
        rest = &inside[end..];
        if rest.starts_with(close) {
            message.push(close);
            rest = &rest[close.len_utf8()..];
        }
    }
    message.push_str(&shortened_words(rest));
    cut(&message, MAX_FOREIGN).into_owned()
}

/// Start of the next quotation, with its two marks. An apostrophe inside a word starts no quotation.
fn next_quotation(text: &str) -> Option<(usize, char, char)> {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let close = match c {
            '"' | '`' => Some(c),
            '\'' if !before.is_alphanumeric() => Some(c),
            '“' => Some('”'),
            _ => None,
        };
        if let Some(close) = close {
            return Some((at, c, close));
        }
        before = c;
    }
    None
}

fn shortened_words(text: &str) -> String {
    text.split(' ').map(shortened).collect::<Vec<_>>().join(" ")
}

/// Shortest digits that parse to the same number, with an exponent in place of a long run of zeros.
pub(crate) fn number_text<T: std::fmt::Display + std::fmt::LowerExp>(number: T) -> String {
    let plain = number.to_string();
    if plain.len() > 24 { format!("{number:e}") } else { plain }
}

fn cut(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "cli")]
    #[test]
    fn number_of_a_range_has_a_sign_in_a_signed_range_only() {
        assert_eq!([-0.5, 0.0, 0.25].map(|value| signed(value, -1.0)), ["−0.5", "0", "+0.25"]);
        assert_eq!([0.0, 0.25].map(|value| signed(value, 0.0)), ["0", "0.25"]);
    }

    #[cfg(feature = "cli")]
    #[test]
    fn short_format_keeps_significant_digits() {
        assert_eq!(short(0.125, 6), "0.125");
        assert_eq!(short(1.0 / 3.0, 4), "0.3333");
        assert_eq!(short(1234.56, 3), "1235");
        assert_eq!(short(-1e-12, 20), "-0.000000000001");
        assert_eq!(short(0.0, 3), "0");
    }

    #[test]
    fn echoed_values_are_cut_at_forty_characters() {
        let forty = "é".repeat(40);
        assert_eq!(shortened(&forty), forty);
        assert_eq!(shortened(&"é".repeat(41)), format!("{forty}…"));
    }

    #[test]
    fn echoed_values_have_no_control_characters() {
        assert_eq!(shortened("255\u{11}1\u{1b}[31m\n"), "255\u{fffd}1\u{fffd}[31m\u{fffd}");
        assert!(matches!(shortened("255 1"), Cow::Borrowed("255 1")));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn system_messages_are_words_without_numbers_of_errors() {
        for (number, text) in [
            (libc::ENOENT, "does not exist"),
            (libc::EACCES, "the system does not permit access"),
            (libc::EISDIR, "is a folder"),
            (libc::ENOTDIR, "a part of its path is a file, not a folder"),
            (libc::ENOSPC, "the disk is full"),
            (libc::EIO, "input/output error"),
        ] {
            assert_eq!(system_message(&io::Error::from_raw_os_error(number)), text);
        }
        for number in 1..133 {
            let error = io::Error::from_raw_os_error(number);
            for text in [system_message(&error), write_message(&error)] {
                assert!(!text.is_empty() && !text.contains("os error") && !text.contains('('), "{number}: {text}");
            }
        }
        assert_eq!(write_message(&ErrorKind::NotFound.into()), "its folder does not exist");
        assert_eq!(system_message(&io::Error::other("too many\nlinks")), "too many links");
    }

    #[test]
    fn foreign_messages_have_long_quotations_and_words_cut() {
        let long = "x y".repeat(2000);
        for text in [
            format!("invalid type: string \"{long}\", expected u32"),
            format!("unknown variant `{long}`, expected one of `light`, `dark`"),
            format!("don't read '{long}' here"),
            format!("duplicate key {}", "x".repeat(5000)),
            format!("an open \"{long}"),
        ] {
            let message = foreign_message(&text);
            assert!(message.chars().count() <= MAX_FOREIGN && message.contains('…'), "{message}");
            assert!(!message.contains(&long[..MAX_ECHO + 2]), "{message}");
        }
        let plain = "expected `.`, `=`\nat line 3";
        assert_eq!(foreign_message(plain), "expected `.`, `=` at line 3");
    }
}
