// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies with an end in device memory.
//!
//! | call | how | calls of ACL beside the copy itself |
//! |---|---|---|
//! | one transfer | `aclrtMemcpy` | the context |
//! | many, all host → device or all device → host | `aclrtMemcpyBatch`, 128 at a time | the context |
//! | many, other | `aclrtMemcpyAsync` on a stream of ours, and one wait | the context |
//! | on a lane | `aclrtMemcpyAsync` on the lane's stream | the context |
//! | on the caller's stream | `aclrtMemcpyAsync`, `aclrtLaunchHostFunc` | an event |
//!
//! From host memory that is not registered CANN takes the bytes of an asynchronous copy during the call, not when the
//! stream gets there; what earlier work of the stream writes there is too late for it.
//!
//! What memory an end is costs a further call, unless it is in the pool or registered ([`super::regions`]).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use ascend_acl_sys::acl::{Context, Stream};
use mf_base::{Error, Kind, Result};

use super::cann::{BATCH, Cann, OrRefused, Way};
use super::guests::Guests;
use super::host_memory::HostMemory;
use super::lane::{AscendLane, Queued};
use super::regions::Regions;
use super::runtime::Runtime;
use super::streams::{self, Streams, Unfinished, patience};
use crate::device::{Lane, Locality, Mover, RawStream, Transfer};

const OP: &str = "ascend copy";

/// The mover of one device.
pub(super) struct AscendMover {
    runtime: Arc<Runtime>,
    host_memory: Arc<HostMemory>,
    regions: Regions,
    streams: Streams,
    guests: Guests,
    lanes: Mutex<Vec<Weak<Queued>>>,
    /// Whether CANN has batches; falls when it says that it has not.
    batches: AtomicBool,
}

impl AscendMover {
    pub(super) fn new(runtime: &Arc<Runtime>, host_memory: &Arc<HostMemory>) -> Self {
        Self {
            runtime: Arc::clone(runtime),
            host_memory: Arc::clone(host_memory),
            regions: Regions::default(),
            streams: Streams::new(runtime),
            guests: Guests::new(runtime),
            lanes: Mutex::default(),
            batches: AtomicBool::new(runtime.cann.has("aclrtMemcpyBatch")),
        }
    }

