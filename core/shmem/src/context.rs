// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A context: operations that are ordered and completed together, apart from those of other contexts. PEs are
//! numbered as in its team.
//!
//! A world has a default context, of the team of all PEs, and further ones made by the program. Copies of
//! mapped memory are the same on every context: they are done on return. For all other operations a context
//! is a [`Lane`].

use std::fmt;
use std::sync::Arc;

use mf_base::sync::rcu;
use mf_base::{Error, Kind, Result};
use mf_device::engine::Piece;
use mf_fabric::pool::{Pool, Side};
use mf_fabric::transfer::{Blocks, Lane, Until};
use mf_transport::Atomic;

use crate::fast_path::contexts::{self, ContextRows};
use crate::handles::Handles;
use crate::space::PeAddress;
use crate::team::Team;

pub(crate) const CREATE: &str = "symmetric context create";
pub(crate) const DESTROY: &str = "symmetric context destroy";

/// The number of the default context.
const DEFAULT: u64 = 1;
/// Most contexts of a program at a time, besides the default one.
pub const CONTEXTS_MAX: usize = contexts::CONTEXTS_MAX - 1;

/// Promises of the program about the calls on a context. They only affect its destruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextOptions {
    /// One thread makes all calls; it is not destroyed with its team.
    pub is_private: bool,
}

/// Operations that are ordered and completed together.
pub struct Context {
    lane: Lane,
    /// True if some PE's memory is not mapped here.
    is_needed: bool,
    team: Arc<Team>,
    options: ContextOptions,
    number: u64,
}

/// The contexts of a world.
pub(crate) struct Contexts {
    default: Arc<Context>,
    others: Handles<Context>,
    /// Contexts as inlined functions see them.
    rows: ContextRows,
}

/// Direction of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Put,
    Get,
}

impl Direction {
    /// Returns the sides of source and destination.
    fn sides(self) -> (Side, Side) {
        match self {
            Self::Put => (Side::Local, Side::Global),
            Self::Get => (Side::Global, Side::Local),
        }
    }
}

impl Context {
    fn new(
        pool: &Pool,
        is_needed: bool,
        team: &Arc<Team>,
        options: ContextOptions,
        number: u64,
    ) -> Arc<Self> {
        Arc::new(Self { lane: pool.lane(), is_needed, team: Arc::clone(team), options, number })
    }

    /// Returns the team that numbers its PEs.
    pub fn team(&self) -> &Arc<Team> {
        &self.team
    }

    /// Returns its number among the contexts of this PE: 1 is the default one, 0 is invalid. The number of a
    /// destroyed context is not reused.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the promises made at its creation.
    pub fn options(&self) -> ContextOptions {
        self.options
    }

    /// Copies `bytes` between memory of this process and memory of another PE.
    ///
    /// # Safety
    /// The memory of this process is valid for the call; if the copy was only started, until
    /// [`quiet`](Self::quiet).
    pub(crate) unsafe fn remote_copy(
        &self,
        pool: &Pool,
        direction: Direction,
        piece: &Piece,
        until: Until,
    ) -> Result<()> {
        let section = rcu::read_lock();
        // SAFETY: passed on to the caller.
        unsafe { self.lane.copy(&pool.resolver(direction.sides()), &section, piece, until) }
    }

    /// Like [`remote_copy`](Self::remote_copy), of blocks at equal distances.
    ///
    /// # Safety
    /// As there, for all blocks.
    pub(crate) unsafe fn remote_copy_blocks(
        &self,
        pool: &Pool,
        direction: Direction,
        blocks: &Blocks,
        until: Until,
    ) -> Result<()> {
        let section = rcu::read_lock();
        // SAFETY: passed on to the caller.
        unsafe { self.lane.copy_blocks(&pool.resolver(direction.sides()), &section, blocks, until) }
    }

    /// Changes a word. Its old value, with the width of the word, is written to `old`.
    ///
    /// # Errors
    /// Errors of the network; none for an operation that was only started.
    ///
    /// # Safety
    /// The place is aligned to the width. `old` is null, or writable until the change is done (see `until`).
    pub(crate) unsafe fn change(
        &self,
        pool: &Pool,
        place: PeAddress,
        atomic: Atomic,
        old: *mut u8,
        until: Until,
    ) -> Result<()> {
        let there = match place {
            PeAddress::Mapped(there) => there,
            PeAddress::Remote(there) => {
                let section = rcu::read_lock();
                let resolver = pool.resolver((Side::Global, Side::Global));
                // SAFETY: passed on to the caller.
                return unsafe { self.lane.change(&resolver, &section, there.0, atomic, old, until) };
            }
        };
        // SAFETY: aligned memory of a PE that is mapped until the world ends.
        let before = unsafe { atomic.apply(there) };
        if !old.is_null() {
            // SAFETY: passed on to the caller.
            unsafe { atomic.width.write(before, old) };
        }
        Ok(())
    }

