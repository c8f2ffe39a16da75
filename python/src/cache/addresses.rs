// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls for many keys whose values lie at addresses of this process, of the host or of an accelerator.
//!
//! A key that fails raises nothing: each has an outcome of its own, a negative code where it failed.

#![expect(clippy::needless_pass_by_value, reason = "the conversion from Python gives owned values")]

use mf_abi::smem::{CacheHandle, CachePiece, MFX_INTERRUPTED, SMEM_OK};
use pyo3::prelude::*;

use super::keys::Keys;
use super::{CacheSession, how, pointer, same_length};
use crate::library::Functions;

/// A piece of memory: address, bytes, offset in the value.
type Piece = (usize, u64, u64);

/// The pieces of each key.
fn pieces(
    py: Python<'_>,
    keys: usize,
    addresses: &[Vec<usize>],
    sizes: &[Vec<u64>],
    offsets: Option<&[Vec<u64>]>,
) -> PyResult<Vec<Vec<Piece>>> {
    same_length(py, ("keys", keys), ("lists of addresses", addresses.len()))?;
    same_length(py, ("keys", keys), ("lists of sizes", sizes.len()))?;
    if let Some(offsets) = offsets {
        same_length(py, ("keys", keys), ("lists of offsets", offsets.len()))?;
    }
    let mut all = Vec::with_capacity(keys);
    for (item, (places, lengths)) in addresses.iter().zip(sizes).enumerate() {
        same_length(py, ("addresses", places.len()), ("sizes", lengths.len()))?;
        let begins = offsets.and_then(|offsets| offsets.get(item)).map(Vec::as_slice).unwrap_or_default();
        if offsets.is_some() {
            same_length(py, ("addresses", places.len()), ("offsets", begins.len()))?;
        }
        let begins = begins.iter().copied().chain(std::iter::repeat(0));
        all.push(
            places.iter().zip(lengths).zip(begins).map(|((at, bytes), begin)| (*at, *bytes, begin)).collect(),
        );
    }
    Ok(all)
}

/// Makes a call for each key without the GIL: its code, and the outcome where that is 0.
fn each(
    py: Python<'_>,
    session: &CacheSession,
    keys: &Keys,
    pieces: &[Vec<Piece>],
    mut call: impl FnMut(&'static Functions, CacheHandle, (usize, u64), &[CachePiece]) -> (i32, Option<u64>)
    + Send,
) -> PyResult<Vec<Option<i64>>> {
    let mut outcomes: Vec<Option<i64>> = Vec::with_capacity(pieces.len());
    let to = &mut outcomes;
    session.code(py, |functions, cache| {
        let mut list = Vec::new();
        // Goes on where a signal has interrupted it.
        let rest = keys.addresses.iter().zip(&keys.lengths).zip(pieces).skip(to.len());
        for ((address, bytes), pieces) in rest {
            let piece = |&(address, bytes, offset): &Piece| CachePiece {
                address: std::ptr::with_exposed_provenance_mut(address),
                bytes,
                offset,
            };
            list.clear();
            list.extend(pieces.iter().map(piece));
            match call(functions, cache, (*address, *bytes as u64), &list) {
                (MFX_INTERRUPTED, _) => return MFX_INTERRUPTED,
                (SMEM_OK, outcome) => {
                    to.push(outcome.map(|outcome| i64::try_from(outcome).unwrap_or(i64::MAX)));
                }
                (code, _) => to.push(Some(i64::from(code))),
            }
        }
        SMEM_OK
    })?;
    Ok(outcomes)
}

fn count(list: &[CachePiece]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// Puts values of pieces at addresses: 0 stored, 1 a value was kept, or a code.
#[pyfunction]
#[pyo3(signature = (session, keys, addresses, sizes, replicas, replace, pin, prefer))]
#[expect(clippy::too_many_arguments, reason = "those of put, for many")]
pub(crate) fn cache_put_at(
    py: Python<'_>,
    session: &CacheSession,
    keys: Vec<Bound<'_, PyAny>>,
    addresses: Vec<Vec<usize>>,
    sizes: Vec<Vec<u64>>,
    replicas: u32,
    replace: bool,
    pin: bool,
    prefer: Option<u32>,
) -> PyResult<Vec<Option<i64>>> {
    let named = Keys::of(&keys)?;
    let values = pieces(py, keys.len(), &addresses, &sizes, None)?;
    let how = how(replicas, replace, pin, prefer);
    each(py, session, &named, &values, |functions, cache, (key, bytes), list| {
        let mut stored = false;
        let put = functions.mfx_cache_put_pieces;
        // SAFETY: key, list and results live through the call; the caller vouches for the memory at the
        // addresses.
        let code = unsafe {
            put(cache, pointer(key), bytes, list.as_ptr(), count(list), &raw const how, &raw mut stored)
        };
        (code, Some(u64::from(!stored)))
    })
}

/// Copies values to pieces at addresses, one behind the other, or, with offsets, parts of them. Lengths, None
/// for a missing one, or codes.
#[pyfunction]
#[pyo3(signature = (session, keys, addresses, sizes, offsets, lease_ms))]
pub(crate) fn cache_get_at(
    py: Python<'_>,
    session: &CacheSession,
    keys: Vec<Bound<'_, PyAny>>,
    addresses: Vec<Vec<usize>>,
    sizes: Vec<Vec<u64>>,
    offsets: Option<Vec<Vec<u64>>>,
    lease_ms: u64,
) -> PyResult<Vec<Option<i64>>> {
    let named = Keys::of(&keys)?;
    let outs = pieces(py, keys.len(), &addresses, &sizes, offsets.as_deref())?;
    each(py, session, &named, &outs, |functions, cache, (key, bytes), list| {
        let (mut length, mut found) = (0, false);
        let get =
            if offsets.is_some() { functions.mfx_cache_get_ranges } else { functions.mfx_cache_get_pieces };
        let (to, flag) = (&raw mut length, &raw mut found);
        // SAFETY: as in `cache_put_at`.
        let code = unsafe { get(cache, pointer(key), bytes, list.as_ptr(), count(list), lease_ms, to, flag) };
        (code, found.then_some(length))
    })
}
