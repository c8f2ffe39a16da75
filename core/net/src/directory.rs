// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Directory of a job: its members publish their cards there and look up the cards of others.

use mf_base::{Rank, Result};

/// Membership of this process in the job of a directory.
#[derive(Clone, Copy)]
pub struct Membership {
    /// Its rank.
    pub rank: Rank,
    /// Number of its session.
    pub session: u64,
    /// The token of the job, a secret that its members share.
    pub token: [u8; 32],
}

/// Directory of the cards of a job's processes, by their sessions. Cards are opaque bytes.
pub trait Directory: Send + Sync {
    /// Returns the membership of this process.
    fn membership(&self) -> Membership;

    /// Publishes the card of this process, as long as its session lives. Replaces an earlier one.
    ///
    /// # Errors
    /// Errors of the directory.
    fn publish(&self, card: &[u8]) -> Result<()>;

    /// Returns the card of the process with this session. Returns `None` if it has ended, or published none.
    ///
    /// # Errors
    /// Errors of the directory.
    fn look_up(&self, session: u64) -> Result<Option<Vec<u8>>>;
}
