// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Barriers that recover: members meet again after a failure.
//!
//! A group of the fabric is broken by the first failure. A meeting makes a new one at the next call, so that
//! an object stays usable after a member came late: all members call again, and meet. With a member that died
//! or left that cannot succeed, and every call fails at once.

use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank, Result, interrupt};

use crate::group::{self, Group};
use crate::pool::Pool;
use crate::space::Presence;

/// Upper bound of the time until the cause of a loss is known here.
const SETTLING: Duration = Duration::from_millis(100);
/// A leaving member's memory is withdrawn a moment before its record in the store: for this long after a
/// failure, which may be a consequence of the leaving, a present record proves nothing.
const RECORDED: Duration = Duration::from_secs(1);
/// Pause between two checks of the known state.
const PAUSE: Duration = Duration::from_millis(1);

/// A group that is made when it is needed.
#[derive(Default)]
pub(super) struct Meeting(Mutex<Option<Arc<Group>>>);

impl Meeting {
    /// Runs `call` with the group of so many members; `make` makes it if there is none. **Collective.** One
    /// thread at a time: it holds the group meanwhile, which costs less than a reference count.
    #[inline]
    pub(super) fn call(
        &self,
        operation: &'static str,
        members: u32,
        make: impl FnOnce() -> Result<Arc<Group>>,
        call: impl FnOnce(&Group) -> Result<()>,
    ) -> Result<()> {
        let mut slot = match self.0.try_lock() {
            Ok(slot) => slot,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(group::busy(operation, members as usize)),
        };
        let group = match &mut *slot {
            Some(group) => group,
            none => none.insert(make()?),
        };
        call(group).map_err(|error| {
            // After every other error the group is broken, and the next call makes another.
            if !matches!(error.kind(), Kind::RepeatInvoke | Kind::Interrupted) {
                *slot = None;
            }
            explained(error)
        })
    }

    /// Gives the group up.
    pub(super) fn end(&self) {
        // Calls in progress end through the pool, which is left.
        if let Ok(mut slot) = self.0.try_lock() {
            *slot = None;
        }
    }
}

/// Of no use any more is the group, not the object.
#[cold]
fn explained(error: Error) -> Error {
    match error.kind() {
        Kind::Timeout if error.has_lost_object() => error.hint("all ranks may call it again: then they meet"),
        Kind::InvalidParam if error.has_lost_object() => {
            error.hint("make the same call in all ranks; they may call again: then they meet")
        }
        _ => error,
    }
}

/// Makes a group of these members of the object, unless one of them is lost, or gets lost meanwhile.
pub(super) fn assemble(
    pool: &Arc<Pool>,
    name: &str,
    members: &[Rank],
    deadline: Instant,
    operation: &'static str,
) -> Result<Arc<Group>> {
    check_presence(pool, members, operation)?;
    let (watched, awaited) = (Arc::clone(pool), members.to_vec());
    let is_one_gone = move || awaited.iter().any(|rank| is_gone(&watched, *rank));
    let made = interrupt::unless(is_one_gone, || pool.group_named(name, members, deadline));
    made.or_else(|error| match error.kind() {
        // Not by the program: this names the member.
        Kind::Interrupted => check_presence(pool, members, operation).and(Err(error)),
        _ => Err(error),
    })
}

/// Returns true if a member that had joined has died or left.
fn is_gone(pool: &Pool, rank: Rank) -> bool {
    matches!(pool.presence(rank), Presence::Dead | Presence::Left)
}

/// Refuses to wait for a lost member; names one that has died rather than one that has left, as the leaving
/// may have been a consequence.
pub(super) fn check_presence(pool: &Pool, members: &[Rank], operation: &'static str) -> Result<()> {
    let mut gone = None;
    for rank in members {
        if !pool.has_member(*rank)? {
            gone = gone.or(Some(*rank));
        }
    }
    let Some(left) = gone else { return Ok(()) };
    let dead = find_dead(pool, members);
    let why = if dead.is_some() { "its process has ended" } else { "it has destroyed the object" };
    Err(Error::new(Kind::NotConnected, operation)
        .what("a rank is gone")
        .with("rank", dead.unwrap_or(left))
        .with("because", why)
        .hint("destroy the object, and create it again with the ranks that are left")
        .object_lost())
}

/// Like [`check_presence`], after a failure that a lost member may have caused: waits until the loss would be
/// known.
pub(super) fn check_departures(pool: &Pool, members: &[Rank], operation: &'static str) -> Result<()> {
    let recorded = Instant::now() + RECORDED;
    loop {
        let present = check_presence(pool, members, operation);
        let is_known = members.iter().all(|rank| pool.presence(*rank) == Presence::Joined);
        if present.is_err() || is_known || recorded <= Instant::now() {
            return present;
        }
        std::thread::sleep(PAUSE);
    }
}

/// A member that has died. One that left because of it may have been seen to leave before.
fn find_dead(pool: &Pool, members: &[Rank]) -> Option<Rank> {
    let settled = pool.last_loss().map(|last| last + SETTLING);
    loop {
        let dead = members.iter().copied().find(|rank| pool.presence(*rank) == Presence::Dead);
        if dead.is_some() || settled.is_none_or(|settled| settled <= Instant::now()) {
            return dead;
        }
        std::thread::sleep(PAUSE);
    }
}
