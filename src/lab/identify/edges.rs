//! What a program reads beyond the edges of the source.

use crate::rows::rows;
use crate::sampling::AddressMode;

/// The properties of an edge rule.
#[derive(Debug)]
pub struct EdgeRuleRow {
    /// The rule.
    pub rule: EdgeRule,
    /// Name in JSON.
    pub name: &'static str,
    /// One line on it.
    pub help: &'static str,
    /// The samples around `abcd`.
    pub picture: &'static str,
}

rows! {
    /// What lies beyond the edges.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum EdgeRule {
        /// Only samples inside count.
        Inside => {
            name: "inside",
            help: "samples beyond the edges are left out, and the weights of the others are divided by their sum",
            picture: "   |abcd|   ",
        },
        /// The edge sample.
        Clamp => { name: "clamp", help: "the edge sample is repeated", picture: "aaa|abcd|ddd" },
        /// Reflected at the edge of the outermost sample.
        Mirror => { name: "mirror", help: "the picture is reflected, with the edge sample twice", picture: "cba|abcd|dcb" },
        /// Reflected at the centre of the outermost sample.
        Reflect => { name: "reflect", help: "the picture is reflected, with the edge sample once", picture: "dcb|abcd|cba" },
        /// Repeated.
        Wrap => { name: "wrap", help: "the picture is repeated", picture: "bcd|abcd|abc" },
        /// Black.
        Zero => { name: "zero", help: "black, 0", picture: "000|abcd|000" },
    }

    /// The edge rules, the most usual first.
    pub static EDGE_RULES: [EdgeRuleRow { rule, .. }];

    impl Display;
}

impl EdgeRule {
    /// The sample that index `index` of `len` samples refers to; `None` for the value 0.
    pub(super) fn resolve(self, index: i64, len: u32) -> Option<i64> {
        let by = |address: AddressMode| address.resolve(index, len).map(i64::from);
        match self {
            Self::Inside | Self::Zero => by(AddressMode::Border),
            Self::Clamp => by(AddressMode::Clamp),
            Self::Mirror => by(AddressMode::Mirror),
            Self::Reflect => {
                let period = (2 * i64::from(len) - 2).max(1);
                let place = index.rem_euclid(period);
                Some(place.min(period - place))
            }
            Self::Wrap => by(AddressMode::Wrap),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolve_gives_the_samples_of_the_picture_of_every_rule() {
        for row in &EDGE_RULES {
            let shown: String = (-3..7)
                .map(|i| match (row.rule, row.rule.resolve(i, 4)) {
                    (_, Some(k)) => ['a', 'b', 'c', 'd'][k as usize],
                    (EdgeRule::Zero, None) => '0',
                    (_, None) => ' ',
                })
                .collect();
            assert_eq!(shown, row.picture.replace('|', ""), "{}", row.name);
        }
    }
}
