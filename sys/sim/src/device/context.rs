// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contexts, and the current context of a thread.
//!
//! A context belongs to a device and owns streams. Each device has one *primary* context, made by the first
//! `aclrtSetDevice` and shared by all threads that call it; programs may make more. A thread keeps the
//! contexts it used last, so that looking up its device or switching to and fro touches nothing that other
//! threads touch. A destroyed context is marked as such, so that cached references notice; handles are never
//! reused.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use mf_base::sync::lock;

use super::Device;
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::stream::host_function::HostThread;
use crate::stream::{Options, Stream};

/// A context of a device.
pub struct Context {
    /// Its handle.
    pub handle: usize,
    /// Its device.
    pub device: Arc<Device>,
    is_primary: bool,
    is_gone: AtomicBool,
    default_stream: Mutex<Option<Arc<Stream>>>,
    /// Runs functions of the program for its streams.
    pub(crate) host: Arc<HostThread>,
}

impl Context {
    /// A new context with its default stream.
    ///
    /// # Errors
    /// 207008 if the device has no free streams.
    pub(super) fn create(device: &Arc<Device>, is_primary: bool) -> Outcome<Arc<Self>> {
        let contexts = &machine()?.devices.contexts;
        let (handle, context) = contexts.insert_with(|handle| Self {
            handle: handle.addr(),
            device: Arc::clone(device),
            is_primary,
            is_gone: AtomicBool::new(false),
            default_stream: Mutex::default(),
            host: Arc::default(),
        });
        match Stream::create(&context, Options::default(), true) {
            Ok(stream) => *lock(&context.default_stream) = Some(stream),
            Err(fault) => {
                contexts.remove(handle, fault.code)?;
                return Err(fault);
            }
        }
        Ok(context)
    }

    /// Its default stream.
    ///
    /// # Errors
    /// 107002 when the context was destroyed.
    pub fn default_stream(&self) -> Outcome<Arc<Stream>> {
        lock(&self.default_stream).clone().ok_or_else(destroyed)
    }

    /// Returns true if `aclrtSetDevice` created it.
    pub fn is_primary(&self) -> bool {
        self.is_primary
    }

    /// Returns true if it was destroyed, by itself or with its device.
    pub fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Acquire)
    }

    /// Fails if the context was destroyed, perhaps concurrently: an object just created for it would never be
    /// found again.
    ///
    /// # Errors
    /// 107002.
    pub fn check_alive(&self) -> Outcome {
        if self.is_gone() { Err(destroyed()) } else { Ok(()) }
    }

    /// Ends the context and its streams and cancels their tasks. Returns the streams, which may still be
    /// ending.
    pub(super) fn end(&self) -> Outcome<Vec<Arc<Stream>>> {
        let devices = &machine()?.devices;
        self.is_gone.store(true, Ordering::Release);
        lock(&self.default_stream).take();
        crate::kernel::binary::Binary::forget_context(self.handle);
        devices.contexts.remove_where(|context| context.handle == self.handle);
        let streams = devices.streams.remove_where(|stream| stream.context == self.handle);
        for stream in &streams {
            stream.kill(acl::STREAM_ABORT);
            devices.reports.forget(stream);
        }
        self.host.end();
        machine()?.memory.peers.forget(self.handle);
        Ok(streams)
    }
}

/// Contexts that a thread used last.
const KEPT: usize = 4;

struct OfThread {
    /// The first is the current one.
    kept: RefCell<[Option<Arc<Context>>; KEPT]>,
    /// The first entry is the current one. After its destruction it is not, but the other entries are still
    /// worth keeping.
    calls_back: Cell<bool>,
}

thread_local! {
    static THREAD: OfThread = const {
        OfThread { kept: RefCell::new([const { None }; KEPT]), calls_back: Cell::new(false) }
    };
}

/// Runs `look` on the context of the calling thread, which need not be copied for that.
///
/// # Errors
/// 107002 when it has none.
#[inline]
pub fn with_current<T>(look: impl FnOnce(&Arc<Context>) -> T) -> Outcome<T> {
    let found = THREAD.try_with(|thread| match &thread.kept.borrow()[0] {
        Some(context) if !context.is_gone() => Ok(look(context)),
        Some(_) => Err(destroyed()),
        None => Err(none()),
    });
    // A thread that is ending has none.
    found.unwrap_or_else(|_| Err(none()))
}

