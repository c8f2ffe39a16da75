// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Strided copies: blocks at equal distances, between addresses that a resolver knows.

use mf_base::os::guarded::Depth;
use mf_base::sync::rcu::ReadGuard;
use mf_base::{Error, Result};
use mf_device::Access;
use mf_device::engine::Piece;
use mf_transport::{Operation, Strided};

use super::copy::copy;
use super::lane::{Flags, Lane, Order, Ran, Retries, Until};
use super::local;
use super::remote_copy::span;
use super::resolve::{Mode, Resolver, Wanted};
use super::route::{RemoteCopy, Route};

const OP: &str = "strided copy";

/// Number of pieces built from blocks at a time, where only pieces can be copied.
const BATCH: u64 = 1024;

/// Blocks of equal length; each begins a stride behind the one before it. All lengths are in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The first block to read.
    pub src: *const u8,
    /// Address of the first block at the destination.
    pub dst: *mut u8,
    /// Length of a block.
    pub block_bytes: u64,
    /// Number of blocks; 0 does nothing.
    pub count: u64,
    /// Distance between the starts of two blocks at the source, at least a block.
    pub src_stride: u64,
    /// The same at the destination.
    pub dst_stride: u64,
}

impl Blocks {
    /// Returns the lengths from the first byte of the first block to the last byte of the last one, for both
    /// ends; `None` if blocks overlap, or run over the end of all addresses.
    fn extents(&self) -> Option<(u64, u64)> {
        let extent = |start: u64, stride: u64| {
            let last = (self.count - 1).checked_mul(stride)?;
            let bytes = last.checked_add(self.block_bytes)?;
            start.checked_add(bytes)?;
            (self.count == 1 || stride >= self.block_bytes).then_some(bytes)
        };
        let src = extent(self.src.addr() as u64, self.src_stride)?;
        Some((src, extent(self.dst.addr() as u64, self.dst_stride)?))
    }

    fn piece(&self, index: u64) -> Piece {
        let skip = |stride: u64| usize::try_from(stride.saturating_mul(index)).unwrap_or(usize::MAX);
        Piece {
            src: self.src.wrapping_add(skip(self.src_stride)),
            dst: self.dst.wrapping_add(skip(self.dst_stride)),
            bytes: self.block_bytes,
        }
    }

    /// The same blocks as a transport sees them.
    fn towards(&self, is_put: bool) -> Strided {
        let (src, dst) = (self.src.addr() as u64, self.dst.addr() as u64);
        let (local, address) = if is_put { (self.src.cast_mut(), dst) } else { (self.dst, src) };
        let (here, there) =
            if is_put { (self.src_stride, self.dst_stride) } else { (self.dst_stride, self.src_stride) };
        Strided {
            local,
            address,
            block_bytes: self.block_bytes,
            count: self.count,
            local_stride: here,
            remote_stride: there,
        }
    }
}

impl Lane {
    /// Copies blocks that lie at equal distances at both ends: a put, a get, or another copy, depending on
    /// the ends. All from the first to the last byte of each end must lie in one segment. **One-sided.**
    ///
    /// # Errors
    /// As [`Lane::copy`] · `InvalidParam` a stride is shorter than a block.
    ///
    /// # Safety
    /// As [`Lane::copy`], for all blocks.
    pub unsafe fn copy_blocks<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        blocks: &Blocks,
        until: Until,
    ) -> Result<()> {
        if blocks.count == 0 || blocks.block_bytes == 0 {
            return Ok(());
        }
        let (src_bytes, dst_bytes) = blocks.extents().ok_or_else(|| bad(blocks))?;
        let mut retries = Retries::default();
        loop {
            let end = |at: *const u8, bytes, access| match at.is_null() {
                true => Ok(None),
                false => resolver.resolve(section.section(), at.addr() as u64, bytes, access),
            };
            let refused = |bytes| resolver.refusal(Wanted::Piece(&Piece { bytes, ..blocks.piece(0) }));
            let from = end(blocks.src, src_bytes, Access::Read)?.ok_or_else(|| refused(src_bytes))?;
            let to = end(blocks.dst, dst_bytes, Access::Write)?.ok_or_else(|| refused(dst_bytes))?;
            let Some(Route::Remote(RemoteCopy { member, here, is_put })) = Route::choose(from, to) else {
                // SAFETY: passed on to the caller.
                return unsafe { self.copy_each(resolver, section, blocks) };
            };
            if here.is_doubtful(resolver) {
                let each = (0..blocks.count).map(|index| (span(&blocks.piece(index), is_put), Depth::All));
                local::check(OP, each, is_put).map_err(|(block, error)| {
                    if blocks.count > 1 { error.with("block", block) } else { error }
                })?;
            }
            let (key, strided) = (member.key, blocks.towards(is_put));
            let (operation, order) = match is_put {
                true => (Operation::PutStrided { key, strided }, Order::of(member, strided.bytes())),
                false => (Operation::GetStrided { key, strided }, Order::Free),
            };
            let until = match until {
                _ if here.is_lent() => Until::Done,
                Until::Reusable if is_put && strided.bytes() <= member.eager_bytes => Until::Started,
                Until::Reusable => Until::Done,
                until => until,
            };
            let flags = Flags { is_lent: here.is_lent(), is_guarded: false };
            let bytes = strided.bytes();
            // SAFETY: passed on to the caller.
            let ran = unsafe { self.run(resolver, section, member, &operation, bytes, order, until, flags) }?;
            match ran {
                Ran::Done => return Ok(()),
                Ran::Returned => {}
                Ran::Interrupted(error) => retries.count(error)?,
            }
        }
    }

    /// Copies block by block, and waits.
    ///
    /// # Safety
    /// As [`Lane::copy`], for all blocks.
    unsafe fn copy_each<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        blocks: &Blocks,
    ) -> Result<()> {
        let mut done = 0;
        while done < blocks.count {
            let end = blocks.count.min(done + BATCH);
            let pieces: Vec<Piece> = (done..end).map(|index| blocks.piece(index)).collect();
            // SAFETY: passed on to the caller.
            unsafe { copy(resolver, self, section, &pieces, Mode::Sync) }?;
            done = end;
        }
        Ok(())
    }
}

#[cold]
fn bad(blocks: &Blocks) -> Error {
    Error::invalid(OP, "a stride is shorter than a block, or the blocks run over the end of memory")
        .with("block_bytes", blocks.block_bytes)
        .with("count", blocks.count)
        .with("src_stride", blocks.src_stride)
        .with("dst_stride", blocks.dst_stride)
}
