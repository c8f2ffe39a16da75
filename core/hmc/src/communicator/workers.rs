// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Worker threads for started operations: at most one per channel, started on demand, ended when idle.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::Duration;

use mf_base::os::{service, thread};
use mf_base::sync::{lock, wait_notified, wait_notified_for};
use mf_base::{Error, Result};
use mf_net::Span;

use super::connection::Connection;
use super::started::Pending;
use super::{Inner, batch};
use crate::fault::fault;
use crate::numbers::Status;

/// Time after which an idle thread ends.
const IDLE: Duration = Duration::from_secs(1);

/// An operation for a worker.
pub(super) struct Task {
    pub(super) op: &'static str,
    pub(super) connection: Arc<Connection>,
    pub(super) span: Span,
    pub(super) is_put: bool,
    pub(super) pending: Arc<Pending>,
}

// SAFETY: the local range of the span lies in the buffer of the communicator, which belongs to no thread and
// lives as long as the network of the connection.
unsafe impl Send for Task {}

/// The threads of one communicator.
pub(super) struct Workers {
    most: u64,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    threads: u64,
    idle: u64,
    is_closed: bool,
}

impl Workers {
    pub(super) fn new(most: u64) -> Self {
        Self { most, shared: Arc::default() }
    }

    /// Queues an operation.
    ///
    /// # Errors
    /// `Error` no thread can be started, or the communicator is ending.
    pub(super) fn submit(&self, op: &'static str, inner: &Arc<Inner>, task: Task) -> Result<()> {
        let mut queue = lock(&self.shared.queue);
        if queue.is_closed {
            return Err(ended(op));
        }
        if queue.idle <= queue.tasks.len() as u64 && queue.threads < self.most {
            let (shared, inner) = (Arc::clone(&self.shared), Arc::downgrade(inner));
            match thread::spawn("mf-hmc", move || shared.work(&inner)) {
                Ok(_) => queue.threads += 1,
                // The running threads do it.
                Err(_) if queue.threads > 0 => {}
                Err(error) => {
                    return Err(fault(op, Status::Error, "no thread can be started").source(error));
                }
            }
        }
        queue.tasks.push_back(task);
        drop(queue);
        self.shared.changed.notify_one();
        Ok(())
    }

    /// Returns true if no operation is waiting or in progress.
    pub(super) fn is_idle(&self) -> bool {
        let queue = lock(&self.shared.queue);
        queue.tasks.is_empty() && queue.idle == queue.threads
    }

    /// Refuses new operations; ends the ones that have not begun.
    pub(super) fn close(&self) {
        let mut queue = lock(&self.shared.queue);
        queue.is_closed = true;
        let waiting = std::mem::take(&mut queue.tasks);
        drop(queue);
        self.shared.changed.notify_all();
        for task in waiting {
            task.pending.end(Err(ended(task.op)));
        }
    }

    /// Waits until the threads have ended.
    pub(super) fn wait(&self) {
        let mut queue = lock(&self.shared.queue);
        while queue.threads > 0 {
            queue = wait_notified(&self.shared.changed, queue);
        }
    }
}

impl Shared {
    fn work(&self, inner: &Weak<Inner>) {
        let mut queue = lock(&self.queue);
        loop {
            let threads = queue.threads;
            let taken = batch::take(&mut queue.tasks, threads);
            if !taken.is_empty() {
                drop(queue);
                if let Err(panicked) = service::catch(|| {
                    service::turn();
                    batch::perform(inner, &taken);
                }) {
                    let failed = |op| fault(op, Status::Error, "the operation panicked");
                    let error = |op| failed(op).source(panicked.error(op));
                    taken.iter().for_each(|task| task.pending.end_if_open(|| Err(error(task.op))));
                }
                drop(taken);
                queue = lock(&self.queue);
                continue;
            }
            if queue.is_closed {
                break;
            }
            queue.idle += 1;
            let before = std::time::Instant::now();
            queue = wait_notified_for(&self.changed, queue, IDLE);
            queue.idle -= 1;
            if queue.tasks.is_empty() && before.elapsed() >= IDLE {
                break;
            }
        }
        queue.threads -= 1;
        drop(queue);
        self.changed.notify_all();
    }
}

#[cold]
pub(super) fn ended(op: &'static str) -> Error {
    fault(op, Status::Error, "the communicator was destroyed")
}