/// The context of the calling thread, to work with it.
///
/// # Errors
/// 107002 when it has none · 207000 inside a callback of a stream, where such calls may wait for themselves.
pub fn current() -> Outcome<Arc<Context>> {
    refuse_in_callback()?;
    with_current(Arc::clone)
}

#[cold]
fn none() -> Fault {
    Fault::new(acl::CONTEXT_NULL, "this thread has no device; call aclrtSetDevice first")
}

#[cold]
fn destroyed() -> Fault {
    Fault::new(
        acl::CONTEXT_NULL,
        "the context of this thread was destroyed or its device reset; call aclrtSetDevice again",
    )
}

/// Makes a context the calling thread's.
///
/// # Errors
/// 107000 for an unknown or destroyed one.
pub fn set_current(handle: *const c_void) -> Outcome {
    let known = THREAD.try_with(|thread| {
        let wanted = |kept: &Option<Arc<Context>>| {
            kept.as_ref().is_some_and(|context| context.handle == handle.addr() && !context.is_gone())
        };
        let mut kept = thread.kept.borrow_mut();
        if wanted(&kept[0]) {
            return true;
        }
        let place = kept.iter().position(wanted);
        if let Some(place) = place {
            kept.swap(0, place);
        }
        place.is_some()
    });
    if known == Ok(true) {
        return Ok(());
    }
    let context = machine()?.devices.contexts.get(handle, acl::RT_PARAM_INVALID)?;
    enter(context);
    Ok(())
}

/// Ends a context created by the program and cancels the tasks of its streams.
///
/// # Errors
/// 107000 for an unknown or destroyed one, and for a primary one: that ends with its device.
pub fn destroy(handle: *const c_void) -> Outcome {
    let context = machine()?.devices.contexts.get(handle, acl::RT_PARAM_INVALID)?;
    ensure(!context.is_primary, acl::RT_PARAM_INVALID, || {
        format!("context {handle:p} is that of aclrtSetDevice; aclrtResetDevice ends it")
    })?;
    context.end()?.iter().try_for_each(|stream| stream.wait_quiet(Stream::timeout()))
}

/// Makes `context` the calling thread's.
pub(super) fn enter(context: Arc<Context>) {
    // A thread that is exiting needs no current context.
    let _ = THREAD.try_with(|thread| {
        let mut kept = thread.kept.borrow_mut();
        let same =
            |kept: &Option<Arc<Context>>| kept.as_ref().is_some_and(|kept| kept.handle == context.handle);
        let place = kept.iter().position(same).unwrap_or(KEPT - 1);
        kept[..=place].rotate_right(1);
        kept[0] = Some(context);
    });
}

/// Runs a function of the program for a stream; calls from it that need a device are refused when the
/// settings are strict.
pub(crate) fn calling_back<T>(function: impl FnOnce() -> T) -> T {
    let set = |to| THREAD.try_with(|thread| thread.calls_back.replace(to)).unwrap_or(false);
    let before = set(true);
    let result = function();
    set(before);
    result
}

/// Refuses calls that are not allowed in a stream callback.
///
/// # Errors
/// 207000.
pub(crate) fn refuse_in_callback() -> Outcome {
    if !THREAD.try_with(|thread| thread.calls_back.get()).unwrap_or(false) {
        return Ok(());
    }
    ensure(!machine()?.config.strict, acl::FEATURE_NOT_SUPPORT, || {
        "callbacks of a stream must not call functions that need a device".to_owned()
    })
}

/// The stream behind a handle that belongs to the current context; null is the default stream.
///
/// # Errors
/// 107000 unknown · 107002 no context · 107003 another context's.
pub fn stream_of(handle: *const c_void) -> Outcome<Arc<Stream>> {
    let context = current()?;
    if handle.is_null() {
        return context.default_stream();
    }
    let stream = machine()?.devices.streams.get(handle, acl::RT_PARAM_INVALID)?;
    ensure(stream.context == context.handle, acl::STREAM_CONTEXT, || {
        format!(
            "stream {handle:p} belongs to context {:#x} of device {}, current is {:#x} of device {}",
            stream.context, stream.device.user, context.handle, context.device.user
        )
    })?;
    Ok(stream)
}
