// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contexts, and the current context of a thread.
//!
//! A context belongs to a device and owns streams. Each device has one *primary* context, made by the first
//! `aclrtSetDevice` and shared by all threads that call it; programs may make more. A thread keeps the
//! contexts it used last, so that looking up its device or switching to and fro touches nothing that other
//! threads touch. A destroyed context is marked as such, so that cached references notice; handles are never
//! reused.
//!
//! * [`primary`]: setting and resetting devices; [`state`]: callbacks for that.

pub mod primary;
pub mod state;

use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use mf_base::sync::lock;

use crate::codes::acl;
use crate::device::Device;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::kernel::binary::Binary;
use crate::machine::machine;
use crate::memory::rights::peers;
use crate::sharing::ipc::Importer;
use crate::stream::callback::{Call, refuse_in_callback};
use crate::stream::host_function::HostThread;
use crate::stream::report::reports;
use crate::stream::{Options, Running, Stream, StreamOwner, streams};
use crate::watch;

static CONTEXTS: LazyLock<HandleTable<Context>> = LazyLock::new(|| HandleTable::new("context"));

/// Living contexts of this process.
///
/// # Errors
/// The machine's own.
pub fn contexts() -> Outcome<&'static HandleTable<Context>> {
    machine()?;
    Ok(&CONTEXTS)
}

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
    host: Arc<HostThread>,
}

impl Context {
    /// A new context with its default stream.
    ///
    /// # Errors
    /// 207008 if the device has no free streams.
    fn create(device: &Arc<Device>, is_primary: bool) -> Outcome<Arc<Self>> {
        let contexts = contexts()?;
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
    fn end(&self) -> Outcome<Vec<Arc<Stream>>> {
        let (contexts, reports) = (contexts()?, reports()?);
        self.is_gone.store(true, Ordering::Release);
        lock(&self.default_stream).take();
        Binary::forget_context(self.handle);
        contexts.remove_where(|context| context.handle == self.handle);
        let streams = streams()?.remove_where(|stream| stream.context == self.handle);
        for stream in &streams {
            stream.kill(acl::STREAM_ABORT);
            reports.forget(stream);
        }
        self.host.end();
        peers()?.forget(self.handle);
        Ok(streams)
    }
}

impl StreamOwner for Context {
    fn handle(&self) -> usize {
        self.handle
    }

    fn device(&self) -> &Arc<Device> {
        &self.device
    }

    fn check_alive(&self) -> Outcome {
        Self::check_alive(self)
    }

    fn run_on_host(&self, call: Call, running: &Running) -> Outcome {
        self.host.run(call, running)
    }
}

/// Contexts that a thread used last.
const KEPT: usize = 4;

thread_local! {
    /// The first entry is the current one. After its destruction it is not, but the other entries are still
    /// worth keeping.
    static RECENT: RefCell<[Option<Arc<Context>>; KEPT]> = const { RefCell::new([const { None }; KEPT]) };
}

/// Runs `look` on the context of the calling thread, which need not be copied for that.
///
/// # Errors
/// 107002 when it has none.
#[inline]
pub fn with_current<T>(look: impl FnOnce(&Arc<Context>) -> T) -> Outcome<T> {
    let found = RECENT.try_with(|kept| match &kept.borrow()[0] {
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
    let known = RECENT.try_with(|kept| {
        let wanted = |kept: &Option<Arc<Context>>| {
            kept.as_ref().is_some_and(|context| context.handle == handle.addr() && !context.is_gone())
        };
        let mut kept = kept.borrow_mut();
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
    let context = contexts()?.get(handle, acl::RT_PARAM_INVALID)?;
    enter(context);
    Ok(())
}

/// Ends a context created by the program and cancels the tasks of its streams.
///
/// # Errors
/// 107000 for an unknown or destroyed one, and for a primary one: that ends with its device.
pub fn destroy(handle: *const c_void) -> Outcome {
    let context = contexts()?.get(handle, acl::RT_PARAM_INVALID)?;
    ensure(!context.is_primary, acl::RT_PARAM_INVALID, || {
        format!("context {handle:p} belongs to aclrtSetDevice; end it with aclrtResetDevice")
    })?;
    context.end()?.iter().try_for_each(|stream| stream.wait_quiet(Stream::timeout()))
}

/// The current context as an importer of memory.
///
/// # Errors
/// As [`current`].
pub(crate) fn importer() -> Outcome<Importer> {
    current().map(|context| Importer { device: context.device.physical, context: context.handle })
}

/// Makes `context` the calling thread's.
fn enter(context: Arc<Context>) {
    watch::set_current_device(|| with_current(|context| context.device.physical).ok());
    // A thread that is exiting needs no current context.
    let _ = RECENT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        let same =
            |kept: &Option<Arc<Context>>| kept.as_ref().is_some_and(|kept| kept.handle == context.handle);
        let place = kept.iter().position(same).unwrap_or(KEPT - 1);
        kept[..=place].rotate_right(1);
        kept[0] = Some(context);
    });
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
    let stream = streams()?.get(handle, acl::RT_PARAM_INVALID)?;
    ensure(stream.context == context.handle, acl::STREAM_CONTEXT, || {
        format!(
            "stream {handle:p} belongs to context {:#x} of device {}, current is {:#x} of device {}",
            stream.context, stream.device.user, context.handle, context.device.user
        )
    })?;
    Ok(stream)
}
