// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Session of the two ranks: they meet, rank 0 lends its memory and sleeps, rank 1 measures.

use std::ffi::CStr;
use std::time::Duration;

use mf_base::settings::{Switch, settings};
use mf_base::{Error, Result};
use mf_bootstrap::StoreUrl;
use mf_library::abi::MFX_PERMANENT;
use mf_library::big_memory::{Job, Pool};
use mf_measure::members::{print_value, wait_for_end};

use super::super::segment_bytes;
use super::measure::{SHORT_BYTES, Session};
use super::raw::{Card, Client, Server};
use super::row::{Line, Row, Setup};
use super::{Args, OPERATION, busy, failed};

/// Longest wait of the two for each other.
const TIMEOUT: Duration = Duration::from_secs(4 * 3600);
const CARD: &CStr = c"perf/net/raw";
/// Most bytes of the card.
const CARD_BYTES_MAX: usize = 64 << 10;

/// Takes part as `rank`; rank 1 hands each line to `report`.
pub(super) fn run(
    args: &Args,
    url: &str,
    rank: u32,
    report: &mut dyn FnMut(Row) -> Result<()>,
) -> Result<()> {
    if args.pin {
        busy::share_out(rank)?;
    }
    use_one_arena();
    let job = Job::join_as(url, 2, Some(rank))?;
    let pool = if args.only_raw { None } else { Some(join(&job, args)?) };
    let store = job.store();
    // Lives until the end: it serves rank 1.
    let mut _server = None;
    if rank == 0 {
        let host = args.host.clone().map_or_else(|| host_of(url), Ok)?;
        let server = _server.insert(Server::start(&host)?);
        let card = serde_json::to_vec(&server.card).map_err(|error| failed("no card").source(error))?;
        store.set(CARD, &card, MFX_PERMANENT)?;
    } else {
        let card = store.wait(CARD, TIMEOUT, CARD_BYTES_MAX)?;
        let card: Card = serde_json::from_slice(&card)
            .map_err(|error| failed("rank 0 is another version of this program").source(error))?;
        let mut tools = Client::connect(&card)?;
        Session::new(args, pool.as_ref(), setup(&card)?)?.run(&mut tools, report)?;
    }
    store.barrier(c"perf/net/end", 2, TIMEOUT)?;
    if args.lines {
        if rank == 1 {
            print_value(&Line::Done)?;
        }
        wait_for_end();
    }
    Ok(())
}

/// Lets all threads allocate from one arena, before there are any. In arenas of their own glibc gives memory
/// back at nearly every turn and faults it in again, which costs a rustls that decrypts on another thread
/// than the first half its speed: a baseline should not suffer from that.
pub(super) fn use_one_arena() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it changes a number in the allocator, which any thread may do at any time.
    let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

fn join(job: &Job, args: &Args) -> Result<Pool> {
    let largest = args.sizes.iter().copied().max().unwrap_or(0).max(2 * SHORT_BYTES);
    let pool = job.create(0, segment_bytes(largest), 0)?;
    pool.join()?;
    Ok(pool)
}

fn host_of(url: &str) -> Result<String> {
    StoreUrl::parse(url)?.connect_addresses().first().map(|address| address.ip().to_string()).ok_or_else(
        || Error::invalid(OPERATION, "the store's URL names no host").with("url", url).hint("give --host"),
    )
}

/// The settings that the pool follows in this process.
fn setup(card: &Card) -> Result<Setup> {
    let settings = settings()?;
    let tls = match settings.net_tls {
        Switch::On => true,
        Switch::Off => false,
        Switch::Auto => !card.is_loopback(),
    };
    Ok(Setup { tls, connections: settings.net_connections })
}
