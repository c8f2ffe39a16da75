// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the ranks of an object find each other, and that they want the same.
//!
//! Each publishes what it wants under the number of its try and its rank in the job, and watches what the others want in that
//! try. It is done when all places are taken, and fails as soon as two of them contradict each other, its own or not. Since
//! such a failure is everybody's, all count it, and meet again in the next try. What was published in a failed try stays
//! until the object is made, so whoever comes late fails alike, at once and not by its timeout. A rank that is in an earlier
//! try than others, and finds nothing wrong there, was not among those who failed, and goes on to theirs.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use mf_base::interrupt::Asker;
use mf_base::{Error, Kind, Rank, Result, Retry};
use mf_store::{Cause, Change, Lifetime, Store};

use super::options::Options;

const OP: &str = "shm create";
/// Changes when what ranks tell each other here or in the votes after it changes.
const VERSION: u32 = 1;
const OFFER_BYTES: usize = 24;
/// Most tries without an object in between; what is published under a higher number is not of a rank.
const TRIES_MAX: u32 = 4096;

/// What a rank wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offer {
    version: u32,
    place: u32,
    rank_size: u32,
    data_ops: u32,
    local_bytes: u64,
}

impl Offer {
    fn encode(&self) -> [u8; OFFER_BYTES] {
        let mut bytes = [0; OFFER_BYTES];
        let words = [self.version, self.place, self.rank_size, self.data_ops];
        let parts = words.map(u32::to_le_bytes).into_iter().flatten();
        let parts = parts.chain(self.local_bytes.to_le_bytes());
        bytes.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; OFFER_BYTES] = bytes.try_into().ok()?;
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        Some(Self {
            version: word(0)?,
            place: word(4)?,
            rank_size: word(8)?,
            data_ops: word(12)?,
            local_bytes: long(16)?,
        })
    }
}

/// What was heard from the store and not looked at yet.
#[derive(Default)]
struct News {
    changes: Mutex<Vec<Heard>>,
    came: Condvar,
}

/// What became of the offer of a rank.
#[derive(Clone, Copy)]
enum Wish {
    Stands(Offer),
    /// The rank came, and does not wait any longer.
    Withdrawn,
    /// The rank has left the job, or died.
    Gone,
}

#[derive(Clone, Copy)]
enum Heard {
    /// In which try, who, in which revision of the store.
    Offer(u32, Rank, u64, Wish),
    Unreadable(u32, Rank),
    StoreLost,
}

impl News {
    fn lock(&self) -> MutexGuard<'_, Vec<Heard>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, heard: Heard) {
        self.lock().push(heard);
        self.came.notify_all();
    }

    /// What has come, waiting for something; empty at the deadline.
    fn take(&self, deadline: Instant) -> Result<Vec<Heard>> {
        let (mut changes, mut asker) = (self.lock(), Asker::new());
        while changes.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let left = asker.within(left);
            changes = self.came.wait_timeout(changes, left).unwrap_or_else(PoisonError::into_inner).0;
            if asker.is_due() {
                drop(changes);
                asker.check(OP)?;
                changes = self.lock();
            }
        }
        Ok(std::mem::take(&mut *changes))
    }
}

/// In front of what ranks want.
fn prefix(id: u32) -> String {
    format!(".mf/shm/{id}/want/")
}

fn heard(prefix: &str, change: &Change) -> Option<Heard> {
    // A rank in a try that nobody can have come to has no place there.
    let place = |key: &str| {
        let (tried, rank) = key.strip_prefix(prefix)?.split_once('/')?;
        let tried = tried.parse().ok().filter(|tried| *tried <= TRIES_MAX)?;
        Some((tried, Rank(rank.parse().ok()?)))
    };
    match change {
        Change::Put(entry) => {
            let (tried, rank) = place(&entry.key)?;
            Some(match Offer::decode(&entry.value) {
                Some(offer) => Heard::Offer(tried, rank, entry.revision, Wish::Stands(offer)),
                None => Heard::Unreadable(tried, rank),
            })
        }
        Change::Removed { key, revision, cause, .. } => {
            let (tried, rank) = place(key)?;
            let wish = if *cause == Cause::Deleted { Wish::Withdrawn } else { Wish::Gone };
            Some(Heard::Offer(tried, rank, *revision, wish))
        }
        Change::StoreLost => Some(Heard::StoreLost),
    }
}

