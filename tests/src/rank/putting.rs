// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Writing to one place over and over, on a thread of its own.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use mf_base::Gva;
use mf_smem::bm::Pool;
use mf_tests::{Answer, Failure, deadline};

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    done: AtomicU64,
    failure: Mutex<Option<Failure>>,
}

/// A thread that puts until it is stopped or meets an error.
pub(crate) struct Putting {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Putting {
    pub(crate) fn start(pool: Pool, there: Gva, content: Vec<u8>) -> Self {
        let shared = Arc::new(Shared::default());
        let mine = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            while !mine.stop.load(Ordering::Acquire) {
                if let Err(error) = pool.put(&content, there) {
                    *mine.failure.lock().unwrap() = Some(error.into());
                    return;
                }
                mine.done.fetch_add(1, Ordering::AcqRel);
            }
        });
        Self { shared, thread: Some(thread) }
    }

    fn failure(&self) -> Option<Failure> {
        self.shared.failure.lock().unwrap().clone()
    }

    /// Waits until it has put so often; its error when it met one.
    pub(crate) fn await_puts(&self, puts: u64) -> Result<Answer, Failure> {
        let enough = || self.shared.done.load(Ordering::Acquire) >= puts;
        if !deadline::wait_until(|| enough() || self.failure().is_some()) {
            return Err(Failure::wrong("the puts do not get on"));
        }
        self.failure().map_or(Ok(Answer::Done), Err)
    }

    /// Waits until it meets an error, and gives that.
    pub(crate) fn await_error(&self) -> Result<Answer, Failure> {
        deadline::wait_until(|| self.failure().is_some());
        self.failure().map_or(Ok(Answer::Done), Err)
    }

    /// Ends it; how often it has put, or its error.
    pub(crate) fn stop(mut self) -> Result<Answer, Failure> {
        self.end();
        let done = self.shared.done.load(Ordering::Acquire);
        self.failure().map_or(Ok(Answer::Number(done)), Err)
    }

    fn end(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("puts do not panic");
        }
    }
}

impl Drop for Putting {
    fn drop(&mut self) {
        self.end();
    }
}
