// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls for many keys: one call of the library each.
//!
//! They raise after all keys have been tried, or, where the caller skips errors, take a key that failed for
//! one without a value.

#![expect(clippy::needless_pass_by_value, reason = "the conversion from Python gives owned values")]

use std::ffi::c_void;

use mf_abi::smem::{ABSENT, SMEM_INVALID_PARAM};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::keys::Keys;
use super::{CacheSession, first, how, same_length, unwritten};
use crate::buffer::{Access, Pin};
use crate::failure;

pub(super) fn sources(addresses: &[usize]) -> Vec<*const c_void> {
    addresses.iter().map(|&address| std::ptr::with_exposed_provenance(address)).collect()
}

fn places(addresses: &[usize]) -> Vec<*mut c_void> {
    addresses.iter().map(|&address| std::ptr::with_exposed_provenance_mut(address)).collect()
}

pub(super) fn count(py: Python<'_>, keys: &Keys) -> PyResult<u32> {
    u32::try_from(keys.lengths.len())
        .map_err(|_| failure::exception(py, SMEM_INVALID_PARAM, "cache: there are too many keys"))
}

/// Converts the code of a batch for the caller.
fn outcome(py: Python<'_>, code: i32, skip_errors: bool) -> PyResult<()> {
    if skip_errors { Ok(()) } else { failure::check(py, code) }
}

impl CacheSession {
    /// Copies values to buffers: the code, and a length or none for each.
    fn fill_many(
        &self,
        py: Python<'_>,
        keys: &Keys,
        addresses: &[usize],
        capacities: &[usize],
    ) -> PyResult<(i32, Vec<u64>, Vec<i32>)> {
        let count = count(py, keys)?;
        let (mut lengths, mut codes) = (vec![ABSENT; addresses.len()], vec![0; addresses.len()]);
        let (to, failed) = (&mut lengths, &mut codes);
        let code = self.code(py, |f, cache| {
            let (names, buffers) = (sources(&keys.addresses), places(addresses));
            // SAFETY: the lists have `count` entries and live through the call, and so does the memory that
            // they point to.
            unsafe {
                (f.mfx_cache_get_batch)(
                    cache,
                    names.as_ptr(),
                    keys.lengths.as_ptr(),
                    buffers.as_ptr(),
                    capacities.as_ptr(),
                    count,
                    to.as_mut_ptr(),
                    failed.as_mut_ptr(),
                )
            }
        })?;
        Ok((code, lengths, codes))
    }
}

/// Puts values; whether each was stored.
#[pyfunction]
#[pyo3(signature = (session, keys, values, replicas, replace, pin, prefer, skip_errors))]
#[expect(clippy::too_many_arguments, reason = "those of put, for many")]
pub(crate) fn cache_put_many(
    py: Python<'_>,
    session: &CacheSession,
    keys: Vec<Bound<'_, PyAny>>,
    values: Vec<Bound<'_, PyAny>>,
    replicas: u32,
    replace: bool,
    pin: bool,
    prefer: Option<u32>,
    skip_errors: bool,
) -> PyResult<Vec<bool>> {
    same_length(py, ("keys", keys.len()), ("values", values.len()))?;
    let named = Keys::of(&keys)?;
    let count = count(py, &named)?;
    let pins = values.iter().map(|value| Pin::new(value, Access::Read)).collect::<PyResult<Vec<Pin>>>()?;
    let addresses: Vec<usize> = pins.iter().map(|pin| pin.address).collect();
    let sizes: Vec<usize> = pins.iter().map(|pin| pin.bytes).collect();
    let how = how(replicas, replace, pin, prefer);
    let mut stored = vec![false; keys.len()];
    let flags = &mut stored;
    let code = session.code(py, |f, cache| {
        let (names, values) = (sources(&named.addresses), sources(&addresses));
        // SAFETY: the lists have `count` entries and live through the call, and so does the memory that they
        // point to.
        unsafe {
            (f.mfx_cache_put_batch)(
                cache,
                names.as_ptr(),
                named.lengths.as_ptr(),
                values.as_ptr(),
                sizes.as_ptr(),
                count,
                &raw const how,
                flags.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        }
    })?;
    outcome(py, code, skip_errors)?;
    Ok(stored)
}

/// Values, or `None` for missing ones.
#[pyfunction]
#[pyo3(signature = (session, keys, skip_errors))]
pub(crate) fn cache_get_many<'py>(
    py: Python<'py>,
    session: &CacheSession,
    keys: Vec<Bound<'py, PyAny>>,
    skip_errors: bool,
) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
    let named = Keys::of(&keys)?;
    let number = count(py, &named)?;
    let mut known = vec![ABSENT; keys.len()];
    let to = &mut known;
    let code = session.code(py, |f, cache| {
        let (names, none) = (sources(&named.addresses), std::ptr::null_mut());
        // SAFETY: the lists have `number` entries and live through the call, and so does the memory that they
        // point to.
        unsafe {
            let size = f.mfx_cache_size_batch;
            size(cache, names.as_ptr(), named.lengths.as_ptr(), number, to.as_mut_ptr(), none)
        }
    })?;
    outcome(py, code, skip_errors)?;
    let mut values: Vec<Option<Bound<'py, PyBytes>>> = vec![None; keys.len()];
    let mut wanted = Keys { addresses: Vec::new(), lengths: Vec::new() };
    let (mut items, mut objects, mut places, mut sizes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (item, &length) in known.iter().enumerate().filter(|(_, length)| **length != ABSENT) {
        let (object, place) = unwritten(py, length)?;
        sizes.push(object.as_bytes().len());
        objects.push(object);
        places.push(place);
        items.push(item);
        wanted.addresses.extend(named.addresses.get(item));
        wanted.lengths.extend(named.lengths.get(item));
    }
    let (_, lengths, codes) = session.fill_many(py, &wanted, &places, &sizes)?;
    for (((item, object), length), code) in items.into_iter().zip(objects).zip(lengths).zip(codes) {
        let (Some(value), Some(key)) = (values.get_mut(item), keys.get(item)) else { continue };
        *value = match code {
            0 if length == ABSENT => None,
            0 => Some(first(py, object, length)),
            // It has grown meanwhile, or fails again and says why.
            _ => match session.get(py, key) {
                Err(error) if !skip_errors => return Err(error),
                got => got.ok().flatten(),
            },
        };
    }
    Ok(values)
}

