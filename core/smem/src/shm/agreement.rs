// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the ranks of an object find each other, and that they want the same.
//!
//! Each publishes what it wants under its rank in the job, and watches what the others want. It is done when all places are
//! taken, and fails as soon as two of them contradict each other, its own or not. What a failed rank had published stays
//! until its next try, so whoever comes late fails alike, at once and not by its timeout. A rank that tries again does not
//! look again at what it saw in its last try.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use mf_base::{Error, Kind, Rank, Result, Retry};
use mf_store::{Change, Lifetime, Store};

use super::options::Options;

const OP: &str = "shm create";
/// Changes when what ranks tell each other here or in the votes after it changes.
const VERSION: u32 = 1;
const OFFER_BYTES: usize = 24;

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

/// For each rank in the job, up to which revision of the store its offers were looked at.
#[derive(Default)]
pub(super) struct Seen(BTreeMap<Rank, u64>);

/// What was heard from the store and not looked at yet.
#[derive(Default)]
struct News {
    changes: Mutex<Vec<Heard>>,
    came: Condvar,
}

#[derive(Clone, Copy)]
enum Heard {
    Offer(Rank, u64, Option<Offer>),
    Withdrawn(Rank, u64),
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
    fn take(&self, deadline: Instant) -> Vec<Heard> {
        let mut changes = self.lock();
        while changes.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            changes = self.came.wait_timeout(changes, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        std::mem::take(&mut *changes)
    }
}

fn prefix(id: u32) -> String {
    format!("shm/{id}/want/")
}

fn heard(prefix: &str, change: &Change) -> Option<Heard> {
    let rank = |key: &str| key.strip_prefix(prefix)?.parse().ok().map(Rank);
    match change {
        Change::Put(entry) => {
            Some(Heard::Offer(rank(&entry.key)?, entry.revision, Offer::decode(&entry.value)))
        }
        Change::Removed { key, revision, .. } => Some(Heard::Withdrawn(rank(key)?, *revision)),
        Change::StoreLost => Some(Heard::StoreLost),
    }
}

/// Waits until all ranks of the object want the same; gives their ranks in the job by places. **Collective** over them.
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
    seen: &mut Seen,
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
    let agreed = publish_and_wait(store, options, seen, &news, &prefix, deadline);
    if let Err(error) = store.unwatch(watch) {
        tracing::debug!("a watch on the ranks of an object was gone: {error}");
    }
    // What contradicts others stays, so that those who come late hear of it.
    let stays =
        agreed.as_ref().is_err_and(|error| matches!(error.kind(), Kind::InvalidParam | Kind::Duplicated));
    if agreed.is_err() && !stays {
        withdraw(store, options.id);
    }
    agreed
}

/// Nobody needs the own offer any more.
pub(super) fn withdraw(store: &dyn Store, id: u32) {
    if store.is_connected()
        && let Err(error) = store.delete(&format!("{}{}", prefix(id), store.member().rank))
    {
        tracing::debug!("what a rank wanted stays until its session ends: {error}");
    }
}

fn publish_and_wait(
    store: &dyn Store,
    options: &Options,
    seen: &mut Seen,
    news: &News,
    prefix: &str,
    deadline: Instant,
) -> Result<Vec<Rank>> {
    let me = store.member().rank;
    let own = Offer {
        version: VERSION,
        place: options.rank.0,
        rank_size: options.rank_size,
        data_ops: options.data_ops,
        local_bytes: options.local_bytes,
    };
    let revision = store.set(&format!("{prefix}{me}"), &own.encode(), Lifetime::Session)?;
    seen.0.insert(me, revision);
    let mut offers = BTreeMap::from([(me, own)]);
    let mut listed = store.list(prefix)?.entries;
    listed.sort_unstable_by_key(|entry| entry.revision);
    for change in listed.into_iter().map(Change::Put) {
        if let Some(heard) = heard(prefix, &change) {
            take_in(&mut offers, seen, me, heard)?;
        }
    }
    loop {
        if offers.len() >= options.rank_size as usize {
            return Ok(by_places(&offers));
        }
        let changes = news.take(deadline);
        if changes.is_empty() {
            return Err(missing(&offers, options, store.member().world_size));
        }
        for heard in changes {
            // One after the other, so that what came after the end is still new at the next try.
            take_in(&mut offers, seen, me, heard)?;
            if offers.len() >= options.rank_size as usize {
                break;
            }
        }
    }
}

/// Notes what one rank wants, unless it is old.
fn take_in(offers: &mut BTreeMap<Rank, Offer>, seen: &mut Seen, me: Rank, heard: Heard) -> Result<()> {
    let (rank, revision, offer) = match heard {
        Heard::Offer(rank, revision, offer) => (rank, revision, Some(offer)),
        Heard::Withdrawn(rank, revision) => (rank, revision, None),
        Heard::StoreLost => {
            return Err(Error::new(Kind::NotConnected, OP)
                .what("the store of the job is gone")
                .retry(Retry::AfterReconnect));
        }
    };
    let known = seen.0.entry(rank).or_default();
    if rank == me || *known >= revision {
        return Ok(());
    }
    *known = revision;
    let Some(offer) = offer else {
        offers.remove(&rank);
        return Ok(());
    };
    let unreadable = || {
        Error::invalid(OP, "what a rank wants is not readable; it runs another version").with("rank", rank)
    };
    let offer = offer.ok_or_else(unreadable)?;
    // What the rank wanted before does not count any more.
    offers.remove(&rank);
    for (other, known) in offers.iter() {
        compare((*other, known), (rank, &offer))?;
    }
    offers.insert(rank, offer);
    Ok(())
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

    fn try_all(stores: &[MemoryClient], wants: &[Options], seen: &mut [Seen]) -> Vec<Result<Vec<Rank>>> {
        std::thread::scope(|scope| {
            let tries = stores
                .iter()
                .zip(wants)
                .zip(seen)
                .map(|((store, want), seen)| scope.spawn(move || agree(store, want, seen, soon())));
            let tries: Vec<_> = tries.collect();
            tries.into_iter().map(|one| one.join().unwrap()).collect()
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
        let mut seen: Vec<Seen> = (0..3).map(|_| Seen::default()).collect();
        let place = |rank| Options { rank: Rank(rank), rank_size: 3, ..WANT };
        // Twice with a contradiction, then in order: what failed before is not in the way.
        for _ in 0..2 {
            let wants = [place(2), Options { local_bytes: 4 << 20, ..place(0) }, place(1)];
            for error in try_all(&stores, &wants, &mut seen).into_iter().map(|one| one.err().unwrap()) {
                assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
                assert!(error.to_string().contains("another size"), "{error}");
            }
        }
        for error in try_all(&stores, &[place(2), place(2), place(1)], &mut seen) {
            assert_eq!(error.err().unwrap().kind(), Kind::Duplicated);
        }
        for agreed in try_all(&stores, &[place(2), place(0), place(1)], &mut seen) {
            assert_eq!(agreed.unwrap(), [Rank(1), Rank(2), Rank(0)]);
        }
    }

    #[test]
    fn whoever_does_not_come_is_named() {
        let world = MemoryStore::new(2).unwrap();
        let store = world.join(None).unwrap();
        let deadline = Instant::now() + Duration::from_millis(30);
        let error = agree(&store, &WANT, &mut Seen::default(), deadline).err().unwrap();
        assert_eq!((error.kind(), error.fact("missing_places")), (Kind::Timeout, Some("1")));
        assert_eq!(error.fact("missing_ranks"), Some("1"));
        assert!(store.list("shm/").unwrap().entries.is_empty());
    }
}
