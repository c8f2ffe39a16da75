// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reachability of another machine: interface, round trip, and kind of the peer.
//!
//! The other end is a store, a member of a job, or `mf doctor --listen`. The first two are queried by their
//! own protocols; the last echoes its input, also pieces that no single packet holds.

use std::fmt;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use mf_base::os::interface::{Interface, interfaces};
use mf_base::settings::{Settings, Switch};
use mf_bootstrap::StoreUrl;
use mf_net::Card;
use mf_net::choice::Machine;
use mf_store::network_card;
use mf_tcp::Tcp;

use crate::job_store::JobStore;

use super::super::finding::Finding;
use super::super::listen::GREETING;
use super::store::{Answer, probe};

/// A place to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Target {
    host: String,
    port: u16,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

/// The places of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Targets(pub(in super::super) Vec<Target>);

/// Reads an argument: HOST:PORT, or the URL of a store, with all its addresses.
pub(in super::super) fn parse(text: &str) -> Result<Targets, String> {
    if text.contains("://") {
        let hosts = StoreUrl::hosts(text).map_err(|error| error.to_string())?;
        return Ok(Targets(hosts.into_iter().map(|(host, port)| Target { host, port }).collect()));
    }
    let expected = || "expected HOST:PORT, [V6 ADDRESS]:PORT or the URL of a store".to_owned();
    let (host, port) = text.rsplit_once(':').ok_or_else(expected)?;
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let host = match bare {
        Some(bare) => bare,
        None if host.contains(':') => return Err(expected()),
        None => host,
    };
    let port = port.parse().ok().filter(|port| *port > 0).ok_or_else(expected)?;
    if host.is_empty() { Err(expected()) } else { Ok(Targets(vec![Target { host: host.to_owned(), port }])) }
}

/// ReachFacts about the peer.
#[derive(Clone, Debug)]
pub(in super::super) struct ReachFacts {
    pub(in super::super) target: Target,
    /// Route and peer, or the error of connecting.
    pub(in super::super) reached: Result<(Route, Other), String>,
    /// True if members of one host map each other's memory (`MF_SHM`).
    pub(in super::super) is_mapped: bool,
    /// Encryption of data to other hosts (`MF_NET_TLS`).
    pub(in super::super) tls: Switch,
    /// RDMA route, if available.
    pub(in super::super) rdma: Option<String>,
}

/// By which addresses.
#[derive(Clone, Debug)]
pub(in super::super) struct Route {
    pub(in super::super) address: SocketAddr,
    pub(in super::super) from: IpAddr,
    /// Name of the interface here, and whether the other end is in its subnet.
    pub(in super::super) interface: Option<(String, bool)>,
    /// Shortest time for a new connection: one round trip.
    pub(in super::super) round_trip: Duration,
}

/// Kind of the peer.
#[derive(Clone, Debug)]
pub(in super::super) enum Other {
    /// `mf doctor --listen`: a round trip of a few bytes, and one of [`LARGE`], or why it failed.
    Listener { small: Duration, large: Result<Duration, String> },
    /// A store of this job.
    Store { members: usize, round_trip: Duration },
    /// A member of the job that the settings name; its rank and host.
    Member { rank: u32, host: String },
    /// Something else, with its output.
    Unknown(String),
}

/// Longest wait for one address.
const CONNECT: Duration = Duration::from_secs(2);
/// A listener sends its greeting at once; stores and members wait for the other side.
const GREETS: Duration = Duration::from_millis(500);
/// Longest wait for a piece to come back.
const ECHO: Duration = Duration::from_secs(3);
/// Less than any packet holds, and more.
const SMALL: usize = 16;
const LARGE: usize = 64 << 10;
const ROUNDS: usize = 20;

/// Tries.
pub(in super::super) fn gather(target: &Target, settings: &Settings) -> ReachFacts {
    let rdma = Machine::here(None, settings.shared_memory, &settings.transports).ok();
    ReachFacts {
        target: target.clone(),
        reached: reach(target, settings),
        is_mapped: settings.shared_memory,
        tls: settings.net_tls,
        rdma: rdma.and_then(|machine| machine.rdma_way.ok()),
    }
}

