// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers of messages.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use mf_acc::hello::Hello;
use mf_acc::{Bounds, Protocol, Server, TcpOptions, Times};

use crate::Result;
use crate::certificates::Certificates;
use crate::error::Wrap;
use crate::process::prepare;

/// Attempts to connect, a second apart.
const ATTEMPTS: u32 = 5;

/// A message of a peer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Message<'a> {
    /// Its type, as the sender says.
    pub kind: i16,
    /// Its number, as the sender says.
    pub sequence: u32,
    /// Its bytes.
    pub body: &'a [u8],
}

/// A connection to another server. Cheap to clone. `Send` and `Sync`.
#[derive(Clone)]
pub struct Link(Arc<mf_acc::Link>);

impl Link {
    /// Returns its number in this process.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Returns the address of the peer.
    pub fn peer(&self) -> SocketAddr {
        self.0.peer()
    }

    /// Returns true if it has ended.
    pub fn has_ended(&self) -> bool {
        self.0.has_ended()
    }

    /// Sends a message of a type: at once, or queued if the peer is slow. The body has at most 64 MiB.
    ///
    /// # Errors
    /// `InvalidParam` the body is too long · `NoResources` the queue is full · `NotConnected`, `Failed` the
    /// link has ended.
    pub fn send(&self, kind: i16, sequence: u32, body: &[u8]) -> Result<()> {
        self.0.send((kind, 0, sequence), body, &[], false).wrap()
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Options of a server of messages, from [`MessageServer::builder`].
#[must_use = "start makes the server"]
pub struct MessageServerBuilder {
    server: Server,
    options: TcpOptions,
    certificates: Option<Certificates>,
    has_broken: bool,
}

impl MessageServerBuilder {
    /// Listens at this address, port 0 for a free one (default: it only connects to others). Beyond loopback
    /// give [`certificates`](Self::certificates).
    pub fn listen(mut self, address: SocketAddr) -> Self {
        self.options.listen = Some((address.ip(), address.port()));
        self
    }

    /// Sets the number of threads that run callbacks, 1 (the default) to 256.
    pub fn workers(mut self, workers: u16) -> Self {
        self.options.workers = workers;
        self
    }

    /// Sets the most messages that wait to be sent on a link, 32 to 255 (the default).
    pub fn queue(mut self, messages: u16) -> Self {
        self.options.queue = messages;
        self
    }

    /// Sets number and version of the program's protocol, which must equal the peer's (default 0 and 1).
    pub fn protocol(mut self, magic: i16, version: i16) -> Self {
        (self.options.magic, self.options.version) = (magic, version);
        self
    }

    /// Encrypts and authenticates all links.
    pub fn certificates(mut self, certificates: Certificates) -> Self {
        self.certificates = Some(certificates);
        self
    }

    /// Calls `callback` for messages of a type. At least one is needed.
    pub fn on_message(
        self,
        kind: i16,
        callback: impl Fn(Message<'_>, &Link) + Send + Sync + 'static,
    ) -> Self {
        self.server.on_request(
            kind,
            Some(Arc::new(move |head, body, link| {
                callback(Message { kind: head.kind, sequence: head.sequence, body }, &Link(Arc::clone(link)));
                0
            })),
        );
        self
    }

    /// Calls `callback` for each peer that connects, with the rank that it gives of itself; false refuses it
    /// (default: all are accepted).
    pub fn on_link(self, callback: impl Fn(u64, &Link) -> bool + Send + Sync + 'static) -> Self {
        self.server.on_new_link(Some(Arc::new(move |hello, link| {
            i32::from(!callback(hello.rank, &Link(Arc::clone(link))))
        })));
        self
    }

    /// Calls `callback` for each link that has ended, on a thread of its own.
    pub fn on_end(mut self, callback: impl Fn(&Link) + Send + Sync + 'static) -> Self {
        self.server.on_broken(Some(Arc::new(move |link| callback(&Link(Arc::clone(link))))));
        self.has_broken = true;
        self
    }

    /// Starts it.
    ///
    /// # Errors
    /// `InvalidParam` an option is out of range, no callback for messages, or an unusable certificate ·
    /// `InUse` the address · `NoResources` threads or descriptors.
    pub fn start(self) -> Result<MessageServer> {
        prepare()?;
        if !self.has_broken {
            self.server.on_broken(Some(Arc::new(|_| ())));
        }
        self.server.start_tcp(&self.options, self.certificates.map(Certificates::files)).wrap()?;
        Ok(MessageServer { server: self.server, protocol: (self.options.magic, self.options.version) })
    }
}

impl fmt::Debug for MessageServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageServerBuilder").field("options", &self.options).finish_non_exhaustive()
    }
}

/// A server of messages. Stops when dropped. `Send` and `Sync`.
pub struct MessageServer {
    server: Server,
    protocol: (i16, i16),
}

impl MessageServer {
    /// Returns options of a server.
    pub fn builder() -> MessageServerBuilder {
        let server = Server::new(Protocol::Messages);
        server.on_new_link(Some(Arc::new(|_, _| 0)));
        let options = TcpOptions {
            listen: None,
            workers: 1,
            queue: 255,
            magic: 0,
            version: 1,
            times: Times::default(),
            bounds: Bounds::default(),
        };
        MessageServerBuilder { server, options, certificates: None, has_broken: false }
    }

    /// Returns the address at which it listens.
    pub fn address(&self) -> Option<SocketAddr> {
        self.server.address()
    }

    /// Connects to another server, giving it `rank` as the own number. Five attempts, a second apart. Returns
    /// when the other side has accepted the link.
    ///
    /// # Errors
    /// `NotStarted` this server has stopped · `NotConnected`, `Failed` the other side refuses, or was not
    /// reached · `Timeout`.
    pub fn connect(&self, address: SocketAddr, rank: u64) -> Result<Link> {
        let (magic, version) = self.protocol;
        let hello = Hello { magic, version, reconnect: 0, rank };
        self.server.connect(address.ip(), address.port(), &hello, ATTEMPTS).map(Link).wrap()
    }

    /// Ends a link.
    ///
    /// # Errors
    /// `InvalidParam` it belongs to another server.
    pub fn release(&self, link: &Link) -> Result<()> {
        self.server.release(&link.0).wrap()
    }

    /// Stops it: returns when no callback is running or will run.
    ///
    /// # Errors
    /// `Failed` called in one of its callbacks; nothing was done.
    pub fn stop(&self) -> Result<()> {
        self.server.stop().wrap()
    }
}

impl fmt::Debug for MessageServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageServer").field("address", &self.address()).finish_non_exhaustive()
    }
}
