// SPDX-License-Identifier: Apache-2.0 OR MIT
use mf_base::sync::lock;

use super::*;
use crate::engine::cpu::tests::pattern;

/// Copies with the helper until it was free to take part; two tests may ask for it at once.
fn copied(source: &[u8], method: Method, always: bool) -> Vec<u8> {
    let mut target = vec![0u8; source.len()];
    // SAFETY: two buffers of that size.
    while !unsafe { copy(source.as_ptr(), target.as_mut_ptr(), source.len(), method, always) } {
        std::thread::yield_now();
    }
    target
}

#[test]
fn assisted_copies_are_exact() {
    for bytes in [1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 777, 17 * CHUNK] {
        for method in Method::ALL {
            let source = pattern(bytes, bytes);
            assert!(copied(&source, method, true) == source, "bytes {bytes}, {method:?}");
        }
    }
}

#[test]
fn measured_copies_are_exact() {
    let source = pattern(40 * CHUNK + 5, 1);
    for _ in 0..4 {
        assert!(copied(&source, Method::Pages, false) == source);
    }
}

#[test]
fn two_threads_with_large_copies_do_not_mix() {
    std::thread::scope(|scope| {
        for seed in 0..2 {
            scope.spawn(move || {
                for round in 0..6 {
                    let source = pattern(18 * CHUNK + round, seed * 1000 + round);
                    let mut target = vec![0u8; source.len()];
                    // SAFETY: two buffers of that size.
                    unsafe { crate::engine::copy(source.as_ptr(), target.as_mut_ptr(), source.len()) };
                    assert!(target == source, "seed {seed}, round {round}");
                }
            });
        }
    });
}

#[test]
fn many_short_jobs_lose_no_chunk() {
    let source = pattern(2 * CHUNK, 3);
    for _ in 0..300 {
        assert!(copied(&source, Method::Cached, true) == source);
    }
}

/// The helper, when it is free: other tests use it, too.
fn with_helper(work: impl Fn(&mut Owner)) {
    let mut owner = lock(&OWNER);
    assert!(owner.has_helper());
    work(&mut owner);
}

#[test]
fn all_parts_are_done_once_by_two_threads() {
    for bytes in [1, 4096, 1 << 20, (3 << 20) + 1, 64 << 20] {
        let done = Mutex::new(Vec::new());
        with_helper(|owner| {
            owner.share(bytes, part_bytes(bytes), &|at, part| lock(&done).push((at, part)));
        });
        let mut done = std::mem::take(&mut *lock(&done));
        done.sort_unstable();
        let end = done.iter().fold(0, |end, &(at, part)| {
            assert_eq!(at, end);
            assert!(part > 0);
            end + part
        });
        assert_eq!(end, bytes);
    }
}

#[test]
fn job_ends_after_the_last_part_of_the_helper() {
    let (finished, caller) = (Mutex::new(0), std::thread::current().id());
    for _ in 0..50 {
        with_helper(|owner| {
            // Each thread waits in its first part until the other one has begun one, too.
            let both = std::sync::Barrier::new(2);
            owner.share(8192, 4096, &|_, _| {
                both.wait();
                if std::thread::current().id() != caller {
                    std::thread::yield_now();
                }
                *lock(&finished) += 1;
            });
            assert_eq!(*lock(&finished) % 2, 0);
        });
    }
    assert_eq!(*lock(&finished), 100);
}

#[test]
fn work_is_done_once_for_any_measurement() {
    for bytes in [0, 4096, SHARED_FROM - 1, SHARED_FROM, (5 << 20) + 3, 8 << 20] {
        for _ in 0..40 {
            let sum = Mutex::new(0);
            in_parts(bytes, &|_, part| *lock(&sum) += part);
            assert_eq!(*lock(&sum), bytes);
        }
    }
}

#[test]
fn parts_are_quarters_of_short_copies() {
    let sizes = [SHARED_FROM, 2 << 20, (2 << 20) + 4, 4 << 20, 1 << 30].map(part_bytes);
    assert_eq!(sizes, [256 << 10, 512 << 10, (512 << 10) + 4096, 1 << 20, 1 << 20]);
    assert_eq!([SHARED_FROM, 2 << 20, 7 << 20, 8 << 20, 1 << 40].map(class_of), [0, 1, 2, 3, 3]);
}

#[test]
fn a_forked_child_copies_alone() {
    let source = pattern(20 * CHUNK, 9);
    assert!(copied(&source, Method::Pages, true) == source);
    let mut target = vec![0u8; source.len()];
    // The settings are read by now, for any work of another test at the moment of the fork.
    config();
    // SAFETY: the child only copies, compares and leaves; it takes no lock that another thread may hold.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        // SAFETY: two buffers of that size.
        let helped =
            unsafe { copy(source.as_ptr(), target.as_mut_ptr(), source.len(), Method::Cached, true) };
        // SAFETY: the copy is between the two buffers of that size again.
        unsafe { crate::engine::copy(source.as_ptr(), target.as_mut_ptr(), source.len()) };
        // SAFETY: ends the child at once, without the parent's exit handlers.
        unsafe { libc::_exit(i32::from(helped || target != source)) };
    }
    let mut status = 0;
    // SAFETY: waits for our own child.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child was helped, or copied wrongly");
}
