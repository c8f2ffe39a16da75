// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lanes: operations that are started one after the other, ordered towards each peer and completed together.
//!
//! | call | waits for | mapped here | elsewhere |
//! |---|---|---|---|
//! | [`Until::Started`] | nothing | done at once | posted |
//! | [`Until::Reusable`] | the local end may be used again | done at once | posted, if the transport has taken the bytes |
//! | [`Until::Done`] | all effects of the operation are visible | done at once | acknowledged |
//! | [`Lane::fence`] | nothing, where transports keep the order | a fence of the processor | else all started operations |
//! | [`Lane::quiet`] | all started operations | – | acknowledged |
//!
//! An operation with a local end that is lent, or an accelerator's, is waited for in any case.
//!
//! **Order.** If the transport is [`ORDERED`](mf_transport::Capabilities::ORDERED) short puts, atomics
//! and signals to one peer are visible in the order of the calls; long puts, gets and copies between two
//! others are not. A lane notes whether an operation without an order of its own was started since the last
//! fence, and only then a fence waits. It is noted after the post: a fence of another thread that took the
//! former note away has seen the operation pending.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::time::Instant;

use mf_base::os::process::Owner;
use mf_base::sync::rcu::ReadGuard;
use mf_base::{Error, Result, Retry};
use mf_net::Member;
use mf_transport::{Completion, Deadlines, Left, Operation, Peer, Transport};

use super::report;
use super::resolve::Resolver;
use super::waiter::Waiter;

/// The condition that a call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// Nothing: local memory is in use until the lane has been waited for.
    Started,
    /// Sources may be changed again; the result of a get or a fetching atomic is stored.
    Reusable,
    /// Like `Reusable`, and writes are visible to every reader.
    Done,
}

/// An order of operations. Thread-safe; dropping it waits for them.
pub struct Lane {
    completion: Arc<Completion>,
    transports: Arc<[Arc<dyn Transport>]>,
    deadlines: Deadlines,
    /// Set if an operation without an order of its own was started since the last fence.
    is_unordered: AtomicBool,
    owner: Owner,
}

impl Lane {
    /// A lane over the transports of this process, on which nothing is in flight. **Local.**
    pub fn new(transports: &[Arc<dyn Transport>], deadlines: Deadlines) -> Self {
        Self::over(transports.into(), deadlines)
    }

    /// Another lane over the same transports.
    pub fn sibling(&self) -> Self {
        Self::over(Arc::clone(&self.transports), self.deadlines)
    }

    fn over(transports: Arc<[Arc<dyn Transport>]>, deadlines: Deadlines) -> Self {
        Self {
            completion: Arc::default(),
            transports,
            deadlines,
            is_unordered: AtomicBool::new(false),
            owner: Owner::current(),
        }
    }

    /// Orders earlier puts, changes and signals on this lane, towards each peer, before later ones; stores to
    /// mapped memory as well. Gets are not ordered. Waits only if the transport keeps no order.
    pub fn fence(&self) {
        if self.is_unordered.swap(false, Ordering::AcqRel) {
            self.drain();
        }
        fence(Ordering::SeqCst);
    }

    /// Waits until all that was started on this lane is done and visible to every member.
    ///
    /// # Errors
    /// The first error since the last wait.
    pub fn quiet(&self) -> Result<()> {
        fence(Ordering::SeqCst);
        if self.completion.is_done() {
            return self.completion.outcome();
        }
        // Any drives its own connections, and all others have threads.
        self.drive(self.transports.first(), &self.completion)
    }

    /// Waits like [`quiet`](Self::quiet), and may be interrupted by the program: operations in flight
    /// continue, and the same call waits for them again.
    ///
    /// # Errors
    /// As there · `Interrupted`.
    pub fn quiet_or_leave(&self) -> Result<()> {
        fence(Ordering::SeqCst);
        match self.transports.first() {
            Some(transport) if !self.completion.is_done() => {
                transport.wait_interruptible(&self.completion, Left::Stay)
            }
            _ => self.quiet(),
        }
    }

    fn drive(&self, transport: Option<&Arc<dyn Transport>>, completion: &Completion) -> Result<()> {
        match transport {
            Some(transport) => transport.wait(completion),
            None => {
                completion.sleep(None);
                completion.outcome()
            }
        }
    }

    /// Waits until the operations started towards these peers are done, and visible; operations towards other
    /// peers may be in flight.
    ///
    /// # Errors
    /// `Timeout` names the peers that are not done · the first error on this lane since the last wait.
    pub fn quiet_peers(&self, peers: &[Peer], deadline: Instant) -> Result<()> {
        fence(Ordering::SeqCst);
        if !self.completion.is_done() {
            for transport in &*self.transports {
                peers.iter().try_for_each(|peer| transport.flush(Some(*peer), deadline))?;
            }
        }
        self.completion.outcome()
    }

