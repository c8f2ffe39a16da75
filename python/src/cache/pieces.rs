// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values in pieces: puts from several objects, gets into several, parts by offset and length.

#![expect(clippy::needless_pass_by_value, reason = "the conversion from Python gives owned values")]

use mf_abi::smem::CachePiece;
use pyo3::prelude::*;

use super::keys::Key;
use super::{CacheSession, how, pointer, same_length};
use crate::buffer::{Access, Pin};

/// The pieces that objects are; the objects keep their bytes.
fn pieces(pins: &[Pin], offsets: &[u64]) -> Vec<CachePiece> {
    let piece = |(item, pin): (usize, &Pin)| CachePiece {
        address: std::ptr::with_exposed_provenance_mut(pin.address),
        bytes: pin.bytes as u64,
        offset: offsets.get(item).copied().unwrap_or(0),
    };
    pins.iter().enumerate().map(piece).collect()
}

fn pinned(objects: &[Bound<'_, PyAny>], access: Access) -> PyResult<Vec<Pin>> {
    objects.iter().map(|object| Pin::new(object, access)).collect()
}

/// Puts a value that is the bytes of all these objects; whether it was stored.
#[pyfunction]
#[pyo3(signature = (session, key, values, replicas, replace, pin, prefer))]
#[expect(clippy::too_many_arguments, reason = "those of put")]
pub(crate) fn cache_put_pieces(
    py: Python<'_>,
    session: &CacheSession,
    key: Bound<'_, PyAny>,
    values: Vec<Bound<'_, PyAny>>,
    replicas: u32,
    replace: bool,
    pin: bool,
    prefer: Option<u32>,
) -> PyResult<bool> {
    let key = Key::of(&key)?;
    let (key, key_bytes) = key.parts();
    let pins = pinned(&values, Access::Read)?;
    let how = how(replicas, replace, pin, prefer);
    let mut stored = false;
    let flag = &mut stored;
    session.call(py, |f, cache| {
        let list = pieces(&pins, &[]);
        // The list is not longer than a list of objects, of which there are fewer.
        let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
        // SAFETY: key, pieces and results live through the call; the list has `count` entries or more.
        unsafe {
            let put = f.mfx_cache_put_pieces;
            put(cache, pointer(key), key_bytes, list.as_ptr(), count, &raw const how, flag)
        }
    })?;
    Ok(stored)
}

/// Copies a value to these objects, one behind the other, or, with offsets, parts of it; its length or none.
#[pyfunction]
#[pyo3(signature = (session, key, outs, offsets, lease_ms))]
pub(crate) fn cache_get_pieces(
    py: Python<'_>,
    session: &CacheSession,
    key: Bound<'_, PyAny>,
    outs: Vec<Bound<'_, PyAny>>,
    offsets: Option<Vec<u64>>,
    lease_ms: u64,
) -> PyResult<Option<u64>> {
    if let Some(offsets) = &offsets {
        same_length(py, ("buffers", outs.len()), ("offsets", offsets.len()))?;
    }
    let key = Key::of(&key)?;
    let (key, key_bytes) = key.parts();
    let pins = pinned(&outs, Access::Write)?;
    let (mut length, mut found) = (0, false);
    let (to, flag) = (&mut length, &mut found);
    session.call(py, |f, cache| {
        let list = pieces(&pins, offsets.as_deref().unwrap_or_default());
        let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let get = if offsets.is_some() { f.mfx_cache_get_ranges } else { f.mfx_cache_get_pieces };
        // SAFETY: key, pieces and results live through the call; the list has `count` entries or more.
        unsafe { get(cache, pointer(key), key_bytes, list.as_ptr(), count, lease_ms, to, flag) }
    })?;
    Ok(found.then_some(length))
}
