// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Layout of the area before a heap in device memory, for kernels: offsets from the start of a PE's part, the
//! same on all PEs.
//!
//! ```text
//! | control area | sync pool, counters | arrays by PE | cycles | blocks | teams | heap
//! 0              2 MiB                 8 MiB          9 MiB    11 MiB   12 MiB  16 MiB
//! ```
//!
//! The control area is the same as for any object (`device-kernels/include/mf_control.h`); CANN's kernels
//! meet by sync pool and counters: an array of 2,560 bytes and a counter of 64 for each team.

use mf_fabric::space::layout::GRANULE_BYTES;

use crate::segment::AREA_BYTES;

/// The sync pool: an array for each team, in which its members arrive.
pub(super) const SYNC_POOL_AT: u64 = 2 << 20;
const SYNC_ARRAY_BYTES: u64 = 2560;
/// A counter for each team: the number of its meetings.
pub(super) const SYNC_COUNTERS_AT: u64 = SYNC_POOL_AT + SYNC_ARRAY_BYTES * TEAMS;
const SYNC_COUNTER_BYTES: u64 = 64;
/// The same for the cores of an NPU.
pub(super) const CORE_SYNC_POOL_AT: u64 = SYNC_COUNTERS_AT + SYNC_COUNTER_BYTES * TEAMS;
const CORE_SYNC_POOL_BYTES: u64 = 18432;
pub(super) const CORE_SYNC_COUNTER_AT: u64 = CORE_SYNC_POOL_AT + CORE_SYNC_POOL_BYTES;

/// Start of each PE's memory, as a pointer, by engine.
pub(super) const ARRAYS_AT: u64 = 8 << 20;
const ARRAYS: u64 = 6;
const ARRAY_BYTES: u64 = 8 * 16384;
/// The same for the heap in host memory.
pub(super) const HOST_ARRAY_AT: u64 = ARRAYS_AT + 3 * ARRAY_BYTES;

/// Cycle counts of kernels: a number and 64 blocks of 16 KiB.
pub(super) const CYCLES_AT: u64 = 9 << 20;
pub(crate) const CYCLES_BYTES: u64 = 1_048_584;

/// Blocks of the heap in use, if kernels check addresses against them.
pub(super) const BLOCKS_AT: u64 = 11 << 20;
/// Most blocks shown; with more, kernels check less.
pub(super) const BLOCKS_MOST: usize = 4096;

const TEAMS_AT: u64 = 12 << 20;
/// Most teams of a PE.
pub(super) const TEAMS: u64 = 2048;
/// Distance of the two tables of a team.
const TABLE_BYTES: u64 = 64 << 10;
/// Offset of the tables in the description of a team.
pub(super) const TEAM_HEAD_BYTES: u64 = 88;
/// Offset of the members' array indices in their sync pools, a number each, behind the description.
pub(super) const TEAM_SLOTS_AT: u64 = 131_200;
const CHUNK_BYTES: u64 = 4 * TABLE_BYTES;

const _: () = assert!(CORE_SYNC_COUNTER_AT + SYNC_COUNTER_BYTES <= ARRAYS_AT);
const _: () = assert!(ARRAYS_AT + ARRAYS * ARRAY_BYTES <= CYCLES_AT && CYCLES_AT + CYCLES_BYTES <= BLOCKS_AT);
const _: () =
    assert!(BLOCKS_AT + 16 * BLOCKS_MOST as u64 <= TEAMS_AT && AREA_BYTES.is_multiple_of(GRANULE_BYTES));

/// Returns the array of a team in the sync pool, and its length.
pub(super) fn sync_array(team: u64) -> (u64, u64) {
    (SYNC_POOL_AT + team * SYNC_ARRAY_BYTES, SYNC_ARRAY_BYTES)
}

/// Returns the counter of a team, and its length.
pub(super) fn sync_counter(team: u64) -> (u64, u64) {
    (SYNC_COUNTERS_AT + team * SYNC_COUNTER_BYTES, SYNC_COUNTER_BYTES)
}

/// Returns the offset of a team's description, 131,160 bytes with tables for 16,384 PEs of which `n_pes` are
/// used; `None` if there is no room. Descriptions in small jobs share the unused parts of each other's
/// tables.
pub(super) fn team(team: u64, n_pes: u64) -> Option<u64> {
    let each = (TEAM_HEAD_BYTES + 4 * n_pes).next_multiple_of(64);
    let in_chunk = (TABLE_BYTES / each).max(1);
    let at = TEAMS_AT + team / in_chunk * CHUNK_BYTES + team % in_chunk * each;
    (team < TEAMS && at + TEAM_SLOTS_AT + TABLE_BYTES <= AREA_BYTES).then_some(at)
}

/// Returns the tables of a team: from its numbers to the world's, and back.
pub(super) const fn team_tables(team: u64) -> [u64; 2] {
    [team + TEAM_HEAD_BYTES, team + TEAM_HEAD_BYTES + TABLE_BYTES]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_teams_do_not_overlap() {
        for n_pes in [1, 2, 8, 100, 1000, 16384] {
            let parts = |at: u64| {
                let [there, back] = team_tables(at);
                let head = (at, at + TEAM_HEAD_BYTES + 4 * n_pes);
                assert_eq!(there, at + TEAM_HEAD_BYTES);
                [head, (back, back + 4 * n_pes), (at + TEAM_SLOTS_AT, at + TEAM_SLOTS_AT + 4 * n_pes)]
            };
            let mut all: Vec<(u64, u64)> =
                (0..TEAMS).map_while(|number| team(number, n_pes)).flat_map(parts).collect();
            assert!(all.len() >= 3 * 8, "{n_pes} PEs: {} parts", all.len());
            assert!(n_pes > 100 || all.len() as u64 == 3 * TEAMS);
            all.sort_unstable();
            assert!(all.windows(2).all(|two| two[0].1 <= two[1].0), "{n_pes} PEs");
            assert!(all.iter().all(|(_, end)| *end <= AREA_BYTES));
        }
        assert_eq!(team(TEAMS, 2), None);
    }
}
