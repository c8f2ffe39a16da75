// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Batching: queued operations performed as one. Many short ones would each wait for the other process.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use mf_base::Retry;
use mf_fabric::transport::Span;

use super::Inner;
use super::connection::is_gone;
use super::workers::{Task, ended};

/// Most operations, and most bytes, of a batch.
const MOST: usize = 64;
const BYTES_MAX: u64 = 4 << 20;

/// Takes the next operations for one of `threads` threads, in their order: its share of the waiting ones.
pub(super) fn take(waiting: &mut VecDeque<Task>, threads: u64) -> Vec<Task> {
    let share = waiting.len().div_ceil(usize::try_from(threads.max(1)).unwrap_or(1)).min(MOST);
    let mut taken: Vec<Task> = Vec::new();
    while taken.len() < share && waiting.front().is_some_and(|next| goes_with(&taken, next)) {
        taken.extend(waiting.pop_front());
    }
    taken
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
pub(super) fn perform(inner: &Weak<Inner>, tasks: &[Task]) {
    let Some(first) = tasks.first() else { return };
    let Some(inner) = inner.upgrade() else {
        return tasks.iter().for_each(|task| task.pending.end(Err(ended(task.op))));
    };
    let spans = merged(tasks.iter().map(|task| task.span));
    // SAFETY: the ranges lie in the buffer, which lives as long as the communicator.
    let all = unsafe { first.connection.copy_all(&spans, first.is_put) };
    for task in tasks {
        let done = match &all {
            Ok(()) => Ok(()),
            // Some operations may succeed although another fails; copied ones are copied again.
            Err(error) if tasks.len() > 1 && !is_gone(error) && error.retry_class() != Retry::AtOnce => {
                // SAFETY: as above.
                unsafe { task.connection.copy(&task.span, task.is_put) }
            }
            Err(error) => Err(error.duplicate()),
        };
        task.pending.end(inner.ended(task.op, &task.connection, done));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(local: usize, address: u64, bytes: u64) -> Span {
        Span { local: std::ptr::without_provenance_mut(local), address, bytes }
    }

    #[test]
    fn adjacent_spans_merge_and_overlapping_ones_keep_their_order() {
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
