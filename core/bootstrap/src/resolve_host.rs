// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resolver of host names.
//!
//! All processes of a job have to choose the same address for a name, so of several the lowest is taken, IPv4
//! before IPv6, and loopback last: the own name often means loopback in `/etc/hosts`. Link-local addresses
//! are left out: they mean another host on every host, and need the name of an interface.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs as _};

use mf_base::os::descriptor;

/// Longest name of a host, in bytes.
const MAX_BYTES: usize = 253;

/// Function that resolves a name to its addresses.
pub(crate) type Resolve<'a> = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + 'a;

/// The addresses of a name, by the system. Blocks as long as that takes.
pub(crate) fn resolve(host: &str) -> io::Result<Vec<IpAddr>> {
    Ok(descriptor::reserving(|| (host, 0).to_socket_addrs())?.map(|address| address.ip()).collect())
}

/// Returns true if a text can be the name of a host; a malformed numeric address cannot.
pub(crate) fn is_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=MAX_BYTES).contains(&text.len())
        && text.bytes().all(fits)
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !text.starts_with(['.', '-'])
}

/// Returns true if a name means the loopback on every host.
pub(crate) fn is_localhost(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
}

/// The one address that all processes choose for `host`, a name.
///
/// # Errors
/// It has none.
pub(crate) fn address(host: &str, resolve: &Resolve<'_>) -> io::Result<IpAddr> {
    let mut found = resolve(host)?;
    found.retain(|ip| !matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local()));
    let chosen = found.into_iter().min_by_key(|ip| (ip.is_loopback(), *ip));
    chosen.ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, "no address of it leads to the host from others")
    })
}

/// Returns the listen address of a store when the host's own name resolves to loopback: others see another
/// address.
pub(crate) fn everywhere(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ips(texts: &[&str]) -> Vec<IpAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn all_processes_choose_the_same_address() {
        for (found, chosen) in [
            (&["10.0.0.9", "10.0.0.8", "fd00::8"] as &[&str], Some("10.0.0.8")),
            (&["127.0.1.1", "10.0.0.8"], Some("10.0.0.8")),
            (&["127.0.1.1", "fd00::8"], Some("fd00::8")),
            (&["fe80::1", "fd00::8"], Some("fd00::8")),
            (&["::1", "127.0.0.1"], Some("127.0.0.1")),
            (&["fe80::1"], None),
            (&[], None),
        ] {
            let ip = address("host", &|_| Ok(ips(found))).ok();
            assert_eq!(ip, chosen.map(|text| text.parse().unwrap()), "{found:?}");
        }
        let error = address("host", &|_| Err(io::Error::other("no such host"))).unwrap_err();
        assert_eq!(error.to_string(), "no such host");
    }

    #[test]
    fn localhost_has_an_address() {
        assert!(address("localhost", &resolve).unwrap().is_loopback());
    }

    #[test]
    fn malformed_addresses_are_not_host_names() {
        for name in ["localhost", "node001", "a.b-c.example", "job-0.service", "n", "my_host", "LOCALHOST"] {
            assert!(is_name(name), "{name}");
        }
        for text in ["", "256.0.0.1", "10.0.0", "local host", "-a", ".a", "a/b", "n\u{f6}de", "a@b", "::1"] {
            assert!(!is_name(text), "{text}");
        }
        assert!(!is_name(&"a".repeat(MAX_BYTES + 1)));
    }
}
