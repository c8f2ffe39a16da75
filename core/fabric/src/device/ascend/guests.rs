// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The callers' streams that carry copies of ours.
//!
//! Memory must not be unmapped while a stream of the program still has copies of ours before it. Waiting for such a stream
//! would take its errors away from the program, and could wait for work of the program that never ends by itself. So an
//! event of ours is recorded behind the copies; asking it tells when the stream has passed, and takes nothing away. There
//! is one event a stream, recorded anew with each call: the last record stands for all before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ascend_acl_sys::acl::{self, Context, Stream};
use ascend_acl_sys::raw::types as abi;
use mf_base::{Error, Kind, Result};

use super::cann::OrRefused;
use super::runtime::Runtime;

const OP: &str = "ascend stream";

/// From so many streams on those that have nothing of ours any more are forgotten.
const TIDY_FROM: usize = 32;

/// Streams of callers with copies of ours.
pub(super) struct Guests {
    runtime: Arc<Runtime>,
    /// By address of the stream.
    marks: Mutex<BTreeMap<usize, Mark>>,
}

/// What is known of one stream.
struct Mark {
    event: Event,
    /// Calls that are putting copies on the stream and have not recorded the event behind them yet.
    busy: usize,
}

/// An event of ours; dropping it destroys it.
struct Event {
    runtime: Arc<Runtime>,
    handle: acl::Event,
    context: Context,
}

impl Guests {
    pub(super) fn new(runtime: &Arc<Runtime>) -> Self {
        Self { runtime: Arc::clone(runtime), marks: Mutex::default() }
    }

    /// Does `work`, which puts copies on `stream`, and marks the stream behind them, also when only some got there. The
    /// stream's context, `context`, is current. The lock is not held during `work`, which blocks while the stream is full.
    ///
    /// # Errors
    /// `NoResources` no event is left, nothing was queued then · those of `work`.
    pub(super) fn with_mark(
        &self,
        context: Context,
        stream: Stream,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let key = stream.as_raw().addr();
        self.begin(key, context)?;
        let queued = work();
        let marked = self.end(key, stream);
        queued.and(marked)
    }

    fn begin(&self, key: usize, context: Context) -> Result<()> {
        let mut marks = self.marks();
        if marks.len() >= TIDY_FROM {
            marks.retain(|_, mark| mark.busy > 0 || !mark.event.is_done());
        }
        match marks.get_mut(&key) {
            Some(mark) if mark.event.context == context => mark.busy += 1,
            // The address belonged to a stream that is gone, and everything on it is, too.
            Some(mark) if mark.busy == 0 => {
                *mark = Mark { event: Event::create(&self.runtime, context)?, busy: 1 };
            }
            Some(_) => {
                return Err(Error::invalid(OP, "two contexts use one stream at the same time"));
            }
            None => {
                let event = Event::create(&self.runtime, context)?;
                marks.insert(key, Mark { event, busy: 1 });
            }
        }
        Ok(())
    }

    fn end(&self, key: usize, stream: Stream) -> Result<()> {
        let mut marks = self.marks();
        let Some(mark) = marks.get_mut(&key) else { return Ok(()) };
        mark.busy -= 1;
        self.runtime.cann.acl().record_event(mark.event.handle, stream).or_refused()
    }

    /// Waits until every stream has passed the copies of ours.
    ///
    /// # Errors
    /// `Timeout` a stream does not get there.
    pub(super) fn settle(&self, patience: Duration) -> Result<()> {
        let start = Instant::now();
        let mut pause = Duration::from_micros(20);
        loop {
            let left = {
                let mut marks = self.marks();
                marks.retain(|_, mark| mark.busy > 0 || !mark.event.is_done());
                marks.len()
            };
            if left == 0 {
                return Ok(());
            }
            if start.elapsed() >= patience {
                return Err(Error::new(Kind::Timeout, OP)
                    .what("streams of the program do not get past the copies that were put on them")
                    .with("streams", left)
                    .with("waited_ms", patience.as_millis()));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }

    fn marks(&self) -> MutexGuard<'_, BTreeMap<usize, Mark>> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Event {
    /// In `context`, which is current.
    fn create(runtime: &Arc<Runtime>, context: Context) -> Result<Self> {
        let made = runtime.cann.acl().create_reusable_event(abi::ACL_EVENT_CAPTURE_STREAM_PROGRESS);
        Ok(Self { runtime: Arc::clone(runtime), handle: made.or_refused()?, context })
    }

    /// Whether the stream is past the record. An event that cannot be asked any more belonged to a context that is gone,
    /// and whatever was queued there is, too.
    fn is_done(&self) -> bool {
        let ask = || self.runtime.cann.acl().event_is_reached(self.handle).or_refused();
        self.runtime.run_in(self.context, ask).flatten().unwrap_or_else(|error| {
            tracing::debug!("an event behind copies cannot be asked: {error}");
            true
        })
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        let runtime = &self.runtime;
        // SAFETY: the event is this owner's own.
        let destroy = || unsafe { runtime.cann.acl().destroy_event(self.handle) }.or_refused();
        if let Err(error) = runtime.run_in(self.context, destroy).flatten() {
            tracing::debug!("an event was not given back: {error}");
        }
    }
}
