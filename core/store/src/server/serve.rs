// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accepts connections and executes commands, until stopped.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use mf_base::os::descriptor;
use mf_base::os::peer_credentials;
use mf_base::os::socket::has_waiting;
use mf_base::{Error, Kind, warn_limited};
use mf_tls::check_period;
use rustix::io::Errno;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

use super::connection;
use super::durability_gate;
use super::hub::{Hub, tasks};
use crate::protocol::Failure;
use crate::sockets::raise_descriptors;
use crate::state::Status;

/// Pause after a failed accept: the reason (no descriptors left) does not go away at once.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// A command of another thread to the server.
pub(super) enum Control {
    Stop,
    /// The number of connections at that moment is the answer.
    Linger(std::sync::mpsc::Sender<usize>),
    Status(std::sync::mpsc::Sender<Status>),
}

/// Accepts until stopped.
///
/// `spare` is closed for a moment to report to a client that there are no descriptors left, instead of
/// leaving it without an answer.
pub(super) async fn serve(
    listener: TcpListener,
    mut spare: Option<OwnedFd>,
    mut orders: UnboundedReceiver<Control>,
    hub: Rc<Hub>,
) {
    start(&hub, tasks::run_timer(Rc::clone(&hub)));
    start(&hub, tasks::run_polling(Rc::clone(&hub)));
    start(&hub, tasks::run_sparing(Rc::clone(&hub)));
    start(&hub, watch_expiry(Rc::clone(&hub)));
    start(&hub, durability_gate::run(Rc::clone(&hub)));
    accept_until_the_end(listener, &mut spare, &mut orders, &hub).await;
    if let Some(gate) = &hub.gate {
        gate.finish().await;
    }
}

/// Runs a part of the server. Its panic ends the whole server, and clients search for another store: the rest
/// would leave them waiting, without the timer even beyond their deadlines.
fn start(hub: &Rc<Hub>, part: impl Future<Output = ()> + 'static) {
    let hub = Rc::clone(hub);
    let guarded = ends_when_it_panics(part, move || hub.end());
    tokio::task::spawn_local(guarded);
}

/// A future that calls `end` when it panics.
fn ends_when_it_panics(part: impl Future<Output = ()>, end: impl FnOnce()) -> impl Future<Output = ()> {
    let guard = PanicGuard(Some(end));
    async move {
        let _guard = guard;
        part.await;
    }
}

struct PanicGuard<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for PanicGuard<F> {
    fn drop(&mut self) {
        if let (true, Some(end)) = (std::thread::panicking(), self.0.take()) {
            tracing::error!("a part of the store panicked, the store ends");
            end();
        }
    }
}

/// Accepts a connection; its descriptor is never 0 to 2 (the standard streams).
async fn accept(listener: &TcpListener) -> std::io::Result<(TcpStream, SocketAddr)> {
    let accepted = poll_fn(|context| descriptor::reserving(|| listener.poll_accept(context)));
    let (stream, peer) = accepted.await?;
    if descriptor::is_above_standard_streams(&stream) {
        return Ok((stream, peer));
    }
    Ok((TcpStream::from_std(descriptor::lifted(stream.into_std()?)?)?, peer))
}

async fn accept_until_the_end(
    listener: TcpListener,
    spare: &mut Option<OwnedFd>,
    orders: &mut UnboundedReceiver<Control>,
    hub: &Rc<Hub>,
) {
    let mut lingering = false;
    loop {
        let empty_at = (lingering && hub.connections() == 0).then(|| hub.quiet_from());
        if hub.stepped_down() || empty_at.is_some_and(|at| at <= Instant::now()) {
            return;
        }
        tokio::select! {
            accepted = accept(&listener) => match accepted {
                Ok((stream, peer)) => welcome_in(hub, stream, peer),
                Err(error) => {
                    let used_up = Errno::from_io_error(&error) == Some(Errno::MFILE);
                    // The descriptor of one that has not proved itself will do.
                    let is_waited_for = has_waiting(&listener);
                    let has_room =
                        used_up && is_waited_for && (raise_descriptors() || hub.unauthenticated.displace(None));
                    if has_room {
                        tokio::task::yield_now().await;
                    } else {
                        if is_waited_for {
                            warn_limited!(%error, "store connection could not be accepted");
                        }
                        drop(spare.take());
                        refuse_one(hub, &listener, &error).await;
                        *spare = listener.as_fd().try_clone_to_owned().ok();
                    }
                }
            },
            order = orders.recv() => match order {
                Some(Control::Linger(answer)) => {
                    lingering = true;
                    hub.announce_end();
                    // There is no receiver of the answer any more when the process is ending.
                    let _ = answer.send(hub.connections());
                }
                Some(Control::Status(answer)) => {
                    let _ = answer.send(hub.status());
                }
                None if lingering => wait_for_the_last(hub, &listener).await,
                Some(Control::Stop) | None => return,
            },
            () = hub.connection_gone() => {}
            () = tokio::time::sleep_until(empty_at.unwrap_or_else(Instant::now)), if empty_at.is_some() => {}
        }
    }
}

