// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `_mf_smem.CacheSession`: a cache in a pool, on top of which `mf_smem.Cache` is written in Python.
//!
//! Every method lets other Python threads run, because a key may be on another host. [`batch`] has the calls
//! for many keys, [`pieces`] and [`writer`] those for values in pieces, [`prefetch`] those for prefetches,
//! [`members`] those for members and events.

pub(crate) mod addresses;
pub(crate) mod batch;
mod keys;
pub(crate) mod members;
pub(crate) mod pieces;
pub(crate) mod prefetch;
pub(crate) mod writer;

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use mf_abi::smem::{
    CacheConfig, CacheDiskStats, CacheHandle, CacheLease, CachePut, CacheStats, MFX_CACHE_DISK_ALL,
    MFX_CACHE_DISK_REUSED, MFX_CACHE_GUEST, MFX_CACHE_KEEP, MFX_CACHE_PIN, MFX_CACHE_PREFER,
    SMEM_INVALID_PARAM, SMEM_NOT_INIT,
};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Access, Pin};
use crate::failure::Family;
use crate::fork::Generation;
use crate::library::{Functions, functions};
use crate::raising::BigMemory;
use crate::{failure, interrupts};
use keys::Key;

const FAMILY: Family = Family { name: "cache", remedy: "open one" };

/// Keys that are listed in one call, at most, and their bytes.
const KEYS: u32 = 1024;
const KEYS_BYTES: usize = 64 << 10;

/// Repeats of a get for a value that grows meanwhile.
const GROWTHS: u32 = 16;

/// End, place, state and stamp of a lease.
type Held = (u64, u64, u64, u64);

/// A cache as a process has opened it. Use mf_smem.Cache.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct CacheSession {
    functions: &'static Functions,
    /// 0 once closed.
    handle: AtomicUsize,
    made: Generation,
}

impl CacheSession {
    fn handle(&self, py: Python<'_>) -> PyResult<usize> {
        if self.made.is_inherited() {
            return Err(FAMILY.failure(py, self.made, SMEM_NOT_INIT));
        }
        match self.handle.load(Ordering::Acquire) {
            0 => Err(failure::exception(py, SMEM_NOT_INIT, "cache: this object is closed")),
            handle => Ok(handle),
        }
    }

    /// Runs `call` with the handle and without the GIL; gives its code.
    fn code(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&'static Functions, CacheHandle) -> i32 + Send,
    ) -> PyResult<i32> {
        let handle = self.handle(py)?;
        let functions = self.functions;
        interrupts::code(py, || call(functions, std::ptr::with_exposed_provenance_mut(handle)))
    }

