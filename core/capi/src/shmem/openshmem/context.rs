// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contexts and sessions.

use std::ffi::{c_int, c_long, c_void};
use std::sync::Arc;

use mf_base::Result;
use mf_shmem::{Access, Context, ContextOptions, World};

use super::types::{Ctx, CtxSessionConfig, Team};
use super::{team, world};

/// SHMEM_CTX_PRIVATE. The other options change nothing: every context serves several threads, and orders
/// stores.
const PRIVATE: c_long = 2;

impl Ctx {
    /// SHMEM_CTX_DEFAULT.
    pub(super) const DEFAULT: Self = Self(std::ptr::without_provenance_mut(1));
    const INVALID: Self = Self(std::ptr::null_mut());

    /// Returns true for the default context.
    #[inline(always)]
    pub(super) fn is_default(self) -> bool {
        self.0.addr() == Self::DEFAULT.0.addr()
    }

    /// Returns true for SHMEM_CTX_INVALID.
    pub(super) fn is_invalid(self) -> bool {
        self.0.is_null()
    }

    fn number(self) -> u64 {
        self.0.addr() as u64
    }

    /// Returns true if the context exists; for fast paths.
    #[inline(always)]
    pub(super) fn is_alive(self) -> bool {
        self.is_default() || self.is_alive_among_others()
    }

    #[inline(never)]
    fn is_alive_among_others(self) -> bool {
        world::current().is_some_and(|world| world.has_context(self.number()))
    }

    /// Returns the world's number of a PE of its team, for fast paths. None if the context or PE does not
    /// exist, or needs [`with`](Self::with).
    #[inline(always)]
    pub(super) fn world_pe(self, pe: c_int) -> Option<c_int> {
        if self.is_default() { Some(pe) } else { self.world_pe_of_others(pe) }
    }

    #[inline(never)]
    fn world_pe_of_others(self, pe: c_int) -> Option<c_int> {
        world::current()?.world_pe_on(self.number(), pe)
    }

    /// Calls `call` with the access to PEs on it.
    ///
    /// # Errors
    /// `InvalidParam` there is no such context · `NotInit` · errors of `call`.
    pub(super) fn with<R>(self, op: &'static str, call: impl FnOnce(Access<'_>) -> Result<R>) -> Result<R> {
        call(self.find(op)?.access())
    }

    /// Returns the context. Out of line, as hundreds of functions use it.
    #[inline(never)]
    fn find(self, op: &'static str) -> Result<Found> {
        let world = world::get(op)?;
        let context = if self.is_default() { None } else { Some(world.context_of(op, self.number())?) };
        Ok(Found { world, context })
    }
}

/// A context of the world; `None`: the default one.
struct Found {
    world: &'static World,
    context: Option<Arc<Context>>,
}

impl Found {
    /// Out of line, too.
    #[inline(never)]
    fn access(&self) -> Access<'_> {
        match &self.context {
            Some(context) => self.world.access_on(context),
            None => self.world.access(),
        }
    }
}

pub(crate) unsafe fn ctx_create(op: &'static str, options: c_long, ctx: *mut Ctx) -> Result<c_int> {
    // SAFETY: the place is null or valid, which the function checks and the caller vouches for.
    unsafe { team_create_ctx(op, Team::WORLD, options, ctx) }
}

pub(crate) unsafe fn team_create_ctx(
    op: &'static str,
    team: Team,
    options: c_long,
    ctx: *mut Ctx,
) -> Result<c_int> {
    let ctx = mf_boundary::present(op, "the place of the new context", ctx)?;
    // SAFETY: not null; the caller passes a place for a handle.
    unsafe { ctx.write(Ctx::INVALID) };
    if team.is_invalid() {
        return Ok(team::REFUSED);
    }
    let options = ContextOptions { is_private: options & PRIVATE != 0 };
    let made = team.with(op, |world, team| world.create_context(team, options))?;
    let number = usize::try_from(made.number()).unwrap_or(0);
    // SAFETY: not null; the caller passes a place for a handle.
    unsafe { ctx.write(Ctx(std::ptr::without_provenance_mut::<c_void>(number))) };
    Ok(0)
}

pub(crate) fn ctx_destroy(op: &'static str, ctx: Ctx) -> Result<()> {
    if ctx.is_invalid() { Ok(()) } else { world::get(op)?.destroy_context(ctx.number()) }
}

pub(crate) unsafe fn ctx_get_team(op: &'static str, ctx: Ctx, team: *mut Team) -> Result<c_int> {
    let team = mf_boundary::present(op, "the place of the team", team)?;
    // SAFETY: not null; the caller passes a place for a handle.
    unsafe { team.write(Team::INVALID) };
    if ctx.is_invalid() {
        return Ok(team::REFUSED);
    }
    let found = ctx.with(op, |access| Ok(Team::handle_of(access.team())))?;
    // SAFETY: not null; the caller passes a place for a handle.
    unsafe { team.write(found) };
    Ok(0)
}

/// Hints change nothing: operations start at once.
pub(crate) fn ctx_session_start(
    op: &'static str,
    ctx: Ctx,
    _options: c_long,
    _config: *const CtxSessionConfig,
    _config_mask: c_long,
) -> Result<()> {
    ctx_session_stop(op, ctx)
}

pub(crate) fn ctx_session_stop(op: &'static str, ctx: Ctx) -> Result<()> {
    if ctx.is_invalid() { Ok(()) } else { ctx.with(op, |_| Ok(())) }
}
