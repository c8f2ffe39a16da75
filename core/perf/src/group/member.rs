// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The processes that `mf perf group` starts.

use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

use mf_base::os::memfile::MemFile;
use mf_base::{Error, Kind, Rank, Result};
use mf_smem::bm::{Config, Context, Group, PoolOptions};
use mf_store::{Lifetime, Store};
use serde::{Deserialize, Serialize};

use super::super::measure::{Pair, Plan};
use super::baseline::{self, Baseline};
use crate::members::{print_value, store_url, wait_for_end};

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
}

/// Does it.
pub(crate) fn main(args: &Task) -> Result<()> {
    let ctx = Context::init(Config::new(store_url()?, args.world).auto_rank(false).rank(Rank(args.rank)))?;
    let store = ctx.store()?;
    let pool = ctx.create(PoolOptions::new(0).host(super::super::segment_bytes(1)))?;
    pool.join()?;
    ctx.barrier("perf/joined", args.world)?;
    let members: Vec<Rank> = (0..args.world).map(Rank).collect();
    let group = pool.group(&members, Instant::now() + TIMEOUT)?;
    let plain = plain(&**store, args)?;
    barriers(&group, &plain, args)?;
    for &bytes in &args.sizes {
        gathers(&group, &plain, args, super::super::length(bytes)?)?;
    }
    wait_for_end();
    drop(group);
    ctx.shutdown();
    Ok(())
}

fn os(what: &str, error: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what).source(error)
}

/// Publishes where this process keeps a file.
fn publish(store: &dyn Store, name: &str, file: impl AsFd) -> Result<()> {
    let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_fd().as_raw_fd());
    store.set(&format!("perf/{name}"), path.as_bytes(), Lifetime::Session).map(drop)
}

/// Opens what another one published.
fn published(store: &dyn Store, name: &str) -> Result<OwnedFd> {
    let entry = store.wait(&format!("perf/{name}"), Instant::now() + TIMEOUT)?;
    let path = String::from_utf8_lossy(&entry.value).into_owned();
    let file = std::fs::File::options().read(true).write(true).open(path);
    file.map(OwnedFd::from).map_err(|error| os("a file of another member cannot be opened", error))
}

fn plain(store: &dyn Store, args: &Task) -> Result<Baseline> {
    let bytes = args.sizes.iter().copied().max().unwrap_or(0);
    let (file, plain);
    if args.rank == 0 {
        file = baseline::file(args.world, bytes)?;
        plain = Baseline::new(&file, args.world, args.rank)?;
        plain.prepare()?;
        publish(store, "plain", &file)?;
    } else {
        file =
            MemFile::from_descriptor(published(store, "plain")?, baseline::length(args.world, bytes), true)?;
        plain = Baseline::new(&file, args.world, args.rank)?;
    }
    // The file is closed when all have it.
    store.barrier("perf/plain", args.world, Instant::now() + TIMEOUT)?;
    Ok(plain)
}

/// So many calls that a turn takes some tens of milliseconds, also when ranks share cores.
fn plan(args: &Task, bytes: usize) -> Plan {
    let calls = (1 << 16) / (args.world * args.world) / (1 + u32::try_from(bytes >> 13).unwrap_or(u32::MAX));
    Plan { turns: if args.quick { 3 } else { 11 }, calls: calls.max(32) }
}

fn report(group: &Group, pair: Pair) -> Result<()> {
    print_value(&(pair, group.route()))
}

fn barriers(group: &Group, plain: &Baseline, args: &Task) -> Result<()> {
    let mut own = |calls: u32| {
        let deadline = Instant::now() + TIMEOUT;
        (0..calls).try_for_each(|_| group.barrier(deadline))
    };
    let mut plain = |calls: u32| (0..calls).try_for_each(|_| plain.meet());
    report(group, Pair::measure(plan(args, 0), &mut own, &mut plain)?)
}

fn gathers(group: &Group, plain: &Baseline, args: &Task, bytes: usize) -> Result<()> {
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
        let deadline = Instant::now() + TIMEOUT;
        (0..calls).try_for_each(|number| {
            freshen(&mut own, number);
            group.allgather(&own, &mut all, deadline)
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
    group.allgather(&own.borrow(), &mut all, Instant::now() + TIMEOUT)?;
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
    report(group, pair)
}
