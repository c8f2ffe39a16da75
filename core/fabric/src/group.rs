// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups: ranks that wait for each other, and give each other bytes.
//!
//! A group is any list of ranks; groups may overlap. How its members meet is decided when it is made ([`Group::create`]):
//!
//! | members | meet | file |
//! |---|---|---|
//! | of one host | in the control pages that they have mapped of each other | `page`, `room`, `word`, `patience` |
//! | of several hosts | on each host as above; the leaders exchange messages in log2(hosts) rounds | `between`, `exchange`, `schedule`, `packet`, `wire` |
//! | that neither reaches | through the store | `store` |
//!
//! `topology` decides that, from what the members offer each other in `create`.
//!
//! # What is promised
//! A call that returned `Ok` has seen all members in the same call. When one member fails a call, because a member is late or
//! dead, or because members do different things, the group is broken: its rounds cannot be matched any more. On one host, a
//! round fails for all members or passes for all, with one cause. Between hosts and through the store, a round that fails for
//! some may have passed for others; these learn of it in their next call. Every further call fails at once and names that
//! cause. A new group of the members that are left is the way on.
//!
//! One thread at a time uses a group; a second one is refused (`RepeatInvoke`). Different groups do not disturb each other.

mod between;
mod create;
mod exchange;
mod failure;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod packet;
mod page;
mod patience;
mod room;
mod schedule;
mod store;
mod topology;
mod wire;
mod word;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use mf_base::{Error, Kind, Rank, Result};

use between::Between;
pub use create::Parts;
use failure::{Cause, Failure};
pub use page::{AREA_BYTES, ControlPage, SLOTS};
use room::Room;
use store::ByStore;
pub use wire::{Inbox, Wire};

const BARRIER: &str = "group barrier";
const ALLGATHER: &str = "group allgather";

/// Ranks that wait for each other. Thread-safe; see the [module documentation](self) for what is promised.
pub struct Group {
    members: Vec<Rank>,
    own: usize,
    way: Ways,
    is_busy: AtomicBool,
    failure: OnceLock<Failure>,
    /// Whether there is a call that this member left.
    is_left: AtomicBool,
    left: Mutex<Option<Left>>,
}

/// A call whose wait this member's thread left, because its program asked for it: the others may go on, and
/// the same call goes on where this one was.
struct Left {
    operation: &'static str,
    own: Vec<u8>,
    /// What has come, up to `progress` of each.
    all: Vec<u8>,
    progress: usize,
}

enum Ways {
    Room(Room),
    Between(Box<Between>),
    Store(ByStore),
}

/// Ends the call of a thread.
struct Turn<'a>(&'a AtomicBool);

impl Drop for Turn<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Group {
    /// The members, in the order in which they were named.
    pub fn members(&self) -> &[Rank] {
        &self.members
    }

    /// The place of this member in [`members`](Self::members).
    pub fn place(&self) -> usize {
        self.own
    }

