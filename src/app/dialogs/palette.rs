//! The palette: finds commands and values, and parses typed values.

use egui::{Context, Ui};

use super::fuzzy_list::{FuzzyList, ListAnswer, ListEntry};
use crate::app::commands::choice::{Choice, TypedChoice};
use crate::app::commands::menu::{menu_state, path, title};
use crate::app::commands::obstacle::obstacle;
use crate::app::commands::setting::SETTINGS;
use crate::app::commands::{COMMANDS, Command, CommandRow, Keymap};
use crate::app::session::Session;
use crate::app::session::preferences::Preferences;
use crate::sampling::METHOD_FORMS;

/// Its label.
const NAME: &str = "Find a command or a value";

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
    /// The text whose typed values are listed.
    typed: String,
}

impl Palette {
    /// All commands but those that open or close this list, all choices, and the beginnings of typed values.
    pub(super) fn new(ctx: &Context, session: &Session, preferences: &Preferences) -> Self {
        let keys = Keymap::in_force(ctx);
        let is_listed = |row: &&CommandRow| !matches!(row.command, Command::Palette | Command::Leave);
        let command = |row: &CommandRow| ListEntry {
            value: PaletteItem::Run(row.command),
            title: title(session, row),
            detail: path(row.menu).map_or_else(|| row.help.to_owned(), |path| format!("{path} · {}", row.help)),
            key: keys.key_text(row.command),
            is_enabled: menu_state(session, row.command).is_possible,
            continues: false,
        };
        let choice = |choice: Choice| {
            let state = choice.menu_state(session, preferences);
            let mark = if state.is_chosen { "current" } else { "" };
            ListEntry { key: mark.to_owned(), ..choice_entry(session, choice) }
        };
        let mut entries: Vec<_> = COMMANDS.iter().filter(is_listed).map(command).collect();
        entries.extend(Choice::all().into_iter().map(choice));
        entries.extend(completions());
        Self { list: FuzzyList::new(NAME, entries), typed: String::new() }
    }

    /// Draws the palette.
    pub(super) fn show(&mut self, ui: &Ui, session: &Session) -> ListAnswer<Command> {
        let answer = self.list.show(ui);
        if self.list.query() != self.typed {
            self.typed = self.list.query().to_owned();
            let typed = Choice::typed(&self.typed).into_iter().map(|typed| typed_entry(session, typed)).collect();
            self.list.set_first(typed);
            ui.request_repaint();
            // The rows were those of the previous text.
            if let ListAnswer::Chosen(_) = answer {
                return ListAnswer::Pending;
            }
        }
        match answer {
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

fn choice_entry(session: &Session, choice: Choice) -> ListEntry<PaletteItem> {
    let reason = obstacle(session, Command::Choose(choice));
    ListEntry {
        value: PaletteItem::Run(Command::Choose(choice)),
        title: choice.title(),
        is_enabled: reason.is_none(),
        continues: false,
        detail: reason.map_or_else(|| choice.help(), |reason| reason.to_string()),
        key: String::new(),
    }
}

fn typed_entry(session: &Session, typed: TypedChoice) -> ListEntry<PaletteItem> {
    match typed {
        TypedChoice::Choice(choice) => choice_entry(session, choice),
        TypedChoice::Wrong(error) => ListEntry {
            value: PaletteItem::Wrong,
            title: error.to_string(),
            detail: String::new(),
            key: String::new(),
            is_enabled: false,
            continues: false,
        },
    }
}

/// Beginnings of typed values: settings, and methods with parameters.
fn completions() -> Vec<ListEntry<PaletteItem>> {
    let entry = |text: String, title: String, detail: String| ListEntry {
        value: PaletteItem::Complete(text),
        title,
        detail,
        key: String::new(),
        is_enabled: true,
        continues: true,
    };
    let settings = SETTINGS.iter().map(|row| {
        entry(format!("{} ", row.name), format!("{}…", row.title), format!("{}: {}", row.example, row.help))
    });
    let forms = METHOD_FORMS
        .iter()
        .filter(|form| form.takes_numbers())
        .map(|form| entry(format!("{}=", form.name), format!("Method: {}…", form.usage), form.help.to_owned()));
    settings.chain(forms).collect()
}
