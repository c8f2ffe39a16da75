// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store of the job: its answer, or a free port for it, or the holder of the port. Nothing is bound: a
//! job that starts at this moment is not disturbed.

use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use mf_base::os::interface::interfaces;
use mf_base::settings::{Settings, launcher_environment};
use mf_bootstrap::{Bootstrap, StoreUrl};

use crate::job_store::JobStore;

use super::super::finding::Finding;
use super::port_owner::{Holder, holder};

/// The store.
#[derive(Clone, Debug)]
pub(in super::super) struct StoreFacts {
    /// Its URL; none: nothing names one; or why it cannot be used.
    pub(in super::super) url: Result<Option<String>, String>,
    /// Its addresses, of a URL with addresses.
    pub(in super::super) places: Vec<Place>,
    /// Ports that the kernel gives to outgoing connections.
    pub(in super::super) outgoing: Option<(u16, u16)>,
}

/// An address of it.
#[derive(Clone, Debug)]
pub(in super::super) struct Place {
    pub(in super::super) address: SocketAddr,
    /// True if it is a store of this host.
    pub(in super::super) is_here: bool,
    /// Listener of this host at the address.
    pub(in super::super) holder: Option<Holder>,
    pub(in super::super) answer: Answer,
}

/// Result of the query.
#[derive(Clone, Debug)]
pub(in super::super) enum Answer {
    /// The port is free: nothing was asked.
    Free,
    /// A store of this job.
    Store { members: usize, round_trip: Duration },
    /// Something that is no store, or none that admits this process; why.
    Other(String),
    /// No connection; why.
    Nothing(String),
}

/// Longest wait for a connection, and for a store's answers.
const CONNECT: Duration = Duration::from_secs(2);
const ASK: Duration = Duration::from_secs(4);

/// Asks at every address.
pub(in super::super) fn gather(settings: &Settings) -> StoreFacts {
    let outgoing = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok().and_then(|text| {
        let mut ports = text.split_whitespace().map(|port| port.parse().ok());
        Some((ports.next()??, ports.next()??))
    });
    let (url, places) = match url(settings) {
        Err(error) => (Err(error.to_string()), Vec::new()),
        Ok(None) => (Ok(None), Vec::new()),
        Ok(Some(url)) => {
            let places = url.connect_addresses().into_iter().map(place).collect();
            (Ok(Some(url.to_string())), places)
        }
    };
    StoreFacts { url, places, outgoing }
}

/// The store that the settings name, or else the variables of a launcher.
fn url(settings: &Settings) -> mf_base::Result<Option<StoreUrl>> {
    let url = match settings.store_url.as_str() {
        "" => Bootstrap::seen(&launcher_environment(), Duration::ZERO)?.and_then(|place| place.store),
        url => Some(url.to_owned()),
    };
    url.map(|url| StoreUrl::parse(&url)).transpose()
}

fn place(address: SocketAddr) -> Place {
    let is_of_interface = || interfaces().is_ok_and(|all| all.iter().any(|one| one.address == address.ip()));
    let is_here = address.ip().is_loopback() || is_of_interface();
    let holder = if is_here { holder(address) } else { None };
    let answer = match (is_here, &holder) {
        (true, None) => Answer::Free,
        _ => match TcpStream::connect_timeout(&address, CONNECT) {
            Err(error) => Answer::Nothing(error.to_string()),
            Ok(_) => probe(address),
        },
    };
    Place { address, is_here, holder, answer }
}

/// Asks as a guest.
pub(in super::super) fn probe(address: SocketAddr) -> Answer {
    let asked = || {
        let store = JobStore::visit(&StoreUrl::tcp(address).to_string(), ASK, true)?;
        let answer = (|| Ok((store.state()?.view.members.len(), round_trip(&store)?)))();
        store.close();
        answer
    };
    match asked() {
        Ok((members, round_trip)) => Answer::Store { members, round_trip },
        Err(error) => Answer::Other(mf_base::Error::to_string(&error)),
    }
}

/// The shortest of a few exchanges.
fn round_trip(store: &JobStore) -> mf_base::Result<Duration> {
    let mut shortest = Duration::MAX;
    for _ in 0..10 {
        let started = Instant::now();
        // A key that does not exist: the answer is short.
        store.get("mf/doctor")?;
        shortest = shortest.min(started.elapsed());
    }
    Ok(shortest)
}