    /// Returns true if nothing is in flight; does not wait. Errors stay for [`quiet`](Self::quiet).
    pub fn is_done(&self) -> bool {
        self.completion.is_done()
    }

    /// Waits as [`quiet`](Self::quiet); errors stay for that.
    pub fn drain(&self) {
        if !self.completion.is_done() {
            report(&self.completion, self.quiet());
        }
    }

    /// When operations on this lane must have ended.
    pub fn deadlines(&self) -> Deadlines {
        self.deadlines
    }

    pub(super) fn completion(&self) -> &Arc<Completion> {
        &self.completion
    }

    /// Returns the completion that collects the errors of this lane.
    pub(super) fn share(&self) -> Arc<Completion> {
        Arc::clone(&self.completion)
    }

    /// Posts an operation and waits for it, if `until` asks for that.
    ///
    /// # Safety
    /// Local memory of the operation is valid until it is done; when it was only started until the lane has
    /// been waited for.
    #[expect(clippy::too_many_arguments, reason = "the parts of one operation")]
    pub(super) unsafe fn run<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        member: &Member,
        operation: &Operation<'_>,
        bytes: u64,
        order: Order,
        until: Until,
        Flags { is_lent, is_guarded }: Flags,
    ) -> Result<Ran> {
        let deadline = self.deadlines.after(bytes);
        if until != Until::Done {
            if is_guarded {
                self.completion.guard();
            }
            // SAFETY: passed on to the caller.
            unsafe { member.post(operation, &self.completion, deadline) }?;
            self.note(order);
            return Ok(Ran::Done);
        }
        let name = (member.rank, member.key);
        let completion = Waiter::new();
        if is_guarded {
            completion.guard();
        }
        // SAFETY: waited for below.
        let outcome = unsafe { member.post(operation, &completion, deadline) }.and_then(|()| {
            // SAFETY: the member is not used any more once the wait has begun.
            unsafe { self.wait_for(resolver, section, Some(&member.transport), &completion, is_lent) }
        });
        match outcome {
            Ok(()) => Ok(Ran::Done),
            Err(error) if resolver.came_back(name, &error) => Ok(Ran::Returned),
            Err(error) if operation.is_read() && error.retry_class() == Retry::AtOnce => {
                Ok(Ran::Interrupted(error))
            }
            Err(error) => Err(error),
        }
    }

    /// Notes that an operation was started.
    pub(super) fn note(&self, order: Order) {
        if order == Order::None {
            self.is_unordered.store(true, Ordering::Release);
        }
    }

    /// Waits for a completion, outside the section unless lent memory is used.
    ///
    /// # Safety
    /// References from the section that are not kept alive otherwise are not used any more.
    pub(super) unsafe fn wait_for<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        transport: Option<&Arc<dyn Transport>>,
        completion: &Completion,
        is_lent: bool,
    ) -> Result<()> {
        // One that lives as long as the lane.
        let same = |own: &&Arc<dyn Transport>| transport.is_some_and(|other| Arc::ptr_eq(own, other));
        let transport = self.transports.iter().find(same).or(self.transports.first());
        let wait = || match transport {
            Some(transport) => transport.wait_interruptible(completion, Left::End),
            None => self.drive(None, completion),
        };
        if is_lent {
            return wait();
        }
        let _kept = resolver.share();
        // SAFETY: passed on to the caller; the resolver is kept by the share.
        unsafe { section.suspend(wait) }
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // In a forked child nothing ends the operations that the parent has in flight.
        if self.owner.is_current() {
            self.drain();
        }
    }
}

/// Local memory that an operation uses.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    /// Another member's, which is mapped only inside the section.
    pub(super) is_lent: bool,
    /// The program's, of which the ends were probed.
    pub(super) is_guarded: bool,
}

/// Which order an operation has by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The operation needs no order.
    Free,
    /// The order of the calls.
    Kept,
    /// No order.
    None,
}

impl Order {
    /// Returns the order of writes of so many bytes to this member.
    pub(super) fn of(member: &Member, bytes: u64) -> Self {
        if member.keeps_order(bytes) { Self::Kept } else { Self::None }
    }
}

/// Outcome of an operation.
pub(super) enum Ran {
    Done,
    /// The member left and came back as another one, and the operation had no effect.
    Returned,
    /// A connection was given up that carried an operation that only reads.
    Interrupted(Error),
}

/// Counts retries of reads after a lost connection.
#[derive(Default)]
pub(super) struct Retries(u32);

impl Retries {
    /// Counts one more retry.
    ///
    /// # Errors
    /// The given one, if it was retried often enough.
    pub(super) fn count(&mut self, error: Error) -> Result<()> {
        const MOST: u32 = 2;
        self.0 += 1;
        if self.0 > MOST { Err(error) } else { Ok(()) }
    }
}
