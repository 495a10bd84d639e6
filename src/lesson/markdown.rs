//! The texts of lessons: a small Markdown with formulas, as blocks for the window and for handouts.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::text::shortened;

/// Deepest nesting of lists.
const MAX_LISTS: usize = 8;

/// A block of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A formula on a line of its own, in LaTeX.
    Formula(String),
    /// A list.
    List {
        /// The first number; `None` for dots.
        start: Option<u64>,
        /// The items.
        items: Vec<Vec<Block>>,
    },
    /// Lines of code.
    Code(String),
    /// A bar chart of measured numbers.
    Bars(Bars),
}

/// A bar chart: rows of a name and a number in one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// The unit.
    pub unit: String,
    /// The rows, with numbers of 0 and more.
    pub rows: Vec<(String, f64)>,
}

/// First word behind the backticks that begin a bar chart; the unit follows.
const BARS: &str = "bars";
/// Most rows of a bar chart.
const MAX_BARS: usize = 16;

impl Bars {
    /// The chart in `unit` of the lines `name: number`.
    ///
    /// # Errors
    /// The first line that is none.
    fn parse(unit: &str, text: &str) -> Result<Self, String> {
        let row = |line: &str| {
            let (name, number) = line.rsplit_once(':')?;
            let number: f64 = number.trim().parse().ok()?;
            let is_valid = number.is_finite() && number >= 0.0 && !name.trim().is_empty();
            is_valid.then(|| (name.trim().to_owned(), number))
        };
        let rows = text.lines().map(|line| {
            row(line).ok_or_else(|| format!("'{}' is no row of bars: a name, a colon, a number", shortened(line)))
        });
        let rows: Vec<(String, f64)> = rows.collect::<Result<_, _>>()?;
        if rows.is_empty() || rows.len() > MAX_BARS {
            return Err(format!("{} rows of bars: there are 1 to {MAX_BARS}", rows.len()));
        }
        Ok(Self { unit: unit.trim().to_owned(), rows })
    }

    /// The length of each bar, as a part of the longest one.
    pub fn shares(&self) -> Vec<f64> {
        let most = self.rows.iter().map(|(_, number)| *number).fold(0.0, f64::max);
        self.rows.iter().map(|(_, number)| if most > 0.0 { number / most } else { 0.0 }).collect()
    }

    /// The number of a row with its unit: `82 µs`.
    pub fn number(&self, row: usize) -> String {
        let number = self.rows.get(row).map_or(0.0, |(_, number)| *number);
        format!("{number} {}", self.unit).trim_end().to_owned()
    }
}

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Words.
    Text {
        /// The words.
        text: String,
        /// Whether they are bold.
        is_bold: bool,
        /// Whether they are emphasised.
        is_emphasised: bool,
    },
    /// A name or a command.
    Code(String),
    /// A formula, in LaTeX.
    Formula(String),
}

/// The blocks of `text`.
///
/// # Errors
/// What a lesson's text has no form for: headings, pictures, links, HTML, quotations, tables.
pub fn blocks(text: &str) -> Result<Vec<Block>, String> {
    let mut reader = Reader::default();
    for event in Parser::new_ext(text, Options::ENABLE_MATH) {
        reader.read(event)?;
    }
    Ok(reader.stack.pop().unwrap_or_default())
}

/// State between two events.
struct Reader {
    /// The blocks that are open: of the text, and of each list item around the place.
    stack: Vec<Vec<Block>>,
    lists: Vec<(Option<u64>, Vec<Vec<Block>>)>,
    line: Vec<Inline>,
    /// The code that is open; with the unit, the rows of bars.
    code: Option<(String, Option<String>)>,
    bold: u32,
    emphasised: u32,
}

impl Default for Reader {
    fn default() -> Self {
        Self { stack: vec![Vec::new()], lists: Vec::new(), line: Vec::new(), code: None, bold: 0, emphasised: 0 }
    }
}