/// Waits until all ranks of the object want the same; gives their ranks in the job by places. **Collective** over them.
/// `tried` is how often they failed together with this id since it last was an object, as far as this rank knows; it becomes
/// the number of the try that ended here.
///
/// One of them may have been taken by what it wanted in a try that it gives up just now. Then it comes to what follows with its
/// next try, which wants the same or is refused there.
///
/// # Errors
/// `InvalidParam` two ranks want different things, `Duplicated` or the same place; alike in all · `Timeout` names who did not
/// come · `NotConnected` without the store.
pub(super) fn agree(
    store: &dyn Store,
    options: &Options,
    tried: &mut u32,
    deadline: Instant,
) -> Result<Vec<Rank>> {
    let prefix = prefix(options.id);
    let news = Arc::new(News::default());
    let (told, watched) = (Arc::clone(&news), prefix.clone());
    let watch = store.watch(
        &prefix,
        Arc::new(move |change: &Change| {
            if let Some(heard) = heard(&watched, change) {
                told.tell(heard);
            }
        }),
    )?;
    let agreed = Talk::begin(store, options, tried).and_then(|mut talk| talk.finish(&news, deadline));
    if let Err(error) = store.unwatch(watch) {
        tracing::debug!("a watch on the ranks of an object was gone: {error}");
    }
    // What contradicts others stays, so that those who come late hear of it.
    if agreed.as_ref().is_err_and(|error| !is_for_all(error)) {
        withdraw(store, options.id, *tried);
    }
    agreed
}

/// Whether a failure to make an object is that of all its ranks, so that they meet in the next try.
pub(super) fn is_for_all(error: &Error) -> bool {
    !matches!(error.kind(), Kind::Timeout | Kind::NotConnected | Kind::Interrupted)
}

/// Nobody needs what this rank wanted in a try.
pub(super) fn withdraw(store: &dyn Store, id: u32, tried: u32) {
    if let Err(error) = store.discard(&key(store, id, tried)) {
        tracing::debug!("what a rank wanted stays until its session ends: {error}");
    }
}

/// Where this rank publishes what it wants in a try.
fn key(store: &dyn Store, id: u32, tried: u32) -> String {
    format!("{}{tried}/{}", prefix(id), store.member().rank)
}

/// What the ranks want, as far as it was heard, by tries.
struct Talk<'a> {
    store: &'a dyn Store,
    options: &'a Options,
    tried: &'a mut u32,
    offers: BTreeMap<u32, BTreeMap<Rank, Offer>>,
    /// Who came to the current try and has withdrawn since: its time was over a moment before ours. It is not
    /// missing.
    withdrawn: BTreeMap<Rank, Offer>,
    /// Up to which revision of the store something was looked at: some of it is heard of twice.
    seen: BTreeMap<(u32, Rank), u64>,
}

impl<'a> Talk<'a> {
    /// Says what this rank wants, and listens to what the others said.
    fn begin(store: &'a dyn Store, options: &'a Options, tried: &'a mut u32) -> Result<Self> {
        let (offers, withdrawn, seen) = Default::default();
        let mut talk = Self { store, options, tried, offers, withdrawn, seen };
        talk.publish()?;
        let prefix = prefix(options.id);
        for change in store.list(&prefix)?.entries.into_iter().map(Change::Put) {
            if let Some(heard) = heard(&prefix, &change) {
                talk.take_in(heard)?;
            }
        }
        Ok(talk)
    }

    fn finish(&mut self, news: &News, deadline: Instant) -> Result<Vec<Rank>> {
        loop {
            self.catch_up()?;
            if self.is_complete() {
                return Ok(by_places(self.current()));
            }
            let changes = news.take(deadline)?;
            if changes.is_empty() {
                let (options, world_size) = (self.options, self.store.member().world_size);
                let mut came = self.withdrawn.clone();
                came.extend(self.current());
                return Err(missing(&came, options, world_size));
            }
            for heard in changes {
                self.take_in(heard)?;
                if self.is_complete() {
                    break;
                }
            }
        }
    }

    fn current(&mut self) -> &BTreeMap<Rank, Offer> {
        self.offers.entry(*self.tried).or_default()
    }

    fn is_complete(&mut self) -> bool {
        let wanted = self.options.rank_size as usize;
        self.current().len() >= wanted
    }

    fn publish(&mut self) -> Result<()> {
        let Options { rank, rank_size, data_ops, local_bytes, .. } = *self.options;
        let own = Offer { version: VERSION, place: rank.0, rank_size, data_ops, local_bytes };
        let key = key(self.store, self.options.id, *self.tried);
        let revision = self.store.set(&key, &own.encode(), Lifetime::Session)?;
        self.take_in(Heard::Offer(*self.tried, self.store.member().rank, revision, Wish::Stands(own)))
    }

