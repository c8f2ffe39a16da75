// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Membership view, and the home of each key: the member whose segment has the key's slots of the index.
//!
//! Homes are computed by rendezvous (highest-random-weight) hashing, by each member alone: each shard of the
//! keys belongs to the member with the highest score for it. A new member takes shards from all others alike,
//! a leaving one gives its shards to all, and no other shard moves. While members disagree for a moment, or
//! entries have not moved yet, keys are sought at several places ([`View`]).

use std::hash::Hasher;
use std::sync::Arc;

use siphasher::sip::SipHasher13;

use crate::atomic_fields::Holder;
use crate::key::{Print, SHARDS};
use crate::layout::Geometry;

/// A member that is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) holder: Holder,
    pub(crate) geometry: Geometry,
    /// Its segment is mapped here. Members may differ in this.
    pub(crate) is_near: bool,
}

/// Index of the home of all shards while no member keeps anything.
const NO_HOME: u16 = u16::MAX;

/// The homes of all shards for one set of members.
#[derive(Debug)]
pub(crate) struct Homes {
    members: Box<[Member]>,
    /// Index into `members`, by rank.
    by_rank: Box<[Option<u16>]>,
    /// Index into `members`, or [`NO_HOME`], by shard.
    by_shard: Box<[u16]>,
    /// Equal only for equal sets of members.
    pub(crate) digest: u64,
}

impl Homes {
    /// Creates the homes for members in any order; at least one. Only members that keep something are homes.
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
            let best = scores.max().filter(|(score, _)| score.is_some());
            best.map_or(NO_HOME, |(_, index)| index)
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

    /// Returns the number of members that keep values.
    pub(crate) fn keepers(&self) -> usize {
        self.members.iter().filter(|member| member.geometry.is_used()).count()
    }

    /// Returns true if exactly this process is a member.
    pub(crate) fn has(&self, holder: Holder) -> bool {
        self.member(holder.rank).is_some_and(|member| member.holder == holder)
    }

    pub(crate) fn home(&self, print: Print) -> Option<&Member> {
        let index = *self.by_shard.get(print.shard())?;
        self.members.get(usize::from(index))
    }
}

/// Returns a member's number of draws for each shard: more for a larger index, in proportion; none without
/// one.
fn tickets(geometry: &Geometry) -> u64 {
    (geometry.buckets >> 12).clamp(u64::from(geometry.is_used()), 16)
}

fn score(shard: u64, holder: Holder, ticket: u64) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write_u64(shard << 16 | ticket);
    hasher.write_u64(u64::from(holder.rank) << 32 | u64::from(holder.incarnation));
    hasher.finish()
}

/// The homes at which keys are put and sought.
///
/// A new member becomes a home in two steps, so that no two members work on a key without seeing each other's
/// work: first all members *expect* it (they also seek and remove keys there), and only when all do, they put
/// keys there. They go on to read the former homes until every key has moved.
#[derive(Debug)]
pub(crate) struct View {
    /// Homes at which keys are put.
    pub(crate) now: Arc<Homes>,
    /// Homes with the expected members.
    pub(crate) expected: Option<Arc<Homes>>,
    /// Former homes that keys may not have left yet, the latest first.
    pub(crate) before: Vec<Arc<Homes>>,
    /// A member has gone, and its part of the index has not been rebuilt yet.
    pub(crate) has_lost: bool,
}

/// Former homes that are remembered: all keys have left older ones.
const BEFORE_MAX: usize = 8;

impl View {
    pub(crate) fn new(members: Vec<Member>) -> Self {
        Self { now: Arc::new(Homes::new(members)), expected: None, before: Vec::new(), has_lost: false }
    }

    fn with(&self, now: Arc<Homes>) -> Self {
        let earlier = self.before.iter().take(BEFORE_MAX - 1);
        let before = std::iter::once(&self.now).chain(earlier).map(Arc::clone).collect();
        Self { now, expected: None, before, has_lost: self.has_lost }
    }

    /// Returns the view for these members: members that have gone are no longer homes, new ones are expected.
    pub(crate) fn for_members(&self, members: Vec<Member>) -> Self {
        let remain: Vec<_> = members.iter().filter(|member| self.now.has(member.holder)).copied().collect();
        // Others may have put keys to it already.
        let is_there = |member: &&Member| members.iter().any(|other| other.holder == member.holder);
        let has_expected_gone = self
            .expected
            .as_ref()
            .is_some_and(|homes| !homes.members().iter().all(|member| is_there(&member)));
        let mut view = Self {
            now: Arc::clone(&self.now),
            expected: None,
            before: self.before.clone(),
            has_lost: self.has_lost,
        };
        if remain.is_empty() {
            // No member is left that would have to agree.
            view = self.with(Arc::new(Homes::new(members.clone())));
            view.has_lost = true;
        } else if remain.len() < self.now.members().len() || has_expected_gone {
            view = self.with(Arc::new(Homes::new(remain)));
            view.has_lost = true;
        }
        let homes = Homes::new(members);
        view.expected = (homes.digest != view.now.digest).then(|| Arc::new(homes));
        view
    }