fn reach(target: &Target, settings: &Settings) -> Result<(Route, Other), String> {
    let resolved = (target.host.as_str(), target.port).to_socket_addrs();
    let addresses: Vec<SocketAddr> =
        resolved.map_err(|error| format!("the name has no address: {error}"))?.collect();
    let mut why = Vec::new();
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => {
                let route = route(&stream, address)?;
                let other = listener(stream).unwrap_or_else(|| by_protocol(address, settings));
                return Ok((route, other));
            }
            Err(error) => why.push(format!("{address}: {error}")),
        }
    }
    Err(why.join("; "))
}

fn route(stream: &TcpStream, address: SocketAddr) -> Result<Route, String> {
    let from = stream.local_addr().map_err(|error| error.to_string())?.ip();
    let mut round_trip = Duration::MAX;
    for _ in 0..5 {
        let started = Instant::now();
        if TcpStream::connect_timeout(&address, CONNECT).is_ok() {
            round_trip = round_trip.min(started.elapsed());
        }
    }
    let all = interfaces().unwrap_or_default();
    let is_it = |one: &&Interface| one.address.to_canonical() == from.to_canonical();
    let interface = all.iter().find(is_it).map(|one| (one.name.clone(), one.reaches(address.ip())));
    Ok(Route { address, from, interface, round_trip })
}

/// Figures of a listener. Returns `None` if the peer is not a listener.
fn listener(mut stream: TcpStream) -> Option<Other> {
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(GREETS)).ok()?;
    let mut greeting = [0; GREETING.len()];
    stream.read_exact(&mut greeting).ok().filter(|()| greeting == *GREETING)?;
    stream.set_read_timeout(Some(ECHO)).ok()?;
    stream.set_write_timeout(Some(ECHO)).ok()?;
    let small = (0..ROUNDS).map(|_| echo(&mut stream, SMALL)).collect::<Result<Vec<Duration>, String>>();
    Some(match small {
        Err(error) => Other::Unknown(format!("a listener that ends: {error}")),
        Ok(small) => Other::Listener {
            small: small.into_iter().min().unwrap_or_default(),
            large: (0..ROUNDS).try_fold(Duration::MAX, |least, _| Ok(least.min(echo(&mut stream, LARGE)?))),
        },
    })
}

/// Round-trip time of one piece.
fn echo(stream: &mut TcpStream, bytes: usize) -> Result<Duration, String> {
    let (out, mut back) = (vec![0x5a; bytes], vec![0; bytes]);
    let started = Instant::now();
    let done = stream.write_all(&out).and_then(|()| stream.read_exact(&mut back));
    done.map_err(|error| error.to_string())?;
    if back == out { Ok(started.elapsed()) } else { Err("other bytes come back than were sent".to_owned()) }
}

/// Asks as the guest of a store, and in the job's store for a member with this address.
fn by_protocol(address: SocketAddr, settings: &Settings) -> Other {
    if let Some((rank, host)) = member(address, settings) {
        return Other::Member { rank, host };
    }
    match probe(address) {
        Answer::Store { members, round_trip } => Other::Store { members, round_trip },
        Answer::Other(reason) | Answer::Nothing(reason) => Other::Unknown(reason),
        Answer::Free => Other::Unknown("nothing".to_owned()),
    }
}

/// The member that listens there, as the members have published it.
fn member(address: SocketAddr, settings: &Settings) -> Option<(u32, String)> {
    let url = StoreUrl::parse(&settings.store_url).ok()?;
    if url.connect_addresses().contains(&address) {
        return None;
    }
    let store = JobStore::visit(&url.to_string(), CONNECT, true).ok()?;
    let listens = |session: u64| {
        let card = Card::decode(&store.get(&network_card(session)).ok()??.value).ok()?;
        let (_, bytes) = card.addresses.iter().find(|(name, _)| name == "tcp")?;
        Tcp::listening(bytes).ok()?.contains(&address).then_some(card.host)
    };
    let members = store.state().map(|state| state.view.members).unwrap_or_default();
    let found = members.iter().find_map(|peer| Some((peer.rank.0, listens(peer.session)?)));
    store.close();
    found
}

