// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CANN as the driver of [`crate::vmm`].
//!
//! From host memory that is not registered CANN takes the bytes of an asynchronous copy during the call.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ascend_acl_sys::AclError;
use ascend_acl_sys::acl::{self, Key, Location, PidCheck, Stream};
use ascend_acl_sys::raw::types as abi;
use mf_base::{Error, Result};

use super::cann::{BATCH, Cann, Direction, OrRefused, length, pointer, refused};
use super::host_memory::HostMemory;
use super::runtime::Runtime;
use super::{open, units};
use crate::vmm::{Context, Driver, Mapper, MemoryOwner, Physical, RawEvent, RawNotify, Unfinished, Work};
use crate::{Capability, Identity, RawStream, Transfer, Unit};

const OP: &str = "ascend device";

/// The driver of one NPU.
pub(super) struct AscendDriver {
    runtime: Arc<Runtime>,
    host_memory: HostMemory,
    capabilities: Vec<Capability>,
    /// Members with a device of another family cannot share memory.
    family: String,
    /// True while CANN may have batches; cleared when it reports that it has none.
    batches: AtomicBool,
}

impl AscendDriver {
    pub(super) fn new(runtime: &Arc<Runtime>) -> Self {
        let host_memory = HostMemory::probe(runtime);
        let simulated = if runtime.cann.simulator().is_some() { " (simulated)" } else { "" };
        Self {
            runtime: Arc::clone(runtime),
            capabilities: open::capabilities(runtime, &host_memory),
            family: format!("ascend {}{simulated}", runtime.product),
            batches: AtomicBool::new(runtime.cann.has("aclrtMemcpyBatch")),
            host_memory,
        }
    }

    fn cann(&self) -> &Cann {
        &self.runtime.cann
    }
}

impl Mapper for AscendDriver {
    fn enter(&self, work: &mut (dyn FnMut() + Send)) -> Result<()> {
        self.runtime.run(work)
    }

    unsafe fn clear(&self, address: u64, bytes: u64) -> Result<()> {
        let (at, bytes) = (pointer(address), length(bytes));
        // SAFETY: the caller vouches that the range is mapped device memory that nobody accesses.
        unsafe { self.cann().acl().memset(at, bytes, 0, bytes) }.or_refused()
    }

    fn physical(&self) -> Result<&dyn Physical> {
        self.runtime.physical()
    }
}