    /// Returns the view after all members expect the same ones: the expected homes become the present ones.
    pub(crate) fn moved(&self) -> Self {
        self.expected
            .as_ref()
            .map_or_else(|| self.with(Arc::clone(&self.now)), |homes| self.with(Arc::clone(homes)))
    }

    /// Returns the view after all keys have moved.
    pub(crate) fn settled(&self) -> Self {
        Self { now: Arc::clone(&self.now), expected: None, before: Vec::new(), has_lost: false }
    }

    /// Returns true if all members work with these homes, and no others.
    pub(crate) fn is_settled(&self) -> bool {
        self.expected.is_none() && self.before.is_empty() && !self.has_lost
    }

    /// Returns the homes of all members, also expected ones.
    pub(crate) fn latest(&self) -> &Arc<Homes> {
        self.expected.as_ref().unwrap_or(&self.now)
    }

    /// Returns the next member by rank, that one included.
    pub(crate) fn next_member(&self, rank: u16) -> Option<&Member> {
        self.latest().members().iter().find(|member| member.holder.rank >= rank)
    }

    /// Returns the homes at which a key is sought: the one for puts first.
    #[inline]
    pub(crate) fn homes(&self, print: Print) -> impl Iterator<Item = &Member> {
        let now = self.now.home(print);
        let others = self.expected.iter().chain(&self.before).filter_map(move |homes| homes.home(print));
        let others = others.filter(move |member| {
            now.is_none_or(|now| now.holder != member.holder) && self.latest().has(member.holder)
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
    fn only_shards_of_joining_or_leaving_members_move() {
        let three = Homes::new(vec![member(2), member(0), member(1)]);
        let four = Homes::new((0..4).map(member).collect());
        let prints =
            (0..8000u32).map(|n| Fingerprints([1; 16]).fingerprint("test", &n.to_le_bytes()).unwrap());
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
    fn members_without_memory_are_no_homes() {
        let guest = |rank| Member { geometry: Geometry::EMPTY, ..member(rank) };
        let prints =
            || (0..100u32).map(|n| Fingerprints([1; 16]).fingerprint("test", &n.to_le_bytes()).unwrap());
        let mixed = Homes::new(vec![guest(0), member(1), guest(2)]);
        assert!(prints().all(|print| mixed.home(print).unwrap().holder.rank == 1));
        assert_eq!((mixed.members().len(), mixed.keepers()), (3, 1));
        assert!(prints().all(|print| Homes::new(vec![guest(0), guest(2)]).home(print).is_none()));
    }

    #[test]
    fn joining_member_is_read_before_it_is_written() {
        let prints =
            (0..100u32).map(|n| Fingerprints([1; 16]).fingerprint("test", &n.to_le_bytes()).unwrap());
        let alone = View::new(vec![member(0)]);
        let expecting = alone.for_members(vec![member(0), member(1)]);
        let moved = expecting.moved();
        for print in prints {
            let there = moved.now.home(print).unwrap().holder.rank;
            assert_eq!(expecting.homes(print).next().unwrap().holder.rank, 0);
            assert!(expecting.homes(print).any(|home| home.holder.rank == there));
            assert!(moved.homes(print).any(|home| home.holder.rank == 0));
            assert_eq!(moved.settled().homes(print).count(), 1);
        }
        assert!(!moved.has_lost);
    }

    #[test]
    fn departed_member_is_not_a_home() {
        let print = Fingerprints([1; 16]).fingerprint("test", b"key").unwrap();
        let view = View::new((0..8).map(member).collect()).for_members((1..9).map(member).collect());
        assert!(view.homes(print).all(|home| home.holder.rank != 0));
        assert!(view.has_lost && view.expected.is_some() && view.latest().members().len() == 8);
        // Others may have put keys to a member that this one only expects.
        let expecting = View::new(vec![member(0), member(1)]).for_members((0..3).map(member).collect());
        let view = expecting.for_members(vec![member(0), member(1)]);
        assert!(view.has_lost && view.expected.is_none() && view.now.digest == expecting.now.digest);
        assert!(!view.before.is_empty() && !Arc::ptr_eq(&view.now, &expecting.now));
        // Another process of the same rank is another member.
        let other = Member { holder: Holder { rank: 1, incarnation: 7 }, ..member(1) };
        let view = View::new(vec![member(1)]).for_members(vec![other]);
        assert!(view.has_lost && view.expected.is_none() && view.now.has(other.holder));
    }
}
