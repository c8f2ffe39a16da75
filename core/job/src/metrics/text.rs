// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A sheet as text: in the form of OpenMetrics 1.0, or in the text format of Prometheus, version 0.0.4.

use std::fmt::{self, Write};
use std::time::Duration;

use mf_net::watch::{BOUNDS, Measured};

use super::sheet::{Sample, Sheet, Value};
use super::table::{Metric, MetricKind};

/// The forms of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    OpenMetrics,
    Prometheus,
}

impl Format {
    /// That which a client prefers, by its `Accept`. OpenMetrics where both are as good.
    pub(super) fn preferred(accept: &str) -> Self {
        let ranges: Vec<(&str, f32)> = accept.split(',').filter_map(quality_of).collect();
        // The most specific range counts.
        let quality = |media_type: &str| {
            let (family, _) = media_type.split_once('/').unwrap_or_default();
            let of = |wanted: &str| {
                let same = ranges.iter().filter(|(range, _)| range.eq_ignore_ascii_case(wanted));
                same.map(|(_, quality)| *quality).max_by(f32::total_cmp)
            };
            of(media_type).or_else(|| of(&format!("{family}/*"))).or_else(|| of("*/*")).unwrap_or(0.0)
        };
        let [open, plain] = ["application/openmetrics-text", "text/plain"].map(quality);
        if plain > open { Self::Prometheus } else { Self::OpenMetrics }
    }

    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

/// A media range of `Accept`, and its quality; none where that is no number.
fn quality_of(range: &str) -> Option<(&str, f32)> {
    let mut parts = range.split(';').map(str::trim);
    let name = parts.next()?;
    let quality = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
    Some((name, quality.map_or(Ok(1.0), str::parse).ok()?))
}

/// The text in the form of OpenMetrics; metrics without values are missing.
pub fn text(sheet: &Sheet) -> String {
    text_in(sheet, Format::OpenMetrics)
}

/// The same in one of the forms.
pub(super) fn text_in(sheet: &Sheet, format: Format) -> String {
    let mut text = String::new();
    for (metric, samples) in sheet.metrics() {
        // Writing to a String cannot fail.
        let _ = write_metric(&mut text, metric, &samples, format);
    }
    if format == Format::OpenMetrics {
        text.push_str("# EOF\n");
    }
    text
}

/// Returns the suffix of a metric's name in its samples. Prometheus has it in the name of the metric.
fn suffix(kind: MetricKind) -> &'static str {
    match kind {
        MetricKind::Counter => "_total",
        MetricKind::Info => "_info",
        MetricKind::Gauge | MetricKind::Histogram => "",
    }
}

fn write_head(text: &mut String, metric: Metric, format: Format) -> fmt::Result {
    let Metric { name, kind, unit, help, .. } = metric;
    match format {
        Format::OpenMetrics => {
            writeln!(text, "# TYPE {name} {}", kind.name())?;
            if !unit.is_empty() {
                writeln!(text, "# UNIT {name} {unit}")?;
            }
            writeln!(text, "# HELP {name} {}", escaped(help))
        }
        Format::Prometheus => {
            let (behind, kind) =
                (suffix(kind), if kind == MetricKind::Info { MetricKind::Gauge } else { kind });
            // Quotation marks are not escaped here.
            let help = help.replace('\\', "\\\\").replace('\n', "\\n");
            writeln!(text, "# HELP {name}{behind} {help}")?;
            writeln!(text, "# TYPE {name}{behind} {}", kind.name())
        }
    }
}

fn write_metric(text: &mut String, metric: Metric, samples: &[Sample], format: Format) -> fmt::Result {
    write_head(text, metric, format)?;
    let name = metric.name;
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
    let behind = suffix(metric.kind);
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
    fn values_follow_the_openmetrics_syntax() {
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

    #[test]
    fn prometheus_reads_types_of_samples_by_their_names() {
        let mut sheet = Sheet::default();
        sheet.number(table::PUT_BYTES, vec![("route", "tcp".to_owned()), ("peer", "1".to_owned())], 5);
        sheet.number(table::JOB, vec![("store", "a".to_owned())], 1);
        sheet.number(table::JOB_SIZE, vec![("store", "a".to_owned())], 4);
        let times = Measured { nanoseconds: 1_500_000_000, ..Measured::default() };
        sheet.add(table::PUT_SECONDS, vec![], Value::Times(times));
        let text = text_in(&sheet, Format::Prometheus);
        for line in [
            "# TYPE mf_put_bytes_total counter",
            "mf_put_bytes_total{route=\"tcp\",peer=\"1\"} 5",
            "# TYPE mf_job_info gauge",
            "mf_job_info{store=\"a\"} 1",
            "# TYPE mf_job_size gauge",
            "# TYPE mf_put_duration_seconds histogram",
            "mf_put_duration_seconds_count 0",
        ] {
            assert!(text.lines().any(|one| one == line), "{line} is missing in\n{text}");
        }
        assert!(!text.contains("# EOF") && !text.contains("# UNIT"), "{text}");
        // HELP comes first, and both have the name of the samples.
        let lines: Vec<&str> = text.lines().collect();
        for (help, of_type) in lines.iter().zip(&lines[1..]).filter(|(help, _)| help.starts_with("# HELP")) {
            let name = |line: &str| line.split(' ').nth(2).map(str::to_owned);
            assert!(of_type.starts_with("# TYPE") && name(help) == name(of_type), "{help}\n{of_type}");
        }
    }

    #[test]
    fn client_gets_its_preferred_format() {
        let plain = Format::Prometheus;
        for (accept, format) in [
            ("", Format::OpenMetrics),
            ("*/*", Format::OpenMetrics),
            ("text/plain", plain),
            ("text/plain; version=0.0.4", plain),
            ("Text/Plain;q=0.5, */*;q=0.1", plain),
            ("text/*", plain),
            ("application/openmetrics-text, text/plain", Format::OpenMetrics),
            ("application/openmetrics-text;q=0.2,text/plain;version=0.0.4;q=0.3", plain),
            (
                "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
                Format::OpenMetrics,
            ),
            ("text/plain;q=0, */*", Format::OpenMetrics),
            ("text/plain;q=x", Format::OpenMetrics),
            ("application/json", Format::OpenMetrics),
        ] {
            assert_eq!(Format::preferred(accept), format, "{accept}");
        }
    }
}
