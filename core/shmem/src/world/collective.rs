// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls of all PEs, of teams, and of active sets.

use std::sync::atomic::{Ordering, fence};

use mf_base::Result;

use super::World;
use crate::active_set::{ActiveSet, InSet};
use crate::collective::combine::Reduction;
use crate::collective::{Collective, InTeam};
use crate::team::Team;

const BARRIER: &str = "symmetric barrier";
const SYNC: &str = "symmetric sync";
const SET_BARRIER: &str = "symmetric barrier of an active set";
const SET_SYNC: &str = "symmetric sync of an active set";

impl World {
    /// Completes this PE's puts and waits until all PEs have done so. **Collective.** Waits at most for the
    /// control timeout.
    ///
    /// # Errors
    /// `Timeout` names a PE that did not arrive · `NotConnected` names a PE that has died or ended ·
    /// `InvalidParam` a PE is in another call · `RepeatInvoke` another thread is in a call of all PEs ·
    /// `NotInit` after [`end`](Self::end) · errors of [`quiet`](Self::quiet); the PEs have met then.
    pub fn barrier_all(&self) -> Result<()> {
        self.check(BARRIER)?;
        let quiet = self.access().completed()?;
        self.space.pe().meet(BARRIER)?;
        quiet
    }

    /// Waits until all PEs have arrived; completes only plain stores. **Collective.**
    ///
    /// # Errors
    /// As [`barrier_all`](Self::barrier_all).
    pub fn sync_all(&self) -> Result<()> {
        self.check(SYNC)?;
        fence(Ordering::SeqCst);
        self.space.pe().meet(SYNC)
    }

    /// Completes this PE's puts, and waits until all PEs of an active set have done so. **Collective** over
    /// the set. Waits at most for the control timeout.
    ///
    /// # Errors
    /// `InvalidParam` invalid set, this PE is not in it, or the array is not symmetric; nothing was done ·
    /// `Timeout` · `NotConnected` names a PE of it that is gone · errors of [`quiet`](Self::quiet).
    pub fn barrier_of(&self, set: ActiveSet) -> Result<()> {
        let set = InSet::new(self.access(), SET_BARRIER, set)?;
        let quiet = self.access().completed()?;
        set.count_in(0)?;
        quiet
    }

    /// Like [`barrier_of`](Self::barrier_of), but completes only plain stores.
    ///
    /// # Errors
    /// As there.
    pub fn sync_of(&self, set: ActiveSet) -> Result<()> {
        InSet::new(self.access(), SET_SYNC, set)?.count_in(0)
    }
}

