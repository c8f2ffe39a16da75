// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Facts that this machine can find out itself about the route to a member: whether its sockets answer.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use mf_base::MemKind;
use mf_base::os::{interface, socket};
use mf_fabric::pool::explain::{EngineReport, Explanation};
use mf_fabric::pool::member_record::MemberRecord;
use mf_net::Card;
use mf_tcp::{Tcp, nic};

use super::local_engines::engines;
use super::route::Route;

/// Longest wait for one address.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Tries every route; nothing is chosen, because nothing is copied from here.
pub(super) fn explain(record: &MemberRecord, card: Option<&Card>, route: &Route) -> Explanation {
    let kind = route.to_kind;
    let contributes = record.bytes[kind.index()] > 0;
    let mut reports = vec![local(record, kind)];
    reports.extend(transports(card));
    Explanation {
        asked: "nothing".to_owned(),
        by_rule: false,
        tags: [String::new(), record.tag.clone()],
        is_strict: false,
        engines: reports,
        warning: None,
        error: (!contributes).then(|| format!("rank {} contributes no {kind} memory", route.to)),
        note: None,
    }
}

fn local(record: &MemberRecord, kind: MemKind) -> EngineReport {
    let engine = if kind == MemKind::Device { "device or cpu" } else { "cpu" };
    let text = if record.endpoint.is_empty() {
        "it hands out no descriptors: MF_SHM is false there".to_owned()
    } else {
        let started = Instant::now();
        match socket::connect(&record.endpoint) {
            Ok(_) => format!(
                "its local socket answers from here ({} us): a member of its user here would map its memory",
                started.elapsed().as_micros()
            ),
            Err(error) => format!("its local socket does not answer from here: {error}"),
        }
    };
    EngineReport { engine: engine.to_owned(), is_chosen: false, score: None, text }
}

fn report(engine: &str, text: String) -> EngineReport {
    EngineReport { engine: engine.to_owned(), is_chosen: false, score: None, text }
}

/// The member's transports, with the result of connecting from here.
fn transports(card: Option<&Card>) -> Vec<EngineReport> {
    let Some(card) = card else {
        return vec![report(
            "tcp",
            "it has started no network, because its store is on its own host".to_owned(),
        )];
    };
    let here = engines();
    let of_here = |name: &str| match &here {
        Ok(engines) => {
            let row = engines.rows.iter().find(|row| row.engine.as_str() == name);
            row.map_or_else(|| Err("it is not known here".to_owned()), |row| row.state.clone())
        }
        Err(error) => Err(error.to_string()),
    };
    let row = |(name, address): &(String, Vec<u8>)| match (name.as_str(), of_here(name)) {
        ("tcp", Ok(_)) => report("tcp", connections(address)),
        (name, Ok(text)) => report(name, format!("it has this transport, and so has this machine: {text}")),
        (name, Err(reason)) => report(name, format!("it has this transport, but not here: {reason}")),
    };
    card.addresses.iter().map(row).collect()
}

/// Tries every address that it listens on, in the order in which a member here would.
fn connections(address: &[u8]) -> String {
    let listening = Tcp::listening(address).and_then(|listening| Ok((listening, interface::interfaces()?)));
    let (listening, interfaces) = match listening {
        Ok(both) => both,
        Err(error) => return error.to_string(),
    };
    let ordered = nic::order(&listening, &interfaces);
    let skipped = listening.iter().filter(|address| !ordered.contains(address));
    let tried = ordered.iter().map(|address| {
        let started = Instant::now();
        match TcpStream::connect_timeout(address, TIMEOUT) {
            Ok(_) => format!("{address} answers ({} us)", started.elapsed().as_micros()),
            Err(error) => format!("{address}: {error}"),
        }
    });
    let skipped = skipped.map(|address| format!("{address}: means another place here, not tried"));
    tried.chain(skipped).collect::<Vec<_>>().join("; ")
}
