// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `_mf_smem.StoreSession`: a membership in a config store, on top of which `mf_smem.Store` is written in
//! Python.
//!
//! Every method lets other Python threads run while it waits, and Ctrl-C ends its wait
//! ([`crate::interrupts`]).

mod collect;

use std::ffi::{CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mf_abi::smem::{ABSENT, SMEM_ERROR, SMEM_NOT_INIT, StoreHandle, StoreMember, StoreOptions};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::failure::Family;
use crate::fork::Generation;
use crate::library::{Functions, functions};
use crate::lock::lock;
use crate::{callbacks, failure, interrupts, number};
pub(crate) use collect::copied;
use collect::{FoundEntry, Part, Peer, take_entry, take_part, take_peer};

const FAMILY: Family = Family { name: "store", remedy: "connect again" };

/// A membership in a config store, or a guest of it. Use mf_smem.Store.
#[pyclass(frozen, module = "mf_smem._mf_smem")]
pub(crate) struct StoreSession {
    functions: &'static Functions,
    /// 0 once closed.
    handle: AtomicUsize,
    made: Generation,
    /// Numbers of watches, and of their Python callbacks.
    watches: Mutex<Vec<(u64, usize)>>,
}

/// An entry as Python sees it: key, value, revision, owner.
type PyEntry<'py> = (String, Bound<'py, PyBytes>, u64, Option<i64>);

impl StoreSession {
    fn handle(&self, py: Python<'_>) -> PyResult<usize> {
        if self.made.is_inherited() {
            return Err(FAMILY.failure(py, self.made, SMEM_NOT_INIT));
        }
        match self.handle.load(Ordering::Acquire) {
            0 => Err(failure::exception(py, SMEM_NOT_INIT, "store: this object is closed")),
            handle => Ok(handle),
        }
    }