impl Driver for AscendDriver {
    fn name(&self) -> &'static str {
        "ascend"
    }

    fn describe(&self) -> String {
        let acl = self.cann().acl();
        let origin = acl.origin();
        let soc = acl.soc_name().unwrap_or_else(|| "a chip without name".to_owned());
        let version = origin.version().map(|version| format!(", ACL {version}")).unwrap_or_default();
        let simulated =
            origin.simulator().map(|version| format!(", simulated by {version}")).unwrap_or_default();
        format!("{soc}{version}{simulated} ({})", origin.file().display())
    }

    fn number(&self) -> u32 {
        self.runtime.numbers.index
    }

    fn become_current(&self) {
        self.runtime.become_current();
    }

    fn units(&self) -> Vec<Unit> {
        units::units(self.cann().acl())
    }

    fn identity(&self) -> Result<Identity> {
        let numbers = self.runtime.numbers;
        Ok(Identity { device: self.family.clone(), process: numbers.process, unit: numbers.super_node })
    }

    fn capabilities(&self) -> Vec<Capability> {
        self.capabilities.clone()
    }

    fn enter_context(&self, context: Context, work: &mut (dyn FnMut() + Send)) -> Result<()> {
        // SAFETY: contexts come from `callers_context`; CANN refuses a destroyed one.
        let context = unsafe { acl::Context::from_raw(context.0) };
        self.runtime.run_in(context, work)
    }

    fn callers_context(&self) -> Result<Context> {
        let context = self.cann().acl().context().or_refused().map_err(|error| {
            Error::invalid(OP, "this thread has no current device, so it has no stream to copy on")
                .hint("call aclrtSetDevice in this thread, or copy without a stream")
                .source(error)
        })?;
        if !self.runtime.is_own(context) {
            self.runtime.peers().map_known()?;
        }
        Ok(Context(context.as_raw()))
    }

    fn allocate(&self, bytes: u64) -> Result<u64> {
        let made = self.cann().acl().malloc(length(bytes), abi::ACL_MEM_MALLOC_HUGE_FIRST).or_refused()?;
        Ok(made.expose_provenance() as u64)
    }

    unsafe fn free(&self, address: u64) -> Result<()> {
        // SAFETY: the caller does not use the memory again; CANN waits for a kernel that a fault left running
        // there.
        unsafe { self.cann().acl().free_synchronized(pointer(address)) }.or_refused()
    }

    fn owner_of(&self, address: u64) -> MemoryOwner {
        let query = || self.cann().acl().pointer_info(pointer(address)).or_refused();
        // The query needs no device as a rule; where it does, it is repeated with one.
        let info = query().or_else(|_| self.runtime.run(query).flatten());
        match info.map(|info| info.location) {
            Ok(Location::Device(_)) => MemoryOwner::Device,
            Ok(Location::Host | Location::HostNuma(_)) => MemoryOwner::Pinned,
            _ => MemoryOwner::Host,
        }
    }

    fn pin(&self, address: u64, bytes: u64) -> bool {
        self.host_memory.pin(address, bytes)
    }

    fn unpin(&self, address: u64) {
        self.host_memory.unpin(address);
    }

    fn expose(&self, address: u64, bytes: u64) {
        self.host_memory.expose(address, bytes);
    }

    fn conceal(&self, address: u64) {
        self.host_memory.conceal(address);
    }

    #[inline]
    unsafe fn copy(&self, transfer: &Transfer) -> Result<()> {
        // SAFETY: the caller vouches for both ends of the transfer.
        self.runtime.run(|| unsafe { self.cann().copy(transfer) })?
    }

    unsafe fn copy_batch(&self, transfers: &[Transfer]) -> bool {
        let Some(direction) = Direction::common(transfers).filter(|_| self.batches.load(Ordering::Relaxed))
        else {
            return false;
        };
        for part in transfers.chunks(BATCH) {
            // SAFETY: the caller vouches for the ends of every transfer, and that destinations do not
            // overlap.
            let done = unsafe { self.cann().copy_batch(self.runtime.numbers.index, direction, part) };
            if let Err(refusal) = done {
                // The stream copies the same again, and its error is about one copy.
                tracing::debug!("a batch is copied one by one: {refusal}");
                if refusal.error.is_not_supported() {
                    self.batches.store(false, Ordering::Relaxed);
                }
                return false;
            }
        }
        true
    }

    fn create_stream(&self) -> Result<RawStream> {
        const FLAGS: u32 = abi::ACL_STREAM_FAST_LAUNCH | abi::ACL_STREAM_FAST_SYNC;
        let stream = self.cann().acl().create_stream_with(0, FLAGS).or_refused()?;
        Ok(RawStream(stream.as_raw()))
    }

    unsafe fn destroy_stream(&self, stream: RawStream) -> Result<()> {
        // SAFETY: the caller's own stream, which is not used again.
        unsafe { self.cann().acl().destroy_stream_force(acl_stream(stream)) }.or_refused()
    }

    unsafe fn queue_copy(&self, stream: RawStream, transfer: &Transfer) -> Result<()> {
        // SAFETY: the caller vouches for both ends until the stream has done it, and keeps the stream alive.
        unsafe { self.cann().copy_on(acl_stream(stream), transfer) }
    }

    unsafe fn queue_word(&self, stream: RawStream, transfer: &Transfer) -> Result<()> {
        // The source is ordinary memory, so CANN takes the bytes during the call.
        // SAFETY: the caller vouches for the destination and the stream; CANN copies the source during the
        // call.
        unsafe { self.queue_copy(stream, transfer) }
    }

    unsafe fn queue_function(&self, stream: RawStream, work: Work) -> Result<()> {
        let work = Box::into_raw(Box::new(work));
        // SAFETY: `call` takes what `work` points to, once. A stream that is destroyed with this in its queue
        // leaks it, as CANN does not report that.
        let launched =
            unsafe { self.cann().acl().launch_host_function(acl_stream(stream), call, work.cast()) };
        launched.or_refused().inspect_err(|_| {
            // SAFETY: made by `Box::into_raw` above, and not taken, since it was not queued.
            drop(unsafe { Box::from_raw(work) });
        })
    }

    fn create_notify(&self) -> Result<RawNotify> {
        Ok(RawNotify(self.cann().acl().create_notify().or_refused()?.as_raw()))
    }

    unsafe fn destroy_notify(&self, notify: RawNotify) -> Result<()> {
        // SAFETY: the caller vouches that no stream uses the notify again.
        unsafe { self.cann().acl().destroy_notify(acl_notify(notify)) }.or_refused()
    }

    unsafe fn queue_notify(&self, stream: RawStream, notify: RawNotify) -> Result<()> {
        self.cann().acl().record_notify(acl_notify(notify), acl_stream(stream)).or_refused()
    }

    unsafe fn queue_wait(&self, stream: RawStream, notify: RawNotify) -> Result<()> {
        self.cann().acl().wait_notify(acl_notify(notify), acl_stream(stream), None).or_refused()
    }

    fn wait_stream(&self, stream: RawStream, timeout: Duration) -> Result<(), Unfinished> {
        self.cann().acl().synchronize_stream(acl_stream(stream), Some(timeout)).map_err(unfinished)
    }

    unsafe fn is_captured(&self, stream: RawStream) -> bool {
        let Ok(find) = self.cann().libraries().optional().aclmdlRICaptureGetInfo() else { return false };
        let mut status = abi::ACL_MODEL_RI_CAPTURE_STATUS_NONE;
        // SAFETY: the stream is the caller's word; the graph may be left out.
        let code = unsafe { find(stream.0, &raw mut status, std::ptr::null_mut()) };
        code == abi::ACL_SUCCESS && status != abi::ACL_MODEL_RI_CAPTURE_STATUS_NONE
    }

    fn wait_device(&self, timeout: Duration) -> Result<(), Unfinished> {
        self.cann().acl().synchronize_device(Some(timeout)).map_err(unfinished)
    }

    fn create_event(&self) -> Result<RawEvent> {
        let event = self.cann().acl().create_reusable_event(abi::ACL_EVENT_CAPTURE_STREAM_PROGRESS);
        Ok(RawEvent(event.or_refused()?.as_raw()))
    }

    unsafe fn destroy_event(&self, event: RawEvent) -> Result<()> {
        // SAFETY: the caller's own event, which is not used again.
        unsafe { self.cann().acl().destroy_event(acl_event(event)) }.or_refused()
    }

    unsafe fn record_event(&self, event: RawEvent, stream: RawStream) -> Result<()> {
        self.cann().acl().record_event(acl_event(event), acl_stream(stream)).or_refused()
    }

    fn export(&self, address: u64, bytes: u64) -> Result<Vec<u8>> {
        let key =
            self.cann().acl().export_key(pointer(address), length(bytes), PidCheck::Anyone).or_refused()?;
        Ok(key.as_bytes().to_vec())
    }

    fn import(&self, key: &[u8]) -> Result<u64> {
        let address = self.cann().acl().import_key(&key_of(key)?, true).or_refused()?;
        Ok(address.expose_provenance() as u64)
    }

    unsafe fn close(&self, key: &[u8]) -> Result<()> {
        let key = key_of(key)?;
        // SAFETY: the caller does not use the imported memory again.
        unsafe { self.cann().acl().close_key(&key) }.or_refused()
    }

    fn event_is_reached(&self, event: RawEvent) -> Result<bool> {
        self.cann().acl().event_is_reached(acl_event(event)).or_refused()
    }
}

