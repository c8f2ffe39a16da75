// SPDX-License-Identifier: Apache-2.0 OR MIT
//! All-to-all: each PE sends a different block to each other PE.

use mf_base::{Error, Result};

use super::{Call, Circle, Collective, CollectiveKind, length};

/// Most bytes of a PE's blocks for which all blocks are gathered, and each PE takes its own.
const GATHERED: usize = 512;

impl<C: Circle> Collective<'_, C> {
    /// All-to-all of blocks of `bytes`.
    ///
    /// # Safety
    /// Nothing else uses the ranges meanwhile.
    pub(crate) unsafe fn alltoall(&self, dest: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        let Self { circle, operation, .. } = *self;
        let call = Call::new(self, CollectiveKind::Alltoall, [bytes as u64, 0])?;
        let (own, count) = (circle.place(), circle.count());
        let all = length(operation, [bytes, count], 1)?;
        call.check((dest, all), (source, all), false)?;
        if all <= circle.gathers().min(GATHERED) {
            let take = |place: usize, found: *const u8| {
                let found = found.wrapping_add(own * bytes);
                // SAFETY: so many bytes; passed on to the caller.
                unsafe { call.copy_own(dest.wrapping_add(place * bytes), found, bytes) };
            };
            // SAFETY: passed on to the caller.
            return unsafe { circle.gather(call.digest, source, all, take) };
        }
        let to = dest.wrapping_add(own * bytes);
        let from = |place: usize| source.wrapping_add(place * bytes);
        // SAFETY: passed on to the caller.
        let pushed = call.others().try_for_each(|place| unsafe { call.push(place, to, from(place), bytes) });
        // SAFETY: passed on to the caller.
        unsafe { call.copy_own(to, from(own), bytes) };
        call.meet_after(0, pushed)
    }

    /// All-to-all of blocks of `count` elements with a stride.
    ///
    /// # Safety
    /// Nothing else uses the ranges meanwhile.
    pub(crate) unsafe fn alltoalls(
        &self,
        dest: *mut u8,
        source: *const u8,
        (to_stride, from_stride): (isize, isize),
        count: usize,
        element_bytes: usize,
    ) -> Result<()> {
        let Self { circle, operation, .. } = *self;
        let strides = to_stride.cast_unsigned().rotate_left(32) ^ from_stride.cast_unsigned();
        let arguments = [(count as u64).wrapping_mul(element_bytes as u64), strides as u64];
        let call = Call::new(self, CollectiveKind::Alltoalls, arguments)?;
        let step = |stride: isize| usize::try_from(stride).ok().filter(|stride| *stride > 0);
        let (Some(to_step), Some(from_step)) = (step(to_stride), step(from_stride)) else {
            return Err(Error::invalid(operation, "a stride is less than 1")
                .with("dst", to_stride)
                .with("sst", from_stride)
                .hint("strides count elements, and 1 is the next one; nothing was done"));
        };
        // Distances of blocks, and ranges from the first to the last element.
        let block = |step: usize| length(operation, [count, step], element_bytes);
        let (to_block, from_block) = (block(to_step)?, block(from_step)?);
        let reach = |block: usize, step: usize| {
            let blocks = length(operation, [block, circle.count()], 1)?;
            Ok::<_, Error>(if count == 0 { 0 } else { blocks - (step - 1) * element_bytes })
        };
        let (to_reach, from_reach) = (reach(to_block, to_step)?, reach(from_block, from_step)?);
        call.check((dest, to_reach), (source, from_reach), false)?;
        let to = dest.wrapping_add(circle.place() * to_block);
        let push = |place: usize| {
            let from = source.wrapping_add(place * from_block);
            let pe = circle.pe(place);
            // SAFETY: passed on to the caller.
            unsafe { self.access.iput(to, from, to_stride, from_stride, count, element_bytes, pe) }
        };
        let pushed = call.others().chain([circle.place()]).try_for_each(push);
        call.meet_after(0, pushed)
    }
}
