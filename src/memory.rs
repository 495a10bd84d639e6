//! Available memory, checked before work begins.
//!
//! Linux grants allocations beyond its memory and kills the process when the pages are touched, so a successful
//! allocation proves nothing. Work that cannot be streamed sums its peak, intermediates included, in a [`Demand`];
//! [`Memory::check`] compares the peak with the available memory.

use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// The memory that a demand is checked against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// The machine's available memory at the time of the check, or the remainder of the process's control group. A
    /// sixteenth stays free for the rest of the system. Demands up to [`Memory::UNCHECKED`] are granted without a
    /// check.
    #[default]
    Machine,
    /// A fixed number of bytes, all of them usable.
    Bytes(u64),
}

/// Peak memory of a piece of work, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    held: u64,
    peak: u64,
    /// Largest allocation, as subject and verb of a sentence, and its bytes.
    largest: (String, u64),
}

/// Error: the work needs more memory than is available.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "not enough memory: {} needed, {} available; {largest} {}",
    bytes_text(*.needed),
    bytes_text(*.available),
    bytes_text(*.largest_bytes)
)]
pub struct MemoryError {
    /// Peak of the work, in bytes.
    pub needed: u64,
    /// Available bytes.
    pub available: u64,
    /// Largest allocation: `the coefficients of 40000×40000 samples take`.
    pub largest: String,
    /// Bytes of that allocation.
    pub largest_bytes: u64,
}

impl Demand {
    /// Adds an allocation that lives until the end of the work. `what` names it with its verb: `600×400 pixels take`.
    pub fn hold(&mut self, what: impl FnOnce() -> String, bytes: u64) {
        self.pass(what, bytes);
        self.held = self.held.saturating_add(bytes);
    }

    /// Adds a temporary allocation, freed before the next one is made.
    pub fn pass(&mut self, what: impl FnOnce() -> String, bytes: u64) {
        self.peak = self.peak.max(self.held.saturating_add(bytes));
        if bytes > self.largest.1 {
            self.largest = (what(), bytes);
        }
    }

    /// Largest number of bytes allocated at one time.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Bytes allocated at the end of the work.
    pub fn held(&self) -> u64 {
        self.held
    }
}

impl Memory {
    /// Demands up to this many bytes are granted on [`Memory::Machine`] without reading the system's figures.
    pub const UNCHECKED: u64 = 64 << 20;
    /// Divisor of the reserve: 1/16 of the available memory stays free.
    const RESERVE: u64 = 16;

    /// Checks that a demand fits.
    ///
    /// # Errors
    /// [`MemoryError`] for a peak above the limit.
    pub fn check(self, demand: &Demand) -> Result<(), MemoryError> {
        let needed = demand.peak;
        let available = match self {
            Self::Machine if needed <= Self::UNCHECKED => return Ok(()),
            Self::Machine => machine_available().map(|bytes| bytes - bytes / Self::RESERVE),
            Self::Bytes(bytes) => Some(bytes),
        };
        // The system's figures do not contain a limit on the process's address space: such a limit shows as a refused
        // allocation.
        let is_granted = usize::try_from(needed).is_ok_and(|needed| Vec::<u8>::new().try_reserve_exact(needed).is_ok());
        let available = available.unwrap_or(u64::MAX);
        if needed <= available && is_granted {
            return Ok(());
        }
        let (largest, largest_bytes) = demand.largest.clone();
        Err(MemoryError { needed, available: available.min(needed), largest, largest_bytes })
    }
}

/// Bytes available without swapping, within the process's control group if there is one; `None` on a system without
/// such figures.
fn machine_available() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let available = system.available_memory();
    if system.total_memory() == 0 {
        return None;
    }
    let group = get_current_pid().ok().and_then(|pid| {
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, ProcessRefreshKind::nothing());
        // The page cache of the group is reclaimable: only anonymous memory counts as used.
        let limits = system.process(pid)?.cgroup_limits()?;
        Some(limits.total_memory.saturating_sub(limits.rss))
    });
    Some(group.map_or(available, |group| available.min(group)))
}

/// Bytes in the largest binary unit with a value of at least 1: `512 bytes`, `1.5 GiB`.
fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let power = (bytes.ilog2() / 10) as usize;
    format!("{:.1} {}", bytes as f64 / f64::from(power as u32 * 10).exp2(), UNITS[power - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demand(parts: &[(&str, u64, bool)]) -> Demand {
        let mut demand = Demand::default();
        for &(what, bytes, is_held) in parts {
            let what = || what.to_owned();
            if is_held { demand.hold(what, bytes) } else { demand.pass(what, bytes) }
        }
        demand
    }

    #[test]
    fn demand_peak_is_held_bytes_plus_the_largest_temporary() {
        let demand = demand(&[("a", 100, true), ("b", 70, false), ("c", 50, true), ("d", 10, false)]);
        assert_eq!((demand.peak(), demand.held()), (170, 150));
        assert_eq!(demand.largest, ("a".to_owned(), 100));
    }

    #[test]
    fn demand_of_all_bytes_fits_and_one_more_is_refused_with_both_figures() {
        let demand = demand(&[("9×9 pixels take", 1 << 30, true), ("a copy takes", 1 << 29, false)]);
        assert_eq!(Memory::Bytes(3 << 29).check(&demand), Ok(()));
        let error = Memory::Bytes((3 << 29) - 1).check(&demand).expect_err("one byte too few");
        let line = "not enough memory: 1.5 GiB needed, 1.5 GiB available; 9×9 pixels take 1.0 GiB";
        assert_eq!((error.to_string().as_str(), error.available), (line, (3 << 29) - 1));
    }

    /// The system grants an allocation of nearly all its memory; the check refuses it.
    #[test]
    fn machine_memory_grants_small_demands_and_refuses_more_than_available() {
        let small = demand(&[("a", Memory::UNCHECKED, true)]);
        assert_eq!(Memory::Machine.check(&small), Ok(()));
        let available = machine_available().expect("the system says");
        let most = demand(&[("a", available, true)]);
        let error = Memory::Machine.check(&most).expect_err("a sixteenth is kept free");
        assert!(error.available < available && error.needed == available, "{error:?}");
        let beyond = demand(&[("a", u64::MAX / 2, true), ("b", u64::MAX, true)]);
        assert!(Memory::Machine.check(&beyond).is_err());
    }

    #[test]
    fn bytes_text_uses_the_largest_unit_of_at_least_one() {
        let cases = [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (1_600_000_000, "1.5 GiB")];
        for (bytes, text) in cases {
            assert_eq!(bytes_text(bytes), text);
        }
        assert_eq!(bytes_text(u64::MAX), "16.0 EiB");
    }
}
