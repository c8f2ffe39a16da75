// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Prefix reductions: element-wise combination of all PEs up to each one.
//!
//! Piece by piece: the PEs' pieces are gathered before any PE writes the result, which may overwrite its
//! piece.

use mf_base::Result;

use super::combine::Reduction;
use super::reduce::Piece;
use super::{Call, Circle, Collective, CollectiveKind, length};

impl<C: Circle> Collective<'_, C> {
    /// Scan, inclusive or exclusive.
    ///
    /// # Safety
    /// Nothing else uses the ranges meanwhile.
    pub(crate) unsafe fn scan(
        &self,
        dest: *mut u8,
        source: *const u8,
        count: usize,
        reduction: Reduction,
        is_inclusive: bool,
    ) -> Result<()> {
        let Self { circle, operation, .. } = *self;
        let bytes = length(operation, [count, 1], reduction.element_bytes())?;
        let arguments = [bytes as u64, reduction.id() << 1 | u64::from(is_inclusive)];
        let call = Call::new(self, CollectiveKind::Scan, arguments)?;
        call.check((dest, bytes), (source, bytes), true)?;
        let last = if is_inclusive { circle.place() + 1 } else { circle.place() };
        let most = circle.gathers() / reduction.element_bytes() * reduction.element_bytes();
        let mut piece = Piece::new();
        let mut offset = 0;
        loop {
            let now = most.min(bytes - offset);
            let sum = piece.start();
            let take = |place, found| {
                if place == 0 && last > 0 {
                    // SAFETY: a piece has so many bytes.
                    unsafe { call.copy_own(sum, found, now) };
                } else if place < last {
                    // SAFETY: as above, and they were written for the first PE.
                    unsafe { reduction.combine(sum, sum, found, now) };
                }
            };
            if last == 0 {
                // SAFETY: as above. Zeroes are the zero of every type.
                unsafe { sum.write_bytes(0, now) };
            }
            // SAFETY: passed on to the caller.
            unsafe { circle.gather(call.digest, source.wrapping_add(offset), now, take) }?;
            // SAFETY: passed on to the caller.
            unsafe { call.copy_own(dest.wrapping_add(offset), sum, now) };
            offset += now;
            if offset >= bytes {
                return Ok(());
            }
        }
    }
}
