// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store URL: `tcp://a.b.c.d:port`, `tcp://[v6]:port`, `tcp6://[v6]:port`.
//!
//! A wrong URL is refused at once, and the text names the part that is wrong: nothing is worse than a typo that looks
//! like a store that does not start.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mf_base::{Error, Result};

const OPERATION: &str = "store url";
const EXPECTED: &str =
    "expected tcp://a.b.c.d:port, tcp://[v6 address]:port or tcp6://[v6 address]:port, port 1025 to 65535";
/// Longest part of a wrong URL that error texts repeat, in characters.
const SHOWN_CHARACTERS: usize = 120;

/// Address of a store, parsed from its URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoreUrl {
    /// Where the server listens; 0.0.0.0 and \[::\] mean every address of the server's machine.
    pub address: SocketAddr,
}

impl StoreUrl {
    /// Parses a URL.
    ///
    /// # Errors
    /// `InvalidParam` names the wrong part and what is expected.
    pub fn parse(url: &str) -> Result<Self> {
        parse(url).map(|address| Self { address }).map_err(|what| {
            let shown: String = url.escape_debug().take(SHOWN_CHARACTERS).collect();
            Error::invalid(OPERATION, what).with("url", format!("\"{shown}\"")).hint(EXPECTED)
        })
    }

    /// The address a client connects to: the loopback where the URL says "every address".
    pub fn connect_address(&self) -> SocketAddr {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        SocketAddr::new(ip, self.address.port())
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tcp://{}", self.address)
    }
}

fn parse(url: &str) -> Result<SocketAddr, String> {
    if url.is_empty() {
        return Err("the url is empty".to_owned());
    }
    if url.contains('\0') {
        return Err("the url contains a null byte".to_owned());
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Err("the url has no scheme".to_owned());
    };
    let v6_only = match scheme {
        "tcp" => false,
        "tcp6" => true,
        "etcd" | "reg" => return Err(format!("{scheme}:// stores are not in this build")),
        other => return Err(format!("the scheme \"{}\" is not known", shortened(other))),
    };
    let (ip, port) = match rest.strip_prefix('[') {
        Some(bracketed) => v6_and_port(bracketed)?,
        None if v6_only => return Err("tcp6:// needs an IPv6 address in brackets".to_owned()),
        None => v4_and_port(rest)?,
    };
    if ip.is_multicast() || ip == IpAddr::V4(Ipv4Addr::BROADCAST) {
        return Err(format!("the address {ip} is a multicast or broadcast address"));
    }
    Ok(SocketAddr::new(ip, parse_port(port)?))
}

fn v6_and_port(bracketed: &str) -> Result<(IpAddr, &str), String> {
    let Some((address, tail)) = bracketed.split_once(']') else {
        return Err("the closing bracket of the IPv6 address is missing".to_owned());
    };
    let ip: Ipv6Addr =
        address.parse().map_err(|_| format!("\"{}\" is not an IPv6 address", shortened(address)))?;
    match tail.strip_prefix(':') {
        Some(port) => Ok((IpAddr::V6(ip), port)),
        None if tail.is_empty() => Err("the port is missing".to_owned()),
        None => Err(format!("\"{}\" stands between the address and the port", shortened(tail))),
    }
}

fn v4_and_port(rest: &str) -> Result<(IpAddr, &str), String> {
    let Some((address, port)) = rest.rsplit_once(':') else {
        return Err(if rest.is_empty() { "the address is missing" } else { "the port is missing" }.to_owned());
    };
    if address.is_empty() {
        return Err("the address is missing".to_owned());
    }
    match address.parse::<Ipv4Addr>() {
        Ok(ip) => Ok((IpAddr::V4(ip), port)),
        Err(_) if address.contains(':') => Err(format!(
            "\"{}\" is not an IPv4 address (an IPv6 address stands in brackets)",
            shortened(address)
        )),
        Err(_) => {
            Err(format!("\"{}\" is not a numeric address (host names are not accepted)", shortened(address)))
        }
    }
}

