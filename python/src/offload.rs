// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The pool of offload, and its operations: calls and codes, no exceptions.

use std::ffi::c_void;
use std::ptr;

use mf_abi::smem::{MFX_DEFAULT_STREAM, OffloadConfig, SMEM_INVALID_PARAM};
use pyo3::prelude::*;

use crate::interrupts;
use crate::library::{Functions, functions};

/// Makes the pool; the URL has at most 63 bytes.
#[pyfunction]
#[pyo3(signature = (device_id, reserve_size, alloc_size, world_size, rank_id, scene, store_url, flags, local_world_size))]
#[expect(clippy::too_many_arguments, reason = "arguments of the interface")]
pub(crate) fn offload_initialize(
    py: Python<'_>,
    device_id: u32,
    reserve_size: u64,
    alloc_size: u64,
    world_size: u32,
    rank_id: u32,
    scene: i32,
    store_url: &[u8],
    flags: u32,
    local_world_size: u32,
) -> PyResult<i32> {
    let functions = functions()?;
    let mut url = [0; 64];
    let Some(place) = url.get_mut(..store_url.len()).filter(|place| place.len() < 64) else {
        return Ok(SMEM_INVALID_PARAM);
    };
    for (to, from) in place.iter_mut().zip(store_url) {
        *to = std::ffi::c_char::from_ne_bytes([*from]);
    }
    let config = OffloadConfig {
        device_id,
        reserve_size,
        alloc_size,
        world_size,
        rank_id,
        scene,
        store_url: url,
        flags,
        local_world_size,
    };
    // SAFETY: the configuration lives through the call.
    interrupts::code(py, || unsafe { (functions.mfx_offload_init)(&raw const config) })
}

/// Ends the pool.
#[pyfunction]
pub(crate) fn offload_uninitialize(py: Python<'_>) -> PyResult<()> {
    let functions = functions()?;
    // SAFETY: may be called at any time; it waits for streams.
    py.detach(|| unsafe { (functions.mfx_offload_uninit)() });
    Ok(())
}

/// The address of a new block; 0: a failure.
#[pyfunction]
#[pyo3(signature = (size, flags))]
pub(crate) fn offload_malloc(size: u64, flags: u64) -> PyResult<u64> {
    // SAFETY: takes numbers, and may be called at any time.
    Ok(unsafe { (functions()?.mfx_offload_malloc)(size, flags) })
}

/// Gives a block back.
#[pyfunction]
#[pyo3(signature = (ptr, flags))]
pub(crate) fn offload_free(ptr: u64, flags: u64) -> PyResult<i32> {
    // SAFETY: the library checks the address.
    Ok(unsafe { (functions()?.mfx_offload_free)(ptr, flags) })
}

/// The address for kernels; 0: a failure.
#[pyfunction]
#[pyo3(signature = (ptr))]
pub(crate) fn offload_get_dva(ptr: u64) -> PyResult<u64> {
    let mut found = 0;
    // SAFETY: the library checks the address; the result lives through the call.
    let code = unsafe { (functions()?.mfx_offload_get_dva)(ptr, &raw mut found) };
    Ok(if code == 0 { found } else { 0 })
}

/// Registers the table.
#[pyfunction]
#[pyo3(signature = (entry_bytes, rows_per_slot))]
pub(crate) fn offload_register_entry_table(entry_bytes: u32, rows_per_slot: u32) -> PyResult<i32> {
    // SAFETY: takes numbers, and may be called at any time.
    Ok(unsafe { (functions()?.mfx_offload_register_entry_table)(entry_bytes, rows_per_slot) })
}

/// Copies pieces. `stream`: 0 for this call, None for the default stream.
#[pyfunction]
#[pyo3(signature = (src_ptr, dst_ptr, len_ptr, size_ptr, device_id, stream))]
pub(crate) fn offload_sparse_copy(
    py: Python<'_>,
    src_ptr: u64,
    dst_ptr: u64,
    len_ptr: u64,
    size_ptr: u64,
    device_id: u32,
    stream: Option<usize>,
) -> PyResult<i32> {
    run(py, move |f| {
        // SAFETY: the caller vouches for arrays and pieces; the library checks host memory.
        unsafe { (f.mfx_offload_sparse_copy)(src_ptr, dst_ptr, len_ptr, size_ptr, device_id, named(stream)) }
    })
}

/// Packs pieces.
#[pyfunction]
#[pyo3(signature = (src_ptr, dst_ptr, len_ptr, count_ptr, groups_ptr, packed_ptr, device_id, stream))]
#[expect(clippy::too_many_arguments, reason = "arguments of the interface")]
pub(crate) fn offload_group_pack_copy(
    py: Python<'_>,
    src_ptr: u64,
    dst_ptr: u64,
    len_ptr: u64,
    count_ptr: u64,
    groups_ptr: u64,
    packed_ptr: u64,
    device_id: u32,
    stream: Option<usize>,
) -> PyResult<i32> {
    run(py, move |f| {
        let pack = f.mfx_offload_group_pack_copy;
        // SAFETY: the caller vouches for arrays and pieces; the library checks host memory.
        unsafe {
            pack(src_ptr, dst_ptr, len_ptr, count_ptr, groups_ptr, packed_ptr, device_id, named(stream))
        }
    })
}

/// Copies pages of key-value caches.
#[pyfunction]
#[pyo3(signature = (meta_ptr, header_words, device_id, stream))]
pub(crate) fn offload_kv_exchange_copy(
    py: Python<'_>,
    meta_ptr: u64,
    header_words: u32,
    device_id: u32,
    stream: Option<usize>,
) -> PyResult<i32> {
    run(py, move |f| {
        // SAFETY: the caller vouches for arrays and pieces; the library checks host memory.
        unsafe { (f.mfx_offload_kv_exchange_copy)(meta_ptr, header_words, device_id, named(stream)) }
    })
}

/// Gathers entries of the table.
#[pyfunction]
#[pyo3(signature = (dst_ptr, ids_ptr, count_ptr, device_id, stream))]
pub(crate) fn offload_entry_gather(
    py: Python<'_>,
    dst_ptr: u64,
    ids_ptr: u64,
    count_ptr: u64,
    device_id: u32,
    stream: Option<usize>,
) -> PyResult<i32> {
    run(py, move |f| {
        // SAFETY: the caller vouches for arrays and entries; the library checks host memory.
        unsafe { (f.mfx_offload_entry_gather)(dst_ptr, ids_ptr, count_ptr, device_id, named(stream)) }
    })
}

/// Runs an operation without the GIL: it copies in the call, or its stream may be full.
fn run(py: Python<'_>, mut call: impl FnMut(&'static Functions) -> i32 + Send) -> PyResult<i32> {
    let functions = functions()?;
    Ok(py.detach(|| call(functions)))
}

/// The stream of a number: null for this call.
fn named(stream: Option<usize>) -> *mut c_void {
    ptr::with_exposed_provenance_mut(stream.unwrap_or(MFX_DEFAULT_STREAM))
}
