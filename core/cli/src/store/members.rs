// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The members, transfer endpoints, and the state of the store.

use std::time::{Duration, Instant};

use mf_base::Result;
use mf_program::output;
use mf_program::table::{TextTable, figure};
use mf_smem::trans::{self, Listed};
use mf_store::GUEST_CARDS;
use mf_store::{Contact, Peer};
use mf_tls::date;
use serde_json::{Value, json};

use crate::job_store::{JobStore, State};

use super::keys::lines;
use super::{Guest, OPERATION};

/// Cell of an unknown value.
const NONE: &str = "-";

/// Number of exchanges; their median is shown as the round trip.
const ROUND_TRIPS: usize = 15;

/// List the members of the job, and the transfer endpoints at the store.
///
/// Members: time of each one's last message, and its phase: its wait at the store, or its last request. A
/// member that computes, or that waits for others without the store, is silent up to the interval of
/// heartbeats. Members that were lost are listed as long as no other has their rank.
///
/// Endpoints: since when by the clock of their host; starting: others cannot transfer yet; ending: the
/// process has ended, or is about to.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store members tcp://127.0.0.1:5570
  MF_CONFIG_STORE_URL=tcp://127.0.0.1:5570 mf store members --json")]
pub(super) struct MembersArgs {
    #[command(flatten)]
    guest: Guest,
}

/// Show the store's address, its number of members, and its round trip time.
///
/// Exit code 1 when no store answers.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store status tcp://127.0.0.1:5570
  mf store status tcp://10.0.0.1:5570,10.0.0.2:5570 --timeout 2")]
pub(super) struct StatusArgs {
    #[command(flatten)]
    guest: Guest,
}

pub(super) fn members(args: &MembersArgs) -> Result<u8> {
    let guest = &args.guest;
    let store = guest.enter_all()?;
    let State { view, contacts, .. } = store.state()?;
    let endpoints = trans::list(store.list(GUEST_CARDS)?, |key| store.get(key))?;
    store.close();
    let contact = |peer: &Peer| contacts.iter().find(|contact| contact.session == peer.session);
    let text = if guest.json {
        lines(&json!({
            "epoch": view.epoch,
            "members": view.members.iter().map(|peer| peer_json(peer, contact(peer))).collect::<Vec<_>>(),
            "lost": view.dead.iter().map(|lost| peer_json(&lost.peer, None)).collect::<Vec<_>>(),
            "endpoints": endpoints.iter().map(endpoint_json).collect::<Vec<_>>(),
        }))
    } else {
        let titles = ["host", "rank", "pid", "device", "session", "last contact", "phase"];
        let mut table = TextTable::new(titles.len(), &titles);
        for peer in &view.members {
            let (silent, phase) = contact(peer).map_or_else(|| (NONE.to_owned(), NONE.to_owned()), describe);
            table.row([&peer_cells(peer)[..], &[silent, phase]].concat());
        }
        for lost in &view.dead {
            let last = [NONE.to_owned(), format!("lost in epoch {}", lost.epoch)];
            table.row([&peer_cells(&lost.peer)[..], &last].concat());
        }
        let endpoints = if endpoints.is_empty() { String::new() } else { endpoint_table(&endpoints) };
        table.render() + &endpoints
    };
    output::print(&text)?;
    Ok(0)
}

fn peer_cells(peer: &Peer) -> [String; 5] {
    let numbers = [u64::from(peer.rank.0), u64::from(peer.pid), u64::from(peer.device), peer.session];
    let [rank, pid, device, session] = numbers.map(|number| number.to_string());
    [peer.host.clone(), rank, pid, device, session]
}

/// Its last contact and its phase.
fn describe(contact: &Contact) -> (String, String) {
    let broken = if contact.is_connected { "" } else { "its connection is broken; " };
    let seconds = Duration::from_micros(contact.silent_us).as_secs_f64();
    (format!("{} s ago", figure(seconds)), format!("{broken}{}", contact.phase))
}

/// Behind an empty line.
fn endpoint_table(endpoints: &[Listed]) -> String {
    let mut table = TextTable::new(6, &["endpoint", "host", "pid", "listens", "since", "state"]);
    for endpoint in endpoints {
        let (host, pid, listens) = endpoint.at.as_ref().map_or_else(
            || (NONE.to_owned(), NONE.to_owned(), NONE.to_owned()),
            |at| (at.host.clone(), at.pid.to_string(), addresses(at).join(",")),
        );
        table.row(vec![
            endpoint.name.clone(),
            host,
            pid,
            if listens.is_empty() { NONE.to_owned() } else { listens },
            endpoint.since.map_or_else(|| NONE.to_owned(), date),
            endpoint.state.as_str().to_owned(),
        ]);
    }
    format!("\n{}", table.render())
}

fn addresses(at: &trans::At) -> Vec<String> {
    at.listens.iter().map(ToString::to_string).collect()
}

fn endpoint_json(endpoint: &Listed) -> Value {
    let at = endpoint.at.as_ref();
    json!({
        "name": endpoint.name, "state": endpoint.state.as_str(), "session": endpoint.session,
        "since": endpoint.since.map(date), "host": at.map(|at| &at.host), "pid": at.map(|at| at.pid),
        "listens": at.map(addresses).unwrap_or_default(),
    })
}

fn peer_json(peer: &Peer, contact: Option<&Contact>) -> Value {
    json!({
        "rank": peer.rank.0, "host": peer.host, "pid": peer.pid, "device": peer.device, "session": peer.session,
        "phase": contact.map(|contact| &contact.phase), "silentUs": contact.map(|contact| contact.silent_us),
        "connected": contact.map(|contact| contact.is_connected),
    })
}

pub(super) fn status(args: &StatusArgs) -> Result<u8> {
    let guest = &args.guest;
    let started = Instant::now();
    let store = guest.enter()?;
    let connected = started.elapsed();
    let (view, leader, world_size) = (store.state()?.view, store.leader()?, store.world_size());
    let round_trip = round_trip(&store)?;
    store.close();
    if guest.json {
        output::print(&lines(&json!({
            "url": guest.store.url(OPERATION)?, "leader": leader.place, "term": leader.term, "epoch": view.epoch,
            "worldSize": world_size, "members": view.members.len(),
            "connectUs": micros(connected), "roundTripUs": micros(round_trip),
        })))?;
        return Ok(0);
    }
    let world = if world_size == 0 { "not known yet".to_owned() } else { world_size.to_string() };
    let rows = [
        ("leader", leader.place),
        ("term", leader.term.to_string()),
        ("members", format!("{} of {world}", view.members.len())),
        ("epoch", view.epoch.to_string()),
        ("connect", format!("{} us", figure(micros(connected)))),
        ("round trip", format!("{} us", figure(micros(round_trip)))),
    ];
    let text: String = rows.iter().map(|(name, value)| format!("{name:<11} {value}\n")).collect();
    output::print(&text)?;
    Ok(0)
}

/// The middle of a few exchanges.
fn round_trip(store: &JobStore) -> Result<Duration> {
    let mut times = Vec::with_capacity(ROUND_TRIPS);
    for _ in 0..ROUND_TRIPS {
        let started = Instant::now();
        // A key that does not exist: the answer is short.
        store.get("mf/status")?;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(ROUND_TRIPS / 2).copied().unwrap_or_default())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
