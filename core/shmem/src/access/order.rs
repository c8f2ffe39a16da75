// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Order and completion of operations.

use mf_base::{Kind, Result};

use super::Access;

const QUIET: &str = "symmetric quiet of PEs";

impl Access<'_> {
    /// Orders earlier puts to each PE before later ones on this context. Waits only if the network keeps no
    /// order. **Local.**
    #[inline]
    pub fn fence(&self) {
        self.context.fence();
    }

    /// Waits until all puts and started operations of this PE on this context are done and visible to every
    /// PE. **One-sided.** Waits at most for the timeout of the network.
    ///
    /// # Errors
    /// The first error since the last call: `NotConnected`, `Timeout` of the network · `Interrupted`, then
    /// the same call waits on.
    #[inline]
    pub fn quiet(&self) -> Result<()> {
        self.context.quiet_or_leave()
    }

    /// Like [`quiet`](Self::quiet), for operations to these PEs of the context's team. The present networks
    /// complete all others, too.
    ///
    /// # Errors
    /// As there; `InvalidParam` invalid number of a PE; nothing was waited for.
    pub fn quiet_pes(&self, pes: &[i32]) -> Result<()> {
        for pe in pes {
            self.space.pe().rank_of(QUIET, self.world_pe(QUIET, *pe)?)?;
        }
        if pes.is_empty() { Ok(()) } else { self.quiet() }
    }

    /// Runs [`quiet`](Self::quiet) before a step that must follow in any case. Fails only if the program has
    /// interrupted it.
    pub(crate) fn completed(&self) -> Result<Result<()>> {
        match self.quiet() {
            Err(error) if error.kind() == Kind::Interrupted => Err(error),
            quiet => Ok(quiet),
        }
    }
}
