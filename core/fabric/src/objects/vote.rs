// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Vote on the creation of an object: it succeeds in all members or fails in all, for the same reason.

use std::collections::BTreeMap;
use std::time::Instant;

use mf_base::{Error, Kind, Rank, Result};
use mf_store::Store;
use serde::{Deserialize, Serialize};

use super::gather::gather;

/// Longest text of a reason.
const TEXT_BYTES_MAX: usize = 2048;

/// A number that this member proposes, or the code and text of why it could not make its part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Ballot {
    Made(u64),
    Failed(i32, String),
}

impl Ballot {
    fn from_result(made: std::result::Result<u64, &Error>) -> Self {
        match made {
            Ok(number) => Self::Made(number),
            Err(error) => {
                let text = error.to_string();
                let text = text.as_bytes().get(..TEXT_BYTES_MAX).unwrap_or(text.as_bytes());
                Self::Failed(error.code(), String::from_utf8_lossy(text).into_owned())
            }
        }
    }
}

/// Announces to all members of object `id`, `members` by their places, whether this one has made its part.
/// Returns the number that the member at place 0 proposed. **Collective** over them; at most until
/// `deadline`.
///
/// # Errors
/// On all alike: the error of the first member that failed, named · errors of the store.
pub fn vote(
    store: &dyn Store,
    operation: &'static str,
    (name, id): (&str, u32),
    members: &[Rank],
    made: std::result::Result<u64, &Error>,
    deadline: Instant,
) -> Result<u64> {
    let count = u32::try_from(members.len()).unwrap_or(u32::MAX);
    let ballots = gather(store, operation, name, count, &Ballot::from_result(made), deadline)?;
    decide(operation, id, members, &ballots)
}

fn decide(
    operation: &'static str,
    id: u32,
    members: &[Rank],
    ballots: &BTreeMap<Rank, Ballot>,
) -> Result<u64> {
    let mut proposed = None;
    for (place, rank) in members.iter().enumerate() {
        match ballots.get(rank) {
            Some(Ballot::Made(number)) => proposed = proposed.or(Some(*number)),
            Some(Ballot::Failed(code, text)) => {
                return Err(Error::new(Kind::from_code(*code).unwrap_or(Kind::Failed), operation)
                    .what("a rank could not make its part")
                    .with("id", id)
                    .with("place", place)
                    .with("rank", rank)
                    .with("reason", text));
            }
            None => {
                return Err(Error::new(Kind::Failed, operation)
                    .what("a rank that is not of this object has taken part")
                    .with("id", id)
                    .with("rank", rank));
            }
        }
    }
    proposed.ok_or_else(|| Error::invalid(operation, "an object without members").with("id", id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_failed_member_decides_else_the_first_proposes() {
        let members = [Rank(5), Rank(2), Rank(9)];
        let cause = Error::new(Kind::OutOfMemory, "test").what("ä".repeat(TEXT_BYTES_MAX));
        let judged = |failed: &[Rank]| {
            let ballot = |rank: &Rank| match failed.contains(rank) {
                true => Ballot::from_result(Err(&cause)),
                false => Ballot::from_result(Ok(u64::from(rank.0) + 100)),
            };
            decide("test", 3, &members, &members.iter().map(|rank| (*rank, ballot(rank))).collect())
        };
        assert_eq!(judged(&[]).unwrap(), 105);
        let error = judged(&[Rank(9), Rank(2)]).unwrap_err();
        assert_eq!(
            (error.kind(), error.fact("rank"), error.fact("place")),
            (Kind::OutOfMemory, Some("2"), Some("1"))
        );
        let error = decide("test", 3, &members, &BTreeMap::from([(Rank(5), Ballot::Made(1))])).unwrap_err();
        assert_eq!((error.kind(), error.fact("rank")), (Kind::Failed, Some("2")));
    }
}
