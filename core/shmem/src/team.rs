// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Teams: PEs that meet, and number themselves from 0.
//!
//! A team is a [`Group`] of the fabric. The first two are made when the world begins, in the group in which
//! all PEs meet: the team of all, and the team of those whose memory each of them has mapped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::time::Duration;

use mf_base::sync::wait::Deadline;
use mf_base::{Rank, Result};
use mf_fabric::group::Group;
use mf_fabric::objects::Object;

use crate::World;

/// The places of the first teams in the list of a PE's teams.
const WORLD: usize = 0;
const SHARED: usize = 1;

/// PEs that meet. What it says of itself is **local**, and holds as long as it is held, also when the team
/// has been destroyed.
pub struct Team {
    group: Arc<Group>,
    index: usize,
    my_pe: i32,
    n_pes: i32,
    timeout: Duration,
}

/// The teams of a world.
#[derive(Debug)]
pub(crate) struct Teams {
    world: Arc<Team>,
    shared: Arc<Team>,
}

impl Team {
    fn new(group: Arc<Group>, index: usize, timeout: Duration) -> Arc<Self> {
        let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let (my_pe, n_pes) = (number(group.place()), number(group.members().len()));
        Arc::new(Self { group, index, my_pe, n_pes, timeout })
    }

    /// The number of this PE in it, from 0.
    #[inline]
    pub fn my_pe(&self) -> i32 {
        self.my_pe
    }

    /// The number of its PEs.
    #[inline]
    pub fn n_pes(&self) -> i32 {
        self.n_pes
    }

    /// Its PEs, in their order, by their numbers in the world.
    #[inline]
    pub fn members(&self) -> &[Rank] {
        self.group.members()
    }

    /// The number in the world of one of its PEs; none: it has no such PE.
    #[inline]
    pub fn world_pe(&self, pe: i32) -> Option<i32> {
        let rank = self.members().get(usize::try_from(pe).ok()?)?;
        Some(rank.0.cast_signed())
    }

    /// The number in it of a PE of the world; none: it is not in it.
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

    /// Where its members meet. One thread at a time of each PE uses it.
    #[inline]
    pub fn group(&self) -> &Arc<Group> {
        &self.group
    }

    /// Its place in the list of this PE's teams: 0 is the team of all, 1 that of shared memory; another team
    /// has the lowest that was free, and two PEs may have it at different places.
    pub fn index(&self) -> usize {
        self.index
    }

    /// When a meeting that begins now must have ended.
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
            .field("index", &self.index)
            .finish_non_exhaustive()
    }
}

impl Teams {
    /// Makes the first teams. **Collective** over all PEs. `starts`: where the memory of each is mapped here, 0:
    /// nowhere.
    ///
    /// # Errors
    /// Those of [`World::barrier_all`].
    pub(crate) fn begin(
        operation: &'static str,
        object: &Object,
        starts: &[u64],
        timeout: Duration,
    ) -> Result<Self> {
        let ranks: Vec<Rank> = (0..).map(Rank).take(starts.len()).collect();
        let own = digest(starts).to_le_bytes();
        let mut digests = vec![0; starts.len() * own.len()];
        object.allgather(operation, &own, &mut digests)?;
        // PEs that have mapped the same PEs, themselves among them, have mapped each other.
        let is_like = |rank: &Rank| {
            let (place, start) = (rank.0 as usize, starts.get(rank.0 as usize));
            *rank == object.pool().rank()
                || start.is_some_and(|start| *start != 0) && digests.chunks_exact(8).nth(place) == Some(&own)
        };
        let near: Vec<Rank> = ranks.iter().copied().filter(is_like).collect();
        let world = Team::new(object.split(operation, &ranks)?, WORLD, timeout);
        let shared = Team::new(object.split(operation, &near)?, SHARED, timeout);
        Ok(Self { world, shared })
    }
}

/// Stands for the PEs that are mapped.
fn digest(starts: &[u64]) -> u64 {
    let bits = starts.iter().map(|start| u64::from(*start != 0));
    bits.fold(0xcbf2_9ce4_8422_2325, |hash, bit| (hash ^ bit).wrapping_mul(0x0100_0000_01b3))
}

const SYNC: &str = "symmetric team sync";

impl World {
    /// The team of all PEs. **Local.**
    #[inline]
    pub fn team_world(&self) -> &Arc<Team> {
        &self.teams().world
    }

    /// The team of this PE and those whose memory it has mapped, as they have mapped its memory. **Local.**
    #[inline]
    pub fn team_shared(&self) -> &Arc<Team> {
        &self.teams().shared
    }

    /// Waits until all PEs of a team are here; completes nothing but plain stores. **Collective** over the team.
    /// At most for the control timeout.
    ///
    /// # Errors
    /// `Timeout` names who did not come · `NotConnected` names a PE that has died or ended · `InvalidParam` a
    /// PE is in another call · `RepeatInvoke` another thread is in a call of the team · `NotInit` after
    /// [`end`](Self::end).
    pub fn team_sync(&self, team: &Team) -> Result<()> {
        self.check(SYNC)?;
        fence(Ordering::SeqCst);
        team.group().barrier(team.deadline())
    }

    /// The number in `to` of a PE of `from`; none: `from` has no such PE, or it is not in `to`. **Local.**
    pub fn translate_pe(&self, from: &Team, pe: i32, to: &Team) -> Option<i32> {
        to.pe_of(from.world_pe(pe)?)
    }
}
