//! Instruction sets of the inner loops.
//!
//! The loops are compiled for each set and dispatched at run time. None fuses a multiplication with an addition, and the order
//! of sums is that of the source, so that every set writes the same bytes.

use std::sync::LazyLock;

use pulp::NullaryFnOnce;
#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};

/// The environment variable that selects a set by its name.
const VARIABLE: &str = "LERPSCOPE_INSTRUCTIONS";

/// A set of vector instructions that this machine has.
#[derive(Clone, Copy, Debug)]
pub struct Instructions(Set);

/// The set, with the proof that the machine has it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Set {
    /// What every machine of this architecture has: SSE2, or NEON.
    Baseline,
    /// AVX2 with FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2(V3),
    /// AVX-512 with F, BW, CD, DQ and VL.
    #[cfg(target_arch = "x86_64")]
    Avx512(V4),
}

/// Proof that the machine has AVX-512 with permutations of bytes (VBMI) and sums of two products (VNNI).
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512Bytes(());

impl Instructions {
    /// The sets of this machine, the widest first.
    pub fn available() -> Vec<Self> {
        let mut sets = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            sets.extend(V4::try_new().map(Set::Avx512));
            sets.extend(V3::try_new().map(Set::Avx2));
        }
        sets.push(Set::Baseline);
        sets.into_iter().map(Self).collect()
    }

    /// The widest set, or the one that the environment variable `LERPSCOPE_INSTRUCTIONS` names: `baseline`, `avx2` or
    /// `avx512`. A set that the machine lacks is passed over with a warning in the log.
    pub fn best() -> Self {
        static BEST: LazyLock<Instructions> = LazyLock::new(|| {
            let available = Instructions::available();
            if let Some(wanted) = std::env::var_os(VARIABLE) {
                if let Some(set) = available.iter().find(|set| *set.variable() == *wanted) {
                    return *set;
                }
                let names: Vec<&str> = available.iter().map(|set| set.variable()).collect();
                log::warn!("{VARIABLE} names no instruction set of this machine, which has {}", names.join(", "));
            }
            available[0]
        });
        *BEST
    }

    /// The name that selects it.
    pub fn variable(self) -> &'static str {
        match self.0 {
            Set::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) => "avx512",
        }
    }

    /// The name in descriptions.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Baseline => "SSE2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) => "AVX-512",
            #[cfg(not(target_arch = "x86_64"))]
            Set::Baseline => std::env::consts::ARCH,
        }
    }

    /// AVX2, which AVX-512 includes.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn avx2(self) -> Option<V3> {
        match self.0 {
            Set::Baseline => None,
            Set::Avx2(simd) => Some(simd),
            Set::Avx512(simd) => Some(*simd),
        }
    }

    /// AVX-512 for bytes, if this set is AVX-512 and the machine has them.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn avx512_bytes(self) -> Option<Avx512Bytes> {
        let is_there = matches!(self.0, Set::Avx512(_))
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vnni");
        is_there.then_some(Avx512Bytes(()))
    }

    /// The set itself.
    pub(super) fn set(self) -> Set {
        self.0
    }

    /// Runs `work`, compiled for this set if its functions are inlined.
    #[inline(always)]
    pub(super) fn run<R>(self, mut work: impl FnMut() -> R) -> R {
        match self.0 {
            Set::Baseline => work(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(simd) => simd.vectorize(Inlined(work)),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(simd) => simd.vectorize(Inlined(work)),
        }
    }
}

/// A closure that is called as `FnMut`. A call as `FnOnce` goes through a function of the compiler's own, which is inlined by
/// link-time optimization only; what it calls has not the instructions of the set.
pub(super) struct Inlined<F>(pub(super) F);

impl<R, F: FnMut() -> R> NullaryFnOnce for Inlined<F> {
    type Output = R;

    #[inline(always)]
    fn call(mut self) -> R {
        (self.0)()
    }
}

impl Default for Instructions {
    fn default() -> Self {
        Self::best()
    }
}
