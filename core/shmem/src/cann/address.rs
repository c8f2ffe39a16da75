// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Addresses of jobs in attributes and variables.
//!
//! `tcp://host:port`, `tcp6://[address]:port`; the scheme and the port may be missing. The host is a numeric
//! address or a name. Port 0 is the template of instances, which have ports of a range.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::ops::RangeInclusive;

use mf_base::log::without_password;
use mf_base::os::descriptor;
use mf_base::{Error, Result};

/// The port of addresses that name none.
pub const DEFAULT_PORT: u16 = 8666;
/// Ports that addresses may name.
const PORTS: RangeInclusive<u16> = 1025..=65535;
/// Longest text of an address, and of the name of a host.
const LONGEST: usize = 63;
const LONGEST_NAME: usize = 253;

/// A parsed address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    /// 0: the template of instances.
    pub port: u16,
}

impl Address {
    /// Reads an address with a port, as the variable of unique ids has it.
    ///
    /// # Errors
    /// `InvalidParam` names the part that is wrong.
    pub fn parse_session(op: &'static str, text: &str) -> Result<Self> {
        let address = Self::parse(op, text)?;
        let has_port = text.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
        if text.contains("://") || !has_port || address.port == 0 {
            return Err(Error::invalid(op, "SHMEM_UID_SESSION_ID has no address and port")
                .with("SHMEM_UID_SESSION_ID", format!("\"{}\"", without_password(text).escape_debug()))
                .hint("address:port, [address]:port or name:port"));
        }
        Ok(address)
    }

    /// Reads an address.
    ///
    /// # Errors
    /// `InvalidParam` names the part that is wrong.
    pub fn parse(op: &'static str, text: &str) -> Result<Self> {
        let wrong = |what: &str| {
            Error::invalid(op, what)
                .with("address", format!("\"{}\"", without_password(text).escape_debug()))
                .hint("tcp://host:port or tcp6://[address]:port, at most 63 characters; port 1025 to 65535")
        };
        if text.len() > LONGEST {
            return Err(wrong("the address is too long"));
        }
        let (is_six, rest) = match text.split_once("://") {
            Some(("tcp", rest)) => (false, rest),
            Some(("tcp6", rest)) => (true, rest),
            Some(_) => return Err(wrong("the scheme of the address is neither tcp nor tcp6")),
            None => (false, text),
        };
        let (host, port) = Self::split(rest).ok_or_else(|| wrong("the address has no host and port"))?;
        if is_six && !host.contains(':') {
            return Err(wrong("tcp6 takes a numeric address of IPv6 in brackets"));
        }
        let port = match port {
            None => DEFAULT_PORT,
            Some("0") => 0,
            Some(port) => port
                .parse()
                .ok()
                .filter(|number| port.bytes().all(|digit| digit.is_ascii_digit()) && PORTS.contains(number))
                .ok_or_else(|| wrong("the port of the address is out of range"))?,
        };
        if !is_host(host) {
            return Err(wrong("the host of the address is neither an address nor a name"));
        }
        Ok(Self { host: host.to_owned(), port })
    }

    /// Host, without brackets, and port.
    fn split(text: &str) -> Option<(&str, Option<&str>)> {
        if let Some(rest) = text.strip_prefix('[') {
            let (host, behind) = rest.split_once(']')?;
            host.parse::<std::net::Ipv6Addr>().ok()?;
            return match behind {
                "" => Some((host, None)),
                behind => Some((host, Some(behind.strip_prefix(':')?))),
            };
        }
        match text.split_once(':') {
            Some((host, port)) => Some((host, Some(port))),
            None => Some((text, None)),
        }
    }

    /// The one address that all PEs find for this host: of several the lowest, loopback last.
    ///
    /// # Errors
    /// `InvalidParam` there is no such host.
    pub fn resolve(&self, op: &'static str) -> Result<IpAddr> {
        if let Ok(ip) = self.host.parse() {
            return Ok(ip);
        }
        let unknown = || Error::invalid(op, "the host has no address").with("host", &self.host);
        let found = descriptor::reserving(|| (self.host.as_str(), 0).to_socket_addrs())
            .map_err(|error| unknown().source(error))?;
        let ips = found.map(|address| address.ip());
        ips.min_by_key(|ip| (ip.is_loopback(), *ip)).ok_or_else(unknown)
    }
}

/// Returns true for an address or a possible host name, which is not all digits and dots.
fn is_host(text: &str) -> bool {
    if text.parse::<IpAddr>().is_ok() {
        return true;
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let is_name = (1..=LONGEST_NAME).contains(&text.len()) && text.chars().all(fits);
    is_name && text.chars().any(|c| c.is_ascii_alphabetic())
}

/// Returns true if this machine has the address.
pub fn is_own(ip: IpAddr) -> bool {
    descriptor::bind_udp(SocketAddr::new(ip, 0)).is_ok()
}
