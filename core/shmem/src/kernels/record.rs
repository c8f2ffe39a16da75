// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The record by which kernels find a symmetric heap, in the layouts of three generations of CANN's headers
//! (interface facts). All have the same beginning; older ones are shorter.

use mf_base::settings::Generation;

/// Bytes of the common beginning.
const COMMON_BYTES: usize = 32896;
/// Most PEs, and most teams: the record has a word for each.
pub(crate) const PES: usize = 16384;
pub(super) const TEAMS: usize = 2048;
/// Offset of the extension behind the longest record, known to our own headers only.
const OWN_AT: usize = 33024;
/// Magic of the extension.
const OWN_MAGIC: u64 = 0x6d66_7368_6d65_6d31;

/// Layout: length of the record, and its last fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Up to 1.0: engines MTE and SDMA.
    UpTo10,
    /// 1.3 to 1.5: also RDMA, cycles, signals.
    UpTo15,
    /// Also UDMA.
    Head,
}

impl Layout {
    pub(crate) fn for_generation(generation: Generation) -> Self {
        match generation {
            Generation::EarlySecond | Generation::UpTo10 => Self::UpTo10,
            Generation::UpTo15 => Self::UpTo15,
            Generation::Auto | Generation::Head => Self::Head,
        }
    }

    pub(crate) fn bytes(self) -> u32 {
        match self {
            Self::UpTo10 => 32944,
            Self::UpTo15 => 32976,
            Self::Head => 32992,
        }
    }

    fn engines(self) -> usize {
        match self {
            Self::UpTo10 => 2,
            Self::UpTo15 => 3,
            Self::Head => 4,
        }
    }
}

/// Staging buffer of an engine, in a core's unified buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staging {
    /// Offset in the unified buffer.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u32,
    /// The event by which a core waits for the engine.
    pub event: u32,
}

/// Copy engines that kernels name, in the order of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// The copy unit of a core.
    Mte,
    /// The system's copy engine.
    Sdma,
    /// The network card.
    Rdma,
    /// The unified bus.
    Udma,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 4] = [Self::Mte, Self::Sdma, Self::Rdma, Self::Udma];

    /// Returns the default staging buffer.
    pub const fn default_staging(self) -> Staging {
        match self {
            Self::Mte => Staging { offset: 0, bytes: 16 << 10, event: 0 },
            Self::Sdma => Staging { offset: 191 << 10, bytes: 64, event: 0 },
            Self::Rdma => Staging { offset: 190 << 10, bytes: 128, event: 0 },
            Self::Udma => Staging { offset: 189 << 10, bytes: 128, event: 0 },
        }
    }
}

/// Routes to a PE: bits of the record.
pub(super) const BY_MTE: u8 = 1;
pub(super) const BY_SDMA: u8 = 4;

/// Contents of the record. Addresses are valid in kernels; 0: absent.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) my_pe: u32,
    pub(super) n_pes: u32,
    pub(super) heap_base: u64,
    pub(super) heap_bytes: u64,
    /// The heap in host memory, and its length; 0: absent.
    pub(super) host_heap: (u64, u64),
    /// Arrays of the start of each PE's memory: device memory by P2P, RDMA, SDMA; host memory likewise.
    pub(super) arrays: [u64; 6],
    /// By PE.
    pub(super) reached_by: Vec<u8>,
    /// Descriptions of teams, by number.
    pub(super) teams: Vec<u64>,
    pub(super) sync_pool: u64,
    pub(super) sync_counters: u64,
    pub(super) core_sync_pool: u64,
    pub(super) core_sync_counter: u64,
    pub(super) engines: [Option<Staging>; 4],
    pub(super) cycles: u64,
    /// The list of blocks in use, and their number; `None`: kernels do not check.
    pub(super) blocks: Option<(u64, u64)>,
    /// Start of the memory of programs, after the kernels' area.
    pub(super) first_block: u64,
    /// Queue pairs to each PE.
    pub(super) queue_pairs: u32,
    /// The program has the address of the heap: it may use memory that is in no block.
    pub(super) is_base_known: bool,
}

