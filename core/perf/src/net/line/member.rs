// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The processes at the ends of a line: an owner of memory that serves the baselines, a caller that measures
//! against it, and members that only join.

use std::ffi::CStr;
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_library::abi::MFX_PERMANENT;
use mf_library::big_memory::{Job, Pool};
use mf_library::share_memory;
use mf_library::store::Store;
use mf_measure::members::{print_value, store_url, wait_for_end, wait_for_line};
use mf_measure::turns::monotonic_seconds;
use serde::{Deserialize, Serialize};

use super::super::super::segment_bytes;
use super::super::failed;
use super::super::raw::{Card, Client, Server};
use super::caller::Caller;
use super::ends::address;
use super::row::Figures;

/// Longest wait of members for each other.
const TIMEOUT: Duration = Duration::from_secs(300);
const CARD: &CStr = c"perf/line/raw";
/// Most bytes of the card.
const CARD_BYTES_MAX: usize = 64 << 10;
/// Contribution of a member that only joins.
const JOIN_BYTES: u64 = 2 << 20;

/// Work of a process.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Owns the memory and serves the baselines.
    Own(Calls),
    /// Measures.
    Call(Calls),
    /// Joins a job of so many members as this rank when it gets a line of input.
    Join { members: u32, rank: u32 },
}

/// Calls to measure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Calls {
    /// Sizes of puts and gets.
    pub(super) sizes: Vec<u64>,
    pub(super) quick: bool,
}

/// Line from the caller to its parent.
#[derive(Serialize, Deserialize)]
pub(super) enum Answer {
    Figures(Figures),
    Done,
}

/// Times of a member's join, in seconds of the machine's clock.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Joined {
    /// Before the first call.
    pub(super) begun: f64,
    /// It is a member of the job.
    pub(super) member: f64,
    /// Its part of the pool exists.
    pub(super) created: f64,
    /// All members reach it.
    pub(super) joined: f64,
}

/// Does the task.
pub(crate) fn main(task: &Task) -> Result<()> {
    match task {
        Task::Own(calls) => own(calls),
        Task::Call(calls) => call(calls),
        Task::Join { members, rank } => join(*members, *rank),
    }
}

/// The objects of both ends.
struct Ends {
    job: Job,
    pool: Pool,
    // Before its job: dropped first.
    share: share_memory::Share,
    _shares: share_memory::Job,
}

impl Ends {
    fn join(rank: u32, calls: &Calls) -> Result<Self> {
        super::super::session::use_one_arena();
        let url = store_url()?;
        let job = Job::join_as(&url, 2, Some(rank))?;
        let largest = calls.sizes.iter().copied().max().unwrap_or(0);
        let pool = job.create(0, segment_bytes(largest), 0)?;
        pool.join()?;
        let shares = share_memory::Job::join(&url, 2, rank, 0, TIMEOUT)?;
        let share = shares.create(1, segment_bytes(1))?;
        Ok(Self { job, pool, share, _shares: shares })
    }

    fn end(&self) -> Result<()> {
        self.job.store().barrier(c"perf/line/end", 2, TIMEOUT)
    }
}

/// Number of barriers of each kind.
pub(super) fn barriers(quick: bool) -> u32 {
    if quick { 2 } else { 10 }
}

/// So many barriers of the group, and of the store; returns the seconds of one of each.
fn meet(share: &share_memory::Share, store: &Store, quick: bool) -> Result<[f64; 2]> {
    let count = barriers(quick);
    let each = |meet: &dyn Fn() -> Result<()>| {
        // The first one opens connections.
        meet()?;
        let start = Instant::now();
        (0..count).try_for_each(|_| meet())?;
        Ok(start.elapsed().as_secs_f64() / f64::from(count))
    };
    Ok([each(&|| share.barrier(TIMEOUT))?, each(&|| store.barrier(c"perf/line/barrier", 2, TIMEOUT))?])
}

fn own(calls: &Calls) -> Result<()> {
    let ends = Ends::join(0, calls)?;
    let server = Server::start(&address(0).to_string())?;
    let card = serde_json::to_vec(&server.card).map_err(|error| failed("no card").source(error))?;
    ends.job.store().set(CARD, &card, MFX_PERMANENT)?;
    meet(&ends.share, &ends.job.store(), calls.quick)?;
    ends.end()?;
    wait_for_end();
    Ok(())
}

fn call(calls: &Calls) -> Result<()> {
    let ends = Ends::join(1, calls)?;
    let store = ends.job.store();
    let card = store.wait(CARD, TIMEOUT, CARD_BYTES_MAX)?;
    let card: Card = serde_json::from_slice(&card).map_err(|error| failed("malformed card").source(error))?;
    let mut tools = Client::connect(&card)?;
    let mut caller = Caller::new(&ends.pool, &store, &mut tools, calls)?;
    let mut report = |figures| print_value(&Answer::Figures(figures));
    caller.run(&mut report)?;
    let [group, of_store] = meet(&ends.share, &store, calls.quick)?;
    report(caller.alone("barrier of the group", group))?;
    report(caller.alone("barrier of the store", of_store))?;
    print_value(&Answer::Done)?;
    ends.end()?;
    wait_for_end();
    Ok(())
}

fn join(members: u32, rank: u32) -> Result<()> {
    let url = store_url()?;
    print_value(&true)?;
    wait_for_line();
    let begun = monotonic_seconds();
    let job = Job::join_as(&url, members, Some(rank))?;
    let member = monotonic_seconds();
    let pool = job.create(0, JOIN_BYTES, 0)?;
    let created = monotonic_seconds();
    pool.join()?;
    print_value(&Joined { begun, member, created, joined: monotonic_seconds() })?;
    wait_for_end();
    Ok(())
}