    /// Goes on to a later try that others are in.
    fn catch_up(&mut self) -> Result<()> {
        let mut later =
            self.offers.range(self.tried.saturating_add(1)..).filter(|(_, offers)| !offers.is_empty());
        let Some(latest) = later.next_back().map(|(tried, _)| *tried) else { return Ok(()) };
        withdraw(self.store, self.options.id, *self.tried);
        *self.tried = latest;
        self.withdrawn.clear();
        let others = self.offers.remove(&latest).unwrap_or_default();
        for (rank, offer) in others {
            self.add(rank, offer)?;
        }
        self.publish()
    }

    /// Notes what one rank wants, unless it is old.
    fn take_in(&mut self, heard: Heard) -> Result<()> {
        let (tried, rank, revision, wish) = match heard {
            Heard::Offer(tried, rank, revision, wish) => (tried, rank, revision, wish),
            Heard::Unreadable(tried, _) if tried != *self.tried => return Ok(()),
            Heard::Unreadable(_, rank) => {
                return Err(Error::invalid(OP, "what a rank wants is not readable; it runs another version")
                    .with("rank", rank));
            }
            Heard::StoreLost => {
                return Err(Error::new(Kind::NotConnected, OP)
                    .what("the store of the job is gone")
                    .retry(Retry::AfterReconnect));
            }
        };
        let known = self.seen.entry((tried, rank)).or_default();
        if *known >= revision {
            return Ok(());
        }
        *known = revision;
        let offers = self.offers.entry(tried).or_default();
        // What the rank wanted before does not count any more.
        let before = offers.remove(&rank);
        let is_current = tried == *self.tried;
        if is_current {
            self.withdrawn.remove(&rank);
        }
        match (wish, before) {
            (Wish::Stands(offer), _) if is_current => return self.add(rank, offer),
            (Wish::Stands(offer), _) => {
                offers.insert(rank, offer);
            }
            (Wish::Withdrawn, Some(offer)) if is_current => {
                self.withdrawn.insert(rank, offer);
            }
            (Wish::Withdrawn | Wish::Gone, _) => {}
        }
        Ok(())
    }

    /// Adds an offer to those of the current try, unless it contradicts one of them.
    fn add(&mut self, rank: Rank, offer: Offer) -> Result<()> {
        let offers = self.offers.entry(*self.tried).or_default();
        for (other, known) in offers.iter() {
            compare((*other, known), (rank, &offer))?;
        }
        offers.insert(rank, offer);
        Ok(())
    }
}

/// Refuses two ranks that contradict each other.
fn compare((one, first): (Rank, &Offer), (two, second): (Rank, &Offer)) -> Result<()> {
    let differ = |what: &str, first: String, second: String| {
        Err(Error::invalid(OP, format!("two ranks want the object with another {what}"))
            .with("rank", one)
            .with("wants", first)
            .with("other_rank", two)
            .with("wants", second)
            .hint("all ranks of an object pass the same number of ranks, size and data operations"))
    };
    let pair = |of: fn(&Offer) -> u64| (of(first), of(second));
    let text = |(first, second): (u64, u64)| (first.to_string(), second.to_string());
    for (what, (first, second)) in [
        ("version of the protocol", pair(|offer| u64::from(offer.version))),
        ("number of ranks", pair(|offer| u64::from(offer.rank_size))),
        ("size", pair(|offer| offer.local_bytes)),
        ("set of data operations", pair(|offer| u64::from(offer.data_ops))),
    ] {
        if first != second {
            let (first, second) = text((first, second));
            return differ(what, first, second);
        }
    }
    if first.place == second.place {
        return Err(Error::new(Kind::Duplicated, OP)
            .what("two ranks want the same place in the object")
            .with("place", first.place)
            .with("rank", one)
            .with("other_rank", two)
            .hint("each rank of an object passes another rank id, from 0 to the number of ranks minus 1"));
    }
    Ok(())
}

fn by_places(offers: &BTreeMap<Rank, Offer>) -> Vec<Rank> {
    let mut ranks: Vec<(u32, Rank)> = offers.iter().map(|(rank, offer)| (offer.place, *rank)).collect();
    ranks.sort_unstable();
    ranks.into_iter().map(|(_, rank)| rank).collect()
}