/// Waits for the last client after the server's object was dropped: no more commands arrive.
async fn wait_for_the_last(hub: &Rc<Hub>, listener: &TcpListener) {
    while !hub.stepped_down() && (hub.connections() > 0 || hub.quiet_from() > Instant::now()) {
        let quiet = hub.quiet_from();
        tokio::select! {
            accepted = accept(listener) => match accepted {
                Ok((stream, peer)) => welcome_in(hub, stream, peer),
                Err(error) => refuse_one(hub, listener, &error).await,
            },
            () = hub.connection_gone() => {}
            () = tokio::time::sleep_until(quiet), if hub.connections() == 0 => {}
        }
    }
}

fn welcome_in(hub: &Rc<Hub>, stream: TcpStream, peer: SocketAddr) {
    match stream.local_addr().map(|ours| hub.identity.security.check_user(ours, peer)) {
        Ok(Ok(true)) => {}
        Ok(Err(error)) => {
            warn_limited!(%peer, %error, "store connection refused");
            connection::refuse_at_once(hub, &stream, peer, not_of_this_user(&error), false);
            return;
        }
        // Its process has closed it.
        Ok(Ok(false)) | Err(_) => return,
    }
    let entered = hub.connection_entered();
    start(hub, connection::run(entered, stream, peer));
}

/// The refusal for a process of another user.
fn not_of_this_user(error: &Error) -> Failure {
    let what = match (error.fact("own_uid"), error.fact("uid")) {
        (Some(own), Some(uid)) => format!(
            "the store is run by user id {own} and has no secret; it refuses this process, which is of user id {uid}"
        ),
        _ => error.to_string(),
    };
    Failure::invalid(what).hint(peer_credentials::REMEDY)
}

/// Sends the client that waits longest the reason why it is not accepted. Ends after a pause when that is not
/// possible, either.
async fn refuse_one(hub: &Rc<Hub>, listener: &TcpListener, error: &std::io::Error) {
    let accepted = tokio::time::timeout(ACCEPT_PAUSE, accept(listener)).await;
    match accepted {
        Ok(Ok((stream, peer))) => {
            let why = format!("the store cannot accept connections: {error}");
            connection::refuse_at_once(hub, &stream, peer, Failure::new(Kind::NoResources, why), true);
        }
        Ok(Err(_)) => tokio::time::sleep(ACCEPT_PAUSE).await,
        Err(_) => {}
    }
}

/// Checks the certificates of this process from time to time; never ends.
async fn watch_expiry(hub: Rc<Hub>) {
    loop {
        tokio::time::sleep(check_period()).await;
        hub.identity.security.check_expiry(SystemTime::now());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::task::LocalSet;

    use super::*;

    #[test]
    fn panic_of_a_part_ends_the_server_and_its_normal_end_does_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for (panics, ends) in [(false, 0), (true, 1)] {
            let ended = Rc::new(Cell::new(0));
            let end = {
                let ended = Rc::clone(&ended);
                move || ended.set(ended.get() + 1)
            };
            let part = async move {
                tokio::task::yield_now().await;
                assert!(!panics, "the test wants it");
            };
            let set = LocalSet::new();
            let task = set.spawn_local(ends_when_it_panics(part, end));
            assert_eq!(set.block_on(&runtime, task).is_err(), panics);
            assert_eq!(ended.get(), ends);
        }
    }
}
