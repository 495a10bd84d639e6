//! The palette: finds commands and values, and parses typed values.

use egui::{Context, Ui};

use super::fuzzy_list::{FuzzyList, ListAnswer, ListEntry, ListTexts};
use super::list_panel::ListPanel;
use super::list_place::PanelRects;
use super::list_row::RowMark;
use crate::app::commands::choice::Choice;
use crate::app::commands::menu::{menu_state, path, title};
use crate::app::commands::obstacle::obstacle;
use crate::app::commands::setting::SETTINGS;
use crate::app::commands::typed_choice::TypedChoice;
use crate::app::commands::{Command, CommandRow, Keymap, TOPICS, Topic};
use crate::app::inspect::kernel_picture::KernelPicture;
use crate::app::session::preferences::Preferences;
use crate::app::session::{PanelMethod, Session};
use crate::sampling::{METHOD_FORMS, Sampler};
use crate::text::capitalized;

/// Its texts.
const TEXTS: ListTexts = ListTexts {
    name: "Find a command or a value",
    hint: "Commands, methods, address modes, zoom, pictures: try lanczos3, mirror x, 8x, zone plate",
    verb: "apply",
};
/// Heading of the commands that were chosen last.
const RECENT: &str = "Recent";
/// Heading of the settings and methods whose numbers are typed.
const WITH_NUMBERS: &str = "With a number";

/// What a row of the palette does.
#[derive(Clone, Debug, PartialEq)]
enum PaletteItem {
    /// Runs a command.
    Run(Command),
    /// Writes the beginning of a value into the search field.
    Complete(String),
    /// Nothing: the row says what is wrong with a typed value.
    Wrong,
}

/// The palette.
#[derive(Debug)]
pub(super) struct Palette {
    list: FuzzyList<PaletteItem>,
}

/// What the rows depend on.
#[derive(Clone, Copy)]
struct Shown<'a> {
    session: &'a Session,
    preferences: &'a Preferences,
}

impl Palette {
    /// All choices, all commands but those that open or close this list, and the beginnings of typed values. `recent` are
    /// the commands chosen last, the newest first.
    pub(super) fn new(ctx: &Context, session: &Session, preferences: &Preferences, recent: &[Command]) -> Self {
        let (keys, shown) = (Keymap::in_force(ctx), Shown { session, preferences });
        let mut entries: Vec<_> = Choice::all().into_iter().map(|choice| shown.choice(choice)).collect();
        // Methods, address modes and sampling paths come before the commands, all other choices after them.
        let others = entries.split_off(entries.iter().take_while(|entry| entry.is_of_panel).count());
        let is_listed = |row: &&CommandRow| !matches!(row.command, Command::Palette | Command::Leave);
        for topic in &TOPICS {
            entries.extend(topic.commands.iter().filter(is_listed).map(|row| shown.command(&keys, topic.topic, row)));
        }
        entries.extend(others);
        entries.extend(completions());
        let listed =
            |command: &Command| entries.iter().find(|entry| entry.value == PaletteItem::Run(*command)).cloned();
        let row = |command: &Command| match *command {
            Command::Choose(choice) => Some(shown.choice(choice)),
            _ => listed(command),
        };
        let recent = recent.iter().filter_map(row).map(|entry| ListEntry { section: RECENT, ..entry }).collect();
        Self { list: FuzzyList::new(TEXTS, entries).with_recent(recent).of_panel(ListPanel::focused(session)) }
    }

    /// The focused panel's sampler with the marked row; `None` if that row sets none.
    pub(super) fn preview(&self, session: &Session) -> Option<Sampler> {
        match self.list.marked()? {
            PaletteItem::Run(Command::Choose(choice)) => choice.previewed(session),
            PaletteItem::Run(_) | PaletteItem::Complete(_) | PaletteItem::Wrong => None,
        }
    }

