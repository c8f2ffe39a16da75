// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Formatting of times, ranks and failures.

use mf_base::Kind;

use super::Micros;
use crate::protocol::Failure;

/// A time for people.
pub(super) fn seconds(us: Micros) -> String {
    format!("{:.3} s", std::time::Duration::from_micros(us).as_secs_f64())
}

pub(super) fn timeout(what: String) -> Failure {
    Failure::new(Kind::Timeout, what)
}

/// Failure for a limit on the use of one client, or of all.
pub(super) fn too_many(what: String) -> Failure {
    Failure::new(Kind::NoResources, what)
}

/// `rank 3` or `ranks 0, 2-5`; `ranks` ascend.
pub(super) fn rank_list(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*rank) => *last = *rank,
            _ => runs.push((*rank, *rank)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    let noun = if ranks.len() == 1 { "rank" } else { "ranks" };
    format!("{noun} {}", texts.join(", "))
}
