// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members of a cache by name and by value, and the keys of values that this process removes and evicts.

use std::ffi::{CStr, CString};

use mf_abi::smem::{CacheMember, MFX_CACHE_REPLICAS_MAX};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::keys::Key;
use super::{CacheSession, KEYS, KEYS_BYTES, pointer};

/// Rank, name, capacity in bytes, and whether it is near.
type Described = (u32, String, u64, bool);

/// Change and key.
type Event<'py> = (u32, Bound<'py, PyBytes>);

fn empty() -> CacheMember {
    CacheMember { capacity_bytes: 0, rank: 0, near: 0, name: [0; 256] }
}

/// All members, by rank.
#[pyfunction]
pub(crate) fn cache_members(py: Python<'_>, session: &CacheSession) -> PyResult<Vec<Described>> {
    let mut members = Vec::new();
    loop {
        let mut count = 0;
        let (list, to) = (&mut members, &mut count);
        session.call(py, |f, cache| {
            let most = u32::try_from(list.len()).unwrap_or(u32::MAX);
            // SAFETY: list and result live through the call, and the list has so many entries.
            unsafe { (f.mfx_cache_members)(cache, list.as_mut_ptr(), most, to) }
        })?;
        if count as usize <= members.len() {
            members.truncate(count as usize);
            break;
        }
        members.resize(count as usize, empty());
    }
    let described = |member: &CacheMember| {
        let name: Vec<u8> = member.name.iter().map(|byte| byte.to_ne_bytes()[0]).collect();
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned();
        (member.rank, name, member.capacity_bytes, member.near != 0)
    };
    Ok(members.iter().map(described).collect())
}

/// Rank of the nearest member with this name or on this host.
#[pyfunction]
pub(crate) fn cache_find_member(py: Python<'_>, session: &CacheSession, name: &str) -> PyResult<Option<u32>> {
    let name = CString::new(name).map_err(|_| PyValueError::new_err("a name has no zero byte"))?;
    let (mut rank, mut found) = (0, false);
    let (to, flag) = (&mut rank, &mut found);
    // SAFETY: name and results live through the call.
    session.call(py, |f, cache| unsafe { (f.mfx_cache_find_member)(cache, name.as_ptr(), to, flag) })?;
    Ok(found.then_some(rank))
}

/// Ranks of the members that hold a value, and its length, or none.
#[pyfunction]
pub(crate) fn cache_locate(
    py: Python<'_>,
    session: &CacheSession,
    key: &Bound<'_, PyAny>,
) -> PyResult<Option<(Vec<u32>, u64)>> {
    let key = Key::of(key)?;
    let (key, key_bytes) = key.parts();
    let (mut ranks, mut count, mut length) = ([0; MFX_CACHE_REPLICAS_MAX as usize + 1], 0, 0);
    let (list, number, to) = (&mut ranks, &mut count, &mut length);
    session.call(py, |f, cache| {
        let locate = f.mfx_cache_locate;
        let most = MFX_CACHE_REPLICAS_MAX + 1;
        // SAFETY: key, list and results live through the call, and the list has so many entries.
        unsafe { locate(cache, pointer(key), key_bytes, list.as_mut_ptr(), most, number, to) }
    })?;
    let found: Vec<u32> = ranks.into_iter().take(count as usize).collect();
    Ok((!found.is_empty()).then_some((found, length)))
}

/// Begins to keep so many events; 0 ends that.
#[pyfunction]
pub(crate) fn cache_watch(py: Python<'_>, session: &CacheSession, most: u64) -> PyResult<()> {
    // SAFETY: there are no pointers.
    session.call(py, |f, cache| unsafe { (f.mfx_cache_watch)(cache, most) })
}

/// Some events, as change and key, and the number of lost ones behind the last.
#[pyfunction]
pub(crate) fn cache_events<'py>(py: Python<'py>, session: &CacheSession) -> PyResult<(Vec<Event<'py>>, u64)> {
    let (mut count, mut lost) = (0, 0);
    let mut room = vec![0u8; KEYS_BYTES];
    let (mut lengths, mut changes) = (vec![0u64; KEYS as usize], vec![0u32; KEYS as usize]);
    let (keys, sizes, kinds) = (&mut room, &mut lengths, &mut changes);
    let (number, missed) = (&mut count, &mut lost);
    session.call(py, |f, cache| {
        let (keys, sizes, kinds) = (keys.as_mut_ptr().cast(), sizes.as_mut_ptr(), kinds.as_mut_ptr());
        let events = f.mfx_cache_events;
        // SAFETY: room and results live through the call, and have as many bytes and entries.
        unsafe { events(cache, keys, KEYS_BYTES as u64, sizes, kinds, KEYS, number, missed) }
    })?;
    let (mut events, mut rest) = (Vec::with_capacity(count as usize), &room[..]);
    for (length, change) in lengths.iter().zip(changes).take(count as usize) {
        let length = usize::try_from(*length).unwrap_or(usize::MAX);
        let Some((key, others)) = rest.split_at_checked(length) else { break };
        events.push((change, PyBytes::new(py, key)));
        rest = others;
    }
    Ok((events, lost))
}
