// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members that interrupt their waits and come back: the others do not notice, and all results are right.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use mf_base::{Kind, Result, interrupt};
use mf_fabric::group::Group;

use crate::team::{Team, gather_by, ranks, soon};

thread_local! {
    /// Number of interrupted waits of this thread.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Leaves every wait of the threads that opted in.
fn always() -> bool {
    LEFT.get().is_some()
}

/// Calls until the call is not left any more; counts the times that it was.
fn insist<T>(left: &AtomicUsize, mut call: impl FnMut() -> Result<T>) -> T {
    loop {
        match call() {
            Err(error) if error.kind() == Kind::Interrupted => {
                left.fetch_add(usize::from(LEFT.replace(Some(1)) == Some(0)), Ordering::SeqCst);
                interrupt::end_call();
            }
            result => return result.unwrap(),
        }
    }
}

/// All but one come, leave their waits, and come back, before the last one comes.
fn late_members_meet_those_that_left(host_of: &[u32], has_wire: bool, route: &str) {
    interrupt::set_check(always);
    let team = Team::on_hosts(host_of, has_wire);
    let members = ranks(0..u32::try_from(host_of.len()).unwrap());
    let sizes = [None, Some(8), None, Some(150_001), Some(16_384), None, Some(0)];
    let left: Vec<AtomicUsize> = sizes.iter().map(|_| AtomicUsize::new(0)).collect();
    let made = AtomicUsize::new(0);
    team.each(|seat| {
        LEFT.set(Some(0));
        // The last one makes the group when the others have left that, too.
        let is_last = seat.rank.index() + 1 == members.len();
        while is_last && made.load(Ordering::SeqCst) + 1 < members.len() {
            std::thread::yield_now();
        }
        let group = insist(&made, || seat.try_group(&members, soon()));
        assert_eq!(group.route(), route);
        for (round, (size, left)) in sizes.iter().zip(&left).enumerate() {
            LEFT.set(Some(0));
            while round % members.len() == seat.rank.index()
                && left.load(Ordering::SeqCst) + 1 < members.len()
            {
                std::thread::yield_now();
            }
            match size {
                None => insist(left, || group.barrier(soon())),
                Some(bytes) => gather_by(&group, round, *bytes, |own, all| {
                    insist(left, || group.allgather(own, all, soon()));
                }),
            }
        }
    });
}

#[test]
fn on_one_host() {
    late_members_meet_those_that_left(&[0, 0, 0], false, "shared memory");
}

#[test]
fn between_hosts() {
    late_members_meet_those_that_left(&[0, 0, 1, 1, 2], true, "wire");
    late_members_meet_those_that_left(&[0, 1], true, "wire");
}

#[test]
fn through_the_store() {
    late_members_meet_those_that_left(&[0, 0, 1], false, "store");
}

#[test]
fn different_call_after_an_interrupt_is_refused() {
    interrupt::set_check(always);
    let team = Team::on_one_host(2);
    let groups = team.groups();
    LEFT.set(Some(0));
    let interrupted = |result: Result<()>| {
        interrupt::end_call();
        assert_eq!(result.unwrap_err().kind(), Kind::Interrupted);
    };
    interrupted(groups[0].allgather(b"own", &mut [0; 6], soon()));
    let refused = |group: &Group, own: &[u8]| group.allgather(own, &mut vec![0; own.len() * 2], soon());
    assert_eq!(refused(&groups[0], b"two").unwrap_err().kind(), Kind::InvalidParam);
    assert_eq!(groups[0].barrier(soon()).unwrap_err().kind(), Kind::InvalidParam);
    LEFT.set(None);
    std::thread::scope(|scope| {
        scope.spawn(|| groups[1].allgather(b"abc", &mut [0; 6], soon()).unwrap());
        let mut all = [0; 6];
        groups[0].allgather(b"own", &mut all, soon()).unwrap();
        assert_eq!(&all, b"ownabc");
    });
}
