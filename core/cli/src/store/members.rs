// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The members, transfer endpoints, and the state of the store.

use std::time::{Duration, Instant};

use mf_base::Result;
use mf_smem::trans::{self, Listed};
use mf_store::tls::date;
use mf_store::{Peer, Store};
use serde_json::{Value, json};

use super::Guest;
use super::keys::lines;
use crate::output;
use crate::table::{Table, figure};

/// Exchanges whose middle is shown as the round trip.
const ROUND_TRIPS: usize = 15;

/// List the members of the job, and the transfer endpoints that are met at the store.
///
/// Endpoints: since when by the clock of their host; starting: others cannot transfer yet; ending: the
/// process has ended, or is about to.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store members tcp://127.0.0.1:5570
  mf store members tcp://127.0.0.1:5570 --json")]
pub(super) struct MembersArgs {
    #[command(flatten)]
    guest: Guest,
}

/// Show where the store is, how many members it has, and how fast it answers.
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
    let store = args.guest.enter_all()?;
    let view = store.view()?;
    let endpoints = trans::list(&*store)?;
    store.close();
    let text = if args.guest.json {
        lines(&json!({
            "epoch": view.epoch,
            "members": view.members.iter().map(peer_json).collect::<Vec<_>>(),
            "endpoints": endpoints.iter().map(endpoint_json).collect::<Vec<_>>(),
        }))
    } else {
        let mut table = Table::new(1, &["host", "rank", "pid", "device", "session"]);
        for peer in &view.members {
            table.row(vec![
                peer.host.clone(),
                peer.rank.to_string(),
                peer.pid.to_string(),
                peer.device.to_string(),
                peer.session.to_string(),
            ]);
        }
        let endpoints = if endpoints.is_empty() { String::new() } else { endpoint_table(&endpoints) };
        table.render() + &endpoints
    };
    output::print(&text)?;
    Ok(0)
}

/// Behind an empty line.
fn endpoint_table(endpoints: &[Listed]) -> String {
    const NONE: &str = "-";
    let mut table = Table::new(6, &["endpoint", "host", "pid", "listens", "since", "state"]);
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

fn peer_json(peer: &Peer) -> Value {
    json!({
        "rank": peer.rank.0, "host": peer.host, "pid": peer.pid, "device": peer.device, "session": peer.session,
    })
}

pub(super) fn status(args: &StatusArgs) -> Result<u8> {
    let started = Instant::now();
    let store = args.guest.enter()?;
    let connected = started.elapsed();
    let (view, leader, world_size) = (store.view()?, store.leader(), store.member().world_size);
    let round_trip = round_trip(&*store)?;
    store.close();
    if args.guest.json {
        output::print(&lines(&json!({
            "url": args.guest.url, "leader": leader.place, "term": leader.term, "epoch": view.epoch,
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
fn round_trip(store: &dyn Store) -> Result<Duration> {
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