fn parse_port(port: &str) -> Result<u16, String> {
    if port.is_empty() {
        return Err("the port is missing".to_owned());
    }
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("the port \"{}\" is not a decimal number", shortened(port)));
    }
    match port.parse::<u16>() {
        Ok(number) if number > 1024 => Ok(number),
        _ => Err(format!("the port {} is outside 1025 to 65535", shortened(port))),
    }
}

fn shortened(text: &str) -> String {
    text.escape_debug().take(SHOWN_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mf_base::Kind;
    use proptest::prelude::*;

    #[test]
    fn good_urls_parse_and_print() {
        for (url, shown) in [
            ("tcp://127.0.0.1:5570", "tcp://127.0.0.1:5570"),
            ("tcp://0.0.0.0:1025", "tcp://0.0.0.0:1025"),
            ("tcp://10.1.2.3:65535", "tcp://10.1.2.3:65535"),
            ("tcp://[::1]:5570", "tcp://[::1]:5570"),
            ("tcp6://[fe80::1]:5570", "tcp://[fe80::1]:5570"),
        ] {
            assert_eq!(StoreUrl::parse(url).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn bad_urls_name_the_wrong_part() {
        for (url, part) in [
            ("", "empty"),
            ("tcp://127.0.0.1:55\x0070", "null byte"),
            ("127.0.0.1:5570", "scheme"),
            ("http://127.0.0.1:5570", "http"),
            ("tcp:://127.0.0.1:5570", "tcp:"),
            ("TCP://127.0.0.1:5570", "TCP"),
            ("etcd://127.0.0.1:2379", "not in this build"),
            ("reg://127.0.0.1:2379", "not in this build"),
            ("tcp://", "address is missing"),
            ("tcp://:5570", "address is missing"),
            ("tcp://127.0.0.1", "port is missing"),
            ("tcp://127.0.0.1:", "port is missing"),
            ("tcp://[::1]", "port is missing"),
            ("tcp://[::1]:", "port is missing"),
            ("tcp://[::1:5570", "closing bracket"),
            ("tcp://[::1]x:5570", "between"),
            ("tcp://[::1%eth0]:5570", "IPv6"),
            ("tcp://::1:5570", "brackets"),
            ("tcp6://127.0.0.1:5570", "IPv6"),
            ("tcp://localhost:5570", "host names"),
            ("tcp://256.0.0.1:5570", "numeric address"),
            ("tcp://127.0.0.1/24:5570", "numeric address"),
            ("tcp://127.0.0.1:5570/", "decimal"),
            ("tcp://127.0.0.1:5570#a", "decimal"),
            ("tcp://127.0.0.1:0x15c2", "decimal"),
            ("tcp://127.0.0.1:+5570", "decimal"),
            ("tcp://127.0.0.1:-1", "decimal"),
            ("tcp://127.0.0.1: 5570", "decimal"),
            ("tcp://127.0.0.1:80", "outside"),
            ("tcp://127.0.0.1:1024", "outside"),
            ("tcp://127.0.0.1:65536", "outside"),
            ("tcp://127.0.0.1:99999999999999999999", "outside"),
            ("tcp://239.0.0.1:5570", "multicast"),
        ] {
            let error = StoreUrl::parse(url).unwrap_err();
            assert_eq!(error.kind(), Kind::InvalidParam, "{url}");
            assert!(error.to_string().contains(part), "{url}: {error}");
            assert!(error.to_string().contains("expected tcp://"), "{url}: {error}");
        }
    }

    #[test]
    fn wildcard_is_reached_over_the_loopback() {
        let url = StoreUrl::parse("tcp://0.0.0.0:5570").unwrap();
        assert_eq!(url.connect_address().to_string(), "127.0.0.1:5570");
    }

    proptest! {
        #[test]
        fn any_text_parses_or_is_refused(text in "\\PC*", prefix in prop::sample::select(vec!["", "tcp://", "tcp://[", "tcp6://"])) {
            let _ = StoreUrl::parse(&format!("{prefix}{text}"));
        }

        #[test]
        fn printed_urls_parse_back(ip: [u8; 4], port in 1025u16..) {
            prop_assume!(ip[0] < 224);
            let url = StoreUrl { address: SocketAddr::from((ip, port)) };
            prop_assert_eq!(StoreUrl::parse(&url.to_string()).unwrap(), url);
        }
    }
}