/// Findings about the peer.
pub(in super::super) fn diagnose(facts: &ReachFacts) -> Vec<Finding> {
    let target = &facts.target;
    let (route, other) = match &facts.reached {
        Ok(reached) => reached,
        Err(reason) => {
            return vec![Finding::error(
                format!("{target} is not reached: {reason}"),
                "start what is to listen there (mf doctor --listen), open the port in firewalls, check routes: ip route get ADDRESS",
            )];
        }
    };
    let is_same_host = route.from.to_canonical() == route.address.ip().to_canonical();
    let by = match &route.interface {
        _ if is_same_host => "on this host".to_owned(),
        Some((name, true)) => format!("by {name}, directly"),
        Some((name, false)) => format!("by {name} and a router"),
        None => "by an interface that is not listed".to_owned(),
    };
    let mut findings = vec![Finding::ok(format!(
        "{} is reached from {} {by}; a connection takes {} us",
        route.address,
        route.from,
        route.round_trip.as_micros()
    ))];
    findings.push(of_other(target, other));
    findings.push(Finding::ok(engines(facts, is_same_host)));
    findings
}

fn of_other(target: &Target, other: &Other) -> Finding {
    match other {
        Other::Listener { small, large: Ok(large) } => Finding::ok(format!(
            "mf doctor --listen is there: {} us there and back, {} us with {} KiB each",
            small.as_micros(),
            large.as_micros(),
            LARGE >> 10
        )),
        Other::Listener { small, large: Err(reason) } => Finding::error(
            format!(
                "a few bytes come back from {target} in {} us, and {} KiB do not: {reason}",
                small.as_micros(),
                LARGE >> 10
            ),
            "packets get lost by their size: the same MTU on all interfaces and switches (ip link set DEV mtu 1400 to try), \
             and let ICMP pass",
        ),
        Other::Store { members, round_trip } => Finding::ok(format!(
            "a store of this job is there, with {members} members; it answers in {} us",
            round_trip.as_micros()
        )),
        Other::Member { rank, host } => {
            Finding::ok(format!("rank {rank} on {host} listens there; see mf explain local:{rank}"))
        }
        Other::Unknown(reason) => Finding::warning(
            format!(
                "something listens at {target}, and is neither a store that admits this process nor a known member: {reason}"
            ),
            "set MF_JOB_SECRET (or certificates) and MF_CONFIG_STORE_URL as the job has them; check the listener: ss -ltnp",
        ),
    }
}

