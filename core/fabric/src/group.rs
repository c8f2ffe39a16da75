// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups: ranks that synchronise by barriers, and exchange bytes.
//!
//! A group is any list of ranks; groups may overlap, and up to [`SLOTS`] of a pool's may be alive in a
//! process. The members choose a route when the group is made, through the store ([`Group::create`]) or in a
//! group that they share ([`Group::split`]):
//!
//! | members | meet | file |
//! |---|---|---|
//! | of one host | in each other's mapped control pages | `page`, `intra_host`, `arrival_word` |
//! | of several hosts | on each host as above; leaders by messages in log2(hosts) rounds | `inter_host`, `exchange_machine`, `schedule`, `packet`, `wire` |
//! | without shared memory and wire | through the store | `store` |
//!
//! `topology` chooses the route from the members' offers in `create` and `split`. State shared by all groups
//! of a member is in the [`Registry`].
//!
//! # The path of a barrier
//! 1. `intra_host`, `intra_host/member_slot`: a member writes its arrival word into its own control page and
//!    reads the words of the others (`mf_base::sync::barrier_state`).
//! 2. `intra_host/waiting`: it spins if each member has a core, then yields, then sleeps with an eventcount.
//! 3. Of several hosts, each leader (`intra_host/leader_rounds`) exchanges messages with others in
//!    log2(hosts) rounds (`inter_host`, `exchange_machine`).
//! 4. `intra_host/round_outcome` decides once for all members of a host whether the round passed; `failure`
//!    has the text, which names late and dead members. A barrier without a limit logs the missing members
//!    once a minute (`slow_wait`).
//!
//! # Guarantees
//! A call that returned `Ok` has seen all members in the same call. If a call fails in one member, because a
//! member is late or dead, or because members make different calls, the group is broken: its rounds cannot be
//! matched any more. On one host, a round fails for all members or passes for all, with one cause. Between
//! hosts and through the store, a round that fails for some may have passed for others; these get the error
//! in their next call. Every further call fails at once and names that cause. To continue, make a new group
//! of the remaining members.
//!
//! A call that waits for some seconds reports that at the store ([`wait_report`]).
//!
//! One thread at a time uses a group; a second one is refused (`RepeatInvoke`). Different groups do not
//! disturb each other. If a thread leaves a wait because its program interrupted it, the same call, made
//! again, resumes (`saved_call`).

mod arrival_word;
mod create;
mod exchange_machine;
mod failure;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod inter_host;
#[expect(unsafe_code, reason = "a page that members share")]
mod intra_host;
mod origin;
mod packet;
#[expect(unsafe_code, reason = "a page that members share")]
mod page;
mod registry;
mod saved_call;
mod schedule;
mod slow_wait;
mod split;
mod store;
mod topology;
pub mod wait_report;
mod wire;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use mf_base::sync::pace::Taken;
use mf_base::sync::wait::Deadline;
use mf_base::{Error, Kind, Rank, Result};

pub use create::Parts;
use failure::{Cause, Failure};
use inter_host::InterHost;
use intra_host::IntraHost;
use origin::Origin;
pub use page::{AREA_BYTES, ControlPage, SLOTS};
pub use registry::Registry;
use saved_call::InterruptedCall;
use store::ByStore;
use wait_report::Reporter;
pub use wire::{Inbox, Wire};

use mf_net::watch::wait_metrics as observed;

const BARRIER: &str = "group barrier";
const ALLGATHER: &str = "group allgather";
const COMPARE: &str = "group compare";

/// Ranks that synchronise and exchange bytes. Thread-safe; see the [module documentation](self) for the
/// guarantees.
pub struct Group {
    members: Vec<Rank>,
    own: usize,
    route: Routes,
    origin: Arc<Origin>,
    reporter: Arc<Reporter>,
    is_busy: AtomicBool,
    failure: OnceLock<Failure>,
    interrupted: InterruptedCall,
    /// Number of losses in the registry when the group was made.
    losses: usize,
}

