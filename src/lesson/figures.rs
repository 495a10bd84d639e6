//! Figures in texts: each is said by a value of the step, or marked as plain.

use super::markdown::{Block, Inline, blocks};

/// A part of a text that the rule looks at.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Words(String),
    /// A formula: whole numbers in it are exponents, indices and the like.
    Formula(String),
}

/// The texts of a step, for its figures.
#[derive(Debug, Default)]
pub(super) struct Figures {
    parts: Vec<Part>,
}

impl Figures {
    /// The parts of `text`; none of a text that is not valid, which is an error of its own.
    pub(super) fn of(text: &str) -> Self {
        let mut figures = Self::default();
        blocks(text).unwrap_or_default().iter().for_each(|block| figures.add(block));
        figures
    }

    fn add(&mut self, block: &Block) {
        match block {
            Block::Paragraph(parts) => {
                for part in parts {
                    match part {
                        Inline::Text { text, .. } => self.parts.push(Part::Words(text.clone())),
                        Inline::Formula(formula) => self.parts.push(Part::Formula(formula.clone())),
                        Inline::Code(_) => {}
                    }
                }
            }
            Block::Formula(formula) => self.parts.push(Part::Formula(formula.clone())),
            Block::List { items, .. } => items.iter().flatten().for_each(|block| self.add(block)),
            Block::Code(_) | Block::Bars(_) => {}
        }
    }

    /// Whether the number `says` stands in the text.
    pub(super) fn say(&self, says: &str) -> bool {
        self.parts.iter().any(|part| {
            let (Part::Words(text) | Part::Formula(text)) = part;
            !places(text, says).is_empty()
        })
    }

    /// Whether `passage` stands in the text.
    pub(super) fn contain(&self, passage: &str) -> bool {
        self.parts.iter().any(|part| {
            let (Part::Words(text) | Part::Formula(text)) = part;
            text.contains(passage)
        })
    }

    /// The first figure that neither one of `said` nor a passage of `plain` covers.
    pub(super) fn uncovered(&self, said: &[&str], plain: &[String]) -> Option<String> {
        self.parts.iter().find_map(|part| {
            let (Part::Words(text) | Part::Formula(text)) = part;
            let mut covered: Vec<(usize, usize)> = said.iter().flat_map(|says| places(text, says)).collect();
            for passage in plain.iter().filter(|passage| !passage.is_empty()) {
                covered.extend(text.match_indices(passage.as_str()).map(|(at, found)| (at, at + found.len())));
            }
            numbers(text)
                .into_iter()
                .filter(|&(start, end)| matches!(part, Part::Words(_)) || is_claim_in_formula(text, (start, end)))
                .find(|&(start, end)| !covered.iter().any(|&(from, to)| from <= start && end <= to))
                .map(|(start, end)| text[start..end].to_owned())
        })
    }
}

/// A formula's number counts if it has a decimal fraction or is a percentage.
fn is_claim_in_formula(formula: &str, (start, end): (usize, usize)) -> bool {
    formula[start..end].contains('.') || formula[end..].trim_start().starts_with("\\%")
}

/// Where `says` stands in `text` as a number of its own: not as a part of a longer one, and with its sign.
fn places(text: &str, says: &str) -> Vec<(usize, usize)> {
    if says.is_empty() {
        return Vec::new();
    }
    let has_sign = says.starts_with(['-', '+', '\u{2212}']);
    let is_whole = |&(at, found): &(usize, &str)| {
        let (before, behind) = (&text[..at], &text[at + found.len()..]);
        let last = before.chars().next_back();
        let goes_on_before = last.is_some_and(|c| c.is_ascii_digit() || c == '.')
            || (last == Some(',') && before[..before.len() - 1].ends_with(|c: char| c.is_ascii_digit()));
        let mut next = behind.chars();
        let first = next.next();
        let goes_on_behind = first.is_some_and(|c| c.is_ascii_digit())
            || (matches!(first, Some('.' | ',')) && next.next().is_some_and(|c| c.is_ascii_digit()));
        let is_signed = !has_sign && is_sign(before);
        !(goes_on_before || goes_on_behind || is_signed)
    };
    text.match_indices(says).filter(is_whole).map(|(at, found)| (at, at + found.len())).collect()
}

