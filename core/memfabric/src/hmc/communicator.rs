// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Communicators, their peers and operations.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use mf_hmc::ConnType;
use mf_hmc::communicator::{At, Ranges};

use super::Buffer;
use crate::Result;
use crate::error::Wrap;

/// Preferred transport of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transport {
    /// RDMA, if there is such hardware.
    Rdma,
    /// UCX, else the transports of this library (default).
    Ucx,
}

impl Transport {
    fn conn(self) -> ConnType {
        match self {
            Self::Rdma => ConnType::Rdma,
            Self::Ucx => ConnType::Ucx,
        }
    }
}

/// Options of a communicator, from [`Communicator::builder`].
#[derive(Clone, Debug)]
#[must_use = "build makes the communicator"]
pub struct CommunicatorBuilder {
    buffer: Buffer,
    channels: u64,
    transport: Transport,
}

impl CommunicatorBuilder {
    /// Sets the number of channels, 1 to [`CHANNELS_MAX`](super::CHANNELS_MAX) (default 1): as many started
    /// operations run at a time.
    pub fn channels(mut self, channels: u64) -> Self {
        self.channels = channels;
        self
    }

    /// Sets the preferred transport (default: [`Transport::Ucx`]); both sides choose the same.
    pub fn transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// Makes the communicator, without connections. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` the number of channels.
    pub fn build(self) -> Result<Communicator> {
        let inner =
            mf_hmc::Communicator::new("hmc communicator", Arc::clone(self.buffer.inner()), self.channels);
        Ok(Communicator { inner: Arc::new(inner.wrap()?), buffer: self.buffer, conn: self.transport.conn() })
    }
}

/// Name of a connected peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    ip: String,
    port: u16,
}

/// A buffer and its connections. Cheap to clone. `Send` and `Sync`. The last clone that is dropped ends it.
#[derive(Clone)]
pub struct Communicator {
    inner: Arc<mf_hmc::Communicator>,
    buffer: Buffer,
    conn: ConnType,
}

impl Communicator {
    /// Returns options of a communicator over this buffer.
    pub fn builder(buffer: Buffer) -> CommunicatorBuilder {
        CommunicatorBuilder { buffer, channels: 1, transport: Transport::Ucx }
    }

    /// Returns its buffer.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Lets others connect at this address of this host. Returns when they can.
    ///
    /// # Errors
    /// `InvalidParam` not an address of this host, or port 0 · `Failed` the port is in use.
    pub fn listen(&self, address: SocketAddr) -> Result<()> {
        self.inner.listen("hmc listen", &address.ip().to_string(), address.port(), self.conn).wrap()
    }

    /// Stops listening; connections stay.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    pub fn stop_listening(&self) -> Result<()> {
        self.inner.stop("hmc stop listening").wrap()
    }

    /// Connects to the listener at this address, if not connected already. Tries once, and blocks at most 10
    /// s.
    ///
    /// # Errors
    /// `InvalidParam` port 0 · `Failed` no listener, it refuses, or no transport reaches its memory.
    pub fn connect(&self, address: SocketAddr) -> Result<Peer> {
        let ip = address.ip().to_string();
        self.inner.connect("hmc connect", &ip, address.port(), self.conn).wrap()?;
        Ok(Peer { ip, port: address.port() })
    }

    /// Returns the peer that has connected to this side, by the address at which it listens; by its address
    /// and port 0 if it does not listen.
    ///
    /// # Errors
    /// `NotExist` no such peer is connected.
    pub fn peer(&self, address: SocketAddr) -> Result<Peer> {
        let peer = Peer { ip: address.ip().to_string(), port: address.port() };
        self.inner.connection("hmc peer", self.at(&peer)).wrap()?;
        Ok(peer)
    }

    /// Drops the connection to a peer, if connected.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    pub fn disconnect(&self, peer: &Peer) -> Result<()> {
        self.inner.disconnect("hmc disconnect", self.at(peer)).wrap()
    }

    fn at<'a>(&self, peer: &'a Peer) -> At<'a> {
        At { ip: peer.ip.as_bytes(), port: peer.port, conn: self.conn }
    }

    /// Copies from the own buffer to a peer's. **One-sided.** The bytes are visible there on return.
    ///
    /// # Errors
    /// `NotExist` unknown peer · `Failed` a range is not inside its buffer, or the peer is gone.
    #[inline]
    pub fn put(&self, peer: &Peer, ranges: Ranges) -> Result<()> {
        self.inner.put("hmc put", self.at(peer), ranges).wrap()
    }

    /// Copies from the buffer of a peer to the own one. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    #[inline]
    pub fn get(&self, peer: &Peer, ranges: Ranges) -> Result<()> {
        self.inner.get("hmc get", self.at(peer), ranges).wrap()
    }

    /// Starts a [`put`](Self::put) and returns.
    ///
    /// # Errors
    /// As [`put`](Self::put), for errors found at once.
    pub fn start_put(&self, peer: &Peer, ranges: Ranges) -> Result<Operation> {
        let id = self.inner.start("hmc put", self.at(peer), ranges, true).wrap()?;
        Ok(Operation { communicator: Arc::clone(&self.inner), id })
    }

    /// Starts a [`get`](Self::get) and returns.
    ///
    /// # Errors
    /// As [`put`](Self::put), for errors found at once.
    pub fn start_get(&self, peer: &Peer, ranges: Ranges) -> Result<Operation> {
        let id = self.inner.start("hmc get", self.at(peer), ranges, false).wrap()?;
        Ok(Operation { communicator: Arc::clone(&self.inner), id })
    }

    /// Ends listeners, connections and operations in flight; the buffer is not reachable any more when it
    /// returns. A second call changes nothing.
    pub fn end(&self) {
        self.inner.end();
    }
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Communicator").field("buffer", &self.buffer).finish_non_exhaustive()
    }
}

/// A started operation. `Send` and `Sync`. It goes on if dropped.
#[must_use = "wait says whether it succeeded"]
pub struct Operation {
    communicator: Arc<mf_hmc::Communicator>,
    id: u64,
}

impl Operation {
    /// Waits until it is done.
    ///
    /// # Errors
    /// As [`Communicator::put`].
    pub fn wait(self) -> Result<()> {
        self.communicator.wait("hmc wait", self.id).wrap()
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation").field("id", &self.id).finish_non_exhaustive()
    }
}
