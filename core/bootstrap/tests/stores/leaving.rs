// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of interrupted waits: a program asks its member to leave its waits; nothing of them is left, and the
//! same calls may be made again.

use std::cell::Cell;
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank, Result, interrupt};
use mf_store::{Lifetime, Store};

thread_local! {
    /// True while the waits of this thread are left.
    static LEAVES: Cell<bool> = const { Cell::new(false) };
}

fn leave<T: std::fmt::Debug>(call: impl FnOnce() -> Result<T>) {
    interrupt::set_check(|| LEAVES.get());
    LEAVES.set(true);
    let error = call().unwrap_err();
    LEAVES.set(false);
    interrupt::end_call();
    assert_eq!(error.kind(), Kind::Interrupted, "{error}");
}

/// Over two members of a job of two; `deadline` is far away.
pub(crate) fn waits_are_left(one: &dyn Store, two: &dyn Store, deadline: fn() -> Instant) {
    let both = |name: &str| {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| two.allgather(name, 2, b"two", deadline()).unwrap());
            let parts = one.allgather(name, 2, b"one", deadline()).unwrap();
            assert_eq!(other.join().unwrap(), parts);
            parts.into_iter().map(|part| part.value).collect::<Vec<_>>()
        })
    };
    for _ in 0..3 {
        leave(|| one.allgather("g", 2, b"left", deadline()));
        assert_eq!(both("g"), [b"one", b"two"]);
    }
    leave(|| one.barrier("b", 2, deadline()));
    // A client that left is not inside.
    let late = two.barrier("b", 2, Instant::now() + Duration::from_millis(30)).unwrap_err();
    assert_eq!(late.kind(), Kind::Timeout, "{late}");

    two.lock("l", deadline()).unwrap();
    leave(|| one.lock("l", deadline()));
    two.unlock("l").unwrap();
    // A client that left is not in the queue.
    assert!(two.try_lock("l").unwrap().is_some());
    two.unlock("l").unwrap();
    one.lock("l", deadline()).unwrap();
    one.unlock("l").unwrap();

    leave(|| one.wait("k", deadline()));
    two.set("k", b"v", Lifetime::Permanent).unwrap();
    assert_eq!(one.wait("k", deadline()).unwrap().owner.unwrap_or(Rank(1)), Rank(1));
}
