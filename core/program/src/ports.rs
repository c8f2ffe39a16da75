// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Free ports of the loopback, and secrets for jobs that have none.

use std::fmt::Write as _;
use std::net::{SocketAddr, TcpListener};

use mf_base::os::interface::{loopback, reaches_itself};
use mf_base::os::random;
use mf_base::{Error, Kind, Result};

/// Asks the kernel for `N` different free ports of the loopback.
///
/// They are free at this moment only; the caller takes one soon.
///
/// # Errors
/// `Failed` when the loopback has no free port or cannot be used.
pub fn free_ports<const N: usize>() -> Result<[u16; N]> {
    let loopback = loopback();
    if !reaches_itself(loopback) {
        return Err(Error::new(Kind::Failed, "free port")
            .what("neither 127.0.0.1 nor ::1 can be used: the loopback is down")
            .hint("ip link set lo up"));
    }
    let mut held = Vec::with_capacity(N);
    let mut ports = [0; N];
    for port in &mut ports {
        let listener = TcpListener::bind((loopback, 0)).map_err(no_port)?;
        *port = listener.local_addr().map_err(no_port)?.port();
        // Held until all are known, so that they differ.
        held.push(listener);
    }
    Ok(ports)
}

fn no_port(error: std::io::Error) -> Error {
    Error::new(Kind::Failed, "free port").what(format!("no free port on {}", loopback())).source(error)
}

/// The URL of a store on this port of the loopback.
pub fn url_at(port: u16) -> String {
    format!("tcp://{}", SocketAddr::new(loopback(), port))
}

/// A URL of a store on a free port of the loopback.
///
/// # Errors
/// As [`free_ports`].
pub fn local_store_url() -> Result<String> {
    let [port] = free_ports()?;
    Ok(url_at(port))
}

/// 256 random bits as hexadecimal text.
///
/// # Errors
/// `Failed` when the kernel gives no random bytes.
pub fn random_secret() -> Result<String> {
    let bytes: [u8; 32] = random("job secret")?;
    Ok(bytes.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_differ() {
        let ports: [u16; 8] = free_ports().unwrap();
        let distinct: std::collections::BTreeSet<u16> = ports.into_iter().collect();
        assert_eq!(distinct.len(), 8);
    }

    #[test]
    fn secrets_are_long_and_differ() {
        let (one, two) = (random_secret().unwrap(), random_secret().unwrap());
        assert_eq!(one.len(), 64);
        assert_ne!(one, two);
    }
}
