// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies through the C interface. The single copy takes a fast path, which allocates nothing and takes no
//! lock, or the slow path; each resolves the handle once.

use std::ffi::c_void;

use mf_abi::smem::{
    ASYNC_COPY_FLAG, BatchCopyParams, BatchCopyResult, BmHandle, CopyParams, MFX_BM_COPY_AT_ONCE,
    MFX_BM_NOT_AT_ONCE, SMEM_BM_FLAG_USE_EXTERNAL_STREAM, SMEM_OK,
};
use mf_base::sync::rcu;
use mf_base::{Error, Kind, Result};
use mf_boundary::Calls;
use mf_job::process::Owned;
use mf_smem::bm::{CopyKey, CopyMode, CopyNote, CopyType, Piece, RawStream, fast_path_cached};

use super::state::STATE;
use crate::boundary::null;
use crate::smem::bm::pools::pool;

/// Returns the completion mode of a copy. `stream` reads the caller's stream, which exists only with its
/// flag.
#[inline(always)]
pub(crate) fn mode(flags: u32, stream: impl FnOnce() -> *mut c_void) -> CopyMode {
    if flags & SMEM_BM_FLAG_USE_EXTERNAL_STREAM != 0 {
        CopyMode::Stream(RawStream(stream()))
    } else if flags & ASYNC_COPY_FLAG != 0 {
        CopyMode::Async
    } else {
        CopyMode::Sync
    }
}

/// Returns true if the fast paths may serve the copy.
#[inline(always)]
fn has_fast_path(params: *const CopyParams, flags: u32) -> bool {
    !params.is_null() && flags & !MFX_BM_COPY_AT_ONCE == 0
}

/// Cached fast path of [`smem_bm_copy`]: up to 16 bytes to or from the segment of this thread's last such
/// copy. `None`: nothing was done.
#[inline(always)]
pub(crate) unsafe fn cached(
    handle: BmHandle,
    params: *const CopyParams,
    copy_type: u32,
    flags: u32,
) -> Option<i32> {
    if !has_fast_path(params, flags) {
        return None;
    }
    // SAFETY: not null; the caller passes at least the first three fields.
    let piece = || unsafe { piece_of(params) };
    // SAFETY: the caller vouches for the local end.
    unsafe { fast_path_cached(CopyKey { handle: handle.addr(), copy_type }, piece) }.then_some(SMEM_OK)
}

/// Fast path of [`smem_bm_copy`]: a short copy between mapped memory, without anything that may fail, wait or
/// panic. `None`: nothing was done.
#[inline(always)]
pub(crate) unsafe fn fast_path<const N: usize>(
    calls: &Calls<N>,
    number: usize,
    handle: BmHandle,
    params: *const CopyParams,
    copy_type: u32,
    flags: u32,
) -> Option<i32> {
    if !has_fast_path(params, flags) {
        return None;
    }
    // SAFETY: not null; the caller passes at least the first three fields.
    let piece = unsafe { piece_of(params) };
    let key = CopyKey { handle: handle.addr(), copy_type };
    let copy_type = CopyType::known(copy_type)?;
    let stamp = rcu::early_stamp();
    let copied = STATE.objects.with(handle, |pool, section| {
        let cells = section.cells();
        // SAFETY: the table has a share of the pool until `synchronize` has returned behind its removal. The
        // stamp was read before the pool was found.
        let note = unsafe { CopyNote::new(key, stamp, calls.own_cell(number, cells)) };
        // SAFETY: the caller vouches for the local end.
        let is_copied = unsafe { pool.fast_path_noted(section, note, piece, copy_type) };
        is_copied.then(|| calls.count(number, cells))
    });
    copied?.map(|()| SMEM_OK)
}

/// Reads the piece of a caller's parameters, field by field: older callers pass a struct that ends before
/// `stream`.
///
/// # Safety
/// The first three fields are readable.
#[inline(always)]
unsafe fn piece_of(params: *const CopyParams) -> Piece {
    // SAFETY: the caller's promise.
    let src = unsafe { (*params).src };
    // SAFETY: the caller passes at least the fields up to this one.
    let dest = unsafe { (*params).dest };
    // SAFETY: the caller passes at least the fields up to this one.
    let bytes = unsafe { (*params).data_size } as u64;
    Piece { src: src.cast(), dst: dest.cast(), bytes }
}

