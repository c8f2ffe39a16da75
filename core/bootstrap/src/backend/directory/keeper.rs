// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Staying the leader: the heartbeat.
//!
//! [`Directory::beat`] is one heartbeat, with the time as an argument; [`Keeper`] is the thread that makes
//! one after the other.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use mf_base::os::process::Owner;
use mf_base::os::thread;
use mf_base::{Error, Kind, Result};

use super::{Directory, LEADER, Leadership, OPERATION};
use crate::backend::Fault;

/// Heartbeats in a lease.
const BEATS: u32 = 5;

/// Why a leadership ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Another leads.
    Replaced {
        /// The term of the other.
        term: u64,
    },
    /// The backend took no heartbeat for most of a lease, so others may believe that this process is dead.
    Silenced {
        /// The record that it wrote last.
        fault: Fault,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replaced { term } => write!(f, "another process leads, with term {term}"),
            Self::Silenced { fault } => {
                write!(f, "the backend took no heartbeat for most of a lease: {fault}")
            }
        }
    }
}

impl Directory {
    /// One heartbeat of a leader.
    pub(super) fn beat(&self, now: Instant, held: &mut Leadership) -> Result<(), Loss> {
        let outcome = match self.read() {
            Ok(Some(read)) if read.owner != held.record.owner || read.term != held.record.term => {
                // A straggler of a lower term is written over; at the same term the last writer has won.
                if read.term >= held.record.term {
                    return Err(Loss::Replaced { term: read.term });
                }
                self.renew(held)
            }
            // Also when the table was wiped.
            Ok(_) => self.renew(held),
            Err(fault) => Err(fault),
        };
        match outcome {
            Ok(()) => {
                held.written = now;
                Ok(())
            }
            // The last fifth of the lease is for the store to end in.
            Err(fault) if now.saturating_duration_since(held.written) >= self.lease / BEATS * (BEATS - 1) => {
                Err(Loss::Silenced { fault })
            }
            Err(fault) => {
                tracing::warn!(%fault, "the store backend took no heartbeat, it is tried again");
                Ok(())
            }
        }
    }

    fn renew(&self, held: &mut Leadership) -> Result<(), Fault> {
        let mut next = held.record;
        next.beat += 1;
        self.write(&next)?;
        held.record = next;
        Ok(())
    }

    /// Takes the record away, so that the others need not wait for the end of the lease.
    pub(super) fn resign(&self, held: &Leadership) {
        let ours = self.read().is_ok_and(|read| {
            read.is_some_and(|read| read.owner == held.record.owner && read.term == held.record.term)
        });
        if ours && let Err(fault) = self.backend.remove(LEADER) {
            tracing::debug!(%fault, "the record of the store's leader could not be taken away");
        }
    }
}

/// Keeps a leadership with a thread of its own. Dropping it resigns.
pub struct Keeper {
    term: u64,
    leading: Arc<AtomicBool>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    owner: Owner,
}

impl Keeper {
    /// Begins the heartbeat. `lost` is called at most once, on the keeper's thread, when the leadership has
    /// ended without [`resign`](Keeper::resign): the store must stop answering then. It may not drop the
    /// keeper.
    ///
    /// # Errors
    /// `NoResources` no thread.
    pub fn start(
        directory: Arc<Directory>,
        mut leadership: Leadership,
        lost: impl FnOnce(Loss) + Send + 'static,
    ) -> Result<Self> {
        let (stop, stopped) = channel::<()>();
        let (term, leading) = (leadership.term(), Arc::new(AtomicBool::new(true)));
        let (pause, leads) = (directory.lease / BEATS, Arc::clone(&leading));
        let thread = thread::spawn("mf-store-leader", move || {
            let loss = loop {
                match stopped.recv_timeout(pause) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                        directory.resign(&leadership);
                        return;
                    }
                }
                if let Err(loss) = directory.beat(Instant::now(), &mut leadership) {
                    break loss;
                }
            };
            leads.store(false, Ordering::Release);
            tracing::warn!(term, %loss, "this process leads the store no longer");
            lost(loss);
        });
        let thread = thread.map_err(|error| {
            Error::new(Kind::NoResources, OPERATION)
                .what("the thread that keeps the leadership could not be started")
                .source(error)
        })?;
        Ok(Self { term, leading, stop: Some(stop), thread: Some(thread), owner: Owner::current() })
    }

    /// The term that is kept.
    pub fn term(&self) -> u64 {
        self.term
    }

    /// Returns true while this process leads, according to its last write. **Local.**
    pub fn is_leading(&self) -> bool {
        self.leading.load(Ordering::Acquire)
    }

    /// Ends the leadership in order: the record is removed. Blocks for the operations of the backend that are
    /// in progress.
    pub fn resign(self) {
        drop(self);
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The thread belongs to the parent of a forked child, and so does the leadership.
        if !self.owner.is_current() {
            return;
        }
        self.leading.store(false, Ordering::Release);
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            // A panic in the owner's callback was reported where it happened.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper")
            .field("term", &self.term)
            .field("leading", &self.is_leading())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Directory {
    /// The write of a leader that fell asleep after its check.
    pub(super) fn renew_for_test(&self, held: &mut Leadership) {
        assert!(self.renew(held).is_ok());
    }
}
