// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Mapping between places in a pool and ranks of the job, for pools with a subset of the ranks as members or
//! in another order. Everything in a pool counts places; the store and the network count ranks of the job.

use std::sync::Arc;

use mf_base::{Error, Rank, Result};

/// The ranks of the job in the order of their places in the pool.
#[derive(Clone, Debug, Default)]
pub struct Places(Option<Arc<[Rank]>>);

impl Places {
    /// Every rank of the job at its own place.
    pub fn all() -> Self {
        Self::default()
    }

    /// The given ranks, each once.
    ///
    /// # Errors
    /// `InvalidParam` a rank is named twice.
    pub fn from_ranks(ranks: &[Rank]) -> Result<Self> {
        let mut sorted = ranks.to_vec();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(
                Error::invalid("pool members", "a rank of the job has two places").with("rank", pair[0])
            );
        }
        let straight = (0..).zip(ranks).all(|(place, rank)| *rank == Rank(place));
        Ok(if straight { Self(None) } else { Self(Some(ranks.into())) })
    }

    /// Returns the rank in the job of the member at a place.
    pub fn in_job(&self, place: Rank) -> Rank {
        let named = self.0.as_ref().and_then(|ranks| ranks.get(place.0 as usize));
        named.copied().unwrap_or(place)
    }

    /// Returns the place of a rank of the job; `None` if it is not a member.
    pub fn in_pool(&self, rank: Rank) -> Option<Rank> {
        match &self.0 {
            None => Some(rank),
            Some(ranks) => {
                (0..).zip(ranks.iter()).find(|(_, named)| **named == rank).map(|(place, _)| Rank(place))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_ranks_are_inverse() {
        let places = Places::from_ranks(&[Rank(5), Rank(0), Rank(3)]).unwrap();
        assert_eq!(places.in_job(Rank(2)), Rank(3));
        assert_eq!(places.in_pool(Rank(5)), Some(Rank(0)));
        assert_eq!(places.in_pool(Rank(1)), None);
        for straight in [Places::all(), Places::from_ranks(&[Rank(0), Rank(1)]).unwrap()] {
            assert_eq!((straight.in_job(Rank(1)), straight.in_pool(Rank(1))), (Rank(1), Some(Rank(1))));
        }
        let error = Places::from_ranks(&[Rank(1), Rank(0), Rank(1)]).unwrap_err();
        assert_eq!(error.fact("rank"), Some("1"));
    }
}
