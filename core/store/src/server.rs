// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The TCP server: one named thread, one event loop, no blocking.
//!
//! [`listen`] binds the port in the caller's thread, so that a busy port is an error of [`Server::start`]; from then on
//! clients can connect, even before the thread runs. [`connection`] is one task for each client: hello, then
//! frames in, bytes out. [`hub`] owns the state machine and turns its actions into frames; [`outbound`] is what waits to
//! be sent to one client.

mod connection;
mod hub;
mod listen;
mod outbound;

use std::fmt;
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::{Error, Kind, Result};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::LocalSet;

use crate::protocol::{auth, limits};
use hub::{Hub, Identity};

const OPERATION: &str = "store server";
/// Most connections at a time, those that have not proved themselves included.
const MAX_CONNECTIONS: usize = 2048;
/// Pause after a failed accept: the reason (no descriptors left) does not go away at once.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// How to start a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// Where to listen; port 0 picks a free one.
    pub listen: SocketAddr,
    /// Ranks of the job; 0: the first member decides.
    pub world_size: u32,
    /// Secret of the job, empty for none.
    pub secret: Vec<u8>,
    /// How long no new member may have arrived before automatic ranks are handed out in an incomplete world.
    pub rank_window: Duration,
}

impl fmt::Debug for ServerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerOptions")
            .field("listen", &self.listen)
            .field("world_size", &self.world_size)
            .field("rank_window", &self.rank_window)
            .finish_non_exhaustive()
    }
}

enum Control {
    Stop,
    /// The number of connections at that moment is the answer.
    Linger(std::sync::mpsc::Sender<usize>),
}

/// A running server. Dropping it stops it.
pub struct Server {
    address: SocketAddr,
    control: UnboundedSender<Control>,
    thread: Option<JoinHandle<()>>,
    process: u32,
}

impl Server {
    /// Binds the address and starts the server's thread. Does not wait for clients. **Local.**
    ///
    /// # Errors
    /// `InUse` the port is taken · `InvalidParam` the address is not one of this machine, or the world size is above
    /// 1024 · `NoResources` no descriptors or threads left.
    pub fn start(options: ServerOptions) -> Result<Self> {
        if options.world_size > 0 {
            limits::check_world_size(options.world_size).map_err(|failure| failure.into_error(OPERATION))?;
        }
        let listener = listen::bind(options.listen)?;
        let failed = |what: &str, error: std::io::Error| {
            Error::new(Kind::NoResources, OPERATION).what(what).with("address", options.listen).source(error)
        };
        let address = listener.local_addr().map_err(|error| failed("the listener has no address", error))?;
        if options.secret.is_empty() && !address.ip().is_loopback() {
            tracing::warn!(%address, "the store listens beyond the loopback without a job secret: any program that reaches it may join");
        }
        let identity = Identity { job_token: auth::random(OPERATION)?, secret: options.secret };
        let window_us = u64::try_from(options.rank_window.as_micros()).unwrap_or(u64::MAX);
        let world_size = options.world_size;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| failed("the event loop could not be made", error))?;
        let listener = {
            let _inside = runtime.enter();
            TcpListener::from_std(listener)
                .map_err(|error| failed("the listener could not be used", error))?
        };
        let spare = listener
            .as_fd()
            .try_clone_to_owned()
            .map_err(|error| failed("a spare descriptor could not be had", error))?;
        let (control, orders) = unbounded_channel();
        let thread = std::thread::Builder::new()
            .name("mf-store-server".to_owned())
            .spawn(move || {
                let hub = Rc::new(Hub::new(world_size, window_us, identity));
                LocalSet::new().block_on(&runtime, serve(listener, Some(spare), orders, hub));
                tracing::debug!(%address, "store server ended");
            })
            .map_err(|error| failed("the server thread could not be started", error))?;
        tracing::debug!(%address, world_size, "store server started");
        Ok(Self { address, control, thread: Some(thread), process: std::process::id() })
    }

    /// Where the server listens, with the real port. **Local.**
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops serving: every connection closes. Blocks until the thread has ended. May be repeated.
    pub fn stop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        // A forked child has a copy of this object but not the thread.
        if self.process == std::process::id() {
            // The thread ends by itself at most before this order; both are fine.
            let _ = self.control.send(Control::Stop);
            let _ = thread.join();
        }
    }

    /// Keeps serving until the last client has gone, then ends by itself. Blocks only when that is now: then the port
    /// is free on return.
    pub fn linger(mut self) {
        if self.process != std::process::id() {
            return;
        }
        let (answer, clients) = std::sync::mpsc::channel();
        if self.control.send(Control::Linger(answer)).is_ok()
            && clients.recv().is_ok_and(|clients| clients > 0)
        {
            // Not joined: the thread goes on without this object.
            self.thread = None;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Tells the client that waits longest why it is not accepted. Ends after a pause when that is not possible, either.
async fn refuse_one(listener: &TcpListener, error: &std::io::Error) {
    let accepted = tokio::time::timeout(ACCEPT_PAUSE, listener.accept()).await;
    match accepted {
        Ok(Ok((stream, _))) => {
            connection::refuse_at_once(&stream, format!("the store cannot accept connections: {error}"));
        }
        Ok(Err(_)) => tokio::time::sleep(ACCEPT_PAUSE).await,
        Err(_) => {}
    }
}

/// Accepts until told to stop.
///
/// `spare` is given up for a moment to tell a client that there are no descriptors left, instead of leaving it without
/// an answer.
async fn serve(
    listener: TcpListener,
    mut spare: Option<OwnedFd>,
    mut orders: UnboundedReceiver<Control>,
    hub: Rc<Hub>,
) {
    tokio::task::spawn_local(hub::run_timer(Rc::clone(&hub)));
    let mut lingering = false;
    loop {
        if lingering && hub.connections() == 0 {
            return;
        }
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) if hub.connections() < MAX_CONNECTIONS => {
                    let entered = hub.connection_entered();
                    tokio::task::spawn_local(connection::run(entered, stream, peer));
                }
                Ok((stream, peer)) => {
                    tracing::warn!(%peer, connections = MAX_CONNECTIONS, "store connection refused, there are too many");
                    let why = format!("the store has {MAX_CONNECTIONS} connections, more are not allowed");
                    connection::refuse_at_once(&stream, why);
                }
                Err(error) => {
                    tracing::warn!(%error, "store connection could not be accepted");
                    drop(spare.take());
                    refuse_one(&listener, &error).await;
                    spare = listener.as_fd().try_clone_to_owned().ok();
                }
            },
            order = orders.recv(), if !lingering => match order {
                Some(Control::Linger(answer)) => {
                    lingering = true;
                    // Nobody waits for the answer any more when the process is ending.
                    let _ = answer.send(hub.connections());
                }
                Some(Control::Stop) | None => return,
            },
            () = hub.connection_gone(), if lingering => {}
        }
    }
}
