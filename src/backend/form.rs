//! Forms: kernels that a path takes by its own choice, by name, so that each can be held against the others.

use std::fmt;

use crate::sampling::{Method, MethodRow};

/// One way of a path's. Values are the same, but for the table's, whatever the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Samples straight to registers.
    Direct,
    /// Two passes by tables.
    Passes,
    /// The texture unit's 2 × 2 gathers.
    Gather,
    /// One fetch of the texture unit for each sample.
    Points,
    /// The texture unit interpolates, by weights from a table.
    Table,
    /// Plain loads, pixel by pixel.
    Memory,
}

/// All that is known of a form.
#[derive(Debug)]
pub struct FormRow {
    /// Which one.
    pub form: Form,
    /// Its name on the command line.
    pub name: &'static str,
    /// What a backend lacks that cannot serve a request so.
    pub(super) lacked: &'static str,
    /// Whether there is such a kernel for a method.
    serves: fn(&MethodRow) -> bool,
}

/// The forms.
pub static FORMS: [FormRow; 6] = [
    FormRow { form: Form::Direct, name: "direct", lacked: "form 'direct' of this view", serves: |_| true },
    FormRow { form: Form::Passes, name: "passes", lacked: "form 'passes' of this view", serves: |_| true },
    FormRow { form: Form::Gather, name: "gather", lacked: "form 'gather' of this view", serves: |row| row.taps > 1 },
    FormRow { form: Form::Points, name: "points", lacked: "form 'points' of this view", serves: |_| true },
    FormRow {
        form: Form::Table,
        name: "filtered-table",
        lacked: "form 'filtered-table' of this view",
        serves: |row| row.method == Method::BSpline,
    },
    FormRow { form: Form::Memory, name: "memory", lacked: "form 'memory' of this view", serves: |_| true },
];

impl Form {
    /// This form's row.
    pub fn row(self) -> &'static FormRow {
        &FORMS[self as usize]
    }

    /// The form of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        FORMS.iter().find(|row| row.name == name).map(|row| row.form)
    }

    /// Whether some view of `method` is served so.
    pub fn serves(self, method: Method) -> bool {
        (self.row().serves)(method.row())
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::PATHS;

    #[test]
    fn rows_stand_in_order_and_no_form_has_a_paths_name() {
        for (index, row) in FORMS.iter().enumerate() {
            assert_eq!((row.form as usize, Form::by_name(row.name)), (index, Some(row.form)));
            assert!(PATHS.iter().all(|path| path.name != row.name) && row.lacked.contains(row.name), "{}", row.name);
        }
    }
}
