// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attributes that this library writes: the object of first-generation programs, and fields of others.

use std::ffi::{c_char, c_int};
use std::ptr::with_exposed_provenance_mut;
use std::sync::Mutex;

use mf_base::Result;
use mf_base::sync::lock;
use mf_shmem::cann::attributes::{
    ADDRESS_AT, ADDRESS_BYTES, COMM_ARGS_AT, DEFAULT_TIMEOUT, ENGINE_AT, HEAP_AT, OF_G1, OF_TODAY,
    TIMEOUTS_AT, check_limits,
};
use mf_shmem::cann::codes::bad_value;

use super::types::{DataOpEngineType, InitAttr};

/// Writes parts of an object, each at its place.
///
/// # Safety
/// The object has these bytes.
unsafe fn write(object: *mut InitAttr, parts: &[(usize, &[u8])]) {
    for (at, bytes) in parts {
        let to = object.cast::<u8>().wrapping_add(*at);
        // SAFETY: the caller vouches for the bytes, which do not overlap the arguments.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }
}

/// Writes the values that a unique id sets.
///
/// # Safety
/// `object` is one of G1 or later.
pub(super) unsafe fn fill(object: *mut InitAttr, my_pe: i32, n_pes: i32, heap_bytes: u64, id: *const u8) {
    let (my_pe, n_pes) = (my_pe.to_ne_bytes(), n_pes.to_ne_bytes());
    let (heap, id) = (heap_bytes.to_ne_bytes(), id.expose_provenance().to_ne_bytes());
    // SAFETY: the caller vouches for an object with these fields.
    unsafe { write(object, &[(0, &my_pe), (4, &n_pes), (HEAP_AT, &heap), (COMM_ARGS_AT, &id)]) };
}

/// Writes the text of an address, at most 63 bytes of it.
///
/// # Safety
/// `object` is one of any generation.
pub(super) unsafe fn write_address(object: *mut InitAttr, text: &str) {
    let mut bytes = [0; ADDRESS_BYTES];
    for (to, from) in bytes.iter_mut().zip(text.bytes().take(ADDRESS_BYTES - 1)) {
        *to = from;
    }
    // SAFETY: the caller vouches for an object with these fields.
    unsafe { write(object, &[(ADDRESS_AT, &bytes)]) };
}

/// The object that `shmem_set_attr` hands out; 0: none yet. It is never freed.
static OWN: Mutex<usize> = Mutex::new(0);

/// The library's object with these contents, as first-generation programs get it. It has room for any
/// generation's fields.
///
/// # Errors
/// As [`check_limits`], and `InvalidParam` the address is empty or too long.
pub(super) fn own_object(
    op: &'static str,
    my_pe: i32,
    n_pes: i32,
    heap_bytes: u64,
    address: Option<&str>,
) -> Result<*mut InitAttr> {
    check_limits(op, my_pe, n_pes, heap_bytes)?;
    if address.is_some_and(|text| text.is_empty() || text.len() >= ADDRESS_BYTES) {
        return Err(bad_value(op, "ip_port is empty, or has more than 63 characters"));
    }
    let mut own = lock(&OWN);
    if *own == 0 {
        *own = Box::leak(Box::new([0u64; OF_TODAY / 8])).as_mut_ptr().expose_provenance();
    }
    let object = with_exposed_provenance_mut(*own);
    let version = (1u32 << 16) + 104;
    let mut options = Vec::new();
    for word in [version, 1, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, 0] {
        options.extend_from_slice(&word.to_ne_bytes());
    }
    // SAFETY: the object has 120 bytes, and is never freed.
    unsafe { write(object, &[(HEAP_AT + 8, &options), (OF_G1, &[0; 8])]) };
    // SAFETY: the object has 120 bytes, and is never freed.
    unsafe { write_address(object, address.unwrap_or_default()) };
    // SAFETY: the object has 120 bytes, and is never freed.
    unsafe { fill(object, my_pe, n_pes, heap_bytes, std::ptr::null()) };
    Ok(object)
}

pub(crate) unsafe fn shmem_set_attr(
    op: &'static str,
    my_rank: c_int,
    n_ranks: c_int,
    local_mem_size: u64,
    ip_port: *const c_char,
    attributes: *mut *mut InitAttr,
) -> Result<c_int> {
    let attributes = crate::boundary::present(op, "attributes", attributes)?;
    let address = match ip_port.is_null() {
        true => None,
        // SAFETY: the caller passes a C string.
        false => Some(unsafe { crate::boundary::text(op, "ip_port", ip_port) }?),
    };
    let object = own_object(op, my_rank, n_ranks, local_mem_size, address)?;
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { attributes.write(object) };
    Ok(0)
}

pub(crate) unsafe fn shmem_set_data_op_engine_type(
    op: &'static str,
    attributes: *mut InitAttr,
    value: DataOpEngineType,
) -> Result<c_int> {
    let attributes = crate::boundary::present(op, "attributes", attributes)?;
    // SAFETY: not null; the caller passes an object of its generation.
    unsafe { write(attributes, &[(ENGINE_AT, &value.to_ne_bytes())]) };
    Ok(0)
}

pub(crate) unsafe fn shmem_set_timeout(
    op: &'static str,
    attributes: *mut InitAttr,
    value: u32,
) -> Result<c_int> {
    let attributes = crate::boundary::present(op, "attributes", attributes)?;
    let value = value.to_ne_bytes();
    let parts = [0, 4, 8].map(|at| (TIMEOUTS_AT + at, &value[..]));
    // SAFETY: not null; the caller passes an object of its generation.
    unsafe { write(attributes, &parts) };
    Ok(0)
}
