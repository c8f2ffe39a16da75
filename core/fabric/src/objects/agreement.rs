// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Agreement of an object's members on its parameters, where their number is to be agreed on as well.
//!
//! Each publishes its offer under the number of its try and its rank in the job, and watches the offers of
//! the others in that try. One pure function decides over all present offers: not complete yet, complete, or
//! a contradiction, of any members. Since a contradiction fails the call of all, all count it, and meet again
//! in the next try. Offers of a failed try stay until the object is made, so a late member fails alike, at
//! once and not by its timeout. A member that is in an earlier try than others, and finds no contradiction
//! there, was not among the failed members, and goes on to their try.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use mf_base::ops::waiting::wait_until;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result, Retry};
use mf_store::{Cause, Change, Lifetime, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Changes when the messages between members, here or in the votes after it, change.
const VERSION: u32 = 2;
/// Most tries without an object in between; offers under a higher number are not from a member.
const TRIES_MAX: u32 = 4096;

/// A member's parameters of an object: equal on all members, except for its place.
pub trait Offer: Copy + Debug + Send + Serialize + DeserializeOwned + 'static {
    /// Hint for members with different parameters.
    const HINT: &'static str;

    /// Number of members of the object.
    fn members(&self) -> u32;

    /// The place of this member, from 0.
    fn place(&self) -> u32;

    /// The other parameters that must be equal: names and values, in the order in which they are compared.
    fn parameters(&self) -> impl Iterator<Item = (&'static str, u64)>;
}

/// An object that members agree on.
#[derive(Clone, Copy)]
pub struct Agreement<'a, O> {
    /// The store of the job.
    pub store: &'a dyn Store,
    /// Name of the operation in errors.
    pub operation: &'static str,
    /// The number of the object.
    pub id: u32,
    /// In front of the offers in the store, the same on all members; ends with a slash.
    pub prefix: &'a str,
    /// The offer of this member.
    pub own: O,
}

fn encode<O: Offer>(operation: &'static str, offer: &O) -> Result<Vec<u8>> {
    postcard::to_allocvec(&(VERSION, offer))
        .map_err(|error| Error::new(Kind::Failed, operation).source(error.to_string()))
}

/// Decodes an offer. Returns `None` if it is malformed, or of another version.
fn decode<O: Offer>(bytes: &[u8]) -> Option<O> {
    let (version, rest) = postcard::take_from_bytes::<u32>(bytes).ok()?;
    if version != VERSION {
        return None;
    }
    postcard::from_bytes(rest).ok()
}

/// Decides over all offers of a try, with the same result for equal offers: returns the members by their
/// places, or `None` while some are missing.
///
/// # Errors
/// `InvalidParam` two members have different parameters, `Duplicated` or the same place; both are named.
fn decide<O: Offer>(operation: &'static str, offers: &BTreeMap<Rank, O>) -> Result<Option<Vec<Rank>>> {
    let Some((first, known)) = offers.first_key_value() else { return Ok(None) };
    let count = |offer: &O| ("number of ranks", u64::from(offer.members()));
    for (rank, offer) in offers {
        let terms = |offer: &O| std::iter::once(count(offer)).chain(offer.parameters()).collect::<Vec<_>>();
        for ((what, wanted), (_, other)) in terms(known).into_iter().zip(terms(offer)) {
            if wanted != other {
                return Err(Error::invalid(
                    operation,
                    format!("two ranks want the object with another {what}"),
                )
                .with("rank", first)
                .with("wants", wanted)
                .with("other_rank", rank)
                .with("wants", other)
                .hint(O::HINT));
            }
        }
    }
    let mut places: BTreeMap<u32, Rank> = BTreeMap::new();
    for (rank, offer) in offers {
        if let Some(other) = places.insert(offer.place(), *rank) {
            return Err(Error::new(Kind::Duplicated, operation)
                .what("two ranks want the same place in the object")
                .with("place", offer.place())
                .with("rank", other)
                .with("other_rank", rank)
                .hint(
                    "each rank of an object passes another rank id, from 0 to the number of ranks minus 1",
                ));
        }
    }
    let is_complete = places.len() >= known.members() as usize;
    Ok(is_complete.then(|| places.into_values().collect()))
}

