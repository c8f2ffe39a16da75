// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Public interface of a store: the [`Store`] trait and its types.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank, Result};
use serde::{Deserialize, Serialize};

use crate::client::Started;
use crate::fields;

/// Lifetime of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lifetime {
    /// Until it is deleted, or the last member has left the store.
    Permanent,
    /// Until it is deleted, or the session of its setter ends.
    Session,
    /// Until it is deleted, or the lease ends.
    Lease(LeaseId),
}

/// A lease: keys bound to it are removed when it was not renewed for its time to live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LeaseId(pub u64);

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The key, 1 to 1024 bytes.
    pub key: String,
    /// The value, at most 8 MiB.
    #[serde(with = "fields::raw_bytes")]
    pub value: Vec<u8>,
    /// The store's revision when this value was set.
    pub revision: u64,
    /// The member that owns the key by its session. `None` for other keys.
    #[serde(with = "fields::optional_rank")]
    pub owner: Option<Rank>,
}

/// The entries under a prefix, at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The store's revision at that moment.
    pub revision: u64,
    /// The entries, ordered by key.
    pub entries: Vec<Entry>,
}

/// A part of a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The store's revision when the page was read; pages of one walk may differ in it.
    pub revision: u64,
    /// The entries, ordered by key.
    pub entries: Vec<Entry>,
    /// True if more entries follow the last one.
    pub more: bool,
}

/// Value that one member gave to an allgather.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The member.
    #[serde(with = "fields::rank")]
    pub rank: Rank,
    /// Its value.
    #[serde(with = "fields::raw_bytes")]
    pub value: Vec<u8>,
}

/// A member as the others see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peer {
    /// Rank in the job.
    #[serde(with = "fields::rank")]
    pub rank: Rank,
    /// Number of its session, never used again in the same job.
    pub session: u64,
    /// Name of its host, as the host calls itself.
    pub host: String,
    /// Number of its process on that host.
    pub pid: u32,
    /// Number of the device it uses.
    pub device: u16,
}

/// State of a member's connection, as the store sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// Rank in the job.
    #[serde(with = "fields::rank")]
    pub rank: Rank,
    /// Number of its session.
    pub session: u64,
    /// Its pending call at the store and the start of that call, or its last request and the age of it; for
    /// display.
    pub phase: String,
    /// Microseconds since a message of it arrived.
    pub silent_us: u64,
    /// True while its connection is up; a member without one is declared lost soon.
    pub is_connected: bool,
}

/// Pending waits of a job's members at its store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaited {
    /// Its kind.
    pub kind: AwaitedKind,
    /// Its name.
    pub name: String,
    /// The waiting members, ordered by rank; for a barrier the members that have entered.
    pub waiting: Vec<Waiter>,
}

/// Object of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AwaitedKind {
    /// A key that does not exist.
    Key,
    /// A barrier or an allgather of so many members.
    Barrier {
        /// Number of members the barrier needs.
        members: u32,
    },
    /// A lock.
    Lock {
        /// Rank of the holder. `None`: a guest holds it.
        holder: Option<u32>,
    },
}

/// A member that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiter {
    /// Rank in the job.
    pub rank: u32,
    /// Number of its session.
    pub session: u64,
    /// Microseconds since it began to wait.
    pub waited_us: u64,
}

/// The members at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Grows with every change of the membership.
    pub epoch: u64,
    /// The members, ordered by rank.
    pub members: Vec<Peer>,
    /// Members that were lost, ordered by rank, as long as no other takes their ranks.
    pub dead: Vec<Lost>,
}

/// A member that was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// The epoch in which its connection broke: it took no part in anything after that epoch.
    pub epoch: u64,
    /// The lost member.
    pub peer: Peer,
}

/// Number of members, as far as this member was notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attendance {
    /// Of the [`View`].
    pub epoch: u64,
    /// Their number.
    pub members: u32,
}

impl Attendance {
    /// A number that changes whenever a member leaves or is lost, and not when one joins.
    pub fn ends(&self) -> u64 {
        self.epoch.wrapping_sub(u64::from(self.members))
    }
}

/// Change of the membership from one reported epoch to the next. A member that joined and left between the
/// two is in neither list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewChange {
    /// The epoch after the change.
    pub epoch: u64,
    /// Members that joined.
    pub joined: Vec<Peer>,
    /// Members that left in order.
    pub left: Vec<Peer>,
    /// Members that were lost.
    pub dead: Vec<Peer>,
}

