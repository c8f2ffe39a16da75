// SPDX-License-Identifier: Apache-2.0 OR MIT
//! URL of a store.
//!
//! | form | meaning |
//! |---|---|
//! | `tcp://a.b.c.d:port`, `tcp://[v6]:port`, `tcp6://[v6]:port` | a store at this address |
//! | `tcp://name:port` | a store at the address that the name has |
//! | `tcp://a.b.c.d:port,e.f.g.h:port` | a store at the first address; the others are standbys, in this order |
//! | `etcd://host:port[,host:port][/prefix][#instance]` | an etcd cluster does the work |
//! | `reg://a.b.c.d:port[#instance]` | a store with a leader that is found through registered backend operations |
//!
//! Host names are resolved when the URL is parsed, see [`resolve_host`]. A name other than `localhost` that
//! resolves to loopback is the own name of this host, which others know by another address: a store there
//! listens on all.
//!
//! A wrong URL is refused at once, and the text names the part that is wrong: otherwise a typo would appear
//! as a store that does not start.

mod address;

use std::cell::Cell;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mf_base::log::without_password;
use mf_base::{Error, Result};

use crate::resolve_host::{self, Resolve};
use address::{parse_address, parse_port};

const OPERATION: &str = "store url";
const EXPECTED: &str = "expected tcp://host:port, tcp://a.b.c.d:port, tcp://[v6 address]:port, tcp6://[v6 address]:port, several of \
     them separated by commas, etcd://host:port/prefix or reg://a.b.c.d:port; port 1025 to 65535";
/// Longest part of a wrong URL that error texts repeat, in characters.
const SHOWN_CHARACTERS: usize = 120;
/// Most addresses in a URL.
const MAX_ADDRESSES: usize = 16;
/// Longest prefix or instance, in bytes.
const MAX_NAME_BYTES: usize = 128;
/// The prefix of jobs on an etcd cluster when the URL names none.
const DEFAULT_PREFIX: &str = "memfabric";

/// A parsed store URL.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StoreUrl {
    /// A store of our own.
    Tcp {
        /// Listen addresses of servers, in order; 0.0.0.0 and \[::\] mean every address of the server's
        /// machine.
        addresses: Vec<SocketAddr>,
    },
    /// An etcd cluster.
    Etcd {
        /// `host:port` of its members.
        endpoints: Vec<String>,
        /// Common prefix of all keys of the job, without a slash at either end.
        prefix: String,
    },
    /// A store of our own with a leader that is found through registered backend operations.
    Backend {
        /// Address of the backend; the store listens on the interface that leads there.
        address: SocketAddr,
        /// Isolates jobs that share a backend; may be empty.
        instance: String,
    },
}

impl StoreUrl {
    /// Parses a URL. Blocks if a host name has to be resolved.
    ///
    /// # Errors
    /// `InvalidParam` names the wrong part and the expected form, or the host that has no address.
    pub fn parse(url: &str) -> Result<Self> {
        Self::parse_by(url, &resolve_host::resolve)
    }

    /// As [`parse`](Self::parse); `resolve` gives the addresses of host names.
    ///
    /// # Errors
    /// As there.
    pub fn parse_by(url: &str, resolve: &dyn Fn(&str) -> std::io::Result<Vec<IpAddr>>) -> Result<Self> {
        parse(url, resolve).map_err(|what| {
            let shown: String = without_password(url).escape_debug().take(SHOWN_CHARACTERS).collect();
            Error::invalid(OPERATION, what).with("url", format!("\"{shown}\"")).hint(EXPECTED)
        })
    }

    /// The hosts of a URL as they are written, with their ports: for programs that resolve names themselves,
    /// or only check their input.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), but for names without an address.
    pub fn hosts(url: &str) -> Result<Vec<(String, u16)>> {
        let number = Cell::new(0);
        // Another address for each name, from unused ranges, so that no two seem to be the same.
        let stand_in = |_: &str| -> std::io::Result<Vec<IpAddr>> {
            number.set(number.get() + 1);
            let six = u128::from_be_bytes([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number.get()]);
            Ok(vec![Ipv4Addr::new(240, 0, 0, number.get()).into(), Ipv6Addr::from(six).into()])
        };
        let parsed = Self::parse_by(url, &stand_in)?;
        let (_, rest) = url.split_once("://").unwrap_or_default();
        let all = match parsed {
            Self::Tcp { .. } => rest,
            Self::Etcd { .. } | Self::Backend { .. } => rest.split(['/', '#']).next().unwrap_or_default(),
        };
        let host = |one: &str| {
            let (host, port) = one.rsplit_once(':')?;
            Some((host.trim_matches(['[', ']']).to_owned(), port.parse().ok()?))
        };
        Ok(all.split(',').filter_map(host).collect())
    }

