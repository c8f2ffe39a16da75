// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who dials: a stay at the meeting point of who listens, under a name that is used once.

use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::os::random;
use mf_store::StoreUrl;
use mf_store::meeting::Guest;

use super::Inner;
use super::card::{self, Dialer};
use super::connection::Connection;
use super::trust::{Trust, address_of, source_towards};
use crate::book::Key;
use crate::fault::fault;
use crate::numbers::{ConnType, Status};

/// Longest handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// As [`connect`](super::Communicator::connect).
pub(super) fn connect(
    op: &'static str,
    inner: &Arc<Inner>,
    ip: &str,
    port: u16,
    conn: ConnType,
) -> Result<()> {
    let bad = |what: &str| fault(op, Status::InvalidConfig, what).with("ip", ip.escape_debug());
    let address = address_of(ip).ok_or_else(|| bad("it is no address, and no name of one"))?;
    if port == 0 {
        return Err(bad("nobody listens at port 0"));
    }
    let key = Key { conn, ip: address, port };
    match inner.peers.get(key) {
        Some(known) if known.is_alive() => return Ok(()),
        _ => {}
    }
    let trust = Trust::of_settings()?;
    let to = trust.dial_at(op, address, port)?;
    let refused = |what: &str| fault(op, Status::Error, what).with("ip", address).with("port", port);
    let deadline = Instant::now() + HANDSHAKE;
    // At once, where nobody listens: a guest would wait for its store.
    TcpStream::connect_timeout(&to, HANDSHAKE)
        .map_err(|error| refused("nobody listens there").source(error))?;
    let net = inner.net(op, &trust)?;
    // What the other end sees of the connection.
    let source = source_towards(SocketAddr::new(address, port)).unwrap_or(address);
    let own = net.card(&inner.buffer, inner.channels, inner.own_port(conn));
    let shown = card::encode(op, &Dialer { card: own, ip: source })?;
    let name = card::dialer_name(u128::from_le_bytes(random(op)?));
    let stay = Guest::join(&StoreUrl::tcp(to), &name, &shown, &trust.access(), HANDSHAKE)
        .map_err(|error| refused("the peer does not let this process in").source(error.to_string()))?;
    let answer = stay
        .store()
        .wait(&card::answer_key(&name), deadline)
        .map_err(|error| refused("the peer does not answer").source(error.to_string()))?;
    let theirs = card::answer(op, &answer.value)?;
    let connection = Connection::new(net, theirs, conn, inner.channels, Some(stay))
        .map_err(|error| refused("nothing reaches the memory of the peer").source(error.to_string()))?;
    tracing::debug!("connected to {address} at {port}: {}", connection.path());
    inner.connected(key, &Arc::new(connection.dialled(ip)));
    Ok(())
}
