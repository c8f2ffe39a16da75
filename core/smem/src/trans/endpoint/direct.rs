// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Endpoints without a common store: each is met at an address of its own, and meets others at theirs.
//!
//! ```text
//!   endpoint A                           endpoint B
//!   meeting point 10.0.0.1:9000          meeting point 10.0.0.2:9000
//!     home (name HOME, its memory)         home
//!   visit of 10.0.0.2:9000 ------------------+ copies to and from B's memory
//! ```
//!
//! A destination is visited by the first batch to it, and again when its process is gone.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::os::random;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::meeting::MeetingPoint;
use mf_device::RawStream;
use mf_tls::Access;
use mf_transport::Span;

use super::{Endpoint, EndpointInner, check_spans};
use crate::trans::batches::{Batch, Batches};
use crate::trans::options::Options;
use crate::trans::peer_down::{Down, PeerDownFn};
use crate::trans::work::DESTROYED;

const OP: &str = "trans batch";
/// Name of each endpoint at its own meeting point.
const HOME: &str = "0.0.0.0:0";
/// Longest time in which a destination accepts a visit.
const VISIT: Duration = Duration::from_secs(5);
/// Stands for port 0 where an address is parsed.
const ANY_PORT: u16 = 9000;

/// Part of an endpoint without a common store.
pub(in crate::trans) struct Direct {
    point: MeetingPoint,
    /// Endpoints at the meeting points of others are made of it, with names of their own.
    template: Options,
    visits: Mutex<Visits>,
    pub(in crate::trans) batches: Batches,
}

#[derive(Default)]
struct Visits {
    /// By the address as the caller writes it.
    endpoints: HashMap<Arc<str>, Endpoint>,
    /// Number of visits so far; each has a name of its own.
    made: u64,
    is_closed: bool,
}

impl Endpoint {
    /// Creates an endpoint that others meet at `address`, without a common store: `host:port`, with port 0
    /// for any; an empty host means all addresses of this machine. The name and the store of `options` are
    /// not used. **Local**; blocks for some milliseconds.
    ///
    /// # Errors
    /// `InvalidParam` invalid address · `InUse` the port is taken · as [`create`](Self::create).
    pub fn listen(options: Options, address: &str) -> Result<Self> {
        let access = Access { certificates: options.certificates.clone(), ..Access::default() };
        let point = MeetingPoint::open(parse_listen_address(address)?, &access)?;
        let at = point.address();
        // Unique among processes that listen on all addresses at one port.
        let suffix = u64::from_le_bytes(random("trans create")?);
        let name = format!("{}_{suffix:x}", SocketAddr::new(at.ip().to_canonical(), at.port()));
        let template = Options { name, timeout: options.timeout.min(VISIT), ..options.clone() };
        let home = Options { store_url: StoreUrl::tcp(at).to_string(), name: HOME.to_owned(), ..options };
        let direct = Direct { point, template, visits: Mutex::default(), batches: Batches::default() };
        Self::make(home, Some(direct))
    }

    /// Returns the port at which others meet it. `None`: it meets them at a store.
    pub fn port(&self) -> Option<u16> {
        self.0.direct.as_ref().map(|direct| direct.point.address().port())
    }

    /// Starts copying pieces between memory here and registered memory of the endpoint met at `destination`
    /// (`host:port`); does not wait for it. With a stream it begins when the stream gets there. Batches to
    /// one destination are performed in order. Returns the number of the batch. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` an invalid piece, or an endpoint at a store · `NoResources` no thread can be started.
    /// [`poll_batch`](Self::poll_batch) reports later errors.
    ///
    /// # Safety
    /// Local memory is valid, for reading or for writing, until the batch has ended; the stream is null or
    /// the runtime's.
    pub unsafe fn start_batch(
        &self,
        destination: &str,
        spans: Vec<Span>,
        is_write: bool,
        stream: RawStream,
    ) -> Result<u64> {
        self.check()?;
        check_spans(&spans)?;
        let direct = self.0.direct()?;
        // SAFETY: the caller vouches for local memory until the batch has ended.
        let batch = unsafe { Batch::new(Arc::downgrade(&self.0), destination, spans, is_write) };
        if stream.0.is_null() || !self.0.memory.has_streams() {
            return direct.batches.start(batch);
        }
        let started = direct.batches.add(batch);
        let number = started.number();
        let work = Arc::clone(&started);
        // SAFETY: the caller passes a stream of the runtime.
        let queued = unsafe { self.0.memory.run_on(stream, Box::new(move || work.perform())) };
        queued.inspect_err(|_| direct.batches.remove(&started))?;
        Ok(number)
    }

    /// Returns true if the batch of this number is done; its writes are visible then. Does not wait.
    /// **Local.**
    ///
    /// # Errors
    /// The reason of its failure, each time: as for [`transfer`](Self::transfer) · `InvalidParam` unknown
    /// number, or an endpoint at a store.
    pub fn poll_batch(&self, number: u64) -> Result<bool> {
        self.check()?;
        self.0.direct()?.batches.poll(number)
    }
}

