// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collect: concatenation of all PEs' data at all PEs.

use mf_base::{Error, Result};

use super::{Call, Circle, Collective, CollectiveKind, length};

impl<C: Circle> Collective<'_, C> {
    /// Concatenation of equal lengths.
    ///
    /// # Safety
    /// Nothing else uses the ranges meanwhile.
    pub(crate) unsafe fn fcollect(&self, dest: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        let Self { circle, operation, .. } = *self;
        let call = Call::new(self, CollectiveKind::Fcollect, [bytes as u64, 0])?;
        let all = length(operation, [bytes, circle.count()], 1)?;
        call.check((dest, all), (source, bytes), false)?;
        if bytes <= circle.gathers() {
            let take = |place: usize, found| {
                // SAFETY: so many bytes; passed on to the caller.
                unsafe { call.copy_own(dest.wrapping_add(place * bytes), found, bytes) };
            };
            // SAFETY: passed on to the caller.
            return unsafe { circle.gather(call.digest, source, bytes, take) };
        }
        // SAFETY: passed on to the caller.
        unsafe { call.push_to_all(dest.wrapping_add(circle.place() * bytes), source, bytes) }
    }

    /// Concatenation of any lengths.
    ///
    /// # Safety
    /// Nothing else uses the ranges meanwhile.
    pub(crate) unsafe fn collect(&self, dest: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        let Self { circle, operation, .. } = *self;
        // Lengths may differ.
        let call = Call::new(self, CollectiveKind::Collect, [0, 0])?;
        call.check((dest, bytes), (source, bytes), false)?;
        let before = circle.sum_before(call.digest, bytes as u64)?;
        let refused = || {
            Error::invalid(operation, "the elements of all PEs are too many")
                .with("bytes", bytes)
                .with("bytes_before", before)
        };
        let before = usize::try_from(before).ok().filter(|before| before.checked_add(bytes).is_some());
        let checked = before.ok_or_else(refused).and_then(|before| {
            call.check((dest, before + bytes), (source, bytes), false)?;
            Ok(dest.wrapping_add(before))
        });
        match checked {
            // SAFETY: passed on to the caller.
            Ok(place) => unsafe { call.push_to_all(place, source, bytes) },
            Err(error) => call.meet_after(1, Err(error)),
        }
    }
}

impl<C: Circle> Call<'_, C> {
    /// Writes to the same place at all PEs.
    ///
    /// # Safety
    /// The source is readable, and the own destination writable.
    unsafe fn push_to_all(&self, place: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        let push = |other| {
            // SAFETY: passed on to the caller.
            unsafe { self.push(other, place, source, bytes) }
        };
        let pushed = if bytes > 0 { self.others().try_for_each(push) } else { Ok(()) };
        // SAFETY: passed on to the caller.
        unsafe { self.copy_own(place, source, bytes) };
        self.meet_after(1, pushed)
    }
}
