// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_trans.h`: transfers.

use std::ffi::{CStr, c_char, c_void};

use mf_abi::smem::{PlaceArray, QuantCopyParam, SizeArray, SourceArray, TransHandle};
use mf_base::{Error, Result};
use mf_job::process::Owned;
use mf_smem::trans::{Endpoint, Half, QuantPiece, RawStream, Span};

use super::state::{STATE, endpoint, unknown};
use crate::boundary::text;
use crate::smem::trans::memory::{list, none_null};

/// One piece.
fn span(local: *const c_void, remote: *const c_void, bytes: usize) -> Span {
    Span {
        local: local.cast::<u8>().cast_mut(),
        address: remote.expose_provenance() as u64,
        bytes: bytes as u64,
    }
}

/// The pieces of a batch.
///
/// # Safety
/// The lists have so many entries, which do not change during the call.
pub(crate) unsafe fn spans(
    op: &'static str,
    (locals, remotes): (*const *const c_void, *const *const c_void),
    sizes: SizeArray,
    count: u32,
) -> Result<Vec<Span>> {
    // SAFETY: the caller passes lists of so many entries.
    let locals = unsafe { list(op, locals, count) }?;
    // SAFETY: the caller passes lists of so many entries.
    let remotes = unsafe { list(op, remotes, count) }?;
    // SAFETY: the caller passes lists of so many entries.
    let sizes = unsafe { list(op, sizes, count) }?;
    let pieces = locals.iter().zip(remotes).zip(sizes);
    Ok(pieces.map(|((local, remote), bytes)| span(*local, *remote, *bytes)).collect())
}

/// A transfer of one piece: by the fast path, else by the slow path.
///
/// # Safety
/// As [`slow_path`].
#[inline]
unsafe fn transfer_one(
    op: &'static str,
    handle: TransHandle,
    name: *const c_char,
    span: Span,
    is_write: bool,
) -> Result<()> {
    // Only what needs no wait is done while the endpoint is borrowed from its table.
    let found = STATE.objects.with(handle, |endpoint, section| {
        // SAFETY: not null, as the row demands; the caller passes a C string.
        let name = unsafe { CStr::from_ptr(name) };
        // SAFETY: the caller passes so many readable bytes.
        let done = unsafe { endpoint.fast_path(section, name.to_bytes(), &span, is_write) };
        done.ok_or_else(|| endpoint.clone())
    });
    match found {
        Some(Ok(done)) => done,
        Some(Err(endpoint)) => {
            endpoint.check_process(op)?;
            // SAFETY: the caller vouches for the local ends and the name until the transfer is done.
            unsafe { slow_path(op, &endpoint, name, &[span], is_write) }
        }
        None => Err(unknown(op, handle)),
    }
}

/// A transfer that is done on return.
///
/// # Safety
/// The local ends are valid until then, and the name is a C string.
unsafe fn slow_path(
    op: &'static str,
    endpoint: &Endpoint,
    name: *const c_char,
    spans: &[Span],
    is_write: bool,
) -> Result<()> {
    // SAFETY: the caller passes a C string or null.
    let name = unsafe { text(op, "the remote name", name) }?;
    // SAFETY: the caller vouches for the local ends and the name until the transfer is done.
    unsafe { endpoint.transfer(name, spans, is_write) }
}

/// A transfer on a stream.
///
/// # Safety
/// As [`slow_path`], until the stream has done it; the stream is the runtime's.
unsafe fn submit(
    op: &'static str,
    handle: TransHandle,
    name: *const c_char,
    spans: Vec<Span>,
    is_write: bool,
    stream: *mut c_void,
) -> Result<()> {
    let endpoint = endpoint(op, handle)?;
    // SAFETY: the caller passes a C string or null.
    let name = unsafe { text(op, "the remote name", name) }?;
    // SAFETY: the caller vouches for the local ends and the name until the transfer is done.
    unsafe { endpoint.submit(name, spans, is_write, RawStream(stream)) }
}

pub(crate) unsafe fn smem_trans_write(
    op: &'static str,
    handle: TransHandle,
    local: *const c_void,
    name: *const c_char,
    remote: *mut c_void,
    bytes: usize,
    _flags: u32,
) -> Result<()> {
    // SAFETY: the caller vouches for the local end and the name.
    unsafe { transfer_one(op, handle, name, span(local, remote, bytes), true) }
}

pub(crate) unsafe fn smem_trans_batch_write(
    op: &'static str,
    handle: TransHandle,
    locals: SourceArray,
    name: *const c_char,
    remotes: PlaceArray,
    sizes: SizeArray,
    count: u32,
    _flags: u32,
) -> Result<()> {
    // SAFETY: the caller passes lists of so many entries.
    let spans = unsafe { spans(op, (locals.cast(), remotes.cast()), sizes, count) }?;
    // SAFETY: the caller vouches for the local ends and the name.
    unsafe { slow_path(op, &*endpoint(op, handle)?, name, &spans, true) }
}

pub(crate) unsafe fn smem_trans_read(
    op: &'static str,
    handle: TransHandle,
    local: *mut c_void,
    name: *const c_char,
    remote: *const c_void,
    bytes: usize,
    _flags: u32,
) -> Result<()> {
    // SAFETY: the caller vouches for the local end and the name.
    unsafe { transfer_one(op, handle, name, span(local, remote, bytes), false) }
}

