// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waiting: the caller drives its connections itself, so that a short operation costs no switch of threads.
//!
//! It sends and receives without waiting, yields the core now and then, and sleeps in poll when there is no
//! progress for too long; the time of polling adapts to its success ([`Spin`]). The connections that it needs
//! are claimed as a whole; when another caller or the progress thread has one of them, it sleeps on the
//! completion instead.

use std::cell::RefCell;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mf_base::interrupt;
use mf_base::sync::spin::Spin;
use mf_base::{Error, Result};
use mf_transport::{Completion, InterruptibleWait, Left};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::connection::{Connection, Connections, Sent};
use crate::shared::Shared;

/// Longest spin of a driver: the last megabyte of a long put travels for so long.
const LIMIT: Duration = Duration::from_micros(250);
/// Longest sleep of a driver: deadlines of operations posted meanwhile are seen after it.
const NAP: Duration = Duration::from_millis(20);
/// The same while another thread sends.
const SHORT_NAP: Duration = Duration::from_millis(1);
/// A driver that always makes progress checks deadlines every so many turns.
const TURNS: u32 = 256;

thread_local! {
    static SPIN: RefCell<Spin> = const { RefCell::new(Spin::up_to(LIMIT)) };
    /// This thread's last post: the completion, by its address, and the connection.
    static LAST: RefCell<(usize, Weak<Connection>)> = const { RefCell::new((0, Weak::new())) };
}

/// Remembers where this thread posted.
pub(crate) fn remember(completion: &Completion, connection: &Arc<Connection>) {
    LAST.with_borrow_mut(|last| {
        last.0 = std::ptr::from_ref(completion).addr();
        if last.1.as_ptr() != Arc::as_ptr(connection) {
            last.1 = Arc::downgrade(connection);
        }
    });
}

/// Result of driving.
#[derive(PartialEq, Eq)]
pub(crate) enum Driven {
    /// The awaited event came.
    Done,
    /// The deadline came first.
    Late,
    /// Another thread drives, or the connection is not ready, or there was no progress and it may not sleep.
    Elsewhere,
}

/// Drives `connections` until `done`, at most until `deadline`.
pub(crate) fn drive(
    shared: &Shared,
    connections: &[Arc<Connection>],
    may_sleep: &dyn Fn() -> bool,
    deadline: Option<Instant>,
    done: &dyn Fn() -> bool,
) -> Driven {
    let claimed = connections
        .iter()
        .take_while(|connection| connection.is_ready() && connection.claim(&shared.local))
        .count();
    let result = if claimed == connections.len() && claimed > 0 {
        driving(shared, connections, may_sleep, deadline, done)
    } else {
        Driven::Elsewhere
    };
    for connection in connections.iter().take(claimed) {
        connection.release(&shared.local);
    }
    result
}

fn driving(
    shared: &Shared,
    connections: &[Arc<Connection>],
    may_sleep: &dyn Fn() -> bool,
    deadline: Option<Instant>,
    done: &dyn Fn() -> bool,
) -> Driven {
    let mut spin = SPIN.replace(Spin::up_to(LIMIT));
    let mut spinning = spin.begin();
    let mut turns = 0_u32;
    let result = loop {
        let (mut any, mut elsewhere) = (false, false);
        for connection in connections {
            let sent = connection.send(&shared.local);
            any |= sent == Sent::Something;
            elsewhere |= sent == Sent::Elsewhere;
            any |= connection.receive(&shared.local);
        }
        if done() {
            if spinning.is_some() {
                spin.found();
            }
            break Driven::Done;
        }
        if any {
            match &mut spinning {
                Some(spinning) => spinning.restart(),
                // It slept, and more will probably arrive soon.
                None => spinning = spin.begin(),
            }
            turns += 1;
            if turns.is_multiple_of(TURNS) {
                let now = Instant::now();
                connections.iter().for_each(|connection| connection.expire(&shared.local, now));
            }
            continue;
        }
        if let Some(at) = &mut spinning {
            if at.again() {
                continue;
            }
            spin.missed();
            spinning = None;
        }
        let now = Instant::now();
        for connection in connections {
            connection.await_receiver();
            connection.expire(&shared.local, now);
        }
        if done() {
            break Driven::Done;
        }
        if deadline.is_some_and(|deadline| deadline <= now) {
            break Driven::Late;
        }
        if !may_sleep() {
            break Driven::Elsewhere;
        }
        // A thread in the middle of a long post may leave frames unsent.
        let nap = if elsewhere { SHORT_NAP } else { NAP };
        let nap = deadline.map_or(nap, |deadline| nap.min(deadline.saturating_duration_since(now)));
        sleep(connections, !elsewhere, nap);
    };
    SPIN.set(spin);
    result
}