/// News of the store that was not processed yet.
struct News<O> {
    changes: Mutex<Vec<Notice<O>>>,
    came: Condvar,
}

/// State of a member's offer.
#[derive(Clone, Copy)]
enum Fate<O> {
    Stands(O),
    /// The member came, and does not wait any longer.
    Withdrawn,
    /// The member has left the job, or died.
    Gone,
}

#[derive(Clone, Copy)]
enum Notice<O> {
    /// Number of the try, rank, revision of the store, state.
    Offer(u32, Rank, u64, Fate<O>),
    Unreadable(u32, Rank),
    StoreLost,
}

impl<O> News<O> {
    fn new() -> Arc<Self> {
        Arc::new(Self { changes: Mutex::default(), came: Condvar::new() })
    }

    fn add(&self, notice: Notice<O>) {
        lock(&self.changes).push(notice);
        self.came.notify_all();
    }

    /// Takes the news, waiting for some; empty at the deadline.
    fn take(&self, operation: &'static str, deadline: Instant) -> Result<Vec<Notice<O>>> {
        let some = |changes: &mut Vec<Notice<O>>| (!changes.is_empty()).then(|| std::mem::take(changes));
        let taken = wait_until(operation, &self.changes, &self.came, Some(deadline), some)?;
        Ok(taken.unwrap_or_default())
    }
}

fn parse_notice<O: Offer>(prefix: &str, change: &Change) -> Option<Notice<O>> {
    // Offers in tries that no member can have reached are ignored.
    let place = |key: &str| {
        let (tried, rank) = key.strip_prefix(prefix)?.split_once('/')?;
        let tried = tried.parse().ok().filter(|tried| *tried <= TRIES_MAX)?;
        Some((tried, Rank(rank.parse().ok()?)))
    };
    match change {
        Change::Put(entry) => {
            let (tried, rank) = place(&entry.key)?;
            Some(match decode(&entry.value) {
                Some(offer) => Notice::Offer(tried, rank, entry.revision, Fate::Stands(offer)),
                None => Notice::Unreadable(tried, rank),
            })
        }
        Change::Removed { key, revision, cause, .. } => {
            let (tried, rank) = place(key)?;
            let fate = if *cause == Cause::Deleted { Fate::Withdrawn } else { Fate::Gone };
            Some(Notice::Offer(tried, rank, *revision, fate))
        }
        Change::StoreLost => Some(Notice::StoreLost),
    }
}

/// Returns true if a failure to make an object holds for all its members, so that they meet in the next try.
pub fn is_for_all(error: &Error) -> bool {
    !matches!(error.kind(), Kind::Timeout | Kind::NotConnected | Kind::Interrupted)
}

impl<O: Offer> Agreement<'_, O> {
    /// Waits until all members of the object have published matching offers. Returns their ranks in the job
    /// by places. **Collective** over them. `tried` is the number of their common failures with this id since
    /// the last object of it, as far as this member knows; it becomes the number of the try that ended here.
    ///
    /// One member's offer may be accepted in a try that the member gives up just now. Then it joins the
    /// others with its next try, where its offer matches or is refused.
    ///
    /// # Errors
    /// `InvalidParam` two members have different parameters, `Duplicated` or the same place; alike in all ·
    /// `Timeout` names the missing members · `NotConnected` without the store.
    pub fn agree(&self, tried: &mut u32, deadline: Instant) -> Result<Vec<Rank>> {
        let news = News::<O>::new();
        let (notified, watched) = (Arc::clone(&news), self.prefix.to_owned());
        let watch = self.store.watch(
            self.prefix,
            Arc::new(move |change: &Change| {
                if let Some(notice) = parse_notice(&watched, change) {
                    notified.add(notice);
                }
            }),
        )?;
        let agreed = Talk::begin(self, tried).and_then(|mut talk| talk.finish(&news, deadline));
        if let Err(error) = self.store.unwatch(watch) {
            tracing::debug!("a watch on the members of an object was gone: {error}");
        }
        // A contradicting offer stays, so that late members learn of it.
        if agreed.as_ref().is_err_and(|error| !is_for_all(error)) {
            self.withdraw(*tried);
        }
        agreed
    }

    /// Withdraws this member's offer of a try, which is no longer needed.
    pub fn withdraw(&self, tried: u32) {
        if let Err(error) = self.store.discard(&self.key(tried)) {
            tracing::debug!("a member's request stays until its session ends: {error}");
        }
    }

    /// Returns the key of this member's offer in a try.
    fn key(&self, tried: u32) -> String {
        format!("{}{tried}/{}", self.prefix, self.store.member().rank)
    }
}

