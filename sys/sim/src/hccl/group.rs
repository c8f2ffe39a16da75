// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups: calls between `HcclGroupStart` and `HcclGroupEnd` are checked at once and issued at the end.
//!
//! Messages of one communicator and stream become one batch, so that ranks that each send before they receive
//! do not wait for each other. Collectives keep their order, also to the messages around them. Groups nest;
//! the outermost end issues.

use std::cell::RefCell;
use std::sync::Arc;

use super::code::{self, Progress};
use super::communicator::Communicator;
use super::message_batch::Batch;
use super::order::{Route, queue};
use super::peers::Wait;
use crate::fault::{Fault, Outcome};
use crate::stream::Stream;

/// Deferred call.
enum Noted {
    Messages(Batch),
    Collective(Box<dyn FnOnce() -> Outcome>),
}

#[derive(Default)]
struct Group {
    depth: usize,
    noted: Vec<Noted>,
}

thread_local! {
    static GROUP: RefCell<Group> = RefCell::default();
}

crate::exports! {
    /// From here on this thread's operations are noted.
    fn HcclGroupStart() => start();
    /// Issues the deferred calls.
    fn HcclGroupEnd() => end();
}

/// None in a thread that is ending: it has no group.
fn with<T>(change: impl FnOnce(&mut Group) -> T) -> Option<T> {
    GROUP.try_with(|group| change(&mut group.borrow_mut())).ok()
}

/// Returns true if this thread is inside a group.
fn is_open() -> bool {
    with(|group| group.depth > 0).unwrap_or(false)
}

/// Queues a collective with exclusive routes, or defers it in a group; see [`queue`].
///
/// # Errors
/// Errors of [`queue`]; inside a group it succeeds.
pub(super) fn issue(
    communicator: &Arc<Communicator>,
    stream: &Arc<Stream>,
    routes: &[Route],
    what: impl Fn() -> String + Send + 'static,
    body: impl FnOnce(&Communicator, u64, &Wait<'_>) -> Progress + Send + 'static,
) -> Outcome {
    if !is_open() {
        return queue(communicator, stream, routes, what, body);
    }
    let (communicator, stream, routes) = (Arc::clone(communicator), Arc::clone(stream), routes.to_vec());
    let issue = move || queue(&communicator, &stream, &routes, what, body);
    with(|group| group.noted.push(Noted::Collective(Box::new(issue))));
    Ok(())
}

/// Queues messages, or defers them in a group, merged with the preceding ones if these take the same path.
///
/// # Errors
/// As [`issue`].
pub(super) fn issue_messages(batch: Batch) -> Outcome {
    if !is_open() {
        return batch.issue();
    }
    with(|group| {
        let place = group.noted.iter().rposition(|noted| matches!(noted, Noted::Collective(_)));
        let first = place.map_or(0, |place| place + 1);
        let same = group.noted[first..].iter_mut().find_map(|noted| match noted {
            Noted::Messages(other) if other.goes_with(&batch) => Some(other),
            _ => None,
        });
        match same {
            Some(other) => other.join(batch),
            None => group.noted.push(Noted::Messages(batch)),
        }
    });
    Ok(())
}

fn start() -> Outcome {
    with(|group| group.depth += 1);
    Ok(())
}

fn end() -> Outcome {
    let ended = with(|group| {
        let depth = group.depth.checked_sub(1)?;
        group.depth = depth;
        Some(if depth == 0 { std::mem::take(&mut group.noted) } else { Vec::new() })
    });
    let Some(noted) = ended.flatten() else {
        return Err(Fault::new(code::PARA, "no group was started on this thread"));
    };
    let issue = |noted| match noted {
        Noted::Messages(batch) => Batch::issue(batch),
        Noted::Collective(issue) => issue(),
    };
    // Other ranks count on those behind one that is refused.
    noted.into_iter().map(issue).fold(Ok(()), Outcome::and)
}
