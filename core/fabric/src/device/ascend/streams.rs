// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams of ours, and how copies get onto a stream.
//!
//! A stream that reported an error is destroyed and another takes its place, so that one failed copy does not keep later
//! ones from running, whatever state CANN left the stream in.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ascend_acl_sys::AclError;
use ascend_acl_sys::acl;
use ascend_acl_sys::raw::types as abi;
use mf_base::{ByteLen, Error, Kind, Result};

use super::cann::{Cann, OrRefused, refused};
use super::runtime::Runtime;
use crate::device::{Locality, Transfer};
use crate::engine::{self, Piece};

const OP: &str = "ascend stream";

/// A device that has not finished after this long, plus the time that the slowest link would take, is stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes in a second below which a link counts as stuck.
const SLOWEST: u64 = 64 << 20;

/// How long to wait for copies of so many bytes together.
pub(super) fn patience(bytes: u64) -> Duration {
    PATIENCE.saturating_add(Duration::from_secs(bytes / SLOWEST))
}

/// A stream of ours. Dropping it drops what is queued on it.
pub(super) struct Stream {
    runtime: Arc<Runtime>,
    handle: acl::Stream,
}

/// Why a stream is not through.
pub(super) enum Unfinished {
    /// The time is over; everything stays queued.
    NotYet(Error),
    /// A copy failed. Given out once.
    Failed(Error),
}

impl Unfinished {
    pub(super) fn into_error(self) -> Error {
        match self {
            Unfinished::NotYet(error) | Unfinished::Failed(error) => error,
        }
    }
}

impl Stream {
    pub(super) fn create(runtime: &Arc<Runtime>) -> Result<Self> {
        const FLAGS: u32 = abi::ACL_STREAM_FAST_LAUNCH | abi::ACL_STREAM_FAST_SYNC;
        let handle = runtime.run(|| runtime.cann.acl().create_stream_with(0, FLAGS).or_refused())??;
        Ok(Self { runtime: Arc::clone(runtime), handle })
    }

    /// Queues all transfers; our context is current.
    ///
    /// # Errors
    /// Of the first that cannot be queued; those before it are.
    ///
    /// # Safety
    /// The ends are what the transfers say, until the stream has done them.
    pub(super) unsafe fn queue(&self, transfers: &[Transfer]) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { queue(&self.runtime.cann, self.handle, transfers) }
    }

    /// The stream as CANN knows it.
    pub(super) fn handle(&self) -> acl::Stream {
        self.handle
    }

    /// Waits until all that was queued is done; the inner result is CANN's.
    ///
    /// # Errors
    /// What kept the context from becoming current.
    pub(super) fn wait(&self, patience: Duration) -> Result<Result<(), AclError>> {
        self.runtime.run(|| self.runtime.cann.acl().synchronize_stream(self.handle, Some(patience)))
    }

    /// Waits until all that was queued, `bytes` bytes together, is done.
    pub(super) fn synchronize(&self, bytes: u64) -> Result<(), Unfinished> {
        let patience = patience(bytes);
        // Tasks have timeouts of their own, so the class of the error does not tell.
        match self.wait(patience).map_err(Unfinished::NotYet)? {
            Err(error) if error.code() == Some(abi::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) => {
                Err(Unfinished::NotYet(
                    Error::new(Kind::Timeout, OP)
                        .what("the device has not finished its copies")
                        .with("bytes", ByteLen(bytes))
                        .with("waited_ms", patience.as_millis())
                        .hint("npu-smi info shows whether the device is healthy")
                        .source(error),
                ))
            }
            done => done.map_err(|error| Unfinished::Failed(refused(error))),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let runtime = &self.runtime;
        // SAFETY: the stream is this owner's own.
        let destroy = || unsafe { runtime.cann.acl().destroy_stream_force(self.handle) }.or_refused();
        if let Err(error) = runtime.run(destroy).flatten() {
            tracing::warn!("a stream was not given back: {error}");
        }
    }
}

/// Puts all transfers on a stream whose context is current; those between host memory and host memory as a function
/// that the stream waits for.
///
/// # Errors
/// Of the first that cannot be queued; those before it are.
///
/// # Safety
/// The ends are what the transfers say, until the stream has done them.
pub(super) unsafe fn queue(cann: &Cann, stream: acl::Stream, transfers: &[Transfer]) -> Result<()> {
    for run in transfers.chunk_by(|a, b| is_host_only(a) == is_host_only(b)) {
        if run.first().is_some_and(is_host_only) {
            // SAFETY: passed on to the caller.
            unsafe { queue_on_host(cann, stream, run) }?;
            continue;
        }
        for transfer in run {
            // SAFETY: passed on to the caller.
            unsafe { cann.copy_on(stream, transfer) }?;
        }
    }
    Ok(())
}

fn is_host_only(transfer: &Transfer) -> bool {
    transfer.from == Locality::Host && transfer.to == Locality::Host
}

/// # Safety
/// As [`queue`].
unsafe fn queue_on_host(cann: &Cann, stream: acl::Stream, transfers: &[Transfer]) -> Result<()> {
    let pieces: Vec<Piece> = transfers.iter().map(|transfer| transfer.piece).collect();
    // SAFETY: who queued the copies vouches for their ends until the stream has done them.
    run(cann, stream, Box::new(move || unsafe { engine::copy_batch(&pieces) }))
}

/// A function that a stream waits for.
pub(super) type Work = Box<dyn FnOnce() + Send>;

/// Puts a function of the host on a stream whose context is current.
///
/// # Errors
/// CANN does not take it.
pub(super) fn run(cann: &Cann, stream: acl::Stream, work: Work) -> Result<()> {
    let work = Box::into_raw(Box::new(work));
    // SAFETY: `call` takes what `work` points to, once. A stream that is destroyed with this in its queue leaks it, as CANN
    // tells nobody.
    let launched = unsafe { cann.acl().launch_host_function(stream, call, work.cast()) };
    launched.or_refused().inspect_err(|_| {
        // SAFETY: made by `Box::into_raw` above, and not taken, since it was not queued.
        drop(unsafe { Box::from_raw(work) });
    })
}

/// Runs on a thread of CANN.
///
/// # Safety
/// `work` is a boxed [`Work`].
unsafe extern "C" fn call(work: *mut c_void) {
    // SAFETY: made by `Box::into_raw` in `run`, and CANN calls this once.
    let work = unsafe { Box::from_raw(work.cast::<Work>()) };
    // An unwinding panic must not reach CANN's thread.
    if catch_unwind(AssertUnwindSafe(*work)).is_err() {
        tracing::error!("a function on a stream panicked");
    }
}

/// Idle streams for batches that are waited for in the same call. Each caller has one to itself, so nobody gets the
/// error of somebody else's copy.
pub(super) struct Streams {
    runtime: Arc<Runtime>,
    idle: Mutex<Vec<Stream>>,
}

impl Streams {
    pub(super) fn new(runtime: &Arc<Runtime>) -> Self {
        Self { runtime: Arc::clone(runtime), idle: Mutex::default() }
    }

    /// An idle stream, or a new one.
    ///
    /// # Errors
    /// `NoResources` the device has no stream left.
    pub(super) fn take(&self) -> Result<Stream> {
        let idle = self.lock().pop();
        idle.map_or_else(|| Stream::create(&self.runtime), Ok)
    }

    /// Gives back a stream that has nothing queued and reported no error.
    pub(super) fn give_back(&self, stream: Stream) {
        self.lock().push(stream);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Stream>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
