// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Order, completion, and meetings of all PEs; contexts, of which there is the default one.

use mf_base::{Error, Result};
use mf_shmem::World;

use super::exports::Ctx;
use super::world;

/// SHMEM_CTX_DEFAULT.
const DEFAULT: usize = 1;

impl Ctx {
    /// Whether it is the default context.
    #[inline(always)]
    pub(super) fn is_default(self) -> bool {
        self.0.addr() == DEFAULT
    }

    /// Whether it is SHMEM_CTX_INVALID.
    fn is_invalid(self) -> bool {
        self.0.is_null()
    }

    /// Its world.
    ///
    /// # Errors
    /// `InvalidParam` there is no such context · `NotInit`.
    pub(super) fn world(self, op: &'static str) -> Result<&'static World> {
        if self.is_default() {
            return world::get(op);
        }
        Err(Error::invalid(op, "there is no such context")
            .with("ctx", format!("{:p}", self.0))
            .hint("SHMEM_CTX_DEFAULT is one; nothing was done"))
    }
}

pub(crate) fn fence(op: &'static str) -> Result<()> {
    world::get(op)?.fence();
    Ok(())
}

pub(crate) fn ctx_fence(op: &'static str, ctx: Ctx) -> Result<()> {
    if !ctx.is_invalid() {
        ctx.world(op)?.fence();
    }
    Ok(())
}

pub(crate) fn quiet(op: &'static str) -> Result<()> {
    world::get(op)?.quiet()
}

pub(crate) fn ctx_quiet(op: &'static str, ctx: Ctx) -> Result<()> {
    if ctx.is_invalid() { Ok(()) } else { ctx.world(op)?.quiet() }
}

pub(crate) fn barrier_all(op: &'static str) -> Result<()> {
    world::get(op)?.barrier_all()
}

pub(crate) fn sync_all(op: &'static str) -> Result<()> {
    world::get(op)?.sync_all()
}
