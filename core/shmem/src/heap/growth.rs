// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Growth of the heap, within its reserved addresses.
//!
//! All PEs make the same calls, so all find alike that a block does not fit, and the number of missing bytes.
//! Each then contributes more memory to the pool, which all PEs that have mapped it map behind the present
//! range, and reports the result; the heap grows only if that succeeded on all. Otherwise it keeps its length
//! for good: memory that some PEs have added stays unused, and it does not matter which PEs have mapped it.
//!
//! The heap doubles, or grows by the missing bytes if that is more: untouched memory costs addresses only,
//! and each step costs messages between all PEs of a host.

use mf_base::{ByteLen, Error, Kind, Result};
use mf_fabric::space::layout::GRANULE_BYTES;

use super::fit::UNIT_BYTES;
use super::{HeapCall, Usage};
use crate::space::Space;

impl HeapCall<'_> {
    /// Allocates a part of the heap, growing it if none is large enough. All PEs have agreed on the call.
    ///
    /// # Errors
    /// `OutOfMemory`, or the reason for which a PE could not grow its heap, on all PEs alike.
    pub(super) fn allocate(&mut self, bytes: u64, alignment: u64) -> Result<u64> {
        if let Some(offset) = self.blocks.fit.allocate(bytes, alignment) {
            return Ok(offset);
        }
        let (space, name) = (self.space(), self.name);
        let (present, most) = (space.heap_bytes(), space.segment().most_heap_bytes);
        let free_at_end = self.blocks.fit.free_before(present);
        let target = target(present, most, free_at_end, bytes, alignment).filter(|_| !self.blocks.is_fixed);
        let Some(target) = target else {
            return Err(exhausted(name, self.blocks.fit.usage(), bytes, [present, most]));
        };
        grow(space, name, target).inspect_err(|_| self.blocks.is_fixed = true)?;
        self.blocks.fit.grow(present, target);
        let placed = self.blocks.fit.allocate(bytes, alignment);
        placed.ok_or_else(|| exhausted(name, self.blocks.fit.usage(), bytes, [target, most]))
    }
}

/// Grows the heaps of all PEs. **Collective.**
fn grow(space: &Space, name: &'static str, heap_bytes: u64) -> Result<()> {
    let own = extend_own(space, heap_bytes);
    let code = own.as_ref().err().map_or(0, Error::code);
    let mut codes = vec![0; size_of_val(&code) * space.pe().n_pes() as usize];
    space.pe().object().allgather(name, &code.to_le_bytes(), &mut codes)?;
    let failed = (0u32..).zip(codes.as_chunks().0).map(|(pe, code)| (pe, i32::from_le_bytes(*code)));
    let failed = failed.filter(|(_, code)| *code != 0);
    // A PE without memory is the cause of failures of others, which could not map its part.
    if let Some((pe, code)) = failed.min_by_key(|(_, code)| *code == Kind::PartialFailed.code()) {
        let kind = Kind::from_code(code).unwrap_or(Kind::OutOfMemory);
        let error = Error::new(kind, name)
            .what("a PE cannot make its symmetric heap longer, so the heaps stay as they are")
            .with("pe", pe)
            .with("heap", ByteLen(space.heap_bytes()))
            .with("wanted", ByteLen(heap_bytes))
            .hint("the heap does not grow any more; free blocks, or begin with less per PE");
        return Err(own.err().into_iter().fold(error, Error::source));
    }
    space.set_heap_bytes(heap_bytes);
    tracing::debug!("pe {}: the symmetric heap has grown to {}", space.pe().my_pe(), ByteLen(heap_bytes));
    Ok(())
}

/// Contributes the missing memory of the own heap.
fn extend_own(space: &Space, heap_bytes: u64) -> Result<()> {
    let kind = space.segment().heap;
    let more = space.segment().bytes_with(kind, heap_bytes) - space.pe().pool().local_bytes(kind);
    space.pe().pool().extend(kind, more)
}

/// Returns the new size of a heap for a block that does not fit; `None` if it cannot grow.
fn target(present: u64, most: u64, free_at_end: u64, bytes: u64, alignment: u64) -> Option<u64> {
    let span = bytes.checked_next_multiple_of(UNIT_BYTES)?;
    // The free range at the end may not be aligned; the whole reserved range may suffice nevertheless.
    let end = present.checked_add(span.saturating_sub(free_at_end))?;
    if end > most || present >= most {
        return None;
    }
    let aligned = end.checked_add(alignment).and_then(|end| end.checked_next_multiple_of(GRANULE_BYTES));
    Some(aligned.unwrap_or(most).max(present.saturating_mul(2)).min(most))
}

#[cold]
fn exhausted(name: &'static str, usage: Usage, bytes: u64, [present, most]: [u64; 2]) -> Error {
    let error = Error::new(Kind::OutOfMemory, name)
        .what("the symmetric heap has no free part of this size")
        .with("bytes", bytes)
        .with("largest_free", usage.largest_free)
        .with("free", usage.free)
        .with("used", usage.used);
    if most > present {
        let error = error.with("heap_bytes", present).with("most_heap_bytes", most);
        return error.hint("free blocks, or let the heap grow further (MF_SHMEM_SYMMETRIC_MAX)");
    }
    error.hint(
        "free blocks, begin with a larger heap (SHMEM_SYMMETRIC_SIZE), or let it grow (MF_SHMEM_SYMMETRIC_MAX)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn heap_doubles_or_grows_by_missing_bytes_up_to_its_limit() {
        for (free_at_end, bytes, alignment, expected) in [
            (0, 64, 64, Some(8 * MIB)),
            (0, 8 * MIB, 64, Some(14 * MIB)),
            (2 * MIB, 8 * MIB - 128, 64, Some(10 * MIB)),
            (0, 60 * MIB, 64, Some(64 * MIB)),
            (0, 60 * MIB, 1 << 62, Some(64 * MIB)),
            (0, 60 * MIB + 1, 64, None),
            (64, 60 * MIB + 64, 64, Some(64 * MIB)),
            (0, u64::MAX, 64, None),
            (0, u64::MAX - 63, 64, None),
        ] {
            assert_eq!(target(4 * MIB, 64 * MIB, free_at_end, bytes, alignment), expected, "{bytes}");
        }
        assert_eq!(target(4 * MIB, 4 * MIB, 0, 64, 64), None);
        assert_eq!(target(0, 2 * MIB, 0, 64, 64), Some(2 * MIB));
    }
}
