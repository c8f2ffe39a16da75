// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registry of loans: an owner lends things under a key to unknown threads, and takes them back before their
//! end.
//!
//! **Rule.** A loan has a place of its own. It is used under the place's read lock, and given or taken back
//! under its write lock; so when [`Lending::take_back`] returns, the thing has no user any more, and neither
//! has the former thing of a key when [`Lending::lend`] has replaced it. A key keeps its place from the first
//! loan to the taking back: with a second one, users of the thing in the first would not be waited for. If a
//! place was taken out of the table before the loan got its write lock, the loan is put into a new one. So
//! only changes of the same key wait for each other's users.

use std::collections::HashMap;
use std::hash::Hash;

#[cfg(loom)]
use loom::sync::{Arc, RwLock};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::sync::{Arc, RwLock};

type Loan<V> = Arc<RwLock<Option<V>>>;

/// Loans by key. `V` is often a pointer; the owner keeps its target valid until it has taken it back.
pub struct Lending<K, V> {
    places: RwLock<HashMap<K, Loan<V>>>,
}

impl<K: Clone + Eq + Hash, V> Lending<K, V> {
    /// Nothing is lent.
    pub fn new() -> Self {
        Self { places: RwLock::new(HashMap::new()) }
    }

    /// Lends `thing` under `key`; replaces another, if there is one, which has no user any more when this
    /// returns. Not to be called by a user.
    pub fn lend(&self, key: &K, thing: V) {
        loop {
            let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
            let place = places.entry(key.clone()).or_insert_with(|| Arc::new(RwLock::new(None)));
            let place = Arc::clone(place);
            // The users of others go on meanwhile.
            drop(places);
            let mut lent = place.write().unwrap_or_else(PoisonError::into_inner);
            let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
            if places.get(key).is_some_and(|current| Arc::ptr_eq(current, &place)) {
                *lent = Some(thing);
                return;
            }
        }
    }

    /// Takes back the loan under `key`; when this returns, it has no user any more. Not to be called by a
    /// user.
    pub fn take_back(&self, key: &K) -> Option<V> {
        let place = self.places.write().unwrap_or_else(PoisonError::into_inner).remove(key)?;
        place.write().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Runs `using` with the loan under `key`. Returns `None` without a loan.
    pub fn with<R>(&self, key: &K, using: impl FnOnce(&V) -> R) -> Option<R> {
        let place = Arc::clone(self.places.read().unwrap_or_else(PoisonError::into_inner).get(key)?);
        let thing = place.read().unwrap_or_else(PoisonError::into_inner);
        thing.as_ref().map(using)
    }
}

impl<K: Clone + Eq + Hash, V> Default for Lending<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn lending_a_key_again_still_waits_for_its_users() {
        let lending = Lending::new();
        lending.lend(&7, "first");
        let (uses, begun) = channel();
        let (go_on, may_end) = channel::<()>();
        let used = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (lending, used) = (&lending, &used);
            scope.spawn(move || {
                lending.with(&7, |thing| {
                    uses.send(*thing).unwrap();
                    may_end.recv().unwrap();
                    used.store(true, Ordering::Release);
                })
            });
            assert_eq!(begun.recv().unwrap(), "first");
            scope.spawn(move || {
                lending.lend(&7, "second");
                assert!(used.load(Ordering::Acquire), "the first one is in use");
                assert_eq!(lending.with(&7, |thing| *thing), Some("second"));
                assert_eq!(lending.take_back(&7), Some("second"));
                assert_eq!(lending.with(&7, |thing| *thing), None);
            });
            // Others are not kept waiting.
            lending.lend(&8, "other");
            assert_eq!(lending.take_back(&9), None);
            go_on.send(()).unwrap();
        });
    }
}

#[cfg(all(test, loom))]
mod model {
    use loom::cell::UnsafeCell;

    use super::*;

    /// The owner lends a thing a second time, takes it back and writes to it, while another thread uses it.
    #[test]
    fn returned_loan_has_no_user() {
        loom::model(|| {
            let thing = Arc::new(UnsafeCell::new(1));
            let lending = Arc::new(Lending::new());
            lending.lend(&7, Arc::clone(&thing));
            let user = {
                let lending = Arc::clone(&lending);
                loom::thread::spawn(move || {
                    // SAFETY: loom checks that no write runs at the same time.
                    lending.with(&7, |thing| thing.with(|value| assert_eq!(unsafe { *value }, 1)));
                })
            };
            lending.lend(&7, Arc::clone(&thing));
            drop(lending.take_back(&7));
            // SAFETY: loom checks that no read runs at the same time.
            thing.with_mut(|value| unsafe { *value = 2 });
            user.join().unwrap();
        });
    }
    /// One thread lends a second time while another takes back: the returned loan has no user, and the other
    /// loan is found, in either order.
    #[test]
    fn loan_in_a_removed_place_gets_another() {
        loom::model(|| {
            let lending = Arc::new(Lending::new());
            lending.lend(&7, 0);
            let owner = {
                let lending = Arc::clone(&lending);
                loom::thread::spawn(move || lending.lend(&7, 1))
            };
            let taken = lending.take_back(&7);
            owner.join().unwrap();
            let found = lending.with(&7, |thing| *thing);
            match taken {
                Some(0) => assert_eq!(found, Some(1)),
                Some(1) => assert_eq!(found, None),
                other => panic!("{other:?} was never lent"),
            }
        });
    }
}