    /// Returns the lane on which its operations are posted.
    pub(crate) fn lane(&self) -> &Lane {
        &self.lane
    }

    /// Returns true if all memory is mapped here.
    #[inline]
    pub(crate) fn is_all_mapped(&self) -> bool {
        !self.is_needed
    }

    /// Orders earlier puts.
    #[inline]
    pub(crate) fn fence(&self) {
        if self.is_needed {
            self.lane.fence();
        } else {
            // Orders stores to mapped memory; nothing else was started.
            std::sync::atomic::fence(std::sync::atomic::Ordering::Release);
        }
    }

    /// Like [`quiet`](Self::quiet), but errors are kept for its next call.
    pub(crate) fn drain(&self) {
        self.lane.drain();
    }

    /// Completes earlier operations.
    pub(crate) fn quiet(&self) -> Result<()> {
        self.lane.quiet()
    }

    /// Like `quiet`, but interruptible: the program may call it again.
    #[inline]
    pub(crate) fn quiet_or_leave(&self) -> Result<()> {
        self.lane.quiet_or_leave()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("number", &self.number)
            .field("team", &self.team)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Contexts {
    /// Creates the default context.
    ///
    /// # Errors
    /// Errors of [`Handles::new`].
    pub(crate) fn new(
        operation: &'static str,
        pool: &Pool,
        is_needed: bool,
        team: &Arc<Team>,
    ) -> Result<Self> {
        let default = Context::new(pool, is_needed, team, ContextOptions::default(), DEFAULT);
        let others = Handles::new(operation, 1, CONTEXTS_MAX)?;
        let contexts = Self { default, others, rows: ContextRows::default() };
        contexts.rows.show(DEFAULT, team.progression());
        Ok(contexts)
    }

    #[inline]
    pub(crate) fn default(&self) -> &Context {
        &self.default
    }

    /// Completes the operations started on all contexts.
    ///
    /// # Errors
    /// The first error.
    pub(crate) fn quiet(&self) -> Result<()> {
        self.others.all().iter().map(|context| context.quiet()).fold(Ok(()), Result::and)
    }

    /// Destroys the selected contexts, and completes the operations started on them.
    pub(crate) fn destroy_all(&self, is_one: impl Fn(&Context) -> bool) -> Result<()> {
        let gone = self.others.all().into_iter().filter(|context| is_one(context));
        gone.map(|context| self.remove(&context)).fold(Ok(()), Result::and)
    }

    /// Makes a context of a team.
    ///
    /// # Errors
    /// `NoResources` [`CONTEXTS_MAX`] exist.
    pub(crate) fn create(
        &self,
        pool: &Pool,
        team: &Arc<Team>,
        options: ContextOptions,
    ) -> Result<Arc<Context>> {
        let number = self.others.take().ok_or_else(|| {
            Error::new(Kind::NoResources, CREATE)
                .what("there are too many contexts")
                .with("limit", CONTEXTS_MAX)
                .hint("destroy those that are not needed")
        })?;
        let is_needed = !self.default.is_all_mapped();
        let context = Context::new(pool, is_needed, team, options, number);
        self.others.put(number, Arc::clone(&context));
        self.rows.show(number, team.progression());
        Ok(context)
    }

    /// Completes the operations started on a context, and destroys it.
    ///
    /// # Errors
    /// Errors of the network; it is destroyed then, too · `InvalidParam` it is the default context, or no
    /// context of this PE.
    pub(crate) fn destroy(&self, number: u64) -> Result<()> {
        if number == DEFAULT {
            return Err(Error::invalid(DESTROY, "the default context stays until the end")
                .hint("destroy contexts that were created; nothing was done"));
        }
        self.remove(&*self.find(DESTROY, number)?)
    }

    /// Returns the context with a number, other than the default one.
    ///
    /// # Errors
    /// `InvalidParam` no such context.
    pub(crate) fn find(&self, operation: &'static str, number: u64) -> Result<Arc<Context>> {
        self.others.get(number).ok_or_else(|| no_context(operation, number))
    }

    /// Returns the contexts as inlined functions see them.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &ContextRows {
        &self.rows
    }

    /// Drops all contexts that the program made.
    pub(crate) fn clear(&self) {
        drop(self.others.clear());
    }

    fn remove(&self, context: &Context) -> Result<()> {
        let quiet = context.quiet();
        self.rows.hide(context.number);
        self.others.remove(context.number);
        quiet
    }
}

#[cold]
fn no_context(operation: &'static str, number: u64) -> Error {
    Error::invalid(operation, "no such context")
        .with("ctx", format!("{number:#x}"))
        .hint("it may have been destroyed, with its team or by itself; nothing was done")
}