    /// Runs `call` with the handle and without the GIL.
    fn call(
        &self,
        py: Python<'_>,
        mut call: impl FnMut(&'static Functions, StoreHandle) -> i32 + Send,
    ) -> PyResult<()> {
        let handle = self.handle(py)?;
        let functions = self.functions;
        let code = interrupts::code(py, || call(functions, std::ptr::with_exposed_provenance_mut(handle)))?;
        failure::check(py, code)
    }

    /// `call` for a wait, which gets the milliseconds that are left: it may be made again when handlers of
    /// signals have run.
    fn timed(
        &self,
        py: Python<'_>,
        timeout_ms: u32,
        mut call: impl FnMut(&'static Functions, StoreHandle, u32) -> i32 + Send,
    ) -> PyResult<()> {
        let end = Instant::now() + Duration::from_millis(u64::from(timeout_ms));
        self.call(py, |f, handle| {
            let left = end.saturating_duration_since(Instant::now()).as_millis();
            // 0 would mean "do not wait", unlike an expired wait.
            let left = u32::try_from(left).unwrap_or(u32::MAX).max(u32::from(timeout_ms > 0));
            call(f, handle, left)
        })
    }

    /// Keeps `callback` and hands its number to `begin`, which sets the watch up.
    fn begin_watch(
        &self,
        py: Python<'_>,
        callback: Py<PyAny>,
        mut begin: impl FnMut(&'static Functions, StoreHandle, *mut c_void, *mut u64) -> i32 + Send,
    ) -> PyResult<u64> {
        let kept = callbacks::add_handler(callback);
        let mut watch = 0u64;
        let place = &mut watch;
        let begun = self.call(py, move |f, handle| {
            begin(f, handle, std::ptr::without_provenance_mut(kept), std::ptr::from_mut(place))
        });
        match begun {
            Ok(()) => {
                lock(&self.watches).push((watch, kept));
                Ok(watch)
            }
            Err(error) => {
                callbacks::remove_handler(kept);
                Err(error)
            }
        }
    }

    fn end(&self) {
        let handle = self.handle.swap(0, Ordering::AcqRel);
        if handle != 0 && !self.made.is_inherited() {
            let functions = self.functions;
            let close = move || {
                // SAFETY: the library checks handles itself.
                unsafe { (functions.mfx_store_close)(std::ptr::with_exposed_provenance_mut(handle)) };
            };
            // Closing waits for callbacks, which may want the GIL.
            Python::attach(|py| py.detach(close));
        }
        let watches = std::mem::take(&mut *lock(&self.watches));
        for (_, kept) in watches {
            callbacks::remove_handler(kept);
        }
    }
}

impl Drop for StoreSession {
    fn drop(&mut self) {
        self.end();
    }
}

/// A key or name for C.
fn text(py: Python<'_>, text: &str) -> PyResult<CString> {
    failure::c_text(py, "store: the text", text)
}

fn shown<'py>(py: Python<'py>, entry: FoundEntry) -> PyEntry<'py> {
    let owner = (entry.owner >= 0).then_some(entry.owner);
    (entry.key, PyBytes::new(py, &entry.value), entry.revision, owner)
}

#[pymethods]
#[expect(clippy::needless_pass_by_value, reason = "the conversion from Python gives owned values")]
impl StoreSession {
    #[new]
    #[pyo3(signature = (url, world_size, wish, rank, device_id, flags, connect_timeout_ms, request_timeout_ms, secret, tls_info, plaintext))]
    #[expect(clippy::too_many_arguments, reason = "the fields of the struct")]
    fn new(
        py: Python<'_>,
        url: &str,
        #[pyo3(from_py_with = number::word)] world_size: u32,
        #[pyo3(from_py_with = number::word)] wish: u32,
        #[pyo3(from_py_with = number::word)] rank: u32,
        #[pyo3(from_py_with = number::word)] device_id: u32,
        #[pyo3(from_py_with = number::word)] flags: u32,
        #[pyo3(from_py_with = number::word)] connect_timeout_ms: u32,
        #[pyo3(from_py_with = number::word)] request_timeout_ms: u32,
        secret: Option<Vec<u8>>,
        tls_info: Option<&str>,
        plaintext: bool,
    ) -> PyResult<Self> {
        let functions = functions()?;
        let url = text(py, url)?;
        let tls_info = tls_info.map(|info| text(py, info)).transpose()?;
        let handle = interrupts::handle(py, || {
            let mut options = MaybeUninit::<StoreOptions>::uninit();
            // SAFETY: the options live through the call, which fills them.
            let code = unsafe { (functions.mfx_store_options_init)(options.as_mut_ptr()) };
            if code != 0 {
                return 0;
            }
            // SAFETY: filled above.
            let mut options = unsafe { options.assume_init() };
            options.world_size = world_size;
            options.wish = wish;
            options.rank = rank;
            options.device_id = device_id;
            options.flags = flags;
            options.connect_timeout_ms = connect_timeout_ms;
            options.request_timeout_ms = request_timeout_ms;
            if let Some(secret) = &secret {
                options.secret = secret.as_ptr().cast();
                options.secret_bytes = secret.len() as u64;
            }
            if let Some(info) = &tls_info {
                options.tls_info = info.as_ptr();
            }
            options.plaintext = u32::from(plaintext);
            // SAFETY: the URL, the options and their targets live through the call.
            unsafe { (functions.mfx_store_connect)(url.as_ptr(), &raw const options) }.expose_provenance()
        })?;
        if handle == 0 {
            return Err(failure::of_last(py));
        }
        Ok(Self {
            functions,
            handle: AtomicUsize::new(handle),
            made: Generation::now(),
            watches: Mutex::default(),
        })
    }

    fn close(&self) {
        self.end();
    }

    #[getter]
    fn closed(&self) -> bool {
        self.handle.load(Ordering::Acquire) == 0
    }

    /// Rank (None for guests), world size, session, term, whether connected, whether the leader is here.
    fn member(&self, py: Python<'_>) -> PyResult<(Option<u32>, u32, u64, u64, bool, bool)> {
        let mut member = StoreMember::default();
        let place = &mut member;
        // SAFETY: the library checks the handle and writes one struct.
        self.call(py, move |f, handle| unsafe { (f.mfx_store_member)(handle, place) })?;
        let rank = (member.rank != u32::MAX).then_some(member.rank);
        let StoreMember { world_size, session, term, connected, is_leader, .. } = member;
        Ok((rank, world_size, session, term, connected != 0, is_leader != 0))
    }

