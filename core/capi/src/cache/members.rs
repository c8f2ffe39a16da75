// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_cache_members`, `mfx_cache_find_member` and `mfx_cache_locate`: members of a cache by name and value.

use std::ffi::{c_char, c_void};

use mf_abi::smem::{CacheHandle, CacheMember};
use mf_base::Result;

use super::handles::opened;
use super::single::{keyed, write_to};
use crate::boundary::{present, text};

pub(crate) unsafe fn mfx_cache_members(
    op: &'static str,
    handle: CacheHandle,
    list: *mut CacheMember,
    most: u32,
    count: *mut u32,
) -> Result<()> {
    let opened = opened(op, handle)?;
    if most > 0 {
        present(op, "the list of members", list)?;
    }
    let members = opened.cache.members()?;
    for (item, member) in members.iter().enumerate().take(most as usize) {
        let mut name = [0; 256];
        for (place, byte) in name.iter_mut().take(255).zip(member.name.bytes()) {
            *place = c_char::from_ne_bytes([byte]);
        }
        let (capacity_bytes, rank) = (member.capacity_bytes, member.rank);
        let described = CacheMember { capacity_bytes, rank, near: member.is_near.into(), name };
        // SAFETY: below `most`, for which the caller passes room.
        unsafe { list.wrapping_add(item).write(described) };
    }
    // SAFETY: not null; the caller passes room for a number.
    unsafe { count.write(u32::try_from(members.len()).unwrap_or(u32::MAX)) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_find_member(
    op: &'static str,
    handle: CacheHandle,
    name: *const c_char,
    rank: *mut u32,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: null, or a text that does not change meanwhile.
    let name = unsafe { text(op, "the name", name) }?;
    let member = opened(op, handle)?.cache.find_member(name)?;
    if let Some(number) = member {
        // SAFETY: not null; the caller passes room for a number.
        unsafe { rank.write(number) };
    }
    // SAFETY: the caller passes room for a truth value.
    unsafe { write_to(found, member.is_some()) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_locate(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    ranks: *mut u32,
    most: u32,
    count: *mut u32,
    bytes: *mut u64,
) -> Result<()> {
    if most > 0 {
        present(op, "the list of ranks", ranks)?;
    }
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    let (found, length) = opened.cache.locate(key)?.unwrap_or_default();
    for (item, rank) in found.iter().enumerate().take(most as usize) {
        // SAFETY: below `most`, for which the caller passes room.
        unsafe { ranks.wrapping_add(item).write(*rank) };
    }
    // SAFETY: not null; the caller passes room for a number.
    unsafe { count.write(u32::try_from(found.len()).unwrap_or(u32::MAX)) };
    // SAFETY: null, or room for a number.
    unsafe { write_to(bytes, length) };
    Ok(())
}