/// The offers of all, as far as they are known, by tries.
struct Talk<'a, O> {
    agreement: &'a Agreement<'a, O>,
    tried: &'a mut u32,
    offers: BTreeMap<u32, BTreeMap<Rank, O>>,
    /// Members that came to the current try and have withdrawn since, as they timed out a moment before us.
    /// They are not missing.
    withdrawn: BTreeMap<Rank, O>,
    /// Last processed revision of each offer: some notices come twice.
    seen: BTreeMap<(u32, Rank), u64>,
}

impl<'a, O: Offer> Talk<'a, O> {
    /// Publishes the own offer, and processes the present ones.
    fn begin(agreement: &'a Agreement<'a, O>, tried: &'a mut u32) -> Result<Self> {
        let (offers, withdrawn, seen) = Default::default();
        let mut talk = Self { agreement, tried, offers, withdrawn, seen };
        talk.publish()?;
        let prefix = agreement.prefix;
        for change in agreement.store.list(prefix)?.entries.into_iter().map(Change::Put) {
            if let Some(notice) = parse_notice(prefix, &change) {
                talk.store_offer(notice)?;
            }
        }
        Ok(talk)
    }

    fn finish(&mut self, news: &News<O>, deadline: Instant) -> Result<Vec<Rank>> {
        let operation = self.agreement.operation;
        loop {
            // Contradictions in the own try come before a later try of others.
            self.decide_round()?;
            self.catch_up()?;
            if let Some(members) = self.decide_round()? {
                return Ok(members);
            }
            let changes = news.take(operation, deadline)?;
            if changes.is_empty() {
                return Err(self.missing());
            }
            for notice in changes {
                self.store_offer(notice)?;
                if let Some(members) = self.decide_round()? {
                    return Ok(members);
                }
            }
        }
    }

    fn decide_round(&mut self) -> Result<Option<Vec<Rank>>> {
        let operation = self.agreement.operation;
        decide(operation, self.offers.entry(*self.tried).or_default())
    }

    fn publish(&mut self) -> Result<()> {
        let Agreement { store, operation, own, .. } = *self.agreement;
        let key = self.agreement.key(*self.tried);
        let revision = store.set(&key, &encode(operation, &own)?, Lifetime::Session)?;
        self.store_offer(Notice::Offer(*self.tried, store.member().rank, revision, Fate::Stands(own)))
    }

    /// Goes on to a later try that others are in.
    fn catch_up(&mut self) -> Result<()> {
        let mut later =
            self.offers.range(self.tried.saturating_add(1)..).filter(|(_, offers)| !offers.is_empty());
        let Some(latest) = later.next_back().map(|(tried, _)| *tried) else { return Ok(()) };
        self.agreement.withdraw(*self.tried);
        *self.tried = latest;
        self.withdrawn.clear();
        self.publish()
    }

    /// Stores a member's offer, unless it is old.
    fn store_offer(&mut self, notice: Notice<O>) -> Result<()> {
        let operation = self.agreement.operation;
        let (tried, rank, revision, fate) = match notice {
            Notice::Offer(tried, rank, revision, fate) => (tried, rank, revision, fate),
            Notice::Unreadable(tried, _) if tried != *self.tried => return Ok(()),
            Notice::Unreadable(_, rank) => {
                return Err(Error::invalid(
                    operation,
                    "cannot decode a rank's request; it runs another version",
                )
                .with("rank", rank));
            }
            Notice::StoreLost => {
                return Err(Error::new(Kind::NotConnected, operation)
                    .what("the store of the job is gone")
                    .retry(Retry::AfterReconnect));
            }
        };
        let known = self.seen.entry((tried, rank)).or_default();
        if *known >= revision {
            return Ok(());
        }
        *known = revision;
        let is_current = tried == *self.tried;
        let offers = self.offers.entry(tried).or_default();
        // The member's earlier offer does not count any more.
        let before = offers.remove(&rank);
        if is_current {
            self.withdrawn.remove(&rank);
        }
        match (fate, before) {
            (Fate::Stands(offer), _) => {
                offers.insert(rank, offer);
            }
            (Fate::Withdrawn, Some(offer)) if is_current => {
                self.withdrawn.insert(rank, offer);
            }
            (Fate::Withdrawn | Fate::Gone, _) => {}
        }
        Ok(())
    }

