// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asynchronous copies of one pool: one stream, which keeps their order.
//!
//! The lock is held while copies are queued, which keeps calls of several threads apart, but not while a
//! thread waits. A thread that sees the stream failed replaces it; copies that others had queued behind are
//! waited for first, so that their error is not lost with the stream.

use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::{Error, Result};

use super::driver::{Driver, Unfinished};
use super::streams::{Stream, bytes_of};
use crate::{Lane, Transfer, Word};

/// The part of a lane that the mover shares, to bring it to rest.
pub(super) struct Queued {
    driver: Arc<dyn Driver>,
    state: Mutex<LaneState>,
}

#[derive(Default)]
struct LaneState {
    /// Made with the first copy, and anew after an error.
    stream: Option<Arc<Stream>>,
    /// Bytes queued since the stream was last seen empty.
    bytes: u64,
    /// The first error since the last wait.
    failed: Option<Error>,
}

impl LaneState {
    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }
}

impl Queued {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), state: Mutex::default() }
    }

    /// # Safety
    /// As [`Lane::enqueue`].
    unsafe fn enqueue(&self, transfers: &[Transfer]) -> Result<()> {
        // SAFETY: the caller vouches for the ends until the lane has done it; the stream is the lane's own.
        self.on_stream(bytes_of(transfers), |stream| unsafe { stream.queue(transfers) })
    }

    /// # Safety
    /// As [`Lane::write_word`].
    unsafe fn write_word(&self, address: u64, word: Word) -> Result<()> {
        word.written(address, |transfer| {
            // SAFETY: the caller vouches for the word until the lane has done it; the stream is the lane's
            // own.
            self.on_stream(word.bytes(), |stream| unsafe { self.driver.queue_word(stream.raw(), transfer) })
        })
    }

    /// Puts `bytes` bytes on the stream by `put`, with the device current and the stream to itself.
    fn on_stream(&self, bytes: u64, put: impl FnOnce(&Stream) -> Result<()> + Send) -> Result<()> {
        self.driver.run(|| {
            let mut state = lock(&self.state);
            let LaneState { stream, bytes: queued, .. } = &mut *state;
            let stream = match stream {
                Some(stream) => stream,
                none => none.insert(Arc::new(Stream::create(&self.driver)?)),
            };
            *queued = queued.saturating_add(bytes);
            put(stream)
        })?
    }

    /// Waits until nothing is queued; errors of copies are kept for [`take_error`](Self::take_error).
    ///
    /// # Errors
    /// `Timeout` the device does not come to an end.
    pub(super) fn wait_idle(&self) -> Result<()> {
        let (stream, bytes) = {
            let state = lock(&self.state);
            let Some(stream) = &state.stream else { return Ok(()) };
            (Arc::clone(stream), state.bytes)
        };
        match stream.synchronize(bytes) {
            Ok(()) => {
                let mut state = lock(&self.state);
                if state.is_on(&stream) {
                    state.bytes = state.bytes.saturating_sub(bytes);
                }
                Ok(())
            }
            Err(Unfinished::NotYet(error)) => Err(error),
            Err(Unfinished::Failed(error)) => {
                let mut state = lock(&self.state);
                state.fail(error);
                if state.is_on(&stream) {
                    // No thread queues while the lock is held. A second error belongs to copies behind the
                    // first.
                    if let Err(unfinished) = stream.synchronize(state.bytes) {
                        state.fail(unfinished.into_error());
                    }
                    state.stream = None;
                    state.bytes = 0;
                }
                Ok(())
            }
        }
    }

    fn take_error(&self) -> Result<()> {
        lock(&self.state).failed.take().map_or(Ok(()), Err)
    }
}

impl LaneState {
    fn is_on(&self, stream: &Arc<Stream>) -> bool {
        self.stream.as_ref().is_some_and(|own| Arc::ptr_eq(own, stream))
    }
}

/// A lane. Dropping it waits for queued copies.
pub(super) struct DeviceLane(pub(super) Arc<Queued>);

impl Lane for DeviceLane {
    unsafe fn enqueue(&self, transfers: &[Transfer]) -> Result<()> {
        // SAFETY: the caller vouches for the ends until the lane has done it.
        unsafe { self.0.enqueue(transfers) }
    }

    unsafe fn write_word(&self, address: u64, word: Word) -> Result<()> {
        // SAFETY: the caller vouches for the word until the lane has done it.
        unsafe { self.0.write_word(address, word) }
    }

    fn wait(&self) -> Result<()> {
        self.0.wait_idle()?;
        self.0.take_error()
    }

    fn drain(&self) {
        if let Err(error) = self.0.wait_idle() {
            tracing::warn!("asynchronous copies are not done: {error}");
        }
    }
}

impl Drop for DeviceLane {
    fn drop(&mut self) {
        self.drain();
    }
}
