//! Matching of a search text with the texts of a row.
//!
//! Each word of the search text matches a row in the best of these ways:
//!
//! | way | the word | example in *Catmull-Rom* |
//! |---|---|---|
//! | [`Begins`](MatchKind::Begins) | begins a word of the title or of a name | `rom` |
//! | [`Contains`](MatchKind::Contains) | is within a word of the title | `mull` |
//! | [`Initials`](MatchKind::Initials) | is a sequence of beginnings of words of the title, in order | `catr` |
//! | [`Described`](MatchKind::Described) | begins a word of the description | `sharp` |
//! | [`Misspelt`](MatchKind::Misspelt) | is nearly the beginning of a word of the title or of a name | `catnull` |
//! | [`Scattered`](MatchKind::Scattered) | has its letters in the title, in order | `ctmro` |
//!
//! A row matches in the way of its worst word, or as a [`Whole`](MatchKind::Whole) if the search text is its title, or one of
//! its names with which the title does not begin. Rows come in the order of these ways. Misspelt rows are listed only if no row has the word
//! itself, and scattered ones only if no row matches otherwise: letters far apart are accidental where another row has them together.

use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;

/// Rank of a match in a name, behind matches in titles.
const NAME_RANK: usize = 1000;
/// Rank of a match in the group, which many rows share, behind matches in titles and names.
const GROUP_RANK: usize = 2000;

/// The texts of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowTexts<'a> {
    /// The title, with its group.
    pub(super) title: &'a str,
    /// Number of characters of the group at the beginning of the title.
    pub(super) group: usize,
    /// Names on the command line and aliases, separated by blanks.
    pub(super) names: &'a str,
    /// The description.
    pub(super) detail: &'a str,
}

/// How a row matches, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchKind {
    /// The search text is the title or a name.
    Whole,
    /// It begins a word of the title or of a name.
    Begins,
    /// It is within a word of the title.
    Contains,
    /// It consists of beginnings of words of the title.
    Initials,
    /// It begins a word of the description.
    Described,
    /// It is nearly the beginning of a word of the title or of a name.
    Misspelt,
    /// Its letters are in the title.
    Scattered,
}

/// A match.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RowMatch {
    /// How the row matches.
    pub(super) kind: MatchKind,
    /// Rank among rows of the same kind: the least comes first.
    pub(super) rank: i64,
    /// Indices of the matched characters of the title.
    pub(super) letters: Vec<usize>,
    /// Indices of the matched characters of the description.
    pub(super) detail_letters: Vec<usize>,
}

/// Lower case of `text`, one character for each.
fn lower(text: &str) -> Vec<char> {
    text.chars().map(|letter| letter.to_lowercase().next().unwrap_or(letter)).collect()
}

/// Whether a word begins at `at`: behind a character of another kind (letter, digit, neither).
fn begins_word(text: &[char], at: usize) -> bool {
    let kind = |letter: char| (letter.is_alphabetic(), letter.is_numeric());
    at == 0 || kind(text[at - 1]) != kind(text[at]) || !text[at].is_alphanumeric()
}

/// Places at which `text` has `word`.
fn places<'a>(text: &'a [char], word: &'a [char]) -> impl Iterator<Item = usize> + 'a {
    (0..text.len()).filter(move |&at| text[at..].starts_with(word))
}

/// The first place at which `text` has `word`, preferably of those that begin a word and are behind `group`; and whether it
/// begins a word.
fn place(text: &[char], word: &[char], group: usize) -> Option<(usize, bool)> {
    let found = |at: usize| (at, begins_word(text, at));
    places(text, word).map(found).min_by_key(|&(at, begins)| (!begins, at < group, at))
}

/// Characters of `text`, from `from` on, that spell `word` by beginnings of words.
fn initials(text: &[char], word: &[char], from: usize) -> Option<Vec<usize>> {
    if word.is_empty() {
        return Some(Vec::new());
    }
    (from..text.len()).filter(|&at| begins_word(text, at)).find_map(|at| {
        let common = text[at..].iter().zip(word).take_while(|(a, b)| a == b).count();
        (1..=common).rev().find_map(|length| {
            let rest = initials(text, &word[length..], at + length)?;
            Some((at..at + length).chain(rest).collect())
        })
    })
}