    /// The URL of one TCP store.
    pub fn tcp(address: SocketAddr) -> Self {
        Self::Tcp { addresses: vec![address] }
    }

    /// Returns true if only this host reaches the store: all its addresses are loopback.
    pub fn is_loopback(&self) -> bool {
        match self {
            Self::Tcp { addresses } => {
                addresses.iter().all(|address| address.ip().to_canonical().is_loopback())
            }
            Self::Etcd { .. } | Self::Backend { .. } => false,
        }
    }

    /// The addresses of a TCP store that clients connect to: the loopback where the URL says "every address".
    pub fn connect_addresses(&self) -> Vec<SocketAddr> {
        match self {
            Self::Tcp { addresses } => addresses.iter().copied().map(reachable).collect(),
            Self::Etcd { .. } | Self::Backend { .. } => Vec::new(),
        }
    }
}

/// The address to connect to where a server listens at `address`.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { addresses } => {
                let all: Vec<String> = addresses.iter().map(ToString::to_string).collect();
                write!(f, "tcp://{}", all.join(","))
            }
            Self::Etcd { endpoints, prefix } => write!(f, "etcd://{}/{prefix}", endpoints.join(",")),
            Self::Backend { address, instance } if instance.is_empty() => write!(f, "reg://{address}"),
            Self::Backend { address, instance } => write!(f, "reg://{address}#{instance}"),
        }
    }
}

fn parse(url: &str, resolve: &Resolve<'_>) -> Result<StoreUrl, String> {
    if url.is_empty() {
        return Err("the url is empty".to_owned());
    }
    if url.contains('\0') {
        return Err("the url contains a null byte".to_owned());
    }
    // Before its parts are checked: no text may show them.
    if url.contains('@') {
        return Err("the url has a user or a password, which a store does not take".to_owned());
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Err("the url has no scheme".to_owned());
    };
    match scheme {
        "tcp" | "tcp6" => {
            let addresses = list(rest, |one| parse_address(one, scheme == "tcp6", resolve))?;
            Ok(StoreUrl::Tcp { addresses })
        }
        "etcd" => parse_etcd(rest),
        "reg" => {
            let (address, instance) = rest.split_once('#').unwrap_or((rest, ""));
            check_name("instance", instance)?;
            Ok(StoreUrl::Backend {
                address: parse_address(address, false, resolve)?,
                instance: instance.to_owned(),
            })
        }
        other => Err(format!("the scheme \"{}\" is unknown", shortened(other))),
    }
}

fn parse_etcd(rest: &str) -> Result<StoreUrl, String> {
    let (rest, instance) = rest.split_once('#').unwrap_or((rest, ""));
    let (members, path) = rest.split_once('/').unwrap_or((rest, ""));
    let endpoints = list(members, parse_endpoint)?;
    let path = path.trim_end_matches('/');
    let prefix = if path.is_empty() { DEFAULT_PREFIX } else { path };
    for part in prefix.split('/') {
        check_name("prefix", part)?;
        if part.is_empty() {
            return Err(format!("the prefix \"{}\" has an empty part", shortened(prefix)));
        }
    }
    check_name("instance", instance)?;
    let prefix = if instance.is_empty() { prefix.to_owned() } else { format!("{prefix}/{instance}") };
    Ok(StoreUrl::Etcd { endpoints, prefix })
}

/// The parts of a list, each of them once.
fn list<T: PartialEq + fmt::Debug>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let mut parts = Vec::new();
    for part in text.split(',') {
        let part = parse(part)?;
        if parts.contains(&part) {
            return Err(format!("the address {part:?} is there twice"));
        }
        parts.push(part);
    }
    if parts.len() > MAX_ADDRESSES {
        return Err(format!("there are {} addresses, at most {MAX_ADDRESSES} are allowed", parts.len()));
    }
    Ok(parts)
}

