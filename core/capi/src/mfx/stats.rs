// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What this process counts, for programs: the metrics as text and as JSON, and the figures of one pool.

use std::ffi::c_char;

use mf_abi::smem::BmHandle;
use mf_base::{Kind, MemKind, Result};
use mf_fabric::pool::{copied_by_pools, segments};
use mf_fabric::space::Presence;
use mf_fabric::watch::BOUNDS;
use mf_job::metrics::table::{CALL_ERRORS, CALLS as CALLS_MADE};
use mf_job::metrics::{Sheet, Value, add_source, address, sheet, text};
use serde_json::{Map, json};

use crate::exports::CALLS;
use crate::last_error::c_text;
use crate::mfx::mfx_general::{copies_json, hand_out};
use crate::shmem::{cann, openshmem};
use crate::smem::bm::pools::pool;

/// Adds calls of this library to what is shown of the process.
pub(crate) fn prepare() {
    add_source(calls);
}

fn calls(sheet: &mut Sheet) {
    for (symbol, calls, errors) in CALLS.counts().chain(openshmem::calls()).chain(cann::calls()) {
        let labels = || vec![("function", symbol.name.to_string())];
        sheet.number(CALLS_MADE, labels(), calls);
        sheet.number(CALL_ERRORS, labels(), errors);
    }
}

pub(crate) fn mfx_metrics_text(_op: &'static str) -> Result<*const c_char> {
    Ok(hand_out(c_text(&text(&sheet()))))
}

pub(crate) fn mfx_stats_json(_op: &'static str) -> Result<*const c_char> {
    let metrics: Map<String, serde_json::Value> = sheet()
        .metrics()
        .map(|(metric, samples)| {
            let samples = samples.into_iter().map(|sample| {
                let labels: Map<_, _> =
                    sample.labels.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
                json!({ "labels": labels, "value": value_json(&sample.value) })
            });
            let samples: Vec<_> = samples.collect();
            let metric_json = json!({
                "kind": metric.kind.name(), "unit": metric.unit, "help": metric.help, "samples": samples,
            });
            (metric.name.to_owned(), metric_json)
        })
        .collect();
    let url = address().map(|address| format!("http://{address}/metrics"));
    Ok(hand_out(c_text(&json!({ "url": url, "metrics": metrics }).to_string())))
}

fn value_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Number(number) => json!(number),
        Value::Time(time) => json!(time.as_secs_f64()),
        Value::Times(times) => {
            let seconds = |nanoseconds: u64| std::time::Duration::from_nanos(nanoseconds).as_secs_f64();
            let ends = BOUNDS.iter().map(|bound| json!(seconds(*bound))).chain([json!(null)]);
            let buckets: Vec<_> = ends.zip(times.buckets).collect();
            json!({ "count": times.count(), "sum": seconds(times.nanoseconds), "buckets": buckets })
        }
    }
}

pub(crate) fn mfx_bm_stats_json(op: &'static str, handle: BmHandle) -> Result<*const c_char> {
    let pool = pool(op, handle, Kind::InvalidParam)?;
    let is_own = |number: u32, rank| number == pool.id() && rank == pool.rank();
    let copies = copied_by_pools().into_iter().find(|copies| is_own(copies.pool, copies.rank));
    let mut all = copies_json(copies.into_iter().flat_map(|copies| copies.rows));
    all["pool"] = pool.id().into();
    all["rank"] = pool.rank().0.into();
    let segments = segments().into_iter().find(|segments| is_own(segments.pool, segments.own));
    all["world_size"] = segments.as_ref().map(|segments| segments.world).into();
    let members = segments.iter().flat_map(|segments| &segments.members).map(|(rank, presence, bytes)| {
        let presence = match presence {
            Presence::Joined => "joined",
            Presence::Left => "left",
            Presence::Dead => "dead",
            Presence::Absent => "absent",
        };
        let [host, device] = [MemKind::Host, MemKind::Device].map(|kind| bytes[kind.index()]);
        json!({ "rank": rank.0, "presence": presence, "host_bytes": host, "device_bytes": device })
    });
    all["members"] = members.collect();
    Ok(hand_out(c_text(&all.to_string())))
}
