// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Teams: subsets of PEs with a numbering from 0, for collective calls.
//!
//! A team is a [`Group`] of the fabric. The first two are made when the world begins, in the group in which
//! all PEs meet: the team of all PEs, and the team of the PEs that have mapped each other's memory. Others
//! are split from them (`team/split`).

mod refusals;
#[expect(unsafe_code, reason = "words in the library areas of PEs")]
mod ring;
mod split;

use std::fmt;
use std::sync::atomic::{Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use mf_base::sync::wait::Deadline;
use mf_base::{Error, Kind, Rank, Result};
use mf_fabric::group::Group;
use mf_fabric::objects::Object;

use crate::fast_path::contexts::Progression;
use crate::handles::{Handles, place_of};

pub(crate) use refusals::HEAD_BYTES;
use refusals::Refusals;
pub(crate) use ring::{Ring, TeamRings};
pub use split::TEAMS_MAX;
pub(crate) use split::{Lists, SPLIT, grid, strided};

/// Numbers of the first teams.
const WORLD: u64 = 1;
const SHARED: u64 = 2;

/// Options of a team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamOptions {
    /// Number of contexts that the program will create. A hint; more are possible.
    pub num_contexts: i32,
}

/// A team. Queries are **local**, and stay valid as long as it is held, also after the team was destroyed.
pub struct Team {
    group: Arc<Group>,
    number: u64,
    my_pe: i32,
    n_pes: i32,
    timeout: Duration,
    options: TeamOptions,
    rings: Mutex<TeamRings>,
    /// Held by the thread that splits it.
    splitting: Mutex<()>,
    /// Calls that this PE has refused, and that others may not know of.
    refused: Refusals,
}

/// The teams of a world.
pub(crate) struct Teams {
    world: Arc<Team>,
    shared: Arc<Team>,
    others: Handles<Team>,
}

impl Team {
    fn new(group: Arc<Group>, number: u64, timeout: Duration, options: TeamOptions) -> Arc<Self> {
        let pes = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let (my_pe, n_pes) = (pes(group.place()), pes(group.members().len()));
        let (rings, splitting, refused) = Default::default();
        Arc::new(Self { group, number, my_pe, n_pes, timeout, options, rings, splitting, refused })
    }

    /// Returns the number of this PE in it, from 0.
    #[inline]
    pub fn my_pe(&self) -> i32 {
        self.my_pe
    }

    /// Returns the number of its PEs.
    #[inline]
    pub fn n_pes(&self) -> i32 {
        self.n_pes
    }

    /// Returns its PEs in order, by their numbers in the world.
    #[inline]
    pub fn members(&self) -> &[Rank] {
        self.group.members()
    }

    /// Returns the number in the world of one of its PEs; `None` if it has no such PE.
    #[inline]
    pub fn world_pe(&self, pe: i32) -> Option<i32> {
        let rank = self.members().get(usize::try_from(pe).ok()?)?;
        Some(rank.0.cast_signed())
    }

    /// Returns the number in the team of a PE of the world; `None` if it is not a member.
    pub fn pe_of(&self, world_pe: i32) -> Option<i32> {
        let wanted = Rank(u32::try_from(world_pe).ok()?);
        let members = self.members();
        // Members mostly have equal distances.
        let guessed = match members {
            [first, second, ..] if first != second => {
                let (first, second) = (i64::from(first.0), i64::from(second.0));
                usize::try_from((i64::from(wanted.0) - first) / (second - first)).ok()
            }
            _ => None,
        };
        let is_wanted = |place: &usize| members.get(*place) == Some(&wanted);
        let place = guessed.filter(is_wanted).or_else(|| members.iter().position(|rank| *rank == wanted));
        place.and_then(|place| i32::try_from(place).ok())
    }

    /// Returns its PEs as a progression, if they are at equal distances.
    pub(crate) fn progression(&self) -> Option<Progression> {
        let first = self.world_pe(0)?;
        let stride = self.world_pe(1).map_or(0, |second| second - first);
        let count = self.n_pes();
        let is_one = (0..).zip(self.members()).all(|(pe, rank)| rank.0.cast_signed() == first + pe * stride);
        is_one.then_some(Progression { first, stride, count })
    }

    /// Returns the group of its members. One thread at a time of each PE uses it.
    #[inline]
    pub fn group(&self) -> &Arc<Group> {
        &self.group
    }

