//! Argument structs that Rust and CUDA declare in the same words.

/// Declares an argument struct of the kernels.
///
/// One list of fields is the source of the Rust struct and of its declaration in kernels/arguments.cuh, so the two cannot
/// differ in a field, its type or its place. The macro generates:
/// * the struct, `#[repr(C)]`, with public fields: C++ lays out these types by the same rules;
/// * `Default`: zero in every field, null for addresses;
/// * `DeviceRepr`, so that it can be the argument of a launch;
/// * in tests, `header_text()`: the declaration in CUDA C++, the documentation as comments, and an assertion of the size.
///
/// The CUDA type of a field follows from its Rust type (see [`KernelType`]). A device address has no type of its own in
/// Rust, so its CUDA type is given after `as`.
///
/// ```text
/// kernel_struct! {
///     /// A row of values.
///     pub(crate) struct Row {
///         /// In device memory.
///         values: sys::CUdeviceptr as "const float*",
///         count: [i32; 2],
///     }
/// }
/// ```
/// gives the struct `Row { values: u64, count: [i32; 2] }` and the text
/// ```text
/// // A row of values.
/// struct Row {
///     // In device memory.
///     const float* values;
///     int count[2];
/// };
/// static_assert(sizeof(Row) == 16, "Row has another size in Rust");
/// ```
macro_rules! kernel_struct {
    (
        $(#[doc = $doc:literal])*
        pub(crate) struct $Name:ident {
            $($(#[doc = $field_doc:literal])* $field:ident: $Type:ty $(as $cuda_type:literal)?),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $Name {
            $($(#[doc = $field_doc])* pub(crate) $field: $Type),+
        }

        impl Default for $Name {
            fn default() -> Self {
                <Self as $crate::backend::cuda::abi::kernel_struct::KernelType>::ZERO
            }
        }

        #[expect(unsafe_code, reason = "cudarc takes a struct as a kernel's argument only where this is promised")]
        // SAFETY: plain numbers in C's layout. The declaration in kernels/arguments.cuh is compared with the one that this
        // list gives, and its size is asserted when the kernels are compiled.
        unsafe impl cudarc::driver::DeviceRepr for $Name {}

        impl $crate::backend::cuda::abi::kernel_struct::KernelType for $Name {
            const ZERO: Self =
                Self { $($field: <$Type as $crate::backend::cuda::abi::kernel_struct::KernelType>::ZERO),+ };

            #[cfg(test)]
            fn declaration(name: &str) -> String {
                format!("{} {name}", stringify!($Name))
            }
        }

        #[cfg(test)]
        impl $Name {
            /// The declaration in CUDA C++.
            pub(crate) fn header_text() -> String {
                let mut text = String::new();
                $(text += &format!("//{}\n", $doc);)*
                text += concat!("struct ", stringify!($Name), " {\n");
                $(
                    $(text += &format!("    //{}\n", $field_doc);)*
                    text += &format!("    {};\n", kernel_struct!(@declare $field: $Type $(as $cuda_type)?));
                )+
                let size = size_of::<Self>();
                text += &format!("}};\nstatic_assert(sizeof({0}) == {size}, \"{0} has another size in Rust\");\n", stringify!($Name));
                text
            }
        }
    };

    (@declare $field:ident: $Type:ty as $cuda_type:literal) => {
        format!(concat!($cuda_type, " {}"), stringify!($field))
    };

    (@declare $field:ident: $Type:ty) => {
        <$Type as $crate::backend::cuda::abi::kernel_struct::KernelType>::declaration(stringify!($field))
    };
}

pub(crate) use kernel_struct;

/// A type that has the same layout in Rust and in CUDA C++.
pub(crate) trait KernelType: Copy {
    /// All bits zero.
    const ZERO: Self;

    /// The declaration of a field with this type in CUDA C++: `int count[2]`.
    #[cfg(test)]
    fn declaration(name: &str) -> String;
}

macro_rules! kernel_number {
    ($($Number:ty = $cuda_type:literal),+) => { $(
        impl KernelType for $Number {
            const ZERO: Self = 0 as Self;

            #[cfg(test)]
            fn declaration(name: &str) -> String {
                format!(concat!($cuda_type, " {}"), name)
            }
        }
    )+ };
}
kernel_number!(
    f32 = "float",
    f64 = "double",
    i32 = "int",
    u32 = "unsigned",
    i64 = "long long",
    u64 = "unsigned long long"
);

impl<T: KernelType, const LEN: usize> KernelType for [T; LEN] {
    const ZERO: Self = [T::ZERO; LEN];

    #[cfg(test)]
    fn declaration(name: &str) -> String {
        T::declaration(&format!("{name}[{LEN}]"))
    }
}

/// Four numbers that kernels load at once: CUDA's `float4`.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Float4(pub(crate) [f32; 4]);

impl KernelType for Float4 {
    const ZERO: Self = Self([0.0; 4]);

    #[cfg(test)]
    fn declaration(name: &str) -> String {
        format!("float4 {name}")
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::Float4;

    kernel_struct! {
        /// A pair.
        pub(crate) struct Pair {
            first: f64,
            second: [i32; 2],
        }
    }

    kernel_struct! {
        /// Fields of every kind.
        /// In two lines.
        pub(crate) struct Sample {
            flag: i32,
            /// Aligned to 8 bytes.
            pairs: [Pair; 3],
            vectors: [Float4; 2],
            /// An address.
            values: u64 as "const float*",
            counter: u32,
            step: i64,
            handle: u64,
        }
    }

    #[test]
    fn kernel_struct_gives_the_same_fields_in_rust_and_cuda() {
        let expected = "// Fields of every kind.\n// In two lines.\nstruct Sample {\n    int flag;\n    // Aligned to 8 bytes.\n    \
                        Pair pairs[3];\n    float4 vectors[2];\n    // An address.\n    const float* values;\n    unsigned \
                        counter;\n    long long step;\n    unsigned long long handle;\n};\nstatic_assert(sizeof(Sample) == \
                        128, \"Sample has another size in Rust\");\n";
        assert_eq!(Sample::header_text(), expected);
        let pair = "// A pair.\nstruct Pair {\n    double first;\n    int second[2];\n};\nstatic_assert(sizeof(Pair) == 16, \
                    \"Pair has another size in Rust\");\n";
        assert_eq!(Pair::header_text(), pair);
        let offsets = [
            offset_of!(Sample, flag),
            offset_of!(Sample, pairs),
            offset_of!(Sample, vectors),
            offset_of!(Sample, values),
            offset_of!(Sample, counter),
            offset_of!(Sample, step),
            offset_of!(Sample, handle),
        ];
        assert_eq!(offsets, [0, 8, 64, 96, 104, 112, 120]);
    }

    #[test]
    fn kernel_struct_is_zero_by_default() {
        let Sample { flag, pairs, vectors, values, counter, step, handle } = Sample::default();
        assert_eq!((flag, values, counter, step, handle), (0, 0, 0, 0, 0));
        assert!(
            pairs.iter().all(|pair| pair.first == 0.0 && pair.second == [0; 2]) && vectors == [Float4::default(); 2]
        );
    }
}
