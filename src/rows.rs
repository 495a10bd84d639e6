//! Enums whose variants are rows of a table.

/// Declares a fieldless enum together with the static table that holds one row for each variant.
///
/// One list is the source of both, so each variant has exactly one row, the row at index `variant as usize`, and the
/// length of the table is the number of variants. The macro generates:
/// * the enum, with the attributes and documentation of the list;
/// * the table. The row type's key field (`address` below) holds the variant; the list gives all other fields;
/// * `row(self)`, a `const fn` that returns the variant's row;
/// * `by_name(name)`, where the last line lists `by_name`: the variant whose row has that `name`, or `None`. Two rows with
///   the same name do not compile;
/// * `Display`, where the last line lists `Display`: writes the `name` of the row.
///
/// ```text
/// rows! {
///     /// An address mode.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     pub enum AddressMode {
///         /// Repeats the edge sample.
///         Clamp => { name: "clamp", scipy: "nearest" },
///         /// Repeats the image.
///         Wrap => { name: "wrap", scipy: "grid-wrap" },
///     }
///
///     /// The address modes, in menu order.
///     pub static ADDRESS_MODES: [AddressModeRow { address, .. }];
///
///     impl by_name, Display;
/// }
///
/// assert_eq!(ADDRESS_MODES.len(), 2);
/// assert_eq!(AddressMode::Wrap.row().scipy, "grid-wrap");
/// assert_eq!(AddressMode::by_name("clamp"), Some(AddressMode::Clamp));
/// assert_eq!(AddressMode::Clamp.to_string(), "clamp");
/// ```
macro_rules! rows {
    (
        $(#[$enum_attribute:meta])*
        $visibility:vis enum $Enum:ident {
            $($(#[$variant_attribute:meta])* $Variant:ident => { $($field:tt)* }),+ $(,)?
        }

        $(#[$table_attribute:meta])*
        $table_visibility:vis static $TABLE:ident: [$Row:ident { $key:ident, .. }];

        $(impl $($item:ident),+;)?
    ) => {
        $(#[$enum_attribute])*
        $visibility enum $Enum {
            $($(#[$variant_attribute])* $Variant),+
        }

        $(#[$table_attribute])*
        $table_visibility static $TABLE: [$Row; [$(stringify!($Variant)),+].len()] =
            [$($Row { $key: $Enum::$Variant, $($field)* }),+];

        impl $Enum {
            #[doc = concat!("Its row in [`", stringify!($TABLE), "`].")]
            $visibility const fn row(self) -> &'static $Row {
                &$TABLE[self as usize]
            }
        }

        $($(rows! { @$item $visibility $Enum $TABLE $key })+)?
    };

    (@by_name $visibility:vis $Enum:ident $TABLE:ident $key:ident) => {
        const _: () = {
            let mut names = [""; $TABLE.len()];
            let mut index = 0;
            while index < names.len() {
                names[index] = $TABLE[index].name;
                index += 1;
            }
            assert!($crate::rows::are_distinct(&names), "two rows share a name");
        };

        impl $Enum {
            #[doc = concat!("The one called `name` in [`", stringify!($TABLE), "`]; `None` if no row has that name.")]
            $visibility fn by_name(name: &str) -> Option<Self> {
                $TABLE.iter().find(|row| row.name == name).map(|row| row.$key)
            }
        }
    };

    (@Display $visibility:vis $Enum:ident $TABLE:ident $key:ident) => {
        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.row().name)
            }
        }
    };
}

pub(crate) use rows;

/// Whether no two of `names` are equal; for constants.
pub(crate) const fn are_distinct(names: &[&str]) -> bool {
    let mut first = 0;
    while first < names.len() {
        let mut second = first + 1;
        while second < names.len() {
            if are_equal(names[first].as_bytes(), names[second].as_bytes()) {
                return false;
            }
            second += 1;
        }
        first += 1;
    }
    true
}

const fn are_equal(first: &[u8], second: &[u8]) -> bool {
    let mut index = 0;
    while index < first.len() && index < second.len() && first[index] == second[index] {
        index += 1;
    }
    index == first.len() && index == second.len()
}

#[cfg(test)]
mod tests {
    use super::are_distinct;

    struct PlanetRow {
        planet: Planet,
        name: &'static str,
        moons: u32,
    }

    rows! {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        enum Planet {
            Mars => { name: "mars", moons: 2 },
            #[default]
            Earth => { name: "earth", ..HOME },
            Venus => { name: "venus", moons: 0 },
        }

        static PLANETS: [PlanetRow { planet, .. }];

        impl by_name, Display;
    }

    const HOME: PlanetRow = PlanetRow { planet: Planet::Earth, name: "", moons: 1 };

    #[test]
    fn rows_macro_joins_each_variant_to_its_row() {
        assert_eq!(PLANETS.len(), 3);
        for (index, row) in PLANETS.iter().enumerate() {
            assert_eq!((row.planet as usize, row.planet.row().name), (index, row.name));
            assert_eq!(Planet::by_name(row.name), Some(row.planet));
            assert_eq!(row.planet.to_string(), row.name);
        }
        assert_eq!([Planet::Mars, Planet::default(), Planet::Venus].map(|planet| planet.row().moons), [2, 1, 0]);
        assert_eq!(Planet::by_name("Mars"), None, "names are compared exactly");
    }

    #[test]
    fn names_are_distinct_unless_two_are_equal() {
        assert!(are_distinct(&["clamp", "clam", "", "border"]));
        assert!(!are_distinct(&["clamp", "border", "clamp"]));
        assert!(!are_distinct(&["", ""]));
    }
}