    /// Returns its index in the list of this PE's teams: 0 is the team of all, 1 the shared-memory team;
    /// another team has the lowest free index, which may differ between PEs.
    pub fn index(&self) -> usize {
        place_of(self.number).unwrap_or_default()
    }

    /// Returns its number among the teams of this PE: 1 is the team of all, 2 the shared-memory team, 0 is
    /// invalid. The number of a destroyed team is not reused.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the options of its creation.
    pub fn options(&self) -> TeamOptions {
        self.options
    }

    /// Enters a call of several steps, and excludes other threads until the returned guard is dropped.
    ///
    /// # Errors
    /// `RepeatInvoke` another thread is in one.
    pub(crate) fn enter(&self, operation: &'static str) -> Result<MutexGuard<'_, TeamRings>> {
        match self.rings.try_lock() {
            Ok(rings) => Ok(rings),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Error::new(Kind::RepeatInvoke, operation)
                .what("another thread is in a call of this team")
                .with("n_pes", self.n_pes)
                .hint("give each thread a team of its own")),
        }
    }

    /// Waits until all PEs of the team have arrived; completes only plain stores.
    ///
    /// # Errors
    /// Errors of a meeting.
    pub(crate) fn sync(&self) -> Result<()> {
        fence(Ordering::SeqCst);
        self.settle()?;
        self.group.barrier(self.deadline())
    }

    /// Returns the deadline of a meeting that begins now.
    #[inline]
    pub fn deadline(&self) -> Deadline {
        Deadline::Within(self.timeout)
    }
}

impl fmt::Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Team")
            .field("my_pe", &self.my_pe)
            .field("n_pes", &self.n_pes)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

impl Teams {
    /// Makes the first teams. **Collective** over all PEs. `starts`: the address at which each PE's memory is
    /// mapped here; 0: not mapped.
    ///
    /// # Errors
    /// Errors of a barrier of all PEs.
    pub(crate) fn begin(
        operation: &'static str,
        object: &Object,
        starts: &[u64],
        timeout: Duration,
    ) -> Result<Self> {
        let (own, label) = (object.pool().rank(), digest(starts));
        // PEs that have mapped the same PEs, themselves among them, have mapped each other.
        let is_near = |rank: Rank, theirs: u64| {
            let is_mapped = starts.get(rank.0 as usize).is_some_and(|start| *start != 0);
            rank == own || is_mapped && theirs == label
        };
        let [world, shared] = object.split_alike(operation, label, is_near)?;
        let world = Team::new(world, WORLD, timeout, TeamOptions::default());
        let shared = Team::new(shared, SHARED, timeout, TeamOptions::default());
        Ok(Self { world, shared, others: Handles::new(operation, 2, TEAMS_MAX)? })
    }

    /// Returns the team of all PEs.
    #[inline]
    pub(crate) fn world(&self) -> &Arc<Team> {
        &self.world
    }

    /// Returns the team with a number, predefined ones included.
    ///
    /// # Errors
    /// `InvalidParam` no such team.
    pub(crate) fn find(&self, operation: &'static str, number: u64) -> Result<Arc<Team>> {
        let team = match number {
            WORLD => Some(Arc::clone(&self.world)),
            SHARED => Some(Arc::clone(&self.shared)),
            _ => self.others.get(number),
        };
        team.ok_or_else(|| {
            Error::invalid(operation, "no such team")
                .with("team", format!("{number:#x}"))
                .hint("it may have been destroyed, or this PE is not in it; nothing was done")
        })
    }

    /// Returns the team at an index of this PE's list, with any number.
    pub(crate) fn get_at(&self, index: usize) -> Option<Arc<Team>> {
        match index {
            0 => Some(Arc::clone(&self.world)),
            1 => Some(Arc::clone(&self.shared)),
            _ => self.others.get_at(index),
        }
    }

    /// Returns true for the number of a team that exists from begin to end.
    pub(crate) fn is_predefined(&self, number: u64) -> bool {
        number == WORLD || number == SHARED
    }

    /// Removes a team that was split.
    pub(crate) fn remove(&self, number: u64) {
        self.others.remove(number);
    }

    /// Removes all teams that were split.
    pub(crate) fn clear(&self) {
        drop(self.others.clear());
    }
}

/// Returns a digest of the PEs that are mapped.
fn digest(starts: &[u64]) -> u64 {
    let bits = starts.iter().map(|start| u64::from(*start != 0));
    bits.fold(0xcbf2_9ce4_8422_2325, |hash, bit| (hash ^ bit).wrapping_mul(0x0100_0000_01b3))
}
