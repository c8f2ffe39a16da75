// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One gather of offers: each member publishes one value through the store, and gets the values of all. Since
//! all apply the same pure function to the same offers, all get the same result, or fail with the same error.

use std::collections::BTreeMap;
use std::time::Instant;

use mf_base::{Error, Kind, Rank, Result};
use mf_store::Store;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Publishes `own` under `name`, and gathers the values of so many members, by their ranks in the job.
/// **Collective** over them; at most until `deadline`.
///
/// # Errors
/// `InvalidParam` an offer cannot be decoded, on all members · as [`Store::allgather`].
pub fn gather<T: Serialize + DeserializeOwned>(
    store: &dyn Store,
    operation: &'static str,
    name: &str,
    members: u32,
    own: &T,
    deadline: Instant,
) -> Result<BTreeMap<Rank, T>> {
    let value = postcard::to_allocvec(own)
        .map_err(|error| Error::new(Kind::Failed, operation).source(error.to_string()))?;
    let parts = store.allgather(name, members, &value, deadline)?;
    let offers = parts.into_iter().map(|part| match postcard::from_bytes(&part.value) {
        Ok(offer) => Ok((part.rank, offer)),
        Err(_) => Err(Error::invalid(operation, "a member sent no offer, or one of another version")
            .with("rank", part.rank)),
    });
    offers.collect()
}

/// Returns the offers of these members, in the order of the list.
///
/// # Errors
/// `InvalidParam` one made no offer, since another took part in its place.
pub fn in_order<T>(
    operation: &'static str,
    members: &[Rank],
    mut offers: BTreeMap<Rank, T>,
) -> Result<Vec<T>> {
    let offer_of = |rank: &Rank| {
        offers.remove(rank).ok_or_else(|| {
            Error::invalid(operation, "a member did not take part, but another in its place")
                .with("rank", rank)
        })
    };
    members.iter().map(offer_of).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mf_store::{MemoryStore, Store};

    use super::*;

    #[test]
    fn members_gather_all_offers_and_malformed_ones_are_named() {
        let world = MemoryStore::new(3).unwrap();
        let stores: Vec<_> = (0..3).map(|_| world.join(None).unwrap()).collect();
        let soon = Instant::now() + Duration::from_secs(60);
        type Offers = Result<BTreeMap<Rank, String>>;
        let each = |give: &(dyn Fn(u32, &dyn Store) -> Offers + Sync)| {
            std::thread::scope(|scope| {
                let threads =
                    stores.iter().zip(0..).map(|(store, rank)| scope.spawn(move || give(rank, store)));
                let threads: Vec<_> = threads.collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
            })
        };
        for offers in each(&|rank, store| gather(store, "test", "a", 3, &format!("of {rank}"), soon)) {
            let offers = offers.unwrap();
            let order = [Rank(2), Rank(0), Rank(1)];
            assert_eq!(in_order("test", &order, offers.clone()).unwrap(), ["of 2", "of 0", "of 1"]);
            let error = in_order("test", &[Rank(2), Rank(7)], offers).unwrap_err();
            assert_eq!(error.fact("rank"), Some("7"));
        }
        let garbled = each(&|rank, store| match rank {
            1 => store.allgather("b", 3, &[255; 3], soon).map(|_| BTreeMap::new()),
            _ => gather(store, "test", "b", 3, &String::new(), soon),
        });
        for error in [&garbled[0], &garbled[2]].map(|offers| offers.as_ref().unwrap_err()) {
            assert_eq!((error.kind(), error.fact("rank")), (Kind::InvalidParam, Some("1")));
        }
    }
}
