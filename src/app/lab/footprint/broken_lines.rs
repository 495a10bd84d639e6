//! Lines of source broken to a width, so that all of a line is in sight.

/// Letters by which the rest of a broken line is indented further than its start.
const HANGING: usize = 4;
/// The largest share of the width that an indentation takes, as a divisor.
const MOST_INDENT: usize = 2;

/// A row of a view of source: a line, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Index of the line.
    pub(super) line: usize,
    /// Whether the line begins here.
    pub(super) is_first: bool,
    /// The text with its indentation.
    pub(super) text: String,
}

/// The rows of `lines`, each of at most `room` letters. They are broken at spaces where there are any. Indentations are half as wide as
/// in the file.
pub(super) fn broken(lines: &[&str], room: usize) -> Vec<Row> {
    lines.iter().enumerate().flat_map(|(line, text)| rows_of(line, text, room)).collect()
}

fn rows_of(line: usize, text: &str, room: usize) -> Vec<Row> {
    let mut rest = text.trim_start();
    let most = room / MOST_INDENT;
    let mut indent = ((text.len() - rest.len()) / 2).min(most);
    let mut rows = Vec::new();
    loop {
        let is_first = rows.is_empty();
        let left = (room - indent).max(1);
        let end = end_of_row(rest, left);
        let (part, after) = rest.split_at(end);
        rows.push(Row { line, is_first, text: format!("{:indent$}{}", "", part.trim_end()) });
        rest = after.trim_start();
        if rest.is_empty() {
            return rows;
        }
        if is_first {
            indent = (indent + HANGING).min(most);
        }
    }
}

/// Length in bytes of the part of `text` that stands in a row of `room` letters.
fn end_of_row(text: &str, room: usize) -> usize {
    let Some((end, _)) = text.char_indices().nth(room) else { return text.len() };
    // A space behind the last letter of the row is no part of it.
    let until = text[end..].chars().next().map_or(end, |letter| end + letter.len_utf8());
    match text[..until].rfind(' ') {
        Some(space) if space > 0 => space,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces_with_a_hanging_indentation_and_lose_nothing() {
        let lines = ["int first;", "        value = sum(of_a_long_name, another_name) + 1;", "", "x"];
        let rows = broken(&lines, 28);
        let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
        let expected =
            ["int first;", "    value =", "        sum(of_a_long_name,", "        another_name) + 1;", "", "x"];
        assert_eq!(texts, expected);
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [0, 1, 1, 1, 2, 3]);
        let firsts: Vec<bool> = rows.iter().map(|row| row.is_first).collect();
        assert_eq!(firsts, [true, true, false, false, true, true]);
    }

    #[test]
    fn words_longer_than_a_row_are_broken_anywhere() {
        let rows = broken(&["ééééééééé"], 4);
        assert!(rows.iter().all(|row| row.text.chars().count() <= 4), "{rows:?}");
        assert_eq!(rows.iter().map(|row| row.text.trim()).collect::<String>(), "ééééééééé");
    }

    #[test]
    fn line_that_fits_exactly_is_not_broken() {
        assert_eq!(broken(&["ab cd"], 5).len(), 1);
        assert_eq!(broken(&["ab cd ef"], 5).iter().map(|row| row.text.trim()).collect::<Vec<_>>(), ["ab cd", "ef"]);
    }
}
