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

use crate::direct::Shown;
use crate::handles::Handles;
use crate::place::Place;
use crate::{Team, World};

const CREATE: &str = "symmetric context create";
const DESTROY: &str = "symmetric context destroy";

/// The number of the default context.
const DEFAULT: u64 = 1;
/// Most contexts of a program at a time, besides the default one.
pub const CONTEXTS_MAX: usize = crate::direct::CONTEXTS_MAX - 1;

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
    /// Part of the state that inlined functions read.
    pub(crate) shown: Shown,
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
    pub(crate) unsafe fn copy(
        &self,
        pool: &Pool,
        direction: Direction,
        piece: &Piece,
        until: Until,
    ) -> Result<()> {
        let section = rcu::read_lock();
        // SAFETY: passed on to the caller.
        unsafe { self.lane.copy(&pool.ends(direction.sides()), &section, piece, until) }
    }

    /// Like [`copy`](Self::copy), of blocks at equal distances.
    ///
    /// # Safety
    /// As there, for all blocks.
    pub(crate) unsafe fn copy_blocks(
        &self,
        pool: &Pool,
        direction: Direction,
        blocks: &Blocks,
        until: Until,
    ) -> Result<()> {
        let section = rcu::read_lock();
        // SAFETY: passed on to the caller.
        unsafe { self.lane.copy_blocks(&pool.ends(direction.sides()), &section, blocks, until) }
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
        let contexts = Self { default, others, shown: Shown::default() };
        contexts.shown.show(DEFAULT, team.progression());
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
    pub(crate) fn destroy(&self, is_one: impl Fn(&Context) -> bool) -> Result<()> {
        let gone = self.others.all().into_iter().filter(|context| is_one(context));
        gone.map(|context| self.remove(&context)).fold(Ok(()), Result::and)
    }

    /// Drops all contexts that the program made.
    pub(crate) fn clear(&self) {
        drop(self.others.clear());
    }

    fn remove(&self, context: &Context) -> Result<()> {
        let quiet = context.quiet();
        self.shown.hide(context.number);
        self.others.remove(context.number);
        quiet
    }
}

impl World {
    /// Makes a context of a team. **Local.**
    ///
    /// # Errors
    /// `NoResources` [`CONTEXTS_MAX`] exist · `NotInit` after [`end`](Self::end), or in a forked child.
    pub fn create_context(&self, team: &Arc<Team>, options: ContextOptions) -> Result<Arc<Context>> {
        self.check(CREATE)?;
        let contexts = self.contexts();
        let number = contexts.others.take().ok_or_else(|| {
            Error::new(Kind::NoResources, CREATE)
                .what("there are too many contexts")
                .with("limit", CONTEXTS_MAX)
                .hint("destroy those that are not needed")
        })?;
        let is_needed = !contexts.default.is_all_mapped();
        let context = Context::new(self.pool(), is_needed, team, options, number);
        contexts.others.put(number, Arc::clone(&context));
        contexts.shown.show(number, team.progression());
        Ok(context)
    }

    /// Completes the operations started on a context, and destroys it. **One-sided.**
    ///
    /// # Errors
    /// Errors of [`quiet`](Access::quiet); it is destroyed then, too · `InvalidParam` it is the default
    /// context, or no context of this PE · `NotInit`.
    pub fn destroy_context(&self, number: u64) -> Result<()> {
        self.check(DESTROY)?;
        if number == DEFAULT {
            return Err(Error::invalid(DESTROY, "the default context stays until the end")
                .hint("destroy contexts that were created; nothing was done"));
        }
        let context = self.contexts().others.get(number).ok_or_else(|| no_context(DESTROY, number))?;
        self.contexts().remove(&context)
    }

    /// Returns the context with a number, other than the default one. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` no such context · `NotInit`.
    pub fn context_of(&self, operation: &'static str, number: u64) -> Result<Arc<Context>> {
        self.check(operation)?;
        self.contexts().others.get(number).ok_or_else(|| no_context(operation, number))
    }

    /// Returns the number in the world of a PE of a context's team; `None` if the context or PE does not
    /// exist, or only [`context_of`](Self::context_of) can decide. **Local.**
    #[inline(always)]
    pub fn world_pe_on(&self, number: u64, pe: i32) -> Option<i32> {
        self.contexts().shown.world_pe(number, pe)
    }

    /// Returns true if a context with this number exists. **Local.**
    #[inline(always)]
    pub fn has_context(&self, number: u64) -> bool {
        self.contexts().shown.has(number)
    }

    /// Access to PEs on the default context. **Local.**
    #[inline]
    pub fn access(&self) -> Access<'_> {
        Access { world: self, context: self.context(), is_of_world: true }
    }

    /// Access to PEs on a context of this world. **Local.**
    pub fn access_on<'a>(&'a self, context: &'a Context) -> Access<'a> {
        Access { world: self, context, is_of_world: false }
    }
}

#[cold]
fn no_context(operation: &'static str, number: u64) -> Error {
    Error::invalid(operation, "there is no such context")
        .with("ctx", format!("{number:#x}"))
        .hint("it may have been destroyed, with its team or by itself; nothing was done")
}

/// Access to the memory of PEs on one context, which numbers them.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    world: &'a World,
    context: &'a Context,
    is_of_world: bool,
}

impl<'a> Access<'a> {
    /// Returns the number in the world of a PE of the context's team.
    ///
    /// # Errors
    /// `InvalidParam` no such PE.
    #[inline]
    pub(crate) fn world_pe(&self, operation: &'static str, pe: i32) -> Result<i32> {
        if self.is_of_world {
            // The next check refuses invalid numbers.
            return Ok(pe);
        }
        let team = self.context.team();
        team.world_pe(pe).ok_or_else(|| {
            Error::invalid(operation, "there is no such PE in the team of the context")
                .with("pe", pe)
                .with("n_pes", team.n_pes())
                .hint("on a context PEs have the numbers of its team; nothing was done")
        })
    }

    /// Resolves a range at a PE; `own` is its own address.
    ///
    /// # Errors
    /// `NotInit` · `InvalidParam` no such PE, or the range is not symmetric.
    #[inline]
    pub(crate) fn place(
        &self,
        operation: &'static str,
        own: *const u8,
        bytes: usize,
        pe: i32,
    ) -> Result<Place> {
        self.world.place(operation, own, bytes, self.world_pe(operation, pe)?)
    }

    /// Returns the team that numbers its PEs.
    pub fn team(&self) -> &'a Arc<Team> {
        self.context.team()
    }

    pub(crate) fn world(&self) -> &'a World {
        self.world
    }

    pub(crate) fn context(&self) -> &'a Context {
        self.context
    }
}
