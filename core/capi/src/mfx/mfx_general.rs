// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_*`: version, settings, counts of calls, copies and transports, for the Python package and tests.

use std::ffi::c_char;

use mf_base::settings::{launcher_environment, loaded};
use mf_base::{ByteLen, Error, Result};
use mf_bootstrap::{Bootstrap, POD_WAIT};
use mf_fabric::pool::{PoolCopies, copied, copied_by_pools};
use mf_net::decorators::metrics::{Figures, Snapshot, snapshots};

use crate::boundary::text;
use crate::calls;
use crate::copies_json::copies_json;
use crate::last_error::c_text;
use crate::returned_text::hand_out;

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
    let counts = calls::all().map(|(symbol, calls, errors)| {
        (symbol.name.to_string(), serde_json::json!({ "calls": calls, "errors": errors }))
    });
    Ok(hand_out(c_text(&serde_json::Value::from_iter(counts).to_string())))
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
        let variables = serde_json::from_str(text).map_err(|error| {
            Error::invalid(op, "the variables are not a JSON object of texts").source(error)
        })?;
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
