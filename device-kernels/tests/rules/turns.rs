// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K14: vector cores that take turns through a workspace.

use crate::elements::unpacked;
use crate::launch;
use crate::program::Words;

/// An empty list, and a workspace of whatever was there.
fn memory() -> Words {
    Words::new(&[vec![0; 16], vec![u64::MAX; 64]].concat())
}

#[test]
fn k14_blocks_take_turns_in_their_order() {
    launch::with_schedules("turns.cpp", |kernels| {
        for (blocks, rounds) in [(1, 3), (4, 3), (5, 1)] {
            let list = memory();
            // A second launch finds what the first left.
            for launches in 1..=2 {
                kernels.run("turns", blocks, &[list.address(), rounds]);
                let found = unpacked(32, &list.get()[..16]);
                let expected = (0..launches * rounds).flat_map(|_| 0..u64::from(blocks));
                let expected: Vec<u64> = expected.collect();
                assert_eq!(found[0], expected.len() as u64);
                assert_eq!(found[1..=expected.len()], expected[..], "{blocks} blocks");
            }
        }
    });
}

#[test]
fn k14_turns_need_memory() {
    let expected = ["the workspace has 32 bytes, it needs 96", "the buffer needs 160 bytes"];
    launch::with("turns.cpp", &[], |kernels| {
        for (which, expected) in (0..).zip(expected) {
            let fault = kernels.fault(
                "short_of_memory",
                if which == 0 { 3 } else { 4 },
                &[memory().address(), which],
            );
            assert!(fault.contains("turns.cpp:") && fault.contains(expected), "{which}: {fault}");
        }
    });
}