    /// How the members meet: `shared memory`, `wire`, `store`.
    pub fn way(&self) -> &'static str {
        match &self.way {
            Ways::Room(_) => "shared memory",
            Ways::Between(_) => "wire",
            Ways::Store(_) => "store",
        }
    }

    /// Waits until all members are here. **Collective.**
    ///
    /// # Errors
    /// `Timeout` names the members that did not come, and where each was last seen · `NotConnected` a member
    /// died or left · `InvalidParam` a member is in another call · `RepeatInvoke` another thread of this
    /// process is in a call of this group. After all but the last the group is broken. `Interrupted` this
    /// thread left the wait ([`mf_base::interrupt`]): the group is whole, and its next call is this one
    /// again, which waits on.
    #[inline]
    pub fn barrier(&self, deadline: Instant) -> Result<()> {
        let _turn = self.turn(BARRIER)?;
        if self.is_left.load(Ordering::Relaxed) {
            self.go_on(BARRIER, &[], &mut [])?;
        }
        let met = match &self.way {
            Ways::Room(room) => room.barrier(deadline),
            Ways::Between(between) => between.barrier(deadline),
            Ways::Store(store) => store.barrier(deadline),
        };
        met.map_err(|failure| self.fail(BARRIER, failure, || (Vec::new(), Vec::new(), 0)))
    }

    /// Every member gives `own`, all of the same length, and gets those of all, in the order of
    /// [`members`](Self::members). **Collective.** On an error the content of `all` is undefined.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier); `InvalidParam` on all members when their lengths differ, and on this one alone, before
    /// anything was begun, when `all` has not the length of `own` times the number of members.
    pub fn allgather(&self, own: &[u8], all: &mut [u8], deadline: Instant) -> Result<()> {
        if own.len().checked_mul(self.members.len()) != Some(all.len()) {
            return Err(Error::invalid(ALLGATHER, "the buffer for all does not fit")
                .with("own_bytes", own.len())
                .with("members", self.members.len())
                .with("all_bytes", all.len()));
        }
        let _turn = self.turn(ALLGATHER)?;
        let mut progress = 0;
        if self.is_left.load(Ordering::Relaxed) {
            progress = self.go_on(ALLGATHER, own, all)?;
        }
        let met = match &self.way {
            Ways::Room(room) => room.allgather(own, all, deadline, &mut progress),
            Ways::Between(between) => between.allgather(own, all, deadline, &mut progress),
            Ways::Store(store) => store.allgather(own, all, deadline, &mut progress),
        };
        met.map_err(|failure| self.fail(ALLGATHER, failure, || (own.to_vec(), all.to_vec(), progress)))
    }

    /// Goes on with the call that was left, if this is the same; how far it had come.
    #[cold]
    fn go_on(&self, operation: &'static str, own: &[u8], all: &mut [u8]) -> Result<usize> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(before) = left.take() else { return Ok(0) };
        if before.operation != operation || before.own != own {
            let error =
                Error::invalid(operation, "this member left another call of the group, which comes first")
                    .with("left", before.operation)
                    .with("own_bytes", before.own.len())
                    .hint("make the call again that was interrupted, with the same bytes");
            *left = Some(before);
            return Err(error);
        }
        self.is_left.store(false, Ordering::Relaxed);
        all.copy_from_slice(&before.all);
        Ok(before.progress)
    }

    /// This process has heard that a member died: waits for it end now, and later calls fail at once. **Local.** Does not block.
    pub fn lost(&self, rank: Rank) {
        let Some(member) = self.members.iter().position(|member| *member == rank) else { return };
        match &self.way {
            Ways::Room(room) => room.lost(member),
            Ways::Between(between) => between.lost(member),
            Ways::Store(_) => {
                let _ = self.failure.set(Failure::new(Cause::Lost, member, "its process has ended"));
            }
        }
    }

    #[inline]
    fn turn(&self, operation: &'static str) -> Result<Turn<'_>> {
        if self.is_busy.swap(true, Ordering::Acquire) {
            return Err(Error::new(Kind::RepeatInvoke, operation)
                .what("another thread is in a call of this group")
                .with("members", self.members.len())
                .hint("give each thread a group of its own"));
        }
        let turn = Turn(&self.is_busy);
        match self.failure.get() {
            None => Ok(turn),
            Some(failure) => Err(failure.error(operation, &self.members, true)),
        }
    }

    #[cold]
    fn fail(
        &self,
        operation: &'static str,
        failure: Failure,
        left: impl FnOnce() -> (Vec<u8>, Vec<u8>, usize),
    ) -> Error {
        let error = failure.error(operation, &self.members, false);
        if failure.cause == Cause::Left {
            let (own, all, progress) = left();
            let left = Left { operation, own, all, progress };
            *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
            self.is_left.store(true, Ordering::Relaxed);
        } else {
            let _ = self.failure.set(failure);
        }
        error
    }
}
