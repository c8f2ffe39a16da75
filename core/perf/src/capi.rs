// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Latency of 8-byte copies through the C library, alone in a process that has made no other copies.

use mf_base::{MemKind, Result};
use mf_library::abi::{SMEMB_COPY_G2H, SMEMB_COPY_H2G};
use mf_library::big_memory::{Job, Pool};
use mf_library::library;
use mf_measure::members::{Job as Members, print_value, store_url};
use mf_measure::memory::plain_copy;
use mf_measure::turns::{Plan, in_turns, median};
use mf_program::table::figure;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::pool_member::{self, Joined, What};
use super::segment_bytes;
use super::task::Task;

const SHORT_BYTES: usize = 8;

/// Figures of the C library.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Latency {
    library: String,
    put_seconds: f64,
    get_seconds: f64,
    memcpy_seconds: f64,
}

/// Measures, or says why not.
pub(super) fn latency(quick: bool) -> Result<Latency, String> {
    in_processes(quick).map_err(|error| error.to_string())
}

fn in_processes(quick: bool) -> Result<Latency> {
    let job = Members::new()?;
    let bytes = segment_bytes(SHORT_BYTES as u64);
    let task = |what, rank| pool_member::Task { quick, ..pool_member::Task::new(what, 2, Some(rank), bytes) };
    let mut peer = job.start("peer", &Task::Pool(task(What::Idle, 0)), &[])?;
    peer.value::<Joined>()?;
    let mut caller = job.start("caller of the C library", &Task::Pool(task(What::Capi, 1)), &[])?;
    let latency = caller.value()?;
    caller.end()?;
    peer.end()?;
    Ok(latency)
}

/// In words.
pub(super) fn text(latency: &Result<Latency, String>) -> String {
    let nanoseconds = |seconds: f64| figure(seconds * 1e9);
    match latency {
        Ok(latency) => format!(
            "8-byte copies through the C interface of {}: put {} ns, get {} ns a call; memcpy {} ns\n",
            latency.library,
            nanoseconds(latency.put_seconds),
            nanoseconds(latency.get_seconds),
            nanoseconds(latency.memcpy_seconds)
        ),
        Err(reason) => format!("8-byte copies through the C interface: not measured: {reason}\n"),
    }
}

/// For programs.
pub(super) fn to_json(latency: &Result<Latency, String>) -> Value {
    match latency {
        Ok(latency) => json!(latency),
        Err(reason) => json!({ "not_measured": reason }),
    }
}

/// A pool that this process has joined, and the memory of a peer in it.
pub(super) struct SharedPool {
    pool: Pool,
    /// The contribution of the peer.
    remote: *mut u8,
    _job: Job,
}

impl SharedPool {
    /// Joins a pool of `world` ranks with `bytes` each, over the store of the members, for copies to and from
    /// `peer`.
    ///
    /// # Errors
    /// Errors of the library.
    pub(super) fn join(world: u32, rank: u32, peer: u32, bytes: u64) -> Result<Self> {
        let job = Job::join_as(&store_url()?, world, Some(rank))?;
        let pool = job.create(0, bytes, 0)?;
        pool.join()?;
        let remote = pool.address(MemKind::Host, peer)?;
        Ok(Self { pool, remote, _job: job })
    }

    /// Copies so many times from this process to the peer, or back.
    ///
    /// # Errors
    /// Errors of the library.
    ///
    /// # Safety
    /// The local memory is readable for `bytes`, or writable.
    pub(super) unsafe fn copy(&self, calls: u32, local: *mut u8, bytes: usize, is_put: bool) -> Result<()> {
        let (from, to, copy_type) = match is_put {
            true => (local, self.remote, SMEMB_COPY_H2G),
            false => (self.remote, local, SMEMB_COPY_G2H),
        };
        for _ in 0..calls {
            // SAFETY: passed on to the caller.
            unsafe { self.pool.copy_raw(from, to, bytes, copy_type, 0) }?;
        }
        Ok(())
    }
}

/// In the member: joins through the C interface and measures copies to and from rank 0.
pub(super) fn measure(world: u32, rank: u32, bytes: u64, quick: bool) -> Result<()> {
    let pool = SharedPool::join(world, rank, 0, bytes)?;
    let (mut near, mut other) = ([7u8; 8], [0u8; 8]);
    let near = near.as_mut_ptr();
    // SAFETY: an array of 8 bytes that lives through the calls.
    let mut put = |calls: u32| unsafe { pool.copy(calls, near, SHORT_BYTES, true) };
    // SAFETY: as above.
    let mut get = |calls: u32| unsafe { pool.copy(calls, near, SHORT_BYTES, false) };
    let mut plain = |calls: u32| {
        for _ in 0..calls {
            // SAFETY: both are arrays of 8 bytes on this stack.
            unsafe { plain_copy(near, other.as_mut_ptr(), 8) };
        }
        Ok(())
    };
    let seconds =
        in_turns(Plan::for_bytes(SHORT_BYTES as u64, quick), &mut [&mut put, &mut get, &mut plain])?;
    drop(pool);
    print_value(&Latency {
        library: library()?.file().display().to_string(),
        put_seconds: median(&seconds[0]),
        get_seconds: median(&seconds[1]),
        memcpy_seconds: median(&seconds[2]),
    })
}
