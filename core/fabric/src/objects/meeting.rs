// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ranks that meet again after a failure.
//!
//! A group of the fabric is broken by the first failure. A meeting makes a new one at the next call, so that an object stays
//! usable after somebody came late: all ranks call again, and meet. With a rank that died or left there is no way on, and
//! every call says so at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use mf_base::{Error, Kind, Rank, Result, Scope};
use mf_fabric::group::Group;
use mf_fabric::pool::Pool as FabricPool;
use mf_fabric::space::Presence;

/// A group that is made when it is needed.
#[derive(Default)]
pub(super) struct Meeting(Mutex<Option<Arc<Group>>>);

impl Meeting {
    /// Meets: `call` uses the group, which `make` makes when there is none. **Collective.**
    pub(super) fn call(
        &self,
        make: impl FnOnce() -> Result<Arc<Group>>,
        call: impl FnOnce(&Group) -> Result<()>,
    ) -> Result<()> {
        let group = self.group(make)?;
        let met = call(&group);
        // After every other error the group is broken.
        let is_whole = |error: &Error| matches!(error.kind(), Kind::RepeatInvoke | Kind::Interrupted);
        if met.as_ref().is_err_and(|error| !is_whole(error)) {
            let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if slot.as_ref().is_some_and(|now| Arc::ptr_eq(now, &group)) {
                *slot = None;
            }
        }
        // Of no use any more is the group, and the next call makes another.
        met.map_err(|error| match (error.damage(), error.kind()) {
            (Scope::Object, Kind::Timeout) => error.hint("all ranks may call it again: then they meet"),
            (Scope::Object, Kind::InvalidParam) => {
                error.hint("make the same call in all ranks; they may call again: then they meet")
            }
            _ => error,
        })
    }

    /// Gives the group up.
    pub(super) fn end(&self) {
        // Who is in a call ends by the pool, which is left.
        if let Ok(mut slot) = self.0.try_lock() {
            *slot = None;
        }
    }

    fn group(&self, make: impl FnOnce() -> Result<Arc<Group>>) -> Result<Arc<Group>> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some(group) => Ok(Arc::clone(group)),
            None => Ok(Arc::clone(slot.insert(make()?))),
        }
    }
}

/// Makes a group of these ranks of the object, unless one of them is gone.
pub(super) fn gather(
    pool: &FabricPool,
    name: &str,
    members: &[Rank],
    deadline: Instant,
    operation: &'static str,
) -> Result<Arc<Group>> {
    all_are_there(pool, members, operation)?;
    pool.group_named(name, members, deadline)
}

/// Refuses to wait for a rank that is gone.
pub(super) fn all_are_there(pool: &FabricPool, members: &[Rank], operation: &'static str) -> Result<()> {
    for rank in members {
        if pool.has_member(*rank)? {
            continue;
        }
        let is_dead = pool.presence(*rank) == Presence::Dead;
        let why = if is_dead { "its process has ended" } else { "it has destroyed the object" };
        return Err(Error::new(Kind::NotConnected, operation)
            .what("a rank is gone")
            .with("rank", rank)
            .with("because", why)
            .hint("destroy the object, and create it again with the ranks that are left")
            .scope(Scope::Object));
    }
    Ok(())
}
