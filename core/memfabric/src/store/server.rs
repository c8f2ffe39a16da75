// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Server of a store that is not part of a job.

use std::fmt;
use std::net::SocketAddr;

use mf_bootstrap::StoreUrl;
use mf_bootstrap::served::{Served, Start};
use mf_tls::{Access, JobSecret};

use crate::Result;
use crate::certificates::Certificates;
use crate::error::Wrap;
use crate::process::prepare;

/// A store in this process, for members and endpoints in others; as `mf store` runs it. Ends when dropped.
/// `Send` and `Sync`.
///
/// ```
/// use memfabric::store::{Server, Store};
/// use std::time::Duration;
///
/// # fn main() -> memfabric::Result<()> {
/// # let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
/// # let url = format!("tcp://127.0.0.1:{port}");
/// # stringify!(
/// let url = "tcp://10.0.0.1:5570";
/// # );
/// let server = Server::builder(&*url).start()?;
/// let store = Store::visit(&server.url(), Duration::from_secs(20))?;
/// assert!(store.get("nothing")?.is_none());
/// # Ok(())
/// # }
/// ```
pub struct Server {
    served: Served,
    url: StoreUrl,
}

impl Server {
    /// Returns options of a server at this URL: `tcp://address:port`, port 1025 to 65535.
    pub fn builder(url: impl Into<String>) -> ServerBuilder {
        ServerBuilder { url: url.into(), access: Access::default() }
    }

    /// Returns the URL by which others reach it.
    pub fn url(&self) -> String {
        self.address().map_or_else(|| self.url.to_string(), |address| format!("tcp://{address}"))
    }

    /// Returns its address.
    pub fn address(&self) -> Option<SocketAddr> {
        self.served.host().and_then(|host| host.address())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.served.is_own() {
            self.served.end();
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("url", &self.url()).finish_non_exhaustive()
    }
}

/// Options of a [`Server`].
#[derive(Clone)]
#[must_use = "start makes the server"]
pub struct ServerBuilder {
    url: String,
    access: Access,
}

impl ServerBuilder {
    /// Sets the secret that authenticates members (default: from the settings).
    pub fn secret(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.access.secret = Some(JobSecret::new(secret));
        self
    }

    /// Sets the certificates of the server (default: from the settings).
    pub fn certificates(mut self, certificates: Certificates) -> Self {
        self.access.certificates = Some(certificates.files());
        self
    }

    /// Starts it. Blocks at most 30 s.
    ///
    /// # Errors
    /// `InvalidParam` the URL, or an address beyond loopback without secret and certificates · `InUse` the
    /// port.
    pub fn start(self) -> Result<Server> {
        prepare()?;
        let url = StoreUrl::parse(&self.url).wrap()?;
        let served = Served::start(url.clone(), Start::new(false, self.access)).wrap()?;
        Ok(Server { served, url })
    }
}

impl fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerBuilder").field("url", &self.url).finish_non_exhaustive()
    }
}
