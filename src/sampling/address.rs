//! Address modes: the sample that an index outside 0 … N−1 refers to. Each axis has its own mode.

use crate::rows::rows;

/// The properties of an address mode.
#[derive(Debug)]
pub struct AddressModeRow {
    /// The address mode.
    pub address: AddressMode,
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One line on what is outside the image.
    pub help: &'static str,
    /// The samples around `abcd`, as `before|abcd|after`; `k` is the border constant.
    pub picture: &'static str,
    /// Whether the samples repeat with a period: N, or 2N reflected.
    pub is_periodic: bool,
    /// Name in CUDA (`cudaAddressMode…`, `CU_TR_ADDRESS_MODE_…`).
    pub cuda: &'static str,
    /// Name in OpenGL (`GL_…`).
    pub opengl: &'static str,
    /// Name in OpenCV (`BORDER_…`).
    pub opencv: &'static str,
    /// Name in `scipy.ndimage`.
    pub scipy: &'static str,
}

/// How a plane of samples goes on beyond its edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edges {
    /// The address modes along x and along y.
    pub address: [AddressMode; 2],
    /// The border's constant, the same in each channel of the premultiplied values.
    pub border: f32,
}

rows! {
    /// Address mode of one axis: the sample that an index outside 0 … N−1 refers to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum AddressMode {
        /// `aaa|abcd|ddd`: repeats the edge sample.
        Clamp => {
            name: "clamp",
            title: "Clamp",
            help: "repeats the edge sample",
            picture: "aaa|abcd|ddd",
            is_periodic: false,
            cuda: "Clamp",
            opengl: "CLAMP_TO_EDGE",
            opencv: "REPLICATE",
            scipy: "nearest",
        },
        /// `kkk|abcd|kkk`: a constant.
        Border => {
            name: "border",
            title: "Border",
            help: "a constant outside the image, 0 unless given",
            picture: "kkk|abcd|kkk",
            is_periodic: false,
            cuda: "Border",
            opengl: "CLAMP_TO_BORDER",
            opencv: "CONSTANT",
            scipy: "grid-constant",
        },
        /// `bcd|abcd|abc`: repeats the image.
        Wrap => {
            name: "wrap",
            title: "Wrap",
            help: "repeats the image",
            picture: "bcd|abcd|abc",
            is_periodic: true,
            cuda: "Wrap",
            opengl: "REPEAT",
            opencv: "WRAP",
            scipy: "grid-wrap",
        },
        /// `cba|abcd|dcb`: reflects the image, the edge sample repeated.
        Mirror => {
            name: "mirror",
            title: "Mirror",
            help: "reflects the image, the edge sample repeated",
            picture: "cba|abcd|dcb",
            is_periodic: true,
            cuda: "Mirror",
            opengl: "MIRRORED_REPEAT",
            opencv: "REFLECT",
            scipy: "grid-mirror",
        },
    }

    /// The address modes, in menu order.
    pub static ADDRESS_MODES: [AddressModeRow { address, .. }];

    impl by_name, Display;
}

impl AddressMode {
    /// Whether the samples repeat with a period.
    pub fn is_periodic(self) -> bool {
        self.row().is_periodic
    }

    /// Resolves `index` to a sample index in 0 … len−1; `None` stands for the border constant.
    ///
    /// ```
    /// use lerpscope::sampling::AddressMode;
    /// let resolve = |address: AddressMode| [-5, -1, 0, 3, 4, 9].map(|i| address.resolve(i, 4));
    /// assert_eq!(resolve(AddressMode::Clamp), [0, 0, 0, 3, 3, 3].map(Some));
    /// assert_eq!(resolve(AddressMode::Border), [None, None, Some(0), Some(3), None, None]);
    /// assert_eq!(resolve(AddressMode::Wrap), [3, 3, 0, 3, 0, 1].map(Some));
    /// assert_eq!(resolve(AddressMode::Mirror), [3, 0, 0, 3, 3, 1].map(Some));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolve_gives_the_samples_of_the_picture_of_every_mode() {
        for row in &ADDRESS_MODES {
            let shown: String =
                (-3..7).map(|i| row.address.resolve(i, 4).map_or('k', |k| ['a', 'b', 'c', 'd'][k as usize])).collect();
            assert_eq!(shown, row.picture.replace('|', ""), "{}", row.name);
        }
    }

    #[test]
    fn periodic_modes_alone_repeat_after_twice_the_length() {
        for row in &ADDRESS_MODES {
            let is_periodic = (-9..9).all(|i| row.address.resolve(i, 4) == row.address.resolve(i + 8, 4));
            assert_eq!(is_periodic, row.is_periodic, "{}", row.name);
        }
    }

    #[test]
    fn resolve_stays_inside_one_sample_at_the_extreme_indices() {
        for row in &ADDRESS_MODES {
            for index in [i64::from(i32::MIN), -1, 0, 1, i64::from(i32::MAX)] {
                let resolved = row.address.resolve(index, 1);
                assert!(resolved == Some(0) || (resolved.is_none() && index != 0), "{} {index}", row.name);
            }
        }
    }
}
