//! Kernel variants within a sampling path, selectable by name so that they can be compared.

use crate::rows::rows;
use crate::sampling::{Method, MethodKernel};

/// The properties of a kernel variant.
#[derive(Debug)]
pub struct KernelVariantRow {
    /// The variant.
    pub variant: KernelVariant,
    /// Name on the command line.
    pub name: &'static str,
    /// Whether the variant exists for a method.
    serves: fn(&MethodKernel) -> bool,
}

rows! {
    /// Kernel variant within a sampling path. All variants give the same values.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum KernelVariant {
        /// Samples are loaded into registers.
        Direct => { name: "direct", serves: |_| true },
        /// The same for every kind of plane and every address mode.
        Columns => { name: "columns", serves: |_| true },
        /// Two separable passes with axis tables.
        Passes => { name: "passes", serves: |_| true },
        /// 2 × 2 gathers of the texture unit.
        Gather => { name: "gather", serves: |kernel| kernel.taps > 1 },
        /// One texture fetch for each sample.
        Points => { name: "points", serves: |_| true },
        /// Loads from global memory, pixel by pixel.
        Memory => { name: "memory", serves: |_| true },
    }

    /// The kernel variants, in the order of the command-line help.
    pub static KERNEL_VARIANTS: [KernelVariantRow { variant, .. }];

    impl by_name, Display;
}

impl KernelVariant {
    /// Whether the variant exists for `method`.
    pub fn serves(self, method: Method) -> bool {
        (self.row().serves)(&method.kernel())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::SAMPLING_PATHS;

    #[test]
    fn variant_names_differ_from_path_names() {
        for row in &KERNEL_VARIANTS {
            assert!(SAMPLING_PATHS.iter().all(|path| path.name != row.name), "{}", row.name);
        }
    }
}
