// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks of equal length at equal distances, and their conversion to spans for a transport without strides.

use mf_base::{Error, Result};

use crate::span::{Span, bad_range};

/// Spans that the fallback posts at once.
const BATCH: usize = 128;

/// Blocks of host memory here, and as many in the segments of a peer. All lengths and distances are in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Strided {
    /// The first block here; a put only reads it. Never null.
    pub local: *mut u8,
    /// Address of the first block there.
    pub address: u64,
    /// Length of a block, at least 1.
    pub block_bytes: u64,
    /// Blocks, at least 1.
    pub count: u64,
    /// Distance between the starts of two blocks here, at least a block.
    pub local_stride: u64,
    /// Distance between the starts of two blocks there, at least a block.
    pub remote_stride: u64,
}

impl Strided {
    /// Returns the number of bytes copied.
    #[inline]
    pub const fn bytes(&self) -> u64 {
        self.block_bytes.saturating_mul(self.count)
    }

    /// From the first byte of the first block there to the last byte of the last one. All of it must lie in
    /// one segment of the peer.
    #[inline]
    pub const fn remote_extent(&self) -> u64 {
        extent(self.block_bytes, self.count, self.remote_stride)
    }

    /// Block number `index` as a span.
    #[inline]
    pub fn span(&self, index: u64) -> Span {
        let offset = usize::try_from(self.local_stride.saturating_mul(index)).unwrap_or(usize::MAX);
        Span {
            local: self.local.wrapping_add(offset),
            address: self.address.saturating_add(self.remote_stride.saturating_mul(index)),
            bytes: self.block_bytes,
        }
    }

    /// Returns all of it as one span, if there are no gaps between the blocks on either side.
    #[inline]
    pub fn as_span(&self) -> Option<Span> {
        let dense = self.local_stride == self.block_bytes && self.remote_stride == self.block_bytes;
        (dense || self.count == 1).then(|| Span { bytes: self.bytes(), ..self.span(0) })
    }

    pub(crate) fn check(&self) -> Result<()> {
        let Self { local, address, block_bytes, count, local_stride, remote_stride } = *self;
        if block_bytes == 0 || count == 0 || local.is_null() {
            return Err(bad_range(address, 0));
        }
        if count > 1 && local_stride.min(remote_stride) < block_bytes {
            return Err(Error::invalid("transport post", "a stride is shorter than its block")
                .with("block", block_bytes)
                .with("local_stride", local_stride)
                .with("remote_stride", remote_stride));
        }
        let here = extent(block_bytes, count, local_stride);
        let there = extent(block_bytes, count, remote_stride);
        let fits = (local.addr() as u64).checked_add(here).is_some() && address.checked_add(there).is_some();
        if fits { Ok(()) } else { Err(bad_range(address, there)) }
    }

    /// Passes all blocks to `post` as lists of spans, in order, for a transport without
    /// [`Capabilities::STRIDED`](crate::Capabilities::STRIDED). When a later list is refused the error goes
    /// to `failed`, because the ones before it were posted.
    ///
    /// # Errors
    /// The error of the first list; nothing was posted then.
    pub fn post_spans(
        &self,
        mut post: impl FnMut(&[Span]) -> Result<()>,
        failed: impl FnOnce(Error),
    ) -> Result<()> {
        if let Some(span) = self.as_span() {
            return post(&[span]);
        }
        let mut spans = [Span { local: self.local, address: 0, bytes: 0 }; BATCH];
        let mut next = 0;
        while next < self.count {
            let mut used = 0;
            for (slot, index) in spans.iter_mut().zip(next..self.count) {
                *slot = self.span(index);
                used += 1;
            }
            match post(spans.get(..used).unwrap_or(&[])) {
                Err(error) if next == 0 => return Err(error),
                Err(error) => {
                    failed(error);
                    return Ok(());
                }
                Ok(()) => next += used as u64,
            }
        }
        Ok(())
    }
}

const fn extent(block_bytes: u64, count: u64, stride: u64) -> u64 {
    stride.saturating_mul(count.saturating_sub(1)).saturating_add(block_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(count: u64) -> Strided {
        let local = std::ptr::without_provenance_mut(1 << 20);
        Strided { local, address: 4096, block_bytes: 8, count, local_stride: 16, remote_stride: 24 }
    }

    #[test]
    fn the_fallback_posts_every_block_once_and_in_order() {
        let all = strided(300);
        let (mut lists, mut index) = (0, 0);
        let post = |spans: &[Span]| {
            lists += 1;
            for span in spans {
                assert_eq!((span.address, span.bytes), (4096 + 24 * index, 8));
                assert_eq!(span.local.addr() as u64, (1 << 20) + 16 * index);
                index += 1;
            }
            Ok(())
        };
        all.post_spans(post, |error| panic!("{error}")).unwrap();
        assert_eq!((lists, index), (3, 300));
    }

    #[test]
    fn first_refusal_is_returned_and_later_ones_reported() {
        let refuse = |_: &[Span]| Err(Error::invalid("test", "no"));
        strided(300).post_spans(refuse, |error| panic!("{error}")).unwrap_err();
        let (mut lists, mut reported) = (0, None);
        let post = |_: &[Span]| {
            lists += 1;
            if lists == 2 { Err(Error::invalid("test", "no")) } else { Ok(()) }
        };
        strided(300).post_spans(post, |error| reported = Some(error)).unwrap();
        assert!(reported.is_some());
        assert_eq!(lists, 2);
    }

    #[test]
    fn overlapping_or_out_of_range_shapes_are_refused() {
        strided(1).check().unwrap();
        strided(1 << 20).check().unwrap();
        for bad in [
            Strided { block_bytes: 17, ..strided(2) },
            Strided { block_bytes: 0, ..strided(2) },
            Strided { local: std::ptr::null_mut(), ..strided(2) },
            Strided { remote_stride: u64::MAX, ..strided(2) },
            Strided { address: u64::MAX - 20, ..strided(2) },
            strided(0),
            strided(u64::MAX),
        ] {
            bad.check().unwrap_err();
        }
        assert_eq!((strided(3).bytes(), strided(3).remote_extent()), (24, 56));
        assert!(strided(1).as_span().is_some() && strided(2).as_span().is_none());
        let dense = Strided { local_stride: 8, remote_stride: 8, ..strided(5) };
        assert_eq!(dense.as_span().map(|span| span.bytes), Some(40));
    }
}