/// The route by which the members meet.
enum Routes {
    IntraHost(IntraHost),
    InterHost(Box<InterHost>),
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

    /// Returns the name of the route: `shared memory`, `wire`, `store`.
    pub fn route(&self) -> &'static str {
        match &self.route {
            Routes::IntraHost(_) => "shared memory",
            Routes::InterHost(_) => "wire",
            Routes::Store(_) => "store",
        }
    }

    /// Blocks until all members have arrived. **Collective.**
    ///
    /// # Errors
    /// `Timeout` names the missing members, with the last seen state of each, and for the first its own wait,
    /// or its death · `NotConnected` a member died or left · `InvalidParam` a member is in another call ·
    /// `RepeatInvoke` another thread of this process is in a call of this group. After all but the last the
    /// group is broken. `Interrupted` this thread left the wait ([`mf_base::interrupt`]): the group is whole,
    /// and its next call must be this one again, which waits on.
    #[inline]
    pub fn barrier(&self, deadline: impl Into<Deadline>) -> Result<()> {
        let mut deadline = deadline.into();
        let _turn = self.begin_turn(BARRIER)?;
        let _waiting = observed::begin(BARRIER, self.route());
        if self.interrupted.is_set() {
            self.interrupted.resume(BARRIER, &[], &mut [])?;
        }
        let met = match &self.route {
            Routes::IntraHost(room) => room.barrier(&mut deadline),
            Routes::InterHost(between) => between.barrier(deadline.fix()),
            Routes::Store(store) => store.barrier(deadline.fix()),
        };
        met.map_err(|failure| self.fail(BARRIER, failure, &[], &[], 0))
    }

    /// Like [`barrier`](Self::barrier), with a number from each member. Returns true, on all members alike,
    /// if all numbers are equal. On one host it costs as much as a barrier. **Collective.**
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier).
    #[inline]
    pub fn compare(&self, number: u64, deadline: impl Into<Deadline>) -> Result<bool> {
        let (mut deadline, own) = (deadline.into(), number.to_le_bytes());
        let Routes::IntraHost(room) = &self.route else {
            let mut all = vec![0; own.len() * self.members.len()];
            self.allgather(&own, &mut all, deadline)?;
            return Ok(all.chunks_exact(own.len()).all(|other| other == own));
        };
        let _turn = self.begin_turn(COMPARE)?;
        let _waiting = observed::begin(COMPARE, self.route());
        if self.interrupted.is_set() {
            self.interrupted.resume(COMPARE, &own, &mut [])?;
        }
        room.compare(number, &mut deadline).map_err(|failure| self.fail(COMPARE, failure, &own, &[], 0))
    }

    /// Gathers `own` of every member, all of the same length, into `all`, in the order of
    /// [`members`](Self::members). **Collective.** On an error the content of `all` is undefined.
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier); `InvalidParam` on all members if their lengths differ, and on this one
    /// alone, before anything was begun, if the length of `all` is not the length of `own` times the number
    /// of members.
    pub fn allgather(&self, own: &[u8], all: &mut [u8], deadline: impl Into<Deadline>) -> Result<()> {
        self.allgather_with(own, all, deadline.into(), None)
    }

    /// Like [`allgather`](Self::allgather), for members whose lengths may differ. Returns true if all lengths
    /// are equal. If they are not, each place of `all` begins with its member's bytes, as far as they fit,
    /// and the group stays whole: all get that result alike, in one round. This holds if
    /// [`takes_any_length`](Self::takes_any_length); otherwise lengths that differ break the group.
    ///
    /// # Errors
    /// As [`allgather`](Self::allgather).
    pub fn allgather_any_length(
        &self,
        own: &[u8],
        all: &mut [u8],
        deadline: impl Into<Deadline>,
    ) -> Result<bool> {
        let mut are_equal = true;
        self.allgather_with(own, all, deadline.into(), Some(&mut are_equal)).map(|()| are_equal)
    }

    /// Returns true if members may pass different lengths: members of one host may, since they see each
    /// other's.
    pub fn takes_any_length(&self) -> bool {
        matches!(self.route, Routes::IntraHost(_))
    }

    fn allgather_with(
        &self,
        own: &[u8],
        all: &mut [u8],
        mut deadline: Deadline,
        are_equal: Option<&mut bool>,
    ) -> Result<()> {
        if own.len().checked_mul(self.members.len()) != Some(all.len()) {
            return Err(Error::invalid(ALLGATHER, "the buffer for all does not fit")
                .with("own_bytes", own.len())
                .with("members", self.members.len())
                .with("all_bytes", all.len()));
        }
        let _turn = self.begin_turn(ALLGATHER)?;
        let _waiting = observed::begin(ALLGATHER, self.route());
        let mut progress = 0;
        if self.interrupted.is_set() {
            progress = self.interrupted.resume(ALLGATHER, own, all)?;
        }
        let met = match &self.route {
            Routes::IntraHost(room) => room.allgather(own, all, &mut deadline, &mut progress, are_equal),
            Routes::InterHost(between) => between.allgather(own, all, deadline.fix(), &mut progress),
            Routes::Store(store) => store.allgather(own, all, deadline.fix(), &mut progress),
        };
        met.map_err(|failure| self.fail(ALLGATHER, failure, own, all, progress))
    }

    /// Notes that a member died: waits for it end now, and later calls fail at once. **Local.** Does not
    /// block.
    pub fn mark_lost(&self, rank: Rank) {
        let Some(member) = self.members.iter().position(|member| *member == rank) else { return };
        match &self.route {
            Routes::IntraHost(room) => room.mark_lost(member),
            Routes::InterHost(between) => between.mark_lost(member),
            Routes::Store(_) => {
                let _ = self.failure.set(Failure::new(Cause::Lost, member, "its process has ended"));
            }
        }
    }

    /// Moves this thread to another core if another member of this host waits on its core, and each can have
    /// one; for waits of members outside of the group's calls, which note their core, too. **Local.**
    pub fn leave_shared_core(&self) {
        match &self.route {
            Routes::IntraHost(room) => room.leave_shared_core(),
            Routes::InterHost(between) => between.room().into_iter().for_each(IntraHost::leave_shared_core),
            Routes::Store(_) => {}
        }
    }

    /// When other work last took a core from a member, where all are on this host; for waits of members
    /// outside of the group's calls.
    pub fn core_losses(&self) -> Option<&Taken> {
        match &self.route {
            Routes::IntraHost(room) => Some(room.core_losses()),
            Routes::InterHost(_) | Routes::Store(_) => None,
        }
    }

    #[inline]
    fn begin_turn(&self, operation: &'static str) -> Result<Turn<'_>> {
        if self.is_busy.swap(true, Ordering::Acquire) {
            return Err(busy(operation, self.members.len()));
        }
        let turn = Turn(&self.is_busy);
        match self.failure.get() {
            None => Ok(turn),
            Some(failure) => Err(failure.error(operation, &self.members, self.own, true)),
        }
    }

    #[cold]
    fn fail(
        &self,
        operation: &'static str,
        failure: Failure,
        own: &[u8],
        all: &[u8],
        progress: usize,
    ) -> Error {
        let error = failure.error(operation, &self.members, self.own, false);
        let error = match failure.cause {
            Cause::Timeout => match self.reporter.query_store(failure.member) {
                Some(learned) => error.with("at_the_store", learned),
                None => error,
            },
            _ => error,
        };
        if failure.cause == Cause::Left {
            self.interrupted.keep(operation, own, all, progress);
        } else {
            observed::failed(operation, self.route());
            let _ = self.failure.set(failure);
        }
        error
    }
}

/// Refuses a second thread in a group of so many members.
#[cold]
pub(crate) fn busy(operation: &'static str, members: usize) -> Error {
    Error::new(Kind::RepeatInvoke, operation)
        .what("another thread is in a call of this group")
        .with("members", members)
        .hint("give each thread a group of its own")
}
