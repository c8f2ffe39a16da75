// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Both ranks on this machine: two processes a combination of settings.

use mf_base::Result;
use mf_measure::members::Job;
use mf_program::output::note;

use super::row::{Line, Row};
use super::{Args, TlsChoice, busy};
use crate::task::Task;

/// Runs every combination; rows are appended as they come.
pub(super) fn run(args: &Args, rows: &mut Vec<Row>) -> Result<()> {
    let _busy = if args.busy { Some(busy::start()?) } else { None };
    for (tls, connections) in combinations(args.tls, &args.connections) {
        one(args, tls, connections, rows)?;
    }
    Ok(())
}

/// Encryption and numbers of connections, in the order in which they are measured.
pub(super) fn combinations(tls: TlsChoice, connections: &[u32]) -> Vec<(bool, u32)> {
    let plain = connections.iter().map(|number| (false, *number));
    match tls {
        TlsChoice::Off => plain.collect(),
        TlsChoice::On => connections.iter().map(|number| (true, *number)).collect(),
        TlsChoice::Both => plain.chain(connections.last().map(|number| (true, *number))).collect(),
    }
}

fn one(args: &Args, tls: bool, connections: u32, rows: &mut Vec<Row>) -> Result<()> {
    note(&format!(
        "mf perf net: {}, at most {connections} connections",
        if tls { "encrypted" } else { "plain" }
    ));
    let job = Job::new()?;
    let connections = connections.to_string();
    let mut environment =
        vec![("MF_NET_TLS", if tls { "on" } else { "off" }), ("MF_NET_CONNECTIONS", connections.as_str())];
    if !args.only_raw {
        // Without these the pool maps the other one's memory and has no network at all.
        environment.extend([
            ("MF_SHM", "false"),
            ("MF_NIC", "127.0.0.1"),
            ("MF_TRANSPORTS", args.transports.as_str()),
        ]);
    }
    let start = |rank: u32| {
        let store = Some(job.store_url.clone());
        let args = Args { store, rank: Some(rank), lines: true, ..args.clone() };
        job.start(&format!("rank {rank}"), &Task::Net(Box::new(args)), &environment)
    };
    let (owner, mut caller) = (start(0)?, start(1)?);
    while let Line::Row(row) = caller.value()? {
        note(&format!("  {}", row.brief()));
        rows.push(*row);
    }
    // Rank 0 serves the store and ends last.
    caller.end()?;
    owner.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encryption_is_measured_once_unless_selected_alone() {
        assert_eq!(combinations(TlsChoice::Both, &[1, 4]), [(false, 1), (false, 4), (true, 4)]);
        assert_eq!(combinations(TlsChoice::Off, &[1, 4]), [(false, 1), (false, 4)]);
        assert_eq!(combinations(TlsChoice::On, &[1, 4]), [(true, 1), (true, 4)]);
    }
}