impl EndpointInner {
    fn direct(&self) -> Result<&Direct> {
        self.direct.as_ref().ok_or_else(|| {
            Error::invalid(OP, "the endpoint meets others at a store, and has no batches")
                .hint("smem_trans_batch_write and smem_trans_batch_read are the calls for it")
        })
    }

    /// Copies pieces to or from the endpoint met at `destination`, and waits for it.
    ///
    /// # Safety
    /// Local ranges are valid, for reading or for writing, until this returns.
    pub(in crate::trans) unsafe fn copy_directly(
        &self,
        destination: &Arc<str>,
        spans: &[Span],
        is_write: bool,
    ) -> Result<()> {
        let direct = self.direct()?;
        let (mut visit, mut is_new) = direct.visit(destination, &self.down)?;
        loop {
            // SAFETY: the caller keeps local ranges valid until this returns.
            let done = unsafe { visit.transfer(HOME, spans, is_write) };
            let Err(error) = done else { return Ok(()) };
            let error = error.set("endpoint", destination.escape_debug());
            if error.kind() != Kind::NotConnected {
                return Err(error);
            }
            direct.leave(destination, &visit);
            if is_new || self.is_over() {
                return Err(error);
            }
            // Another process may be there now.
            (visit, is_new) = direct.visit(destination, &self.down)?;
        }
    }
}

impl Direct {
    /// Returns the endpoint at the meeting point of a destination; true if it is new. Blocks until the
    /// destination accepts it, at most for [`VISIT`]. `down` learns of its end.
    fn visit(&self, destination: &Arc<str>, down: &Arc<Down>) -> Result<(Endpoint, bool)> {
        let made = {
            let mut visits = lock(&self.visits);
            if let Some(known) = visits.endpoints.get(destination) {
                return Ok((known.clone(), false));
            }
            visits.made += 1;
            visits.made
        };
        let options = Options {
            store_url: format!("tcp://{}", destination.strip_prefix("tcp://").unwrap_or(destination)),
            name: format!("{}-{made}", self.template.name),
            ..self.template.clone()
        };
        let visit = Endpoint::create(options).map_err(|error| {
            let error = error.with("destination", destination.escape_debug());
            if error.kind() == Kind::Timeout { error.as_kind(Kind::NotConnected) } else { error }
        })?;
        let mut visits = lock(&self.visits);
        if visits.is_closed {
            drop(visits);
            visit.destroy();
            return Err(Error::new(Kind::Cancelled, OP).what(DESTROYED));
        }
        let former = visits.endpoints.insert(Arc::clone(destination), visit.clone());
        drop(visits);
        // Another thread was as fast.
        if let Some(former) = former {
            former.destroy();
        }
        let (down, at) = (Arc::clone(down), Arc::clone(destination));
        visit.set_peer_down_callback(Some(Arc::new(move |name| {
            if name == HOME {
                down.report(&at);
            }
        })))?;
        Ok((visit, true))
    }

    /// Ends a visit of a destination that is gone.
    fn leave(&self, destination: &Arc<str>, visit: &Endpoint) {
        let mut visits = lock(&self.visits);
        if visits.endpoints.get(destination).is_some_and(|known| Arc::ptr_eq(&known.0, &visit.0)) {
            visits.endpoints.remove(destination);
        }
        drop(visits);
        visit.destroy();
    }

    /// Ends all visits. Copies in flight fail.
    pub(super) fn close(&self) {
        self.batches.close();
        let mut visits = lock(&self.visits);
        visits.is_closed = true;
        let all = std::mem::take(&mut visits.endpoints);
        drop(visits);
        all.into_values().for_each(|visit| visit.destroy());
    }
}

/// Calls `callback` with the address at which a visitor is met itself, which its name begins with.
pub(super) fn without_suffix(callback: PeerDownFn) -> PeerDownFn {
    Arc::new(move |name| {
        let port = name.rfind(':').unwrap_or(0);
        let end = name[port..].find('_').map_or(name.len(), |at| port + at);
        callback(&name[..end]);
    })
}

/// Parses `host:port`, also `tcp://host:port`, `:port` and an empty text.
fn parse_listen_address(text: &str) -> Result<SocketAddr> {
    const CREATE: &str = "trans create";
    let place = text.strip_prefix("tcp://").unwrap_or(text);
    let (host, port) = place.rsplit_once(':').unwrap_or((place, "0"));
    let invalid = |why: &str| {
        Error::invalid(CREATE, format!("invalid address of the endpoint: {why}"))
            .with("url", format!("\"{}\"", text.escape_debug()))
            .hint("host:port, where port 0 means any, and no host means all addresses of this machine")
    };
    let port: u16 = port.parse().map_err(|_| invalid("the port is not one of 0 to 65535"))?;
    if host.is_empty() {
        return Ok(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)));
    }
    if let Ok(ip) = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
        return Ok(SocketAddr::new(ip, port));
    }
    match StoreUrl::parse(&format!("tcp://{host}:{ANY_PORT}"))? {
        StoreUrl::Tcp { addresses } => {
            let first = addresses.first().ok_or_else(|| invalid("no address"))?;
            Ok(SocketAddr::new(first.ip(), port))
        }
        StoreUrl::Etcd { .. } | StoreUrl::Backend { .. } => Err(invalid("not an address")),
    }
}
