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
//! * [`beside`]: the baselines for other tools.

pub(super) mod beside;
mod busy;
mod launch;
mod measure;
mod raw;
mod routes;
mod row;
mod session;
mod turns;

use mf_base::{Error, Result};
use mf_program::output::note;
use serde_json::json;

use super::parse_size;
use super::report::Drawing;
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
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf net
  mf perf net --quick --sizes 8,1MiB --connections 4 --tls off
  mf perf net --busy
  mf perf net --store tcp://10.0.0.1:7010 --rank 0     # on 10.0.0.1
  mf perf net --store tcp://10.0.0.1:7010 --rank 1     # on the other host, which prints the figures")]
pub(super) struct Args {
    /// Sizes of a call.
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "SIZE,...", default_value = "8,64KiB,1MiB,16MiB,128MiB")]
    sizes: Vec<u64>,
    /// Most connections that the pool may use to its peer, each number in turn.
    #[arg(long, value_delimiter = ',', value_name = "N,...", default_value = "1,2,4", value_parser = clap::value_parser!(u32).range(1..=16))]
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
    /// Store where the two hosts meet, tcp://host:port; rank 0 serves it.
    #[arg(long, value_name = "URL", requires = "rank")]
    store: Option<String>,
    /// Which of the two hosts this is.
    #[arg(long, requires = "store", value_parser = clap::value_parser!(u32).range(0..=1))]
    rank: Option<u32>,
    /// Name or address under which rank 1 reaches the raw sockets of rank 0 [default: the host of the
    /// store's URL].
    #[arg(long, value_name = "HOST", requires = "rank")]
    host: Option<String>,
    #[command(flatten)]
    output: Drawing,
    /// Print figures as lines for the parent process.
    #[arg(long, hide = true)]
    lines: bool,
    /// Keep all cores busy until killed.
    #[arg(long, hide = true)]
    burn: bool,
}

impl Args {
    /// True if another process measures, and this one only helps.
    pub(super) fn helps(&self) -> bool {
        self.lines || self.burn
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TlsChoice {
    Off,
    On,
    Both,
}

/// Measures and prints.
pub(super) fn main(args: &Args) -> Result<()> {
    if args.burn {
        busy::burn();
    }
    let mut rows = Vec::new();
    match (&args.store, args.rank) {
        (Some(url), Some(rank)) => {
            let _busy = if args.busy && !args.lines { Some(busy::start()?) } else { None };
            session::run(args, url, rank, &mut |row| {
                if args.lines { row.print() } else { keep(&mut rows, row) }
            })?;
            if args.lines || rank == 0 {
                return Ok(());
            }
        }
        _ => launch::run(args, &mut rows)?,
    }
    report(args, &rows)
}

fn keep(rows: &mut Vec<Row>, row: Row) -> Result<()> {
    // Each row is a line of standard error at once: nothing else needs to show that it goes on.
    note(&row.brief());
    rows.push(row);
    Ok(())
}

fn report(args: &Args, rows: &[Row]) -> Result<()> {
    let values = rows.iter().map(Row::to_json).collect();
    let more = json!({ "busy": args.busy, "pinned": args.pin });
    args.output.write("net", &row::text(rows), &values, &more, || row::svg(rows))
}

fn failed(what: &str) -> Error {
    Error::new(mf_base::Kind::Failed, OPERATION).what(what)
}
