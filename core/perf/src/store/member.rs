// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The processes that `mf perf store` starts: the store with a raw echo beside it, and its clients.

use std::ffi::CStr;
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use mf_library::abi::{MFX_RANK_ANY, MFX_SESSION};
use mf_library::store::{Store, StoreServer};
use mf_measure::members::{print_value, store_url, wait_for_end, wait_for_line};
use mf_measure::turns::{Pair, Plan};
use serde::{Deserialize, Serialize};

use crate::echo::{self, Echo};

const OPERATION: &str = "mf perf store";
/// Longest wait of members for each other; generous, because the machine is busy.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Approximate overhead of a request or reply around its value.
const FRAME_BYTES: usize = 48;
const CROWD_VALUE: [u8; 64] = [7; 64];
/// The key that is read and written.
const KEY: &CStr = c"perf/value";

/// Work of a process of the measurement.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(super) what: What,
    /// Ranks of the job.
    pub(super) world: u32,
    /// Port of the raw echo.
    pub(super) echo_port: Option<u16>,
    pub(super) quick: bool,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum What {
    /// Serves the store.
    Serve,
    Latency,
    Rate,
    Barrier,
    /// Meets all others, as so many members.
    Crowd(u32),
}

/// Report of the store's process.
#[derive(Serialize, Deserialize)]
pub(super) struct Served {
    pub(super) echo_port: u16,
}

/// Does the task.
pub(crate) fn main(task: &Task) -> Result<()> {
    match task.what {
        What::Serve => serve(),
        What::Crowd(members) => crowd(task.world, members),
        What::Latency => client(task, latency),
        What::Rate => client(task, rate),
        What::Barrier => client(task, barrier),
    }
}

fn client(task: &Task, measure: fn(&Store, &Task) -> Result<()>) -> Result<()> {
    let store = join(task.world)?;
    measure(&store, task)?;
    wait_for_end();
    Ok(())
}

fn failed(what: &str, error: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what).source(error)
}

fn join(world_size: u32) -> Result<Store> {
    let timeout_ms = u32::try_from(TIMEOUT.as_millis()).unwrap_or(u32::MAX);
    Store::connect(&store_url()?, |options| {
        (options.world_size, options.wish) = (world_size, MFX_RANK_ANY);
        (options.connect_timeout_ms, options.request_timeout_ms) = (timeout_ms, timeout_ms);
    })
}

fn serve() -> Result<()> {
    let _server = StoreServer::start(&store_url()?)?;
    print_value(&Served { echo_port: echo::serve()? })?;
    wait_for_end();
    Ok(())
}

fn latency(store: &Store, args: &Task) -> Result<()> {
    let port = args.echo_port.ok_or_else(|| Error::invalid(OPERATION, "there is no echo port"))?;
    let mut raw = Echo::connect(port)?;
    let mut request = vec![0; FRAME_BYTES + (64 << 10)];
    let plan = Plan { turns: if args.quick { 5 } else { 15 }, calls: if args.quick { 200 } else { 2000 } };
    let mut all = Vec::new();
    for bytes in [8usize, 1 << 10, 64 << 10] {
        let value = vec![1; bytes];
        store.set(KEY, &value, MFX_SESSION)?;
        let mut read = vec![0; bytes];
        let mut get =
            |calls: u32| (0..calls).try_for_each(|_| store.get(KEY, Duration::ZERO, &mut read).map(drop));
        let mut raw_get = |calls: u32| {
            (0..calls).try_for_each(|_| raw.exchange(&mut request[..FRAME_BYTES], FRAME_BYTES + bytes))
        };
        all.push(("get", bytes, Pair::measure(plan, &mut get, &mut raw_get)?));
        let mut set = |calls: u32| (0..calls).try_for_each(|_| store.set(KEY, &value, MFX_SESSION));
        let mut raw_set = |calls: u32| {
            (0..calls).try_for_each(|_| raw.exchange(&mut request[..FRAME_BYTES + bytes], FRAME_BYTES))
        };
        all.push(("set", bytes, Pair::measure(plan, &mut set, &mut raw_set)?));
    }
    let mut add = |calls: u32| (0..calls).try_for_each(|_| store.add(c"perf/count", 1).map(drop));
    let mut raw_add =
        |calls: u32| (0..calls).try_for_each(|_| raw.exchange(&mut request[..FRAME_BYTES], FRAME_BYTES));
    all.push(("add", 8, Pair::measure(plan, &mut add, &mut raw_add)?));
    print_value(&all)
}

/// Reports how many calls a second this client made while all others did the same.
fn rate(store: &Store, args: &Task) -> Result<()> {
    store.set(KEY, &[1; 8], MFX_SESSION)?;
    store.barrier(c"perf/start", args.world, TIMEOUT)?;
    let length = Duration::from_millis(if args.quick { 500 } else { 2000 });
    let begin = Instant::now();
    let mut calls = 0u32;
    while begin.elapsed() < length {
        for _ in 0..64 {
            store.get(KEY, Duration::ZERO, &mut [0; 8])?;
        }
        calls += 64;
    }
    let per_second = f64::from(calls) / begin.elapsed().as_secs_f64();
    store.barrier(c"perf/end", args.world, TIMEOUT)?;
    print_value(&per_second)
}

/// Reports the seconds of one barrier.
fn barrier(store: &Store, args: &Task) -> Result<()> {
    let meet = || store.barrier(c"perf/barrier", args.world, TIMEOUT);
    for _ in 0..100 {
        meet()?;
    }
    let times = if args.quick { 300 } else { 3000 };
    let begin = Instant::now();
    for _ in 0..times {
        meet()?;
    }
    print_value(&(begin.elapsed().as_secs_f64() / f64::from(times)))
}

/// So many members in this process, one thread each; reports how many met the others.
fn crowd(world_size: u32, members: u32) -> Result<()> {
    print_value(&true)?;
    wait_for_line();
    let threads: Vec<_> = (0..members)
        .map(|_| std::thread::Builder::new().stack_size(256 << 10).spawn(move || meet(world_size)))
        .collect();
    // Members stay until the end: leaving is not measured.
    let mut stores = Vec::new();
    for thread in threads {
        let thread = thread.map_err(|error| failed("a thread cannot be started", error))?;
        stores.push(
            thread.join().map_err(|_| Error::new(Kind::Failed, OPERATION).what("a member panicked"))??,
        );
    }
    print_value(&stores.len())?;
    wait_for_end();
    Ok(())
}

fn meet(world_size: u32) -> Result<Store> {
    let store = join(world_size)?;
    store.barrier(c"perf/crowd", world_size, TIMEOUT)?;
    let parts = store.allgather(c"perf/parts", world_size, &CROWD_VALUE, TIMEOUT)?;
    if parts.len() != world_size as usize {
        return Err(Error::new(Kind::Failed, OPERATION)
            .what("an allgather gave too few parts")
            .with("parts", parts.len())
            .with("world_size", world_size));
    }
    Ok(store)
}
