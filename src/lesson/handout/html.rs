//! Texts of lessons as HTML.

use std::fmt::Write as _;

use crate::lesson::markdown::{Bars, Block, Inline, blocks};
use crate::lesson::mathml::mathml;

/// Signs that do not begin a line.
const PUNCTUATION: [char; 8] = ['.', ',', ';', ':', '?', '!', ')', '-'];

/// Writer of a text.
#[derive(Debug, Default)]
pub(super) struct Html {
    out: String,
}

impl Html {
    /// The HTML of a text in Markdown. A formula that is not understood stands there as its source.
    pub(super) fn of(text: &str) -> String {
        let mut html = Self::default();
        blocks(text).unwrap_or_default().iter().for_each(|block| html.block(block));
        html.out
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(parts) => {
                self.out.push_str("<p>");
                self.line(parts);
                self.out.push_str("</p>\n");
            }
            Block::Formula(formula) => {
                let formula = formula_of(formula, true);
                let _ = writeln!(self.out, "<div class=\"formula\">{formula}</div>");
            }
            Block::List { start, items } => {
                let name = if start.is_some() { "ol" } else { "ul" };
                let first = start.filter(|start| *start != 1).map(|start| format!(" start=\"{start}\""));
                let _ = writeln!(self.out, "<{name}{}>", first.unwrap_or_default());
                for item in items {
                    self.out.push_str("<li>");
                    item.iter().for_each(|block| self.block(block));
                    self.out.push_str("</li>\n");
                }
                let _ = writeln!(self.out, "</{name}>");
            }
            Block::Code(code) => {
                let _ = writeln!(self.out, "<pre><code>{}</code></pre>", escaped(code));
            }
            Block::Bars(bars) => self.bars(bars),
        }
    }

    /// A bar chart as a table, whose last column has the bars.
    fn bars(&mut self, bars: &Bars) {
        self.out.push_str("<table class=\"bars\">\n");
        for (index, ((name, _), share)) in bars.rows.iter().zip(bars.shares()).enumerate() {
            let (name, number) = (escaped(name), escaped(&bars.number(index)));
            let width = 100.0 * share;
            let bar = format!("<span class=\"bar\" style=\"width:{width:.1}%\"></span>");
            let _ = writeln!(self.out, "<tr><th>{name}</th><td>{number}</td><td>{bar}</td></tr>");
        }
        self.out.push_str("</table>\n");
    }

    /// The parts of a paragraph. Punctuation behind a formula stays on its line.
    fn line(&mut self, parts: &[Inline]) {
        let mut parts = parts.iter().peekable();
        while let Some(part) = parts.next() {
            let follows = match (part, parts.peek()) {
                (Inline::Formula(_), Some(Inline::Text { text, is_bold: false, is_emphasised: false })) => {
                    text.split_once(|c| !PUNCTUATION.contains(&c)).map_or(text.len(), |(sign, _)| sign.len())
                }
                _ => 0,
            };
            let Some(Inline::Text { text, .. }) = parts.peek().filter(|_| follows > 0) else {
                self.inline(part);
                continue;
            };
            let (sign, rest) = text.split_at(follows);
            self.out.push_str("<span class=\"kept\">");
            self.inline(part);
            let _ = write!(self.out, "{}</span>{}", escaped(sign), escaped(rest));
            parts.next();
        }
    }

    fn inline(&mut self, part: &Inline) {
        match part {
            Inline::Text { text, is_bold, is_emphasised } => {
                let mut html = escaped(text);
                for (is_there, name) in [(*is_emphasised, "em"), (*is_bold, "strong")] {
                    if is_there {
                        html = format!("<{name}>{html}</{name}>");
                    }
                }
                self.out.push_str(&html);
            }
            Inline::Code(code) => {
                let _ = write!(self.out, "<code>{}</code>", escaped(code));
            }
            Inline::Formula(formula) => self.out.push_str(&formula_of(formula, false)),
        }
    }
}

fn formula_of(formula: &str, is_display: bool) -> String {
    mathml(formula, is_display).unwrap_or_else(|_| format!("<code>{}</code>", escaped(formula)))
}

/// `text` for the contents of elements, and for attributes between double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // HTML has no other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_elements_and_special_characters_are_escaped() {
        let html = Html::of("A **bold** *word*, `a < b` & \"more\".\n\n3. one\n4. two\n\n```\nx > 1\n```\n");
        let expected = "<p>A <strong>bold</strong> <em>word</em>, <code>a &lt; b</code> &amp; &quot;more&quot;.</p>\n\
                        <ol start=\"3\">\n<li><p>one</p>\n</li>\n<li><p>two</p>\n</li>\n</ol>\n\
                        <pre><code>x &gt; 1</code></pre>\n";
        assert_eq!(html, expected);
    }

    #[test]
    fn bars_are_a_table_with_numbers_and_bars() {
        let html = Html::of("```bars µs\na < b: 50\nc: 25\n```");
        let row = |name: &str, number: &str, width: &str| {
            format!(
                "<tr><th>{name}</th><td>{number}</td><td><span class=\"bar\" style=\"width:{width}%\"></span></td></tr>\n"
            )
        };
        let rows = [row("a &lt; b", "50 µs", "100.0"), row("c", "25 µs", "50.0")].concat();
        assert_eq!(html, format!("<table class=\"bars\">\n{rows}</table>\n"));
    }

    #[test]
    fn punctuation_stays_with_its_formula() {
        let html = Html::of("At $x$: two, $y$, three $z$ *end*.");
        let kept: Vec<&str> = html.split("<span class=\"kept\">").skip(1).collect();
        assert_eq!(kept.len(), 2, "{html}");
        assert!(kept[0].contains("</math>:</span> two, ") && kept[1].contains("</math>,</span> three "), "{html}");
        assert!(html.ends_with("</math> <em>end</em>.</p>\n"), "{html}");
    }

    #[test]
    fn formula_is_mathml_in_the_line_or_on_its_own() {
        let html = Html::of("At $\\alpha$:\n\n$$\\frac12$$");
        let in_line = "<p>At <span class=\"kept\"><math";
        assert!(html.contains(in_line) && html.contains("<div class=\"formula\"><math"), "{html}");
    }
}
