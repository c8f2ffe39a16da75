// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_*`: what the Python package and tests need beyond the interface for C programs.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::time::{Duration, Instant};

use mf_abi::smem::BmHandle;
use mf_base::settings::{launcher_environment, loaded};
use mf_base::{ByteLen, Error, Kind, Result};
use mf_fabric::pool::{Copied, Direction, PoolCopies, copied, copied_by_pools};
use mf_fabric::transport::metrics::{Figures, Snapshot, snapshots};
use mf_fabric::watch::waits;
use mf_store::Bootstrap;
use mf_store::bootstrap::POD_WAIT;

use crate::boundary::{present, text};
use crate::exports::CALLS;
use crate::last_error::c_text;
use crate::process::PROCESS;
use crate::shmem::{cann, openshmem};
use crate::smem::bm::pools::{pool, window};

/// How members meet in barriers of a pool.
const BY_STORE: &str = "store";

thread_local! {
    static TEXT: RefCell<CString> = RefCell::default();
}

pub(crate) fn mfx_version(_op: &'static str) -> Result<*const c_char> {
    Ok(concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast())
}

pub(crate) fn mfx_settings_json(_op: &'static str) -> Result<*const c_char> {
    let rows = loaded()?.shown.iter().map(|row| {
        serde_json::json!({
            "name": row.key.name,
            "value": row.value,
            "default": row.key.default,
            "origin": row.origin.to_string(),
            "doc": row.key.doc,
        })
    });
    Ok(hand_out(c_text(&serde_json::Value::from_iter(rows).to_string())))
}

pub(crate) fn mfx_calls_json(_op: &'static str) -> Result<*const c_char> {
    let counts =
        CALLS.counts().chain(openshmem::calls()).chain(cann::calls()).map(|(symbol, calls, errors)| {
            (symbol.name.to_string(), serde_json::json!({ "calls": calls, "errors": errors }))
        });
    Ok(hand_out(c_text(&serde_json::Value::from_iter(counts).to_string())))
}

/// Counts of copies by kind and direction.
pub(crate) fn copies_json(rows: impl IntoIterator<Item = Copied>) -> serde_json::Value {
    let mut all = serde_json::json!({});
    for row in rows {
        let direction = match row.direction {
            Direction::Put => "put",
            Direction::Get => "get",
            Direction::Between => "between",
        };
        all[row.kind.to_string()][direction] =
            serde_json::json!({ "copies": row.copies, "bytes": row.bytes });
    }
    all
}

pub(crate) fn mfx_copies_json(_op: &'static str) -> Result<*const c_char> {
    let mut all = copies_json(copied());
    let pool = |copies: PoolCopies| {
        let mut pool = copies_json(copies.rows);
        pool["pool"] = copies.pool.into();
        pool["rank"] = copies.rank.0.into();
        pool
    };
    all["pools"] = copied_by_pools().into_iter().map(pool).collect();
    Ok(hand_out(c_text(&all.to_string())))
}

/// Counts of a transport by kind of operation.
fn figures_json(figures: &Figures) -> serde_json::Value {
    let rows = figures.0.iter().map(|(kind, count)| {
        let counts = serde_json::json!({
            "operations": count.operations,
            "bytes": count.bytes,
            "errors": count.errors,
            "nanoseconds": count.nanoseconds,
            "below_us": count.buckets,
        });
        (kind.name().to_owned(), counts)
    });
    rows.collect::<serde_json::Map<_, _>>().into()
}

pub(crate) fn mfx_network_json(_op: &'static str) -> Result<*const c_char> {
    let transport = |snapshot: Snapshot| {
        let peers = snapshot.peers.iter().map(|(peer, figures)| {
            serde_json::json!({ "job": peer.job.0, "rank": peer.rank, "operations": figures_json(figures) })
        });
        serde_json::json!({
            "transport": snapshot.transport,
            "operations": figures_json(&snapshot.total),
            "peers": peers.collect::<Vec<_>>(),
        })
    };
    let all: serde_json::Value = snapshots().into_iter().map(transport).collect();
    Ok(hand_out(c_text(&all.to_string())))
}

