// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Model of the store's invariants.
//!
//! # Writes
//! The model knows of each acknowledged write the last store that surely holds it: the one that answered, and
//! each later one that granted its writer membership again, because the writer sent its replica. A write is
//! *certain* in that store. Of a key, the store must show the certain write with the highest revision, or
//! something later: a write of unknown outcome, or one with a higher revision. If a later acknowledged write
//! is not certain, because its writer died with the store, then nothing can be demanded: the earlier writer
//! had forgotten its own by right.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::api::Entry;
use crate::protocol::Round;
use crate::state::Micros;

/// Effect of a write on its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WriteEffect {
    Value(Vec<u8>),
    Deletion,
    /// A number that only grows; known once it is acknowledged.
    Sum(i64),
    Piece(Vec<u8>),
}

#[derive(Debug)]
struct Write {
    key: String,
    doing: WriteEffect,
    /// Revision and time of the acknowledgement.
    acknowledged: Option<(u64, Micros)>,
    /// The last store that surely holds it.
    certain_in: u64,
}

#[derive(Debug)]
struct Entered {
    life: usize,
    rank: u32,
    name: String,
    value: Option<Vec<u8>>,
    left_with: Option<u64>,
}

#[derive(Debug)]
struct Holder {
    life: usize,
    fence: u64,
    /// The store that granted it.
    generation: u64,
    gave_back: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Model {
    writes: Vec<Write>,
    by_key: HashMap<String, Vec<usize>>,
    entered: Vec<Entered>,
    /// The ends of rounds, each with the life that saw it first.
    rounds: HashMap<(String, u64), (usize, Round)>,
    locks: HashMap<String, Vec<Holder>>,
    /// Lives that held a lock when another one got it: their sessions must have ended.
    outlived: BTreeSet<usize>,
    /// Of the store that runs: each rank with its life and session.
    ranks: BTreeMap<u32, (usize, u64)>,
    /// Lives that have gone, and when the store may know at the earliest.
    gone: HashMap<usize, Micros>,
}

impl Model {
    pub(super) fn store_started(&mut self) {
        self.ranks.clear();
    }

    /// The store was notified that the link of a life has ended.
    pub(super) fn link_ended(&mut self, now: Micros, life: usize) {
        self.gone.insert(life, now);
    }

    /// Returns true if a life that resumes may be too late, at a store that permits an absence of `grace_us`.
    pub(super) fn is_late(&self, now: Micros, life: usize, grace_us: Micros) -> bool {
        self.gone.get(&life).is_some_and(|gone| *gone + grace_us <= now)
    }

    /// The store granted a rank.
    pub(super) fn granted(&mut self, life: usize, rank: Option<u32>, session: u64) {
        self.gone.remove(&life);
        let Some(rank) = rank else { return };
        // It never received a rank that it was given before, and begins anew.
        self.ranks.retain(|before, (of, _)| *of != life || *before == rank);
        if let Some((other, other_session)) = self.ranks.insert(rank, (life, session)) {
            assert!(
                other == life || other_session == session || self.gone.contains_key(&other),
                "rank {rank} was given to life {life} while life {other} had it"
            );
        }
    }

    /// A life sent the store of number `to` its replicas, which the store of number `from` held.
    pub(super) fn resumed(&mut self, writes: &[usize], from: u64, to: u64) {
        for place in writes {
            let write = &mut self.writes[*place];
            if write.certain_in == from {
                write.certain_in = to;
            }
        }
    }

    /// All members have gone, and with them the store's content.
    pub(super) fn forget_all(&mut self) {
        for write in &mut self.writes {
            write.certain_in = 0;
        }
    }

    pub(super) fn write_began(&mut self, key: &str, doing: WriteEffect) -> usize {
        let place = self.writes.len();
        self.writes.push(Write { key: key.into(), doing, acknowledged: None, certain_in: 0 });
        self.by_key.entry(key.into()).or_default().push(place);
        place
    }

    pub(super) fn write_acknowledged(&mut self, place: usize, now: Micros, store: u64, revision: u64) {
        let write = &mut self.writes[place];
        write.acknowledged = Some((revision, now));
        write.certain_in = store;
    }