fn missing(offers: &BTreeMap<Rank, Offer>, options: &Options, world_size: u32) -> Error {
    let list = |numbers: Vec<u32>| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let places = (0..options.rank_size).filter(|place| offers.values().all(|offer| offer.place != *place));
    let error = Error::new(Kind::Timeout, OP)
        .what("not all ranks of the object came in time")
        .with("id", options.id)
        .with("missing_places", list(places.collect()))
        .with("came", format!("{} of {}", offers.len(), options.rank_size))
        .with("ranks_that_came", list(offers.keys().map(|rank| rank.0).collect()))
        .hint("all ranks of an object create it at the same time, with the same id; look at those that are missing, or raise the create timeout")
        .retry(Retry::Later);
    if options.rank_size == world_size {
        let ranks = (0..world_size).filter(|rank| !offers.contains_key(&Rank(*rank)));
        return error.with("missing_ranks", list(ranks.collect()));
    }
    error
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mf_store::{MemoryClient, MemoryStore};

    use super::*;

    const WANT: Options = Options { id: 3, rank_size: 2, rank: Rank(0), local_bytes: 2 << 20, data_ops: 1 };

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    /// Each rank wants one thing after the other, without looking at the others between.
    fn try_all(stores: &[MemoryClient], wants: &[Vec<Options>]) -> Vec<Vec<Result<Vec<Rank>>>> {
        std::thread::scope(|scope| {
            let ranks = stores.iter().zip(wants).map(|(store, wants)| {
                scope.spawn(move || {
                    let tries = (0..).zip(wants);
                    tries.map(|(mut tried, want)| agree(store, want, &mut tried, soon())).collect::<Vec<_>>()
                })
            });
            let ranks: Vec<_> = ranks.collect();
            ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
        })
    }

    #[test]
    fn offers_survive_the_way() {
        let offer = Offer { version: 1, place: 2, rank_size: 3, data_ops: 4, local_bytes: u64::MAX };
        assert_eq!(Offer::decode(&offer.encode()), Some(offer));
        assert_eq!(Offer::decode(&[0; 23]), None);
    }

    #[test]
    fn ranks_agree_in_any_order_of_places_and_fail_alike() {
        let world = MemoryStore::new(3).unwrap();
        let stores: Vec<MemoryClient> = (0..3).map(|_| world.join(None).unwrap()).collect();
        let place = |rank| Options { rank: Rank(rank), rank_size: 3, ..WANT };
        let long = |rank| Options { local_bytes: 4 << 20, ..place(rank) };
        // Sizes contradict twice, then places; then all is in order: what failed before is not in the way.
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
    fn who_came_and_gave_up_is_not_missing() {
        let world = MemoryStore::new(3).unwrap();
        let stores: Vec<MemoryClient> = (0..2).map(|_| world.join(None).unwrap()).collect();
        let place = |rank| Options { rank: Rank(rank), rank_size: 3, ..WANT };
        let gave_up = Instant::now() + Duration::from_millis(200);
        let stores = &stores;
        let (first, second) = std::thread::scope(|scope| {
            let first = scope.spawn(move || agree(&stores[0], &place(0), &mut 0, gave_up).unwrap_err());
            let later = gave_up + Duration::from_millis(300);
            let second = scope.spawn(move || agree(&stores[1], &place(1), &mut 0, later).unwrap_err());
            (first.join().unwrap(), second.join().unwrap())
        });
        for error in [first, second] {
            assert_eq!(error.kind(), Kind::Timeout);
            assert!(error.to_string().contains("missing_ranks 2"), "{error}");
        }
    }

    #[test]
    fn whoever_failed_with_others_is_met_in_its_try() {
        let world = MemoryStore::new(2).unwrap();
        let stores: Vec<MemoryClient> = (0..2).map(|_| world.join(None).unwrap()).collect();
        let ends = std::thread::scope(|scope| {
            let ranks = stores.iter().zip([0, 3]).zip([0, 1]).map(|((store, mut tried), place)| {
                scope.spawn(move || {
                    let agreed = agree(store, &Options { rank: Rank(place), ..WANT }, &mut tried, soon());
                    (agreed.unwrap(), tried)
                })
            });
            let ranks: Vec<_> = ranks.collect();
            ranks.into_iter().map(|rank| rank.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(ends, [(vec![Rank(0), Rank(1)], 3), (vec![Rank(0), Rank(1)], 3)]);
    }

    #[test]
    fn whoever_does_not_come_is_named() {
        let world = MemoryStore::new(2).unwrap();
        let store = world.join(None).unwrap();
        let deadline = Instant::now() + Duration::from_millis(30);
        let error = agree(&store, &WANT, &mut 0, deadline).err().unwrap();
        assert_eq!((error.kind(), error.fact("missing_places")), (Kind::Timeout, Some("1")));
        assert_eq!(error.fact("missing_ranks"), Some("1"));
        assert!(store.list(".mf/shm/").unwrap().entries.is_empty());
    }
}
