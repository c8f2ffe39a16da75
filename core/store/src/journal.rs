// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Journal of a store: the right of its server to lead, and durable records of its keys, in a service outside
//! of the job.
//!
//! A server with a journal writes each change of a key before any answer that depends on it
//! (`server/durability_gate.rs`), answers nothing after the end of its leadership, and begins with the keys
//! of the leader before it.

use std::fmt;
use std::pin::Pin;

use mf_base::Error;

use crate::protocol::Failure;
pub use crate::state::{Batch, DurableState, Life, Stored};

/// An operation of a journal. It runs on the thread of the servers and must not block.
pub type JournalFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// The right to lead, and to write. One task calls [`write`](Self::write), one [`renew`](Self::renew).
pub trait Journal: Send {
    /// Returns true while this leader may answer.
    fn is_valid(&self) -> bool;

    /// The failure of calls that need a write while the service has no space for it.
    fn lacks_space(&self) -> Option<Failure>;

    /// Waits until the service has run out of space.
    fn ran_out_of_space(&self) -> JournalFuture<'_, ()>;

    /// Renews the right to lead until the leadership is over, and returns the reason.
    fn renew(&self) -> JournalFuture<'_, LeadershipEnd>;

    /// Writes a store's changes. Returns when all of them are written.
    fn write(&self, batch: Batch) -> JournalFuture<'_, Result<(), LeadershipEnd>>;

    /// Ends the leadership in order, so that no member needs to wait for the end of the lease.
    fn resign(&self) -> JournalFuture<'_, ()>;
}

/// Values that an elected process leads with.
pub struct Elected {
    /// Its journal.
    pub journal: Box<dyn Journal>,
    /// State of the store before.
    pub inherited: DurableState,
}

/// Why a leadership ended.
#[derive(Debug)]
pub enum LeadershipEnd {
    /// Another leads, or the record of the job is another's.
    Replaced,
    /// The lease ended, although it was renewed in time by our clock.
    LeaseEnded,
    /// etcd did not answer for most of a lease, so that another may be elected soon.
    Silence(String),
    /// Something cannot be written at all.
    Failed(Error),
}

impl fmt::Display for LeadershipEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replaced => write!(f, "another process leads"),
            Self::LeaseEnded => write!(f, "its lease in etcd has ended"),
            Self::Silence(text) => write!(f, "etcd did not answer for most of a lease: {text}"),
            Self::Failed(error) => error.fmt(f),
        }
    }
}
