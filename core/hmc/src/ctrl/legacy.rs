// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links of the older interface: a peer is identified by its address and announces no rank. Senders and
//! receivers connect if there is no link.

use std::net::IpAddr;
use std::os::fd::RawFd;
use std::sync::Arc;
use std::time::Duration;

use mf_base::{Error, Result};

use super::accept::Listener;
use super::address::{LinkAddress, resolve};
use super::admission::Rules;
use super::link::Link;
use super::table::Peer;
use super::{CONNECT, Control, Message, PLAIN_PORT, START, mutex, receive_message};
use crate::fair_mutex::Wait;

impl Control {
    /// Listens for peers of the older interface, identified by their addresses; does nothing if started
    /// already. **Local.** Returns the port.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_plain(&'static self, rules: &Arc<Rules>, host: &str, port: u16) -> Result<Option<u16>> {
        let mutex = mutex(&self.changing);
        mutex.with(&mut Wait::new(START, None), |(), _| {
            if self.state.lock().has_addresses {
                return Ok(None);
            }
            let (listener, bound) = Listener::tcp(rules, &resolve(START, host, port)?, false)?;
            self.serve(vec![(listener, None)], |state| {
                (state.has_addresses, state.plain_port) = (true, bound);
            })?;
            Ok(Some(bound))
        })
    }

    /// Returns the port at which this process listens for peers identified by their addresses; with a host,
    /// the port at which this process dialled it. 0 if there is no such port. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` invalid address.
    pub fn plain_port(&self, host: Option<&str>) -> Result<u16> {
        let Some(host) = host else { return Ok(self.state.lock().plain_port) };
        let link = self.find(address(CONNECT, host)?);
        Ok(match link.as_deref().and_then(|link| link.origin().place()) {
            Some(LinkAddress::Tcp(address)) => address.port(),
            _ => 0,
        })
    }

    /// Returns the link to an address, connecting if necessary.
    fn link_to(&'static self, rules: &Arc<Rules>, host: &str, port: u16) -> Result<Arc<Link>> {
        let peer = address(CONNECT, host)?;
        if let Some(link) = self.find(peer) {
            return Ok(link);
        }
        let mutex = mutex(&self.dialing);
        mutex.with(&mut Wait::new(CONNECT, None), |(), _| {
            // Another thread was faster.
            if let Some(link) = self.find(peer) {
                return Ok(link);
            }
            let _dialing = self.begin_dial(peer);
            self.bind(self.dial_any(rules, host, port, peer, None)?);
            self.find_or_fail(CONNECT, peer)
        })
    }

    /// Returns the descriptor of the link to an address, connecting if necessary. The link owns it: the
    /// program may read and write it, and must not close it.
    ///
    /// # Errors
    /// As [`connect_tcp`](Self::connect_tcp).
    pub fn descriptor(&'static self, rules: &Arc<Rules>, host: &str, port: u16) -> Result<RawFd> {
        // Drops a link that the peer has closed.
        let _ = self.find_living(address(CONNECT, host)?);
        self.link_to(rules, host, port)?.lend()
    }

    /// Sends to an address (connecting to [`PLAIN_PORT`] if there is no link), like [`send`](Self::send).
    ///
    /// # Errors
    /// Errors of [`send`](Self::send) and [`connect_tcp`](Self::connect_tcp).
    pub fn send_to(
        &'static self,
        rules: &Arc<Rules>,
        host: &str,
        kind: u16,
        flags: u16,
        payload: &[u8],
    ) -> Result<()> {
        let link = self.link_to(rules, host, PLAIN_PORT)?;
        self.with_link(&link, |link| link.send(kind, flags, payload))
    }

    /// Receives from an address (connecting to [`PLAIN_PORT`] if there is no link), like
    /// [`receive`](Self::receive).
    ///
    /// # Errors
    /// Errors of [`receive`](Self::receive) and [`connect_tcp`](Self::connect_tcp).
    pub fn receive_from(
        &'static self,
        rules: &Arc<Rules>,
        host: &str,
        limit: Option<Duration>,
    ) -> Result<Message> {
        let link = self.link_to(rules, host, PLAIN_PORT)?;
        receive_message(self, &link, limit)
    }

    /// Ends the link to an address. Returns false if there was no link.
    ///
    /// # Errors
    /// `InvalidParam` invalid address.
    pub fn close_address(&self, host: &str) -> Result<bool> {
        Ok(self.close(address("hmc ctrl close", host)?))
    }
}

/// Returns the peer at an address.
fn address(op: &'static str, host: &str) -> Result<Peer> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(Peer::from_address(address));
    }
    let first = resolve(op, host, PLAIN_PORT)?.first().map(|found| Peer::from_address(found.ip()));
    first.ok_or_else(|| Error::invalid(op, "the name has no address").with("address", host))
}
