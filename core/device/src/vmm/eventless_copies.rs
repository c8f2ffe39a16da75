// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Eventless copies: copies on streams of the program with no mark behind them.
//!
//! A mark ([`super::caller_streams`]) costs the runtime as much as a copy. Without one, it is unknown when
//! the stream is past the copy: it may be destroyed meanwhile, and a graph that was captured from it may run
//! the copy again at any time. So before memory is unmapped the whole device is waited for, in each context
//! from which such a copy ever came. That wait takes errors of the program's streams away from it; they are
//! logged.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::driver::{Context, Driver, Unfinished};

const OP: &str = "device stream";

/// So many errors of streams are taken before the device counts as one that does not come to rest.
const ERRORS: usize = 64;

/// Contexts with such copies.
pub(super) struct EventlessCopies {
    driver: Arc<dyn Driver>,
    contexts: Mutex<Vec<Context>>,
    /// The last one that was noted.
    last: AtomicPtr<c_void>,
}

impl EventlessCopies {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), contexts: Mutex::default(), last: AtomicPtr::default() }
    }

    /// Before a copy is put on a stream of this context.
    #[inline]
    pub(super) fn note(&self, context: Context) {
        // The thread that stored it has added it to the list; contexts leave the list only when they are
        // destroyed.
        if self.last.load(Ordering::Acquire) != context.0 {
            self.add(context);
        }
    }

    #[cold]
    fn add(&self, context: Context) {
        let mut contexts = lock(&self.contexts);
        if !contexts.contains(&context) {
            contexts.push(context);
        }
        self.last.store(context.0, Ordering::Release);
    }

    /// Waits until all that is on streams of the device is done.
    ///
    /// # Errors
    /// `Timeout`, `Failed` the device does not come to rest.
    pub(super) fn wait(&self, timeout: Duration) -> Result<()> {
        let deadline = Instant::now() + timeout;
        let contexts = lock(&self.contexts).clone();
        contexts.into_iter().try_for_each(|context| self.wait_in(context, deadline))
    }

    fn wait_in(&self, context: Context, deadline: Instant) -> Result<()> {
        for _ in 0..ERRORS {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            match self.driver.run_in(context, || self.driver.wait_device(left)) {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(Unfinished::NotYet(error))) => return Err(streams_busy().source(error)),
                Ok(Err(Unfinished::Failed(error))) => {
                    tracing::warn!(
                        "an error on a stream of the program, found while the device was waited for: {error}"
                    );
                }
                Err(gone) => {
                    // Work that was queued in it is destroyed, too.
                    tracing::debug!("a context of the program is gone: {gone}");
                    let mut contexts = lock(&self.contexts);
                    contexts.retain(|known| *known != context);
                    self.last.store(std::ptr::null_mut(), Ordering::Release);
                    return Ok(());
                }
            }
        }
        Err(streams_busy())
    }
}

fn streams_busy() -> Error {
    Error::new(Kind::Timeout, OP).what("streams of the program do not come to rest")
}
