// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The list in `docs/metrics.md` is written from the table in the code. This test compares it; with
//! `MF_TEST_REGENERATE=1` it writes it (`scripts/regen_docs`).

#![expect(clippy::unwrap_used, reason = "a test; helpers outside of test functions may fail it, too")]

use std::fmt::Write as _;
use std::path::PathBuf;

use mf_job::metrics::table::{MetricKind, TABLE};

const BEGIN: &str = "<!-- from core/job/src/metrics/table.rs, by scripts/regen_docs -->\n";
const END: &str = "<!-- end of the list -->\n";

fn list() -> String {
    let mut list = String::from("| metric | kind | labels | meaning |\n|---|---|---|---|\n");
    for metric in TABLE {
        let behind = match metric.kind {
            MetricKind::Counter => "_total",
            MetricKind::Info => "_info",
            MetricKind::Gauge | MetricKind::Histogram => "",
        };
        let labels = if metric.labels.is_empty() { "-".to_owned() } else { metric.labels.join(", ") };
        writeln!(list, "| `{}{behind}` | {} | {labels} | {} |", metric.name, metric.kind.name(), metric.help)
            .unwrap();
    }
    list
}

#[test]
fn the_list_of_metrics_is_current() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}{}{END}{after}", list());
    if std::env::var_os("MF_TEST_REGENERATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let present = std::fs::read_to_string(&path).unwrap();
    assert!(present == expected, "docs/metrics.md is out of date: run scripts/regen_docs");
}