/// `host:port`, where the host is a number or a name: etcd clusters are known by names, and so are their
/// certificates.
fn parse_endpoint(text: &str) -> Result<String, String> {
    if text.starts_with('[') {
        let numeric = |_: &str| Err(std::io::ErrorKind::Unsupported.into());
        return parse_address(text, false, &numeric).map(|address| address.to_string());
    }
    let Some((host, port)) = text.rsplit_once(':') else {
        return Err(if text.is_empty() { "the address is missing" } else { "the port is missing" }.to_owned());
    };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if host.is_empty() {
        return Err("the address is missing".to_owned());
    }
    if host.len() > 253 || !host.bytes().all(fits) {
        return Err(format!("\"{}\" is neither an address nor a host name", shortened(host)));
    }
    Ok(format!("{host}:{}", parse_port(port)?))
}

fn check_name(what: &str, name: &str) -> Result<(), String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':');
    if name.len() > MAX_NAME_BYTES {
        return Err(format!("the {what} has {} bytes, at most {MAX_NAME_BYTES} are allowed", name.len()));
    }
    if !name.bytes().all(fits) {
        return Err(format!(
            "the {what} \"{}\" has characters other than A-Z a-z 0-9 . - _ :",
            shortened(name)
        ));
    }
    Ok(())
}

