// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How one member reaches all members of its pool: a row of the matrix that `mf explain --all` shows.

use mf_base::{Rank, Result};
use serde::{Deserialize, Serialize};

use super::{Explanation, Question};
use crate::pool::Pool;
use crate::pool::record::Record;

/// Between which memories; the first is that of the member that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowQuestion {
    /// Whether the own end is device memory.
    pub from_device: bool,
    /// Whether the other ends are device memory.
    pub to_device: bool,
}

/// What copies to one member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The member.
    pub to: u32,
    /// The engine; none: nothing reaches it.
    pub engine: Option<String>,
    /// Why: of the engine that was chosen, or why there is none.
    pub why: String,
    /// The warning about what was asked for and is not used.
    pub warning: Option<String>,
}

/// The answer: the members that the member that was asked knows, itself included, in order.
pub type Row = Vec<Cell>;

impl RowQuestion {
    /// Where a question with this number is put to `from`.
    pub fn key(pool: u32, from: Rank, number: u64) -> String {
        format!("{}/ask/row/{number}", Record::key(pool, from))
    }

    /// Where its answer will be.
    pub fn answer_key(pool: u32, from: Rank, number: u64) -> String {
        format!(".mf/pool/{pool}/answer/{from}/row/{number}")
    }
}

impl Pool {
    /// Which engine copies between this member's memory and that of each member of the pool; opens no
    /// connection. Up to one round trip to the store for each member.
    ///
    /// # Errors
    /// Settings that are unusable.
    pub fn explain_row(&self, question: RowQuestion) -> Result<Row> {
        let towards = |to: Rank| {
            let RowQuestion { from_device, to_device } = question;
            self.explain_route(Question { to: to.0, from_device, to_device })
                .map(|explanation| Cell::new(to, explanation))
        };
        self.members().into_iter().map(towards).collect()
    }
}

impl Cell {
    /// The short form of an explanation.
    pub fn new(to: Rank, explanation: Explanation) -> Self {
        let chosen = explanation.engines.into_iter().find(|engine| engine.is_chosen);
        let (engine, why) = match (explanation.error, chosen) {
            (None, Some(chosen)) => (Some(chosen.engine), chosen.text),
            (error, _) => (None, error.unwrap_or_else(|| "no engine was chosen".to_owned())),
        };
        Self { to: to.0, engine, why, warning: explanation.warning }
    }
}
