// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `smem_trans.h`: memory of endpoints, and the ends of others.

use std::ffi::{CString, c_void};
use std::sync::Arc;

use mf_abi::smem::{PeerDownCallback, PlaceArray, SizeArray, TransHandle};
use mf_base::{Error, Result};
use mf_smem::trans::PeerDownFn;

use super::state::endpoint;
use crate::boundary::{call_program, null};

/// The entries of a list from C.
///
/// # Safety
/// There are `count` of them, which do not change during the call.
pub(crate) unsafe fn list<'a, T>(op: &'static str, first: *const T, count: u32) -> Result<&'a [T]> {
    if count == 0 {
        return Err(Error::invalid(op, "the number of pieces is 0"));
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    // SAFETY: not null, as the row demands; the caller vouches for the rest.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// Refuses null among named pointers of a structure.
pub(crate) fn none_null<const N: usize>(op: &'static str, fields: [(*const c_void, &str); N]) -> Result<()> {
    match fields.into_iter().find(|(pointer, _)| pointer.is_null()) {
        Some((_, name)) => Err(null(op, name)),
        None => Ok(()),
    }
}

fn address(pointer: *const c_void) -> u64 {
    pointer.expose_provenance() as u64
}

pub(crate) fn smem_trans_register_mem(
    op: &'static str,
    handle: TransHandle,
    start: *mut c_void,
    capacity: usize,
    _flags: u32,
) -> Result<()> {
    endpoint(op, handle)?.register(address(start), capacity as u64)
}

pub(crate) unsafe fn smem_trans_batch_register_mem(
    op: &'static str,
    handle: TransHandle,
    addresses: PlaceArray,
    capacities: SizeArray,
    count: u32,
    _flags: u32,
) -> Result<()> {
    let endpoint = endpoint(op, handle)?;
    // SAFETY: the caller passes so many.
    let addresses = unsafe { list(op, addresses, count) }?;
    // SAFETY: the caller passes so many.
    let capacities = unsafe { list(op, capacities, count) }?;
    let ranges = addresses.iter().zip(capacities);
    endpoint.register_all(ranges.map(|(start, capacity)| (address(*start), *capacity as u64)))
}

pub(crate) fn smem_trans_deregister_mem(
    op: &'static str,
    handle: TransHandle,
    start: *mut c_void,
) -> Result<()> {
    endpoint(op, handle)?.deregister(address(start))
}

pub(crate) fn smem_trans_malloc(op: &'static str, handle: TransHandle, bytes: usize) -> Result<*mut c_void> {
    let endpoint = endpoint(op, handle)?;
    // No file has so many, and rounded up to pages they may be more than a number holds.
    if bytes > isize::MAX.unsigned_abs() / 2 {
        return Err(Error::invalid(op, "more bytes than there are addresses").with("bytes", bytes));
    }
    let start = endpoint.allocate(bytes as u64)?;
    Ok(std::ptr::with_exposed_provenance_mut(usize::try_from(start).unwrap_or(0)))
}

pub(crate) fn smem_trans_free(op: &'static str, handle: TransHandle, start: *mut c_void) -> Result<()> {
    endpoint(op, handle)?.free(address(start))
}

pub(crate) fn smem_trans_set_peer_down_callback(
    op: &'static str,
    handle: TransHandle,
    callback: PeerDownCallback,
    user: *mut c_void,
) -> Result<()> {
    // The program's pointer as a number: it is passed back, never followed.
    let user = user.expose_provenance();
    let callback = callback.map(|callback| -> PeerDownFn {
        Arc::new(move |name: &str| {
            let name = CString::new(name).unwrap_or_default();
            // SAFETY: the program's function, with a string that lives during the call and its own pointer.
            call_program("smem_trans_peer_down_callback_t", || unsafe {
                callback(name.as_ptr(), std::ptr::with_exposed_provenance_mut(user));
            });
        })
    });
    endpoint(op, handle)?.set_peer_down_callback(callback)
}
