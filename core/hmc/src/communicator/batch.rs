// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Queue of started operations, and batching: queued operations performed as one. Many short ones would each
//! wait for the other process.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use mf_base::ops::WorkQueue;
use mf_base::ops::queue::{Job, Limits};
use mf_base::os::service::Panicked;
use mf_base::{Error, Retry};
use mf_transport::Span;

use super::CommunicatorInner;
use super::connection::{Connection, is_gone};
use super::started::Pending;
use crate::numbers::Status;
use crate::status_errors::fault;

/// Limits of a batch.
const OPERATIONS_MAX: usize = 64;
const BYTES_MAX: u64 = 4 << 20;

/// An operation for a worker thread.
pub(super) struct Task {
    pub(super) op: &'static str,
    pub(super) inner: Weak<CommunicatorInner>,
    pub(super) connection: Arc<Connection>,
    pub(super) span: Span,
    pub(super) is_put: bool,
    pub(super) pending: Arc<Pending>,
}

// SAFETY: the local range of the span lies in the buffer of the communicator, which belongs to no thread and
// lives as long as the network of the connection.
unsafe impl Send for Task {}

/// Creates the queue of a communicator: at most one thread per channel.
pub(super) fn queue(channels: u64) -> WorkQueue<Task> {
    let threads = usize::try_from(channels).unwrap_or(1);
    WorkQueue::new(Limits {
        name: "mf-hmc",
        threads,
        width: threads,
        waiting: usize::MAX,
        idle: Duration::from_secs(1),
        calls_program: false,
    })
}

impl Task {
    /// Ends it with its communicator.
    pub(super) fn end_unperformed(&self) {
        self.pending.operation.end(Err(ended(self.op)));
    }
}

/// All operations have one key: their order matters only inside a batch.
impl Job for Task {
    type Key = ();
    type Batch = Vec<Self>;

    fn key(&self) {}

    /// Takes the thread's share of the waiting operations.
    fn take(first: Self, rest: &mut VecDeque<Self>, threads: usize) -> Vec<Self> {
        let share = (rest.len() + 1).div_ceil(threads.max(1)).min(OPERATIONS_MAX);
        let mut taken = vec![first];
        while taken.len() < share && rest.front().is_some_and(|next| goes_with(&taken, next)) {
            taken.extend(rest.pop_front());
        }
        taken
    }

    fn run(batch: &mut Vec<Self>) {
        perform(batch);
    }

    fn panicked(batch: &mut Vec<Self>, panicked: &Panicked) {
        for Task { op, pending, .. } in batch {
            let error = fault(op, Status::Error, "the operation panicked").source(panicked.error(op));
            pending.operation.end(Err(error));
        }
    }
}

#[cold]
pub(super) fn ended(op: &'static str) -> Error {
    fault(op, Status::Error, "the communicator was destroyed")
}

/// Returns true if an operation may be batched with those before it: in any order, and for the same peer.
fn goes_with(taken: &[Task], next: &Task) -> bool {
    let Some(first) = taken.first() else { return true };
    let is_like = Arc::ptr_eq(&first.connection, &next.connection)
        && (first.op, first.is_put) == (next.op, next.is_put);
    let bytes: u64 = taken.iter().map(|task| task.span.bytes).sum();
    is_like
        && bytes.saturating_add(next.span.bytes) <= BYTES_MAX
        && !taken.iter().any(|task| are_in_order(&task.span, &next.span, next.is_put))
}

/// Returns true if one must not overtake the other, because both write to the same range.
fn are_in_order(one: &Span, other: &Span, is_put: bool) -> bool {
    let written = |span: &Span| if is_put { span.address } else { span.local.addr() as u64 };
    let (one_begins, other_begins) = (written(one), written(other));
    // Ranges of buffers do not wrap.
    one_begins < other_begins + other.bytes && other_begins < one_begins + one.bytes
}

/// Merges spans that adjoin at both ends.
fn merged(spans: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in spans.filter(|span| span.bytes > 0) {
        match merged.last_mut() {
            Some(last)
                if last.address + last.bytes == span.address
                    && last.local.addr() as u64 + last.bytes == span.local.addr() as u64 =>
            {
                last.bytes += span.bytes;
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// Performs a batch, and ends each operation.
fn perform(tasks: &[Task]) {
    let Some(first) = tasks.first() else { return };
    let Some(inner) = first.inner.upgrade() else {
        return tasks.iter().for_each(Task::end_unperformed);
    };
    let spans = merged(tasks.iter().map(|task| task.span));
    // SAFETY: the ranges lie in the buffer, which lives as long as the communicator.
    let all = unsafe { first.connection.copy_all(&spans, first.is_put) };
    for task in tasks {
        let done = match &all {
            Ok(()) => Ok(()),
            // Some operations may succeed although another fails; copied ones are copied again.
            Err(error) if tasks.len() > 1 && !is_gone(error) && error.retry_class() != Retry::AtOnce => {
                // SAFETY: the task's range was checked to lie in the buffer, which lives as long as the
                // communicator.
                unsafe { task.connection.copy(&task.span, task.is_put) }
            }
            Err(error) => Err(error.duplicate()),
        };
        task.pending.operation.end(inner.ended(task.op, &task.connection, done));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(local: usize, address: u64, bytes: u64) -> Span {
        Span { local: std::ptr::without_provenance_mut(local), address, bytes }
    }

    #[test]
    fn adjacent_spans_merge_and_overlapping_writes_are_ordered() {
        let spans = [span(10, 100, 5), span(15, 105, 5), span(20, 111, 0), span(20, 111, 1), span(0, 112, 1)];
        let merged: Vec<_> = merged(spans.into_iter()).iter().map(|one| (one.address, one.bytes)).collect();
        assert_eq!(merged, [(100, 10), (111, 1), (112, 1)]);
        let one = span(10, 100, 5);
        for (other, put, get) in [
            (span(50, 104, 1), true, false),
            (span(50, 105, 9), false, false),
            (span(5, 95, 5), false, false),
            (span(5, 200, 6), false, true),
            (span(12, 102, 0), true, true),
        ] {
            assert_eq!(are_in_order(&one, &other, true), put, "{other:?}");
            assert_eq!(are_in_order(&one, &other, false), get, "{other:?}");
        }
    }
}
