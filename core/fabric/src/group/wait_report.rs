// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Wait reports: long waits, as the members of a job report them to each other, and waits known to the store.
//!
//! A call of a group that has waited for 3 s (`PUBLISH_AFTER`) keeps an entry at the store until it ends: the
//! call, its start, and the missing members. So a member whose wait times out can report the state of the
//! missing members, and `mf store hang` shows the wait graph of the whole job. A thread per such call writes
//! the entry, so that no wait depends on the store; a call that ends earlier writes nothing and starts
//! nothing.
//!
//! Barriers, locks and keys of the store itself need no entry: the store has the requests.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mf_base::os::thread;
use mf_base::sync::lock;
use mf_base::{Rank, Result};
use mf_store::{Awaited, AwaitedKind, Entry, Lifetime, Store, Waiter, is_reserved};
use serde::{Deserialize, Serialize};

use super::origin::Origin;
use crate::pool::protocol::{decode, encode};

/// Time that a call waits before others are notified of it.
pub(super) const PUBLISH_AFTER: Duration = Duration::from_secs(3);
/// Longest wait of a timeout error for the store's information on the missing member.
const LEARN_WITHIN: Duration = Duration::from_secs(1);
/// Key prefix of such entries; the rank in the job follows, then the session and a number.
pub const PREFIX: &str = ".mf/waits/";
/// More ranks than these are counted in texts.
const NAMED_RANKS: usize = 8;

/// A wait that lasts, in ranks of the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The member that waits.
    pub rank: u32,
    /// Its session: another process may have the rank later.
    pub session: u64,
    /// Name of the call, such as `a barrier`.
    pub call: String,
    /// Members of the group; empty if unknown.
    pub members: Vec<u32>,
    /// Members that it waits for.
    pub missing: Vec<u32>,
    /// Milliseconds since 1970 by the clock of its host, when it began to wait.
    pub since_ms: u64,
}

impl Waiting {
    /// Describes the wait for people: `waits 12 s in a barrier of ranks 0, 1, 2 for rank 2`.
    pub fn text(&self) -> String {
        let waited = now_ms().saturating_sub(self.since_ms) / 1000;
        let missing = ranks_text(&self.missing);
        if self.members.is_empty() {
            return format!("waits {waited} s for {}, from {missing}", self.call);
        }
        format!("waits {waited} s in {} of {} for {missing}", self.call, ranks_text(&self.members))
    }
}

/// Returns the long waits of the members of a job, ordered by rank: the reported ones, and the ones at the
/// store itself.
///
/// # Errors
/// Errors of the store. Entries of another release are left out.
pub fn reported(store: &dyn Store) -> Result<Vec<Waiting>> {
    let entries = store.list(PREFIX)?.entries;
    Ok(merged(&entries, &store.awaited()?.unwrap_or_default(), store.member().world_size))
}

/// As [`reported`], from the entries under [`PREFIX`] and the waits at the store of a job of so many ranks.
pub fn merged(entries: &[Entry], awaited: &[Awaited], world_size: u32) -> Vec<Waiting> {
    let mut waits: Vec<Waiting> = entries.iter().filter_map(|entry| decode(&entry.value).ok()).collect();
    let of_groups: BTreeSet<u64> = waits.iter().map(|waiting| waiting.session).collect();
    for awaited in awaited {
        let at_store = at_store(awaited, world_size);
        // A group's wait at the store is a part of the wait that the group reports.
        let is_new = |waiting: &Waiting| !is_reserved(&awaited.name) || !of_groups.contains(&waiting.session);
        waits.extend(at_store.into_iter().filter(is_new));
    }
    waits.sort_by_key(|waiting| (waiting.rank, waiting.since_ms));
    waits
}

