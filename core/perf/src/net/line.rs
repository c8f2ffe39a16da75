// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf net --line`: the pool, the store and joins on lines with long round trips, low rates and loss.
//!
//! Two network namespaces of this machine stand for two hosts; a relay in this process carries the packets
//! between them. Real TCP connections of the kernel run over it, the pool's and the baselines' alike.
//!
//! * [`spec`]: a line in words. [`path`]: its decisions, packet by packet. [`relay`]: the threads that carry
//!   them out. [`ends`]: the two hosts.
//! * [`member`](mod@member): the processes at its ends. [`caller`]: the measurement. [`join`]: joins.
//! * Figures: [`row`].

mod caller;
mod ends;
mod join;
mod member;
mod path;
mod relay;
mod row;
mod spec;

use mf_base::Result;
use mf_measure::members::Job;
use mf_program::output::note;
use serde_json::json;

use super::super::task::Task as Work;
use super::Args;
use super::launch::combinations;
use crate::measurement::Report;
use ends::Ends;
use member::{Answer, Calls};
pub(crate) use member::{Task, main as member};
use row::Row;
pub(super) use spec::Line;

/// Lines without a description.
pub(super) const STANDARD: [&str; 10] = [
    "0.1ms,10Gbit",
    "1ms,10Gbit",
    "10ms,1Gbit",
    "50ms,1Gbit",
    "50ms,10Gbit",
    "10ms,1Gbit,loss=0.1%",
    "10ms,1Gbit,loss=1%",
    "10ms,1Gbit,reorder=1%",
    "10ms,1Gbit,hole=1400",
    "10ms,1Gbit,reroute=500ms",
];
/// Port of the store on the first host, which has no other program.
const STORE_PORT: u16 = 7010;

/// Measures every line.
pub(super) fn run(args: &Args, lines: &[Line]) -> Result<Report> {
    let mut rows = Vec::new();
    let (mut carried, mut lost) = (0, 0);
    for line in lines {
        let ends = Ends::new(*line)?;
        for (tls, connections) in combinations(args.tls, &args.connections) {
            note(&format!(
                "mf perf net: line {line}, {}, at most {connections} connections",
                if tls { "encrypted" } else { "plain" }
            ));
            calls(args, &ends, (*line, tls, connections), &mut rows)?;
        }
        joins(args, &ends, *line, &mut rows)?;
        let counts = ends.counts();
        (carried, lost) = (carried + counts.0, lost + counts.1);
    }
    let mut report = Report::new();
    for row in &rows {
        report.rows(&[row.to_json()]);
    }
    report.table(&rows, 4, &row::COLUMNS);
    report.note(row::LEGEND);
    report.more = json!({ "line_is": "relay", "packets_carried": carried, "packets_lost": lost });
    Ok(report)
}

fn store_url() -> String {
    format!("tcp://{}:{STORE_PORT}", ends::address(0))
}

/// Settings of the processes at both ends.
fn environment<'a>(tls: bool, connections: &'a str, transports: &'a str) -> [(&'a str, &'a str); 4] {
    [
        // Both hosts are this machine, whose memory they must not map.
        ("MF_SHM", "false"),
        ("MF_NET_TLS", if tls { "on" } else { "off" }),
        ("MF_NET_CONNECTIONS", connections),
        ("MF_TRANSPORTS", transports),
    ]
}

fn calls(
    args: &Args,
    ends: &Ends,
    (line, tls, connections): (Line, bool, u32),
    rows: &mut Vec<Row>,
) -> Result<()> {
    let job = Job::at(store_url())?;
    let number = connections.to_string();
    let environment = environment(tls, &number, &args.transports);
    let calls = Calls { sizes: args.sizes.clone(), quick: args.quick };
    let start = |host: usize, name: &str, task: Task| {
        ends.on(host, || job.start(name, &Work::Line(task), &environment))
    };
    let (owner, mut caller) =
        (start(0, "the owner", Task::Own(calls.clone()))?, start(1, "the caller", Task::Call(calls))?);
    let mut round_trip = line.round_trip.as_secs_f64();
    while let Answer::Figures(figures) = caller.value()? {
        if figures.call == "store set"
            && let Some(raw) = figures.raw.first()
        {
            round_trip = raw.median();
        }
        let row = Row { line, tls, connections, figures, round_trip, phases: None };
        note(&format!("  {}", row.brief()));
        rows.push(row);
    }
    caller.end()?;
    owner.end()
}

fn joins(args: &Args, ends: &Ends, line: Line, rows: &mut Vec<Row>) -> Result<()> {
    if args.members.iter().all(|members| *members == 0) {
        return Ok(());
    }
    let round_trip = line.round_trip.as_secs_f64();
    // Encryption and connections are the library's defaults.
    let environment = [("MF_SHM", "false"), ("MF_TRANSPORTS", &*args.transports)];
    let none = Ends::new(Line::with_round_trip(std::time::Duration::ZERO))?;
    for &members in args.members.iter().filter(|members| **members > 0) {
        note(&format!("mf perf net: line {line}, a join of {members} members"));
        let without = join::measure(&none, members, &environment)?;
        let took = join::measure(ends, members, &environment)?;
        let figures = row::Figures {
            call: "join".to_owned(),
            bytes: 0,
            in_flight: members,
            own: took.measured("job"),
            raw: vec![without.measured("without delay")],
        };
        let row = Row { line, tls: true, connections: 0, figures, round_trip, phases: Some(took.phases) };
        note(&format!("  {}", row.brief()));
        rows.push(row);
    }
    Ok(())
}