    /// Draws the palette over the panels.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        panels: PanelRects,
        session: &Session,
        preferences: &Preferences,
    ) -> ListAnswer<Command> {
        let shown = Shown { session, preferences };
        let typed = |text: &str| Choice::typed(text).into_iter().map(|typed| shown.typed(typed)).collect();
        match self.list.show(ui, panels, typed) {
            ListAnswer::Pending | ListAnswer::Chosen(PaletteItem::Wrong) => ListAnswer::Pending,
            ListAnswer::Cancelled => ListAnswer::Cancelled,
            ListAnswer::Chosen(PaletteItem::Run(command)) => ListAnswer::Chosen(command),
            ListAnswer::Chosen(PaletteItem::Complete(text)) => {
                self.list.set_query(text);
                ListAnswer::Pending
            }
        }
    }
}

impl Shown<'_> {
    fn command(self, keys: &Keymap, topic: Topic, row: &CommandRow) -> ListEntry<PaletteItem> {
        let key = keys.key_text(row.command);
        let why = obstacle(self.session, row.command).map(|why| format!("{}. ", capitalized(&why.to_string())));
        let detail = format!("{}{}", why.unwrap_or_default(), row.help);
        ListEntry {
            section: topic.row().title,
            place: path(row.menu).unwrap_or_default(),
            mark: if key.is_empty() { RowMark::None } else { RowMark::Keys(key) },
            is_enabled: menu_state(self.session, row.command).is_possible,
            is_of_panel: row.menu.is_of_panel(),
            ..ListEntry::new(PaletteItem::Run(row.command), title(self.session, row), detail)
        }
    }

    fn choice(self, choice: Choice) -> ListEntry<PaletteItem> {
        let reason = choice.obstacle(self.session);
        let is_enabled = reason.is_none();
        let detail = reason.map_or_else(|| choice.detail(), |reason| capitalized(&reason.to_string()));
        let more = Some(choice.help()).filter(|help| *help != detail).unwrap_or_default();
        let kernel = if let Choice::Method(method) = choice { Some(KernelPicture::of(method)) } else { None };
        let (group, code) = (choice.kind(), choice.code());
        ListEntry {
            section: group,
            group,
            names: choice.names().join(" "),
            more,
            kernel,
            mark: if code.is_empty() { RowMark::None } else { RowMark::Code(code) },
            is_current: choice.menu_state(self.session, self.preferences).is_chosen,
            others: self.others_with(choice),
            is_enabled,
            is_of_panel: choice.is_of_panel(),
            ..ListEntry::new(PaletteItem::Run(Command::Choose(choice)), choice.short_title(), detail)
        }
    }

    /// The visible panels beside the focused one that have the method of `choice`.
    fn others_with(self, choice: Choice) -> Vec<usize> {
        let Choice::Method(method) = choice else { return Vec::new() };
        let has = |index: &usize| self.session.panels()[*index].method() == PanelMethod::Method(method);
        self.session.visible().into_iter().filter(|index| *index != self.session.focused()).filter(has).collect()
    }

    fn typed(self, typed: TypedChoice) -> ListEntry<PaletteItem> {
        match typed {
            TypedChoice::Choice(choice) => self.choice(choice),
            TypedChoice::Wrong(error) => {
                ListEntry { is_enabled: false, ..ListEntry::new(PaletteItem::Wrong, error.to_string(), String::new()) }
            }
        }
    }
}

