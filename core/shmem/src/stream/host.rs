// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stream of operations on host memory: in order, on a separate thread.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::ops::WorkQueue;
use mf_base::ops::queue::{Limits, Refusal};
use mf_base::{Error, Kind, Result};

use super::Work;

const OP: &str = "stream";
/// One thread keeps the order. It ends when nothing is left.
const LIMITS: Limits = Limits {
    name: "mf-stream",
    threads: 1,
    width: 1,
    waiting: usize::MAX,
    idle: Duration::ZERO,
    calls_program: true,
};

/// A stream, shared by references. Its operations are performed, also after the last reference is dropped.
pub struct HostStream(WorkQueue<Work>);

impl HostStream {
    /// Creates an empty stream.
    pub fn new() -> Arc<Self> {
        Arc::new(Self(WorkQueue::new(LIMITS)))
    }

    /// Appends work.
    ///
    /// # Errors
    /// `NoResources` no thread can be started; the work is dropped.
    pub(super) fn push(&self, work: Work) -> Result<()> {
        self.0.submit(work).map_err(|(refusal, _)| {
            let error = Error::new(Kind::NoResources, OP).what("a thread could not be started");
            match refusal {
                Refusal::NoThread(reason) => error.source(reason),
                Refusal::Closed | Refusal::Full => error,
            }
        })
    }

    /// Waits until all its operations are done. **Local.**
    ///
    /// # Errors
    /// `Timeout` with the number of operations left at the deadline.
    pub fn synchronize(&self, deadline: Instant) -> Result<()> {
        self.0.wait_idle(Some(deadline)).map_err(|waiting| {
            Error::new(Kind::Timeout, OP)
                .what("operations of the stream are not done in time")
                .with("behind_the_present_one", waiting)
                .hint("a wait on it may never be satisfied")
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

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
    fn panic_ends_its_operation_only() {
        let (stream, (done, order)) = (HostStream::new(), channel());
        stream.push(Box::new(|| std::panic::resume_unwind(Box::new("the test's own")))).unwrap();
        stream.push(Box::new(move || done.send(7).unwrap())).unwrap();
        stream.synchronize(soon()).unwrap();
        assert_eq!(order.recv().unwrap(), 7);
    }
}