/// Number of letters of `word` that may be wrong, missing, superfluous, or in the place of their neighbours.
fn most_errors(word: &str) -> usize {
    match word.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

/// Errors of `word` as the beginning of the word of `text` that it is nearest to, with the place of that word in characters; `None` if it is
/// near none.
fn misspelt(text: &str, word: &str) -> Option<(usize, usize)> {
    let (most, length) = (most_errors(word), word.chars().count());
    let text = lower(text);
    let begins = |at: &usize| text[*at].is_alphanumeric() && (*at == 0 || !text[at - 1].is_alphanumeric());
    let errors = |at: usize| {
        let own: String = text[at..].iter().take_while(|letter| !letter.is_whitespace()).take(length + most).collect();
        let lengths = length.saturating_sub(most)..=own.chars().count();
        let beginning = |length: usize| own.chars().take(length).collect::<String>();
        let errors = lengths.map(|length| strsim::osa_distance(&beginning(length), word)).min()?;
        (errors <= most && most > 0).then_some((errors, at))
    };
    (0..text.len()).filter(begins).filter_map(errors).min()
}

/// The match of one word of the search text.
fn word_match(texts: RowTexts<'_>, word: &str) -> Option<RowMatch> {
    let (title, letters) = (lower(texts.title), lower(word));
    let run = |at: usize| (at..at + letters.len()).collect::<Vec<usize>>();
    let in_title = |kind: MatchKind, rank: usize, letters: Vec<usize>| RowMatch {
        kind,
        rank: rank as i64,
        letters,
        detail_letters: Vec::new(),
    };
    let rank = |at: usize| if at < texts.group { GROUP_RANK + at } else { at - texts.group };
    let found = place(&title, &letters, texts.group);
    if let Some((at, true)) = found {
        return Some(in_title(MatchKind::Begins, rank(at), run(at)));
    }
    let names = lower(texts.names);
    if place(&names, &letters, 0).is_some_and(|(_, begins)| begins) {
        return Some(in_title(MatchKind::Begins, NAME_RANK, Vec::new()));
    }
    if let Some((at, false)) = found {
        return Some(in_title(MatchKind::Contains, rank(at), run(at)));
    }
    if let Some(found) = initials(&title, &letters, 0) {
        return Some(in_title(MatchKind::Initials, rank(found[0]), found));
    }
    let detail = lower(texts.detail);
    if let Some((at, true)) = place(&detail, &letters, 0) {
        let (kind, letters) = (MatchKind::Described, Vec::new());
        return Some(RowMatch { kind, rank: at as i64, letters, detail_letters: run(at) });
    }
    let spelt: String = letters.iter().collect();
    if let Some((errors, at)) = misspelt(texts.title, &spelt).or_else(|| misspelt(texts.names, &spelt)) {
        return Some(in_title(MatchKind::Misspelt, errors * NAME_RANK + rank(at), Vec::new()));
    }
    let (score, letters) = SkimMatcherV2::default().ignore_case().fuzzy_indices(texts.title, word)?;
    Some(RowMatch { kind: MatchKind::Scattered, rank: -score, letters, detail_letters: Vec::new() })
}

/// The match of the search text `query`, which has at least one word; `None` if the row does not match.
pub(super) fn row_match(texts: RowTexts<'_>, query: &str) -> Option<RowMatch> {
    let words = query.split_whitespace().map(|word| word_match(texts, word)).collect::<Option<Vec<_>>>()?;
    let mut all = RowMatch { kind: MatchKind::Whole, rank: 0, letters: Vec::new(), detail_letters: Vec::new() };
    for word in words {
        all.kind = all.kind.max(word.kind);
        all.rank += word.rank;
        all.letters.extend(word.letters);
        all.detail_letters.extend(word.detail_letters);
    }
    let query = lower(query.trim().trim_end_matches('…'));
    let title = lower(texts.title.trim_end_matches('…'));
    let own = title.get(texts.group..).unwrap_or(&title);
    let is_title = query == title || query == own;
    // A name that the title begins with says no more than the title: `lanczos`, the name of *Lanczos 3*, is as near to *Lanczos 2*.
    let is_name = texts.names.split_whitespace().any(|name| lower(name) == query) && !own.starts_with(&query);
    if is_title || is_name {
        (all.kind, all.rank) = (MatchKind::Whole, 0);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(title: &str, query: &str) -> Option<(MatchKind, Vec<usize>)> {
        let texts = RowTexts { title, group: 0, names: "catrom spline", detail: "A cubic: sharp, overshoots" };
        row_match(texts, query).map(|found| (found.kind, found.letters))
    }

    #[test]
    fn word_matches_in_the_best_of_its_ways() {
        for (query, kind, letters) in [
            ("catmull-rom", MatchKind::Whole, (0..11).collect()),
            ("CatRom", MatchKind::Whole, vec![]),
            ("rom", MatchKind::Begins, vec![8, 9, 10]),
            ("spl", MatchKind::Begins, vec![]),
            ("mull", MatchKind::Contains, vec![3, 4, 5, 6]),
            ("catmr", MatchKind::Initials, vec![0, 1, 2, 3, 8]),
            ("car", MatchKind::Initials, vec![0, 1, 8]),
            ("shar", MatchKind::Described, vec![]),
            ("catnul", MatchKind::Misspelt, vec![]),
            ("actmull", MatchKind::Misspelt, vec![]),
            ("spilne", MatchKind::Misspelt, vec![]),
            ("ctmro", MatchKind::Scattered, vec![0, 2, 3, 8, 9]),
        ] {
            assert_eq!(found("Catmull-Rom", query), Some((kind, letters)), "{query}");
        }
        assert_eq!(found("Catmull-Rom", "hoots"), None, "within a word of the description");
        assert_eq!(found("Catmull-Rom", "rom zoo"), None, "every word matches");
        assert_eq!(found("Catmull-Rom", "rim"), None, "no error in three letters");
        assert_eq!(found("Catmull-Rom", "katnull"), None, "two in seven");
    }

    #[test]
    fn row_matches_in_the_way_of_its_worst_word() {
        assert_eq!(found("Next method", "method next"), Some((MatchKind::Begins, vec![5, 6, 7, 8, 9, 10, 0, 1, 2, 3])));
        assert_eq!(found("Next method", "next tho").map(|found| found.0), Some(MatchKind::Contains));
        assert_eq!(found("Next method", "next sharp").map(|found| found.0), Some(MatchKind::Described));
    }

    #[test]
    fn group_of_a_title_ranks_behind_the_title_proper() {
        let texts = |title: &'static str, group| RowTexts { title, group, names: "", detail: "" };
        let rank = |title, group| row_match(texts(title, group), "method").expect("a match").rank;
        assert!(rank("Method: Linear", 8) > rank("Next method", 0));
    }
}