impl Record {
    /// Encodes the record in this layout, followed by the extension.
    pub(super) fn encode(&self, layout: Layout) -> Vec<u8> {
        let mut bytes = vec![0; OWN_AT + 64];
        let version = (1 << 16) + layout.bytes();
        put(&mut bytes, 0, &version.to_le_bytes());
        put(&mut bytes, 4, &self.my_pe.to_le_bytes());
        put(&mut bytes, 8, &self.n_pes.to_le_bytes());
        put(&mut bytes, 16, &self.heap_base.to_le_bytes());
        words(&mut bytes, 24, &[self.host_heap.0]);
        words(&mut bytes, 32, &self.arrays);
        put(&mut bytes, 80, self.reached_by.get(..PES.min(self.reached_by.len())).unwrap_or_default());
        put(&mut bytes, 16464, &self.heap_bytes.to_le_bytes());
        words(&mut bytes, 16472, self.teams.get(..TEAMS.min(self.teams.len())).unwrap_or_default());
        let pools = [self.sync_pool, self.sync_counters, self.core_sync_pool, self.core_sync_counter];
        words(&mut bytes, 32856, &pools);
        put(&mut bytes, 32888, &[1, 1]);
        let engines = Engine::ALL.into_iter().zip(self.engines).take(layout.engines());
        let mut at = COMMON_BYTES;
        for (engine, set) in engines {
            let staging = set.unwrap_or(engine.default_staging());
            put(&mut bytes, at, &staging.offset.to_le_bytes());
            put(&mut bytes, at + 8, &staging.bytes.to_le_bytes());
            put(&mut bytes, at + 12, &staging.event.to_le_bytes());
            at += 16;
        }
        // The fields between (tables of queues, a workspace) and after them (an address of signals) are
        // unused.
        if layout != Layout::UpTo10 {
            words(&mut bytes, at + 16, &[self.cycles]);
        }
        if let Some((list, count)) = self.blocks {
            words(&mut bytes, OWN_AT + 16, &[list, count]);
        }
        words(&mut bytes, OWN_AT, &[OWN_MAGIC, self.first_block]);
        words(
            &mut bytes,
            OWN_AT + 32,
            &[self.host_heap.1, self.queue_pairs.into(), self.is_base_known.into()],
        );
        bytes
    }
}

fn words(bytes: &mut [u8], at: usize, words: &[u64]) {
    for (number, word) in words.iter().enumerate() {
        put(bytes, at + number * 8, &word.to_le_bytes());
    }
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    if let Some(to) = bytes.get_mut(at..at + value.len()) {
        to.copy_from_slice(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    }

    fn record() -> Record {
        let teams = (0..3000).collect();
        Record {
            my_pe: 3,
            n_pes: 5,
            heap_base: 0x1000,
            heap_bytes: 0x2000,
            host_heap: (0x3000, 44),
            arrays: [11, 12, 13, 14, 15, 16],
            reached_by: vec![5; 5],
            teams,
            sync_pool: 21,
            sync_counters: 22,
            core_sync_pool: 23,
            core_sync_counter: 24,
            engines: [None, None, Some(Staging { offset: 7, bytes: 8, event: 9 }), None],
            cycles: 31,
            blocks: Some((41, 42)),
            first_block: 43,
            queue_pairs: 45,
            is_base_known: true,
        }
    }

    #[test]
    fn each_layout_has_its_length_and_places() {
        for (layout, bytes, engines, cycles) in [
            (Layout::UpTo10, 32944, 2, None),
            (Layout::UpTo15, 32976, 3, Some(32960)),
            (Layout::Head, 32992, 4, Some(32976)),
        ] {
            let encoded = record().encode(layout);
            assert_eq!(word(&encoded, 0), (3 << 32) | ((1 << 16) + bytes), "{layout:?}");
            assert_eq!(u64::from(layout.bytes()), bytes);
            let arrays = (0..6).map(|array| (32 + 8 * array, 11 + array as u64));
            let common =
                [(16, 0x1000), (24, 0x3000), (16464, 0x2000), (16472 + 8, 1), (16472 + 8 * 2047, 2047)];
            for (at, value) in common.into_iter().chain([(32856, 21), (32880, 24)]).chain(arrays) {
                assert_eq!(word(&encoded, at), value, "{layout:?} at {at}");
            }
            assert_eq!(encoded[80..86], [5, 5, 5, 5, 5, 0]);
            assert_eq!(encoded[32888..32896], [1, 1, 0, 0, 0, 0, 0, 0]);
            let staging: Vec<(u64, u64)> = (0..engines)
                .map(|engine| 32896 + 16 * engine)
                .map(|at| (word(&encoded, at), word(&encoded, at + 8)))
                .collect();
            let expected = [(0, 16 << 10), (191 << 10, 64), (7, 9 << 32 | 8), (189 << 10, 128)];
            assert_eq!(staging, expected[..engines]);
            assert!(cycles.is_none_or(|at| word(&encoded, at) == 31));
            let end = 32896 + 16 * engines;
            let rest: Vec<u64> = (end..33016).step_by(8).map(|at| word(&encoded, at)).collect();
            assert_eq!(rest.iter().sum::<u64>(), if cycles.is_some() { 31 } else { 0 }, "{layout:?}");
            let own = [33024, 33032, 33040, 33048, 33056, 33064, 33072].map(|at| word(&encoded, at));
            assert_eq!(own, [OWN_MAGIC, 43, 41, 42, 44, 45, 1]);
        }
    }

    #[test]
    fn generations_have_the_layout_of_their_headers() {
        for (text, layout) in [("g0", Layout::UpTo10), ("g2b", Layout::UpTo10), ("v1.5", Layout::UpTo15)] {
            let generation = mf_base::settings::Value::parse(text).unwrap();
            assert_eq!(Layout::for_generation(generation), layout, "{text}");
        }
        assert_eq!(Layout::for_generation(Generation::Auto), Layout::Head);
    }
}
