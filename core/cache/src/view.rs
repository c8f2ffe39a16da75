// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who takes part, and which member is the home of a key: the one in whose segment the index has its slots.
//!
//! Each member works this out alone, from who is there: every shard of the keys belongs to the member that
//! scores highest for it. A member that comes takes shards from all others alike, one that goes leaves its
//! shards to all, and no other shard moves. While members disagree for a moment, or entries have not moved
//! yet, keys are also looked up where they were before ([`View::homes`]).

use std::hash::Hasher;
use std::sync::Arc;

use siphasher::sip::SipHasher13;

use crate::key::{Print, SHARDS};
use crate::layout::Geometry;
use crate::words::Holder;

/// A member that is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) holder: Holder,
    pub(crate) geometry: Geometry,
    /// Its segment is mapped here. Members may differ in this.
    pub(crate) is_near: bool,
}

/// The homes of all shards for one set of members.
#[derive(Debug)]
pub(crate) struct Homes {
    members: Box<[Member]>,
    /// Index into `members`, by rank.
    by_rank: Box<[Option<u16>]>,
    /// Index into `members`, by shard.
    by_shard: Box<[u16]>,
    /// Equal for equal members only.
    pub(crate) digest: u64,
}

impl Homes {
    /// For members in any order; at least one.
    pub(crate) fn new(mut members: Vec<Member>) -> Self {
        members.sort_unstable_by_key(|member| member.holder.rank);
        let world = members.last().map_or(0, |last| usize::from(last.holder.rank) + 1);
        let mut by_rank = vec![None; world].into_boxed_slice();
        let mut digest = SipHasher13::new();
        for (index, member) in (0..).zip(&members) {
            if let Some(place) = by_rank.get_mut(usize::from(member.holder.rank)) {
                *place = Some(index);
            }
            digest.write_u64(u64::from(member.holder.rank) << 32 | u64::from(member.holder.incarnation));
        }
        let tickets: Vec<u64> = members.iter().map(|member| tickets(&member.geometry)).collect();
        let home = |shard| {
            let scores = (0u16..).zip(members.iter().zip(&tickets)).map(|(index, (member, tickets))| {
                let score = (0..*tickets).map(|ticket| score(shard, member.holder, ticket)).max();
                (score, index)
            });
            scores.max().map_or(0, |(_, index)| index)
        };
        let by_shard = (0..SHARDS as u64).map(home).collect();
        Self { members: members.into(), by_rank, by_shard, digest: digest.finish() }
    }

    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    pub(crate) fn member(&self, rank: u16) -> Option<&Member> {
        let index = (*self.by_rank.get(usize::from(rank))?)?;
        self.members.get(usize::from(index))
    }

    /// Whether exactly this process takes part.
    pub(crate) fn has(&self, holder: Holder) -> bool {
        self.member(holder.rank).is_some_and(|member| member.holder == holder)
    }

    pub(crate) fn home(&self, print: Print) -> Option<&Member> {
        let index = *self.by_shard.get(print.shard())?;
        self.members.get(usize::from(index))
    }
}

/// Tries of a member for each shard: more for a larger index, so that its part fits.
fn tickets(geometry: &Geometry) -> u64 {
    (geometry.buckets >> 12).clamp(1, 16)
}

fn score(shard: u64, holder: Holder, ticket: u64) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write_u64(shard << 16 | ticket);
    hasher.write_u64(u64::from(holder.rank) << 32 | u64::from(holder.incarnation));
    hasher.finish()
}

/// The homes now, and those before, as long as some member still works with them.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) now: Arc<Homes>,
    /// The latest first.
    pub(crate) before: Vec<Arc<Homes>>,
}

/// Views that are remembered: what is older, all entries have left.
const BEFORE_MAX: usize = 8;

impl View {
    pub(crate) fn new(members: Vec<Member>) -> Self {
        Self { now: Arc::new(Homes::new(members)), before: Vec::new() }
    }

    /// With other members from now on.
    pub(crate) fn next(&self, members: Vec<Member>) -> Self {
        let earlier = self.before.iter().take(BEFORE_MAX - 1);
        let before = std::iter::once(&self.now).chain(earlier).map(Arc::clone).collect();
        Self { now: Arc::new(Homes::new(members)), before }
    }

    /// When all members work with this view.
    pub(crate) fn settled(&self) -> Self {
        Self { now: Arc::clone(&self.now), before: Vec::new() }
    }

    /// Where a key is looked for: its home, then those it had before that still take part.
    pub(crate) fn homes(&self, print: Print) -> impl Iterator<Item = &Member> {
        let now = self.now.home(print);
        let earlier = self.before.iter().filter_map(move |homes| homes.home(print));
        let others = earlier.filter(move |member| {
            now.is_none_or(|now| now.holder != member.holder) && self.now.has(member.holder)
        });
        now.into_iter().chain(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Fingerprints;

    fn member(rank: u16) -> Member {
        let geometry = Geometry::divide("test", 64 << 20, 0).unwrap();
        Member { holder: Holder { rank, incarnation: 100 + u32::from(rank) }, geometry, is_near: true }
    }

    #[test]
    fn shards_spread_and_only_those_of_a_member_that_comes_or_goes_move() {
        let three = Homes::new(vec![member(2), member(0), member(1)]);
        let four = Homes::new((0..4).map(member).collect());
        let prints = (0..8000u32).map(|n| Fingerprints([1; 16]).of("test", &n.to_le_bytes()).unwrap());
        let mut counts = [0; 4];
        for print in prints {
            let (before, after) = (three.home(print).unwrap().holder, four.home(print).unwrap().holder);
            assert!(before == after || after.rank == 3);
            counts[usize::from(after.rank)] += 1;
        }
        assert!(counts.iter().all(|count| (1600..2400).contains(count)), "{counts:?}");
        assert_ne!(three.digest, four.digest);
        assert_eq!(three.digest, Homes::new((0..3).map(member).collect()).digest);
    }

    #[test]
    fn keys_are_looked_up_at_former_homes_that_are_still_there() {
        let print = Fingerprints([1; 16]).of("test", b"key").unwrap();
        let mut view = View::new(vec![member(0)]);
        for rank in 1..8 {
            view = view.next((0..=rank).map(member).collect());
            assert!(view.homes(print).any(|home| home.holder.rank == 0));
        }
        let view = view.next((1..8).map(member).collect());
        assert!(view.homes(print).all(|home| home.holder.rank != 0));
        assert_eq!(view.settled().homes(print).count(), 1);
    }
}