/// Beginnings of typed values: settings, and methods with parameters.
fn completions() -> Vec<ListEntry<PaletteItem>> {
    let entry = |begin: String, title: String, detail: String| ListEntry {
        section: WITH_NUMBERS,
        continues: true,
        ..ListEntry::new(PaletteItem::Complete(begin), title, detail)
    };
    let settings = SETTINGS.iter().map(|row| ListEntry {
        names: row.name.to_owned(),
        mark: RowMark::Code(row.example.to_owned()),
        is_of_panel: row.is_of_panel,
        ..entry(format!("{} ", row.name), format!("{}…", row.title), row.help.to_owned())
    });
    let forms = METHOD_FORMS.iter().filter(|form| form.takes_numbers()).map(|form| ListEntry {
        group: "Method",
        names: form.usage.to_owned(),
        mark: RowMark::Code(form.usage.to_owned()),
        is_of_panel: true,
        ..entry(format!("{}=", form.name), format!("{}…", form.phrase.trim_end_matches(" of")), capitalized(form.help))
    });
    forms.chain(settings).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::test_support::size;

    fn palette() -> Palette {
        let page = Page::new(Raster::zeros(size(8, 6), Channels::Grey, Depth::EIGHT));
        let session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        Palette::new(&Context::default(), &session, &Preferences::default(), &[])
    }

    /// The words of a title, in lower case.
    fn words(title: &str) -> Vec<String> {
        let words = title.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    }

    /// The marked characters of a title are the query, and they are together or begin words.
    fn is_together(title: &str, letters: &[usize], query: &str) -> bool {
        let title: Vec<char> = title.to_lowercase().chars().collect();
        let spelled: String = letters.iter().map(|&at| title[at]).collect();
        let is_run = letters.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let begins = |at: usize| {
            let Some(before) = at.checked_sub(1).map(|before| title[before]) else { return true };
            !before.is_alphanumeric() || before.is_numeric() != title[at].is_numeric()
        };
        spelled == query && (is_run || letters.iter().all(|&at| begins(at) || letters.contains(&(at - 1))))
    }

    #[test]
    fn beginning_of_a_word_of_a_title_lists_no_row_with_scattered_letters() {
        let mut palette = palette();
        let titles: Vec<String> = palette.list.found_titles("").into_iter().map(|(title, _)| title).collect();
        assert!(titles.len() > 150, "{}", titles.len());
        let mut queries: Vec<String> = titles.iter().flat_map(|title| words(title)).collect();
        queries = queries
            .iter()
            .flat_map(|word| (3..=word.len()).filter_map(|end| word.get(..end)))
            .map(str::to_owned)
            .collect();
        queries.sort();
        queries.dedup();
        assert!(queries.len() > 500, "{}", queries.len());
        let texts: Vec<(String, String)> = {
            let rows = palette.list.all().iter();
            rows.map(|entry| {
                (entry.title.clone(), format!("{} {} {}", entry.names, entry.detail, entry.more).to_lowercase())
            })
            .collect()
        };
        for query in queries {
            let found = palette.list.found_titles(&query);
            assert!(!found.is_empty(), "{query}");
            for (title, letters) in found {
                let said = || texts.iter().any(|(other, text)| title.ends_with(other) && text.contains(&query));
                assert!(is_together(&title, &letters, &query) || said(), "{query}: {title} {letters:?}");
            }
        }
    }

    #[test]
    fn titles_and_descriptions_have_no_code() {
        let mut palette = palette();
        palette.list.found_titles("");
        for entry in palette.list.all() {
            let title = &entry.title;
            assert!(!title.contains('='), "{title}");
            assert!(title.starts_with(|letter: char| !letter.is_lowercase()), "{title}");
            assert!(entry.detail.starts_with(|letter: char| !letter.is_lowercase()), "{title}: {}", entry.detail);
            for name in entry.names.split(' ').filter(|name| !name.is_empty()) {
                assert!(!entry.detail.starts_with(name), "{title}: {}", entry.detail);
            }
        }
    }

    #[test]
    fn only_lanczos_is_found_by_its_letters_in_the_order_of_its_radius() {
        for query in ["lanc", "lanczos", "Lanczos"] {
            let titles: Vec<String> = palette().list.found_titles(query).into_iter().map(|(title, _)| title).collect();
            let expected = ["Lanczos 2", "Lanczos 3", "Lanczos 4", "Lanczos with a radius…"];
            assert_eq!(titles, expected.map(|title| format!("Method: {title}")), "{query}");
        }
        assert_eq!(palette().list.found_titles("lanczos3")[0].0, "Method: Lanczos 3");
    }
}
