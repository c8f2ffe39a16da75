// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffers of the caller as the first part of the heap: their descriptions, and their symmetric addresses.

use std::ffi::{c_int, c_void};

use mf_base::{Error, Result};
use mf_device::FabricHandle;
use mf_device::choose::has_unified_bus;
use mf_shmem::Buffer;
use mf_shmem::cann::attributes::{Attributes, copy_readable};
use mf_shmem::cann::codes::{NOT_SUPPORTED, bad_value};

use super::init::{begin, caller_of_today};
use super::instances;
use super::types::{Bootstrap, BufferDesc, InitAttr};
use crate::boundary::present;

/// Most buffers.
const MOST: usize = 1024;
const DESCRIPTION_BYTES: usize = 64;
/// Offset of the first reserved word in a description, and in its optional attributes.
const RESERVED_AT: usize = 24;
const OPTIONAL_RESERVED_AT: usize = 16;
/// Addresses and sizes are multiples of it, in any memory.
const PAGE_BYTES: u64 = 4096;
/// The part that the library allocates is a multiple of it.
const HEAP_PAGE_BYTES: u64 = 2 << 20;
const ENGINE_MTE: u32 = 1;
const ENGINE_UDMA: u32 = 8;

pub(crate) fn aclshmemx_init_attr_with_buffers(
    op: &'static str,
    bootstrap_flags: Bootstrap,
    object: *mut InitAttr,
    buffers: *const BufferDesc,
    count: usize,
) -> Result<c_int> {
    let buffers = present(op, "buffers", buffers)?.expose_provenance();
    begin(op, object, &caller_of_today(bootstrap_flags), &|attributes| read(op, attributes, buffers, count))
}

pub(crate) fn aclshmemx_get_buffer_ptr(_op: &'static str, addr: *mut c_void) -> Result<*mut c_void> {
    let found = instances::current().and_then(|instance| {
        let mut start = instance.world.heap_start();
        for Buffer { address, bytes, .. } in &instance.buffers {
            let distance = (addr.addr() as u64).wrapping_sub(*address);
            if distance < *bytes {
                return Some(start.wrapping_add(usize::try_from(distance).ok()?));
            }
            start = start.wrapping_add(usize::try_from(*bytes).ok()?);
        }
        None
    });
    Ok(found.map_or(std::ptr::null_mut(), <*mut u8>::cast))
}

/// Reads the descriptions, and adds the buffers to the size of the heap.
///
/// # Errors
/// `InvalidParam`, with the codes of the interface.
fn read(op: &'static str, attributes: &mut Attributes, at: usize, count: usize) -> Result<Vec<Buffer>> {
    if count == 0 {
        return Err(Error::invalid(op, "there is no buffer").hint("call aclshmemx_init_attr without buffers"));
    }
    if count > MOST {
        return Err(bad_value(op, "too many buffers").with("count", count).hint(format!("at most {MOST}")));
    }
    let found = (0..count).map(|number| one(op, at + number * DESCRIPTION_BYTES, number));
    let (buffers, handles): (Vec<_>, Vec<_>) = found.collect::<Result<Vec<_>>>()?.into_iter().unzip();
    check_apart(op, &buffers, &handles)?;
    if !attributes.heap_bytes.is_multiple_of(HEAP_PAGE_BYTES) {
        return Err(Error::invalid(op, "local_mem_size is not a multiple of 2 MiB")
            .with("local_mem_size", attributes.heap_bytes));
    }
    let all = buffers.iter().try_fold(attributes.heap_bytes, |sum, buffer| sum.checked_add(buffer.bytes));
    attributes.heap_bytes = all.ok_or_else(|| bad_value(op, "the sizes of the buffers exceed 64 bits"))?;
    let possible = ENGINE_MTE | if has_unified_bus() { ENGINE_UDMA } else { 0 };
    if attributes.engines() & !possible != 0 {
        return Err(Error::invalid(op, "buffers of the caller are for engine MTE, and for UDMA on the 950")
            .with("data_op_engine_type", format!("{:#x}", attributes.engines()))
            .code_of_family(NOT_SUPPORTED));
    }
    Ok(buffers)
}

/// Reads a description: the buffer, and the handle of its physical memory or 0. The library takes a reference
/// by the address, so that handle only distinguishes allocations.
fn one(op: &'static str, at: usize, number: usize) -> Result<(Buffer, u64)> {
    let bad = |what: &str| Error::invalid(op, what).with("buffer", number);
    let mut bytes = [0; DESCRIPTION_BYTES];
    if !copy_readable(at, &mut bytes) {
        return Err(bad("the description of a buffer cannot be read"));
    }
    let [address, size, optional, ..] = words(&bytes);
    if !is_zero(&bytes, RESERVED_AT) {
        return Err(bad("reserved words of a buffer are not 0"));
    }
    let (mut handle, mut fabric_handle) = (0, None);
    if optional != 0 {
        let mut bytes = [0; DESCRIPTION_BYTES];
        if !copy_readable(usize::try_from(optional).unwrap_or(0), &mut bytes) {
            return Err(bad("the optional attributes of a buffer cannot be read"));
        }
        if !is_zero(&bytes, OPTIONAL_RESERVED_AT) {
            return Err(bad("reserved words of optional attributes are not 0"));
        }
        let fabric;
        [handle, fabric, ..] = words(&bytes);
        if fabric != 0 {
            let mut bytes: FabricHandle = [0; 128];
            if !copy_readable(usize::try_from(fabric).unwrap_or(0), &mut bytes) {
                return Err(bad("the fabric handle of a buffer cannot be read"));
            }
            fabric_handle = Some(bytes);
        }
    }
    if address == 0 || size == 0 {
        return Err(bad("a buffer without address or without size"));
    }
    if !address.is_multiple_of(PAGE_BYTES) || !size.is_multiple_of(PAGE_BYTES) {
        return Err(bad("a buffer does not consist of whole pages")
            .with("address", format!("{address:#x}"))
            .with("size", size));
    }
    Ok((Buffer { address, bytes: size, fabric_handle }, handle))
}

fn words(bytes: &[u8; DESCRIPTION_BYTES]) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_ne_bytes(*bytes);
    }
    words
}

fn is_zero(bytes: &[u8], from: usize) -> bool {
    bytes.get(from..).is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
}

/// Refuses overlapping buffers, and one handle for two of them.
fn check_apart(op: &'static str, buffers: &[Buffer], handles: &[u64]) -> Result<()> {
    let mut sorted: Vec<&Buffer> = buffers.iter().collect();
    sorted.sort_unstable_by_key(|buffer| buffer.address);
    let overlaps = sorted.windows(2).any(|two| match two {
        [one, next] => one.address.checked_add(one.bytes).is_none_or(|end| end > next.address),
        _ => false,
    });
    let is_over = sorted.last().is_some_and(|last| last.address.checked_add(last.bytes).is_none());
    if overlaps || is_over {
        return Err(Error::invalid(op, "buffers overlap, or reach beyond the address space"));
    }
    let handles = handles.iter().filter(|handle| **handle != 0);
    let fabric_handles = buffers.iter().filter_map(|buffer| buffer.fabric_handle.as_ref());
    if has_twice(handles) || has_twice(fabric_handles) {
        return Err(Error::invalid(op, "two buffers have the same handle"));
    }
    Ok(())
}

fn has_twice<T: Ord>(values: impl Iterator<Item = T>) -> bool {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.windows(2).any(|two| two.first() == two.last())
}
