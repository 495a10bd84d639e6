//! Formulas of handouts: LaTeX as MathML, which browsers lay out.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

use crate::panics::caught;
use crate::text::{foreign_message, shortened};

/// Longest formula, in bytes.
const MAX_FORMULA: usize = 4000;
/// Deepest nesting of groups, fractions and environments: the parser calls itself for each.
const MAX_DEPTH: usize = 64;

/// Number of the parts of `latex` that may nest.
fn depth(latex: &str) -> usize {
    let mut depth = 0_usize;
    let mut most = 0;
    for c in latex.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most + ["\\left", "\\begin"].iter().map(|name| latex.matches(name).count()).sum::<usize>()
}

/// The element `<math>` of `latex`, in the line of text or on a line of its own.
///
/// # Errors
/// What is wrong with the formula, with its beginning.
pub fn mathml(latex: &str, is_display: bool) -> Result<String, String> {
    let wrong = |cause: &str| format!("formula '{}': {}", shortened(latex), foreign_message(cause));
    if latex.len() > MAX_FORMULA || depth(latex) > MAX_DEPTH {
        return Err(wrong("is longer or deeper than a formula of a lesson"));
    }
    let storage = Storage::new();
    // The parser is another project's: a panic of it is an error of the formula.
    let parsed = caught(|| Parser::new(latex, &storage).collect::<Result<Vec<_>, _>>());
    let events = match parsed {
        Ok(Ok(events)) => events,
        // Its further lines draw an arrow to the place.
        Ok(Err(error)) => return Err(wrong(error.to_string().lines().next().unwrap_or_default())),
        Err(_) => return Err(wrong("is not understood")),
    };
    let display_mode = if is_display { DisplayMode::Block } else { DisplayMode::Inline };
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let written = caught(|| {
        let mut text = String::new();
        push_mathml(&mut text, events.into_iter().map(Ok::<_, std::fmt::Error>), config).map(|()| text)
    });
    match written {
        Ok(Ok(text)) => Ok(mended(&text)),
        Ok(Err(error)) => Err(wrong(&error.to_string())),
        Err(_) => Err(wrong("cannot be written")),
    }
}

/// `html` with a blank between two attributes and with `&lt;` and `&amp;` for these characters of a formula: the crate leaves out
/// the blank where a delimiter has a size, and writes relations as they are.
fn mended(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let (mut is_in_tag, mut is_quoted, mut was_quoted) = (false, false, false);
    let mut letters = html.chars().peekable();
    while let Some(c) = letters.next() {
        if was_quoted && c.is_ascii_alphabetic() {
            out.push(' ');
        }
        was_quoted = false;
        let next = letters.peek().copied();
        match c {
            '"' if is_in_tag => {
                was_quoted = is_quoted;
                is_quoted = !is_quoted;
            }
            '<' if !is_in_tag && next.is_some_and(|next| next.is_ascii_alphabetic() || next == '/') => is_in_tag = true,
            '<' if !is_in_tag => {
                out.push_str("&lt;");
                continue;
            }
            '&' if !next.is_some_and(|next| next.is_ascii_alphanumeric() || next == '#') => {
                out.push_str("&amp;");
                continue;
            }
            '>' if !is_quoted => is_in_tag = false,
            _ => {}
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formula_becomes_one_element_of_mathml() {
        let text = mathml(r"f(x) = \sum_k s[k]\, w(x-k)", true).expect("MathML");
        assert!(text.starts_with("<math") && text.trim_end().ends_with("</math>"), "{text}");
        assert!(text.contains("display=\"block\"") && text.contains('∑'), "{text}");
        assert!(mathml(r"\frac12", false).is_ok_and(|text| text.contains("<mfrac")));
    }

    #[test]
    fn attributes_are_separated_by_a_blank_and_relations_are_escaped() {
        let text = mathml(r"\big[ x \Big)", false).expect("MathML");
        assert!(text.contains("size=\""), "{text}");
        assert_eq!(mended(r#"<mo a="1"b="x > y"c="2">"</mo>"a"#), r#"<mo a="1" b="x > y" c="2">"</mo>"a"#);
        assert_eq!(mended(&text), text);
        let relation = mathml("a < b", false).expect("MathML");
        assert!(relation.contains("&lt;") && !relation.contains("<<"), "{relation}");
        assert_eq!(mended("<mi>&lt;</mi><mo>&</mo><mo><</mo>"), "<mi>&lt;</mi><mo>&amp;</mo><mo>&lt;</mo>");
    }

    #[test]
    fn wrong_formula_is_refused_in_one_line() {
        for latex in [r"\frac{1}{", r"\nosuchcommand", "x^"] {
            let cause = mathml(latex, false).expect_err(latex);
            assert!(cause.starts_with("formula '") && !cause.contains('\n'), "{cause}");
        }
        let deep = format!("{}x{}", "{".repeat(100), "}".repeat(100));
        assert!(mathml(&deep, false).is_err());
    }
}
