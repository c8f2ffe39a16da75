// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Admission of peers: with the job's secret, all that know it, from any host and encrypted between hosts;
//! without it, processes of this host that the meeting point admits.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use mf_base::Result;
use mf_base::os::descriptor;
use mf_base::settings::settings;
use mf_tls::{Access, JobSecret};
use mf_transport::JobId;

use crate::host::is_own;
use crate::insecure_mode;
use crate::numbers::Status;
use crate::status_errors::fault;

/// Credentials for connections in both directions.
pub(super) struct Trust {
    secret: JobSecret,
    /// Admits all that reach this process, by explicit choice.
    is_open: bool,
}

impl Trust {
    /// Reads the settings.
    ///
    /// # Errors
    /// `InvalidParam` invalid settings.
    pub(super) fn of_settings() -> Result<Self> {
        let settings = settings()?;
        let secret = JobSecret::from_settings(settings)?;
        Ok(Self { is_open: insecure_mode::is_enabled(settings, &secret), secret })
    }

    /// Returns true if only processes of this host are admitted.
    pub(super) fn is_own_host_only(&self) -> bool {
        self.secret.as_bytes().is_empty() && !self.is_open
    }

    /// Returns the token that both ends of a connection prove to know. Without a secret it protects nothing:
    /// access is limited by the memory keys that a meeting point hands out.
    pub(super) fn token(&self) -> [u8; 32] {
        JobId::token(self.secret.as_bytes(), "hmc")
    }

    /// Returns the credentials for a meeting point and its guests.
    pub(super) fn access(&self) -> Access {
        match self.secret.as_bytes().is_empty() {
            false => Access::by_secret(self.secret.clone()),
            true => Access { plaintext: self.is_open, is_explained: self.is_open, ..Access::default() },
        }
    }

    /// Returns the socket address at which to listen for dialers of this address.
    ///
    /// # Errors
    /// `InvalidConfig` not an address of this host.
    pub(super) fn listen_at(&self, op: &'static str, ip: &str, port: u16) -> Result<SocketAddr> {
        let bad = |what: &str| fault(op, Status::InvalidConfig, what).with("ip", ip.escape_debug());
        if port == 0 {
            return Err(bad("a listener has a port, which peers dial"));
        }
        let address = address_of(ip).ok_or_else(|| bad("not an address"))?;
        if !address.is_unspecified() && !is_own(address)? {
            return Err(bad("this host does not have the address"));
        }
        Ok(SocketAddr::new(if self.is_own_host_only() { loopback(address) } else { address }, port))
    }

    /// Returns the socket address to dial for a listener at this address.
    ///
    /// # Errors
    /// `InvalidConfig` invalid address or port · `Error` another host, without a secret.
    pub(super) fn dial_at(&self, op: &'static str, ip: IpAddr, port: u16) -> Result<SocketAddr> {
        if !self.is_own_host_only() {
            return Ok(SocketAddr::new(ip, port));
        }
        if !is_own(ip)? && !ip.is_unspecified() {
            return Err(fault(op, Status::Error, "connections to other hosts need a secret")
                .with("ip", ip)
                .hint(
                    "give all processes the same secret (MF_JOB_SECRET or MF_JOB_SECRET_FILE); MF_HMC_OPEN=1 does without",
                ));
        }
        Ok(SocketAddr::new(loopback(ip), port))
    }
}

/// Returns the loopback address at which processes of this host meet.
fn loopback(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) if address.is_loopback() => IpAddr::V4(address),
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
    }
}

/// Parses or resolves an address.
pub(super) fn address_of(text: &str) -> Option<IpAddr> {
    let name = || {
        let found: Vec<_> = descriptor::reserving(|| (text, 0).to_socket_addrs()).ok()?.collect();
        // Most programs listen there.
        let of_v4 = found.iter().find(|address| address.is_ipv4());
        of_v4.or(found.first()).map(SocketAddr::ip)
    };
    let plain = text.parse::<IpAddr>().ok();
    plain.or_else(|| if text.is_empty() { None } else { name() }).map(|ip| ip.to_canonical())
}

/// Returns the source address for connections from this host to another one.
pub(super) fn source_towards(to: SocketAddr) -> Option<IpAddr> {
    let socket = descriptor::bind_udp(SocketAddr::new(
        if to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() },
        0,
    ));
    let socket = socket.ok()?;
    // No packet is sent: the kernel only chooses the route.
    socket.connect(to).ok()?;
    Some(socket.local_addr().ok()?.ip().to_canonical())
}