/// The leader of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// Increases with each store that takes over from one that died.
    pub term: u64,
    /// Its address, for texts and for publishing.
    pub place: String,
    /// True if it runs in this process.
    pub here: bool,
}

/// Result of a compare-and-swap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swap {
    /// True if the new value was set.
    pub swapped: bool,
    /// The entry after the call.
    pub current: Option<Entry>,
}

/// Why a key went away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// It was deleted.
    Deleted,
    /// Its owner left.
    Left,
    /// The connection of its owner dropped.
    Lost,
    /// Its lease was not renewed in time.
    Expired,
}

/// Event of a watch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// A key was set, for the first time or again.
    Put(Entry),
    /// A key went away.
    Removed {
        /// The key.
        key: String,
        /// The store's revision of the removal.
        revision: u64,
        /// The member that owned the key by its session.
        #[serde(with = "fields::optional_rank")]
        owner: Option<Rank>,
        /// Why.
        cause: Cause,
    },
    /// The store is lost, or has given this member up; no notification follows.
    StoreLost,
}

impl Change {
    /// The key that changed.
    pub fn key(&self) -> Option<&str> {
        match self {
            Change::Put(entry) => Some(&entry.key),
            Change::Removed { key, .. } => Some(key),
            Change::StoreLost => None,
        }
    }
}

/// The rank that a newcomer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankWish {
    /// The store picks: as [`Ordered`](Self::Ordered) when the world is complete at once, else a free rank
    /// after a moment without newcomers.
    Any,
    /// The store picks once all members of the world are there, in the order of their addresses and devices.
    /// In a world that was complete before, it picks a free rank at once.
    Ordered,
    /// This one if it is free, else the store picks.
    Prefer(Rank),
    /// This one or none.
    Exactly(Rank),
    /// No rank: it reads and writes, but is not a member.
    Guest,
}

/// This process as a member of the store.
#[derive(Clone, PartialEq, Eq)]
pub struct Member {
    /// Rank in the job.
    pub rank: Rank,
    /// Number of ranks of the job.
    pub world_size: u32,
    /// Number of this session, never used again by the same server.
    pub session: u64,
    /// A random value that only authenticated members of the job know.
    pub job_token: [u8; 32],
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member")
            .field("rank", &self.rank)
            .field("world_size", &self.world_size)
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

/// Called for each change under a watched prefix.
///
/// Runs on the thread that receives from the store, one change after the other, with no lock held. It may
/// call [`Store::unwatch`] and [`Store::close`]; every other call of the same store fails there at once,
/// because its answer would have to arrive on the thread that waits for it.
pub type WatchFn = Arc<dyn Fn(&Change) + Send + Sync>;

/// Called for each change of the membership, under the rules of [`WatchFn`].
pub type MembersFn = Arc<dyn Fn(&ViewChange) + Send + Sync>;

/// Called when another store has taken over, under the rules of [`WatchFn`].
pub type LeaderFn = Arc<dyn Fn(&Leader) + Send + Sync>;

/// A watch that was set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WatchId {
    pub(crate) number: u64,
    pub(crate) revision: u64,
}

impl WatchId {
    /// The callback sees changes with revisions above this one, up to the last of each key.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

/// A key-value store that the members of a job share.
///
/// One revision counter runs for the whole store and increases with every change. All calls may be made from
/// any thread; each blocks for one round trip, at most for the request timeout, unless it says otherwise. A
/// client that sends requests faster than it reads is answered as it reads.
///
/// When the connection breaks or the store dies, calls wait for it until their deadlines, and then have
/// happened once. Only [`add`](Store::add), [`append`](Store::append) and
/// [`compare_and_swap`](Store::compare_and_swap) fail if the store died during them, because it is unknown
/// whether they happened. Acknowledged writes survive as long as its writer or the store does.
///
/// # Errors
/// Every call: `NotConnected` when the store is lost or this client is closed · `Timeout` when the store
/// does not answer · `InvalidParam` for a key of 0 or more than 1024 bytes or a value above 8 MiB ·
/// `NotInit` in a forked child · `NoResources` this client, or all together, have reached a limit of the
/// store; the text names it.
pub trait Store: Send + Sync {
    /// This process as a member of the store. **Local.**
    fn member(&self) -> &Member;

    /// Sets `key`; returns the revision of the change.
    fn set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<u64>;

