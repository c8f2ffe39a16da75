// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Addresses of peers, and the id of a peer's process.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

use mf_base::os::descriptor;
use mf_base::{Error, Result};

use crate::Status;

/// Address of a listening peer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target<'a> {
    Tcp(SocketAddr),
    Unix(&'a Path),
}

/// Id of a process.
pub(super) type Process = [u8; 12];

/// Address or path at which a link was dialled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LinkAddress {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl From<Target<'_>> for LinkAddress {
    fn from(target: Target<'_>) -> Self {
        match target {
            Target::Tcp(address) => Self::Tcp(address),
            Target::Unix(path) => Self::Unix(path.to_owned()),
        }
    }
}

/// Resolves a host, numeric or a name, to its addresses.
///
/// # Errors
/// `InvalidParam` invalid host.
pub(super) fn resolve(op: &'static str, host: &str, port: u16) -> Result<Vec<SocketAddr>> {
    let unusable = |what: &str| {
        Error::invalid(op, what).with("address", host).code_of_family(Status::InvalidConfig as i32)
    };
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    // Only digits and dots are a mistyped address; the resolver would take it for another one.
    if host.is_empty() || host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(unusable("invalid address"));
    }
    let found = descriptor::reserving(|| (host, port).to_socket_addrs())
        .map_err(|error| unusable("the name is unknown").source(error))?;
    let found: Vec<SocketAddr> = found.collect();
    if found.is_empty() { Err(unusable("the name has no address")) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_numeric_or_names_and_mistyped_ones_are_refused() {
        for host in ["127.0.0.1", "::1", "localhost"] {
            let found = resolve("test", host, 7).unwrap();
            assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 7), "{host}");
        }
        for host in ["", "127.1", "1", "256.0.0.1", "127.0.0.1.", "no such host"] {
            let error = resolve("test", host, 7).unwrap_err();
            assert_eq!(Status::from_error(&error), Status::InvalidConfig, "{host}: {error}");
        }
    }
}
