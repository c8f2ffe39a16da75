// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stream of operations on host memory: in order, on a separate thread.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result};

use super::Work;

const OP: &str = "stream";

/// A stream, shared by references. Its operations are performed, also after the last reference is dropped.
#[derive(Default)]
pub struct HostStream {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    work: VecDeque<Work>,
    /// True if there is a thread; it ends when nothing is left.
    is_served: bool,
}

impl HostStream {
    /// Creates an empty stream.
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Appends work.
    ///
    /// # Errors
    /// `NoResources` no thread can be started; the work is dropped.
    pub(super) fn push(self: &Arc<Self>, work: Work) -> Result<()> {
        let mut queue = lock(&self.queue);
        if !queue.is_served {
            let stream = Arc::clone(self);
            let thread = std::thread::Builder::new().name("mf-stream".to_owned());
            thread.spawn(move || stream.serve()).map_err(|error| {
                Error::new(Kind::NoResources, OP).what("a thread could not be started").source(error)
            })?;
            queue.is_served = true;
        }
        queue.work.push_back(work);
        Ok(())
    }

    fn serve(&self) {
        loop {
            let mut queue = lock(&self.queue);
            let Some(work) = queue.work.pop_front() else {
                queue.is_served = false;
                self.changed.notify_all();
                return;
            };
            drop(queue);
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("work on a stream panicked");
            }
        }
    }

    /// Waits until all its operations are done. **Local.**
    ///
    /// # Errors
    /// `Timeout` with the number of operations left at the deadline.
    pub fn synchronize(&self, deadline: Instant) -> Result<()> {
        let mut queue = lock(&self.queue);
        while queue.is_served {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::new(Kind::Timeout, OP)
                    .what("operations of the stream are not done in time")
                    .with("behind_the_present_one", queue.work.len())
                    .hint("a wait on it may never be satisfied"));
            }
            queue = wait_notified_for(&self.changed, queue, left);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn stream_runs_work_in_order_without_blocking_the_caller() {
        let (stream, (release, released), (done, order)) = (HostStream::new(), channel::<()>(), channel());
        stream.synchronize(soon()).unwrap();
        stream.push(Box::new(move || released.recv().unwrap())).unwrap();
        for number in 0..5 {
            let done = done.clone();
            stream.push(Box::new(move || done.send(number).unwrap())).unwrap();
        }
        let error = stream.synchronize(Instant::now()).unwrap_err();
        assert_eq!(error.kind(), Kind::Timeout);
        assert!(order.try_recv().is_err());
        release.send(()).unwrap();
        stream.synchronize(soon()).unwrap();
        assert_eq!(order.try_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn panic_does_not_end_later_work() {
        let (stream, (done, order)) = (HostStream::new(), channel());
        stream.push(Box::new(|| std::panic::resume_unwind(Box::new("the test's own")))).unwrap();
        stream.push(Box::new(move || done.send(7).unwrap())).unwrap();
        stream.synchronize(soon()).unwrap();
        assert_eq!(order.recv().unwrap(), 7);
    }
}
