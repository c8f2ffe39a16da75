// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A sheet as text in the form of OpenMetrics 1.0.

use std::fmt::{self, Write};
use std::time::Duration;

use mf_fabric::watch::{BOUNDS, Measured};

use super::sheet::{Sample, Sheet, Value};
use super::table::{Kind, Metric};

/// The media type of the text.
pub(super) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The text; metrics without values are missing.
pub fn text(sheet: &Sheet) -> String {
    let mut text = String::new();
    for (metric, samples) in sheet.metrics() {
        // Writing to a String cannot fail.
        let _ = write_metric(&mut text, metric, &samples);
    }
    text.push_str("# EOF\n");
    text
}

fn write_metric(text: &mut String, metric: Metric, samples: &[Sample]) -> fmt::Result {
    let Metric { name, kind, unit, help, .. } = metric;
    writeln!(text, "# TYPE {name} {}", kind.name())?;
    if !unit.is_empty() {
        writeln!(text, "# UNIT {name} {unit}")?;
    }
    writeln!(text, "# HELP {name} {}", escaped(help))?;
    for Sample { labels, value } in samples {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = labels.join(",");
        match value {
            Value::Number(number) => write_sample(text, metric, &labels, number)?,
            Value::Time(time) => write_sample(text, metric, &labels, &seconds(*time))?,
            Value::Times(times) => write_times(text, name, &labels, times)?,
        }
    }
    Ok(())
}

fn write_sample(text: &mut String, metric: Metric, labels: &str, value: &dyn fmt::Display) -> fmt::Result {
    let behind = match metric.kind {
        Kind::Counter => "_total",
        Kind::Info => "_info",
        Kind::Gauge | Kind::Histogram => "",
    };
    match labels {
        "" => writeln!(text, "{}{behind} {value}", metric.name),
        labels => writeln!(text, "{}{behind}{{{labels}}} {value}", metric.name),
    }
}

fn write_times(text: &mut String, name: &str, labels: &str, times: &Measured) -> fmt::Result {
    let before = if labels.is_empty() { String::new() } else { format!("{labels},") };
    let mut below = 0;
    for (number, count) in times.buckets.iter().enumerate() {
        below += count;
        let end = BOUNDS.get(number).map(|bound| bound_text(*bound));
        let end = end.unwrap_or_else(|| "+Inf".to_owned());
        writeln!(text, "{name}_bucket{{{before}le=\"{end}\"}} {below}")?;
    }
    let braces = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    writeln!(text, "{name}_sum{braces} {}", seconds(Duration::from_nanos(times.nanoseconds)))?;
    writeln!(text, "{name}_count{braces} {below}")
}

fn seconds(time: Duration) -> String {
    format!("{}.{:09}", time.as_secs(), time.subsec_nanos())
}

/// A bound in seconds, as short as it can be written.
fn bound_text(nanoseconds: u64) -> String {
    let text = seconds(Duration::from_nanos(nanoseconds));
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

/// As values of labels and helps are written.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::super::table;
    use super::*;

    #[test]
    fn values_are_written_as_openmetrics_reads_them() {
        let mut sheet = Sheet::default();
        let peer = |peer: &str| vec![("route", "tcp".to_owned()), ("peer", peer.to_owned())];
        sheet.number(table::PUT_BYTES, peer("1"), 5);
        sheet.number(table::PUT_BYTES, peer("1"), 6);
        let mut times = Measured { nanoseconds: 1_500_000_000, ..Measured::default() };
        (times.buckets[0], times.buckets[16]) = (2, 1);
        sheet.add(table::PUT_SECONDS, peer("1"), Value::Times(times));
        sheet.add(table::STORE_REQUEST_SECONDS, vec![], Value::Time(Duration::from_millis(12)));
        sheet.number(table::JOB, vec![("store", "a\"b\\c\nd".to_owned())], 1);
        sheet.number(table::JOB, vec![("store", "a\"b\\c\nd".to_owned())], 1);
        let text = text(&sheet);
        for line in [
            "# TYPE mf_put_bytes counter",
            "# UNIT mf_put_bytes bytes",
            "mf_put_bytes_total{route=\"tcp\",peer=\"1\"} 11",
            "mf_put_duration_seconds_bucket{route=\"tcp\",peer=\"1\",le=\"0.000000062\"} 2",
            "mf_put_duration_seconds_bucket{route=\"tcp\",peer=\"1\",le=\"67.108864\"} 2",
            "mf_put_duration_seconds_bucket{route=\"tcp\",peer=\"1\",le=\"+Inf\"} 3",
            "mf_put_duration_seconds_sum{route=\"tcp\",peer=\"1\"} 1.500000000",
            "mf_put_duration_seconds_count{route=\"tcp\",peer=\"1\"} 3",
            "mf_store_request_seconds_total 0.012000000",
            "mf_job_info{store=\"a\\\"b\\\\c\\nd\"} 1",
        ] {
            assert!(text.lines().any(|one| one == line), "{line} is missing in\n{text}");
        }
        assert!(text.ends_with("\n# EOF\n") && !text.contains("\n\n"), "{text}");
    }
}