/// Tasks have timeouts of their own, so the class of the error does not show which timeout it was.
fn unfinished(error: AclError) -> Unfinished {
    match error.code() {
        Some(abi::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) => Unfinished::NotYet(refused(error)),
        _ => Unfinished::Failed(refused(error)),
    }
}

fn key_of(bytes: &[u8]) -> Result<Key> {
    let key = bytes.try_into().ok().and_then(Key::from_bytes);
    key.ok_or_else(|| Error::invalid(OP, "not a key of device memory").with("bytes", bytes.len()))
}

fn acl_stream(stream: RawStream) -> Stream {
    // SAFETY: a stream of ours until it is destroyed, or one that the caller of the driver vouches for.
    unsafe { Stream::from_raw(stream.0) }
}

fn acl_event(event: RawEvent) -> acl::Event {
    // SAFETY: events come from `create_event` and are given up by `destroy_event` alone, which is their last
    // use.
    unsafe { acl::Event::from_raw(event.0) }
}

fn acl_notify(notify: RawNotify) -> acl::Notify {
    // SAFETY: notifies come from `create_notify` and are given up by `destroy_notify` alone, which is their
    // last use.
    unsafe { acl::Notify::from_raw(notify.0) }
}

/// Runs on a thread of CANN.
///
/// # Safety
/// `work` is a boxed [`Work`].
unsafe extern "C" fn call(work: *mut c_void) {
    // SAFETY: made by `Box::into_raw` in `queue_function`, and CANN calls this once.
    let work = unsafe { Box::from_raw(work.cast::<Work>()) };
    // An unwinding panic must not reach CANN's thread.
    if catch_unwind(AssertUnwindSafe(*work)).is_err() {
        tracing::error!("a function on a stream panicked");
    }
}
