//! What bounds a kernel in a block shape: waves, registers, shared memory or bytes.

use super::block_sweep::{BlockSweepOptions, Kernel};
use crate::image::Size;
use crate::sampling::Method;
use crate::view::View;

/// Share of the memory's rate from which on bytes bound a kernel.
const BYTE_BOUND: f64 = 0.6;
/// Number of waves below which a part-filled last one counts.
const FEW_WAVES: f64 = 4.0;
/// Occupancy below which what limits it bounds the kernel.
const LOW_OCCUPANCY: f64 = 0.5;

/// What bounds a kernel where the rate of the memory is unknown and nothing else does.
const COMPUTE_OR_MEMORY: &str = "instructions or bytes";

/// Facts about a kernel in a shape, from which what bounds it follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Bytes that are read and written at least: every sample in view and every result once.
    pub bytes: u64,
    /// How the work is divided.
    pub division: Division,
}

/// How work is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Division {
    /// Bands of rows on the cores of a CPU.
    Cores {
        /// Number of bands.
        bands: u32,
        /// Number of cores.
        cores: u32,
    },
    /// Blocks on the multiprocessors of a GPU.
    Blocks(BlockFacts),
}

/// Facts about a launch; of several launches the one of the least occupancy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockFacts {
    /// Number of blocks over those that are resident at once.
    pub waves: f64,
    /// Registers of a thread.
    pub registers: u32,
    /// Shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// Blocks that are resident on a multiprocessor.
    pub resident: u32,
    /// What keeps more blocks away.
    pub limit: ResidencyLimit,
    /// Occupancy, 0 … 1.
    pub occupancy: f64,
    /// Greatest rate of the device's memory, in bytes per second; `None` where the driver does not tell it.
    pub memory_rate: Option<f64>,
}

/// What limits the number of resident blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResidencyLimit {
    /// The number of threads or blocks of a multiprocessor: nothing of the kernel.
    Threads,
    /// Its registers.
    Registers,
    /// Its shared memory.
    SharedMemory,
}

impl BlockSweepOptions {
    /// Bytes that `kernel` reads and writes at least: bytes of samples and of results for methods, bytes of samples and
    /// `of_values` for each of a filter's values.
    pub(crate) fn least_bytes(&self, kernel: &Kernel, [of_sample, of_value]: [u64; 2]) -> u64 {
        let results = self.size.area() as u64;
        match kernel {
            Kernel::Filter(_) => results * (of_sample + of_value),
            // The result of the first pass is written and read.
            Kernel::TransposedPasses(_) => results * (of_sample + 3 * of_value),
            Kernel::Method { method, .. } | Kernel::KernelVariant { method, .. } => {
                samples_in_view(*method, &self.view, self.size, self.image) + results
            }
        }
    }
}

/// Number of samples that a picture of `size` reads, those of the kernel's margin included.
fn samples_in_view(method: Method, view: &View, size: Size, image: Size) -> u64 {
    let margin = 2.0 * method.kernel().radius;
    let across = |axis: usize| {
        let side = f64::from(size.sides()[axis]) * view.scales()[axis] + margin;
        side.ceil().min(f64::from(image.sides()[axis])) as u64
    };
    across(0) * across(1)
}

impl Bounds {
    /// What bounds a kernel of this time, in a line.
    ///
    /// ```
    /// use lerpscope::backend::{Bounds, Division};
    /// let bounds = Bounds { bytes: 3_000_000, division: Division::Cores { bands: 5, cores: 2 } };
    /// assert_eq!(
    ///     bounds.sentence(1000.0),
    ///     "bound by waves: 5 bands on 2 cores are 3 rounds, the last one 50 % full; at least 3.00 MB, 3.00 GB/s"
    /// );
    /// ```
    pub fn sentence(&self, median_us: f64) -> String {
        let rate = self.bytes as f64 / (median_us * 1e-6);
        let bytes = format!("at least {}, {}/s", amount(self.bytes as f64), amount(rate));
        match self.division {
            Division::Cores { bands, cores } => {
                let rounds = bands.div_ceil(cores);
                let last = f64::from(bands - (rounds - 1) * cores) / f64::from(cores);
                let what = if f64::from(rounds) < FEW_WAVES && last < 1.0 { "waves" } else { COMPUTE_OR_MEMORY };
                let full =
                    if last < 1.0 { format!(", the last one {:.0} % full", 100.0 * last) } else { String::new() };
                let plural = |count: u32, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
                let is = if rounds == 1 { "is" } else { "are" };
                format!(
                    "bound by {what}: {} on {} {is} {}{full}; {bytes}",
                    plural(bands, "band"),
                    plural(cores, "core"),
                    plural(rounds, "round")
                )
            }
            Division::Blocks(facts) => {
                let share = facts.memory_rate.map(|most| rate / most);
                let of_memory = share.map(|share| format!(" ({:.0} % of the memory's)", 100.0 * share));
                format!(
                    "bound by {}: {:.1} waves of {} blocks, {} registers a thread, {} of shared memory a block; {bytes}{}",
                    facts.bound(share),
                    facts.waves,
                    facts.resident,
                    facts.registers,
                    amount(f64::from(facts.shared_bytes)),
                    of_memory.unwrap_or_default()
                )
            }
        }
    }
}

