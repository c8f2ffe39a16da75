// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Routes of one member to all members of its pool: a row of the matrix that `mf explain --all` prints.

use mf_base::Rank;
use serde::{Deserialize, Serialize};

use super::Explanation;
use crate::pool::member_record::MemberRecord;

/// The memories of the copies; the first end is in the member that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowQuestion {
    /// True if the own end is device memory.
    pub from_device: bool,
    /// True if the other ends are device memory.
    pub to_device: bool,
}

/// Route to one member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The member.
    pub to: u32,
    /// The engine; `None` if no engine reaches the member.
    pub engine: Option<String>,
    /// The reason of the choice, or the reason that there is no engine.
    pub why: String,
    /// The warning about a requested engine that is not used.
    pub warning: Option<String>,
}

/// The answer: one cell for each member known to the answering member, itself included, in order.
pub type Row = Vec<Cell>;

impl RowQuestion {
    /// Returns the key of the question with this number to `from`.
    pub fn key(pool: u32, from: Rank, number: u64) -> String {
        format!("{}/ask/row/{number}", MemberRecord::key(pool, from))
    }

    /// Returns the key of its answer.
    pub fn answer_key(pool: u32, from: Rank, number: u64) -> String {
        format!(".mf/pool/{pool}/answer/{from}/row/{number}")
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
