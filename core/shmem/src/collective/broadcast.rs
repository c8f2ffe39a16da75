// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Broadcast.

use mf_base::{Error, Result};

use super::{Call, Cast, Circle, Collective, CollectiveKind};

/// From this size on PEs read from the root concurrently; below, the root writes to one after the other.
pub(super) const PULLED_FROM: usize = 16 << 10;

impl<C: Circle> Collective<'_, C> {
    /// Broadcast from PE `root`; `also_own`: the root's own destination is written, too.
    ///
    /// # Safety
    /// Nothing else uses the ranges meanwhile.
    pub(crate) unsafe fn broadcast(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        root: i32,
        also_own: bool,
    ) -> Result<()> {
        let Self { circle, operation, .. } = *self;
        let call =
            Call::new(self, CollectiveKind::Broadcast, [bytes as u64, u64::from(root.cast_unsigned())])?;
        let root = usize::try_from(root).ok().filter(|root| *root < circle.count()).ok_or_else(|| {
            Error::invalid(operation, "no such PE in the team or the active set")
                .with("PE_root", root)
                .with("n_pes", circle.count())
        })?;
        call.check((dest, bytes), (source, bytes), true)?;
        let is_root = circle.place() == root;
        let copy_own = || {
            if is_root && also_own {
                // SAFETY: passed on to the caller.
                unsafe { call.copy_own(dest, source, bytes) };
            }
        };
        // SAFETY: passed on to the caller.
        if let Some(done) = unsafe { circle.cast(&call, &Cast { root, dest, source, bytes }) } {
            return done;
        }
        if circle.can_wait_for_root() && bytes < PULLED_FROM {
            // SAFETY: passed on to the caller.
            let pushed = unsafe { call.push_from(root, dest, source, bytes) };
            copy_own();
            let followed = circle.wait_for_root(root);
            return pushed.and(followed);
        }
        if bytes <= circle.gathers() {
            copy_own();
            let take = |place, found| {
                if place == root && !is_root {
                    // SAFETY: so many bytes; passed on to the caller.
                    unsafe { call.copy_own(dest, found, bytes) };
                }
            };
            // SAFETY: passed on to the caller.
            return unsafe { circle.gather(call.digest, source, bytes, take) };
        }
        if bytes < PULLED_FROM {
            // SAFETY: passed on to the caller.
            let pushed = unsafe { call.push_from(root, dest, source, bytes) };
            copy_own();
            return call.meet_after(0, pushed);
        }
        call.meet(0)?;
        copy_own();
        // SAFETY: passed on to the caller.
        let pulled = if is_root { Ok(()) } else { unsafe { call.pull(root, dest, source, bytes) } };
        call.meet_after(1, pulled)
    }
}

impl<C: Circle> Call<'_, C> {
    /// Writes to all others, at the root, and completes it.
    ///
    /// # Safety
    /// The source is readable.
    pub(super) unsafe fn push_from(
        &self,
        root: usize,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
    ) -> Result<()> {
        if self.circle.place() != root {
            return Ok(());
        }
        let push = |place| {
            // SAFETY: passed on to the caller.
            unsafe { self.push(place, dest, source, bytes) }
        };
        let pushed = if bytes > 0 { self.others().try_for_each(push) } else { Ok(()) };
        pushed.and(self.complete())
    }
}