macro_rules! calls_of_teams {
    ($($(#[$doc:meta])* $name:ident by $generic:ident = $operation:literal
        ($($argument:ident: $type:ty),*) $(with $extra:expr)?;)*) => {
        impl World { $(
            $(#[$doc])*
            ///
            /// **Collective** over the team; `dest` is ready on all its PEs before any of them calls. On
            /// return the own `dest` is complete, and the own `source` may be changed. Waits at most for the
            /// control timeout at each meeting.
            ///
            /// # Errors
            /// `InvalidParam` an argument is not symmetric, null, out of range, or ranges overlap; nothing
            /// was done · a PE makes another call, or refuses its arguments: it is named · `Timeout` names
            /// a PE that did not arrive · `NotConnected` names a PE that is gone · `RepeatInvoke` another
            /// thread is in a call of the team · `NotInit`.
            ///
            /// # Safety
            /// Nothing else uses the ranges meanwhile.
            pub unsafe fn $name(&self, team: &Team, $($argument: $type),*) -> Result<()> {
                let circle = InTeam::new(self.access(), $operation, team)?;
                let collective = Collective::new(self.access(), $operation, &circle);
                // SAFETY: passed on to the caller.
                let done = unsafe { collective.$generic($($argument),* $(, $extra)?) };
                done.inspect_err(|error| circle.report_failure(error))
            }
        )* }
    };
}

calls_of_teams! {
    /// Copies `bytes` from `source` of PE `root` of the team to `dest` of all its PEs; at the root both
    /// may be the same.
    broadcast by broadcast = "symmetric broadcast"
        (dest: *mut u8, source: *const u8, bytes: usize, root: i32) with true;
    /// Concatenates `source` of all PEs into `dest` of all, in the order of their numbers; lengths may
    /// differ.
    collect by collect = "symmetric collect" (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`collect`](Self::collect), of equal lengths.
    fcollect by fcollect = "symmetric fcollect" (dest: *mut u8, source: *const u8, bytes: usize);
    /// Block j of `source` of PE i becomes block i of `dest` of PE j; `bytes`: of a block.
    alltoall by alltoall = "symmetric alltoall" (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`alltoall`](Self::alltoall), of blocks of `count` elements that are `dest_stride` and
    /// `source_stride` elements apart, both at least 1.
    alltoalls by alltoalls = "symmetric alltoalls"
        (dest: *mut u8, source: *const u8, strides: (isize, isize), count: usize, element_bytes: usize);
    /// Reduces: element i of `dest` of all PEs becomes the combination of the elements i of `source` of all
    /// PEs; both ranges may be the same.
    reduce by reduce = "symmetric reduce"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction);
    /// Inclusive scan: element i of `dest` becomes the combination of the elements i of `source` of the PEs
    /// up to this one; both ranges may be the same.
    inscan by scan = "symmetric inscan"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction) with true;
    /// As [`inscan`](Self::inscan), without the own elements; zeroes at the first PE.
    exscan by scan = "symmetric exscan"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction) with false;
}

macro_rules! calls_of_sets {
    ($($(#[$doc:meta])* $name:ident by $generic:ident = $operation:literal
        ($($argument:ident: $type:ty),*) $(with $extra:expr)?;)*) => {
        impl World { $(
            $(#[$doc])*
            ///
            /// **Collective** over the set; `dest` is ready on all its PEs before any of them calls. On
            /// return the own `dest` is complete, and the own `source` may be changed.
            ///
            /// # Errors
            /// As [`barrier_of`](Self::barrier_of); `InvalidParam` an argument is not symmetric, null, out of
            /// range, or ranges overlap; nothing was done.
            ///
            /// # Safety
            /// Nothing else uses the ranges meanwhile.
            pub unsafe fn $name(&self, set: ActiveSet, $($argument: $type),*) -> Result<()> {
                let set = InSet::new(self.access(), $operation, set)?;
                let collective = Collective::new(self.access(), $operation, &set);
                // SAFETY: passed on to the caller.
                let done = unsafe { collective.$generic($($argument),* $(, $extra)?) };
                done.inspect_err(|error| set.report_failure(error))
            }
        )* }
    };
}

calls_of_sets! {
    /// As [`broadcast`](Self::broadcast), over an active set; the destination of the root stays.
    broadcast_of by broadcast = "symmetric broadcast of an active set"
        (dest: *mut u8, source: *const u8, bytes: usize, root: i32) with false;
    /// As [`collect`](Self::collect), over an active set.
    collect_of by collect = "symmetric collect of an active set"
        (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`fcollect`](Self::fcollect), over an active set.
    fcollect_of by fcollect = "symmetric fcollect of an active set"
        (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`alltoall`](Self::alltoall), over an active set.
    alltoall_of by alltoall = "symmetric alltoall of an active set"
        (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`alltoalls`](Self::alltoalls), over an active set.
    alltoalls_of by alltoalls = "symmetric alltoalls of an active set"
        (dest: *mut u8, source: *const u8, strides: (isize, isize), count: usize, element_bytes: usize);
    /// As [`reduce`](Self::reduce), over an active set.
    reduce_of by reduce = "symmetric reduce of an active set"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction);
}
