// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What callers see of a store: the [`Store`] trait and its types.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use mf_base::{Rank, Result};
use serde::{Deserialize, Serialize};

use crate::protocol::fields;

/// How long a key lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lifetime {
    /// Until it is deleted, or the last member has left the store.
    Permanent,
    /// Until it is deleted, or the session of its setter ends.
    Session,
}

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
    /// The member whose session the key lives with; none for permanent keys.
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

/// Result of a compare-and-swap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swap {
    /// Whether the new value was set.
    pub swapped: bool,
    /// The entry after the call.
    pub current: Option<Entry>,
}

/// Why a key went away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// Somebody deleted it.
    Deleted,
    /// Its owner said goodbye.
    Left,
    /// The connection of its owner dropped.
    Lost,
}

/// What a watch reports.
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
        /// The member whose session the key lived with.
        #[serde(with = "fields::optional_rank")]
        owner: Option<Rank>,
        /// Why.
        cause: Cause,
    },
    /// The connection to the store is gone; nothing follows.
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

/// This process as the store knows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Member {
    /// Rank in the job.
    pub rank: Rank,
    /// Number of ranks of the job.
    pub world_size: u32,
    /// Number of this session, never used again by the same server.
    pub session: u64,
    /// A random value that every authenticated member of the job knows, and nobody else.
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
/// Runs on the thread that receives from the store, one change after the other, with no lock held. It may call
/// [`Store::unwatch`] and [`Store::close`]; every other call of the same store fails there at once, because its answer
/// would have to arrive on the thread that waits for it.
pub type WatchFn = Arc<dyn Fn(&Change) + Send + Sync>;

/// A watch that was set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WatchId {
    pub(crate) number: u64,
    pub(crate) revision: u64,
}

impl WatchId {
    /// The callback sees every change with a revision above this one.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

/// A key-value store that the members of a job share.
///
/// One revision counter runs for the whole store and grows with every change. All calls may be made from any thread;
/// each blocks for one round trip, at most for the request timeout, unless it says otherwise.
///
/// # Errors
/// Every call: `NotConnected` when the connection is gone or closed · `Timeout` when the store does not answer ·
/// `InvalidParam` for a key of 0 or more than 1024 bytes or a value above 8 MiB · `NotInit` in a forked child.
pub trait Store: Send + Sync {
    /// This process as the store knows it. **Local.**
    fn member(&self) -> &Member;

    /// Sets `key`; returns the revision of the change.
    fn set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<u64>;

    /// The entry of `key`, if it exists.
    fn get(&self, key: &str) -> Result<Option<Entry>>;

    /// Blocks until `key` exists.
    ///
    /// # Errors
    /// `Timeout` names the key and the time waited.
    fn wait(&self, key: &str, deadline: Instant) -> Result<Entry>;

    /// Adds `delta` to the number that `key` holds as decimal text and returns the sum; a missing key counts as 0 and
    /// becomes permanent.
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

    /// Deletes `key`; false when there was none.
    fn delete(&self, key: &str) -> Result<bool>;

    /// The entries whose key starts with `prefix` (empty: all).
    ///
    /// # Errors
    /// `BufferTooSmall` when they hold more than 16 MiB together.
    fn list(&self, prefix: &str) -> Result<Listing>;

    /// Calls `callback` for every later change under `prefix`; see [`WatchFn`] for what it may do.
    ///
    /// A change of one's own has reached one's own watches when the changing call returns.
    fn watch(&self, prefix: &str, callback: WatchFn) -> Result<WatchId>;

    /// Ends a watch. When it returns on another thread than the callback's, the callback does not run and will not
    /// run again.
    ///
    /// # Errors
    /// `NotExist` for a watch that ended before.
    fn unwatch(&self, id: WatchId) -> Result<()>;

    /// Blocks until `members` members are inside the barrier `name`. **Collective.** The name may be used again.
    ///
    /// When the deadline of one of them passes, all that are inside fail alike.
    ///
    /// # Errors
    /// `Timeout` names the ranks that did not come · `InvalidParam` when `members` is 0, above the world size, or
    /// differs from what others said · `RepeatInvoke` when this member is inside already.
    fn barrier(&self, name: &str, members: u32, deadline: Instant) -> Result<()>;

    /// Says goodbye and ends the session; session keys of this member go away with cause `Left`. May be repeated.
    fn close(&self);

    /// Whether the connection stands. **Local.**
    fn is_connected(&self) -> bool;
}