    /// The same, and raises where it fails.
    fn call(
        &self,
        py: Python<'_>,
        call: impl FnMut(&'static Functions, CacheHandle) -> i32 + Send,
    ) -> PyResult<()> {
        failure::check(py, self.code(py, call)?)
    }

    /// Length of a value, or none.
    fn length(&self, py: Python<'_>, key: &Key<'_>) -> PyResult<Option<u64>> {
        let (key, bytes) = key.parts();
        let (mut length, mut found) = (0, false);
        let (to, flag) = (&mut length, &mut found);
        // SAFETY: key and results live through the call.
        self.call(py, |f, cache| unsafe { (f.mfx_cache_size)(cache, pointer(key), bytes, to, flag) })?;
        Ok(found.then_some(length))
    }

    /// Copies a value to so many bytes at an address: the code, and the length or none.
    fn fill(
        &self,
        py: Python<'_>,
        key: &Key<'_>,
        address: usize,
        capacity: u64,
    ) -> PyResult<(i32, Option<u64>)> {
        let (key, bytes) = key.parts();
        let (mut length, mut found) = (0, false);
        let (to, flag) = (&mut length, &mut found);
        let code = self.code(py, |f, cache| {
            let buffer = std::ptr::with_exposed_provenance_mut(address);
            // SAFETY: key, buffer and results live through the call; the caller vouches for the buffer.
            unsafe { (f.mfx_cache_get)(cache, pointer(key), bytes, buffer, capacity, to, flag) }
        })?;
        Ok((code, found.then_some(length)))
    }

    fn end(&self) {
        let handle = self.handle.swap(0, Ordering::AcqRel);
        if handle != 0 && !self.made.is_inherited() {
            let functions = self.functions;
            let close = move || {
                // SAFETY: the library checks handles itself.
                unsafe { (functions.mfx_cache_close)(std::ptr::with_exposed_provenance_mut(handle)) };
            };
            Python::attach(|py| py.detach(close));
        }
    }
}

impl Drop for CacheSession {
    fn drop(&mut self) {
        self.end();
    }
}

/// A lease to be filled.
fn unheld() -> CacheLease {
    CacheLease { address: std::ptr::null(), bytes: 0, until_ms: 0, place: 0, state: 0, stamp: 0 }
}

fn pointer(address: usize) -> *const c_void {
    std::ptr::with_exposed_provenance(address)
}

/// Options of a put for C.
fn how(replicas: u32, replace: bool, pin: bool, prefer: Option<u32>) -> CachePut {
    let keep = if replace { 0 } else { MFX_CACHE_KEEP };
    let preferred = if prefer.is_some() { MFX_CACHE_PREFER } else { 0 };
    let flags = keep | preferred | if pin { MFX_CACHE_PIN } else { 0 };
    CachePut { replicas, flags, preferred: prefer.unwrap_or(0) }
}

/// Checks that two lists are equally long.
fn same_length(py: Python<'_>, one: (&str, usize), other: (&str, usize)) -> PyResult<()> {
    if one.1 == other.1 {
        return Ok(());
    }
    let text = format!("cache: there are {} {} and {} {}", one.1, one.0, other.1, other.0);
    Err(failure::exception(py, SMEM_INVALID_PARAM, &text))
}

/// A new bytes object of so many bytes, which are still to be written, and their address.
fn unwritten(py: Python<'_>, length: u64) -> PyResult<(Bound<'_, PyBytes>, usize)> {
    let size = ffi::Py_ssize_t::try_from(length).unwrap_or(ffi::Py_ssize_t::MAX);
    // SAFETY: null stands for bytes that are written later; the GIL is held.
    let object = unsafe { ffi::PyBytes_FromStringAndSize(std::ptr::null(), size) };
    // SAFETY: a new reference, or null with an exception.
    let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    let object = object.cast_into::<PyBytes>()?;
    // SAFETY: a bytes object, which lives.
    let place = unsafe { ffi::PyBytes_AsString(object.as_ptr()) };
    Ok((object, place.expose_provenance()))
}

/// The first bytes of an object, which is itself where there are no more.
fn first<'py>(py: Python<'py>, object: Bound<'py, PyBytes>, length: u64) -> Bound<'py, PyBytes> {
    let all = object.as_bytes();
    match usize::try_from(length).ok().and_then(|length| all.get(..length)) {
        Some(part) if part.len() < all.len() => PyBytes::new(py, part),
        _ => object,
    }
}

#[pymethods]
impl CacheSession {
    /// Opens a cache in a pool that has been joined.
    #[new]
    #[pyo3(signature = (pool, replicas, index_entries, read_lease_ms, guest, name, disk, disk_bytes, disk_reused))]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn new(
        py: Python<'_>,
        pool: &BigMemory,
        replicas: u32,
        index_entries: u64,
        read_lease_ms: u64,
        guest: bool,
        name: Option<&str>,
        disk: Option<&str>,
        disk_bytes: u64,
        disk_reused: Option<bool>,
    ) -> PyResult<Self> {
        let functions = functions()?;
        let name = name.map(CString::new).transpose();
        let name = name.map_err(|_| PyValueError::new_err("a name has no zero byte"))?;
        let disk = disk.map(CString::new).transpose();
        let disk = disk.map_err(|_| PyValueError::new_err("a folder has no zero byte"))?;
        let admission = match disk_reused {
            None => 0,
            Some(true) => MFX_CACHE_DISK_REUSED,
            Some(false) => MFX_CACHE_DISK_ALL,
        };
        let pool = pool.memory.handle().expose_provenance();
        let handle = interrupts::handle(py, || {
            let pool = std::ptr::with_exposed_provenance_mut(pool);
            let config = CacheConfig {
                // The size of a small struct.
                #[expect(clippy::cast_possible_truncation, reason = "56")]
                struct_bytes: size_of::<CacheConfig>() as u32,
                replicas,
                index_entries,
                read_lease_ms,
                flags: admission | if guest { MFX_CACHE_GUEST } else { 0 },
                reserved: 0,
                name: name.as_ref().map_or(std::ptr::null(), |name| name.as_ptr()),
                disk: disk.as_ref().map_or(std::ptr::null(), |disk| disk.as_ptr()),
                disk_bytes,
            };
            // SAFETY: the configuration lives through the call; the library checks the pool.
            unsafe { (functions.mfx_cache_open)(pool, &raw const config) }.expose_provenance()
        })?;
        if handle == 0 {
            return Err(failure::of_last(py));
        }
        Ok(Self { functions, handle: AtomicUsize::new(handle), made: Generation::now() })
    }

