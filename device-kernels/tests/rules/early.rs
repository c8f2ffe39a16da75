// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K20, K12: early notifications of another core are found in every actual order of events.

use std::fs;

use crate::launch::{self, Kernels};
use crate::program::Words;

const MEETINGS: [&str; 3] = ["SyncAll", "CrossCoreSetFlag", "SyncAll"];
/// Kinds of waits for the copy out.
const NOTHING: u64 = 0;
const FOR_THE_PIPE: u64 = 1;
const FOR_THE_SCALAR_CODE: u64 = 2;

/// The lines of `early.cpp` at the end of which a remark stands.
fn line_of(remark: &str) -> String {
    let source = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules/early.cpp")).unwrap();
    let line = source.lines().position(|line| line.ends_with(&format!("// {remark}"))).unwrap();
    format!("early.cpp:{}", line + 1)
}

/// Runs a kernel with fresh memory: data, and lines.
fn on<T>(run: impl FnOnce(u64, u64) -> T) -> T {
    let (data, flags) = (Words::new(&[0; 1024]), Words::new(&[0; 64]));
    run(data.address(), flags.address())
}

fn fault(kernels: &Kernels, name: &str, blocks: u32, words: &[u64]) -> String {
    on(|data, flags| kernels.fault(name, blocks, &[&[data, flags], words].concat()))
}

fn run(kernels: &Kernels, name: &str, blocks: u32, words: &[u64]) {
    on(|data, flags| kernels.run(name, blocks, &[&[data, flags], words].concat()));
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part} in: {text}");
    }
}

#[test]
fn k20_unfinished_copy_at_a_synchronisation_is_found() {
    launch::with_schedules("early.cpp", |kernels| {
        for (how, (meeting, remark)) in (0..).zip(MEETINGS.into_iter().zip([
            "the meeting",
            "the flag between cores",
            "the meeting in memory",
        ])) {
            for wait in [NOTHING, FOR_THE_PIPE] {
                let text = fault(kernels, "meet", 2, &[how, wait]);
                has(
                    &text,
                    &["K20", &line_of("the copy out"), meeting, &line_of(remark), &line_of("the copy in")],
                );
            }
            run(kernels, "meet", 2, &[how, FOR_THE_SCALAR_CODE]);
        }
        let text = fault(kernels, "meet", 2, &[3, NOTHING]);
        has(&text, &["K20", &line_of("the copy out"), "GetValue", &line_of("the scalar read")]);
        run(kernels, "meet", 2, &[3, FOR_THE_SCALAR_CODE]);
    });
}

#[test]
fn k20_unfinished_copy_in_conflicts_with_later_accesses() {
    launch::with_schedules("early.cpp", |kernels| {
        let text = fault(kernels, "meet", 2, &[4, NOTHING]);
        has(
            &text,
            &["K20", &line_of("runs on"), "reads", &line_of("over the copies in"), &line_of("the copy out")],
        );
        run(kernels, "meet", 2, &[4, FOR_THE_SCALAR_CODE]);
    });
}

#[test]
fn k20_unfinished_copy_without_conflicts_is_allowed() {
    launch::with_schedules("early.cpp", |kernels| run(kernels, "meet", 4, &[5, NOTHING]));
}

#[test]
fn k20_flag_raised_before_its_copy_ends_is_found() {
    launch::with_schedules("early.cpp", |kernels| {
        for (how, remark) in [
            (0, "the store"),
            (1, "the word"),
            (2, "the small copy"),
            (3, "the addition"),
            (4, "the store"),
            (5, "the store"),
        ] {
            let text = fault(kernels, "notify", 3, &[how, NOTHING]);
            has(
                &text,
                &[
                    "K20",
                    &line_of(remark),
                    "raises a flag",
                    &line_of("the copy out"),
                    &line_of("the copy in"),
                ],
            );
            run(kernels, "notify", 3, &[how, FOR_THE_SCALAR_CODE]);
        }
        // A flag that is a copy is ordered after its pipe's earlier copies; a flag of the scalar code is not.
        run(kernels, "notify", 3, &[2, FOR_THE_PIPE]);
        has(&fault(kernels, "notify", 3, &[0, FOR_THE_PIPE]), &["K20", "MTE3_S is missing"]);
    });
}

#[test]
fn k12_false_sharing_of_a_cache_line_is_found() {
    launch::with_schedules("early.cpp", |kernels| {
        let text = fault(kernels, "share", 2, &[0]);
        has(&text, &["K12", "false sharing", &line_of("into the line")]);
        has(&fault(kernels, "share", 2, &[2]), &["K12", "false sharing", &line_of("over what is there")]);
        for how in [1, 3, 4] {
            run(kernels, "share", 2, &[how]);
        }
    });
}

#[test]
fn k12_stale_value_after_a_known_store_is_found() {
    launch::with_schedules("early.cpp", |kernels| {
        has(
            &fault(kernels, "share", 2, &[5]),
            &["K12", "DataCacheCleanAndInvalid", &line_of("the old value")],
        );
        run(kernels, "share", 2, &[6]);
    });
}

#[test]
fn k12_polling_loop_without_invalidation_is_found() {
    launch::with_schedules("early.cpp", |kernels| {
        has(&fault(kernels, "share", 2, &[7]), &["K12", "again and again", &line_of("the loop")]);
    });
}