    /// As [`set`](Self::set), and returns before the reply: requests that are started one after the other
    /// take one round trip together. They happen in their order, and before every later call of this member.
    /// The other calls that begin with `start` are as this one.
    ///
    /// # Errors
    /// Those of requests that were not sent; the others come from [`Started::wait`].
    fn start_set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<Started<u64>> {
        self.set(key, value, lifetime).map(Started::done)
    }

    /// The entry of `key`, if it exists.
    fn get(&self, key: &str) -> Result<Option<Entry>>;

    /// As [`get`](Self::get), and returns before the reply.
    fn start_get(&self, key: &str) -> Result<Started<Option<Entry>>> {
        self.get(key).map(Started::done)
    }

    /// As [`get`](Self::get), for callers that do not wait as long as the session's requests do.
    ///
    /// # Errors
    /// `Timeout` the store does not answer by `deadline`.
    fn get_by(&self, key: &str, deadline: Instant) -> Result<Option<Entry>>;

    /// Blocks until `key` exists.
    ///
    /// # Errors
    /// `Timeout` names the key and the time waited.
    fn wait(&self, key: &str, deadline: Instant) -> Result<Entry>;

    /// Adds `delta` to the number that `key` holds as decimal text and returns the sum; a missing key counts
    /// as 0 and becomes permanent.
    ///
    /// # Errors
    /// `InvalidParam` when the value is not a number or the sum leaves the range of an `i64`.
    fn add(&self, key: &str, delta: i64) -> Result<i64>;

    /// Appends to the value of `key` and returns its new length in bytes; a missing key is made, permanent.
    fn append(&self, key: &str, value: &[u8]) -> Result<u64>;