    /// Term and place of the leader.
    fn leader(&self, py: Python<'_>) -> PyResult<(u64, String)> {
        let mut term = 0u64;
        let mut place = [0u8; 512];
        let (to_term, to_place) = (&mut term, &mut place);
        self.call(py, move |f, handle| {
            let room = to_place.len() as u64;
            // SAFETY: the library checks the handle and writes at most the room's length.
            unsafe { (f.mfx_store_leader)(handle, to_term, to_place.as_mut_ptr().cast::<c_char>(), room) }
        })?;
        let end = place.iter().position(|byte| *byte == 0).unwrap_or(place.len());
        Ok((term, String::from_utf8_lossy(place.get(..end).unwrap_or_default()).into_owned()))
    }

    #[pyo3(signature = (key, value, lifetime=0, lease=0))]
    fn set(&self, py: Python<'_>, key: &str, value: &[u8], lifetime: u32, lease: u64) -> PyResult<u64> {
        let key = text(py, key)?;
        let mut revision = 0u64;
        let place = &mut revision;
        self.call(py, |f, handle| {
            let (bytes, len) = (value.as_ptr().cast(), value.len() as u64);
            // SAFETY: key and value live through the call; the length is the value's.
            unsafe { (f.mfx_store_set_with)(handle, key.as_ptr(), bytes, len, lifetime, lease, place) }
        })?;
        Ok(revision)
    }