    pub(super) fn sum_acknowledged(
        &mut self,
        place: usize,
        now: Micros,
        store: u64,
        revision: u64,
        sum: i64,
    ) {
        self.write_acknowledged(place, now, store, revision);
        self.writes[place].doing = WriteEffect::Sum(sum);
        let key = &self.writes[place].key;
        let at = |write: &Write| write.acknowledged.map(|(at, _)| at);
        let uncertain = |write: &&Write| write.certain_in != store && at(write).is_some();
        let forgotten = self.of(key).filter(uncertain).filter_map(at).max().unwrap_or(0);
        for earlier in
            self.of(key).filter(|write| at(write).is_some_and(|at| at > forgotten && at != revision))
        {
            let WriteEffect::Sum(before) = earlier.doing else { continue };
            let fits = (at(earlier) < Some(revision)) == (before < sum);
            assert!(fits, "the sum {sum} at {revision} of {key} does not fit {earlier:?}");
        }
    }

    /// A request turned out to have another effect, so this write did nothing.
    pub(super) fn write_was_nothing(&mut self, place: usize) {
        let key = self.writes[place].key.clone();
        self.by_key.entry(key).or_default().retain(|other| *other != place);
    }

    fn of(&self, key: &str) -> impl Iterator<Item = &Write> {
        self.by_key.get(key).into_iter().flatten().map(|place| &self.writes[*place])
    }

    /// Returns true if the store of that number surely has all acknowledged writes of the key.
    pub(super) fn has_all(&self, key: &str, store: u64) -> bool {
        self.of(key).filter(|write| write.acknowledged.is_some()).all(|write| write.certain_in == store)
    }

    /// Returns true if the store of that number can hold `found`, given the writes acknowledged until
    /// `before`.
    pub(super) fn judge(
        &self,
        key: &str,
        found: Option<&Entry>,
        store: u64,
        before: Micros,
    ) -> Result<(), String> {
        let certain = self.of(key).filter(|write| write.certain_in == store).filter_map(|write| {
            write.acknowledged.filter(|(_, at)| *at <= before).map(|(at, _)| (at, write))
        });
        let certain: Vec<_> = certain.collect();
        let Some((revision, last)) = certain.iter().max_by_key(|(revision, _)| *revision) else {
            return Ok(());
        };
        let wrong = |what: &str| {
            let found = super::world::short(&found);
            Err(format!(
                "{what}: store {store} shows {found} as {key}, acknowledged at {revision} was {last:?}"
            ))
        };
        let is_beyond = |write: &&Write| write.acknowledged.is_none_or(|(at, _)| at > *revision);
        let is_uncertain = |write: &Write| write.acknowledged.is_some() && write.certain_in != store;
        if let WriteEffect::Piece(_) = last.doing {
            let value = found.map_or(&[][..], |entry| &entry.value);
            let missing = certain.iter().find(|(_, write)| match &write.doing {
                WriteEffect::Piece(piece) => !value.chunks(piece.len()).any(|part| part == piece),
                _ => false,
            });
            return missing.map_or(Ok(()), |missing| wrong(&format!("{missing:?} is missing")));
        }
        if self.of(key).filter(is_beyond).any(is_uncertain) {
            return Ok(());
        }
        match found {
            None if last.doing == WriteEffect::Deletion => Ok(()),
            None if self.of(key).filter(is_beyond).any(|write| write.doing == WriteEffect::Deletion) => {
                Ok(())
            }
            None => wrong("a write was lost"),
            Some(entry) if entry.revision < *revision => wrong("an old value is back"),
            Some(entry) => {
                let fits = |write: &Write| match &write.doing {
                    WriteEffect::Value(value) => *value == entry.value,
                    WriteEffect::Sum(sum) => parsed(&entry.value).is_some_and(|shown| shown >= *sum),
                    WriteEffect::Deletion | WriteEffect::Piece(_) => false,
                };
                if entry.revision == *revision && !fits(last) {
                    return wrong("the value is another one");
                }
                match fits(last) || self.of(key).filter(is_beyond).any(fits) {
                    true => Ok(()),
                    false => wrong("that was not written"),
                }
            }
        }
    }

