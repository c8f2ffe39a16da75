// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf store`: the config store alone, beside a raw socket that carries the same bytes.
//!
//! * latency: one client asks, one after the other; the raw socket sends a request and receives a reply of
//!   the same sizes, in turns with it.
//! * rate: several clients ask at the same time.
//! * barrier: processes meet through the store, again and again.
//! * crowd: many members connect, get a rank, meet in a barrier and gather 64 bytes of each.

mod member;

use std::time::Instant;

use mf_base::{ByteLen, Error, Kind, Result};
use mf_measure::members::{Job, Member, values};
use mf_measure::sizes::mib;
use mf_measure::turns::{Figures, Pair, median};
use mf_program::procfs::process_bytes;
use mf_program::table::{Column, figure};
use serde::Serialize;
use serde_json::json;

use crate::measurement::{Measurement, Report};
use crate::task::Task as Work;
use member::{Served, What};
pub(crate) use member::{Task, main as member};

/// Measure the config store: latency, rate, barriers, and the meeting of many members.
///
/// Everything runs on this machine: the store in a process of its own, clients in others. The raw socket goes
/// to that very process.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf store
  mf perf store --tls --crowd 1024")]
pub(super) struct Args {
    /// Members that meet all at once; 0 leaves this out.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(0..=i64::from(mf_base::MAX_WORLD_SIZE)))]
    crowd: u32,
    /// Processes that these members share.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    processes: u32,
    /// Encrypt, with the job secret as identity.
    #[arg(long)]
    tls: bool,
    /// Fewer turns.
    #[arg(long)]
    quick: bool,
}

/// Clients that ask at the same time.
const BUSY: u32 = 8;

/// Figures of a call, beside a raw socket.
#[derive(Serialize)]
struct Call {
    what: String,
    bytes: u64,
    seconds: f64,
    raw_seconds: f64,
    times_raw: f64,
}

const CALLS: [Column<'static, Call>; 5] = [
    ("call", |row| row.what.clone()),
    ("size", |row| ByteLen(row.bytes).to_string()),
    ("us", |row| figure(row.seconds * 1e6)),
    ("raw socket us", |row| figure(row.raw_seconds * 1e6)),
    ("times raw", |row| figure(row.times_raw)),
];

/// Figures of several processes together.
#[derive(Serialize)]
struct Together {
    what: &'static str,
    processes: u32,
    seconds: f64,
    per_second: f64,
}

const TOGETHER: [Column<'static, Together>; 4] = [
    ("what", |row| row.what.to_owned()),
    ("processes", |row| row.processes.to_string()),
    ("us", |row| figure(row.seconds * 1e6)),
    ("a second", |row| figure(row.per_second)),
];

impl Measurement for Args {
    const NAME: &'static str = "store";

    fn measure(&self) -> Result<Option<Report>> {
        let mut report = Report::new();
        let calls = latency(self)?;
        report.section(&calls, 1, &CALLS);
        let mut together = Vec::new();
        for processes in [2, 4, 8] {
            let seconds = barrier(self, processes)?;
            together.push(Together { what: "barrier", processes, seconds, per_second: 1.0 / seconds });
        }
        let per_second = rate(self)?;
        let seconds = f64::from(BUSY) / per_second;
        together.push(Together { what: "get of 8 B", processes: BUSY, seconds, per_second });
        report.section(&together, 1, &TOGETHER);
        if self.crowd > 0 {
            let (seconds, server_bytes) = crowd(self)?;
            report.paragraph(&format!(
                "{} members in {} processes: connect, rank, barrier, allgather of 64 B in {} s; the store used {} MiB\n",
                self.crowd,
                self.processes,
                figure(seconds),
                mib(server_bytes),
            ));
            report.rows(&[json!({
                "what": "crowd", "members": self.crowd, "processes": self.processes, "seconds": seconds,
                "server_bytes": server_bytes, "tls": self.tls,
            })]);
        }
        report.more = json!({ "tls": self.tls });
        Ok(Some(report))
    }
}

/// A store in a process of its own.
struct Store<'a> {
    args: &'a Args,
    job: Job,
    member: Member,
    served: Served,
}

impl<'a> Store<'a> {
    fn start(args: &'a Args) -> Result<Self> {
        let job = Job::new()?;
        let mut member = start(&job, args, "the store", What::Serve, (0, None))?;
        let served = member.value()?;
        Ok(Self { args, job, member, served })
    }

    fn client(&self, name: &str, what: What, world: u32) -> Result<Member> {
        start(&self.job, self.args, name, what, (world, Some(self.served.echo_port)))
    }
}

fn start(
    job: &Job,
    args: &Args,
    name: &str,
    what: What,
    (world, echo_port): (u32, Option<u16>),
) -> Result<Member> {
    let task = Work::Store(Task { what, world, echo_port, quick: args.quick });
    job.start(name, &task, &[("MF_STORE_TLS", if args.tls { "on" } else { "off" })])
}

fn latency(args: &Args) -> Result<Vec<Call>> {
    let store = Store::start(args)?;
    let mut client = store.client("the client", What::Latency, 1)?;
    let all: Vec<(String, u64, Pair)> = client.value()?;
    client.end()?;
    store.member.end()?;
    let calls = all.into_iter().map(|(what, bytes, pair)| {
        let Figures { seconds, plain_seconds, ratio } = Pair::figures(&[pair]);
        Call { what, bytes, seconds, raw_seconds: plain_seconds, times_raw: 1.0 / ratio }
    });
    Ok(calls.collect())
}

/// Seconds of one barrier.
fn barrier(args: &Args, processes: u32) -> Result<f64> {
    Ok(median(&of_each_client(args, What::Barrier, processes)?))
}

/// Calls a second of all clients together.
fn rate(args: &Args) -> Result<f64> {
    Ok(of_each_client(args, What::Rate, BUSY)?.iter().sum())
}

/// The figures of so many clients that do the same at the same time.
fn of_each_client(args: &Args, what: What, count: u32) -> Result<Vec<f64>> {
    let store = Store::start(args)?;
    let clients = (0..count).map(|number| store.client(&format!("client {number}"), what, count));
    let mut clients = clients.collect::<Result<Vec<_>>>()?;
    let figures = values(&mut clients)?;
    clients.into_iter().try_for_each(Member::end)?;
    store.member.end()?;
    Ok(figures)
}

/// Seconds until all have met, and the memory of the store then.
fn crowd(args: &Args) -> Result<(f64, u64)> {
    let store = Store::start(args)?;
    let processes = args.processes.min(args.crowd);
    let mut clients = Vec::new();
    for number in 0..processes {
        let share = args.crowd / processes + u32::from(number < args.crowd % processes);
        let mut member = store.client(&format!("process {number}"), What::Crowd(share), args.crowd)?;
        let ready: bool = member.value()?;
        if !ready {
            return Err(Error::new(Kind::Failed, "mf perf store").what("a process is not ready"));
        }
        clients.push(member);
    }
    let begin = Instant::now();
    for client in &mut clients {
        client.send("go")?;
    }
    let met: Vec<u32> = values(&mut clients)?;
    let seconds = begin.elapsed().as_secs_f64();
    let bytes = process_bytes(store.member.process_id(), "VmHWM");
    clients.into_iter().try_for_each(Member::end)?;
    store.member.end()?;
    if met.iter().sum::<u32>() != args.crowd {
        return Err(Error::new(Kind::Failed, "mf perf store")
            .what("not all members met")
            .with("met", met.iter().sum::<u32>())
            .with("members", args.crowd));
    }
    Ok((seconds, bytes))
}
