// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The client's side: a [`Session`], which outlives its links and its stores.
//!
//! [`machine`] decides, as pure code; everything else here is the I/O around it:
//!
//! * [`shared`]: the machine, the link and the callers under one lock. **A caller that waits drives the
//!   socket itself**: it reads, feeds the machine and finds its own reply, so that no other thread has to
//!   wake up for it. One thread at a time is the driver; others wait in their slots, and one of them takes
//!   over when the driver is done. It polls a few times before it sleeps, as long as that pays
//!   ([`mf_base::sync::spin`]).
//! * [`reactor`]: one thread for all sessions of the process, which reads the sockets of those without a
//!   waiting caller.
//! * [`dispatch`]: runs watch callbacks, on a thread that only sessions with watches of programs have.
//! * [`link`]: what carries the messages; [`tcp`] over a socket, [`crate::memory`] inside the process.
//! * [`connect`] and [`hello`]: connecting to a store; [`resume`]: reconnecting.
//! * [`calls`]: the [`Store`](crate::Store) trait; each call is one request and its reply.
//! * [`counts`] counts them.

mod calls;
pub(crate) mod connect;
mod counts;
mod dispatch;
pub(crate) mod hello;
pub(crate) mod link;
pub(crate) mod machine;
mod options;
mod reactor;
pub(crate) mod resume;
pub(crate) mod shared;
mod started;
mod tcp;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use crate::api::Member;
pub use counts::{ClientCounts, client_counts};
pub use options::{AbsentFn, ClientOptions};
use shared::SessionCore;
pub use started::Started;

/// Connection of a member, or a guest, to a store. Dropping it closes it.
///
/// A broken connection is made again in the background, over the addresses it was given.
pub struct Session {
    member: Member,
    shared: Arc<SessionCore>,
    request_timeout: Duration,
    /// Numbers of watches.
    watches: AtomicU64,
}

impl Session {
    /// The session of a member that was just welcomed.
    pub(crate) fn new(member: Member, shared: Arc<SessionCore>, request_timeout: Duration) -> Self {
        Self { member, shared, request_timeout, watches: AtomicU64::new(0) }
    }

    /// Cuts the connection permanently and without notice, as if this process had died: the store sees the
    /// session as lost.
    ///
    /// For tests of what happens to the others.
    pub fn sever(&self) {
        self.shared.sever();
    }

    /// Breaks the connection; the session resumes over another one.
    ///
    /// For tests of just that.
    pub fn cut_link(&self) {
        self.shared.cut_link();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("member", &self.member).finish_non_exhaustive()
    }
}

/// The moment `limit` from now, or one that is never reached.
pub(crate) fn after(limit: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(limit).unwrap_or(now + Duration::from_secs(1 << 30))
}