fn engines(facts: &ReachFacts, is_same_host: bool) -> String {
    if is_same_host && facts.is_mapped {
        return "members of one host and user map each other's memory; see mf explain".to_owned();
    }
    let tls = match facts.tls {
        Switch::Off => "plaintext, by MF_NET_TLS",
        Switch::Auto if is_same_host => "plaintext within a host",
        Switch::Auto | Switch::On => "encrypted",
    };
    match &facts.rdma {
        Some(rdma) => format!("data would go by {rdma} where the other host has it too, else by tcp ({tls})"),
        None => format!("data would go by tcp ({tls})"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Warning};
    use super::super::super::finding::severities;
    use super::*;

    #[test]
    fn reach_targets_are_parsed_or_refused() {
        let table: [(&str, &[&str]); 6] = [
            ("node1:5570", &["node1:5570"]),
            ("10.0.0.1:80", &["10.0.0.1:80"]),
            ("[fd00::1]:9", &["[fd00::1]:9"]),
            ("tcp6://[fd00::1]:5570", &["[fd00::1]:5570"]),
            ("tcp://node1:5570,10.0.0.2:5571", &["node1:5570", "10.0.0.2:5571"]),
            ("etcd://node1:2379/jobs", &["node1:2379"]),
        ];
        for (text, expected) in table {
            let shown: Vec<String> = parse(text).unwrap().0.iter().map(ToString::to_string).collect();
            assert_eq!(shown, expected, "{text}");
        }
        for text in [
            "",
            "node1",
            ":5",
            "node1:0",
            "node1:x",
            "fd00::1:5",
            "node1:70000",
            "[]:5",
            "tcp://node1:80",
            "tcp://node1",
            "http://node1:5570",
            "tcp://user@node1:5570",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    type Row<'a> = (Result<(Route, Other), String>, &'a [Severity], &'a str);

    #[test]
    fn connection_probe_results_are_rated() {
        let us = Duration::from_micros;
        let route = |from: &str, interface: Option<(&str, bool)>| Route {
            address: "10.0.0.1:5570".parse().unwrap(),
            from: from.parse().unwrap(),
            interface: interface.map(|(name, is_direct)| (name.to_owned(), is_direct)),
            round_trip: us(120),
        };
        let far = || route("10.0.0.2", Some(("eth0", true)));
        let lost = Err("timed out".to_owned());
        let table: [Row<'_>; 8] = [
            (
                Ok((far(), Other::Listener { small: us(90), large: Ok(us(300)) })),
                &[Good, Good, Good],
                "90 us there and back",
            ),
            (
                Ok((far(), Other::Listener { small: us(90), large: lost })),
                &[Good, Hinders, Good],
                "64 KiB do not",
            ),
            (Ok((far(), Other::Store { members: 4, round_trip: us(99) })), &[Good, Good, Good], "4 members"),
            (
                Ok((far(), Other::Member { rank: 3, host: "node1".to_owned() })),
                &[Good, Good, Good],
                "rank 3 on node1",
            ),
            (Ok((far(), Other::Unknown("refused".to_owned()))), &[Good, Warning, Good], "neither a store"),
            (
                Ok((route("10.1.0.2", Some(("eth1", false))), Other::Unknown(String::new()))),
                &[Good, Warning, Good],
                "by eth1 and a router",
            ),
            (
                Ok((route("10.0.0.1", None), Other::Store { members: 0, round_trip: us(9) })),
                &[Good, Good, Good],
                "map each other's memory",
            ),
            (Err("10.0.0.1:5570: refused".to_owned()), &[Hinders], "is not reached"),
        ];
        for (reached, expected, part) in table {
            let target = parse("10.0.0.1:5570").unwrap().0.remove(0);
            let facts = ReachFacts { target, reached, is_mapped: true, tls: Switch::Auto, rdma: None };
            let findings = diagnose(&facts);
            assert_eq!(severities(&findings), expected, "{facts:?}");
            assert!(findings.iter().any(|one| one.text.contains(part)), "{part}: {findings:?}");
        }
    }

    #[test]
    fn path_losing_large_packets_is_found() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        let losing = std::thread::spawn(move || {
            let (mut stream, _) = socket.accept().unwrap();
            stream.write_all(GREETING).unwrap();
            let mut piece = [0; SMALL];
            for _ in 0..ROUNDS {
                stream.read_exact(&mut piece).unwrap();
                stream.write_all(&piece).unwrap();
            }
            // Longer input is not echoed.
            std::io::copy(&mut stream, &mut std::io::sink())
        });
        let found = listener(TcpStream::connect(address).unwrap());
        assert!(matches!(found, Some(Other::Listener { large: Err(_), .. })), "{found:?}");
        let _ = losing.join().unwrap();
    }

    #[test]
    fn probe_listener_echoes_its_input() {
        let (address, _) = super::super::super::listen::start("127.0.0.1:0".parse().unwrap()).unwrap();
        let found = listener(TcpStream::connect(address).unwrap());
        assert!(matches!(found, Some(Other::Listener { large: Ok(_), .. })), "{found:?}");
    }
}
