// SPDX-License-Identifier: Apache-2.0 OR MIT
//! With what members on other hosts are reached; `mf explain` shows more.

use serde_json::json;

use super::report::Fact;
use crate::explain::engines;

/// The section of the report.
pub(super) fn summary() -> Vec<Fact> {
    let engines = match engines() {
        Ok(engines) => engines,
        Err(error) => return vec![Fact::text("unusable settings", error.to_string())],
    };
    let transports = engines.rows.iter().filter(|row| !row.engine.is_mapped());
    let mut facts: Vec<Fact> = transports
        .map(|row| match &row.state {
            Ok(text) => {
                Fact::with_text(row.engine.as_str(), json!({ "found": true, "what": text }), text.clone())
            }
            Err(reason) => {
                let value = json!({ "found": false, "reason": reason });
                Fact::with_text(row.engine.as_str(), value, format!("absent: {reason}"))
            }
        })
        .collect();
    let ports: Vec<String> = engines.rdma.iter().map(ToString::to_string).collect();
    let shown = if ports.is_empty() { "none".to_owned() } else { ports.join(", ") };
    facts.push(Fact::with_text("RDMA devices", json!(ports), shown));
    facts
}
