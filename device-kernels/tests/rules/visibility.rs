// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K12, K15: the scalar data cache; kernels that do not get on.

use crate::launch::{self, TIMEOUT};
use crate::program::{Words, stream};

fn run(kernels: &launch::Kernels, blocks: u32, which: u64) -> Vec<u32> {
    let memory = Words::new(&[0; 32]);
    kernels.run("cache", blocks, &[memory.address(), which]);
    memory.get().into_iter().flat_map(|word| [word as u32, (word >> 32) as u32]).collect()
}

#[test]
fn k12_scalar_accesses_use_a_noncoherent_cache() {
    // Lines may be evicted early with a random schedule; the guarantees hold then, too.
    launch::with_schedules("visibility.cpp", |kernels| {
        assert_eq!(run(kernels, 1, 0)[33], 7);
        assert_eq!(run(kernels, 1, 2)[32], 5);
        assert_eq!(run(kernels, 1, 3)[3], 6);
        let text = kernels.fault("cache", 1, &[Words::new(&[0; 32]).address(), 1]);
        assert!(text.contains("K12") && text.contains("in the data cache"), "{text}");
    });
}

/// The line of `visibility.cpp` at the end of which a remark stands.
fn line_of(remark: &str) -> String {
    let source = include_str!("visibility.cpp");
    let line = source.lines().position(|line| line.ends_with(&format!("// {remark}"))).unwrap();
    format!("visibility.cpp:{}", line + 1)
}

#[test]
fn k12_data_cache_is_stale_after_own_copies() {
    launch::with_schedules("visibility.cpp", |kernels| {
        let text = kernels.fault("cache", 1, &[Words::new(&[0; 32]).address(), 7]);
        for part in
            ["K12", &line_of("the old value"), "as it was before DataCopy", "DataCacheCleanAndInvalid"]
        {
            assert!(text.contains(part), "no {part} in: {text}");
        }
        let text = kernels.fault("cache", 1, &[Words::new(&[0; 32]).address(), 4]);
        for part in ["K12", &line_of("the store"), "is written back whole", &line_of("the copy")] {
            assert!(text.contains(part), "no {part} in: {text}");
        }
    });
}

#[test]
fn k12_two_cores_storing_to_one_line_lose_data() {
    launch::with_schedules("visibility.cpp", |kernels| {
        let text = kernels.fault("cache", 2, &[Words::new(&[0; 32]).address(), 5]);
        assert!(text.contains("K12") && text.contains("false sharing"), "{text}");
        assert!(text.matches("visibility.cpp:").count() == 2, "both places: {text}");
        let lines = run(kernels, 4, 6);
        assert!(lines.iter().enumerate().all(|(index, word)| (index % 16 == 0) == (*word == 1)), "{lines:?}");
    });
}

#[test]
fn k15_stuck_kernel_is_ended_and_reports_its_waits() {
    let waits = [
        "block 0 waits in a loop that polls a line in its data cache without DataCacheCleanAndInvalid (visibility.cpp:",
        "block 0 waits for a word of rank 3 (visibility.cpp:",
        "block 0 waits in a loop (visibility.cpp:",
        "block 0 waits for all 2 cores in SyncAll (visibility.cpp:",
    ];
    for schedule in ["fifo", "random(4)"] {
        launch::with("visibility.cpp", &[("OP_TIMEOUT", "1"), ("SCHEDULE", schedule)], |kernels| {
            let memory = Words::new(&[0; 32]);
            for (which, waits) in waits.iter().enumerate() {
                let (code, text) = kernels.launch_on(stream(), "stuck", 2, &[memory.address(), which as u64]);
                assert_eq!(code, TIMEOUT, "{which}: {text}");
                assert!(text.contains("stuck") && text.contains(waits), "{text}");
            }
            assert_eq!(ascend_sim::kernel::launch::given_up(), 0, "all of them returned");
        });
    }
}
