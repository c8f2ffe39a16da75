// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits that last, as others learn of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_fabric::group::Group;
use mf_fabric::group::wait_report::{Waiting, reported};
use mf_store::Store;

use crate::team::{Team, ranks, soon};

/// The waits at the store, once they are as `wanted` says.
fn once(store: &dyn Store, wanted: impl Fn(&[Waiting]) -> bool) -> Vec<Waiting> {
    let until = soon();
    loop {
        let waits = reported(store).unwrap();
        if wanted(&waits) {
            return waits;
        }
        assert!(Instant::now() < until, "{waits:?}");
        std::thread::yield_now();
    }
}

/// The group of ranks 1 and 2, by its two members.
fn pair(team: &Team) -> [Arc<Group>; 2] {
    let members = ranks([1, 2]);
    std::thread::scope(|scope| {
        let (seats, members) = (&team.seats, &members);
        [1, 2]
            .map(|rank: usize| scope.spawn(move || seats[rank].group(members)))
            .map(|made| made.join().unwrap())
    })
}

#[test]
fn expired_wait_names_the_call_of_the_missing_member() {
    for (host_of, has_wire) in [(&[0, 0, 0][..], false), (&[0, 1, 2][..], true)] {
        let team = Team::on_hosts(host_of, has_wire);
        let store = &*team.seats[0].store;
        let (all, [first, second]) = (team.groups(), pair(&team));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| first.barrier(soon()));
            let waits = once(store, |waits| !waits.is_empty());
            assert_eq!(waits.len(), 1, "{waits:?}");
            let own = team.seats[1].store.member().session;
            assert_eq!((waits[0].rank, waits[0].session, &waits[0].call[..]), (1, own, "a barrier"));
            assert_eq!((&waits[0].members[..], &waits[0].missing[..]), (&[1, 2][..], &[2][..]));
            // Between hosts it may be another member that is silent first.
            if !has_wire {
                // Rank 1 waits in the other group, and does not come.
                let error = all[0].barrier(Instant::now() + Duration::from_millis(20)).unwrap_err();
                assert_eq!((error.kind(), error.fact("rank")), (Kind::Timeout, Some("1")), "{error}");
                let known = error.fact("at_the_store").unwrap();
                assert!(known.starts_with("it waits "), "{known}");
                assert!(known.ends_with("in a barrier of ranks 1, 2 for rank 2"), "{known}");
            }
            // A barrier that has passed is reported no more.
            second.barrier(soon()).unwrap();
            waiting.join().unwrap().unwrap();
            once(store, <[Waiting]>::is_empty);
        });
    }
}
