// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Python functions that the library calls: the logger, the decrypter, alarms, and handlers of events and
//! changes.
//!
//! The library keeps a pointer to a function of ours and, for events, a number. The Python objects stay in
//! tables on this side, so that a call that comes late, after a handler was replaced or its pool destroyed,
//! finds nothing and returns.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mf_abi::smem::{BmHandle, StoreEntry, StorePeer};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;

use crate::evaluation::Evaluate as _;
use crate::lock::lock;
use crate::store::copied;
use crate::{failure, gate};

// The locks are only taken with the GIL held, are held for a few instructions, and never while Python code
// runs.
static LOGGER: Mutex<Option<Py<PyAny>>> = Mutex::new(None);
static HANDLERS: Mutex<Option<HashMap<usize, Py<PyAny>>>> = Mutex::new(None);
static DECRYPTER: Mutex<Option<Py<PyAny>>> = Mutex::new(None);
static ALARMS: Mutex<Option<(Py<PyAny>, Py<PyAny>)>> = Mutex::new(None);
static NEXT: AtomicUsize = AtomicUsize::new(1);
static EVENT_TYPE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Installs `logger`, a callable of (level, text), for [`log_line`]; returns the one before.
pub(crate) fn set_logger(logger: Option<Py<PyAny>>) -> Option<Py<PyAny>> {
    std::mem::replace(&mut *lock(&LOGGER), logger)
}

/// Hands a line of the library's log to the installed logger. May be called by any thread.
pub(crate) extern "C-unwind" fn log_line(level: c_int, text: *const c_char) {
    let text = failure::owned(text);
    gate::enter(|py| {
        let logger = lock(&LOGGER).as_ref().map(|logger| logger.clone_ref(py));
        match logger {
            Some(logger) => logger.bind(py).evaluate((level, text)).map(drop),
            None => Ok(()),
        }
    });
}

/// Keeps `handler` and returns the number under which the functions below find it.
pub(crate) fn add_handler(handler: Py<PyAny>) -> usize {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    lock(&HANDLERS).get_or_insert_default().insert(number, handler);
    number
}

/// Forgets the handler; number 0 is ignored.
pub(crate) fn remove_handler(number: usize) {
    let removed = lock(&HANDLERS).as_mut().and_then(|handlers| handlers.remove(&number));
    // Dropped here, without the lock: the destructor of the callable may run any Python code.
    drop(removed);
}

/// The handler of a number.
fn handler(py: Python<'_>, context: *mut c_void) -> Option<Py<PyAny>> {
    let handlers = lock(&HANDLERS);
    handlers.as_ref().and_then(|handlers| handlers.get(&context.addr()).map(|handler| handler.clone_ref(py)))
}

