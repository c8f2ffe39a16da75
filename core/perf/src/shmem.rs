// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf shmem`: the functions of OpenSHMEM as a program calls them, beside plain processor instructions,
//! and beside MPI and other libraries of OpenSHMEM where they are installed.
//!
//! * `member`: a PE. [`functions`]: the measured functions. [`alone`]: calls of one PE; [`all`]: calls of
//!   all; [`distant`]: calls over a network; [`on_stream`]: enqueueing calls of CANN SHMEM.
//! * [`peers`]: the other libraries, by programs that are compiled on the spot.
//! * [`row`]: the figures of a measurement.

/// `calls` times `$body`, with the number of the call where it has one, as a candidate.
macro_rules! calls {
    (|$number:pat_param| $body:expr) => {
        &mut |calls: u32| -> Result<()> {
            for $number in 0..calls {
                // SAFETY: the addresses belong to large enough symmetric blocks, or to their mappings here;
                // all other PEs wait, or make the same calls.
                #[allow(unused_unsafe, reason = "some baselines need none")]
                let _ = unsafe { $body };
            }
            Ok(())
        }
    };
    ($body:expr) => {
        calls!(|_| $body)
    };
}

mod all;
mod alone;
mod distant;
mod functions;
mod member;
mod on_stream;
mod peers;
mod row;

use mf_base::{Error, Result};
use mf_measure::members::{Job, Member, end_all};
use mf_measure::turns::Pair;
use mf_program::output::note;
use serde_json::json;

use crate::measurement::{Measurement, Report};
use crate::plot::{Lines, Plain};
use crate::task::Task as Work;
use member::{Case, Line};
pub(crate) use member::{Task, main as member};
use peers::Peer;
use row::{Point, Run};

const OPERATION: &str = "mf perf shmem";

/// Measure OpenSHMEM's functions: latency, bandwidth, order, atomics, strides, collectives, locks, the heap
/// and the start.
///
/// PEs of this machine call the C library. Beside each figure stands a plain baseline at the same addresses,
/// which takes turns with it in the same processes: a store, a load, memcpy, a loop, a locked instruction,
/// flags in shared memory; for malloc+free and split+destroy a barrier. Where MPI or another OpenSHMEM is
/// installed, its own calls are measured in the same run, in turns with ours; that needs its compiler. Ratios
/// are times as fast: above 1 is ahead.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf shmem
  mf perf shmem --pes 2 --quick --json shmem.json --svg shmem.svg
  mf perf shmem --network --sizes 64KiB,1MiB
  mf sim -- mf perf shmem --on-stream --sizes 8,64KiB
  mf perf shmem --init 2,8,32 --pes \"\"")]
pub(super) struct Args {
    /// Numbers of PEs; calls of one PE are measured with 2.
    #[arg(long, default_value = "2,4,8", value_delimiter = ',', value_parser = parse_pes, value_name = "N,...")]
    pes: Vec<Option<u32>>,
    /// Bytes of puts and gets, and of each PE in collectives.
    #[arg(long, default_value = "8,1KiB,64KiB,1MiB", value_delimiter = ',', value_parser = super::parse_size, value_name = "SIZE,...")]
    sizes: Vec<u64>,
    /// Numbers of PEs with which the start is measured.
    #[arg(long, default_value = "2,8,32", value_delimiter = ',', value_parser = parse_pes, value_name = "N,...")]
    init: Vec<Option<u32>>,
    /// Two PEs over TCP of the loopback, with memory that is not mapped; the baseline are the pool's copies.
    #[arg(long, conflicts_with_all = ["pes", "init"])]
    network: bool,
    /// CANN SHMEM's copies on streams, by one PE: the host's time to enqueue one, beside aclrtMemcpyAsync.
    #[arg(long, conflicts_with_all = ["pes", "init", "network", "oshcc"])]
    on_stream: bool,
    /// Another OpenSHMEM: its compiler, which has its oshrun beside it. Those in PATH are found.
    #[arg(long, value_name = "OSHCC")]
    oshcc: Vec<std::path::PathBuf>,
    /// Leave other libraries out.
    #[arg(long)]
    only_own: bool,
    /// Number of repetitions of all measurements; ratios are medians.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Fewer turns.
    #[arg(long)]
    quick: bool,
}

impl Measurement for Args {
    const NAME: &'static str = "shmem";

