// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access to the memory of PEs: operations on one context of a world.
//!
//! * `rma`, `strided`: copies. `atomic`, `signal`: changes of words. `order`: order and completion.
//! * `words`: changes of words through which PEs meet in calls of the library.

#[expect(unsafe_code, reason = "words of mapped memory; old values go where the caller says")]
mod atomic;
mod order;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod rma;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller; words of mapped memory")]
mod signal;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod strided;
#[expect(unsafe_code, reason = "words in symmetric memory")]
mod words;

use std::fmt;
use std::sync::Arc;

use mf_base::{Error, Result};

use crate::context::Context;
use crate::space::{PeAddress, Space};
use crate::team::Team;
use crate::wait::Waits;

pub(crate) use rma::not_null;

/// Access to the memory of PEs on one context, which numbers them.
#[derive(Clone, Copy)]
pub struct Access<'a> {
    space: &'a Space,
    waits: &'a Waits,
    context: &'a Context,
    is_of_world: bool,
}

impl<'a> Access<'a> {
    /// Creates access on the default context of a world.
    #[inline]
    pub(crate) fn on_default(space: &'a Space, waits: &'a Waits, context: &'a Context) -> Self {
        Self { space, waits, context, is_of_world: true }
    }

    /// Creates access on a context of a world.
    pub(crate) fn on(space: &'a Space, waits: &'a Waits, context: &'a Context) -> Self {
        Self { space, waits, context, is_of_world: false }
    }

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
            Error::invalid(operation, "no such PE in the team of the context")
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
    pub(crate) fn resolve(
        &self,
        operation: &'static str,
        own: *const u8,
        bytes: usize,
        pe: i32,
    ) -> Result<PeAddress> {
        self.space.resolve(operation, own, bytes, self.world_pe(operation, pe)?)
    }

    /// Returns the team that numbers its PEs.
    pub fn team(&self) -> &'a Arc<Team> {
        self.context.team()
    }

    /// Returns the symmetric memory.
    #[inline]
    pub(crate) fn space(&self) -> &'a Space {
        self.space
    }

    /// Returns the waits of this PE.
    #[inline]
    pub(crate) fn waits(&self) -> &'a Waits {
        self.waits
    }

    /// Returns the context that numbers and orders its operations.
    #[inline]
    pub(crate) fn context(&self) -> &'a Context {
        self.context
    }

    /// Returns true if the memory of all PEs is mapped here, so that nothing waits for a network.
    #[inline]
    pub(crate) fn is_all_mapped(&self) -> bool {
        self.context.is_all_mapped()
    }
}

impl fmt::Debug for Access<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("context", &self.context).finish_non_exhaustive()
    }
}
