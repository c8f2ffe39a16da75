// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Unique id of a job: a whole rendezvous in 128 bytes, or 57, for programs that pass them over a channel of
//! their own. `bytes.rs` defines the format.

mod bytes;

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;

use mf_base::os::{interface, random};
use mf_base::{Error, Result};
use mf_store::Server;
use mf_tls::JobSecret;

use super::address::own_address;
use crate::rendezvous::{self, Listen};

const OPERATION: &str = "unique id";

/// Address and secret of a job's store, as 128 plain bytes for any channel.
///
/// One process makes it ([`create`](Self::create)), the others parse it, and all join by
/// [`Bootstrap::from_unique_id`](super::Bootstrap::from_unique_id). **It contains the secret of the job**:
/// pass it over a channel that others cannot read, and do not log it. `Debug` shows the address only.
///
/// ```
/// use mf_base::Rank;
/// use mf_bootstrap::{Bootstrap, UniqueId};
///
/// # fn main() -> mf_base::Result<()> {
/// let loopback = [127, 0, 0, 1].into();
/// let (id, server) = UniqueId::create(Some(loopback))?;     // in one process
/// let text = id.to_text();                                  // through any channel
/// let id: UniqueId = text.parse()?;                         // in all the others
/// let bootstrap = Bootstrap::from_unique_id(&id, Some(Rank(3)), 8)?;
/// assert_eq!(bootstrap.store, Some(format!("tcp://{}", server.address())));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct UniqueId {
    bytes: [u8; Self::BYTES],
    address: SocketAddr,
}

impl UniqueId {
    /// Starts a store for a job of any size on a free port of `address`, with a fresh secret, and makes the
    /// id that leads to it. The first member sets the number of ranks. Without an address it is the own
    /// address on the default route, else the address of an interface that leads to other hosts, or loopback
    /// without a network.
    ///
    /// The store runs as long as the returned [`Server`] lives; [`Server::linger`] keeps it until the last
    /// member left.
    ///
    /// # Errors
    /// `InvalidParam` the address is not one of this machine, or one that others cannot use (0.0.0.0,
    /// link-local) · else as [`Server::start`].
    pub fn create(address: Option<IpAddr>) -> Result<(Self, Server)> {
        let ip = address.or_else(own_address).unwrap_or_else(interface::loopback);
        leads_here(ip)?;
        Self::serve(Listen::At(SocketAddr::new(ip, 0)))
    }

    /// Like [`create`](Self::create), on a TCP socket that the caller has bound to an address by which the
    /// other members reach this process; see [`Server::start_on`].
    ///
    /// # Errors
    /// As for [`Server::start_on`] · `InvalidParam` others cannot use the address.
    pub fn create_on(socket: OwnedFd) -> Result<(Self, Server)> {
        Self::serve(Listen::On(socket))
    }

    fn serve(place: Listen) -> Result<(Self, Server)> {
        let secret = random(OPERATION)?;
        let server = rendezvous::start_server(place, JobSecret::new(secret))?;
        leads_here(server.address().ip())?;
        Ok((Self::new(server.address(), &secret), server))
    }

    /// The bytes of the id. They contain the secret.
    pub fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.bytes
    }

    /// The id as 256 hexadecimal digits. They contain the secret.
    pub fn to_text(&self) -> String {
        self.bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the store's address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn secret(&self) -> JobSecret {
        JobSecret::new(&self.bytes[28..60])
    }
}

/// Checks that an address means the same machine everywhere.
fn leads_here(ip: IpAddr) -> Result<()> {
    let link_local = matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local());
    if !ip.is_unspecified() && !link_local {
        return Ok(());
    }
    Err(Error::invalid(OPERATION, "the address means another machine on each machine")
        .with("address", ip)
        .hint("give an address by which the other members reach this one"))
}

impl fmt::Debug for UniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UniqueId").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn a_store_runs_on_a_socket_of_the_caller() {
        let socket = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = socket.local_addr().unwrap();
        let (id, server) = UniqueId::create_on(socket.into()).unwrap();
        assert_eq!((id.address(), server.address()), (address, address));
        let place = super::super::Bootstrap::from_unique_id(&id, Some(mf_base::Rank(0)), 1).unwrap();
        let timeout = std::time::Duration::from_secs(30);
        let joined = rendezvous::join(place.beside(&server).options(timeout, timeout).unwrap()).unwrap();
        assert_eq!(joined.store.unwrap().member().rank, mf_base::Rank(0));
    }

    #[test]
    fn debug_hides_the_secret() {
        let id = UniqueId::new("127.0.0.1:5570".parse().unwrap(), &[7; 32]);
        let shown = format!("{:?}", id);
        assert!(shown.contains("127.0.0.1:5570"), "{shown}");
        assert!(!shown.contains("07") && !shown.contains("7, 7"), "{shown}");
        assert_eq!(format!("{:?}", id.secret()), "(set)");
    }

    #[test]
    fn unroutable_addresses_are_refused() {
        for ip in ["0.0.0.0", "::", "fe80::1"] {
            let error = UniqueId::create(Some(ip.parse().unwrap())).unwrap_err();
            assert_eq!(error.kind(), mf_base::Kind::InvalidParam, "{ip}");
        }
    }

    #[test]
    fn every_id_has_its_own_secret_and_port() {
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let (one, first) = UniqueId::create(Some(loopback)).unwrap();
        let (other, second) = UniqueId::create(Some(loopback)).unwrap();
        assert_eq!((one.address(), other.address()), (first.address(), second.address()));
        assert_ne!(one.address(), other.address());
        assert_ne!(one.secret(), other.secret());
    }
}