    fn measure(&self) -> Result<Option<Report>> {
        let peers = if self.only_own || self.network || self.on_stream {
            Vec::new()
        } else {
            peers::find(&self.oshcc)
        };
        let folder = mf_program::output::TemporaryFolder::new("mf-perf-shmem")?;
        let peers: Vec<Peer> = peers.into_iter().filter_map(|peer| peer.compile(folder.path())).collect();
        let mut rows = Vec::new();
        if self.network || self.on_stream {
            let pes = if self.on_stream { 1 } else { 2 };
            let runs = repeat(self, &[], pes, &self.sizes)?;
            rows.extend(row::rows(&[], pes, &runs));
        } else {
            for (pes, sizes) in plan(self) {
                note(&format!("mf perf shmem: {pes} PEs{}", if sizes.is_empty() { ", start" } else { "" }));
                let runs = repeat(self, &peers, pes, sizes)?;
                rows.extend(row::rows(&peers, pes, &runs));
            }
        }
        let plain = match (self.network, self.on_stream) {
            (true, _) => "the pool's copies over the same network",
            (_, true) => "aclrtMemcpyAsync between the same addresses, on the same stream",
            _ => "without a library",
        };
        let mut report = Report::new();
        report.rows(&rows);
        report.paragraph(&row::table(&peers, &rows, plain));
        report.more = json!({ "network": self.network, "on_stream": self.on_stream, "repeat": self.repeat });
        let lines = Lines {
            title: "OpenSHMEM",
            labels: ["GB/s", "times as fast as plain"],
            name: &|point: &Point| Some(point.name.clone()),
            bytes: |point| point.bytes,
            value: |point| point.bytes as f64 / point.seconds / 1e9,
            ratio: |point| point.plain_seconds / point.seconds,
            plain: Plain::First("plain", |point| point.bytes as f64 / point.plain_seconds / 1e9),
        };
        report.picture = Some(lines.picture(&row::points(&rows)));
        Ok(Some(report))
    }
}

/// Numbers of PEs and the sizes that are measured with them; none: only the start.
fn plan(args: &Args) -> impl Iterator<Item = (u32, &[u64])> {
    let starts = args.init.iter().flatten().map(|pes| (*pes, [].as_slice()));
    starts.chain(args.pes.iter().flatten().map(|pes| (*pes, args.sizes.as_slice())))
}

/// Ours and the others, as often as they are asked for.
fn repeat(args: &Args, peers: &[Peer], pes: u32, sizes: &[u64]) -> Result<Vec<Run>> {
    let runs = (0..args.repeat).map(|_| {
        let own = own(args, pes, sizes)?;
        let others = peers.iter().map(|peer| peer.run(pes, sizes, args.quick)).collect();
        Ok(Run { own, others })
    });
    runs.collect()
}

/// One run of ours.
fn own(args: &Args, pes: u32, sizes: &[u64]) -> Result<row::Own> {
    let job = Job::new()?;
    let (sizes, network, on_stream) = (sizes.to_vec(), args.network, args.on_stream);
    let task = Work::Shmem(Task { sizes, network, on_stream, quick: args.quick });
    let world = pes.to_string();
    let heap = heap_bytes(args, pes).to_string();
    let mut members = Vec::new();
    for pe in 0..pes {
        let number = pe.to_string();
        let mut environment = vec![
            ("RANK", number.as_str()),
            ("LOCAL_RANK", number.as_str()),
            ("WORLD_SIZE", world.as_str()),
            ("LOCAL_WORLD_SIZE", world.as_str()),
            ("MF_SHMEM_SYMMETRIC_SIZE", heap.as_str()),
        ];
        if args.network {
            environment.extend([("MF_SHM", "false"), ("MF_NIC", "127.0.0.1"), ("MF_TRANSPORTS", "tcp")]);
        }
        members.push(job.start(&format!("PE {pe}"), &task, &environment)?);
    }
    let measured = collect(&mut members)?;
    // They end together.
    members.iter_mut().for_each(Member::release);
    end_all(members)?;
    Ok(measured)
}

/// Heap size for the members' allocations.
fn heap_bytes(args: &Args, pes: u32) -> u64 {
    let largest = args.sizes.iter().copied().max().unwrap_or(0).max(64);
    2 * u64::from(pes) * largest + (16 << 20)
}

/// Collects the output of all PEs.
fn collect(members: &mut [Member]) -> Result<row::Own> {
    members.iter_mut().try_for_each(|member| member.send("begin"))?;
    let mut own = row::Own::default();
    let mut times = Vec::new();
    loop {
        let mut cases: Vec<Case> = Vec::new();
        let mut is_done = false;
        for member in members.iter_mut() {
            match member.value()? {
                Line::Begun(begin, end) => times.push((begin, end)),
                Line::Case(case) => cases.push(case),
                Line::Done => is_done = true,
            }
        }
        if is_done {
            own.start_seconds = row::start_seconds(&times);
            return Ok(own);
        }
        let Some(first) = cases.first() else { continue };
        let name = (first.operation.clone(), first.bytes);
        let pairs: Vec<Pair> = cases.into_iter().filter_map(|case| case.pair).collect();
        own.cases.push((name, Pair::figures(&pairs)));
    }
}

/// A number of PEs; an empty text: none.
fn parse_pes(text: &str) -> std::result::Result<Option<u32>, String> {
    match text.trim().parse() {
        Ok(pes) if (2..=64).contains(&pes) => Ok(Some(pes)),
        _ if text.trim().is_empty() => Ok(None),
        _ => Err("expected 2 to 64 PEs".to_owned()),
    }
}

fn failed(what: &str) -> Error {
    Error::new(mf_base::Kind::Failed, OPERATION).what(what)
}
