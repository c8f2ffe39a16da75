// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Combining memory into other memory on a stream, and cache operations.

use std::ffi::c_void;

use super::direction::End;
use super::job;
use super::numbers::{Number, Operation};
use crate::acl::arguments::{not_null, not_zero, one_of};
use crate::codes::acl;
use crate::context::stream_of;
use crate::fault::{Outcome, ensure};
use crate::memory::transfer::{self, Initiator};
use crate::memory::{Access, native};

crate::exports! {
    /// Combines `count` bytes of `src` into `dst`.
    fn aclrtReduceAsync(
        dst: *mut c_void, src: *const c_void, count: u64, kind: u32, dataType: i32, stream: *mut c_void,
        reserve: *mut c_void,
    ) = reduce;
    /// Moves data between caches and memory: there are no caches.
    fn aclrtCmoAsync(src: *mut c_void, size: usize, cmoType: u32, stream: *mut c_void) = cache;
}

unsafe fn reduce(
    dst: *mut c_void,
    src: *const c_void,
    bytes: u64,
    operation: u32,
    number: i32,
    stream: *mut c_void,
    reserved: *mut c_void,
) -> Outcome {
    not_null(dst, "dst")?;
    not_null(src, "src")?;
    ensure(reserved.is_null(), acl::INVALID_PARAM, || format!("reserve is {reserved:p}, not null"))?;
    let operation = Operation::read(operation)?;
    let number = Number::read(number)?;
    let stream = stream_of(stream)?;
    ensure(bytes.is_multiple_of(number.bytes()), acl::RT_PARAM_INVALID, || {
        format!("{bytes} bytes are not a whole number of {number:?}")
    })?;
    if bytes == 0 {
        return Ok(());
    }
    let (dst, src) = (dst.addr() as u64, src.addr() as u64);
    for end in [dst, src] {
        check_on_device(stream.device.physical, end)?;
    }
    job::check_end(stream.device.physical, src, bytes, Access::Read)?;
    job::check_end(stream.device.physical, dst, bytes, Access::ReadWrite)?;
    stream.push_again("reduce", move |running| {
        let by = Initiator::Device(running.device.physical);
        combine(by, dst, src, bytes, operation, number).map_err(transfer::in_task)
    })
}

/// Assumed: both sides are on the stream's own device.
fn check_on_device(device: u32, address: u64) -> Outcome {
    let end = End::at(address)?;
    ensure(end == End::Device(device), acl::RT_PARAM_INVALID, || {
        format!("{address:#x} is {end:?} memory, not memory of the stream's device")
    })
}

/// Piece by piece: both sides are read, combined, written back.
fn combine(by: Initiator, dst: u64, src: u64, bytes: u64, operation: Operation, number: Number) -> Outcome {
    const PIECE: u64 = 256 << 10;
    let room = native(bytes.min(PIECE));
    let (mut left, mut right) = (vec![0_u8; room], vec![0_u8; room]);
    let mut done = 0;
    while done < bytes {
        let step = (bytes - done).min(PIECE);
        // SAFETY: there is room for a piece.
        unsafe { transfer::read(by, dst + done, left.as_mut_ptr(), step) }?;
        // SAFETY: there is room for a piece.
        unsafe { transfer::read(by, src + done, right.as_mut_ptr(), step) }?;
        let length = native(step);
        number.combine(operation, &mut left[..length], &right[..length]);
        // SAFETY: these bytes are there.
        unsafe { transfer::write(by, dst + done, left.as_ptr(), step) }?;
        done += step;
    }
    Ok(())
}

unsafe fn cache(address: *mut c_void, bytes: usize, operation: u32, stream: *mut c_void) -> Outcome {
    not_null(address, "src")?;
    not_zero(bytes, "size")?;
    one_of(operation, &[0, 1, 2, 3], "cmoType")?;
    let stream = stream_of(stream)?;
    let (address, bytes) = (address.addr() as u64, bytes as u64);
    ensure(matches!(End::at(address)?, End::Device(_)), acl::RT_PARAM_INVALID, || {
        format!("{address:#x} is not memory of a device")
    })?;
    job::check_end(stream.device.physical, address, bytes, Access::Read)?;
    stream.push_again("cmo", move |running| {
        let by = Initiator::Device(running.device.physical);
        transfer::check(by, address, bytes, Access::Read).map_err(transfer::in_task)
    })
}