/// Findings about the store.
pub(in super::super) fn diagnose(facts: &StoreFacts) -> Vec<Finding> {
    match &facts.url {
        Err(reason) => vec![Finding::error(
            reason,
            "export MF_CONFIG_STORE_URL=tcp://HOST:PORT, the same on all hosts, or correct what the launcher sets: mf info",
        )],
        Ok(None) => {
            vec![
                Finding::note("no store is named")
                    .remedy("mf run, torchrun and srun name one; by hand: MF_CONFIG_STORE_URL"),
            ]
        }
        Ok(Some(url)) if facts.places.is_empty() => vec![Finding::ok(format!("the store is {url}"))],
        Ok(Some(_)) => facts.places.iter().flat_map(|place| of_place(place, facts.outgoing)).collect(),
    }
}

fn of_place(place: &Place, outgoing: Option<(u16, u16)>) -> Vec<Finding> {
    let (address, port) = (place.address, place.address.port());
    let held = place.holder.as_ref().map(ToString::to_string);
    let held = held.map_or_else(String::new, |holder| format!(" (held by {holder})"));
    let mut findings = vec![match (&place.answer, place.is_here) {
        (Answer::Free, _) => {
            Finding::ok(format!("{address} is free: the first member on this host starts the store there"))
        }
        (Answer::Store { members, round_trip }, _) => Finding::ok(format!(
            "the store at {address} answers in {} us, it has {members} members{held}",
            round_trip.as_micros()
        )),
        (Answer::Other(reason), true) => Finding::error(
            format!(
                "{address} is taken{held} by a service that is not a store which admits this process: {reason}"
            ),
            format!("another port in MF_CONFIG_STORE_URL, or end what holds it: ss -ltnp 'sport = :{port}'"),
        ),
        (Answer::Other(reason), false) => Finding::error(
            format!("{address} does not admit this process: {reason}"),
            "the same MF_JOB_SECRET, or certificates of the same CA, on all hosts; see the store's log",
        ),
        (Answer::Nothing(reason), true) => Finding::error(
            format!("{address} is taken{held} and does not answer: {reason}"),
            format!("end what holds it: ss -ltnp 'sport = :{port}'"),
        ),
        (Answer::Nothing(reason), false) => Finding::warning(
            format!("nothing answers at {address}: {reason}"),
            format!(
                "start the first rank there, or mf store serve tcp://{address}; open the port in the firewall"
            ),
        ),
    }];
    if let Some((first, last)) =
        outgoing.filter(|(first, last)| place.is_here && (*first..=*last).contains(&port))
    {
        findings.push(
            Finding::note(format!(
                "port {port} is one of {first} to {last}, which any outgoing connection may take"
            ))
            .remedy(format!(
                "a port below {first}, or as root: sysctl net.ipv4.ip_local_reserved_ports={port}"
            )),
        );
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Note, Warning};
    use super::super::super::finding::severities;
    use super::*;

    #[test]
    fn stores_are_rated_by_address_and_reply() {
        let place = |address: &str, is_here, answer| Place {
            address: address.parse().unwrap(),
            is_here,
            holder: is_here.then(|| Holder { user: 1000, process: Some((7, "python3".to_owned())) }),
            answer,
        };
        let other = || Answer::Other("it speaks another language".to_owned());
        let nothing = || Answer::Nothing("refused".to_owned());
        let store = || Answer::Store { members: 3, round_trip: Duration::from_micros(80) };
        let (here, there) = ("127.0.0.1:5570", "10.0.0.1:5570");
        let table: [(Place, &[Severity], &str); 8] = [
            (place(here, true, Answer::Free), &[Good], "is free"),
            (place(here, true, store()), &[Good], "3 members (held by process 7 (python3) of user 1000)"),
            (place(here, true, other()), &[Hinders], "held by process 7 (python3)"),
            (place(here, true, nothing()), &[Hinders], "does not answer"),
            (place(there, false, store()), &[Good], "in 80 us"),
            (place(there, false, other()), &[Hinders], "does not admit"),
            (place(there, false, nothing()), &[Warning], "nothing answers"),
            (place("127.0.0.1:40000", true, Answer::Free), &[Good, Note], "outgoing"),
        ];
        for (place, expected, part) in table {
            let url = Ok(Some(format!("tcp://{}", place.address)));
            let facts = StoreFacts { url, places: vec![place], outgoing: Some((32_768, 60_999)) };
            let findings = diagnose(&facts);
            assert_eq!(severities(&findings), expected, "{facts:?}");
            assert!(findings.iter().any(|one| one.text.contains(part)), "{findings:?}");
        }
        let of_url = |url| severities(&diagnose(&StoreFacts { url, places: Vec::new(), outgoing: None }));
        assert_eq!(of_url(Ok(None)), [Note]);
        assert_eq!(of_url(Err("no number".to_owned())), [Hinders]);
        assert_eq!(of_url(Ok(Some("etcd://e:2379/job".to_owned()))), [Good]);
    }
}
