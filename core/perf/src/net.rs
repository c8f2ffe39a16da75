// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf net`: the pool over the network, beside plain sockets and plain rustls on the same network.
//!
//! Rank 0 owns the memory and serves the baselines; rank 1 does everything else. On one machine the command
//! starts both as processes of their own, with the shared-memory path off, once for each combination of
//! settings; between two hosts a person starts it on each.
//!
//! * [`raw`]: the baselines. [`turns`]: duration of measurements. [`routes`]: the candidates. [`measure`]:
//!   the measurement.
//! * [`session`]: how the two ranks meet. [`launch`]: both on this machine.
//! * [`row`]: figures as table, JSON and picture. [`busy`]: machines without a free core.
//! * [`line`](mod@line): lines with long round trips, low rates and loss. [`beside`]: the baselines for other
//!   tools.

pub(super) mod beside;
pub(crate) mod busy;
mod launch;
pub(super) mod line;
mod measure;
mod raw;
mod routes;
mod row;
mod session;
mod turns;

use clap::builder::ArgPredicate;
use mf_base::{Error, Result};
use mf_program::output::note;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::parse_size;
use crate::measurement::{Measurement, Report};
use row::Row;

const OPERATION: &str = "mf perf net";

/// Measure the pool over the network: latency, bandwidth by size and connections, atomics, message rate, TLS.
///
/// Two processes of this machine with the shared-memory path off, or two hosts. Every figure stands beside
/// raw sockets that take turns with it between the same two processes: for short calls a ping-pong that spins
/// and one that blocks; for long ones 1, 2 and 4 connections with a thread each on both sides, the best of
/// which counts; for encrypted ones plain rustls between two threads.
///
/// Two hosts: set the same MF_JOB_SECRET on both, start rank 0 on the host that the store's URL names, rank 1
/// on the other one. Settings (MF_NET_CONNECTIONS, MF_NET_TLS, MF_NIC, ...) are then taken from the
/// environment.
///
/// Lines (--line): two network namespaces of this machine with a relay between them that delays, shapes and
/// drops packets, for each line in turn, as root or by unshare --user --map-root-user. A line is a round
/// trip, then, in any order and if wanted, a rate, loss=PART%, reorder=PART%, hole=BYTES (longer packets
/// vanish without a message; both hosts probe for the MTU), reroute=INTERVAL (the route alternates between
/// the round trip and twice as much) and mtu=BYTES. Rows: puts and gets, the store, barriers, joins of
/// --members, with round trips where a call waits for them.
#[derive(Clone, Serialize, Deserialize, clap::Args)]
#[command(after_help = "Examples:
  mf perf net
  mf perf net --quick --sizes 8,1MiB --connections 4 --tls off
  mf perf net --busy
  mf perf net --line 10ms,1Gbit --line 50ms,10Gbit,loss=0.1%
  mf perf net --store tcp://10.0.0.1:7010 --rank 0     # on 10.0.0.1
  mf perf net --store tcp://10.0.0.1:7010 --rank 1     # on the other host, which prints the figures")]
pub(super) struct Args {
    /// Sizes of a call; of lines 8, 64 KiB and 64 MiB.
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "SIZE,...", default_value = "8,64KiB,1MiB,16MiB,128MiB", default_value_if("line", ArgPredicate::IsPresent, "8,64KiB,64MiB"))]
    sizes: Vec<u64>,
    /// Most connections that the pool may use to its peer, each number in turn; of lines 1 and 4.
    #[arg(long, value_delimiter = ',', value_name = "N,...", default_value = "1,2,4", default_value_if("line", ArgPredicate::IsPresent, "1,4"), value_parser = clap::value_parser!(u32).range(1..=16))]
    connections: Vec<u32>,
    /// Encrypted or not; both: encrypted with the last number of connections only.
    #[arg(long, value_enum, default_value = "both")]
    tls: TlsChoice,
    /// Transports that may be used, as in MF_TRANSPORTS.
    #[arg(long, value_name = "NAMES", default_value = "tcp")]
    transports: String,
    /// Keep every core busy with a loop that never waits; only calls of at most 4 KiB are measured.
    #[arg(long)]
    busy: bool,
    /// Give each process cores of its own.
    #[arg(long)]
    pin: bool,
    /// Leave the pool out: only the baselines.
    #[arg(long)]
    only_raw: bool,
    /// Fewer and shorter turns: a first impression within seconds.
    #[arg(long)]
    quick: bool,
    /// Measure on a line with this round trip, rate, loss, …; without a value on ten of them.
    #[arg(long, value_name = "LINE", num_args = 0..=1, default_missing_value = "all", value_parser = parse_lines, conflicts_with_all = ["busy", "pin", "only_raw", "store"])]
    #[serde(skip)]
    line: Vec<Lines>,
    /// Members that join over each line, several numbers in turn; 0: none.
    #[arg(long, value_delimiter = ',', value_name = "N,...", default_value = "8,64", requires = "line", value_parser = clap::value_parser!(u32).range(0..=256))]
    members: Vec<u32>,
    /// Store where the two hosts meet, tcp://host:port; rank 0 serves it.
    #[arg(long, value_name = "URL", requires = "rank")]
    store: Option<String>,
    /// Rank of this host, 0 or 1.
    #[arg(long, requires = "store", value_parser = clap::value_parser!(u32).range(0..=1))]
    rank: Option<u32>,
    /// Name or address under which rank 1 reaches the raw sockets of rank 0 [default: the host of the
    /// store's URL].
    #[arg(long, value_name = "HOST", requires = "rank")]
    host: Option<String>,
    /// Print figures as lines for the parent process.
    #[arg(skip)]
    lines: bool,
}

/// Lines of one `--line`.
#[derive(Clone)]
struct Lines(Vec<line::Line>);

fn parse_lines(text: &str) -> Result<Lines, String> {
    let texts: &[&str] = if text == "all" { &line::STANDARD } else { &[text] };
    texts.iter().map(|text| text.parse()).collect::<Result<_, _>>().map(Lines)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
enum TlsChoice {
    Off,
    On,
    Both,
}

impl Measurement for Args {
    const NAME: &'static str = "net";

    fn measure(&self) -> Result<Option<Report>> {
        if !self.line.is_empty() {
            let lines: Vec<line::Line> = self.line.iter().flat_map(|lines| lines.0.clone()).collect();
            return line::run(self, &lines).map(Some);
        }
        let mut rows = Vec::new();
        match (&self.store, self.rank) {
            (Some(url), Some(rank)) => {
                let _busy = if self.busy && !self.lines { Some(busy::start()?) } else { None };
                session::run(self, url, rank, &mut |row| {
                    if self.lines { row.print() } else { keep(&mut rows, row) }
                })?;
                if self.lines || rank == 0 {
                    return Ok(None);
                }
            }
            _ => launch::run(self, &mut rows)?,
        }
        let mut report = Report::new();
        for row in &rows {
            report.rows(&[row.to_json()]);
        }
        report.table(&rows, 2, &row::COLUMNS);
        report.paragraph(&row::raw_table(&rows));
        report.note(row::LEGEND);
        report.more = json!({ "busy": self.busy, "pinned": self.pin });
        report.picture = Some(row::picture(&rows));
        Ok(Some(report))
    }
}

fn keep(rows: &mut Vec<Row>, row: Row) -> Result<()> {
    // Each row is a line of standard error at once: nothing else needs to show that it goes on.
    note(&row.brief());
    rows.push(row);
    Ok(())
}

fn failed(what: &str) -> Error {
    Error::new(mf_base::Kind::Failed, OPERATION).what(what)
}
