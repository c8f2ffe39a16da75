// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Public interface of a server.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use mf_base::os::descriptor;
use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_tls::{Peers, TlsFiles};

use crate::code;
use crate::connect;
use crate::handlers::{BrokenFn, Handlers, NewLinkFn, RequestFn, RouteFn, SentFn};
use crate::hello::Hello;
use crate::http::Method;
use crate::link::{End, Link};
use crate::options::{HttpOptions, TcpOptions};
use crate::server_state::{Hooks, Inside, NoHooks, ServerState, Speech, not_started};
use crate::worker;

const OP: &str = "acc start";

/// ALPN names of the protocols.
const MESSAGES: &[u8] = b"memfabric-acc/1";
const HTTP: &[u8] = b"http/1.1";

/// Protocol of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Messages over links.
    Messages,
    /// HTTP.
    Http,
}

/// A server of messages, or of HTTP. Stops on drop.
pub struct Server {
    kind: Protocol,
    handlers: Arc<Handlers>,
    hooks: Arc<dyn Hooks>,
    started: Mutex<Option<Started>>,
    /// Held while it is started or stopped.
    changing: Mutex<()>,
    owner: Owner,
}

struct Started {
    server: Arc<ServerState>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Creates a server without starting it.
    pub fn new(kind: Protocol) -> Self {
        Self::with_hooks(kind, Arc::new(NoHooks))
    }

    /// Like `new`, with notifications about its links.
    pub fn with_hooks(kind: Protocol, hooks: Arc<dyn Hooks>) -> Self {
        Self {
            kind,
            handlers: Arc::default(),
            hooks,
            started: Mutex::default(),
            changing: Mutex::default(),
            owner: Owner::current(),
        }
    }

    /// Returns its protocol.
    pub fn kind(&self) -> Protocol {
        self.kind
    }

    /// Sets the callback for new peers; it may refuse them.
    pub fn on_new_link(&self, handler: Option<NewLinkFn>) {
        self.handlers.set_new_link(handler);
    }

    /// Sets the callback for links that have ended; called once per link, on a separate thread.
    pub fn on_broken(&self, handler: Option<BrokenFn>) {
        self.handlers.set_broken(handler);
    }

    /// Sets the callback for messages of a type.
    pub fn on_request(&self, kind: i16, handler: Option<RequestFn>) {
        self.handlers.set_request(kind, handler);
    }

    /// Sets the callback for the outcomes of sent messages of a type.
    pub fn on_sent(&self, kind: i16, handler: Option<SentFn>) {
        self.handlers.set_sent(kind, handler);
    }

    /// Adds the handler of an HTTP route; an existing one is kept.
    ///
    /// # Errors
    /// `InvalidParam` the path does not begin with a slash and is not `*`.
    pub fn on_http(&self, method: Method, path: &str, handler: RouteFn) -> Result<()> {
        if path != crate::handlers::ANY_PATH && !path.starts_with('/') {
            return Err(Error::invalid("acc register handler", "the path must begin with / or be *")
                .with("path", path));
        }
        self.handlers.add_route(method, path, handler);
        Ok(())
    }

    /// Starts a server of messages; does nothing if started already.
    ///
    /// # Errors
    /// `InvalidParam` an option is out of range, a handler is missing, an unusable certificate or key file ·
    /// `InUse` the address · errors of the kernel.
    pub fn start_tcp(&self, options: &TcpOptions, tls: Option<TlsFiles>) -> Result<()> {
        let speech = Speech::Messages { magic: options.magic, version: options.version };
        self.start(Protocol::Messages, speech, tls, || {
            options.check()?;
            let has_listener = options.listen.is_some();
            self.needs("a request handler", self.handlers.has_requests())?;
            self.needs("a link broken handler", self.handlers.broken().is_some())?;
            self.needs("a new link handler", !has_listener || self.handlers.new_link().is_some())?;
            Ok(ServerOptions {
                listen: options.listen,
                workers: options.workers,
                queue: usize::from(options.queue),
                times: options.times,
                bounds: options.bounds,
            })
        })
    }

