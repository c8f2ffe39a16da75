// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An endpoint: transfers and notifications by name.

use std::fmt;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::Duration;

use super::{Block, EndpointBuilder, Transfer};
use crate::Result;
use crate::error::Wrap;

/// A small message of another endpoint. Data that the sender had written before is there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notification {
    /// The name of the endpoint that sent it, in its own words.
    pub from: String,
    /// The message.
    pub message: Vec<u8>,
}

impl Notification {
    fn new(inner: mf_smem::trans::Notification) -> Self {
        Self { from: inner.from, message: inner.message }
    }
}

/// A name at a store, registered memory, and transfers by name. Cheap to clone. `Send` and `Sync`.
#[derive(Clone)]
pub struct Endpoint(mf_smem::trans::Endpoint);

impl Endpoint {
    /// Returns options of an endpoint of this name (`ip:port` or `[ip6]:port`) at the store of this URL,
    /// which must be there.
    pub fn builder(store_url: impl Into<String>, name: impl Into<String>) -> EndpointBuilder {
        EndpointBuilder::new(store_url, name)
    }

    pub(super) fn new(inner: mf_smem::trans::Endpoint) -> Self {
        Self(inner)
    }

    pub(super) fn inner(&self) -> &mf_smem::trans::Endpoint {
        &self.0
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Copies `source` to registered memory of the endpoint `to`. **One-sided.** It is there on return.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside one registered range there · `NotConnected` no such endpoint,
    /// or it is gone or does not answer. Part of it may have been written.
    #[inline]
    pub fn write(&self, source: &[u8], to: &str, address: u64) -> Result<()> {
        self.0.write(source, to, address).wrap()
    }

    /// Fills `destination` from registered memory of the endpoint `from`. **One-sided.**
    ///
    /// # Errors
    /// As [`write`](Self::write).
    #[inline]
    pub fn read(&self, destination: &mut [u8], from: &str, address: u64) -> Result<()> {
        self.0.read(destination, from, address).wrap()
    }

    /// Starts a transfer of `source` to registered memory of the endpoint `to`, and returns. With `message`
    /// (at most [`MESSAGE_BYTES_MAX`](super::MESSAGE_BYTES_MAX)), `to` gets a notification when all is there.
    ///
    /// ```
    /// # #[cfg(feature = "store")]
    /// # fn main() -> memfabric::Result<()> {
    /// # use std::time::Duration;
    /// # use memfabric::{store::Server, trans::Endpoint};
    /// # let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    /// # let server = Server::builder(format!("tcp://127.0.0.1:{port}")).start()?;
    /// # let endpoint = Endpoint::builder(server.url(), "127.0.0.1:7005").create()?;
    /// # let block = endpoint.allocate(4096)?;
    /// let transfer = endpoint.start_write(vec![7; 4096], "127.0.0.1:7005", block.address(), None)?;
    /// transfer.wait(Duration::from_secs(20))?;
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "store"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` a long message · `NoResources` no thread can be started. The transfer reports later
    /// errors.
    pub fn start_write(
        &self,
        source: Vec<u8>,
        to: &str,
        address: u64,
        message: Option<&[u8]>,
    ) -> Result<Transfer> {
        Transfer::start(self, source, to, address, message, true)
    }

    /// Starts a transfer from registered memory of the endpoint `from` into `destination`, and returns;
    /// [`Transfer::into_buffer`] gives the buffer back.
    ///
    /// # Errors
    /// As [`start_write`](Self::start_write).
    pub fn start_read(&self, destination: Vec<u8>, from: &str, address: u64) -> Result<Transfer> {
        Transfer::start(self, destination, from, address, None, false)
    }

    /// Finds the endpoint `peer`, as a first transfer there would. Waits for the store, at most 3 s.
    ///
    /// # Errors
    /// `NotConnected` unknown endpoint, or no engine reaches it.
    pub fn find(&self, peer: &str) -> Result<()> {
        self.0.find(peer).wrap()
    }

    /// Sends a message to the endpoint `to`, which has it when this returns; after all transfers to `to` that
    /// were started before. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` too long · `NoResources` the receiver takes none · `NotConnected` unknown endpoint,
    /// or it does not answer; the message may have arrived then.
    pub fn notify(&self, to: &str, message: &[u8]) -> Result<()> {
        self.0.notify(to, message).wrap()
    }

    /// Takes all arrived notifications, in the order of their arrival. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` the endpoint was destroyed · `NotInit` in a forked child.
    pub fn notifications(&self) -> Result<Vec<Notification>> {
        Ok(self.0.notifications().wrap()?.into_iter().map(Notification::new).collect())
    }

    /// Takes the oldest notification; waits for one, at most for `limit`. `None`: none came.
    ///
    /// # Errors
    /// As [`notifications`](Self::notifications).
    pub fn notification(&self, limit: Duration) -> Result<Option<Notification>> {
        Ok(self.0.notification(limit).wrap()?.map(Notification::new))
    }

    /// Returns a descriptor for event loops: readable when a transfer has ended or a notification has come,
    /// until 8 bytes were read from it. Events before the first call do not count.
    ///
    /// # Errors
    /// As [`notifications`](Self::notifications) · `NoResources` out of descriptors.
    pub fn event_descriptor(&self) -> Result<BorrowedFd<'_>> {
        self.0.event_descriptor().wrap()
    }

    /// Calls `callback` from now on, once for each endpoint that is gone, on a thread of its own.
    ///
    /// # Errors
    /// `NotConnected` the store is lost.
    pub fn on_peer_down(&self, callback: impl Fn(&str) + Send + Sync + 'static) -> Result<()> {
        self.0.set_peer_down_callback(Some(Arc::new(callback))).wrap()
    }

    /// Allocates memory of zeroes that peers may read and write, and that processes of this host map; rounded
    /// up to pages. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` 0 bytes · `OutOfMemory`, `NoResources`.
    pub fn allocate(&self, bytes: u64) -> Result<Block> {
        Block::allocate(self, bytes)
    }

    /// Gives the name and all memory back; others get `NotConnected` from now on. Waits for copies in flight.
    /// A second call changes nothing.
    pub fn destroy(&self) {
        self.0.destroy();
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("name", &self.name()).finish_non_exhaustive()
    }
}
