// SPDX-License-Identifier: Apache-2.0 OR MIT
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

#[test]
fn a_forked_child_copies_alone() {
    let source = pattern(20 * CHUNK, 9);
    assert!(copied(&source, Method::Pages, true) == source);
    let mut target = vec![0u8; source.len()];
    // The settings are read by now, whatever another test is doing at the moment of the fork.
    crate::engine::config::config();
    // SAFETY: the child only copies, compares and leaves; it takes no lock that another thread may hold.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        // SAFETY: two buffers of that size.
        let helped =
            unsafe { copy(source.as_ptr(), target.as_mut_ptr(), source.len(), Method::Cached, true) };
        // SAFETY: as above.
        unsafe { crate::engine::copy(source.as_ptr(), target.as_mut_ptr(), source.len()) };
        // SAFETY: ends the child at once, without the parent's exit handlers.
        unsafe { libc::_exit(i32::from(helped || target != source)) };
    }
    let mut status = 0;
    // SAFETY: waits for our own child.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child was helped, or copied wrongly");
}
