// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that may wait, on a stream of the program.
//!
//! A runtime has one thread for the functions of all streams of a context, so none of them may wait for
//! another stream. The function on the stream only starts a thread; the stream then waits for a flag, which
//! that thread sets when the work is done, by a stream of ours.
//!
//! ```text
//!   the program's stream   start the thread | wait for the flag | give the flag back | what comes later
//!   the thread                     the work, set the flag
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock};

use mf_base::Result;
use mf_base::sync::lock;

use super::driver::{Driver, RawNotify, Work};
use super::streams::Stream;
use crate::device::RawStream;

/// What streams wait by.
pub(super) struct Waiting {
    driver: Arc<dyn Driver>,
    /// Flags that no stream uses at present.
    idle: Arc<Mutex<Vec<RawNotify>>>,
    /// Sets the flags.
    setter: OnceLock<Arc<Stream>>,
}

impl Waiting {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), idle: Arc::default(), setter: OnceLock::new() }
    }

    fn setter(&self) -> Result<Arc<Stream>> {
        if let Some(setter) = self.setter.get() {
            return Ok(Arc::clone(setter));
        }
        let made = Arc::new(Stream::create(&self.driver)?);
        Ok(Arc::clone(self.setter.get_or_init(|| made)))
    }

    /// Makes sure that the work can be put on a stream. Not inside of the stream's context.
    pub(super) fn prepare(&self) -> Result<Prepared> {
        let setter = self.setter()?;
        let idle = lock(&self.idle).pop();
        let notify = match idle {
            Some(notify) => notify,
            None => self.driver.run(|| self.driver.create_notify())??,
        };
        Ok(Prepared { driver: Arc::clone(&self.driver), idle: Arc::clone(&self.idle), setter, notify })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let driver = &self.driver;
        for notify in lock(&self.idle).drain(..) {
            // SAFETY: no stream uses it.
            let destroyed = driver.run(|| unsafe { driver.destroy_notify(notify) });
            if let Err(error) = destroyed.flatten() {
                tracing::warn!("a flag of a stream was not given back: {error}");
            }
        }
    }
}

/// What one piece of work needs.
pub(super) struct Prepared {
    driver: Arc<dyn Driver>,
    idle: Arc<Mutex<Vec<RawNotify>>>,
    setter: Arc<Stream>,
    notify: RawNotify,
}

impl Prepared {
    /// Puts the work on a stream, whose context is current.
    ///
    /// # Safety
    /// The stream is alive as long as something is on it.
    pub(super) unsafe fn queue(self, stream: RawStream, work: Work) -> Result<()> {
        let Self { driver, idle, setter, notify } = self;
        let set = {
            let driver = Arc::clone(&driver);
            move || {
                // SAFETY: the stream is ours, and the flag is alive until the waiting stream is past it.
                let set = driver.run(|| unsafe { driver.queue_notify(setter.raw(), notify) });
                if let Err(error) = set.flatten() {
                    tracing::error!("a stream waits for work that is done: {error}");
                }
            }
        };
        let start = Box::new(move || start(work, set));
        // SAFETY: passed on to the caller.
        if let Err(error) = unsafe { driver.queue_function(stream, start) } {
            lock(&idle).push(notify);
            return Err(error);
        }
        // A flag that the stream is not known to be past is used by nobody else: it stays as it is.
        // SAFETY: passed on to the caller.
        if let Err(error) = unsafe { driver.queue_wait(stream, notify) } {
            return Err(
                error.hint("the work has begun, and what comes later on the stream does not wait for it")
            );
        }
        // SAFETY: passed on to the caller.
        let returned = unsafe { driver.queue_function(stream, Box::new(move || lock(&idle).push(notify))) };
        if let Err(error) = returned {
            tracing::warn!("a flag is not used again, the stream takes no more: {error}");
        }
        Ok(())
    }
}

/// Does the work on a thread of its own, and then what follows; here, where there is no thread.
fn start(work: Work, then: impl FnOnce() + Send + 'static) {
    let both: Work = Box::new(move || {
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            tracing::error!("work on a stream panicked");
        }
        then();
    });
    let both = Arc::new(Mutex::new(Some(both)));
    let take = |both: &Mutex<Option<Work>>| lock(both).take().map_or((), |both| both());
    let theirs = Arc::clone(&both);
    let started = std::thread::Builder::new().name("mf-stream".to_owned()).spawn(move || take(&theirs));
    if let Err(error) = started {
        tracing::warn!("a thread for work on a stream could not be started, others wait for it: {error}");
        take(&both);
    }
}