    /// Copies in batches; `false` when CANN refuses, and nothing is known of what was done.
    ///
    /// # Safety
    /// As [`Mover::copy`].
    unsafe fn copy_in_batches(&self, transfers: &[Transfer]) -> bool {
        let Some(way) = Way::common(transfers).filter(|_| self.batches.load(Ordering::Relaxed)) else {
            return false;
        };
        for part in transfers.chunks(BATCH) {
            // SAFETY: passed on to the caller.
            let done = unsafe { self.runtime.cann.copy_batch(self.runtime.numbers.index, way, part) };
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

    /// Copies on a stream of ours and waits for it; one by one where no stream is left.
    ///
    /// # Safety
    /// As [`Mover::copy`].
    unsafe fn copy_on_own_stream(&self, transfers: &[Transfer]) -> Result<()> {
        let stream = match self.streams.take() {
            Ok(stream) => stream,
            Err(error) if error.kind() == Kind::NoResources => {
                // SAFETY: passed on to the caller.
                return transfers.iter().try_for_each(|transfer| unsafe { self.runtime.cann.copy(transfer) });
            }
            Err(error) => return Err(error),
        };
        let bytes = transfers.iter().fold(0u64, |sum, transfer| sum.saturating_add(transfer.piece.bytes));
        // SAFETY: passed on to the caller; the wait comes before the return, also when only some are queued. A stream that
        // does not get there in time is destroyed, with what is queued on it.
        let queued = unsafe { stream.queue(transfers) };
        let done = stream.synchronize(bytes).map_err(Unfinished::into_error);
        if queued.is_ok() && done.is_ok() {
            self.streams.give_back(stream);
        }
        // The copy that failed on the device came before the one that could not be queued.
        done.and(queued)
    }

    /// Puts something on the caller's stream, whose context it is told, and a mark behind it by which this mover knows when it is through.
    ///
    /// # Safety
    /// The stream is one of the runtime, alive as long as something is on it.
    pub(super) unsafe fn on_stream(
        &self,
        stream: RawStream,
        put: impl FnOnce(&Cann, Stream, Context) -> Result<()>,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        let stream = unsafe { Stream::from_raw(stream.0) };
        let context = self.runtime.cann.acl().context().or_refused().map_err(|error| {
            Error::invalid(OP, "this thread has no current device, so it has no stream to copy on")
                .hint("call aclrtSetDevice in this thread, or copy without a stream")
                .source(error)
        })?;
        if !self.runtime.is_own(context) {
            self.runtime.peers().reach_known()?;
        }
        self.guests.with_mark(context, stream, || put(&self.runtime.cann, stream, context))
    }

    /// Idle streams of ours.
    pub(super) fn streams(&self) -> &Streams {
        &self.streams
    }

    /// Waits until the streams of the program are past everything of ours.
    ///
    /// # Errors
    /// `Timeout` one does not get there.
    pub(super) fn settle_guests(&self) -> Result<()> {
        self.guests.settle(patience(0))
    }

    fn lanes(&self) -> MutexGuard<'_, Vec<Weak<Queued>>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mover for AscendMover {
    fn locality(&self, address: u64) -> Locality {
        if let Some(known) = self.regions.locality(address) {
            return known;
        }
        // The question needs no device as a rule; where it does, it is asked again with one.
        let asked = self.runtime.cann.locality(address);
        let asked = asked.or_else(|_| self.runtime.run(|| self.runtime.cann.locality(address)).flatten());
        asked.unwrap_or(Locality::Host)
    }

    unsafe fn copy(&self, transfers: &[Transfer]) -> Result<()> {
        self.runtime.run(|| match transfers {
            // SAFETY: passed on to the caller.
            [transfer] => unsafe { self.runtime.cann.copy(transfer) },
            // SAFETY: passed on to the caller.
            _ if unsafe { self.copy_in_batches(transfers) } => Ok(()),
            // SAFETY: passed on to the caller.
            _ => unsafe { self.copy_on_own_stream(transfers) },
        })?
    }

    fn lane(&self) -> Result<Box<dyn Lane>> {
        let queued = Arc::new(Queued::new(&self.runtime));
        let mut lanes = self.lanes();
        lanes.retain(|lane| lane.strong_count() > 0);
        lanes.push(Arc::downgrade(&queued));
        Ok(Box::new(AscendLane(queued)))
    }

    unsafe fn copy_on(&self, stream: RawStream, transfers: &[Transfer]) -> Result<()> {
        // SAFETY: passed on to the caller.
        let queue = |cann: &Cann, stream, _| unsafe { streams::queue(cann, stream, transfers) };
        // SAFETY: passed on to the caller.
        unsafe { self.on_stream(stream, queue) }
    }

    unsafe fn run_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.on_stream(stream, |cann, stream, _| streams::run(cann, stream, work)) }
    }

    fn quiesce(&self) -> Result<()> {
        let lanes: Vec<Arc<Queued>> = self.lanes().iter().filter_map(Weak::upgrade).collect();
        let mut settled = Ok(());
        for lane in lanes {
            settled = settled.and(lane.settle());
        }
        settled.and(self.settle_guests())
    }

    fn register(&self, address: u64, bytes: u64) -> Result<bool> {
        self.regions.add(address, bytes, || {
            let locality = self.locality(address);
            let pinned = locality == Locality::Host && self.host_memory.pin(address, bytes);
            Ok((locality, pinned))
        })
    }

    fn unregister(&self, address: u64, bytes: u64) {
        if self.regions.remove(address, bytes).is_some_and(|gone| gone.ours) {
            self.host_memory.unpin(address);
        }
    }
}

impl Drop for AscendMover {
    fn drop(&mut self) {
        for address in self.regions.take_ours() {
            self.host_memory.unpin(address);
        }
    }
}
