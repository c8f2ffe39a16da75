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
use mf_program::table::{Table, figure};
use serde_json::{Value, json};

use super::measure::{Pair, median};
use super::report::Output;
use crate::members::{Job, Member, values};
use member::Served;
pub(crate) use member::{Args as MemberArgs, main as member_main};

/// Measure the config store: latency, rate, barriers, and how long a crowd takes to meet.
///
/// Everything runs on this machine: the store in a process of its own, clients in others. The raw socket goes
/// to that very process.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf store
  mf perf store --tls --crowd 1024")]
pub(super) struct Args {
    /// Members that meet all at once; 0 leaves this out.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(0..=i64::from(mf_store::MAX_WORLD_SIZE)))]
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
    #[command(flatten)]
    output: Output,
}

/// Clients that ask at the same time.
const BUSY: u32 = 8;

/// Measures and prints.
pub(super) fn main(args: &Args) -> Result<()> {
    let mut text = String::new();
    let mut rows = Vec::new();
    let (table, latencies) = latency(args)?;
    text += &table;
    rows.extend(latencies);
    let mut table = Table::new(1, &["what", "processes", "us", "a second"]);
    for processes in [2, 4, 8] {
        let seconds = barrier(args, processes)?;
        line(&mut table, &mut rows, "barrier", processes, seconds, 1.0 / seconds);
    }
    let per_second = rate(args)?;
    line(&mut table, &mut rows, "get of 8 B", BUSY, f64::from(BUSY) / per_second, per_second);
    text += &format!("\n{}", table.render());
    if args.crowd > 0 {
        let (seconds, server_bytes) = crowd(args)?;
        text += &format!(
            "\n{} members in {} processes: connect, rank, barrier, allgather of 64 B in {} s; the store used {} MiB\n",
            args.crowd,
            args.processes,
            figure(seconds),
            figure(server_bytes as f64 / f64::from(1 << 20)),
        );
        rows.push(json!({
            "what": "crowd", "members": args.crowd, "processes": args.processes, "seconds": seconds,
            "server_bytes": server_bytes, "tls": args.tls,
        }));
    }
    args.output.write("store", &text, &json!(rows), &json!({ "tls": args.tls }))
}

fn line(table: &mut Table, rows: &mut Vec<Value>, what: &str, processes: u32, seconds: f64, per_second: f64) {
    table.row(vec![what.to_owned(), processes.to_string(), figure(seconds * 1e6), figure(per_second)]);
    rows.push(json!({ "what": what, "processes": processes, "seconds": seconds, "per_second": per_second }));
}

/// A store in a process of its own.
struct Store {
    job: Job,
    member: Member,
    served: Served,
}

impl Store {
    fn start(args: &Args) -> Result<Self> {
        let job = Job::new()?;
        let mut member = start(&job, args, "the store", "serve", 0, None)?;
        let served = member.value()?;
        Ok(Self { job, member, served })
    }

    fn client(&self, args: &Args, name: &str, task: &str, world: u32) -> Result<Member> {
        start(&self.job, args, name, task, world, Some(self.served.echo_port))
    }
}

fn start(
    job: &Job,
    args: &Args,
    name: &str,
    task: &str,
    world: u32,
    echo_port: Option<u16>,
) -> Result<Member> {
    let mut arguments =
        vec!["perf-store-member".to_owned(), format!("--task={task}"), format!("--world={world}")];
    arguments.extend(echo_port.map(|port| format!("--echo-port={port}")));
    arguments.extend(args.quick.then(|| "--quick".to_owned()));
    job.start(name, &arguments, &[("MF_STORE_TLS", if args.tls { "on" } else { "off" })])
}

fn latency(args: &Args) -> Result<(String, Vec<Value>)> {
    let store = Store::start(args)?;
    let mut client = store.client(args, "the client", "latency", 1)?;
    let all: Vec<(String, u64, Pair)> = client.value()?;
    client.end()?;
    store.member.end()?;
    let mut table = Table::new(1, &["call", "size", "us", "raw socket us", "times raw"]);
    let mut rows = Vec::new();
    for (call, bytes, pair) in all {
        let figures = Pair::figures(&[pair]);
        let (own, raw, times) = (figures.seconds, figures.plain_seconds, 1.0 / figures.ratio);
        table.row(vec![
            call.clone(),
            ByteLen(bytes).to_string(),
            figure(own * 1e6),
            figure(raw * 1e6),
            figure(times),
        ]);
        rows.push(json!({
            "what": call, "bytes": bytes, "seconds": own, "raw_seconds": raw, "times_raw": times,
        }));
    }
    Ok((table.render(), rows))
}

/// Seconds of one barrier.
fn barrier(args: &Args, processes: u32) -> Result<f64> {
    Ok(median(&of_each_client(args, "barrier", processes)?))
}

/// Calls a second of all clients together.
fn rate(args: &Args) -> Result<f64> {
    Ok(of_each_client(args, "rate", BUSY)?.iter().sum())
}

/// The figures of so many clients that do the same at the same time.
fn of_each_client(args: &Args, task: &str, count: u32) -> Result<Vec<f64>> {
    let store = Store::start(args)?;
    let clients = (0..count).map(|number| store.client(args, &format!("client {number}"), task, count));
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
        let mut member = start(
            &store.job,
            args,
            &format!("process {number}"),
            &format!("crowd-{share}"),
            args.crowd,
            Some(store.served.echo_port),
        )?;
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
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", store.member.process_id())).unwrap_or_default();
    let bytes = mf_program::procfs::kernel_row(&status, "VmHWM").unwrap_or(0);
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
