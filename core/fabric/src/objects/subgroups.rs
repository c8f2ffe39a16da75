// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Subgroups of an object's members, which meet under a key.
//!
//! A subgroup needs no setup: a member that names a key for the first time contributes its place in the
//! subgroup to a gather, and learns the others'. From then on the ranks meet like the ranks of the whole
//! object.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::{Error, Rank, Result};
use mf_store::Store;

use super::gather::gather;
use super::recovering_barrier::{Meeting, assemble, check_presence};
use crate::group::Group;
use crate::pool::Pool;

/// Longest key in bytes.
pub const KEY_BYTES_MAX: usize = 63;

/// The subgroups that this rank has met in, by key.
#[derive(Default)]
pub(super) struct Subgroups(Mutex<BTreeMap<String, Arc<Subgroup>>>);

pub(super) struct Subgroup {
    rank_size: u32,
    rank: u32,
    meeting: Meeting,
    /// Known places in the object by places in the subgroup, to name lost members at once. They are gathered
    /// anew for each group, since some ranks may have known them before a failure and others not.
    members: Mutex<Option<Vec<Rank>>>,
}

/// Context in which subgroups are made.
pub(super) struct Surroundings<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) pool: &'a Arc<Pool>,
    /// In front of the keys of the object in the store.
    pub(super) prefix: &'a str,
    /// The own place in the object.
    pub(super) place: Rank,
    /// Members of the object.
    pub(super) members: u32,
}

impl Subgroups {
    /// Meets in the subgroup. **Collective** over its ranks.
    pub(super) fn call(
        &self,
        operation: &'static str,
        around: &Surroundings<'_>,
        key: &str,
        (rank_size, rank): (u32, u32),
        deadline: Instant,
        call: impl FnOnce(&Group) -> Result<()>,
    ) -> Result<()> {
        let subgroup = self.subgroup(operation, around, key, (rank_size, rank))?;
        subgroup.meeting.call(operation, rank_size, || subgroup.make(operation, around, key, deadline), call)
    }

    /// Gives all groups up.
    pub(super) fn end(&self) {
        let subgroups = std::mem::take(&mut *lock(&self.0));
        subgroups.values().for_each(|subgroup| subgroup.meeting.end());
    }

    fn subgroup(
        &self,
        operation: &'static str,
        around: &Surroundings<'_>,
        key: &str,
        (rank_size, rank): (u32, u32),
    ) -> Result<Arc<Subgroup>> {
        let bad =
            |what: &str| Error::invalid(operation, what).with("rank_size", rank_size).with("rank", rank);
        if key.is_empty() || key.len() > KEY_BYTES_MAX {
            return Err(bad("the key is too short or too long")
                .with("key_bytes", key.len())
                .hint("1 to 63 bytes"));
        }
        if rank_size == 0 || rank_size > around.members || rank >= rank_size {
            return Err(bad("the subgroup or the rank in it is not possible")
                .with("key", key)
                .with("object_rank_size", around.members)
                .hint("at most all ranks of the object; ranks of a subgroup count from 0"));
        }
        let mut subgroups = lock(&self.0);
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
    fn make(
        &self,
        operation: &'static str,
        around: &Surroundings<'_>,
        key: &str,
        deadline: Instant,
    ) -> Result<Arc<Group>> {
        let mut members = lock(&self.members);
        if let Some(known) = &*members {
            check_presence(around.pool, known, operation)?;
        }
        let members = members.insert(self.find(operation, around, key, deadline)?);
        assemble(around.pool, key, members, deadline, operation)
    }

    /// Finds the other members.
    fn find(
        &self,
        operation: &'static str,
        around: &Surroundings<'_>,
        key: &str,
        deadline: Instant,
    ) -> Result<Vec<Rank>> {
        let name = format!("{}subgroup/{key}", around.prefix);
        let own = (self.rank, around.place.0);
        let offers = gather(around.store, operation, &name, self.rank_size, &own, deadline);
        decide(operation, key, self.rank_size, &offers.map_err(|error| error.with("subgroup", key))?)
    }
}

/// Returns the members' places in the object by their places in the subgroup, from the offers of all.
fn decide(
    operation: &'static str,
    key: &str,
    members: u32,
    offers: &BTreeMap<Rank, (u32, u32)>,
) -> Result<Vec<Rank>> {
    let mut places = vec![None; members as usize];
    for (job_rank, (rank, place)) in offers {
        match places.get_mut(*rank as usize) {
            Some(slot @ None) => *slot = Some(Rank(*place)),
            _ => {
                return Err(Error::invalid(operation, "two ranks have the same place in the subgroup")
                    .with("key", key)
                    .with("job_rank", job_rank)
                    .hint("each rank of a subgroup passes another rank id"));
            }
        }
    }
    let all: Option<Vec<Rank>> = places.into_iter().collect();
    all.ok_or_else(|| Error::invalid(operation, "a place in the subgroup stays empty").with("key", key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_validated_from_all_offers() {
        let of = |offers: [(u32, u32); 2]| {
            decide("test", "k", 2, &[Rank(4), Rank(9)].into_iter().zip(offers).collect())
        };
        assert_eq!(of([(1, 5), (0, 7)]).unwrap(), [Rank(7), Rank(5)]);
        let error = of([(1, 5), (1, 7)]).unwrap_err();
        assert!(error.to_string().contains("same place") && error.fact("job_rank") == Some("9"), "{error}");
    }
}