    /// Waits up to `timeout_ms` for the key.
    fn get<'py>(&self, py: Python<'py>, key: &str, timeout_ms: u32) -> PyResult<PyEntry<'py>> {
        let name = text(py, key)?;
        let mut found: Vec<FoundEntry> = Vec::new();
        let place = &mut found;
        self.timed(py, timeout_ms, |f, handle, left| {
            let context = std::ptr::from_mut(&mut *place).cast();
            // SAFETY: the key and the vector live through the call, and nothing else uses the vector
            // meanwhile.
            unsafe { (f.mfx_store_get_entry)(handle, name.as_ptr(), left, Some(take_entry), context) }
        })?;
        match found.pop() {
            Some(entry) => Ok(shown(py, entry)),
            None => Err(failure::exception(py, SMEM_ERROR, "store get: the library gave no entry")),
        }
    }

    /// Waits up to `timeout_ms` for all keys.
    fn wait(&self, py: Python<'_>, keys: Vec<String>, timeout_ms: u32) -> PyResult<()> {
        let names = keys.iter().map(|key| text(py, key)).collect::<PyResult<Vec<_>>>()?;
        self.timed(py, timeout_ms, |f, handle, left| {
            let pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
            // SAFETY: the names and the list live through the call; the count is the list's.
            unsafe { (f.mfx_store_wait)(handle, pointers.as_ptr(), pointers.len() as u64, left) }
        })
    }

    fn add(&self, py: Python<'_>, key: &str, delta: i64) -> PyResult<i64> {
        let key = text(py, key)?;
        let mut sum = 0i64;
        let place = &mut sum;
        // SAFETY: the key lives through the call, which writes one number.
        self.call(py, |f, handle| unsafe { (f.mfx_store_add)(handle, key.as_ptr(), delta, place) })?;
        Ok(sum)
    }

    fn append(&self, py: Python<'_>, key: &str, value: &[u8]) -> PyResult<u64> {
        let key = text(py, key)?;
        let mut length = 0u64;
        let place = &mut length;
        self.call(py, |f, handle| {
            let (bytes, len) = (value.as_ptr().cast(), value.len() as u64);
            // SAFETY: key and value live through the call; the length is the value's.
            unsafe { (f.mfx_store_append)(handle, key.as_ptr(), bytes, len, place) }
        })?;
        Ok(length)
    }

    /// Returns if it was set, and the value after the call. `expected` None: the key must be absent.
    #[pyo3(signature = (key, expected, value, lifetime=0, lease=0))]
    fn compare_and_swap<'py>(
        &self,
        py: Python<'py>,
        key: &str,
        expected: Option<&[u8]>,
        value: &[u8],
        lifetime: u32,
        lease: u64,
    ) -> PyResult<(bool, Option<PyEntry<'py>>)> {
        let key = text(py, key)?;
        let mut swapped = false;
        let mut found: Vec<FoundEntry> = Vec::new();
        let (to_swapped, to_found) = (&mut swapped, &mut found);
        self.call(py, |f, handle| {
            let (old, old_len) = expected.map_or((std::ptr::null(), ABSENT), |bytes| {
                (bytes.as_ptr().cast::<c_void>(), bytes.len() as u64)
            });
            let context = std::ptr::from_mut(to_found).cast();
            let (new, new_len) = (value.as_ptr().cast(), value.len() as u64);
            // SAFETY: all pointed-to memory lives through the call; the lengths match the values.
            unsafe {
                (f.mfx_store_compare_and_swap)(
                    handle,
                    key.as_ptr(),
                    old,
                    old_len,
                    new,
                    new_len,
                    lifetime,
                    lease,
                    to_swapped,
                    Some(take_entry),
                    context,
                )
            }
        })?;
        Ok((swapped, found.pop().map(|entry| shown(py, entry))))
    }

    fn delete(&self, py: Python<'_>, key: &str) -> PyResult<bool> {
        let key = text(py, key)?;
        let mut existed = false;
        let place = &mut existed;
        // SAFETY: the key lives through the call, which writes one bool.
        self.call(py, |f, handle| unsafe { (f.mfx_store_delete)(handle, key.as_ptr(), place) })?;
        Ok(existed)
    }

    /// Entries with `prefix`, after key `after`, at most `limit` (0: all).
    #[pyo3(signature = (prefix, after, limit))]
    fn list<'py>(
        &self,
        py: Python<'py>,
        prefix: &str,
        after: Option<&str>,
        limit: u32,
    ) -> PyResult<Vec<PyEntry<'py>>> {
        let prefix = text(py, prefix)?;
        let after = after.map(|after| text(py, after)).transpose()?;
        let mut found: Vec<FoundEntry> = Vec::new();
        let place = &mut found;
        self.call(py, |f, handle| {
            let after = after.as_ref().map_or(std::ptr::null(), |after| after.as_ptr());
            let context = std::ptr::from_mut(place).cast();
            // SAFETY: the texts and the vector live through the call, and nothing else uses the vector
            // meanwhile.
            unsafe { (f.mfx_store_list)(handle, prefix.as_ptr(), after, limit, Some(take_entry), context) }
        })?;
        Ok(found.into_iter().map(|entry| shown(py, entry)).collect())
    }

    /// Has `callback(kind, key, value, revision, owner)` called for changes; returns the number for
    /// `unwatch`.
    fn watch(&self, py: Python<'_>, prefix: &str, exact: bool, callback: Py<PyAny>) -> PyResult<u64> {
        let prefix = text(py, prefix)?;
        self.begin_watch(py, callback, move |f, handle, context, watch| {
            let exact = u32::from(exact);
            // SAFETY: the text lives through the call; the callback is ours and finds its object by number.
            unsafe {
                (f.mfx_store_watch)(
                    handle,
                    prefix.as_ptr(),
                    exact,
                    Some(callbacks::store_change),
                    context,
                    watch,
                )
            }
        })
    }

    /// Has `callback(kind, rank, host, pid, session, epoch)` called for changes of the membership.
    fn watch_members(&self, py: Python<'_>, callback: Py<PyAny>) -> PyResult<u64> {
        self.begin_watch(py, callback, move |f, handle, context, watch| {
            // SAFETY: the callback is ours and finds its object by number.
            unsafe { (f.mfx_store_watch_members)(handle, Some(callbacks::members_change), context, watch) }
        })
    }

    fn unwatch(&self, py: Python<'_>, watch: u64) -> PyResult<()> {
        // SAFETY: the library checks handle and number.
        let ended = self.call(py, |f, handle| unsafe { (f.mfx_store_unwatch)(handle, watch) });
        let kept = {
            let mut watches = lock(&self.watches);
            let place = watches.iter().position(|(known, _)| *known == watch);
            place.map(|place| watches.swap_remove(place).1)
        };
        callbacks::remove_handler(kept.unwrap_or(0));
        ended
    }

    /// Takes a lock and returns its fencing number; 0 does not wait.
    fn lock(&self, py: Python<'_>, name: &str, timeout_ms: u32) -> PyResult<u64> {
        let name = text(py, name)?;
        let mut fencing = 0u64;
        let place = &mut fencing;
        // SAFETY: the name lives through the call, which writes one number.
        self.timed(py, timeout_ms, |f, handle, left| unsafe {
            (f.mfx_store_lock)(handle, name.as_ptr(), left, &raw mut *place)
        })?;
        Ok(fencing)
    }

    fn unlock(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let name = text(py, name)?;
        // SAFETY: the name lives through the call.
        self.call(py, |f, handle| unsafe { (f.mfx_store_unlock)(handle, name.as_ptr()) })
    }

    fn lease_grant(&self, py: Python<'_>, ttl_ms: u64) -> PyResult<u64> {
        let mut lease = 0u64;
        let place = &mut lease;
        // SAFETY: the call writes one number.
        self.call(py, |f, handle| unsafe { (f.mfx_store_lease_grant)(handle, ttl_ms, place) })?;
        Ok(lease)
    }

    fn lease_renew(&self, py: Python<'_>, lease: u64) -> PyResult<()> {
        // SAFETY: the library checks handle and number.
        self.call(py, |f, handle| unsafe { (f.mfx_store_lease_renew)(handle, lease) })
    }

    fn lease_revoke(&self, py: Python<'_>, lease: u64) -> PyResult<()> {
        // SAFETY: the library checks handle and number.
        self.call(py, |f, handle| unsafe { (f.mfx_store_lease_revoke)(handle, lease) })
    }

    fn barrier(&self, py: Python<'_>, name: &str, members: u32, timeout_ms: u32) -> PyResult<()> {
        let name = text(py, name)?;
        self.timed(py, timeout_ms, |f, handle, left| {
            // SAFETY: the name lives through the call.
            unsafe { (f.mfx_store_barrier)(handle, name.as_ptr(), members, left) }
        })
    }

    /// The values of all, as (rank, value), ordered by rank.
    fn allgather<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        members: u32,
        value: &[u8],
        timeout_ms: u32,
    ) -> PyResult<Vec<(u32, Bound<'py, PyBytes>)>> {
        let name = text(py, name)?;
        let mut parts: Vec<Part> = Vec::new();
        let place = &mut parts;
        self.timed(py, timeout_ms, |f, handle, left| {
            let context = std::ptr::from_mut(place).cast();
            let (bytes, len) = (value.as_ptr().cast(), value.len() as u64);
            // SAFETY: name, value and vector live through the call; the length is the value's.
            unsafe {
                (f.mfx_store_allgather)(
                    handle,
                    name.as_ptr(),
                    members,
                    bytes,
                    len,
                    left,
                    Some(take_part),
                    context,
                )
            }
        })?;
        Ok(parts.into_iter().map(|(rank, value)| (rank, PyBytes::new(py, &value))).collect())
    }

    /// The epoch, and the members as (rank, host, pid, device, session).
    fn members<'py>(&self, py: Python<'py>) -> PyResult<(u64, Vec<Bound<'py, PyTuple>>)> {
        let mut peers: Vec<Peer> = Vec::new();
        let mut epoch = 0u64;
        let (place, to_epoch) = (&mut peers, &mut epoch);
        self.call(py, |f, handle| {
            let context = std::ptr::from_mut(place).cast();
            // SAFETY: the vector and the number live through the call.
            unsafe { (f.mfx_store_members)(handle, Some(take_peer), context, to_epoch) }
        })?;
        let peers = peers
            .into_iter()
            .map(|peer| (peer.rank, peer.host, peer.pid, peer.device_id, peer.session).into_pyobject(py));
        Ok((epoch, peers.collect::<PyResult<_>>()?))
    }
}
