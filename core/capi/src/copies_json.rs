// SPDX-License-Identifier: Apache-2.0 OR MIT
//! JSON of the copies between mapped memory.

use mf_fabric::pool::{Copied, Direction};

/// Returns counts of copies by kind and direction.
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