pub(crate) unsafe fn smem_bm_copy(
    op: &'static str,
    handle: BmHandle,
    params: *const CopyParams,
    copy_type: u32,
    flags: u32,
) -> Result<i32> {
    if params.is_null() {
        return Err(null(op, "the handle or the parameters"));
    }
    // SAFETY: not null; the caller passes at least the first three fields.
    let piece = unsafe { piece_of(params) };
    // SAFETY: not null; the flag with which this is read promises the whole struct.
    let mode = mode(flags, || unsafe { (*params).stream });
    let at_once = flags & MFX_BM_COPY_AT_ONCE != 0;
    // SAFETY: the caller vouches for the local end, and for the stream.
    unsafe { slow_path(op, handle, piece, copy_type, mode, at_once) }
}

/// Slow path of [`smem_bm_copy`]: any copy. With `at_once`, it refuses a copy that would wait.
///
/// # Safety
/// The local end is valid for its length until the copy is done.
#[inline(always)]
pub(crate) unsafe fn slow_path(
    op: &'static str,
    handle: BmHandle,
    piece: Piece,
    copy_type: u32,
    mode: CopyMode,
    at_once: bool,
) -> Result<i32> {
    // Only what needs no wait is done while the pool is borrowed from its table.
    let declined = STATE.objects.with(handle, |pool, section| {
        let copy_type = CopyType::from_number(copy_type)?;
        // SAFETY: the caller vouches for the local end until the copy is done.
        let is_copied = unsafe { pool.fast_path(section, piece, copy_type, mode) };
        Ok((!is_copied).then(|| (pool.clone(), copy_type)))
    });
    let Some(declined) = declined else { return Err(refuse(op, handle, &piece, copy_type)) };
    match declined? {
        None => Ok(SMEM_OK),
        Some(_) if at_once => Ok(MFX_BM_NOT_AT_ONCE),
        Some((pool, copy_type)) => {
            pool.check_process(op)?;
            // SAFETY: the caller vouches for the local end until the copy is done.
            unsafe { pool.slow_path(piece, copy_type, mode) }.map(|()| SMEM_OK)
        }
    }
}

/// A bad argument is reported before a bad handle, as the interface promises.
#[cold]
fn refuse(op: &'static str, handle: BmHandle, piece: &Piece, copy_type: u32) -> Error {
    if handle.is_null() {
        return null(op, "the handle");
    }
    let unknown = STATE.refusal(op, handle, Kind::InvalidParam);
    if unknown.kind() == Kind::NotInit {
        return unknown;
    }
    if piece.src.is_null() || piece.dst.is_null() || piece.bytes == 0 {
        return Error::invalid(op, "source or destination is null, or the size is 0");
    }
    CopyType::from_number(copy_type).err().unwrap_or(unknown)
}

pub(crate) unsafe fn smem_bm_copy_batch(
    op: &'static str,
    handle: BmHandle,
    params: *const BatchCopyParams,
    copy_type: u32,
    flags: u32,
) -> Result<()> {
    if handle.is_null() || params.is_null() {
        return Err(null(op, "the handle or the parameters"));
    }
    let pool = pool(op, handle, Kind::InvalidParam)?;
    // SAFETY: the caller passes at least the first four fields, and arrays as long as these say.
    let pieces = unsafe { pieces(op, params) }?;
    // SAFETY: not null; the flag with which this is read promises the whole struct.
    let mode = mode(flags, || unsafe { (*params).stream });
    // SAFETY: the caller vouches for the local ends, and for the stream.
    unsafe { pool.copy_batch_raw(&pieces, CopyType::from_number(copy_type)?, mode) }
}