    /// Validates all keys but the ones that end with something else.
    pub(super) fn judge_all(
        &self,
        shown: &BTreeMap<String, Entry>,
        store: u64,
        now: Micros,
        ends: impl Fn(&str) -> bool,
    ) {
        for key in self.by_key.keys().filter(|key| !ends(key)) {
            if let Err(what) = self.judge(key, shown.get(key), store, now) {
                panic!("{what}\nall writes: {:#?}", self.of(key).collect::<Vec<_>>());
            }
        }
    }

    pub(super) fn entered(&mut self, life: usize, rank: u32, name: &str, value: Option<&Vec<u8>>) -> usize {
        let entered = Entered { life, rank, name: name.into(), value: value.cloned(), left_with: None };
        self.entered.push(entered);
        self.entered.len() - 1
    }

    /// A call left a round; `is_intact`: which lives still are.
    pub(super) fn left(
        &mut self,
        place: usize,
        members: u32,
        round: &Round,
        is_intact: impl Fn(usize) -> bool,
    ) {
        let own = &mut self.entered[place];
        own.left_with = Some(round.round);
        let (life, rank, name) = (own.life, own.rank, own.name.clone());
        let distinct: BTreeSet<_> = round.ranks.iter().collect();
        assert_eq!(distinct.len(), members as usize, "life {life} left {name} with {round:?}");
        assert!(
            round.ranks.contains(&rank),
            "life {life} of rank {rank} left {name} without itself: {round:?}"
        );
        if let Some(value) = &self.entered[place].value {
            let part = round.parts.iter().find(|part| part.rank.0 == rank);
            assert_eq!(
                part.map(|part| &part.value),
                Some(value),
                "life {life} left {name} with another value"
            );
        }
        for rank in &round.ranks {
            let part = round.parts.iter().find(|part| part.rank.0 == *rank).map(|part| &part.value);
            let came = self.entered.iter().any(|entered| {
                entered.rank == *rank
                    && entered.name == name
                    && entered.value.as_ref() == part
                    && entered.left_with.is_none_or(|other| other == round.round)
            });
            assert!(came, "life {life} left {name} with {round:?}, but rank {rank} had not come");
        }
        let key = (name, round.round);
        if let Some((other, seen)) = self.rounds.get(&key)
            && is_intact(*other)
        {
            assert_eq!(seen, round, "lives {other} and {life} left {} differently", key.0);
            return;
        }
        self.rounds.insert(key, (life, round.clone()));
    }

    pub(super) fn locked(
        &mut self,
        name: &str,
        life: usize,
        fence: u64,
        generation: u64,
        lives: &[(bool, u64)],
    ) {
        let holders = self.locks.entry(name.into()).or_default();
        for earlier in holders.iter() {
            // A member that died with the store took its number along.
            let (is_intact, granted_by) = lives[earlier.life];
            let is_known = earlier.generation == generation || (is_intact && granted_by == generation);
            assert!(
                !is_known || fence > earlier.fence,
                "the fence of {name} went from {earlier:?} to {fence}"
            );
            // A store that does not know of the one before it may grant it, too, but with a lower number.
            if is_intact && earlier.life != life && !earlier.gave_back && fence > earlier.fence {
                self.outlived.insert(earlier.life);
            }
        }
        holders.push(Holder { life, fence, generation, gave_back: false });
    }

    pub(super) fn gives_back(&mut self, name: &str, life: usize) {
        for holder in self.locks.entry(name.into()).or_default() {
            holder.gave_back |= holder.life == life;
        }
    }

    /// Checks that a life that lost its lock to another has lost its session too.
    pub(super) fn judge_locks(&self, is_intact: impl Fn(usize) -> bool) {
        for life in &self.outlived {
            assert!(!is_intact(*life), "life {life} lost a lock that it held: {:#?}", self.locks);
        }
    }
}

fn parsed(value: &[u8]) -> Option<i64> {
    std::str::from_utf8(value).ok()?.parse().ok()
}