/// Runs `body` with handler number `context`, if it exists. May be called by any thread.
pub(crate) fn call(context: *mut c_void, body: impl FnOnce(Python<'_>, Py<PyAny>) -> PyResult<()>) {
    gate::enter(|py| handler(py, context).map_or(Ok(()), |handler| body(py, handler)));
}

/// Passes a join or leave to handler number `context`: (rank, event). May be called by any thread.
pub(crate) extern "C-unwind" fn group_event(_handle: BmHandle, rank: u32, event: u32, context: *mut c_void) {
    gate::enter(|py| {
        let Some(handler) = handler(py, context) else { return Ok(()) };
        let event = EVENT_TYPE.import(py, "mf_smem._enums", "BmGroupEvent")?.evaluate((event,))?;
        handler.bind(py).evaluate((rank, event)).map(drop)
    });
}

/// Passes the end of all ranks to handler number `context`: (status). May be called by any thread.
pub(crate) extern "C-unwind" fn share_exit(status: c_int, context: *mut c_void) {
    gate::enter(|py| {
        let Some(handler) = handler(py, context) else { return Ok(()) };
        handler.bind(py).evaluate((status,)).map(drop)
    });
}

/// Passes a change of a key to handler number `context`: (kind, key, value, revision, owner). May be called
/// by any thread.
pub(crate) extern "C-unwind" fn store_change(kind: u32, entry: *const StoreEntry, context: *mut c_void) {
    gate::enter(|py| {
        let Some(handler) = handler(py, context) else { return Ok(()) };
        // SAFETY: null, or valid during the call.
        let Some(entry) = (unsafe { entry.as_ref() }) else {
            return handler.bind(py).evaluate((kind, py.None(), py.None(), 0u64, py.None())).map(drop);
        };
        // SAFETY: the library says how long the value is.
        let value = unsafe { copied(entry.value, entry.bytes) };
        let owner = (entry.owner >= 0).then_some(entry.owner);
        let key = failure::owned(entry.key);
        handler.bind(py).evaluate((kind, key, PyBytes::new(py, &value), entry.revision, owner)).map(drop)
    });
}

/// Passes a change of the membership to handler number `context`: (kind, rank, host, pid, device, session,
/// epoch). May be called by any thread.
pub(crate) extern "C-unwind" fn members_change(
    kind: u32,
    peer: *const StorePeer,
    epoch: u64,
    context: *mut c_void,
) {
    gate::enter(|py| {
        let Some(handler) = handler(py, context) else { return Ok(()) };
        // SAFETY: null, or valid during the call.
        let Some(peer) = (unsafe { peer.as_ref() }) else { return Ok(()) };
        let host = failure::owned(peer.host);
        handler
            .bind(py)
            .evaluate((kind, peer.rank, host, peer.pid, peer.device_id, peer.session, epoch))
            .map(drop)
    });
}

/// Installs `decrypter`, a callable of (cipher text) that gives the plain text, for [`decrypt`].
pub(crate) fn set_decrypter(decrypter: Option<Py<PyAny>>) -> Option<Py<PyAny>> {
    std::mem::replace(&mut *lock(&DECRYPTER), decrypter)
}

/// Has the installed decrypter make a password. May be called by any thread.
pub(crate) extern "C-unwind" fn decrypt(
    cipher: *const c_char,
    cipher_len: usize,
    plain: *mut c_char,
    plain_len: *mut usize,
) -> c_int {
    let mut code = -1;
    gate::enter(|py| {
        let decrypter = lock(&DECRYPTER).as_ref().map(|decrypter| decrypter.clone_ref(py));
        let Some(decrypter) = decrypter else { return Ok(()) };
        // SAFETY: the library says how long the cipher text is.
        let cipher = unsafe { copied(cipher.cast(), cipher_len as u64) };
        let cipher = String::from_utf8_lossy(&cipher).into_owned();
        let made = decrypter.bind(py).evaluate((cipher,))?;
        let bytes = match made.extract::<String>() {
            Ok(text) => text.into_bytes(),
            Err(_) => made.extract::<Vec<u8>>()?,
        };
        // SAFETY: the library passes a number that holds its room.
        let room = unsafe { plain_len.read() };
        if bytes.len() <= room {
            // SAFETY: the library passes `room` writable bytes, and the password fits.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), plain.cast::<u8>(), bytes.len()) };
            // SAFETY: the library passes a place for the length.
            unsafe { plain_len.write(bytes.len()) };
            code = 0;
        }
        Ok(())
    });
    code
}

/// Installs the callables of (code, text) and (code) for [`alarm`] and [`resume`].
pub(crate) fn set_alarms(alarms: Option<(Py<PyAny>, Py<PyAny>)>) -> Option<(Py<PyAny>, Py<PyAny>)> {
    std::mem::replace(&mut *lock(&ALARMS), alarms)
}

/// Reports that a fault has begun. May be called by any thread.
pub(crate) extern "C-unwind" fn alarm(code: u16, text: *const c_char) {
    let text = failure::owned(text);
    gate::enter(|py| {
        let alarm = lock(&ALARMS).as_ref().map(|(alarm, _)| alarm.clone_ref(py));
        alarm.map_or(Ok(()), |alarm| alarm.bind(py).evaluate((code, text)).map(drop))
    });
}

/// Reports that a fault is over. May be called by any thread.
pub(crate) extern "C-unwind" fn resume(code: u16) {
    gate::enter(|py| {
        let resume = lock(&ALARMS).as_ref().map(|(_, resume)| resume.clone_ref(py));
        resume.map_or(Ok(()), |resume| resume.bind(py).evaluate((code,)).map(drop))
    });
}
