// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HTTP servers.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use mf_acc::{Bounds, HttpOptions, HttpRequest, Protocol, Server, Times};

use crate::Result;
use crate::certificates::Certificates;
use crate::error::Wrap;
use crate::process::prepare;

/// Method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// GET.
    Get,
    /// HEAD.
    Head,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
}

impl Method {
    fn inner(self) -> mf_acc::http::Method {
        match self {
            Self::Get => mf_acc::http::Method::Get,
            Self::Head => mf_acc::http::Method::Head,
            Self::Post => mf_acc::http::Method::Post,
            Self::Put => mf_acc::http::Method::Put,
            Self::Delete => mf_acc::http::Method::Delete,
        }
    }
}

/// A request, which is answered once. Cheap to clone. `Send` and `Sync`: another thread may answer.
#[derive(Clone)]
pub struct Request(Arc<HttpRequest>);

impl Request {
    /// Returns its path.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Returns its body.
    pub fn body(&self) -> &[u8] {
        self.0.body()
    }

    /// Returns the first parameter of this name behind the path.
    pub fn parameter(&self, name: &str) -> Option<&[u8]> {
        self.0.parameters().first(name.as_bytes())
    }

    /// Answers it.
    ///
    /// # Errors
    /// `InvalidParam` not a status of HTTP · `RepeatInvoke`, `Failed` it was answered, or its connection has
    /// ended.
    pub fn reply(&self, status: u16, content_type: &str, body: &[u8]) -> Result<()> {
        self.0.reply(status, content_type, body).wrap()
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("path", &self.path()).finish_non_exhaustive()
    }
}

/// Options of an HTTP server, from [`HttpServer::builder`].
#[must_use = "start makes the server"]
pub struct HttpServerBuilder {
    server: Server,
    options: HttpOptions,
    certificates: Option<Certificates>,
    routes: Result<()>,
}

impl HttpServerBuilder {
    /// Sets the number of threads that run callbacks, 1 (the default) to 256.
    pub fn workers(mut self, workers: u16) -> Self {
        self.options.workers = workers;
        self
    }

    /// Sets the most bytes of a body (default 1 MiB).
    pub fn body_bytes_max(mut self, bytes: u64) -> Self {
        self.options.body_bytes_max = bytes;
        self
    }

    /// Serves HTTPS.
    pub fn certificates(mut self, certificates: Certificates) -> Self {
        self.certificates = Some(certificates);
        self
    }

    /// Calls `callback` for requests with this method and path; `*` is the path for requests without a route.
    /// At least one is needed.
    pub fn route(
        mut self,
        method: Method,
        path: &str,
        callback: impl Fn(&Request) + Send + Sync + 'static,
    ) -> Self {
        let added = self.server.on_http(
            method.inner(),
            path,
            Arc::new(move |request| {
                callback(&Request(Arc::clone(request)));
                0
            }),
        );
        self.routes = self.routes.and(added.wrap());
        self
    }

    /// Starts it.
    ///
    /// # Errors
    /// `InvalidParam` an option is out of range, no route or a malformed one, or an unusable certificate ·
    /// `InUse` the address · `NoResources` threads or descriptors.
    pub fn start(self) -> Result<HttpServer> {
        prepare()?;
        self.routes?;
        self.server.on_broken(Some(Arc::new(|_| ())));
        self.server.start_http(&self.options, self.certificates.map(Certificates::files)).wrap()?;
        Ok(HttpServer(self.server))
    }
}

impl fmt::Debug for HttpServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServerBuilder").field("options", &self.options).finish_non_exhaustive()
    }
}

/// An HTTP server. Stops when dropped. `Send` and `Sync`.
///
/// ```
/// use memfabric::acc::{HttpServer, Method};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = HttpServer::builder("127.0.0.1:0".parse()?)
///     .route(Method::Get, "/health", |request| {
///         // The client may be gone by now.
///         let _ = request.reply(200, "text/plain", b"well\n");
///     })
///     .start()?;
/// println!("http://{}/health", server.address().ok_or("not listening")?);
/// # Ok(())
/// # }
/// ```
pub struct HttpServer(Server);

impl HttpServer {
    /// Returns options of a server at this address, port 0 for a free one. Beyond loopback give
    /// [`certificates`](HttpServerBuilder::certificates).
    pub fn builder(address: SocketAddr) -> HttpServerBuilder {
        let options = HttpOptions {
            listen: (address.ip(), address.port()),
            workers: 1,
            body_bytes_max: 1 << 20,
            times: Times::default(),
            bounds: Bounds::default(),
        };
        HttpServerBuilder { server: Server::new(Protocol::Http), options, certificates: None, routes: Ok(()) }
    }

    /// Returns the address at which it listens.
    pub fn address(&self) -> Option<SocketAddr> {
        self.0.address()
    }

    /// Stops it: returns when no callback is running or will run.
    ///
    /// # Errors
    /// `Failed` called in one of its callbacks; nothing was done.
    pub fn stop(&self) -> Result<()> {
        self.0.stop().wrap()
    }
}

impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer").field("address", &self.address()).finish_non_exhaustive()
    }
}
