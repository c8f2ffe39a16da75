// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Callers' streams that carry copies of ours.
//!
//! Memory must not be unmapped while a stream of the program still has copies of ours before it. Waiting for
//! such a stream would take its errors away from the program, and could wait for work of the program that
//! never ends by itself. So an event of ours is recorded behind the copies; a query of it shows when the
//! stream has passed, and consumes no error. There is one event a stream, recorded anew with each call: the
//! last record stands for all before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::driver::{Context, Driver, RawEvent};
use crate::RawStream;

const OP: &str = "device stream";

/// Number of streams from which on streams without work of ours are forgotten.
const TIDY_FROM: usize = 32;

/// Streams of callers with copies of ours.
pub(super) struct CallerStreams {
    driver: Arc<dyn Driver>,
    /// By address of the stream.
    marks: Mutex<BTreeMap<usize, Mark>>,
}

/// State of one stream.
struct Mark {
    event: Event,
    /// Calls that are putting copies on the stream and have not recorded the event behind them yet.
    busy: usize,
    /// True if the event is recorded behind all our work on the stream: recording it may fail.
    is_last: bool,
}

/// The runtime does not say it.
#[derive(PartialEq, Eq)]
struct Unknown;

/// An event of ours; dropping it destroys it.
struct Event {
    driver: Arc<dyn Driver>,
    raw: RawEvent,
    context: Context,
}

impl CallerStreams {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), marks: Mutex::default() }
    }

    /// Runs `work`, which puts copies on `stream`, and marks the stream behind them, also if only some got
    /// there. The stream's context, `context`, is current. The lock is not held during `work`, which blocks
    /// while the stream is full. Returns the results of the work, and of the mark.
    ///
    /// # Errors
    /// `NoResources` no event is left, nothing was queued then.
    ///
    /// # Safety
    /// The stream is alive.
    pub(super) unsafe fn with_mark(
        &self,
        context: Context,
        stream: RawStream,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<(Result<()>, Result<()>)> {
        let key = stream.0.addr();
        self.begin(key, context)?;
        let queued = work();
        // SAFETY: the caller keeps the stream alive.
        let marked = unsafe { self.end(key, stream) };
        Ok((queued, marked))
    }

    fn begin(&self, key: usize, context: Context) -> Result<()> {
        let mut marks = lock(&self.marks);
        if marks.len() >= TIDY_FROM {
            marks.retain(|_, mark| mark.busy > 0 || mark.event.is_past_record() == Ok(false));
        }
        match marks.get_mut(&key) {
            Some(mark) if mark.event.context == context => mark.busy += 1,
            // The address belonged to a destroyed stream, and its work was destroyed with it.
            Some(mark) if mark.busy == 0 => {
                *mark = Mark { event: Event::create(&self.driver, context)?, busy: 1, is_last: true };
            }
            Some(_) => {
                return Err(Error::invalid(OP, "two contexts use one stream at the same time"));
            }
            None => {
                let event = Event::create(&self.driver, context)?;
                marks.insert(key, Mark { event, busy: 1, is_last: true });
            }
        }
        Ok(())
    }

    /// # Safety
    /// As [`with_mark`](Self::with_mark).
    unsafe fn end(&self, key: usize, stream: RawStream) -> Result<()> {
        let mut marks = lock(&self.marks);
        let Some(mark) = marks.get_mut(&key) else { return Ok(()) };
        mark.busy -= 1;
        // SAFETY: the caller keeps the stream alive.
        let recorded = unsafe { self.driver.record_event(mark.event.raw, stream) };
        mark.is_last = recorded.is_ok();
        recorded
    }

    /// Waits until every stream has passed the copies of ours. Whether that is certain: a mark that cannot be
    /// queried counts as passed.
    ///
    /// # Errors
    /// `Timeout` a stream does not get there.
    pub(super) fn wait_past(&self, timeout: Duration) -> Result<bool> {
        let start = Instant::now();
        let mut pause = Duration::from_micros(20);
        let mut is_certain = true;
        loop {
            let left = {
                let mut marks = lock(&self.marks);
                marks.retain(|_, mark| {
                    let passed = mark.event.is_past_record();
                    is_certain &= mark.busy > 0 || passed.is_ok() && mark.is_last;
                    mark.busy > 0 || passed == Ok(false)
                });
                marks.len()
            };
            if left == 0 {
                return Ok(is_certain);
            }
            if start.elapsed() >= timeout {
                return Err(Error::new(Kind::Timeout, OP)
                    .what("streams of the program do not get past the copies that were put on them")
                    .with("streams", left)
                    .with("waited_ms", timeout.as_millis()));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }
}

impl Event {
    /// In `context`, which is current.
    fn create(driver: &Arc<dyn Driver>, context: Context) -> Result<Self> {
        Ok(Self { driver: Arc::clone(driver), raw: driver.create_event()?, context })
    }

    /// Returns true if the stream is past the record. An event that cannot be queried any more belonged to a
    /// destroyed context, with all its queued work: an error that counts as passed.
    fn is_past_record(&self) -> Result<bool, Unknown> {
        let query = || self.driver.event_is_reached(self.raw);
        self.driver.run_in(self.context, query).flatten().map_err(|error| {
            tracing::debug!("an event behind copies cannot be queried: {error}");
            Unknown
        })
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is this owner's own.
        let destroy = || unsafe { self.driver.destroy_event(self.raw) };
        if let Err(error) = self.driver.run_in(self.context, destroy).flatten() {
            tracing::debug!("an event was not given back: {error}");
        }
    }
}
