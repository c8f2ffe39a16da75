// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_trans.h`: batches that are started and asked for, between endpoints without a store. Provisional.

use mf_abi::smem::{SMEM_TRANS_OP_READ, SMEM_TRANS_OP_WRITE, TransBatchParams, TransHandle};
use mf_base::{Error, Result};
use mf_smem::trans::RawStream;

use super::state::endpoint;
use crate::boundary::text;
use crate::smem::trans::copy::spans;
use crate::smem::trans::memory::none_null;

/// `SMEM_TRANS_BATCH_DONE` and `SMEM_TRANS_BATCH_PENDING`.
const DONE: i32 = 0;
const PENDING: i32 = 1;

pub(crate) unsafe fn smem_trans_batch_copy(
    op: &'static str,
    handle: TransHandle,
    params: *mut TransBatchParams,
    number: *mut u64,
) -> Result<()> {
    let endpoint = endpoint(op, handle)?;
    // SAFETY: not null; the caller passes a struct that nobody changes meanwhile.
    let params = unsafe { params.read() };
    none_null(
        op,
        [
            (params.dest_url.cast(), "destUrl"),
            (params.src_list.cast_const().cast(), "srcList"),
            (params.dest_list.cast_const().cast(), "destList"),
            (params.size_list.cast_const().cast(), "sizeList"),
        ],
    )?;
    let is_write = match params.opcode {
        SMEM_TRANS_OP_WRITE => true,
        SMEM_TRANS_OP_READ => false,
        other => {
            return Err(Error::invalid(op, "unknown opcode").with("opcode", other).hint("0 reads, 1 writes"));
        }
    };
    // SAFETY: not null; the caller passes a C string.
    let destination = unsafe { text(op, "destUrl", params.dest_url) }?;
    let lists = (params.src_list.cast_const().cast(), params.dest_list.cast_const().cast());
    // SAFETY: not null; the caller passes lists of so many entries.
    let spans = unsafe { spans(op, lists, params.size_list, params.batch_size) }?;
    // SAFETY: the caller vouches for local memory until the batch has ended, and for the stream.
    let started = unsafe { endpoint.start_batch(destination, spans, is_write, RawStream(params.stream)) }?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { number.write(started) };
    Ok(())
}

pub(crate) fn smem_trans_batch_status_query(
    op: &'static str,
    handle: TransHandle,
    number: u64,
    _flags: u32,
) -> Result<i32> {
    let is_done = endpoint(op, handle)?.poll_batch(number)?;
    Ok(if is_done { DONE } else { PENDING })
}
