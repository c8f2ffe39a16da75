// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The processes that `mf perf group` starts.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::Duration;

use mf_base::os::memfile::MemFile;
use mf_base::{Error, Kind, Result};
use mf_library::abi::MFX_SESSION;
use mf_library::share_memory::{Job, Share};
use mf_library::store::Store;
use mf_measure::members::{print_value, store_url, wait_for_end};
use mf_measure::turns::{Pair, Plan};
use serde::{Deserialize, Serialize};

use super::baseline::{self, Baseline};

const OPERATION: &str = "mf perf group";
/// Longest wait of members for each other; generous, because the machine is busy.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Work of a rank.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    /// Ranks of the job.
    pub(super) world: u32,
    /// This rank.
    pub(super) rank: u32,
    /// Sizes to measure.
    pub(super) sizes: Vec<u64>,
    pub(super) fresh: bool,
    pub(super) quick: bool,
    /// Report the route of the group instead.
    pub(super) route: bool,
}

/// Does it.
pub(crate) fn main(args: &Task) -> Result<()> {
    let url = store_url()?;
    let job = Job::join(&url, args.world, args.rank, 0, TIMEOUT)?;
    let share = job.create(0, super::super::segment_bytes(1))?;
    share.barrier(TIMEOUT)?;
    if args.route {
        print_value(&route()?)?;
    } else {
        let store = Store::connect(&url, |_| {})?;
        let plain = plain(&share, &store, args)?;
        barriers(&share, &plain, args)?;
        for &bytes in &args.sizes {
            gathers(&share, &plain, args, super::super::length(bytes)?)?;
        }
    }
    wait_for_end();
    Ok(())
}

/// The route of the barrier of this process, from its metrics.
fn route() -> Result<String> {
    let stats = mf_library::stats_json()?;
    let stats: serde_json::Value = serde_json::from_str(&stats)
        .map_err(|error| Error::new(Kind::Failed, OPERATION).what("malformed metrics").source(error))?;
    let samples = stats.pointer("/metrics/mf_wait_duration_seconds/samples");
    let samples = samples.and_then(serde_json::Value::as_array).into_iter().flatten();
    let mut labels = samples.filter_map(|sample| sample.get("labels"));
    let of_barrier = labels.find(|labels| labels.get("call").is_some_and(|call| call == "group barrier"));
    let route = of_barrier.and_then(|labels| labels.get("route")?.as_str());
    Ok(route.unwrap_or("unknown").to_owned())
}

fn os(what: &str, error: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what).source(error)
}

/// Publishes where this process keeps a file.
fn publish(store: &Store, name: &CStr, file: impl AsFd) -> Result<()> {
    let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_fd().as_raw_fd());
    store.set(name, path.as_bytes(), MFX_SESSION)
}

/// Opens what another one published.
fn published(store: &Store, name: &CStr) -> Result<OwnedFd> {
    let path = store.wait(name, TIMEOUT, 4096)?;
    let path = String::from_utf8_lossy(&path).into_owned();
    let file = std::fs::File::options().read(true).write(true).open(path);
    file.map(OwnedFd::from).map_err(|error| os("a file of another member cannot be opened", error))
}

fn plain(share: &Share, store: &Store, args: &Task) -> Result<Baseline> {
    let bytes = args.sizes.iter().copied().max().unwrap_or(0);
    let (file, plain);
    if args.rank == 0 {
        file = baseline::file(args.world, bytes)?;
        plain = Baseline::new(&file, args.world, args.rank)?;
        plain.prepare()?;
        publish(store, c"perf/file", &file)?;
    } else {
        let found = published(store, c"perf/file")?;
        file = MemFile::from_descriptor(found, baseline::length(args.world, bytes), true)?;
        plain = Baseline::new(&file, args.world, args.rank)?;
    }
    // The file is closed when all have it.
    share.barrier(TIMEOUT)?;
    Ok(plain)
}

/// So many calls that a turn takes some tens of milliseconds, also when ranks share cores.
fn plan(args: &Task, bytes: usize) -> Plan {
    let calls = (1 << 16) / (args.world * args.world) / (1 + u32::try_from(bytes >> 13).unwrap_or(u32::MAX));
    Plan { turns: if args.quick { 3 } else { 11 }, calls: calls.max(32) }
}

fn barriers(share: &Share, plain: &Baseline, args: &Task) -> Result<()> {
    let mut own = |calls: u32| (0..calls).try_for_each(|_| share.barrier(TIMEOUT));
    let mut plain = |calls: u32| (0..calls).try_for_each(|_| plain.meet());
    print_value(&Pair::measure(plan(args, 0), &mut own, &mut plain)?)
}

fn gathers(share: &Share, plain: &Baseline, args: &Task, bytes: usize) -> Result<()> {
    let world = args.world as usize;
    let expected = |rank: usize| u8::try_from(rank + 1).unwrap_or(0);
    let own = std::cell::RefCell::new(vec![expected(args.rank as usize); bytes]);
    let all = std::cell::RefCell::new(vec![0; bytes * world]);
    let freshen = |own: &mut [u8], number: u32| {
        if args.fresh {
            let [low, ..] = number.to_le_bytes();
            own.iter_mut().step_by(64).for_each(|byte| *byte = low);
        }
    };
    let mut ours = |calls: u32| {
        let (mut own, mut all) = (own.borrow_mut(), all.borrow_mut());
        (0..calls).try_for_each(|number| {
            freshen(&mut own, number);
            share.allgather(&own, &mut all, TIMEOUT)
        })
    };
    let mut theirs = |calls: u32| {
        let (mut own, mut all) = (own.borrow_mut(), all.borrow_mut());
        (0..calls).try_for_each(|number| {
            freshen(&mut own, number);
            plain.gather(&own, &mut all)
        })
    };
    let pair = Pair::measure(plan(args, bytes), &mut ours, &mut theirs)?;
    let mut all = all.borrow_mut();
    all.fill(0);
    share.allgather(&own.borrow(), &mut all, TIMEOUT)?;
    if !args.fresh {
        let wrong = all
            .chunks(bytes)
            .enumerate()
            .find(|(rank, part)| part.iter().any(|byte| *byte != expected(*rank)));
        if let Some((rank, _)) = wrong {
            return Err(Error::new(Kind::Failed, OPERATION)
                .what("an allgather gave wrong bytes")
                .with("rank", rank));
        }
    }
    print_value(&pair)
}