/// Sleeps until one of the connections is readable, or (`sends`) writable.
fn sleep(connections: &[Arc<Connection>], sends: bool, nap: Duration) {
    let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(nap.subsec_nanos()) };
    // Errors of poll count as a short nap.
    let _ = match connections {
        // As a rule it is one, and then no allocation is needed.
        [connection] => match descriptor(connection, sends) {
            Some(descriptor) => poll(&mut [descriptor], Some(&timeout)),
            None => poll(&mut [], Some(&timeout)),
        },
        connections => {
            let descriptors = connections.iter().filter_map(|connection| descriptor(connection, sends));
            poll(&mut descriptors.collect::<Vec<_>>(), Some(&timeout))
        }
    };
}

/// Returns the descriptor of a connection for poll; `None` when it has ended.
fn descriptor(connection: &Arc<Connection>, sends: bool) -> Option<PollFd<'_>> {
    let mut flags = PollFlags::IN;
    flags.set(PollFlags::OUT, sends && connection.has_unsent());
    let channel = connection.channel().filter(|_| !connection.is_dead())?;
    Some(PollFd::from_borrowed_fd(channel.socket(), flags))
}

/// Waits until nothing is pending on the completion. Returns its first error.
pub(crate) fn wait(shared: &Shared, completion: &Completion) -> Result<()> {
    wait_as(shared, completion, &InterruptibleWait::never(), Left::Stay)
}

/// The same; the program may leave it.
pub(crate) fn wait_interruptible(shared: &Shared, completion: &Completion, left: Left) -> Result<()> {
    wait_as(shared, completion, &InterruptibleWait::by_program(), left)
}

fn wait_as(shared: &Shared, completion: &Completion, leaving: &InterruptibleWait, left: Left) -> Result<()> {
    let address = std::ptr::from_ref(completion).addr();
    let last = LAST.with_borrow(|last| if last.0 == address { last.1.upgrade() } else { None });
    if let Some(connection) = last
        && !completion.is_done()
    {
        let connections = [connection];
        // Before it sleeps it makes sure that no other connection serves the completion.
        let alone = || leaving.may_sleep() && !shared.is_served_beside(completion, connections[0].id);
        drive(shared, &connections, &alone, None, &|| {
            completion.is_done() || connections.iter().all(|connection| connection.live() == 0)
        });
    }
    while !completion.is_done() {
        if leaving.is_over() {
            return if left == Left::End { leave(shared, completion) } else { Err(interrupted()) };
        }
        let connections: Connections =
            shared.all_connections().into_iter().filter(|connection| connection.serves(completion)).collect();
        let done = || completion.is_done() || connections.iter().all(|connection| connection.live() == 0);
        if drive(shared, &connections, &|| leaving.may_sleep(), None, &done) == Driven::Elsewhere {
            for connection in &connections {
                connection.send(&shared.local);
            }
            if leaving.may_sleep() {
                completion.sleep(Some(Instant::now() + NAP));
            }
        }
    }
    let outcome = completion.outcome();
    // Results that came meanwhile are kept; only the call is not continued.
    if leaving.is_wanted() { outcome.and_then(|()| Err(interrupted())) } else { outcome }
}

/// Ends pending operations, and waits for the end.
#[cold]
fn leave(shared: &Shared, completion: &Completion) -> Result<()> {
    for connection in shared.all_connections() {
        connection.leave_alone(&shared.local, completion);
    }
    // The late ones have ended, or their connection has.
    let _ = wait(shared, completion);
    Err(interrupted())
}

fn interrupted() -> Error {
    interrupt::error("tcp wait")
}
