// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Dialling: joins the listener's meeting point, under a name that is used once.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::os::random;
use mf_base::{Error, Kind, Result, interrupt};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::meeting::Guest;

use super::CommunicatorInner;
use super::admission::{Trust, address_of, source_towards};
use super::card::{self, Dialer};
use super::connection::Connection;
use crate::host::is_own;
use crate::numbers::{ConnType, Status};
use crate::peer_table::PeerKey;
use crate::status_errors::{at_listener, fault};
use crate::tcp;

/// Longest handshake; it takes many seconds on a slow machine.
const HANDSHAKE: Duration = Duration::from_secs(60);

/// Like [`connect`](super::Communicator::connect).
pub(super) fn connect(
    op: &'static str,
    inner: &Arc<CommunicatorInner>,
    ip: &str,
    port: u16,
    conn: ConnType,
) -> Result<()> {
    let bad = |what: &str| fault(op, Status::InvalidConfig, what).with("ip", ip.escape_debug());
    let address = address_of(ip).ok_or_else(|| bad("not an address and not a host name"))?;
    if port == 0 {
        return Err(bad("nobody listens at port 0"));
    }
    let key = PeerKey { conn, ip: address, port };
    match inner.peers.get(key) {
        Some(known) if known.is_alive() => return Ok(()),
        _ => {}
    }
    let trust = Trust::of_settings()?;
    let to = trust.dial_at(op, address, port)?;
    let refused = |what: &str| fault(op, Status::Error, what).with("ip", address).with("port", port);
    let failed = |what: &str, error: Error| match error.kind() {
        Kind::Interrupted => error,
        _ => {
            let account = at_listener(&error);
            let failed = refused(what);
            let failed = match account.contains("secret") {
                true => {
                    failed.hint("give all processes the same secret (MF_JOB_SECRET or MF_JOB_SECRET_FILE)")
                }
                false => failed,
            };
            failed.source(account)
        }
    };
    let deadline = Instant::now() + HANDSHAKE;
    // Fails at once if nothing listens: a guest would wait for its store.
    tcp::connect(op, to, Some(HANDSHAKE)).map_err(|error| failed("nobody listens there", error))?;
    // Both hold locks that other calls take, too: not interruptible.
    let net = interrupt::closed(|| inner.net(op, &trust))?;
    let (own_ip, own_port) = inner.own_place(conn);
    let own = net.card(&inner.buffer, inner.channels, own_port);
    let shown = card::encode(op, &Dialer { card: own, ip: own_address_towards(own_ip, address, port) })?;
    let name = card::dialer_name(u128::from_le_bytes(random(op)?));
    let stay =
        Guest::join(&StoreUrl::tcp(to), &name, &shown, &trust.access(), HANDSHAKE).map_err(|error| {
            match error.kind() {
                Kind::NotConnected => failed("the listener does not accept data connections", error),
                _ => failed("the peer does not let this process in", error),
            }
        })?;
    let answer = stay
        .store()
        .wait(&card::answer_key(&name), deadline)
        .map_err(|error| failed("the peer does not answer", error))?;
    let theirs = card::answer(op, &answer.value)?;
    let connection = interrupt::closed(|| Connection::new(net, theirs, conn, inner.channels, Some(stay)))
        .map_err(|error| failed("nothing reaches the memory of the peer", error))?;
    tracing::debug!("connected to {address} at {port}: {}", connection.path());
    inner.connected(key, &Arc::new(connection.dialled(ip)));
    Ok(())
}

/// Returns the address by which the listener at `to` knows this process, which listens at `own`.
///
/// The kernel dials an own address from one that it chooses, which may belong to another process.
fn own_address_towards(own: Option<IpAddr>, to: IpAddr, port: u16) -> IpAddr {
    let means_something = |own: &IpAddr| {
        !own.is_unspecified() && (!own.is_loopback() || to.is_loopback() || is_own(to).unwrap_or(false))
    };
    let source = || source_towards(SocketAddr::new(to, port)).unwrap_or(to);
    own.filter(means_something).unwrap_or_else(source)
}