impl BlockFacts {
    /// What bounds the kernel whose bytes take this share of the memory's rate.
    fn bound(&self, share: Option<f64>) -> &'static str {
        let last = self.waves.fract();
        let nothing_else = if share.is_some() { "instructions" } else { COMPUTE_OR_MEMORY };
        if share.is_some_and(|share| share >= BYTE_BOUND) {
            "bytes"
        } else if self.waves < 1.0 || (self.waves < FEW_WAVES && last > 0.0 && last < 0.5) {
            "waves"
        } else if self.occupancy < LOW_OCCUPANCY {
            match self.limit {
                ResidencyLimit::Threads => nothing_else,
                ResidencyLimit::Registers => "registers",
                ResidencyLimit::SharedMemory => "shared memory",
            }
        } else {
            nothing_else
        }
    }
}

/// Bytes with three digits: `3.00 MB`.
fn amount(bytes: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let place = if bytes >= 1.0 { (bytes.log10() / 3.0).floor().clamp(0.0, 4.0) } else { 0.0 };
    let number = bytes / 1e3_f64.powf(place);
    let digits = if place == 0.0 { 0 } else { 2 - (number.max(1.0).log10().floor() as usize).min(2) };
    format!("{number:.digits$} {}", units[place as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    const FACTS: BlockFacts = BlockFacts {
        waves: 10.5,
        registers: 40,
        shared_bytes: 8192,
        resident: 6,
        limit: ResidencyLimit::Registers,
        occupancy: 0.75,
        memory_rate: Some(4e12),
    };

    fn what(facts: BlockFacts, bytes: u64) -> String {
        let sentence = Bounds { bytes, division: Division::Blocks(facts) }.sentence(10.0);
        sentence.strip_prefix("bound by ").and_then(|rest| rest.split(':').next()).expect("a bound").to_owned()
    }

    #[test]
    fn bound_is_the_first_of_bytes_waves_and_what_limits_the_occupancy() {
        assert_eq!(what(FACTS, 8_000_000), "instructions");
        assert_eq!(what(FACTS, 24_000_000), "bytes");
        assert_eq!(what(BlockFacts { memory_rate: None, ..FACTS }, 24_000_000), "instructions or bytes");
        assert_eq!(what(BlockFacts { waves: 0.4, ..FACTS }, 8), "waves");
        assert_eq!(what(BlockFacts { waves: 1.1, ..FACTS }, 8), "waves");
        assert_eq!(what(BlockFacts { waves: 1.9, ..FACTS }, 8), "instructions");
        for (limit, expected) in [
            (ResidencyLimit::Registers, "registers"),
            (ResidencyLimit::SharedMemory, "shared memory"),
            (ResidencyLimit::Threads, "instructions"),
        ] {
            assert_eq!(what(BlockFacts { occupancy: 0.3, limit, ..FACTS }, 8), expected);
        }
    }

    #[test]
    fn sentence_has_the_facts() {
        let sentence = Bounds { bytes: 8_400_000, division: Division::Blocks(FACTS) }.sentence(10.0);
        assert_eq!(
            sentence,
            "bound by instructions: 10.5 waves of 6 blocks, 40 registers a thread, 8.19 kB of shared memory a block; at least \
             8.40 MB, 840 GB/s (21 % of the memory's)"
        );
        let cores = Bounds { bytes: 500, division: Division::Cores { bands: 1, cores: 8 } }.sentence(1.0);
        assert_eq!(
            cores,
            "bound by waves: 1 band on 8 cores is 1 round, the last one 12 % full; at least 500 B, 500 MB/s"
        );
    }

    #[test]
    fn least_bytes_count_samples_in_view_and_results_once() {
        let options = BlockSweepOptions {
            size: size(100, 50),
            image: size(40, 400),
            view: View::new([0.0; 2], 0.5).expect("a view"),
            repeats: 1,
            kernels: Vec::new(),
        };
        let linear = "linear:auto".parse().expect("a kernel");
        // 100·½ + 2 samples across, of 40; 50·½ + 2 down.
        assert_eq!(options.least_bytes(&linear, [1, 4]), 40 * 27 + 5000);
        let negative = "negative".parse().expect("a kernel");
        assert_eq!(options.least_bytes(&negative, [1, 4]), 5 * 5000);
    }
}
