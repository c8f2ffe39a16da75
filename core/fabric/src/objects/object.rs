// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State shared by the members of an object besides its memory.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::sync::wait::Deadline;
use mf_base::{Error, Kind, Rank, Result};
use mf_store::Store;

use super::exit::{self, Exit};
use super::id_allocator;
use super::launches::{Launch, Launches};
use super::recovering_barrier::{Meeting, assemble, check_departures, check_presence};
use super::subgroups::{Subgroups, Surroundings};
use crate::group::Group;
use crate::pool::Pool;

/// An object that several members have made, with barriers, unique numbers, kernels and exit callbacks.
/// Thread-safe.
///
/// Members count by their places in the object. Each call takes the name of the operation for its errors.
pub struct Object {
    store: Arc<dyn Store>,
    prefix: String,
    pool: Arc<Pool>,
    places: Vec<Rank>,
    timeout: Duration,
    meeting: Meeting,
    subgroups: Subgroups,
    exit: Exit,
    launches: Arc<Launches>,
}

impl Object {
    /// Makes the object over the memory of this joined pool; all members of the pool are its members.
    /// `prefix`: prefix of its keys in the store, the same on all members and used by no other object.
    /// `timeout` bounds every call. **Local.**
    pub fn new(
        store: Arc<dyn Store>,
        pool: Arc<Pool>,
        prefix: String,
        members: u32,
        timeout: Duration,
    ) -> Self {
        Self {
            store,
            prefix,
            pool,
            places: (0..members).map(Rank).collect(),
            timeout,
            meeting: Meeting::default(),
            subgroups: Subgroups::default(),
            exit: Exit::default(),
            launches: Arc::default(),
        }
    }

    /// The pool that holds its memory.
    pub fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// In front of its keys in the store.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Blocks until all members have arrived. **Collective.** A failed call fails in all members that are in
    /// it, and between hosts in some only with their next call; when all call again they meet again, unless
    /// one of them is lost.
    ///
    /// # Errors
    /// `Timeout` names the missing members · `NotConnected` names a member that died or gave the object up
    /// · `InvalidParam` a member is in another call · `RepeatInvoke` another thread of this process is in a
    /// call.
    #[inline]
    pub fn barrier(&self, operation: &'static str) -> Result<()> {
        self.meet(operation, |group, deadline| group.barrier(deadline))
    }

    /// [`barrier`](Self::barrier) with a separate time limit.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier).
    pub fn barrier_within(&self, operation: &'static str, limit: Duration) -> Result<()> {
        self.meet_within(operation, limit, |group, deadline| group.barrier(deadline))
    }

