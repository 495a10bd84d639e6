//! A least-recently-used cache of values that are costly to make and large to keep.
//!
//! Keys need equality alone (requests hold floats, which have no `Hash`), so entries are searched one by one: there are at
//! most [`MAX_ENTRIES`].

/// Maximum number of entries of a cache: nine panels, each with samples, filtered samples and coefficients, and some more.
pub(crate) const MAX_ENTRIES: usize = 32;

/// Turns after which an unused entry is idle: some frames of nine panels.
pub(crate) const IDLE_TURNS: u64 = 64;

/// A value whose memory counts.
pub(crate) trait Weigh {
    /// Bytes that the value keeps allocated.
    fn bytes(&self) -> usize;
}

/// Limits of a cache, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LruLimits {
    /// All entries together.
    pub(crate) bytes: usize,
    /// The idle entries together.
    pub(crate) idle_bytes: usize,
}

/// A least-recently-used cache.
///
/// **Eviction rule.** A turn is one request ([`Lru::next_turn`]). The least recently used entry is evicted as long as
/// * the entries that were unused for more than [`IDLE_TURNS`] turns exceed `idle_bytes` in all, or
/// * an entry that is to be added would be the ([`MAX_ENTRIES`] + 1)th, or all entries would exceed `bytes` with it.
///
/// Entries used in the current turn are never evicted, whatever their size.
#[derive(Debug)]
pub(crate) struct Lru<K, V> {
    limits: LruLimits,
    /// Least recently used first.
    entries: Vec<Entry<K, V>>,
    turn: u64,
}

#[derive(Debug)]
struct Entry<K, V> {
    key: K,
    value: V,
    last_turn: u64,
}

impl<K: PartialEq, V: Weigh> Lru<K, V> {
    /// An empty cache.
    pub(crate) fn new(limits: LruLimits) -> Self {
        Self { limits, entries: Vec::new(), turn: 0 }
    }

    /// Begins the next turn.
    pub(crate) fn next_turn(&mut self) {
        self.turn += 1;
    }

    /// The value of `key`, which counts as used in this turn.
    pub(crate) fn get(&mut self, key: &K) -> Option<&mut V> {
        let index = self.entries.iter().position(|entry| entry.key == *key)?;
        self.entries[index..].rotate_left(1);
        let entry = self.entries.last_mut()?;
        entry.last_turn = self.turn;
        Some(&mut entry.value)
    }

    /// Whether there is a value of `key`. It does not count as used.
    pub(crate) fn contains(&self, key: &K) -> bool {
        self.entries.iter().any(|entry| entry.key == *key)
    }

    /// Evicts idle entries beyond their limit.
    pub(crate) fn evict_idle(&mut self) {
        self.evict_while(|cache| cache.idle_bytes() > cache.limits.idle_bytes);
    }

    /// Evicts entries until one of `bytes` can be added, and returns their values. Called before a large value is made, so
    /// that it is never in memory together with those that it replaces.
    pub(crate) fn make_room(&mut self, bytes: usize) -> Vec<V> {
        self.evict_while(|cache| {
            cache.idle_bytes() > cache.limits.idle_bytes
                || cache.entries.len() >= MAX_ENTRIES
                || cache.bytes().saturating_add(bytes) > cache.limits.bytes
        })
    }

    /// Adds the value of a key that has none, and evicts what it leaves no room for.
    pub(crate) fn insert(&mut self, key: K, value: V) -> &mut V {
        self.make_room(value.bytes());
        let place = self.entries.len();
        self.entries.push(Entry { key, value, last_turn: self.turn });
        &mut self.entries[place].value
    }

    /// Bytes of all entries.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.iter().map(|entry| entry.value.bytes()).sum()
    }

    fn idle_bytes(&self) -> usize {
        let idle = self.entries.iter().filter(|entry| self.turn - entry.last_turn > IDLE_TURNS);
        idle.map(|entry| entry.value.bytes()).sum()
    }

    fn evict_while(&mut self, is_full: impl Fn(&Self) -> bool) -> Vec<V> {
        let mut evicted = Vec::new();
        while self.entries.first().is_some_and(|entry| entry.last_turn < self.turn) && is_full(self) {
            evicted.push(self.entries.remove(0).value);
        }
        evicted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of that many bytes.
    #[derive(Debug, PartialEq)]
    struct Block(usize);

    impl Weigh for Block {
        fn bytes(&self) -> usize {
            self.0
        }
    }

    const LIMITS: LruLimits = LruLimits { bytes: 100, idle_bytes: 30 };

    /// A cache with an entry of `bytes` from each of `keys`, one a turn.
    fn filled(keys: std::ops::Range<u32>, bytes: usize) -> Lru<u32, Block> {
        let mut cache = Lru::new(LIMITS);
        for key in keys {
            cache.next_turn();
            cache.insert(key, Block(bytes));
        }
        cache
    }

    fn kept(cache: &Lru<u32, Block>) -> Vec<u32> {
        cache.entries.iter().map(|entry| entry.key).collect()
    }

    #[test]
    fn least_recently_used_entries_go_first_when_bytes_exceed_the_limit() {
        let mut cache = filled(0..4, 25);
        cache.next_turn();
        assert_eq!(cache.get(&0), Some(&mut Block(25)));
        assert_eq!(cache.get(&9), None);
        cache.insert(4, Block(40));
        assert_eq!(kept(&cache), [3, 0, 4], "1 and 2 were used before 0");
        assert_eq!(cache.bytes(), 90);
    }

    #[test]
    fn number_of_entries_stays_within_its_limit() {
        let cache = filled(0..50, 0);
        assert_eq!(kept(&cache), (50 - MAX_ENTRIES as u32..50).collect::<Vec<_>>());
    }

    #[test]
    fn entries_used_in_the_current_turn_stay_beyond_the_limit() {
        let mut cache = filled(0..2, 60);
        assert_eq!(kept(&cache), [1]);
        cache.next_turn();
        cache.get(&1);
        cache.insert(2, Block(60));
        assert_eq!(kept(&cache), [1, 2], "both are in use");
        cache.next_turn();
        cache.insert(3, Block(1));
        assert_eq!(kept(&cache), [2, 3]);
    }

    #[test]
    fn idle_entries_stay_within_their_own_limit() {
        let mut cache = filled(0..4, 20);
        for _ in 0..=IDLE_TURNS {
            cache.next_turn();
            cache.get(&3);
            cache.evict_idle();
        }
        assert_eq!(kept(&cache), [2, 3], "0, 1 and 2 are idle, and one of 20 bytes fits the limit of 30");
    }

    #[test]
    fn room_is_made_before_an_entry_is_added_and_gives_the_evicted_values() {
        let mut cache = filled(0..4, 25);
        cache.next_turn();
        assert_eq!(cache.make_room(30), [Block(25), Block(25)]);
        assert_eq!(cache.make_room(30), [], "there is room already");
        assert!(cache.contains(&2) && !cache.contains(&1));
    }
}
