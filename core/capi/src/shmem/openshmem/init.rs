// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Begin and end, and queries, which answer at any time.

use std::ffi::{c_char, c_int, c_void};

use mf_base::{Error, Result};
use mf_shmem::{ThreadLevel, info};

use super::{errors, world};

/// A number of PEs, or of one, in C.
pub(super) fn number(pes: u32) -> c_int {
    c_int::try_from(pes).unwrap_or(c_int::MAX)
}

pub(crate) fn init(op: &'static str) -> Result<()> {
    match world::begin(op, ThreadLevel::Multiple) {
        Ok(_) => Ok(()),
        Err(error) => errors::end(op, &error),
    }
}

pub(crate) unsafe fn init_thread(op: &'static str, requested: c_int, provided: *mut c_int) -> Result<c_int> {
    let level = ThreadLevel::of_number(requested).ok_or_else(|| {
        Error::invalid(op, "unknown thread level")
            .with("requested", requested)
            .hint("SHMEM_THREAD_SINGLE to SHMEM_THREAD_MULTIPLE are 0 to 3")
    })?;
    let granted = world::begin(op, level)?.number();
    if !provided.is_null() {
        // SAFETY: not null; the caller passes an int.
        unsafe { provided.write(granted) };
    }
    Ok(0)
}

pub(crate) fn start_pes(op: &'static str, _npes: c_int) -> Result<()> {
    if world::current().is_some() {
        return Ok(());
    }
    init(op)?;
    world::end_at_exit();
    Ok(())
}

pub(crate) fn finalize(op: &'static str) -> Result<()> {
    world::end(op)
}

pub(crate) unsafe fn query_thread(op: &'static str, provided: *mut c_int) -> Result<()> {
    let level = world::get(op)?.thread_level().number();
    if !provided.is_null() {
        // SAFETY: not null; the caller passes an int.
        unsafe { provided.write(level) };
    }
    Ok(())
}

pub(crate) unsafe fn query_initialized(_op: &'static str, initialized: *mut c_int) -> Result<()> {
    if !initialized.is_null() {
        // SAFETY: not null; the caller passes an int.
        unsafe { initialized.write(c_int::from(world::current().is_some())) };
    }
    Ok(())
}

pub(crate) fn global_exit(op: &'static str, status: c_int) -> Result<()> {
    match world::get(op) {
        Ok(world) => world.global_exit(status),
        Err(error) => {
            tracing::error!("{error}");
            std::process::exit(status)
        }
    }
}

/// For tools, which replace it.
pub(crate) fn pcontrol(op: &'static str, _level: c_int) -> Result<()> {
    world::get(op).map(drop)
}

pub(crate) fn my_pe(_op: &'static str) -> Result<c_int> {
    Ok(world::current().map_or(-1, |world| number(world.my_pe())))
}

pub(crate) fn n_pes(_op: &'static str) -> Result<c_int> {
    Ok(world::current().map_or(-1, |world| number(world.n_pes())))
}

pub(crate) use {my_pe as _my_pe, n_pes as _num_pes};

pub(crate) fn pe_accessible(_op: &'static str, pe: c_int) -> Result<c_int> {
    Ok(world::current().map_or(0, |world| c_int::from(world.is_accessible_pe(pe))))
}

pub(crate) fn addr_accessible(_op: &'static str, addr: *const c_void, pe: c_int) -> Result<c_int> {
    Ok(world::current().map_or(0, |world| c_int::from(world.is_accessible_address(addr.cast(), pe))))
}

pub(crate) fn ptr(_op: &'static str, dest: *const c_void, pe: c_int) -> Result<*mut c_void> {
    Ok(world::current().map_or(std::ptr::null_mut(), |world| world.ptr(dest.cast(), pe).cast()))
}

pub(crate) unsafe fn info_get_version(_op: &'static str, major: *mut c_int, minor: *mut c_int) -> Result<()> {
    for (place, value) in [(major, info::VERSION.0), (minor, info::VERSION.1)] {
        if !place.is_null() {
            // SAFETY: not null; the caller passes an int.
            unsafe { place.write(number(value)) };
        }
    }
    Ok(())
}

pub(crate) unsafe fn info_get_name(op: &'static str, name: *mut c_char) -> Result<()> {
    const TEXT: &str = info::NAME;
    const { assert!(TEXT.len() < 256, "SHMEM_MAX_NAME_LEN bytes, with the final zero") };
    let name = mf_boundary::present(op, "the name", name)?;
    for (offset, byte) in TEXT.bytes().chain([0]).enumerate() {
        // SAFETY: not null; the caller passes 256 bytes, of which the text with its final zero needs fewer.
        let place = unsafe { name.add(offset) };
        // SAFETY: the caller passes so many readable bytes.
        unsafe { place.write(c_char::from_ne_bytes([byte])) };
    }
    Ok(())
}