impl Reader {
    fn read(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(tag) => self.start(&tag)?,
            Event::End(tag) => self.end(tag)?,
            Event::Text(text) => match &mut self.code {
                Some((code, _)) => code.push_str(&text),
                None if text.contains('$') => {
                    return Err(
                        "a dollar sign begins no formula: its end is missing, or its braces do not match".to_owned()
                    );
                }
                None => self.words(&text),
            },
            Event::Code(code) => self.line.push(Inline::Code(code.into_string())),
            Event::InlineMath(formula) => self.line.push(Inline::Formula(formula.into_string())),
            Event::DisplayMath(formula) => {
                self.close_line();
                self.push(Block::Formula(formula.trim().to_owned()));
            }
            Event::SoftBreak | Event::HardBreak => self.words(" "),
            Event::Html(_) | Event::InlineHtml(_) => return Err("HTML has no form in a lesson".to_owned()),
            Event::Rule => return Err("a rule has no form in a lesson".to_owned()),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {
                return Err("footnotes and check boxes have no form in a lesson".to_owned());
            }
        }
        Ok(())
    }

    fn start(&mut self, tag: &Tag<'_>) -> Result<(), String> {
        let what = match tag {
            Tag::Paragraph => return Ok(()),
            Tag::Strong => {
                self.bold += 1;
                return Ok(());
            }
            Tag::Emphasis => {
                self.emphasised += 1;
                return Ok(());
            }
            Tag::List(_) if self.lists.len() >= MAX_LISTS => "a list in more than 8 others",
            Tag::List(start) => {
                self.close_line();
                self.lists.push((*start, Vec::new()));
                return Ok(());
            }
            Tag::Item => {
                self.stack.push(Vec::new());
                return Ok(());
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(words)) => {
                self.close_line();
                let (first, unit) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
                self.code = Some((String::new(), (first == BARS).then(|| unit.to_owned())));
                return Ok(());
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => "an indented line; code stands between ``` lines, and this",
            Tag::Heading { .. } => "a heading",
            Tag::BlockQuote(_) => "a quotation",
            Tag::Image { .. } => "a picture",
            Tag::Link { .. } => "a link",
            _ => "this part of Markdown",
        };
        Err(format!("{what} has no form in a lesson"))
    }

    fn end(&mut self, tag: TagEnd) -> Result<(), String> {
        match tag {
            TagEnd::Paragraph => self.close_line(),
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.emphasised = self.emphasised.saturating_sub(1),
            TagEnd::Item => {
                self.close_line();
                let item = self.stack.pop().unwrap_or_default();
                if let Some((_, items)) = self.lists.last_mut() {
                    items.push(item);
                }
            }
            TagEnd::List(_) => {
                if let Some((start, items)) = self.lists.pop() {
                    self.push(Block::List { start, items });
                }
            }
            TagEnd::CodeBlock => {
                if let Some((code, unit)) = self.code.take() {
                    self.push(match unit {
                        Some(unit) => Block::Bars(Bars::parse(&unit, code.trim_end())?),
                        None => Block::Code(code.trim_end().to_owned()),
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn words(&mut self, words: &str) {
        let (is_bold, is_emphasised) = (self.bold > 0, self.emphasised > 0);
        match self.line.last_mut() {
            Some(Inline::Text { text, is_bold: bold, is_emphasised: emphasised })
                if (*bold, *emphasised) == (is_bold, is_emphasised) =>
            {
                text.push_str(words);
            }
            _ => self.line.push(Inline::Text { text: words.to_owned(), is_bold, is_emphasised }),
        }
    }

    /// Ends the open paragraph, unless it is blank.
    fn close_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let is_blank = |part: &Inline| matches!(part, Inline::Text { text, .. } if text.trim().is_empty());
        if !line.iter().all(is_blank) {
            self.push(Block::Paragraph(line));
        }
    }

    fn push(&mut self, block: Block) {
        if let Some(blocks) = self.stack.last_mut() {
            blocks.push(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Inline {
        Inline::Text { text: text.to_owned(), is_bold: false, is_emphasised: false }
    }

    #[test]
    fn text_has_paragraphs_formulas_and_lists() {
        let text =
            "A **bold** word,\n`code` and $\\alpha$.\n\n$$f = \\frac12$$\n\n- one\n- two\n\n```\nlerpscope\n```\n";
        let bold = Inline::Text { text: "bold".to_owned(), is_bold: true, is_emphasised: false };
        let line = vec![
            plain("A "),
            bold,
            plain(" word, "),
            Inline::Code("code".to_owned()),
            plain(" and "),
            Inline::Formula("\\alpha".to_owned()),
            plain("."),
        ];
        let item = |text: &str| vec![Block::Paragraph(vec![plain(text)])];
        let expected = vec![
            Block::Paragraph(line),
            Block::Formula("f = \\frac12".to_owned()),
            Block::List { start: None, items: vec![item("one"), item("two")] },
            Block::Code("lerpscope".to_owned()),
        ];
        assert_eq!(blocks(text), Ok(expected));
    }

    #[test]
    fn bars_have_names_and_numbers_in_a_unit() {
        let read = blocks("```bars µs\n16 × 8: 43\na: b: 82.5\n```\n");
        let bars = Bars { unit: "µs".to_owned(), rows: vec![("16 × 8".to_owned(), 43.0), ("a: b".to_owned(), 82.5)] };
        assert_eq!(read, Ok(vec![Block::Bars(bars.clone())]));
        assert_eq!((bars.number(1), bars.shares()[1]), ("82.5 µs".to_owned(), 1.0));
        assert_eq!(Bars { unit: String::new(), rows: vec![("none".to_owned(), 0.0)] }.shares(), [0.0]);
        for (text, cause) in [
            ("```bars µs\n16\n```", "'16' is no row of bars"),
            ("```bars\na: -1\n```", "'a: -1' is no row of bars"),
            ("```bars\na: inf\n```", "'a: inf' is no row of bars"),
            ("```bars\n: 1\n```", "': 1' is no row of bars"),
            ("```bars\n```", "is no row of bars|0 rows of bars"),
        ] {
            assert!(blocks(text).is_err_and(|said| cause.split('|').any(|cause| said.contains(cause))), "{text}");
        }
        let many = format!("```bars\n{}```", "a: 1\n".repeat(17));
        assert!(blocks(&many).is_err_and(|said| said.contains("17 rows")));
    }

    #[test]
    fn formula_within_a_paragraph_divides_it() {
        let expected = vec![
            Block::Paragraph(vec![plain("Before ")]),
            Block::Formula("x".to_owned()),
            Block::Paragraph(vec![plain(" behind")]),
        ];
        assert_eq!(blocks("Before $$x$$ behind"), Ok(expected));
    }

    #[test]
    fn forms_that_the_window_does_not_show_are_refused_by_name() {
        for (text, name) in [
            ("# A", "heading"),
            ("![a](b.png)", "picture"),
            ("[a](b)", "link"),
            ("<b>a</b>", "HTML"),
            ("$a}$", "formula"),
            ("costs $3", "formula"),
        ] {
            assert!(blocks(text).is_err_and(|cause| cause.contains(name)), "{text}");
        }
        let nested = "- ".repeat(5000) + "a";
        assert!(blocks(&nested).is_err_and(|cause| cause.contains("list")));
    }
}
