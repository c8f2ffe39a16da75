// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffers of the program as the first part of a heap.
//!
//! In device memory the blocks behind the buffers are mapped a second time, in the window. In host memory the
//! heap takes the contents, and its pages are mapped a second time, over the buffers. In both the program
//! may use both addresses.

use std::sync::Arc;

use mf_base::os::{guarded, remap_pages};
use mf_base::{Error, Gva, Kind, MemKind, Result};
use mf_device::{GivenBlock, engine};
use mf_fabric::pool::Pool;

use super::{Maker, OP, Offer};
use crate::cann::codes::{NOT_SUPPORTED, code_of};
use crate::options::Buffer;
use crate::segment::{AREA_BYTES, Segment};

impl Maker<'_> {
    /// Returns the buffers as blocks of the own device memory.
    pub(super) fn blocks(&self) -> Vec<GivenBlock> {
        let mut offset = AREA_BYTES;
        let place = |buffer: &Buffer| {
            let Buffer { address, bytes, fabric_handle } = *buffer;
            let block = GivenBlock { offset, address, bytes, fabric_handle };
            offset += bytes;
            block
        };
        self.buffers.iter().map(place).collect()
    }

    /// Checks that the heap can take the buffers. Returns the code of the refusal and its text otherwise.
    pub(super) fn check_buffers(&self) -> Option<(i32, String)> {
        let error = self.try_buffers().err()?;
        Some((error.family_code().unwrap_or_else(|| code_of(&error)), error.to_string()))
    }

    fn try_buffers(&self) -> Result<()> {
        if self.buffers.is_empty() {
            return Ok(());
        }
        if self.accelerator()?.is_none() {
            return self.buffers.iter().try_for_each(check_pages);
        }
        let blocks = self.blocks();
        let bytes = AREA_BYTES + blocks.iter().map(|block| block.bytes).sum::<u64>();
        let windows = self.membership.devices().windows(MemKind::Device)?;
        let tried = windows.allocate_around(MemKind::Device, bytes, &blocks).map(drop);
        tried.map_err(|error| match error.kind() {
            Kind::Failed => error.code_of_family(NOT_SUPPORTED),
            _ => error,
        })
    }

    /// Maps the pages of a heap in host memory over the buffers, after it has taken their contents.
    ///
    /// # Errors
    /// `OutOfMemory`; buffers before that one are the heap's, and its pages may be gone.
    pub(super) fn replace_buffers(&self, pool: &Arc<Pool>, segment: Segment) -> Result<()> {
        if self.buffers.is_empty() || segment.heap != MemKind::Host {
            return Ok(());
        }
        let mut at = pool.address(MemKind::Host, pool.rank())?.0 + segment.heap_offset();
        for Buffer { address, bytes, .. } in self.buffers {
            let length = usize::try_from(*bytes).unwrap_or(usize::MAX);
            // SAFETY: the own heap, which no other PE knows yet, is mapped for longer; the buffer was
            // checked, and the program does not use it meanwhile.
            unsafe { engine::copy(Gva(*address).as_ptr(), Gva(at).as_ptr(), length) };
            // SAFETY: whole pages of the own heap, a shared mapping, and of the program's buffer, which its
            // caller hands over.
            unsafe { remap_pages::alias_pages(at, *bytes, *address) }?;
            at += bytes;
        }
        Ok(())
    }
}

/// Checks that a buffer in host memory is writable, and has no handle of a device.
///
/// # Errors
/// `InvalidParam` it is not · `Failed` it has a handle.
fn check_pages(buffer: &Buffer) -> Result<()> {
    if buffer.fabric_handle.is_some() {
        return Err(Error::new(Kind::Failed, OP)
            .what("host memory has no fabric handles")
            .with("address", format!("{:#x}", buffer.address))
            .hint("leave the fabric handle of the buffer null")
            .code_of_family(NOT_SUPPORTED));
    }
    let range = usize::try_from(buffer.address).ok().zip(usize::try_from(buffer.bytes).ok());
    if range.is_some_and(|(address, bytes)| guarded::is_writable(address, bytes)) {
        return Ok(());
    }
    Err(Error::invalid(OP, "a buffer of the caller is not writable")
        .with("address", format!("{:#x}", buffer.address))
        .with("bytes", buffer.bytes))
}