    /// Returns the error that names the missing members.
    fn missing(&mut self) -> Error {
        let Agreement { store, operation, id, own, .. } = *self.agreement;
        let mut came = self.withdrawn.clone();
        came.extend(self.offers.entry(*self.tried).or_default().iter().map(|(rank, offer)| (*rank, *offer)));
        let (members, world_size) = (own.members(), store.member().world_size);
        let list = |numbers: Vec<u32>| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let places = (0..members).filter(|place| came.values().all(|offer| offer.place() != *place));
        let error = Error::new(Kind::Timeout, operation)
            .what("not all ranks of the object came in time")
            .with("id", id)
            .with("missing_places", list(places.collect()))
            .with("came", format!("{} of {members}", came.len()))
            .with("ranks_that_came", list(came.keys().map(|rank| rank.0).collect()))
            .hint("all ranks of an object create it at the same time, with the same id; look at those that are missing, or raise the create timeout");
        if members == world_size {
            let ranks = (0..world_size).filter(|rank| !came.contains_key(&Rank(*rank)));
            return error.with("missing_ranks", list(ranks.collect()));
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mf_store::{MemoryClient, MemoryStore};

    use super::*;

    /// Members, place, bytes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
    struct Want(u32, u32, u64);

    impl Offer for Want {
        const HINT: &'static str = "want the same";

        fn members(&self) -> u32 {
            self.0
        }

        fn place(&self) -> u32 {
            self.1
        }

        fn parameters(&self) -> impl Iterator<Item = (&'static str, u64)> {
            [("size", self.2)].into_iter()
        }
    }

    const MIB: u64 = 1 << 20;

    fn agree(store: &dyn Store, own: Want, tried: &mut u32, deadline: Instant) -> Result<Vec<Rank>> {
        let prefix = ".mf/test/3/want/";
        Agreement { store, operation: "test", id: 3, prefix, own }.agree(tried, deadline)
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    /// Each rank wants one thing after the other, without looking at the others between.
    fn try_all(stores: &[MemoryClient], wants: &[Vec<Want>]) -> Vec<Vec<Result<Vec<Rank>>>> {
        std::thread::scope(|scope| {
            let ranks = stores.iter().zip(wants).map(|(store, wants)| {
                scope.spawn(move || {
                    let tries = (0..).zip(wants);
                    tries.map(|(mut tried, want)| agree(store, *want, &mut tried, soon())).collect::<Vec<_>>()
                })
            });
            let ranks: Vec<_> = ranks.collect();
            ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
        })
    }

    #[test]
    fn offers_survive_encoding() {
        let offer = Want(3, 2, u64::MAX);
        let bytes = encode("test", &offer).unwrap();
        assert_eq!(decode(&bytes), Some(offer));
        assert_eq!(decode::<Want>(&bytes[..bytes.len() - 1]), None);
        assert_eq!(decode::<Want>(&[VERSION.to_le_bytes()[0] + 1, 1, 1, 1]), None, "another version");
    }

    #[test]
    fn verdict_depends_only_on_the_offers() {
        let judged = |offers: &[(u32, Want)]| {
            decide("test", &offers.iter().map(|(rank, offer)| (Rank(*rank), *offer)).collect())
        };
        let good = [(4, Want(3, 1, 7)), (2, Want(3, 0, 7)), (9, Want(3, 2, 7))];
        assert_eq!(judged(&good).unwrap(), Some(vec![Rank(2), Rank(4), Rank(9)]));
        assert_eq!(judged(&good[..2]).unwrap(), None);
        assert_eq!(judged(&[]).unwrap(), None);
        let refused = |offers: &[(u32, Want)]| {
            let error = judged(offers).unwrap_err();
            let fact = |name| error.fact(name).unwrap().to_owned();
            (error.kind(), fact("rank"), fact("other_rank"))
        };
        let named = |kind, one: &str, two: &str| (kind, one.to_owned(), two.to_owned());
        for odd in [(9, Want(3, 2, 8)), (9, Want(2, 2, 7))] {
            assert_eq!(refused(&[good[0], good[1], odd]), named(Kind::InvalidParam, "2", "9"));
        }
        assert_eq!(refused(&[good[0], good[2], (11, good[0].1)]), named(Kind::Duplicated, "4", "11"));
    }

    #[test]
    fn ranks_agree_in_any_order_of_places_and_fail_alike() {
        let world = MemoryStore::new(3).unwrap();
        let stores: Vec<MemoryClient> = (0..3).map(|_| world.join(None).unwrap()).collect();
        let place = |rank| Want(3, rank, 2 * MIB);
        let long = |rank| Want(3, rank, 4 * MIB);
        // Sizes contradict twice, then places; then all is in order: what failed before does not interfere.
        let wants = [
            vec![place(2), place(2), place(2), place(2)],
            vec![long(0), place(0), place(2), place(0)],
            vec![place(1), long(1), place(1), place(1)],
        ];
        for rank in try_all(&stores, &wants) {
            let kinds: Vec<_> =
                rank.iter().map(|tried| tried.as_ref().err().map(|error| error.kind())).collect();
            assert_eq!(
                kinds,
                [Some(Kind::InvalidParam), Some(Kind::InvalidParam), Some(Kind::Duplicated), None]
            );
            let text = rank[0].as_ref().err().unwrap().to_string();
            assert!(text.contains("another size"), "{text}");
            assert_eq!(rank[3].as_ref().unwrap(), &[Rank(1), Rank(2), Rank(0)]);
        }
    }

    #[test]
    fn timed_out_member_is_not_reported_missing() {
        let world = MemoryStore::new(3).unwrap();
        let stores: Vec<MemoryClient> = (0..2).map(|_| world.join(None).unwrap()).collect();
        let place = |rank| Want(3, rank, 2 * MIB);
        let gave_up = Instant::now() + Duration::from_millis(200);
        let stores = &stores;
        let (first, second) = std::thread::scope(|scope| {
            let first = scope.spawn(move || agree(&stores[0], place(0), &mut 0, gave_up).unwrap_err());
            let later = gave_up + Duration::from_millis(300);
            let second = scope.spawn(move || agree(&stores[1], place(1), &mut 0, later).unwrap_err());
            (first.join().unwrap(), second.join().unwrap())
        });
        for error in [first, second] {
            assert_eq!(error.kind(), Kind::Timeout);
            assert!(error.to_string().contains("missing_ranks 2"), "{error}");
        }
    }

    #[test]
    fn members_with_different_attempts_agree() {
        let world = MemoryStore::new(2).unwrap();
        let stores: Vec<MemoryClient> = (0..2).map(|_| world.join(None).unwrap()).collect();
        let ends = std::thread::scope(|scope| {
            let ranks = stores.iter().zip([0, 3]).zip([0, 1]).map(|((store, mut tried), place)| {
                scope.spawn(move || {
                    let agreed = agree(store, Want(2, place, 2 * MIB), &mut tried, soon());
                    (agreed.unwrap(), tried)
                })
            });
            let ranks: Vec<_> = ranks.collect();
            ranks.into_iter().map(|rank| rank.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(ends, [(vec![Rank(0), Rank(1)], 3), (vec![Rank(0), Rank(1)], 3)]);
    }

    #[test]
    fn timeout_names_the_missing_member() {
        let world = MemoryStore::new(2).unwrap();
        let store = world.join(None).unwrap();
        let deadline = Instant::now() + Duration::from_millis(30);
        let error = agree(&store, Want(2, 0, 2 * MIB), &mut 0, deadline).err().unwrap();
        assert_eq!((error.kind(), error.fact("missing_places")), (Kind::Timeout, Some("1")));
        assert_eq!(error.fact("missing_ranks"), Some("1"));
        assert!(store.list(".mf/test/").unwrap().entries.is_empty());
    }
}