    /// Sets `key` to `new` if its value is `expected`; `None` expects that the key is absent.
    fn compare_and_swap(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<Swap>;

    /// As [`compare_and_swap`](Self::compare_and_swap), and returns before the reply.
    fn start_compare_and_swap(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<Started<Swap>> {
        self.compare_and_swap(key, expected, new, lifetime).map(Started::done)
    }

    /// Deletes `key`. Returns false if it did not exist.
    fn delete(&self, key: &str) -> Result<bool>;

    /// Deletes `key` as [`delete`](Store::delete) does, without waiting for the store's answer: for keys that
    /// are bound to the session anyway. Never blocks. Later calls of this member happen after it.
    ///
    /// # Errors
    /// Only those of calls that were not made: a closed client, a forked child, an invalid key.
    fn discard(&self, key: &str) -> Result<()>;

    /// Lists the entries with a key that starts with `prefix` (empty: all).
    fn list(&self, prefix: &str) -> Result<Listing>;

    /// As [`list`](Self::list), and returns before the reply.
    fn start_list(&self, prefix: &str) -> Result<Started<Listing>> {
        self.list(prefix).map(Started::done)
    }

    /// Lists at most `limit` entries with a key that starts with `prefix`, beginning after the key `after`. A
    /// page also ends before it would exceed 16 MiB.
    fn list_page(&self, prefix: &str, after: Option<&str>, limit: u32) -> Result<Page>;

    /// Makes a lease that ends `ttl` after its last renewal; any member may renew it. 100 ms to 1 day.
    fn grant_lease(&self, ttl: Duration) -> Result<LeaseId>;

    /// Renews a lease.
    ///
    /// # Errors
    /// `NotExist` it has ended.
    fn keep_alive(&self, lease: LeaseId) -> Result<()>;

    /// Ends a lease; its keys go away with cause `Expired`. Returns false if the lease did not exist.
    fn revoke_lease(&self, lease: LeaseId) -> Result<bool>;

    /// Blocks until this member holds the lock `name`; in order of arrival. The lock is bound to the session.
    /// Returns a fencing token: a number higher than every earlier holder's.
    ///
    /// # Errors
    /// `Timeout` names the holder · `RepeatInvoke` this member holds it already, or waits for it.
    fn lock(&self, name: &str, deadline: Instant) -> Result<u64>;

    /// As [`lock`](Store::lock), but returns none at once when another member holds it.
    fn try_lock(&self, name: &str) -> Result<Option<u64>>;

    /// Gives the lock back.
    ///
    /// # Errors
    /// `NotExist` this member does not hold it.
    fn unlock(&self, name: &str) -> Result<()>;

    /// Calls `callback` for every later change of `key`; see [`watch`](Store::watch) for slow callbacks.
    fn watch_key(&self, key: &str, callback: WatchFn) -> Result<WatchId>;

    /// The members now.
    fn view(&self) -> Result<View>;

    /// Returns the members' current connections to the store, ordered by rank. `None` if the store is of an
    /// older release.
    fn contacts(&self) -> Result<Option<Vec<Contact>>>;

    /// Returns the pending waits of members at the store. `None` if the store is of an older release.
    fn awaited(&self) -> Result<Option<Vec<Awaited>>>;

    /// Returns the number of members, as far as this one was notified. **Local.**
    fn attendance(&self) -> Attendance;

    /// Calls `callback` for every later change of the membership. Ends with [`unwatch`](Store::unwatch).
    fn watch_members(&self, callback: MembersFn) -> Result<WatchId>;

    /// Calls `callback` whenever another store takes over. **Local.** Ends with [`unwatch`](Store::unwatch).
    fn watch_leader(&self, callback: LeaderFn) -> Result<WatchId>;

    /// The leader of the store, as far as this member was notified. **Local.**
    fn leader(&self) -> Leader;

    /// Moves this member to the store at one of other addresses, where it resumes; rank and world size stay.
    /// Returns at once.
    ///
    /// # Errors
    /// `InvalidParam` there are no addresses, or this kind of store has none.
    fn relocate(&self, _addresses: Vec<SocketAddr>) -> Result<()> {
        Err(Error::new(Kind::InvalidParam, "store relocate")
            .what("this store cannot be moved to another address"))
    }

    /// Calls `callback` for every later change under `prefix`; see [`WatchFn`] for its rules.
    ///
    /// A changing call returns after the caller's own watches have seen the change.
    ///
    /// A watch that falls behind, because this process does not read (it is stopped) or its callbacks are
    /// slow, is notified of each key once when it continues: of its state at that moment, or that it was
    /// deleted; a key that was created and removed meanwhile is not reported. The revisions of one key only
    /// increase; those of different keys then arrive in any order.
    fn watch(&self, prefix: &str, callback: WatchFn) -> Result<WatchId>;

    /// As [`watch`](Self::watch), and returns before the reply.
    fn start_watch(&self, prefix: &str, callback: WatchFn) -> Result<Started<WatchId>> {
        self.watch(prefix, callback).map(Started::done)
    }

    /// Like [`watch`](Store::watch), but without a thread: `callback` runs on the thread that received the
    /// change, with a lock of this client held. The callback may only take a note and return: it must not
    /// call this store or code of the program, must not wait, and must not own anything with a destructor
    /// that does.
    fn watch_in_place(&self, prefix: &str, callback: WatchFn) -> Result<WatchId>;

    /// As [`watch_in_place`](Self::watch_in_place), and returns before the reply.
    fn start_watch_in_place(&self, prefix: &str, callback: WatchFn) -> Result<Started<WatchId>> {
        self.watch_in_place(prefix, callback).map(Started::done)
    }

    /// Ends a watch. When it returns on another thread than the callback's, the callback does not run and
    /// will not run again. Waits for a callback that runs, never for the store.
    ///
    /// # Errors
    /// `NotExist` for a watch that ended before.
    fn unwatch(&self, id: WatchId) -> Result<()>;

    /// Blocks until `members` members are inside the barrier `name`. **Collective.** The name may be used
    /// again.
    ///
    /// When one member's deadline passes, all that are inside fail alike.
    ///
    /// # Errors
    /// `Timeout` names the missing ranks · `InvalidParam` when `members` is 0, above the world size, or
    /// differs from that of other members · `RepeatInvoke` when this member is inside already.
    fn barrier(&self, name: &str, members: u32, deadline: Instant) -> Result<()>;

    /// Allgather: like [`barrier`](Store::barrier), and returns the values of all members, ordered by rank.
    /// **Collective.** One round trip. A value has at most 64 KiB, the values of all members together at most
    /// 16 MiB.
    ///
    /// # Errors
    /// As for [`barrier`](Store::barrier).
    fn allgather(&self, name: &str, members: u32, value: &[u8], deadline: Instant) -> Result<Vec<Part>>;

    /// Ends the session; session keys of this member are removed with cause `Left`. May be repeated.
    fn close(&self);

    /// Round trips that calls of this member have waited for; requests that were [started](Self::start_set)
    /// before a reply was taken share one. **Local.**
    fn round_trips(&self) -> u64;

    /// Returns true while the connection is up. **Local.**
    fn is_connected(&self) -> bool;

    /// Returns true if the store has announced its end and this session has ended with it: the member that
    /// ran it has left the job in order. **Local.**
    fn has_ended(&self) -> bool;
}