    fn close(&self) {
        self.end();
    }

    /// Closes it after values in memory were moved to disk. Returns their number.
    fn close_saving(&self, py: Python<'_>, limit_ms: u64) -> PyResult<u64> {
        let handle = self.handle.swap(0, Ordering::AcqRel);
        if handle == 0 || self.made.is_inherited() {
            return Ok(0);
        }
        let (mut saved, functions) = (0, self.functions);
        let to = &mut saved;
        let code = py.detach(move || {
            let handle = std::ptr::with_exposed_provenance_mut(handle);
            // SAFETY: the library checks handles itself; the result lives through the call.
            unsafe { (functions.mfx_cache_close_saving)(handle, limit_ms, to, std::ptr::null_mut()) }
        });
        failure::check(py, code)?;
        Ok(saved)
    }

    #[getter]
    fn closed(&self) -> bool {
        self.handle.load(Ordering::Acquire) == 0
    }

    #[pyo3(signature = (key, value, replicas, replace, pin, prefer))]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn put(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        replicas: u32,
        replace: bool,
        pin: bool,
        prefer: Option<u32>,
    ) -> PyResult<bool> {
        let key = Key::of(key)?;
        let (key, key_bytes) = key.parts();
        let value = Pin::new(value, Access::Read)?;
        let (address, bytes) = (value.address, value.bytes as u64);
        let how = how(replicas, replace, pin, prefer);
        let mut stored = false;
        let flag = &mut stored;
        self.call(py, |f, cache| {
            let (key, value) = (pointer(key), pointer(address));
            // SAFETY: key, value and results live through the call.
            unsafe { (f.mfx_cache_put)(cache, key, key_bytes, value, bytes, &raw const how, flag) }
        })?;
        Ok(stored)
    }

    fn get<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let key = Key::of(key)?;
        for _ in 0..GROWTHS {
            let Some(length) = self.length(py, &key)? else { return Ok(None) };
            let (object, address) = unwritten(py, length)?;
            match self.fill(py, &key, address, length)? {
                (0, found) => return Ok(found.map(|length| first(py, object, length))),
                // A longer value has taken its place.
                (SMEM_INVALID_PARAM, _) => {}
                (code, _) => return Err(failure::last(py, code)),
            }
        }
        Err(failure::of_last(py))
    }

    fn get_into(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<Option<u64>> {
        let key = Key::of(key)?;
        let out = Pin::new(out, Access::Write)?;
        let (code, found) = self.fill(py, &key, out.address, out.bytes as u64)?;
        failure::check(py, code)?;
        Ok(found)
    }

    fn exists(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let key = Key::of(key)?;
        let (key, bytes) = key.parts();
        let mut found = false;
        let flag = &mut found;
        // SAFETY: key and result live through the call.
        self.call(py, |f, cache| unsafe { (f.mfx_cache_exists)(cache, pointer(key), bytes, flag) })?;
        Ok(found)
    }

    fn size_of(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        self.length(py, &Key::of(key)?)
    }

    fn remove(&self, py: Python<'_>, key: &Bound<'_, PyAny>, unless_leased: bool) -> PyResult<bool> {
        let key = Key::of(key)?;
        let (key, bytes) = key.parts();
        let mut found = false;
        let flag = &mut found;
        self.call(py, |f, cache| {
            let remove = if unless_leased { f.mfx_cache_remove_unleased } else { f.mfx_cache_remove };
            // SAFETY: key and result live through the call.
            unsafe { remove(cache, pointer(key), bytes, flag) }
        })?;
        Ok(found)
    }

    fn pin(&self, py: Python<'_>, key: &Bound<'_, PyAny>, pinned: bool) -> PyResult<bool> {
        let key = Key::of(key)?;
        let (key, bytes) = key.parts();
        let mut found = false;
        let flag = &mut found;
        // SAFETY: key and result live through the call.
        self.call(py, |f, cache| unsafe { (f.mfx_cache_pin)(cache, pointer(key), bytes, pinned, flag) })?;
        Ok(found)
    }

    /// Address (0: none here) and length.
    fn lease(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        for_ms: u64,
    ) -> PyResult<Option<(usize, u64, Held)>> {
        let key = Key::of(key)?;
        let (key, bytes) = key.parts();
        let mut lease = (0, 0, (0, 0, 0, 0));
        let mut found = false;
        let (taken, flag) = (&mut lease, &mut found);
        self.call(py, |f, cache| {
            let mut native = unheld();
            // SAFETY: key and results live through the call.
            let code =
                unsafe { (f.mfx_cache_lease)(cache, pointer(key), bytes, for_ms, &raw mut native, flag) };
            let CacheLease { address, bytes, until_ms, place, state, stamp } = native;
            *taken = (address.addr(), bytes, (until_ms, place, state, stamp));
            code
        })?;
        Ok(found.then_some(lease))
    }

    /// True if the bytes of a lease still belong to its value.
    fn lease_valid(&self, py: Python<'_>, held: Held) -> PyResult<bool> {
        let (until_ms, place, state, stamp) = held;
        let mut valid = false;
        let to = &mut valid;
        self.call(py, |f, cache| {
            let lease = CacheLease { until_ms, place, state, stamp, ..unheld() };
            // SAFETY: lease and result live through the call.
            unsafe { (f.mfx_cache_lease_valid)(cache, &raw const lease, to) }
        })?;
        Ok(valid)
    }

    /// Returns the number of removed values.
    fn clear(&self, py: Python<'_>, unless_leased: bool) -> PyResult<u64> {
        let mut removed = 0;
        let to = &mut removed;
        self.call(py, |f, cache| {
            let clear = if unless_leased { f.mfx_cache_clear_unleased } else { f.mfx_cache_clear };
            // SAFETY: the result lives through the call.
            unsafe { clear(cache, to) }
        })?;
        Ok(removed)
    }

    /// Some keys, and where the next call goes on.
    fn keys<'py>(&self, py: Python<'py>, start: u64) -> PyResult<(Vec<Bound<'py, PyBytes>>, u64)> {
        let (mut next, mut count) = (start, 0);
        let (mut room, mut lengths) = (vec![0u8; KEYS_BYTES], vec![0u64; KEYS as usize]);
        let (at, to, sizes, number) = (&mut next, &mut room, &mut lengths, &mut count);
        self.call(py, |f, cache| {
            *at = start;
            let (keys, sizes) = (to.as_mut_ptr().cast(), sizes.as_mut_ptr());
            // SAFETY: room and results live through the call, and have as many bytes and entries.
            unsafe { (f.mfx_cache_keys)(cache, at, keys, KEYS_BYTES as u64, sizes, KEYS, number) }
        })?;
        let (mut keys, mut rest) = (Vec::with_capacity(count as usize), &room[..]);
        for length in lengths.iter().take(count as usize) {
            let length = usize::try_from(*length).unwrap_or(usize::MAX);
            let Some((key, others)) = rest.split_at_checked(length) else { break };
            keys.push(PyBytes::new(py, key));
            rest = others;
        }
        Ok((keys, next))
    }

    fn stats(&self, py: Python<'_>) -> PyResult<[u64; 10]> {
        let mut stats = CacheStats::default();
        let to = &mut stats;
        // SAFETY: the result lives through the call.
        self.call(py, |f, cache| unsafe { (f.mfx_cache_stats)(cache, to) })?;
        Ok([
            stats.members,
            stats.capacity_bytes,
            stats.managed_bytes,
            stats.free_bytes,
            stats.hits,
            stats.misses,
            stats.puts,
            stats.removals,
            stats.evictions,
            stats.replicas_missing,
        ])
    }

    /// Returns figures of the tier on disk, and whether it is off; `None` without one.
    fn disk_stats(&self, py: Python<'_>) -> PyResult<Option<([u64; 12], bool)>> {
        // The size of a small struct.
        #[expect(clippy::cast_possible_truncation, reason = "104")]
        let struct_bytes = size_of::<CacheDiskStats>() as u32;
        let mut stats = CacheDiskStats { struct_bytes, ..CacheDiskStats::default() };
        let mut found = false;
        let (to, flag) = (&mut stats, &mut found);
        // SAFETY: the results live through the call.
        self.call(py, |f, cache| unsafe { (f.mfx_cache_disk_stats)(cache, to, flag) })?;
        let figures = [
            stats.capacity_bytes,
            stats.bytes,
            stats.values,
            stats.hits,
            stats.admissions,
            stats.drops,
            stats.lost,
            stats.demotions,
            stats.promotions,
            stats.queue_bytes,
            stats.written_bytes,
            stats.faults,
        ];
        Ok(found.then_some((figures, stats.off != 0)))
    }
}
