// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams of ours, and the queueing of copies on a stream.
//!
//! A stream that reported an error is destroyed and another takes its place, so that one failed copy does not
//! keep later ones from running, in any state of the failed stream.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::sync::lock;
use mf_base::{ByteLen, Error, Kind, Result};

use super::driver::{Driver, Unfinished};
use crate::engine::{self, Piece};
use crate::{Locality, RawStream, Transfer};

const OP: &str = "device stream";

/// A device that has not finished after this long, plus the time that the slowest link would take, is stuck.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Bytes in a second below which a link counts as stuck.
const SLOWEST: u64 = 64 << 20;

/// Returns the time limit of copies of so many bytes together.
pub(crate) fn timeout_for(bytes: u64) -> Duration {
    TIMEOUT.saturating_add(Duration::from_secs(bytes / SLOWEST))
}

/// The bytes of all transfers together.
pub(super) fn bytes_of(transfers: &[Transfer]) -> u64 {
    transfers.iter().fold(0, |sum, transfer| sum.saturating_add(transfer.piece.bytes))
}

/// A stream of ours. Dropping it drops its queued work.
pub(crate) struct Stream {
    driver: Arc<dyn Driver>,
    raw: RawStream,
}

impl Stream {
    pub(super) fn create(driver: &Arc<dyn Driver>) -> Result<Self> {
        let raw = driver.run(|| driver.create_stream())??;
        Ok(Self { driver: Arc::clone(driver), raw })
    }

    /// Queues all transfers; the device is current.
    ///
    /// # Errors
    /// The error of the first that cannot be queued; earlier ones are queued.
    ///
    /// # Safety
    /// The ends are as the transfers describe, until the stream has done them.
    pub(super) unsafe fn queue(&self, transfers: &[Transfer]) -> Result<()> {
        // SAFETY: the caller vouches for the ends until the stream, which is ours, has done it.
        unsafe { queue(&*self.driver, self.raw, transfers) }
    }

    /// The stream as the runtime knows it.
    pub(crate) fn raw(&self) -> RawStream {
        self.raw
    }

    /// Waits until all that was queued, `bytes` bytes together, is done.
    pub(super) fn synchronize(&self, bytes: u64) -> Result<(), Unfinished> {
        let timeout = timeout_for(bytes);
        let waited = self.driver.run(|| self.driver.wait_stream(self.raw, timeout));
        waited.map_err(Unfinished::NotYet)?.map_err(|unfinished| match unfinished {
            Unfinished::NotYet(error) => Unfinished::NotYet(
                Error::new(Kind::Timeout, OP)
                    .what("the device has not finished its copies")
                    .with("bytes", ByteLen(bytes))
                    .with("waited_ms", timeout.as_millis())
                    .hint("the tool of the device's vendor (npu-smi info) shows whether it is healthy")
                    .source(error),
            ),
            failed @ Unfinished::Failed(_) => failed,
        })
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is this owner's own.
        let destroyed = self.driver.run(|| unsafe { self.driver.destroy_stream(self.raw) });
        if let Err(error) = destroyed.flatten() {
            tracing::warn!("a stream was not given back: {error}");
        }
    }
}

/// Puts all transfers on a stream with a current context; transfers between host memory and host memory as a
/// function that the stream waits for.
///
/// # Errors
/// The error of the first that cannot be queued; earlier ones are queued.
///
/// # Safety
/// The ends are as the transfers describe, until the stream has done them.
pub(super) unsafe fn queue(driver: &dyn Driver, stream: RawStream, transfers: &[Transfer]) -> Result<()> {
    for run in transfers.chunk_by(|a, b| is_host_only(a) == is_host_only(b)) {
        if run.first().is_some_and(is_host_only) {
            let pieces: Vec<Piece> = run.iter().map(|transfer| transfer.piece).collect();
            // SAFETY: the caller that queued the copies vouches for their ends until the stream has done
            // them.
            let work = Box::new(move || unsafe { engine::copy_batch(&pieces) });
            // SAFETY: the caller keeps the stream alive.
            unsafe { driver.queue_function(stream, work) }?;
            continue;
        }
        for transfer in run {
            // SAFETY: the caller vouches for both ends until the stream has done it.
            unsafe { driver.queue_copy(stream, transfer) }?;
        }
    }
    Ok(())
}

fn is_host_only(transfer: &Transfer) -> bool {
    transfer.from == Locality::Host && transfer.to == Locality::Host
}

/// Idle streams for batches that are waited for in the same call. Each caller has one to itself, so no
/// caller gets the error of another one's copy.
pub(crate) struct Streams {
    driver: Arc<dyn Driver>,
    idle: Mutex<Vec<Stream>>,
}

impl Streams {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), idle: Mutex::default() }
    }

    /// An idle stream, or a new one.
    ///
    /// # Errors
    /// `NoResources` the device has no stream left.
    pub(crate) fn take(&self) -> Result<Stream> {
        let idle = lock(&self.idle).pop();
        idle.map_or_else(|| Stream::create(&self.driver), Ok)
    }

    /// Takes back a stream that has no queued work and reported no error.
    pub(crate) fn give_back(&self, stream: Stream) {
        lock(&self.idle).push(stream);
    }
}
