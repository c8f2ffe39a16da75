// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads that do started transfers.
//!
//! Transfers to one endpoint are done one after the other, in the order of their starts, so that
//! notifications keep that order. Those to different endpoints are done at once, by at most [`THREADS_MAX`]
//! threads: one that a stopped process holds up until the deadline delays no other endpoint, unless so many
//! are stopped. Threads come when they are needed and go when there is nothing to do.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{ThreadId, current};
use std::time::{Duration, Instant};

use mf_base::os::thread;
use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result};

use super::started::{Started, cancelled};
use super::waiting::wait_for;
use super::work::DESTROYED;

const OP: &str = "transfer";
/// Most threads of one endpoint.
const THREADS_MAX: usize = 16;
/// Time for which a thread without work stays.
const IDLE: Duration = Duration::from_secs(1);

/// The threads of one endpoint.
#[derive(Default)]
pub(super) struct Workers(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queues: Mutex<Queues>,
    changed: Condvar,
}

#[derive(Default)]
struct Queues {
    /// Pending transfers by destination. A queue exists as long as a thread works on it, or it is not empty.
    queues: BTreeMap<String, VecDeque<Arc<Started>>>,
    /// Queues with something, on which no thread works.
    ready: VecDeque<String>,
    /// Running transfers.
    running: Vec<(ThreadId, Arc<Started>)>,
    threads: Vec<ThreadId>,
    /// Number of sleeping threads.
    idle: usize,
    is_closed: bool,
}

impl Workers {
    /// Queues a transfer after earlier ones to the same endpoint.
    ///
    /// # Errors
    /// `NoResources` no thread can be started · `Cancelled` the endpoint was destroyed.
    pub(super) fn submit(&self, started: Arc<Started>) -> Result<()> {
        let mut queues = lock(&self.0.queues);
        if queues.is_closed {
            return Err(cancelled(&started.peer).what(DESTROYED));
        }
        if let Some(queue) = queues.queues.get_mut(&started.peer) {
            queue.push_back(started);
            return Ok(());
        }
        if queues.ready.len() >= queues.idle && queues.threads.len() < THREADS_MAX {
            let spawned = self.spawn(&mut queues);
            if queues.threads.is_empty() {
                spawned?;
            }
        }
        queues.ready.push_back(started.peer.clone());
        queues.queues.insert(started.peer.clone(), VecDeque::from([started]));
        drop(queues);
        self.0.changed.notify_one();
        Ok(())
    }

    fn spawn(&self, queues: &mut Queues) -> Result<()> {
        let shared = Arc::clone(&self.0);
        let thread = thread::spawn("mf-transfer", move || shared.work()).map_err(|error| {
            Error::new(Kind::NoResources, OP).what("no thread can be started").source(error)
        })?;
        queues.threads.push(thread.thread().id());
        Ok(())
    }

    /// Takes no more transfers; the present ones end as soon as they can.
    pub(super) fn close(&self) {
        let mut queues = lock(&self.0.queues);
        queues.is_closed = true;
        queues.ready.clear();
        let waiting = std::mem::take(&mut queues.queues);
        for (_, started) in &queues.running {
            started.cancel();
        }
        drop(queues);
        self.0.changed.notify_all();
        for started in waiting.into_values().flatten() {
            let error = cancelled(&started.peer).what(DESTROYED);
            started.end(Err(error));
        }
    }

    /// Waits until its threads are gone, but for the calling one.
    pub(super) fn wait(&self) {
        let own = current().id();
        wait_for(&self.0.queues, &self.0.changed, |queues| {
            queues.threads.iter().all(|thread| *thread == own).then_some(())
        });
    }
}

impl Shared {
    /// The life of a thread.
    fn work(&self) {
        let own = current().id();
        let mut idle_since = Instant::now();
        let mut queues = lock(&self.queues);
        loop {
            if let Some(peer) = queues.ready.pop_front() {
                let Some(started) = queues.queues.get_mut(&peer).and_then(VecDeque::pop_front) else {
                    continue;
                };
                queues.running.push((own, Arc::clone(&started)));
                drop(queues);
                if catch_unwind(AssertUnwindSafe(|| started.run())).is_err() {
                    started.end(Err(Error::new(Kind::Failed, OP).what("the transfer panicked")));
                }
                drop(started);
                queues = lock(&self.queues);
                queues.running.retain(|(thread, _)| *thread != own);
                match queues.queues.get(&peer).map(VecDeque::is_empty) {
                    Some(true) => drop(queues.queues.remove(&peer)),
                    Some(false) => queues.ready.push_back(peer),
                    None => {}
                }
                idle_since = Instant::now();
                continue;
            }
            let left = IDLE.saturating_sub(idle_since.elapsed());
            if queues.is_closed || left.is_zero() {
                break;
            }
            queues.idle += 1;
            queues = wait_notified_for(&self.changed, queues, left);
            queues.idle -= 1;
        }
        queues.threads.retain(|thread| *thread != own);
        drop(queues);
        self.changed.notify_all();
    }
}
