// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Names of processes towards transports.

use std::fmt;

use mf_base::Rank;
use serde::{Deserialize, Serialize};

use crate::JobId;

/// A member of a job, as transports name it: a process has one such name for each of its memberships. A
/// process that comes back under the same rank is another peer: sessions are never used twice in a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Peer {
    /// The job.
    pub job: JobId,
    /// Its rank there, as a number.
    pub rank: u32,
    /// Number of its session with the store.
    pub session: u64,
}

/// The rank of a peer that has none: a guest of the store, such as an endpoint of transfers.
pub const NO_RANK: u32 = u32::MAX;

impl Peer {
    /// Its rank.
    #[inline]
    pub fn rank(self) -> Rank {
        Rank(self.rank)
    }

    /// Returns its name for texts: `rank 3`, or `the process of session 7` without a rank.
    #[cold]
    pub fn name(self) -> String {
        if self.rank == NO_RANK {
            format!("the process of session {}", self.session)
        } else {
            format!("rank {}", self.rank)
        }
    }

    /// The fact `rank` of errors about it: its number, or `none (session 7)`.
    #[cold]
    pub fn rank_fact(self) -> String {
        if self.rank == NO_RANK { format!("none (session {})", self.session) } else { self.rank.to_string() }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        if self.rank == NO_RANK { Ok(()) } else { write!(f, " (session {})", self.session) }
    }
}
