//! Address modes as rows: which sample an index outside 0 … N−1 means. Each axis has its own.

/// What lies beyond an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// `aaa|abcd|ddd`: the edge sample goes on.
    Clamp,
    /// `kkk|abcd|kkk`: a constant.
    Border,
    /// `bcd|abcd|abc`: the image again.
    Wrap,
    /// `cba|abcd|dcb`: the image mirrored, its edge sample repeated.
    Mirror,
}

/// All that is known of an address mode.
#[derive(Debug)]
pub struct AddressRow {
    /// Which one.
    pub address: Address,
    /// Its name on the command line and in files.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does to `abcd`.
    pub picture: &'static str,
    /// Its name in CUDA (`cudaAddressMode…`, `CU_TR_ADDRESS_MODE_…`).
    pub cuda: &'static str,
    /// Its name in OpenGL (`GL_…`).
    pub opengl: &'static str,
    /// Its name in OpenCV (`BORDER_…`).
    pub opencv: &'static str,
    /// Its name in `scipy.ndimage`.
    pub scipy: &'static str,
}

/// The address modes, in the order of menus.
pub static ADDRESSES: [AddressRow; 4] = [
    AddressRow {
        address: Address::Clamp,
        name: "clamp",
        title: "Clamp",
        picture: "aaa|abcd|ddd",
        cuda: "Clamp",
        opengl: "CLAMP_TO_EDGE",
        opencv: "REPLICATE",
        scipy: "nearest",
    },
    AddressRow {
        address: Address::Border,
        name: "border",
        title: "Border",
        picture: "kkk|abcd|kkk",
        cuda: "Border",
        opengl: "CLAMP_TO_BORDER",
        opencv: "CONSTANT",
        scipy: "grid-constant",
    },
    AddressRow {
        address: Address::Wrap,
        name: "wrap",
        title: "Wrap",
        picture: "bcd|abcd|abc",
        cuda: "Wrap",
        opengl: "REPEAT",
        opencv: "WRAP",
        scipy: "grid-wrap",
    },
    AddressRow {
        address: Address::Mirror,
        name: "mirror",
        title: "Mirror",
        picture: "cba|abcd|dcb",
        cuda: "Mirror",
        opengl: "MIRRORED_REPEAT",
        opencv: "REFLECT",
        scipy: "grid-mirror",
    },
];

impl Address {
    /// This address mode's row.
    pub fn row(self) -> &'static AddressRow {
        &ADDRESSES[self as usize]
    }

    /// The address mode of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        ADDRESSES.iter().find(|row| row.name == name).map(|row| row.address)
    }

    /// The sample among 0 … len−1 that `index` means, or `None` where it means the border's constant.
    ///
    /// ```
    /// use lerpscope::sampling::Address;
    /// let resolve = |address: Address| [-5, -1, 0, 3, 4, 9].map(|i| address.resolve(i, 4));
    /// assert_eq!(resolve(Address::Clamp), [0, 0, 0, 3, 3, 3].map(Some));
    /// assert_eq!(resolve(Address::Border), [None, None, Some(0), Some(3), None, None]);
    /// assert_eq!(resolve(Address::Wrap), [3, 3, 0, 3, 0, 1].map(Some));
    /// assert_eq!(resolve(Address::Mirror), [3, 0, 0, 3, 3, 1].map(Some));
    /// ```
    pub fn resolve(self, index: i64, len: u32) -> Option<u32> {
        let n = i64::from(len);
        let inside = match self {
            Self::Clamp => index.clamp(0, n - 1),
            Self::Border => {
                if !(0..n).contains(&index) {
                    return None;
                }
                index
            }
            Self::Wrap => index.rem_euclid(n),
            Self::Mirror => {
                let i = index.rem_euclid(2 * n);
                i.min(2 * n - 1 - i)
            }
        };
        u32::try_from(inside).ok()
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.row().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for row in &ADDRESSES {
            assert_eq!(row.address.row().name, row.name);
        }
    }

    #[test]
    fn each_mode_does_what_its_picture_shows() {
        for row in &ADDRESSES {
            let shown: String =
                (-3..7).map(|i| row.address.resolve(i, 4).map_or('k', |k| ['a', 'b', 'c', 'd'][k as usize])).collect();
            assert_eq!(shown, row.picture.replace('|', ""), "{}", row.name);
        }
    }

    #[test]
    fn one_sample_and_far_indices_are_fine() {
        for row in &ADDRESSES {
            for index in [i64::from(i32::MIN), -1, 0, 1, i64::from(i32::MAX)] {
                let resolved = row.address.resolve(index, 1);
                assert!(resolved == Some(0) || (resolved.is_none() && index != 0), "{} {index}", row.name);
            }
        }
    }
}
