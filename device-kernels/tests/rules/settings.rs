// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K5, K6, K8, K17: the control register, loops around copies, and small calls of the 950.

use crate::elements::{floats, from_floats};
use crate::launch;
use crate::program::Words;

#[test]
fn k17_the_control_register_says_what_copies_combine() {
    launch::with_schedules("settings.cpp", |kernels| {
        let values: Vec<f32> = (0..8).map(|index| index as f32).collect();
        let (out, numbers) = (Words::new(&from_floats(&[0.5; 16])), Words::new(&from_floats(&values)));
        kernels.run("settings", 1, &[out.address(), numbers.address(), 0]);
        let found = out.get();
        let sums: Vec<f32> = values.iter().map(|value| value + 0.5).collect();
        assert_eq!(floats(&found)[..8], sums[..]);
        // Nothing after SetAtomicNone; half and the maximum after SetAtomicMax, and bit 60, which is set.
        assert_eq!(found[5..], [0, 0, 1 << 60 | 1 << 9 | 2 << 6]);
    });
}

#[test]
fn k17_copies_run_in_loops() {
    launch::with_schedules("settings.cpp", |kernels| {
        let source: Vec<f32> = (0..64).map(|index| index as f32).collect();
        let (out, numbers) = (Words::new(&[0; 8]), Words::new(&from_floats(&source)));
        kernels.run("settings", 1, &[out.address(), numbers.address(), 1]);
        // And one more after the loops.
        let rows = (0..6).map(|row| row % 3 * 4 + row / 3 * 16).chain([16]);
        let expected: Vec<f32> = rows.flat_map(|first| [first as f32, (first + 1) as f32]).collect();
        assert_eq!(floats(&out.get())[..14], expected[..]);
    });
}

#[test]
fn k17_differences_are_fused_with_their_functions() {
    launch::with("settings.cpp", &[], |kernels| {
        let numbers: Vec<f32> =
            (0..16).map(|index| if index < 8 { index as f32 * 0.25 } else { 1.0 }).collect();
        let (out, numbers) = (Words::new(&[0; 12]), Words::new(&from_floats(&numbers)));
        kernels.run("settings", 1, &[out.address(), numbers.address(), 2]);
        for (index, found) in floats(&out.get()).into_iter().enumerate() {
            let difference = (index % 8) as f32 * 0.25 - 1.0;
            let expected = if index / 8 == 1 { difference.abs() } else { difference.exp() };
            assert!((found - expected).abs() <= expected.abs() * 1e-6, "{index}: {found}, {expected}");
        }
    });
}

#[test]
fn k06_modes_that_are_not_emulated_are_faults() {
    let expected = [
        ("K17", "bit 48 is 0"),
        ("K17", "bit 53 is 1"),
        ("K17", "bits 0x100000 of the control register"),
        ("K6", "type 7"),
        ("K6", "loop1Size is 0"),
        ("K5", "dst needs 32 bytes at byte 1024"),
        ("K8", "PipeBarrier<PIPE_MTE2>"),
    ];
    launch::with("settings.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 256]);
        for (which, (rule, text)) in (3..).zip(expected) {
            let fault = kernels.fault("settings", 1, &[memory.address(), memory.address(), which]);
            for part in [rule, text, "settings.cpp:"] {
                assert!(fault.contains(part), "{which}: no {part} in: {fault}");
            }
        }
    });
}
