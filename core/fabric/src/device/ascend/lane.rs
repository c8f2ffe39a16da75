// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The asynchronous copies of one pool: one stream, which keeps their order.
//!
//! The lock is held while copies are queued, which keeps calls of several threads apart, but not while someone waits.
//! Whoever finds the stream failed replaces it; what others had queued behind is waited for first, so that their error
//! is not lost with the stream.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mf_base::{Error, Result};

use super::runtime::Runtime;
use super::streams::{Stream, Unfinished};
use crate::device::{Lane, Transfer};

/// The part of a lane that the mover knows too, to bring it to rest.
pub(super) struct Queued {
    runtime: Arc<Runtime>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Made with the first copy, and anew after an error.
    stream: Option<Arc<Stream>>,
    /// Bytes queued since the stream was last seen empty.
    bytes: u64,
    /// The first error since the last wait.
    failed: Option<Error>,
}

impl State {
    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }
}

impl Queued {
    pub(super) fn new(runtime: &Arc<Runtime>) -> Self {
        Self { runtime: Arc::clone(runtime), state: Mutex::default() }
    }

    /// # Safety
    /// As [`Lane::enqueue`].
    unsafe fn enqueue(&self, transfers: &[Transfer]) -> Result<()> {
        self.runtime.run(|| {
            let mut state = self.state();
            let stream = match &state.stream {
                Some(stream) => Arc::clone(stream),
                None => Arc::clone(state.stream.insert(Arc::new(Stream::create(&self.runtime)?))),
            };
            let bytes = transfers.iter().fold(0u64, |sum, transfer| sum.saturating_add(transfer.piece.bytes));
            state.bytes = state.bytes.saturating_add(bytes);
            // SAFETY: passed on to the caller.
            unsafe { stream.queue(transfers) }
        })?
    }

    /// Waits until nothing is queued; errors of copies are kept for [`take_error`](Self::take_error).
    ///
    /// # Errors
    /// `Timeout` the device does not come to an end.
    pub(super) fn settle(&self) -> Result<()> {
        let (stream, bytes) = {
            let state = self.state();
            let Some(stream) = &state.stream else { return Ok(()) };
            (Arc::clone(stream), state.bytes)
        };
        match stream.synchronize(bytes) {
            Ok(()) => {
                let mut state = self.state();
                if state.is_on(&stream) {
                    state.bytes = state.bytes.saturating_sub(bytes);
                }
                Ok(())
            }
            Err(Unfinished::NotYet(error)) => Err(error),
            Err(Unfinished::Failed(error)) => {
                let mut state = self.state();
                state.fail(error);
                if state.is_on(&stream) {
                    // Nobody queues while the lock is held. A second error belongs to what came behind the first.
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
        self.state().failed.take().map_or(Ok(()), Err)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_on(&self, stream: &Arc<Stream>) -> bool {
        self.stream.as_ref().is_some_and(|own| Arc::ptr_eq(own, stream))
    }
}

/// A lane. Dropping it waits for what is queued.
pub(super) struct AscendLane(pub(super) Arc<Queued>);

impl Lane for AscendLane {
    unsafe fn enqueue(&self, transfers: &[Transfer]) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.0.enqueue(transfers) }
    }

    fn wait(&self) -> Result<()> {
        self.0.settle()?;
        self.0.take_error()
    }

    fn drain(&self) {
        if let Err(error) = self.0.settle() {
            tracing::warn!("asynchronous copies are not done: {error}");
        }
    }
}

impl Drop for AscendLane {
    fn drop(&mut self) {
        self.drain();
    }
}
