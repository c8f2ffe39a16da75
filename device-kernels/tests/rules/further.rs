// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K3, K6, K8, K9 of what ordinary kernels use beyond ours: pools of buffers, locks between pipes, calls in
//! further forms.

use crate::launch;
use crate::program::Words;

/// Runs each case of a kernel, and checks the text of its fault, or that it succeeds if the text is empty.
fn check(kernel: &str, rule: &str, outcomes: &[&str]) {
    launch::with("further.cpp", &[], |kernels| {
        for (which, expected) in outcomes.iter().enumerate() {
            let memory = Words::new(&[0; 512]);
            let words = [memory.address(), which as u64];
            if expected.is_empty() {
                kernels.run(kernel, 1, &words);
                continue;
            }
            let text = kernels.fault(kernel, 1, &words);
            for part in [rule, "further.cpp:", expected] {
                assert!(text.contains(part), "{kernel} {which}: no {part} in: {text}");
            }
        }
    });
}

#[test]
fn k03_pools_must_hold_their_buffers() {
    let expected = [
        "the pool has no memory: InitBufPool comes first",
        "takes 1024 bytes of a pool of 1024, of which 512 are taken",
        "1024 bytes are more than the pool that is shared has",
        "",
    ];
    check("pools", "K3", &expected);
}

#[test]
fn k09_locks_are_held_by_one_pipe_and_given_back() {
    let expected = [
        "mutex 1 is locked already",
        "mutex 1 is not locked by this pipe",
        "mutex 1 is not locked by this pipe",
        "mutex 1 is still locked when the kernel ends",
        "mutex 3 is not taken",
        "there is no mutex 40",
        "",
    ];
    check("locks", "K9", &expected);
}

#[test]
fn k08_pipe_without_the_lock_is_a_hazard() {
    check("unlocked", "K8", &["hazard: Muls", ""]);
}

#[test]
fn k06_parameters_of_further_calls_have_limits() {
    let expected = [
        "validBit is 5, must be 3, 7 or 15",
        "repeats are of four lists of one length",
        "the slices are 1 pieces of 128 bytes and 2 of 128",
        "BLOCK_MODE_NORMAL alone",
        "dValue is 20, must be a multiple of 16",
        "has not length 1 along axis 0 alone",
        "40 elements of a row count, and a row has 32",
        "",
    ];
    check("forms", "K6", &expected);
}