    /// Starts an HTTP server; does nothing if started already.
    ///
    /// # Errors
    /// As [`start_tcp`](Self::start_tcp).
    pub fn start_http(&self, options: &HttpOptions, tls: Option<TlsFiles>) -> Result<()> {
        let speech = Speech::Http { body_bytes_max: options.body_bytes_max };
        self.start(Protocol::Http, speech, tls, || {
            options.check()?;
            self.needs("a route", self.handlers.has_routes())?;
            self.needs("a link broken handler", self.handlers.broken().is_some())?;
            Ok(ServerOptions {
                listen: Some(options.listen),
                workers: options.workers,
                queue: usize::MAX,
                times: options.times,
                bounds: options.bounds,
            })
        })
    }

    fn needs(&self, what: &str, is_there: bool) -> Result<()> {
        match is_there {
            true => Ok(()),
            false => Err(Error::invalid(OP, format!("{what} must be set before the start"))),
        }
    }

    fn start(
        &self,
        kind: Protocol,
        speech: Speech,
        tls: Option<TlsFiles>,
        wanted: impl FnOnce() -> Result<ServerOptions>,
    ) -> Result<()> {
        self.check_process(OP)?;
        if self.kind != kind {
            return Err(Error::invalid(OP, "the server is of another kind").hint(
                "tcp_server_start is for servers of tcp_server_create, http_server_start for the others",
            ));
        }
        // Without the lock: a stop that waits for this very callback holds it.
        if lock(&self.started).is_some() {
            return Ok(());
        }
        let _changing = lock(&self.changing);
        if lock(&self.started).is_some() {
            return Ok(());
        }
        let wanted = wanted()?;
        let protocol = if kind == Protocol::Messages { MESSAGES } else { HTTP };
        let tls = tls.map(|files| Peers::new(files.verify_name(false), protocol)).transpose()?;
        let listener = wanted.listen.map(listen).transpose()?;
        if tls.is_none() && wanted.listen.is_some_and(|(address, _)| !address.to_canonical().is_loopback()) {
            tracing::warn!("connections of this server are plaintext, and other hosts can reach it");
        }
        let shared = (Arc::clone(&self.handlers), Arc::clone(&self.hooks));
        let server =
            ServerState::new(speech, wanted.queue, (wanted.times, wanted.bounds), shared, tls, listener)?;
        let mut started = Started { server: Arc::clone(&server), threads: Vec::new() };
        let mut spawn = |name: &str, work: Work| {
            let server = Arc::clone(&server);
            // Callbacks run there: signals keep the program's mask.
            let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || work(&server))?;
            started.threads.push(thread);
            Ok::<(), std::io::Error>(())
        };
        let mut spawned = spawn(
            "mf-acc-keeper",
            Box::new(|server| {
                let listen = || {
                    if let Some(listener) = &server.listener {
                        server.poll.arm_listener(listener);
                    }
                };
                let due = |id, what| {
                    if let Some(link) = server.find(id) {
                        link.guarded(|| link.on_deadline(what));
                    }
                };
                server.timers.run(due, listen);
            }),
        );
        for _ in 0..wanted.workers {
            spawned = spawned.and_then(|()| spawn("mf-acc-worker", Box::new(worker::work)));
        }
        if let Err(error) = spawned {
            end(started);
            return Err(Error::new(Kind::NoResources, OP)
                .what("the threads of the server cannot be started")
                .with("worker_count", wanted.workers)
                .source(error));
        }
        *lock(&self.started) = Some(started);
        Ok(())
    }

    /// Returns the address at which it listens.
    pub fn address(&self) -> Option<SocketAddr> {
        let server = self.state("acc address").ok()?;
        server.listener.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Connects to another server, in at most `attempts` attempts, a pause apart. Returns when the other side
    /// has accepted the link. Blocks the calling thread only; may be called in callbacks.
    ///
    /// # Errors
    /// [`code::NOT_STARTED`] this server is not started · [`code::REFUSED`] the other side refuses; the text
    /// has the reason · [`code::NOT_READY`], [`code::TIMEOUT`] it was not reached.
    pub fn connect(&self, address: IpAddr, port: u16, hello: &Hello, attempts: u32) -> Result<Arc<Link>> {
        const OP: &str = "acc connect";
        if self.kind == Protocol::Http {
            return Err(Error::invalid(OP, "an HTTP server does not connect"));
        }
        connect::connect(&self.state(OP)?, address, port, hello, attempts)
    }

    /// Ends a link. Its broken callback follows.
    ///
    /// # Errors
    /// `InvalidParam` it belongs to another server.
    pub fn release(&self, link: &Arc<Link>) -> Result<()> {
        const OP: &str = "acc release link";
        let is_own = self.state(OP).is_ok_and(|server| link.is_of(&server));
        if !is_own {
            return Err(Error::invalid(OP, "the link is not one of this server").with("link", link.id()));
        }
        link.end(End::Released);
        Ok(())
    }

    /// Stops it: returns when no callback is running or will run. Links end without callbacks.
    ///
    /// # Errors
    /// `Failed` called in one of its callbacks; nothing was done.
    pub fn stop(&self) -> Result<()> {
        const OP: &str = "acc stop";
        self.check_process(OP)?;
        if Inside::is_of(&self.handlers) {
            return Err(Error::new(Kind::Failed, OP)
                .what("a server cannot be stopped in one of its callbacks, for whose end the stop would wait")
                .hint("stop it on another thread"));
        }
        let _changing = lock(&self.changing);
        let started = lock(&self.started).as_mut().map(|started| Started {
            server: Arc::clone(&started.server),
            threads: std::mem::take(&mut started.threads),
        });
        if let Some(started) = started {
            end(started);
            *lock(&self.started) = None;
        }
        Ok(())
    }

    /// Fails in a forked child of the process that created it.
    ///
    /// # Errors
    /// [`code::NOT_STARTED`] in a forked child.
    pub fn check_process(&self, operation: &'static str) -> Result<()> {
        match self.owner.is_current() {
            true => Ok(()),
            false => Err(Error::new(Kind::NotInit, operation)
                .what("the server was made by the parent of this process")
                .hint("make one in this process")
                .code_of_family(code::NOT_STARTED)),
        }
    }

    fn state(&self, operation: &'static str) -> Result<Arc<ServerState>> {
        self.check_process(operation)?;
        let server = lock(&self.started).as_ref().map(|started| Arc::clone(&started.server));
        server.filter(|server| !server.is_stopping()).ok_or_else(|| not_started(operation))
    }
}