pub(crate) unsafe fn smem_bm_copy_batch_partial_succeed(
    op: &'static str,
    handle: BmHandle,
    params: *const BatchCopyParams,
    copy_type: u32,
    flags: u32,
    result: *const BatchCopyResult,
) -> Result<()> {
    if handle.is_null() || params.is_null() || result.is_null() {
        return Err(null(op, "the handle, the parameters or the result"));
    }
    let pool = pool(op, handle, Kind::InvalidParam)?;
    // SAFETY: as in `smem_bm_copy_batch`.
    let pieces = unsafe { pieces(op, params) }?;
    // SAFETY: not null, and the caller passes the struct.
    let BatchCopyResult { results, batch_size } = unsafe { result.read() };
    if results.is_null() || (batch_size as usize) < pieces.len() {
        return Err(Error::invalid(op, "the result has no room for a code for each piece")
            .with("room", batch_size)
            .with("pieces", pieces.len()));
    }
    // SAFETY: as in `smem_bm_copy_batch`.
    let mode = mode(flags, || unsafe { (*params).stream });
    let copy_type = CopyType::from_number(copy_type)?;
    // SAFETY: the caller vouches for the local ends, and for the stream.
    let copy = |pieces: &[Piece]| unsafe { pool.copy_batch_raw(pieces, copy_type, mode) };
    let all = copy(&pieces);
    // A second copy of the same piece does no harm: pieces have no order.
    let each = |piece: &Piece| if all.is_ok() { Ok(()) } else { copy(std::slice::from_ref(piece)) };
    let mut first = None;
    let mut failed = 0;
    for (index, piece) in pieces.iter().enumerate() {
        let ended = each(piece);
        let code = ended.as_ref().map_or_else(Error::code, |()| SMEM_OK);
        // SAFETY: below the number of codes that the caller has room for.
        unsafe { results.wrapping_add(index).write_unaligned(code) };
        if let Err(error) = ended {
            failed += 1;
            first = first.or(Some(error));
        }
    }
    match first {
        None => Ok(()),
        Some(error) if failed == pieces.len() => Err(error),
        Some(error) => Err(Error::new(Kind::PartialFailed, op)
            .what("some pieces failed")
            .with("failed", failed)
            .with("pieces", pieces.len())
            .source(error)),
    }
}

/// The pieces of a batch.
///
/// # Safety
/// The caller passes at least the first four fields, and arrays of as many elements as they say.
unsafe fn pieces(op: &'static str, params: *const BatchCopyParams) -> Result<Vec<Piece>> {
    // SAFETY: not null; the caller passes at least the first four fields.
    let sources = unsafe { (*params).sources };
    // SAFETY: the caller passes at least the fields up to this one.
    let destinations = unsafe { (*params).destinations };
    // SAFETY: the caller passes at least the fields up to this one.
    let sizes = unsafe { (*params).data_sizes };
    // SAFETY: the caller passes at least the fields up to this one.
    let count = unsafe { (*params).batch_size } as usize;
    if sources.is_null() || destinations.is_null() || sizes.is_null() || count == 0 {
        return Err(Error::invalid(op, "an array is null, or the batch is empty").with("count", count));
    }
    // SAFETY: the caller passes arrays of `count` elements.
    Ok(unsafe { gather(sources, destinations, sizes, count) })
}

/// The three arrays as one list. Safety: each has `count` readable elements; callers may align them badly.
unsafe fn gather(
    sources: *const *mut c_void,
    destinations: *const *mut c_void,
    sizes: *const u64,
    count: usize,
) -> Vec<Piece> {
    let piece = |index| {
        // SAFETY: below `count`, which the caller vouches for.
        let src = unsafe { sources.wrapping_add(index).read_unaligned() };
        // SAFETY: below `count`, the number of readable elements.
        let dst = unsafe { destinations.wrapping_add(index).read_unaligned() };
        // SAFETY: below `count`, the number of readable elements.
        let bytes = unsafe { sizes.wrapping_add(index).read_unaligned() };
        Piece { src: src.cast_const().cast(), dst: dst.cast(), bytes }
    };
    (0..count).map(piece).collect()
}

pub(crate) fn smem_bm_wait(op: &'static str, handle: BmHandle) -> Result<()> {
    pool(op, handle, Kind::InvalidParam)?.wait()
}
