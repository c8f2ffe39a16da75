// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The order of a rank's own operations.
//!
//! Ranks recognise each other's collectives by their number, and messages between two ranks by their order.
//! Both follow the order of the calls, on any stream: an operation issued early waits in its task for its
//! turn. An operation that was issued and will not run (its stream was aborted) cannot be replaced, so the
//! communicator is lost.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use mf_base::sync::lock;

use super::code::{self, Progress, Trouble};
use super::communicator::Communicator;
use super::peers::Wait;
use crate::clock;
use crate::fault::Outcome;
use crate::stream::{Running, Stream};

/// Resource that an operation uses exclusively.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Route {
    /// The collectives of the communicator.
    Collectives,
    /// Messages to a rank.
    To(u32),
    /// Messages from a rank.
    From(u32),
}

/// Number of operations issued and finished, by route.
#[derive(Default)]
pub struct Order {
    counts: Mutex<HashMap<Route, Count>>,
    changed: Condvar,
    issuing: Mutex<()>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    issued: u64,
    ended: u64,
}

const NEW: u8 = 0;
const ISSUED: u8 = 1;
const DROPPED: u8 = 2;
const DONE: u8 = 3;

/// An operation's place in the order.
struct Ticket {
    communicator: Arc<Communicator>,
    turns: Vec<(Route, u64)>,
    state: Arc<AtomicU8>,
}

impl Ticket {
    fn new(communicator: &Arc<Communicator>, routes: &[Route]) -> Self {
        let mut counts = lock(&communicator.order.counts);
        let turns = routes
            .iter()
            .map(|route| {
                let count = counts.entry(*route).or_default();
                count.issued += 1;
                (*route, count.issued)
            })
            .collect();
        Self { communicator: Arc::clone(communicator), turns, state: Arc::default() }
    }

    /// Returns the number of the operation on its first route.
    fn number(&self) -> u64 {
        self.turns.first().map_or(0, |(_, number)| *number)
    }

    fn wait(&self, wait: &Wait<'_>) -> Progress {
        let order = &self.communicator.order;
        let mut counts = lock(&order.counts);
        while self
            .turns
            .iter()
            .any(|(route, number)| counts.get(route).is_none_or(|count| count.ended + 1 != *number))
        {
            self.communicator.shared.check(wait.rank)?;
            if (wait.is_cancelled)() {
                return Err(Trouble::own(code::SUSPENDING, format_args!("{} was aborted", (wait.what)())));
            }
            if wait.deadline.is_over() {
                return Err(Trouble::own(
                    code::TIMEOUT,
                    format_args!(
                        "{} waited too long for operations that were issued before it",
                        (wait.what)()
                    ),
                ));
            }
            counts = clock::wait_slice(&order.changed, counts, wait.deadline);
        }
        Ok(())
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let unfinished = |state: u8| (state != DONE).then_some(DROPPED);
        if self.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, unfinished) == Ok(ISSUED) {
            lost(&self.communicator);
        }
        let order = &self.communicator.order;
        let mut counts = lock(&order.counts);
        for (route, number) in &self.turns {
            // In turn, or after a failure, which all that follow will find.
            let count = counts.entry(*route).or_default();
            count.ended = count.ended.max(*number);
        }
        order.changed.notify_all();
    }
}

fn lost(communicator: &Communicator) {
    let trouble = Trouble::own(code::SUSPENDING, "an operation was dropped with its stream");
    communicator.fail(&trouble);
}

/// Queues an operation with exclusive routes. `what` names it; `body` gets its number on the first route, and
/// its wait parameters.
///
/// # Errors
/// Errors of the communicator, if it is lost, and of the stream.
pub fn queue(
    communicator: &Arc<Communicator>,
    stream: &Arc<Stream>,
    routes: &[Route],
    what: impl Fn() -> String + Send + 'static,
    body: impl FnOnce(&Communicator, u64, &Wait<'_>) -> Progress + Send + 'static,
) -> Outcome {
    let _issuing = lock(&communicator.order.issuing);
    let ticket = Ticket::new(communicator, routes);
    let state = Arc::clone(&ticket.state);
    let pushed = stream.push("hccl", move |running| run(&ticket, running, &what, body));
    if let Err(fault) = pushed {
        let mut counts = lock(&communicator.order.counts);
        for route in routes {
            let count = counts.entry(*route).or_default();
            count.issued -= 1;
            count.ended = count.ended.min(count.issued);
        }
        return Err(code::of_acl(fault));
    }
    if state.compare_exchange(NEW, ISSUED, Ordering::AcqRel, Ordering::Acquire) == Err(DROPPED) {
        lost(communicator);
    }
    Ok(())
}

/// The task.
fn run(
    ticket: &Ticket,
    running: &Running,
    what: &dyn Fn() -> String,
    body: impl FnOnce(&Communicator, u64, &Wait<'_>) -> Progress,
) -> Outcome {
    let communicator = &ticket.communicator;
    let number = ticket.number();
    let wait = Wait {
        rank: communicator.rank,
        what: &|| format!("{} ({number}) of {}", what(), communicator.name),
        deadline: clock::Deadline::after(communicator.exec_timeout),
        is_cancelled: &|| running.is_cancelled(),
    };
    let outcome = communicator
        .shared
        .check(communicator.rank)
        .and_then(|()| ticket.wait(&wait))
        .and_then(|()| body(communicator, number, &wait));
    // From here on dropping the ticket loses nothing.
    ticket.state.store(DONE, Ordering::Release);
    outcome.map_err(|trouble| {
        communicator.fail(&trouble);
        trouble.into_fault()
    })
}
