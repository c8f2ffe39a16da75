// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Metrics of the process as text and as JSON.

use std::ffi::c_char;

use mf_base::Result;
use mf_job::metrics::{Value, address, sheet, text};
use mf_net::watch::BOUNDS;
use serde_json::{Map, json};

use crate::last_error::c_text;
use crate::returned_text::hand_out;

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