/// Returns the long waits at the store. Of a barrier for some of the ranks the store knows only the number of
/// ranks.
fn at_store(awaited: &Awaited, world_size: u32) -> Vec<Waiting> {
    let here: BTreeSet<u32> = awaited.waiting.iter().map(|waiter| waiter.rank).collect();
    let name = &awaited.name;
    let (call, members, missing) = match awaited.kind {
        AwaitedKind::Key => (format!("key \"{name}\""), Vec::new(), Vec::new()),
        AwaitedKind::Barrier { members } if members == world_size => {
            let missing = (0..world_size).filter(|rank| !here.contains(rank));
            (format!("barrier \"{name}\""), (0..world_size).collect(), missing.collect())
        }
        AwaitedKind::Barrier { members } => {
            let call = format!("barrier \"{name}\" ({} of {members} have entered)", here.len());
            (call, here.iter().copied().collect(), Vec::new())
        }
        AwaitedKind::Lock { holder } => {
            (format!("lock \"{name}\""), Vec::new(), holder.into_iter().collect())
        }
    };
    let now_ms = now_ms();
    let of = |waiter: &Waiter| {
        let waited = Duration::from_micros(waiter.waited_us);
        (waited >= PUBLISH_AFTER).then(|| Waiting {
            rank: waiter.rank,
            session: waiter.session,
            call: call.clone(),
            members: members.clone(),
            missing: missing.clone(),
            since_ms: now_ms.saturating_sub(u64::try_from(waited.as_millis()).unwrap_or(u64::MAX)),
        })
    };
    awaited.waiting.iter().filter_map(of).collect()
}

