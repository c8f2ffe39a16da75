// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Some ranks of an object that meet under a key.
//!
//! Nobody sets a subgroup up: who names a key for the first time tells in the store which place of the subgroup it has, and
//! learns the others'. From then on the ranks meet like those of the whole object.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use mf_base::{Error, Rank, Result};
use mf_fabric::group::Group;
use mf_fabric::pool::Pool as FabricPool;
use mf_store::Store;

use super::meeting::{Meeting, all_are_there, gather};

const OP: &str = "shm subgroup";

/// Longest key in bytes.
pub const KEY_BYTES_MAX: usize = 63;

/// The subgroups that this rank has met in, by key.
#[derive(Default)]
pub(super) struct Subgroups(Mutex<BTreeMap<String, Arc<Subgroup>>>);

pub(super) struct Subgroup {
    rank_size: u32,
    rank: u32,
    meeting: Meeting,
    /// Places in the object by places in the subgroup, as far as they are known: to say at once who is gone. They are asked for
    /// whenever a group is made, since some ranks may have known them before a failure and others not.
    members: Mutex<Option<Vec<Rank>>>,
}

/// Where subgroups are made.
pub(super) struct Around<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) pool: &'a FabricPool,
    /// In front of the keys of the object in the store.
    pub(super) prefix: &'a str,
    /// The own place in the object.
    pub(super) place: Rank,
    /// Ranks of the object.
    pub(super) rank_size: u32,
}

impl Subgroups {
    /// Meets in the subgroup. **Collective** over its ranks.
    pub(super) fn call(
        &self,
        around: &Around<'_>,
        key: &str,
        (rank_size, rank): (u32, u32),
        deadline: Instant,
        call: impl FnOnce(&Group) -> Result<()>,
    ) -> Result<()> {
        let subgroup = self.subgroup(around, key, rank_size, rank)?;
        subgroup.meeting.call(|| subgroup.make(around, key, deadline), call)
    }

    /// Gives all groups up.
    pub(super) fn end(&self) {
        let subgroups = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        subgroups.values().for_each(|subgroup| subgroup.meeting.end());
    }

    fn subgroup(&self, around: &Around<'_>, key: &str, rank_size: u32, rank: u32) -> Result<Arc<Subgroup>> {
        let bad = |what: &str| Error::invalid(OP, what).with("rank_size", rank_size).with("rank", rank);
        if key.is_empty() || key.len() > KEY_BYTES_MAX {
            return Err(bad("the key is too short or too long")
                .with("key_bytes", key.len())
                .hint("1 to 63 bytes"));
        }
        if rank_size == 0 || rank_size > around.rank_size || rank >= rank_size {
            return Err(bad("the subgroup or the rank in it is not possible")
                .with("key", key)
                .with("object_rank_size", around.rank_size)
                .hint("at most all ranks of the object; ranks of a subgroup count from 0"));
        }
        let mut subgroups = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = subgroups.get(key) {
            if (known.rank_size, known.rank) == (rank_size, rank) {
                return Ok(Arc::clone(known));
            }
            return Err(bad("the key belongs to another subgroup")
                .with("key", key)
                .with("known_rank_size", known.rank_size)
                .with("known_rank", known.rank)
                .hint("use another key for each subgroup"));
        }
        let (meeting, members) = (Meeting::default(), Mutex::default());
        let new = Arc::new(Subgroup { rank_size, rank, meeting, members });
        subgroups.insert(key.to_owned(), Arc::clone(&new));
        Ok(new)
    }
}

impl Subgroup {
    fn make(&self, around: &Around<'_>, key: &str, deadline: Instant) -> Result<Arc<Group>> {
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*members {
            all_are_there(around.pool, known, OP)?;
        }
        let members = members.insert(self.find(around, key, deadline)?);
        gather(around.pool, key, members, deadline, OP)
    }

    /// Who the others are.
    fn find(&self, around: &Around<'_>, key: &str, deadline: Instant) -> Result<Vec<Rank>> {
        let own: Vec<u8> = [self.rank, around.place.0].into_iter().flat_map(u32::to_le_bytes).collect();
        let name = format!("{}subgroup/{key}", around.prefix);
        let parts = around
            .store
            .allgather(&name, self.rank_size, &own, deadline)
            .map_err(|error| error.with("subgroup", key))?;
        let mut members = vec![None; self.rank_size as usize];
        for part in &parts {
            let word = |at: usize| Some(u32::from_le_bytes(part.value.get(at..at + 4)?.try_into().ok()?));
            let slot = word(0).and_then(|rank| members.get_mut(rank as usize));
            match (slot, word(4)) {
                (Some(slot @ None), Some(place)) => *slot = Some(Rank(place)),
                _ => {
                    return Err(Error::invalid(OP, "two ranks have the same place in the subgroup")
                        .with("key", key)
                        .with("job_rank", part.rank)
                        .hint("each rank of a subgroup passes another rank id"));
                }
            }
        }
        let all: Option<Vec<Rank>> = members.into_iter().collect();
        all.ok_or_else(|| Error::invalid(OP, "a place in the subgroup stays empty").with("key", key))
    }
}