/// Body of a server thread.
type Work = Box<dyn FnOnce(&Arc<ServerState>) + Send>;

struct ServerOptions {
    listen: Option<(IpAddr, u16)>,
    workers: u16,
    queue: usize,
    times: crate::options::Times,
    bounds: crate::options::Bounds,
}

fn listen((address, port): (IpAddr, u16)) -> Result<TcpListener> {
    let refused = |error: std::io::Error| {
        let errno = rustix::io::Errno::from_io_error(&error).unwrap_or(rustix::io::Errno::INVAL);
        Error::os(OP, errno).what("the server cannot listen").with("address", address).with("port", port)
    };
    let listener = descriptor::listen_tcp((address, port)).map_err(refused)?;
    // More clients may connect at once than the default backlog holds.
    rustix::net::listen(&listener, 4096).map_err(|errno| refused(errno.into()))?;
    listener.set_nonblocking(true).map_err(refused)?;
    Ok(listener)
}

fn end(started: Started) {
    let Started { server, threads } = started;
    server.stop();
    server.timers.end();
    server.poll.ring();
    for thread in threads {
        // A thread that panicked in a callback has ended.
        let _ = thread.join();
    }
    server.disconnects.wait();
    server.all().iter().for_each(Link::drop_with_server);
    while server.task().is_some() {}
}

impl Drop for Server {
    fn drop(&mut self) {
        if !self.owner.is_current() {
            // Threads, sockets and shared state belong to the parent.
            std::mem::forget(lock(&self.started).take());
            return;
        }
        let _ = self.stop();
    }
}