/// Copies values to buffers. Returns their lengths, or `None` for missing ones.
#[pyfunction]
#[pyo3(signature = (session, keys, outs, skip_errors))]
pub(crate) fn cache_get_many_into(
    py: Python<'_>,
    session: &CacheSession,
    keys: Vec<Bound<'_, PyAny>>,
    outs: Vec<Bound<'_, PyAny>>,
    skip_errors: bool,
) -> PyResult<Vec<Option<u64>>> {
    same_length(py, ("keys", keys.len()), ("buffers", outs.len()))?;
    let named = Keys::of(&keys)?;
    let pins = outs.iter().map(|out| Pin::new(out, Access::Write)).collect::<PyResult<Vec<Pin>>>()?;
    let addresses: Vec<usize> = pins.iter().map(|pin| pin.address).collect();
    let capacities: Vec<usize> = pins.iter().map(|pin| pin.bytes).collect();
    let (code, lengths, _) = session.fill_many(py, &named, &addresses, &capacities)?;
    outcome(py, code, skip_errors)?;
    Ok(lengths.into_iter().map(|length| (length != ABSENT).then_some(length)).collect())
}

/// For each key, true if it has a value.
#[pyfunction]
#[pyo3(signature = (session, keys, skip_errors))]
pub(crate) fn cache_exists_many(
    py: Python<'_>,
    session: &CacheSession,
    keys: Vec<Bound<'_, PyAny>>,
    skip_errors: bool,
) -> PyResult<Vec<bool>> {
    let named = Keys::of(&keys)?;
    let count = count(py, &named)?;
    let mut found = vec![false; keys.len()];
    let flags = &mut found;
    let code = session.code(py, |f, cache| {
        let (names, none) = (sources(&named.addresses), std::ptr::null_mut());
        // SAFETY: the lists have `count` entries and live through the call, and so does the memory that they
        // point to.
        unsafe {
            let exists = f.mfx_cache_exists_batch;
            exists(cache, names.as_ptr(), named.lengths.as_ptr(), count, flags.as_mut_ptr(), none)
        }
    })?;
    outcome(py, code, skip_errors)?;
    Ok(found)
}

/// Number of leading keys with a value.
#[pyfunction]
#[pyo3(signature = (session, keys))]
pub(crate) fn cache_count_prefix(
    py: Python<'_>,
    session: &CacheSession,
    keys: Vec<Bound<'_, PyAny>>,
) -> PyResult<u32> {
    let named = Keys::of(&keys)?;
    let count = count(py, &named)?;
    let mut leading = 0;
    let to = &mut leading;
    session.call(py, |f, cache| {
        let names = sources(&named.addresses);
        // SAFETY: the lists have `count` entries and live through the call, and so does the memory that they
        // point to.
        unsafe { (f.mfx_cache_count_prefix)(cache, names.as_ptr(), named.lengths.as_ptr(), count, to) }
    })?;
    Ok(leading)
}
