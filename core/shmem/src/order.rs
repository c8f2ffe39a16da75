// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Order, completion, and meetings of all PEs.

use std::sync::atomic::{Ordering, fence};

use mf_base::{Kind, Result};

use crate::{Access, World};

const BARRIER: &str = "symmetric barrier";
const SYNC: &str = "symmetric sync";
const QUIET: &str = "symmetric quiet of PEs";

impl Access<'_> {
    /// Orders earlier puts to each PE before later ones on this context. Waits only if the network keeps no
    /// order. **Local.**
    #[inline]
    pub fn fence(&self) {
        self.context().fence();
    }

    /// Waits until all puts and started operations of this PE on this context are done and visible to every
    /// PE. **One-sided.** Waits at most for the timeout of the network.
    ///
    /// # Errors
    /// The first error since the last call: `NotConnected`, `Timeout` of the network · `Interrupted`, then
    /// the same call waits on.
    #[inline]
    pub fn quiet(&self) -> Result<()> {
        self.context().quiet_or_leave()
    }

    /// Like [`quiet`](Self::quiet), for operations to these PEs of the context's team. The present networks
    /// complete all others, too.
    ///
    /// # Errors
    /// As there; `InvalidParam` invalid number of a PE; nothing was waited for.
    pub fn quiet_pes(&self, pes: &[i32]) -> Result<()> {
        for pe in pes {
            self.world().rank_of(QUIET, self.world_pe(QUIET, *pe)?)?;
        }
        if pes.is_empty() { Ok(()) } else { self.quiet() }
    }
}

impl World {
    /// Returns true if the memory of all PEs is mapped here, so that nothing waits for a network. **Local.**
    #[inline]
    pub fn is_all_mapped(&self) -> bool {
        self.context().is_all_mapped()
    }

    /// [`Access::fence`] on the default context.
    #[inline]
    pub fn fence(&self) {
        self.access().fence();
    }

    /// [`Access::quiet`] on the default context.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn quiet(&self) -> Result<()> {
        self.access().quiet()
    }

    /// Completes this PE's puts and waits until all PEs have done so. **Collective.** Waits at most for the
    /// control timeout.
    ///
    /// # Errors
    /// `Timeout` names a PE that did not arrive · `NotConnected` names a PE that has died or ended ·
    /// `InvalidParam` a PE is in another call · `RepeatInvoke` another thread is in a call of all PEs ·
    /// `NotInit` after [`end`](Self::end) · those of [`quiet`](Self::quiet); the PEs have met then.
    pub fn barrier_all(&self) -> Result<()> {
        self.check(BARRIER)?;
        let quiet = self.completed()?;
        self.meet(BARRIER)?;
        quiet
    }

    /// Runs [`quiet`](Self::quiet) before a step that must follow in any case. Fails only if the program has
    /// interrupted it.
    pub(crate) fn completed(&self) -> Result<Result<()>> {
        match self.quiet() {
            Err(error) if error.kind() == Kind::Interrupted => Err(error),
            quiet => Ok(quiet),
        }
    }

    /// Waits until all PEs have arrived; completes only plain stores. **Collective.**
    ///
    /// # Errors
    /// As [`barrier_all`](Self::barrier_all).
    pub fn sync_all(&self) -> Result<()> {
        self.check(SYNC)?;
        fence(Ordering::SeqCst);
        self.meet(SYNC)
    }

    /// Moves this thread to another core if another PE waits on its core, and each can have one. **Local.**
    pub(crate) fn leave_shared_core(&self) {
        self.teams().world.group().leave_shared_core();
    }

    /// Waits for all other PEs.
    pub(crate) fn meet(&self, operation: &'static str) -> Result<()> {
        self.object().barrier(operation)
    }
}
