// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures without a baseline, and all figures as text.

use mf_program::table::{Table, figure};
use serde::{Deserialize, Serialize};

use crate::compared::{self, Row};

/// Something that has no baseline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Cost {
    pub(super) what: String,
    pub(super) value: f64,
    pub(super) unit: String,
}

/// Both as tables.
pub(super) fn text(rows: &[Row], costs: &[Cost]) -> String {
    let mut text = compared::table("memory there", rows);
    if !costs.is_empty() {
        let mut table = Table::new(1, &["what", "value", "unit"]);
        for cost in costs {
            table.row(vec![cost.what.clone(), figure(cost.value), cost.unit.clone()]);
        }
        text += "\n";
        text += &table.render();
    }
    text
}