pub(crate) unsafe fn mfx_launcher_json(op: &'static str, variables: *const c_char) -> Result<*const c_char> {
    let place = if variables.is_null() {
        Bootstrap::from_launcher(&launcher_environment())
    } else {
        // SAFETY: the caller passes a C string.
        let text = unsafe { text(op, "the variables", variables) }?;
        let variables = serde_json::from_str(text)
            .map_err(|error| Error::invalid(op, "the variables are no JSON object of texts").source(error))?;
        Bootstrap::seen(&variables, POD_WAIT)
    };
    let place = place?.map(|place| {
        serde_json::json!({
            op: format!("{:?}", place.launcher),
            "rank": place.rank.map(|rank| rank.0),
            "world_size": place.world_size,
            "local_rank": place.local_rank,
            "local_size": place.local_size,
            "store_url": place.store,
            "is_handed_on": place.hand_on.is_some(),
            "place": place.place_text(),
            "store": place.store_text(),
        })
    });
    Ok(hand_out(c_text(&serde_json::json!(place).to_string())))
}

pub(crate) unsafe fn mfx_bytes_parse(op: &'static str, words: *const c_char, bytes: *mut u64) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let words = unsafe { text(op, "the text", words) }?;
    let parsed: ByteLen = words.parse()?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { bytes.write(parsed.0) };
    Ok(())
}

/// Keeps a text for the caller until the thread's next.
pub(crate) fn hand_out(text: CString) -> *const c_char {
    TEXT.with(|slot| {
        *slot.borrow_mut() = text;
        slot.borrow().as_ptr()
    })
}

pub(crate) unsafe fn mfx_bm_map(
    op: &'static str,
    handle: BmHandle,
    mem_type: u32,
    address: *mut *mut c_void,
    bytes: *mut u64,
) -> Result<()> {
    let (base, length) = pool(op, handle, Kind::InvalidParam)?.map_own(window(op, mem_type)?)?.into_raw();
    // SAFETY: not null; the caller passes room for a pointer.
    unsafe { address.write(base.cast()) };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { bytes.write(length as u64) };
    Ok(())
}

pub(crate) fn mfx_bm_world_size(op: &'static str) -> Result<u32> {
    Ok(PROCESS.big_memory.context(op)?.world_size())
}

pub(crate) fn mfx_bm_device(op: &'static str) -> Result<*const c_char> {
    let name = PROCESS.big_memory.context(op)?.devices().accelerator().map_or("host", |device| device.name());
    Ok(hand_out(c_text(name)))
}

pub(crate) unsafe fn mfx_bm_members(
    op: &'static str,
    handle: BmHandle,
    ranks: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> Result<()> {
    let members = pool(op, handle, Kind::InvalidParam)?.members();
    let needed = u32::try_from(members.len()).unwrap_or(u32::MAX);
    // SAFETY: not null; the caller passes room for a number.
    unsafe { count.write(needed) };
    if capacity > 0 {
        present(op, "the array", ranks)?;
    }
    if needed > capacity {
        return Err(Error::new(Kind::BufferTooSmall, op).with("needed", needed).with("capacity", capacity));
    }
    for (index, rank) in members.into_iter().enumerate() {
        // SAFETY: `index` is below `capacity`, the number of elements that the caller has room for.
        let slot = unsafe { ranks.add(index) };
        // SAFETY: as above.
        unsafe { slot.write(rank.0) };
    }
    Ok(())
}

pub(crate) unsafe fn mfx_bm_barrier(
    op: &'static str,
    name: *const c_char,
    members: u32,
    timeout_s: u32,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let name = unsafe { text(op, "the name", name) }?;
    let context = PROCESS.big_memory.context(op)?;
    if timeout_s == 0 {
        return Err(Error::invalid(op, "the timeout is 0"));
    }
    let members = if members == 0 { context.world_size() } else { members };
    let deadline = Instant::now() + Duration::from_secs(u64::from(timeout_s));
    let _waiting = waits::begin(op, BY_STORE);
    context.store()?.barrier(name, members, deadline).inspect_err(|_| waits::failed(op, BY_STORE))
}