/// `rank 3`, `ranks 0, 2`, or how many they are.
pub fn ranks_text(ranks: &[u32]) -> String {
    match ranks {
        [] => "a member that it does not know".to_owned(),
        [rank] => format!("rank {rank}"),
        _ if ranks.len() > NAMED_RANKS => format!("{} ranks", ranks.len()),
        _ => {
            let ranks: Vec<String> = ranks.iter().map(ToString::to_string).collect();
            format!("ranks {}", ranks.join(", "))
        }
    }
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// State that a group needs to report its waits.
pub(super) struct Reporter {
    origin: Arc<Origin>,
    members: Vec<Rank>,
}

impl Reporter {
    pub(super) fn new(origin: &Arc<Origin>, members: &[Rank]) -> Arc<Self> {
        Arc::new(Self { origin: Arc::clone(origin), members: members.to_vec() })
    }

    /// The rank in the job of a member, by its place.
    fn rank_in_job(&self, member: usize) -> Option<u32> {
        self.members.get(member).map(|rank| self.origin.places.in_job(*rank).0)
    }

    /// Reports a wait that began `waited` ago. Returns `None` if no thread can be started for it.
    pub(super) fn publish(&self, call: &str, waited: Duration, missing: &[usize]) -> Option<Published> {
        let waited = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
        let session = self.origin.store.member().session;
        let waiting = Waiting {
            rank: self.origin.places.in_job(self.origin.own).0,
            session,
            call: call.to_owned(),
            members: (0..self.members.len()).filter_map(|member| self.rank_in_job(member)).collect(),
            missing: self.missing(missing),
            since_ms: now_ms().saturating_sub(waited),
        };
        let key = format!("{PREFIX}{}/{session}/{:016x}", waiting.rank, self.origin.nonce());
        let shared = Arc::new(ReportSlot {
            state: Mutex::new(ReportChange::Changed(waiting.clone())),
            changed: Condvar::new(),
        });
        let (store, for_thread) = (Arc::clone(&self.origin.store), Arc::clone(&shared));
        thread::spawn("mf-wait-report", move || for_thread.keep(&*store, &key)).ok()?;
        Some(Published { shared, waiting })
    }

    fn missing(&self, members: &[usize]) -> Vec<u32> {
        let mut missing: Vec<u32> = members.iter().filter_map(|member| self.rank_in_job(*member)).collect();
        missing.sort_unstable();
        missing
    }

    /// Returns the store's information on a missing member; `None` if the store does not answer soon.
    #[cold]
    pub(super) fn query_store(&self, member: usize) -> Option<String> {
        let rank = self.rank_in_job(member)?;
        let (sender, receiver) = mpsc::channel();
        let store = Arc::clone(&self.origin.store);
        thread::spawn("mf-wait-report", move || {
            let learned = query_session(&*store, rank);
            // The caller may have timed out.
            let _ = learned.map(|text| sender.send(text));
        })
        .ok()?;
        receiver.recv_timeout(LEARN_WITHIN).ok()
    }
}

fn query_session(store: &dyn Store, rank: u32) -> Result<String> {
    let view = store.view()?;
    let Some(peer) = view.members.iter().find(|peer| peer.rank.0 == rank) else {
        let is_dead = view.dead.iter().any(|lost| lost.peer.rank.0 == rank);
        return Ok(if is_dead {
            "it is dead: its connection to the store broke"
        } else {
            "it has left the job"
        }
        .to_owned());
    };
    let waits = reported(store)?;
    let of_it = waits.iter().find(|waiting| waiting.session == peer.session);
    Ok(of_it.map_or_else(
        || "it waits in no group and not at the store".to_owned(),
        |waiting| format!("it {}", waiting.text()),
    ))
}

/// A wait that others are notified of, until it is dropped.
pub(super) struct Published {
    shared: Arc<ReportSlot>,
    waiting: Waiting,
}

impl Published {
    /// It waits for others now.
    pub(super) fn update(&mut self, reporter: &Reporter, missing: &[usize]) {
        let missing = reporter.missing(missing);
        if missing != self.waiting.missing {
            self.waiting.missing = missing;
            self.shared.change(ReportChange::Changed(self.waiting.clone()));
        }
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        self.shared.change(ReportChange::Over);
    }
}

/// Command to the thread of an entry.
enum ReportChange {
    Written,
    Changed(Waiting),
    Over,
}

struct ReportSlot {
    state: Mutex<ReportChange>,
    changed: Condvar,
}

impl ReportSlot {
    fn change(&self, to: ReportChange) {
        *lock(&self.state) = to;
        self.changed.notify_one();
    }

    /// Keeps the entry as it is to be, and takes it back at the end. A store that cannot be reached now has
    /// the entry with its next change, or not at all; it ends with the session in any case.
    fn keep(&self, store: &dyn Store, key: &str) {
        loop {
            let mut state = lock(&self.state);
            while matches!(*state, ReportChange::Written) {
                state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
            }
            match std::mem::replace(&mut *state, ReportChange::Written) {
                ReportChange::Changed(waiting) => {
                    drop(state);
                    let _ = encode(&waiting).and_then(|bytes| store.set(key, &bytes, Lifetime::Session));
                }
                ReportChange::Over | ReportChange::Written => {
                    drop(state);
                    let _ = store.discard(key);
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_describe_the_call_and_the_missing_ranks() {
        let mut waiting = Waiting {
            rank: 0,
            session: 1,
            call: "a barrier".into(),
            members: vec![0, 1, 2],
            missing: vec![2],
            since_ms: now_ms() - 12_000,
        };
        assert!(
            waiting.text().starts_with("waits 12 s in a barrier of ranks 0, 1, 2 for rank 2"),
            "{waiting:?}"
        );
        waiting.members = (0..100).collect();
        assert!(waiting.text().contains("of 100 ranks for rank 2"), "{waiting:?}");
        waiting.members.clear();
        assert!(waiting.text().ends_with(" s for a barrier, from rank 2"), "{waiting:?}");
        let bytes = encode(&waiting).unwrap();
        assert_eq!(decode::<Waiting>(&bytes).unwrap(), waiting);
    }

    #[test]
    fn waits_at_the_store_name_the_missing_ranks() {
        let waiter = |rank: u32, waited_us: u64| Waiter { rank, session: 100 + u64::from(rank), waited_us };
        let awaited = |kind| Awaited {
            kind,
            name: "step".into(),
            waiting: vec![waiter(0, 9_000_000), waiter(2, 1_000_000)],
        };
        let of = |kind| {
            let [waiting] = &at_store(&awaited(kind), 4)[..] else { panic!("one that lasts") };
            assert_eq!((waiting.rank, waiting.session), (0, 100));
            let text = waiting.text();
            assert!(text.starts_with("waits 9 s "), "{text}");
            (text["waits 9 s ".len()..].to_owned(), waiting.missing.clone())
        };
        let (text, missing) = of(AwaitedKind::Barrier { members: 4 });
        assert_eq!(text, "in barrier \"step\" of ranks 0, 1, 2, 3 for ranks 1, 3");
        assert_eq!(missing, [1, 3]);
        let (text, missing) = of(AwaitedKind::Barrier { members: 3 });
        assert!(text.starts_with("in barrier \"step\" (2 of 3 have entered) of ranks 0, 2 for"), "{text}");
        assert!(missing.is_empty());
        let (text, missing) = of(AwaitedKind::Lock { holder: Some(3) });
        assert_eq!((text.as_str(), &missing[..]), ("for lock \"step\", from rank 3", &[3][..]));
        assert_eq!(of(AwaitedKind::Key).0, "for key \"step\", from a member that it does not know");
    }
}
