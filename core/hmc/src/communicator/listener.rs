// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Listener: a meeting point, whose guests with a dialer's name are connected.
//!
//! A dialer publishes its card and waits for the answer, which is another key: so it continues only after the
//! connection is in the listener's table. When it leaves or dies, the meeting point reports that, and the
//! connection is dropped.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result, warn_limited};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::meeting::{Guest, MeetingPoint, News};
use mf_store::{Lifetime, WatchId};

use super::CommunicatorInner;
use super::admission::{Trust, address_of};
use super::card::{self, Answer, Dialer};
use super::connection::Connection;
use super::net::Net;
use crate::numbers::{ConnType, Status};
use crate::peer_table::PeerKey;
use crate::status_errors::{at_listener, fault};

const OP: &str = "hmc listen";
/// Longest wait for the own meeting point.
const OWN_ANSWERS: Duration = Duration::from_secs(60);

/// A listener of one kind of connections. Dropping it ends it; connections stay.
pub(super) struct Listener {
    /// Address as the program passed it.
    ip: IpAddr,
    port: u16,
    watcher: Guest,
    watch: WatchId,
    /// Dropped last: guests learn of the end when the watch is over.
    _point: MeetingPoint,
}

impl Listener {
    /// Opens it.
    ///
    /// # Errors
    /// As [`listen`](super::Communicator::listen).
    pub(super) fn open(
        op: &'static str,
        inner: &Arc<CommunicatorInner>,
        ip: &str,
        port: u16,
        conn: ConnType,
    ) -> Result<Self> {
        let trust = Trust::of_settings()?;
        let address = trust.listen_at(op, ip, port)?;
        let net = inner.net(op, &trust)?;
        let at = |error: Error, what: &str| {
            fault(op, Status::Error, what).with("address", address).source(at_listener(&error))
        };
        let access = trust.access();
        let point = MeetingPoint::open(address, &access).map_err(|error| match error.kind() {
            Kind::InUse => {
                let taken = at(error, "the port is in use");
                match address_of(ip) {
                    Some(named) if named != address.ip() && !named.is_unspecified() => taken.hint(
                        "without a secret all addresses of a host listen at its loopback address, each with ports of its own",
                    ),
                    _ => taken,
                }
            }
            _ => at(error, "the listener does not open"),
        })?;
        let place = StoreUrl::tcp(from_here(point.address()));
        let guest = |name| {
            Guest::join(&place, name, b"", &access, OWN_ANSWERS)
                .map_err(|error| at(error, "the listener is not served"))
        };
        let (watcher, answers) = (guest("watcher")?, guest("answers")?);
        let door = Arc::new(Door {
            inner: Arc::downgrade(inner),
            net: Arc::downgrade(&net),
            answers,
            port,
            conn,
            let_in: Mutex::default(),
        });
        let watch = {
            let door = Arc::clone(&door);
            let watch = watcher.watch(Arc::new(move |news| door.notified(news)));
            watch.map_err(|error| at(error, "the listener is not served"))?
        };
        // Guests that came before the watch.
        let early = watcher.cards().map_err(|error| at(error, "the listener is not served"))?;
        early.iter().for_each(|card| door.on_published(&card.name, &card.bytes));
        let ip = address_of(ip).unwrap_or(address.ip());
        Ok(Self { ip, port, watcher, watch, _point: point })
    }

    /// Returns the address and port at which it listens.
    pub(super) fn place(&self) -> (IpAddr, u16) {
        (self.ip, self.port)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // From now on, the end of the meeting point ends no connection.
        if let Err(error) = self.watcher.unwatch(self.watch) {
            tracing::debug!("a listener ends: {error}");
        }
    }
}

/// Returns the address at which this process reaches its own listener.
fn from_here(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Admission of dialers.
struct Door {
    inner: Weak<CommunicatorInner>,
    net: Weak<Net>,
    /// Guest that sets the answers: calls of the watching guest would wait for themselves.
    answers: Guest,
    port: u16,
    conn: ConnType,
    /// Connections by the name of the dialer; also ones that a later dialer has replaced in the table, which
    /// stay usable.
    let_in: Mutex<HashMap<String, Arc<Connection>>>,
}

impl Door {
    fn notified(&self, news: &News) {
        match news {
            News::Published(card) => self.on_published(&card.name, &card.bytes),
            News::Gone { name, .. } => self.left(name),
            News::Lost => {}
        }
    }

    fn on_published(&self, name: &str, bytes: &[u8]) {
        let (Some(inner), Some(net)) = (self.inner.upgrade(), self.net.upgrade()) else { return };
        if !card::is_dialer(name) || lock(&self.let_in).contains_key(name) {
            return;
        }
        let answer: Answer = self.admit(&inner, &net, name, bytes).map_err(|error| {
            warn_limited!("a connection is refused: {error}");
            error.to_string()
        });
        let set = card::encode(OP, &answer)
            .and_then(|answer| self.answers.store().set(&card::answer_key(name), &answer, Lifetime::Session));
        if let Err(error) = set {
            warn_limited!("a dialer gets no answer: {error}");
        }
    }

    fn admit(
        &self,
        inner: &CommunicatorInner,
        net: &Arc<Net>,
        name: &str,
        bytes: &[u8],
    ) -> Result<card::Card> {
        let Dialer { card: theirs, ip } = card::dialer(OP, bytes)?;
        let key = PeerKey { conn: self.conn, ip, port: theirs.port };
        let connection = Connection::new(Arc::clone(net), theirs, self.conn, inner.channels, None)?;
        let connection = Arc::new(connection);
        tracing::debug!("{ip} is connected: {}", connection.path());
        inner.connected(key, &connection);
        if inner.has(key, &connection) {
            lock(&self.let_in).insert(name.to_owned(), connection);
        }
        Ok(net.card(&inner.buffer, inner.channels, self.port))
    }

    fn left(&self, name: &str) {
        let Some(gone) = lock(&self.let_in).remove(name) else { return };
        if let Some(inner) = self.inner.upgrade() {
            inner.peers.remove_all(|connection| connection.number() == gone.number());
            inner.end_connection(&gone);
        }
        if let Err(error) = self.answers.store().delete(&card::answer_key(name)) {
            tracing::debug!("an answer stays: {error}");
        }
    }
}