/// Checks that all PEs have buffers of the same sizes, and can use them.
///
/// # Errors
/// The refusal of the first PE that has one; `InvalidParam` a PE has others. The same on all PEs.
pub(super) fn agree_on_buffers(offers: &[Offer]) -> Result<()> {
    let mut refusals = (0..).zip(offers).filter_map(|(pe, offer)| Some((pe, offer.refusal.as_ref()?)));
    if let Some((pe, (code, reason))) = refusals.next() {
        return Err(Error::invalid(OP, "a buffer cannot be a part of the symmetric heap")
            .with("pe", pe)
            .with("reason", reason)
            .code_of_family(*code));
    }
    let first = offers.first().map(|offer| offer.buffers.as_slice()).unwrap_or_default();
    match (0..).zip(offers).find(|(_, offer)| offer.buffers != first) {
        None => Ok(()),
        Some((pe, other)) => Err(Error::invalid(OP, "PEs have buffers of different sizes")
            .with("pe", pe)
            .with("buffers", other.buffers.len())
            .with("buffers_of_pe_0", first.len())
            .hint("pass buffers of the same sizes in the same order on all PEs")),
    }
}

/// Checks that all PEs have the same number of queue pairs.
///
/// # Errors
/// `InvalidParam` a PE has another; it is named. The same on all PEs.
pub(super) fn agree_on_queue_pairs(offers: &[Offer]) -> Result<()> {
    let first = offers.first().map_or(1, |offer| offer.queue_pairs);
    match (0..).zip(offers).find(|(_, offer)| offer.queue_pairs != first) {
        None => Ok(()),
        Some((pe, other)) => Err(Error::invalid(OP, "PEs have different numbers of queue pairs")
            .with("pe", pe)
            .with("queue_pairs", other.queue_pairs)
            .with("queue_pairs_of_pe_0", first)
            .hint("all PEs set the same number of queue pairs before the first init")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(buffers: &[u64], refusal: Option<i32>) -> Offer {
        Offer {
            buffers: buffers.to_vec(),
            refusal: refusal.map(|code| (code, "no".to_owned())),
            ..super::super::tests::offer(Some(1 << 30), "a", 8)
        }
    }

    #[test]
    fn differing_buffers_name_the_pe() {
        let agree = |all: &[&[u64]]| {
            agree_on_buffers(&all.iter().map(|buffers| offer(buffers, None)).collect::<Vec<_>>())
        };
        assert!(agree(&[]).is_ok() && agree(&[&[], &[]]).is_ok() && agree(&[&[1, 2], &[1, 2]]).is_ok());
        let error = agree(&[&[1, 2], &[1, 2], &[2, 1]]).unwrap_err();
        assert_eq!((error.fact("pe"), error.kind()), (Some("2"), Kind::InvalidParam));
        assert_eq!(agree(&[&[1], &[]]).unwrap_err().fact("buffers"), Some("0"));
    }

    #[test]
    fn first_refusal_is_the_answer_of_all() {
        let offers = [offer(&[1], None), offer(&[2], Some(-100)), offer(&[1], Some(-1))];
        let error = agree_on_buffers(&offers).unwrap_err();
        assert_eq!((error.fact("pe"), error.family_code()), (Some("1"), Some(-100)));
    }

    #[test]
    fn differing_queue_pairs_name_the_pe() {
        let pairs = |queue_pairs| Offer { queue_pairs, ..offer(&[], None) };
        assert!(agree_on_queue_pairs(&[pairs(4), pairs(4)]).is_ok());
        let error = agree_on_queue_pairs(&[pairs(4), pairs(1)]).unwrap_err();
        assert_eq!((error.fact("pe"), error.fact("queue_pairs")), (Some("1"), Some("1")));
    }
}