    /// As [`barrier`](Self::barrier), and each member brings a number; whether all brought the same.
    /// **Collective.** See [`Group::compare`].
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier).
    #[inline]
    pub fn compare(&self, operation: &'static str, number: u64) -> Result<bool> {
        let mut are_equal = false;
        self.meet(operation, |group, deadline| {
            group.compare(number, deadline).map(|answer| are_equal = answer)
        })?;
        Ok(are_equal)
    }

    /// Gathers `own` of all members into `all`, in the order of the places. **Collective.** See
    /// [`Group::allgather`].
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier), and [`Group::allgather`].
    pub fn allgather(&self, operation: &'static str, own: &[u8], all: &mut [u8]) -> Result<()> {
        self.meet(operation, |group, deadline| group.allgather(own, all, deadline))
    }

    /// [`allgather`](Self::allgather) with a separate time limit.
    ///
    /// # Errors
    /// As [`allgather`](Self::allgather).
    pub fn allgather_within(
        &self,
        operation: &'static str,
        own: &[u8],
        all: &mut [u8],
        limit: Duration,
    ) -> Result<()> {
        self.meet_within(operation, limit, |group, deadline| group.allgather(own, all, deadline))
    }

    /// Makes a group of all members, and one of the members that this one considers alike. **Collective**
    /// over the object. See [`Group::split_alike`].
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier), and [`Group::split_alike`].
    pub fn split_alike(
        &self,
        operation: &'static str,
        label: u64,
        is_alike: impl Fn(Rank, u64) -> bool,
    ) -> Result<[Arc<Group>; 2]> {
        let mut made = None;
        self.meet(operation, |group, deadline| {
            group.split_alike(label, is_alike, deadline).map(|groups| made = Some(groups))
        })?;
        made.ok_or_else(|| Error::invalid(operation, "a group without members"))
    }

    #[inline]
    fn meet(&self, operation: &'static str, call: impl FnOnce(&Group, Deadline) -> Result<()>) -> Result<()> {
        self.meet_within(operation, self.timeout, call)
    }

    #[inline]
    fn meet_within(
        &self,
        operation: &'static str,
        limit: Duration,
        call: impl FnOnce(&Group, Deadline) -> Result<()>,
    ) -> Result<()> {
        let members = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        // A call in an existing group reads the clock only when it has to sleep.
        let deadline = Cell::new(Deadline::Within(limit));
        let make = || {
            let mut fixed = deadline.get();
            let until = fixed.fix();
            deadline.set(fixed);
            assemble(&self.pool, "", &self.places, until, operation)
        };
        self.meeting.call(operation, members, make, |group| call(group, deadline.get()))
    }

    /// Like [`barrier`](Self::barrier), of the subgroup that `key` names. **Collective** over it: `rank_size`
    /// members, which pass the same key and count themselves from 0 as `rank`. It needs no setup; a key
    /// belongs to one subgroup as long as the object lives.
    ///
    /// # Errors
    /// As there; `InvalidParam` key, size or rank are invalid or differ from the earlier calls.
    pub fn subgroup_barrier(
        &self,
        operation: &'static str,
        key: &str,
        rank_size: u32,
        rank: u32,
    ) -> Result<()> {
        let until = self.deadline();
        let call = |group: &Group| group.barrier(until);
        self.subgroups.call(operation, &self.surroundings(), key, (rank_size, rank), until, call)
    }

    /// As [`allgather`](Self::allgather), of a subgroup; the result is ordered by the ranks there.
    /// **Collective** over it.
    ///
    /// # Errors
    /// As there and [`subgroup_barrier`](Self::subgroup_barrier).
    pub fn subgroup_allgather(
        &self,
        operation: &'static str,
        key: &str,
        (rank_size, rank): (u32, u32),
        own: &[u8],
        all: &mut [u8],
    ) -> Result<()> {
        let until = self.deadline();
        let call = |group: &Group| group.allgather(own, all, until);
        self.subgroups.call(operation, &self.surroundings(), key, (rank_size, rank), until, call)
    }

    /// Refuses if a member is lost. **Local.**
    ///
    /// # Errors
    /// `NotConnected` names it.
    pub fn check_presence(&self, operation: &'static str) -> Result<()> {
        check_presence(&self.pool, &self.places, operation)
    }

    /// Like [`check_presence`](Self::check_presence), after a failure that a lost member may have caused.
    /// **Local**; blocks for a second at most, while a member is leaving.
    ///
    /// # Errors
    /// `NotConnected` names it.
    pub fn check_departures(&self, operation: &'static str) -> Result<()> {
        check_departures(&self.pool, &self.places, operation)
    }

    /// Takes the smallest number below `limit` (1 to [`VALUES_MAX`](super::VALUES_MAX)) that no member has
    /// taken. **One-sided**; a few round trips to the store. Numbers of a member that died stay taken until a
    /// member releases them.
    ///
    /// # Errors
    /// `InvalidParam` the limit · `Failed` all are taken · `NotConnected` without the store.
    pub fn alloc_value(&self, operation: &'static str, limit: u32) -> Result<u32> {
        id_allocator::alloc(operation, &*self.store, &self.key("values"), limit, self.deadline())
    }

    /// Gives a number back, no matter which member had taken it. **One-sided.**
    ///
    /// # Errors
    /// `NotExist` the number is not taken · `NotConnected` without the store.
    pub fn release_value(&self, operation: &'static str, value: u32) -> Result<()> {
        id_allocator::release(operation, &*self.store, &self.key("values"), value, self.deadline())
    }

    /// Calls `callback` with the status on a thread of ours when a member calls [`exit_all`](Self::exit_all),
    /// or has done so before. Once per object and process. **Local.**
    ///
    /// # Errors
    /// `Duplicated` there is a callback · `NotConnected` without the store.
    pub fn on_exit(&self, operation: &'static str, callback: Box<dyn Fn(i32) + Send + Sync>) -> Result<()> {
        self.exit.register(operation, &*self.store, &self.key("exit"), callback)
    }

    /// Runs the exit callbacks of all members, and returns. **One-sided.**
    ///
    /// # Errors
    /// `NotConnected` without the store.
    pub fn exit_all(&self, status: i32) -> Result<()> {
        exit::announce(&*self.store, &self.key("exit"), status)
    }

    /// Counts a kernel as running on the object, until the returned guard is dropped. **Local.**
    ///
    /// # Errors
    /// `NotExist` after [`end_launches`](Self::end_launches).
    pub fn begin_launch(&self, operation: &'static str) -> Result<Launch> {
        let begun = self.launches.begin();
        begun.ok_or_else(|| Error::new(Kind::NotExist, operation).what("the object is destroyed"))
    }

    /// Refuses new kernels and waits until none runs, at most for the timeout. Returns the number that still
    /// run.
    pub fn end_launches(&self) -> u32 {
        self.launches.close(self.deadline())
    }

    /// Ends exit callbacks and meetings of this member; waits of other members for it fail when the pool is
    /// left. **Local.**
    pub fn end(&self) {
        self.exit.end(&*self.store);
        self.subgroups.end();
        self.meeting.end();
    }

    fn deadline(&self) -> Instant {
        Deadline::Within(self.timeout).instant()
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            store: &*self.store,
            pool: &self.pool,
            prefix: &self.prefix,
            place: self.pool.rank(),
            members: u32::try_from(self.places.len()).unwrap_or(u32::MAX),
        }
    }
}