pub(crate) unsafe fn smem_trans_batch_read(
    op: &'static str,
    handle: TransHandle,
    locals: PlaceArray,
    name: *const c_char,
    remotes: SourceArray,
    sizes: SizeArray,
    count: u32,
    _flags: u32,
) -> Result<()> {
    // SAFETY: the caller passes lists of so many entries.
    let spans = unsafe { spans(op, (locals.cast(), remotes.cast()), sizes, count) }?;
    // SAFETY: the caller vouches for the local ends and the name.
    unsafe { slow_path(op, &*endpoint(op, handle)?, name, &spans, false) }
}

pub(crate) unsafe fn smem_trans_read_submit(
    op: &'static str,
    handle: TransHandle,
    local: *mut c_void,
    name: *const c_char,
    remote: *const c_void,
    bytes: usize,
    stream: *mut c_void,
    _flags: u32,
) -> Result<()> {
    // SAFETY: the caller vouches for the local end, the name and the stream.
    unsafe { submit(op, handle, name, vec![span(local, remote, bytes)], false, stream) }
}

pub(crate) unsafe fn smem_trans_write_submit(
    op: &'static str,
    handle: TransHandle,
    local: *const c_void,
    name: *const c_char,
    remote: *mut c_void,
    bytes: usize,
    stream: *mut c_void,
    _flags: u32,
) -> Result<()> {
    // SAFETY: the caller vouches for the local end, the name and the stream.
    unsafe { submit(op, handle, name, vec![span(local, remote, bytes)], true, stream) }
}

pub(crate) unsafe fn smem_trans_batch_read_submit(
    op: &'static str,
    handle: TransHandle,
    locals: PlaceArray,
    name: *const c_char,
    remotes: SourceArray,
    sizes: SizeArray,
    count: u32,
    stream: *mut c_void,
    _flags: u32,
) -> Result<()> {
    // SAFETY: the caller passes lists of so many entries.
    let spans = unsafe { spans(op, (locals.cast(), remotes.cast()), sizes, count) }?;
    // SAFETY: the caller vouches for the local ends, the name and the stream.
    unsafe { submit(op, handle, name, spans, false, stream) }
}

pub(crate) unsafe fn smem_trans_batch_write_submit(
    op: &'static str,
    handle: TransHandle,
    locals: SourceArray,
    name: *const c_char,
    remotes: PlaceArray,
    sizes: SizeArray,
    count: u32,
    stream: *mut c_void,
    _flags: u32,
) -> Result<()> {
    // SAFETY: the caller passes lists of so many entries.
    let spans = unsafe { spans(op, (locals.cast(), remotes.cast()), sizes, count) }?;
    // SAFETY: the caller vouches for the local ends, the name and the stream.
    unsafe { submit(op, handle, name, spans, true, stream) }
}

pub(crate) unsafe fn smem_trans_batch_quant_write(
    op: &'static str,
    handle: TransHandle,
    params: *mut QuantCopyParam,
) -> Result<()> {
    let endpoint = endpoint(op, handle)?;
    // SAFETY: not null; the caller passes a struct that nobody changes meanwhile.
    let params = unsafe { params.read() };
    none_null(
        op,
        [
            (params.local_addrs.cast_const().cast(), "localAddrs"),
            (params.remote_addrs.cast_const().cast(), "remoteAddrs"),
            (params.data_sizes.cast_const().cast(), "dataSizes"),
        ],
    )?;
    let half = Half::from_number(op, params.input_type)?;
    // SAFETY: the caller passes a C string.
    let name = unsafe { text(op, "remoteUniqueId", params.remote_unique_id) }?;
    let count = params.batch_size;
    // SAFETY: not null; the caller passes so many.
    let locals = unsafe { list(op, params.local_addrs, count) }?;
    // SAFETY: the caller passes lists of so many entries.
    let remotes = unsafe { list(op, params.remote_addrs, count) }?;
    // SAFETY: the caller passes lists of so many entries.
    let sizes = unsafe { list(op, params.data_sizes, count) }?;
    let factor = |all: *mut *mut f32, number: usize| match all.is_null() {
        true => std::ptr::null(),
        // SAFETY: the caller passes one for each piece.
        false => unsafe { all.wrapping_add(number).read() }.cast_const(),
    };
    let mut pieces = Vec::with_capacity(locals.len());
    for (number, ((local, remote), bytes)) in locals.iter().zip(remotes).zip(sizes).enumerate() {
        if bytes % 2 != 0 || *bytes == 0 || local.is_null() {
            return Err(Error::invalid(op, "a piece is null or no whole number of 16-bit numbers")
                .with("piece", number)
                .with("bytes", bytes));
        }
        pieces.push(QuantPiece {
            source: local.cast::<u8>().cast_const(),
            address: remote.expose_provenance() as u64,
            count: bytes / 2,
            scales: factor(params.scale, number),
            offsets: factor(params.offset, number),
        });
    }
    let unit = usize::try_from(params.unit_num).unwrap_or(0);
    if params.stream.is_null() {
        // SAFETY: the caller vouches for numbers, scales and offsets.
        return unsafe { endpoint.quant_write(name, &pieces, unit, half) };
    }
    // SAFETY: the same, until the stream has done it; the stream is the runtime's.
    unsafe { endpoint.quant_submit(name, pieces, unit, half, RawStream(params.stream)) }
}