/// Whether `before` ends with a sign, rather than with a hyphen inside a word or a minus between two numbers.
fn is_sign(before: &str) -> bool {
    let Some(rest) = before.strip_suffix(['-', '\u{2212}']) else { return false };
    rest.is_empty() || rest.ends_with([' ', '(', '=', '{', '[', ','])
}

/// The numbers of `text`. Digits behind a letter (`w1`) and before a hyphen with a letter (`2-D`) belong to a name.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() {
            let goes_on = bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b'.' | b',') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit));
            if !goes_on {
                break;
            }
            at += 1;
        }
        let is_behind_letter = text[..start].chars().next_back().is_some_and(|c| c.is_alphabetic() || c == '_');
        let mut behind = text[at..].chars();
        let is_before_name = behind.next() == Some('-') && behind.next().is_some_and(char::is_alphabetic);
        if !(is_behind_letter || is_before_name) {
            numbers.push((start, at));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uncovered(text: &str, said: &[&str], plain: &[&str]) -> Option<String> {
        let plain: Vec<String> = plain.iter().map(|&passage| passage.to_owned()).collect();
        Figures::of(text).uncovered(said, &plain)
    }

    #[test]
    fn figure_without_a_value_is_found_and_one_with_a_value_is_not() {
        assert_eq!(uncovered("it is 0.5 here", &[], &[]).as_deref(), Some("0.5"));
        assert_eq!(uncovered("it is 0.5 here", &["0.5"], &[]), None);
        assert_eq!(uncovered("it is **0.5**.", &["0.5"], &[]), None);
        assert_eq!(uncovered("it is 0.55 here", &["0.5"], &[]).as_deref(), Some("0.55"));
        assert_eq!(uncovered("it is 10.5 here", &["0.5"], &[]).as_deref(), Some("10.5"));
        assert_eq!(uncovered("it is \u{2212}0.5 here", &["0.5"], &[]).as_deref(), Some("0.5"));
        assert_eq!(uncovered("it is \u{2212}0.5 here", &["\u{2212}0.5"], &[]), None);
        assert_eq!(uncovered("from 65,536 on", &["65,536"], &[]), None);
        assert_eq!(uncovered("from 65,536 on", &["65"], &[]).as_deref(), Some("65,536"));
        assert_eq!(uncovered("1. is one\n2. is two", &[], &[]), None, "numbers of a list");
    }

    #[test]
    fn plain_passage_covers_its_figures_where_it_stands() {
        assert_eq!(uncovered("of document 000", &[], &["document 000"]), None);
        assert_eq!(uncovered("512 × 512, then 512", &[], &["512 × 512"]).as_deref(), Some("512"));
    }

    #[test]
    fn names_code_and_whole_numbers_of_formulas_need_no_value() {
        for text in ["in 2-D, w1 and H200", "a 9-bit weight", "`bspline=3` and `0.5`", "$x^2 + \\frac{1}{6}$"] {
            assert_eq!(uncovered(text, &[], &[]), None, "{text}");
        }
        assert_eq!(uncovered("$x = 0.25$", &[], &[]).as_deref(), Some("0.25"));
        assert_eq!(uncovered("$$12\\,\\%$$ and $12\\%$", &[], &[]).as_deref(), Some("12"));
        assert_eq!(uncovered("$x = 0.25$", &["0.25"], &[]), None);
    }

    #[test]
    fn value_that_the_text_does_not_say_is_found() {
        let figures = Figures::of("It is 0.5, $f = 0.25$.");
        assert_eq!(["0.5", "0.25", "0.2", "5"].map(|says| figures.say(says)), [true, true, false, false]);
    }
}
