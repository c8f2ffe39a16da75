// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Submission queues, each with a thread that does its tasks in order, and the reports of tasks that failed.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use mf_base::sync::lock;

use super::entry::{TaskEntry, Work};
use super::notifies;
use crate::clock::{self, Deadline, wait, wait_slice};
use crate::codes::{acl, hal};
use crate::device::Device;
use crate::fault::{Fault, Outcome};
use crate::memory::transfer::{self, Initiator};
use crate::stream::Running;
use crate::stream::thread;

/// A report of the hardware: 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Report {
    /// Stream and task of the failed entry.
    pub(super) entry: TaskEntry,
    /// Error code of ACL.
    pub(super) code: u32,
    /// Queue and its head at that time.
    pub(super) queue: u16,
    /// See `queue`.
    pub(super) head: u16,
}

/// A submission queue.
pub(super) struct Queue {
    /// Number on its device.
    pub(super) number: u32,
    /// Entries it holds.
    pub(super) depth: u32,
    /// Address at which its entries may be read.
    pub(super) device: Arc<Device>,
    state: Mutex<SqState>,
    changed: Condvar,
    /// Error bits since they were last read.
    status: AtomicU32,
}

#[derive(Default)]
struct SqState {
    entries: VecDeque<TaskEntry>,
    head: u32,
    tail: u32,
    paused: bool,
    closed: bool,
    started: bool,
    reports: VecDeque<Report>,
}

impl Queue {
    /// An idle queue.
    pub(super) fn new(number: u32, depth: u32, device: Arc<Device>) -> Self {
        Self {
            number,
            depth,
            device,
            state: Mutex::default(),
            changed: Condvar::new(),
            status: AtomicU32::new(0),
        }
    }

    /// Returns the positions of the next task to finish and the next to be submitted.
    pub(super) fn ends(&self) -> (u32, u32) {
        let state = lock(&self.state);
        (state.head, state.tail)
    }

    /// Error bits; reading clears them.
    pub(super) fn take_status(&self) -> u32 {
        self.status.swap(0, Ordering::AcqRel)
    }

    /// Stands still, or goes on.
    pub(super) fn pause(&self, paused: bool) {
        lock(&self.state).paused = paused;
        self.changed.notify_all();
    }

    /// Appends tasks. Gives out the index of the first.
    ///
    /// # Errors
    /// 60 when they do not fit.
    pub(super) fn submit(self: &Arc<Self>, entries: &[TaskEntry]) -> Outcome<u32> {
        let mut state = lock(&self.state);
        let used = (state.tail + self.depth - state.head) % self.depth;
        let room = self.depth - 1 - used;
        let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
        if count > room {
            return Err(Fault::new(
                hal::SQID_FULL,
                format_args!("queue {} has room for {room} tasks, not {count}", self.number),
            ));
        }
        if !state.started {
            let queue = Arc::clone(self);
            thread::start("ascsim-stars", move || queue.work())?;
            state.started = true;
        }
        let first = state.tail;
        state.entries.extend(entries);
        state.tail = (state.tail + count) % self.depth;
        drop(state);
        self.changed.notify_all();
        Ok(first)
    }

    /// Drops the queued tasks and ends the thread; the running task ends when it waits.
    pub(super) fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        state.entries.clear();
        drop(state);
        self.changed.notify_all();
    }

    /// Takes reports of failed tasks, at most `most`; waits for the first one until the deadline.
    pub(super) fn reports(&self, most: usize, deadline: Deadline) -> Vec<Report> {
        let mut state = lock(&self.state);
        while state.reports.is_empty() && !deadline.is_over() && !state.closed {
            state = wait_slice(&self.changed, state, deadline);
        }
        let count = most.min(state.reports.len());
        state.reports.drain(..count).collect()
    }

    fn work(&self) {
        while let Some(entry) = self.next() {
            let outcome = self.perform(&entry);
            let mut state = lock(&self.state);
            state.head = (state.head + 1) % self.depth;
            if let Err(fault) = outcome {
                let report = Report {
                    entry,
                    code: fault.code.unsigned_abs(),
                    queue: u16::try_from(self.number).unwrap_or(u16::MAX),
                    head: u16::try_from(state.head).unwrap_or(u16::MAX),
                };
                state.reports.push_back(report);
                self.status.fetch_or(1, Ordering::AcqRel);
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    fn next(&self) -> Option<TaskEntry> {
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return None;
            }
            if !state.paused
                && let Some(entry) = state.entries.pop_front()
            {
                return Some(entry);
            }
            state = wait(&self.changed, state, Deadline::NEVER);
        }
    }

    fn perform(&self, entry: &TaskEntry) -> Outcome {
        let by = Initiator::Device(self.device.physical);
        match entry.work {
            Work::Record { notify } => notifies::find(&self.device, notify)?.record(),
            Work::Wait { notify, timeout } => {
                let notify = notifies::find(&self.device, notify)?;
                let timeout = (timeout > 0).then(|| Duration::from_secs(timeout.into()));
                let running = Running::outside(Arc::clone(&self.device));
                running.poll("a notify of a hardware queue", Deadline::after(timeout), || {
                    if lock(&self.state).closed {
                        return Err(Fault::new(acl::STREAM_ABORT, "the queue was freed"));
                    }
                    notify.try_take()
                })
            }
            Work::Write { address, value } => transfer::store_word(by, address, value),
            Work::Copy { source, destination, bytes } => {
                transfer::copy(by, destination, source, bytes.into())
            }
            Work::Unknown { kind, opcode } => Err(Fault::new(
                acl::FEATURE_NOT_SUPPORT,
                format_args!("the simulator does no tasks of type {kind} with opcode {opcode}"),
            )),
        }
    }
}

/// The time that reports carry, in nanoseconds.
pub(super) fn timestamp() -> u64 {
    u64::try_from(clock::now().as_nanos()).unwrap_or(u64::MAX)
}