fn shortened(text: &str) -> String {
    text.escape_debug().take(SHOWN_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mf_base::Kind;
    use proptest::prelude::*;

    /// Names that the tests know.
    fn resolve(host: &str) -> std::io::Result<Vec<IpAddr>> {
        let found: &[&str] = match host {
            "node001" => &["10.0.0.9", "10.0.0.8", "fd00::8"],
            "six" => &["fd00::8"],
            "own" => &["127.0.1.1"],
            "link" => &["fe80::1"],
            _ if resolve_host::is_localhost(host) => &["::1", "127.0.0.1"],
            _ => return Err(std::io::Error::other("no such host")),
        };
        Ok(found.iter().map(|text| text.parse().unwrap()).collect())
    }

    #[test]
    fn hosts_are_named_as_they_are_written() {
        let table: [(&str, &[(&str, u16)]); 6] = [
            ("tcp://nowhere:5570", &[("nowhere", 5570)]),
            ("tcp://10.0.0.1:5570,other:5571", &[("10.0.0.1", 5570), ("other", 5571)]),
            ("tcp6://[fd00::1]:5570", &[("fd00::1", 5570)]),
            ("etcd://a:2379,[fd00::1]:2379/jobs#one", &[("a", 2379), ("fd00::1", 2379)]),
            ("reg://10.0.0.1:5570#one", &[("10.0.0.1", 5570)]),
            ("tcp://localhost:5570", &[("localhost", 5570)]),
        ];
        for (url, expected) in table {
            let hosts = StoreUrl::hosts(url).unwrap();
            let hosts: Vec<_> = hosts.iter().map(|(host, port)| (host.as_str(), *port)).collect();
            assert_eq!(hosts, expected, "{url}");
        }
        for url in ["here:5570", "tcp://here", "tcp://here:80", "udp://here:5570", "tcp://a:5570,a"] {
            assert_eq!(StoreUrl::hosts(url).unwrap_err().kind(), Kind::InvalidParam, "{url}");
        }
    }

    #[test]
    fn localhost_is_resolved_by_the_system() {
        let url = StoreUrl::parse("tcp://localhost:5570").unwrap();
        assert!(url.is_loopback(), "{url}");
    }

    #[test]
    fn refused_urls_show_no_password() {
        for url in [
            "tcp://user:pass word@10.0.0.1:5570",
            "tcp://user:pass@word/word@10.0.0.1:5570",
            "etcd://10.0.0.1:2379,user:password@10.0.0.2:2379/jobs",
            "http://user:password@host",
            "user:password@host:5570",
            "reg://user:password@",
        ] {
            let error = StoreUrl::parse_by(url, &resolve).unwrap_err();
            let said = format!("{error} {error:?}");
            assert!(
                !said.contains("pass w") && !said.contains("password@") && !said.contains("word@"),
                "{said}"
            );
            assert!(said.contains("***@"), "{said}");
        }
    }

    #[test]
    fn good_urls_parse_and_print() {
        for (url, shown) in [
            ("tcp://127.0.0.1:5570", "tcp://127.0.0.1:5570"),
            ("tcp://0.0.0.0:1025", "tcp://0.0.0.0:1025"),
            ("tcp://10.1.2.3:65535", "tcp://10.1.2.3:65535"),
            ("tcp://[::1]:5570", "tcp://[::1]:5570"),
            ("tcp6://[fe80::1]:5570", "tcp://[fe80::1]:5570"),
            ("tcp://10.1.2.3:5570,10.1.2.4:5571", "tcp://10.1.2.3:5570,10.1.2.4:5571"),
            ("tcp://[::1]:5570,127.0.0.1:5570", "tcp://[::1]:5570,127.0.0.1:5570"),
            ("etcd://127.0.0.1:2379", "etcd://127.0.0.1:2379/memfabric"),
            ("etcd://127.0.0.1:2379#7", "etcd://127.0.0.1:2379/memfabric/7"),
            ("etcd://a:2379,b.c:2380,[::1]:2379/jobs/x", "etcd://a:2379,b.c:2380,[::1]:2379/jobs/x"),
            ("etcd://a:2379/jobs/#x", "etcd://a:2379/jobs/x"),
            ("reg://127.0.0.1:2379", "reg://127.0.0.1:2379"),
            ("reg://127.0.0.1:2379#blue", "reg://127.0.0.1:2379#blue"),
            ("tcp://localhost:5570", "tcp://127.0.0.1:5570"),
            ("tcp://LocalHost:5570", "tcp://127.0.0.1:5570"),
            ("tcp://node001:5570", "tcp://10.0.0.8:5570"),
            ("tcp://six:5570", "tcp://[fd00::8]:5570"),
            ("tcp://node001:5570,six:5571", "tcp://10.0.0.8:5570,[fd00::8]:5571"),
            ("tcp://own:5570", "tcp://0.0.0.0:5570"),
            ("reg://node001:2379", "reg://10.0.0.8:2379"),
        ] {
            assert_eq!(StoreUrl::parse_by(url, &resolve).unwrap().to_string(), shown);
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
            ("etcd://", "address is missing"),
            ("etcd://a", "port is missing"),
            ("etcd://:2379", "address is missing"),
            ("etcd://a:b:2379", "host name"),
            ("etcd://a:2379/b c", "the prefix"),
            ("etcd://a:2379#b c", "the instance"),
            ("etcd://a:2379#b/c", "the instance"),
            ("etcd://a:2379/b//c", "empty part"),
            ("reg://127.0.0.1:2379#a,b", "the instance"),
            ("tcp://127.0.0.1:5570,", "address is missing"),
            ("tcp://127.0.0.1:5570,127.0.0.1:5570", "twice"),
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
            ("tcp://nowhere:5570", "the host name \"nowhere\" has no address: no such host"),
            ("tcp://nowhere:80", "outside"),
            ("tcp://link:5570", "the host name \"link\" has no address"),
            ("tcp://local host:5570", "host name"),
            ("tcp://-a:5570", "host name"),
            ("tcp://node[1-2]:5570", "host name"),
            ("tcp6://localhost:5570", "brackets"),
            ("tcp://[localhost]:5570", "IPv6"),
            ("tcp://127.0.0.1:5570,nowhere:5570", "nowhere"),
            ("reg://nowhere:2379", "nowhere"),
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
            let error = StoreUrl::parse_by(url, &resolve).unwrap_err();
            assert_eq!(error.kind(), Kind::InvalidParam, "{url}");
            assert!(error.to_string().contains(part), "{url}: {error}");
            assert!(error.to_string().contains("expected tcp://"), "{url}: {error}");
        }
    }

    #[test]
    fn wildcard_is_reached_over_the_loopback() {
        let url = StoreUrl::parse("tcp://0.0.0.0:5570").unwrap();
        assert_eq!(url.connect_addresses(), ["127.0.0.1:5570".parse().unwrap()]);
    }

    proptest! {
        #[test]
        fn any_text_parses_or_is_refused(text in "\\PC*", prefix in prop::sample::select(vec!["", "tcp://", "tcp://[", "tcp6://", "etcd://", "reg://"])) {
            let _ = StoreUrl::parse_by(&format!("{prefix}{text}"), &resolve);
        }

        #[test]
        fn printed_urls_parse_back(ip: [u8; 4], port in 1025u16..) {
            prop_assume!(ip[0] < 224);
            let url = StoreUrl::tcp(SocketAddr::from((ip, port)));
            prop_assert_eq!(StoreUrl::parse(&url.to_string()).unwrap(), url);
        }
    }
}
