// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C interface (asc_*): right kernels run, and mistakes are found with their lines: hazards (K8), bounds
//! of arrays and memories (K5), alignment (K4), bytes that nobody wrote (K18), limits (K3, K6), flags (K9).

use crate::elements::{floats, half_bits, packed};
use crate::launch;
use crate::program::Words;

/// Floats as the device has them.
fn numbers(count: usize) -> Words {
    Words::new(&packed(32, (0..count).map(|index| u64::from((index as f32).to_bits()))))
}

/// `file:line` of the marked line of a file of this folder.
fn place(file: &str, mark: &str) -> String {
    let text = std::fs::read_to_string(format!("{}/tests/rules/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let line = text.lines().position(|line| line.ends_with(&format!("// {mark}")));
    format!("{file}:{}:", line.unwrap_or_else(|| panic!("{file} has no line {mark}")) + 1)
}

/// As [`place`], in the middle of a sentence.
fn place_before(file: &str, mark: &str) -> String {
    let place = place(file, mark);
    format!(" at {} ", place.trim_end_matches(':'))
}

#[test]
fn c_interface_kernels_that_keep_the_rules_run() {
    let runs = |kernels: &launch::Kernels| {
        for which in 0..4 {
            let memory = numbers(128);
            kernels.run("c_right", 2, &[memory.address(), which]);
            for (index, number) in floats(&memory.get()).into_iter().enumerate() {
                assert_eq!(number, 2.0 * index as f32, "{which}, {index}");
            }
        }
        kernels.run("c_right", 1, &[numbers(64).address(), 4]);
    };
    launch::with_schedules("c_interface.cpp", runs);
    launch::with("c_interface.cpp", &[("KERNELS", "eager")], runs);
}

#[test]
fn k08_missing_order_of_the_c_interface_is_found_with_both_lines() {
    let file = "c_interface.cpp";
    let expected = [
        ("asc_add (pipe V) reads byte 0 of in of", "asc_copy_gm2ub (pipe MTE2)", "a flag MTE2_V"),
        ("asc_copy_ub2gm (pipe MTE3) reads byte 0 of out of", "asc_add (pipe V)", "a flag V_MTE3"),
        ("asc_mul (pipe V) reads byte 0 of out of", "asc_add (pipe V)", "PipeBarrier<PIPE_V>"),
        (
            "asc_copy_gm2ub (pipe MTE2) writes byte 0 of in of",
            "asc_copy_ub2gm_align (pipe MTE3)",
            "a flag MTE3_MTE2",
        ),
        (
            "asc_copy_ub2gm (pipe MTE3) reads byte 0 of whole of",
            "asc_float2int32_rd (pipe V)",
            "a flag V_MTE3",
        ),
        ("asc_select (pipe V) reads byte 0 of out of", "asc_abs (pipe V)", "PipeBarrier<PIPE_V>"),
    ];
    launch::with_schedules(file, |kernels| {
        let memory = numbers(256);
        for (which, (later, earlier, remedy)) in (0..).zip(expected) {
            let fault = kernels.fault("c_wrong", 1, &[memory.address(), which]);
            let places = [place(file, &format!("{which} b")), place_before(file, &format!("{which} a"))];
            for part in ["K8", later, earlier, remedy, &places[0], &places[1]] {
                assert!(fault.contains(part), "{which}: no {part} in: {fault}");
            }
        }
        kernels.run("c_wrong", 1, &[memory.address(), 15]);
    });
    launch::with("auto_sync.cpp", &[], |kernels| {
        let fault = kernels.fault("c_interface", 1, &[numbers(256).address()]);
        assert!(fault.contains("asc_mul (pipe V)") && fault.contains("PipeBarrier<PIPE_V>"), "{fault}");
    });
}

#[test]
fn wrong_arguments_of_the_c_interface_are_faults() {
    let expected = [
        ("K18", "asc_add reads byte 0 of in of c_interface.cpp:"),
        ("K5", "asc_add reads 288 bytes at byte 0 of in of c_interface.cpp:"),
        ("K4", "asc_add: src0 begins at byte 4 of local memory, which is not a multiple of 32"),
        ("K5", "is not one to the unified buffer"),
        ("K4", "asc_copy_gm2ub: 100 bytes are not a multiple of 32"),
        ("K5", "asc_copy_gm2ub writes 256 bytes at byte 128 of out of c_interface.cpp:"),
        ("K6", "asc_add: mask is 0x0"),
        ("K9", "waits for flag V_MTE3 0, which nobody sets"),
        ("K3", "much of c_interface.cpp:"),
    ];
    launch::with("c_interface.cpp", &[], |kernels| {
        let memory = numbers(256);
        for (which, (rule, text)) in (6..).zip(expected) {
            let fault = kernels.fault("c_wrong", 1, &[memory.address(), which]);
            assert!(fault.contains(rule) && fault.contains(text), "{which}: {fault}");
        }
    });
}

#[test]
fn k08_missing_order_of_cube_calls_of_the_c_interface_is_found() {
    let file = "c_interface.cpp";
    launch::with_schedules(file, |kernels| {
        let memory = || Words::new(&packed(16, (0..1024).map(|index| half_bits(index % 8))));
        for (which, remedy) in [(0, "a flag MTE2_MTE1"), (1, "a flag MTE1_M"), (2, "a flag M_FIX")] {
            let fault = kernels.fault("c_wrong_cube", 1, &[memory().address(), which]);
            let later = place(file, &format!("cube {which} b"));
            assert!(
                fault.contains("K8") && fault.contains(remedy) && fault.contains(&later),
                "{which}: {fault}"
            );
        }
        let fault = kernels.fault("c_wrong_cube", 1, &[memory().address(), 3]);
        assert!(fault.contains("K5") && fault.contains("of a2 of c_interface.cpp:"), "{fault}");
        let fault = kernels.fault("c_wrong_cube", 1, &[memory().address(), 4]);
        assert!(fault.contains("K6") && fault.contains("nz2nd_en must be true"), "{fault}");
        let right = memory();
        kernels.run("c_wrong_cube", 1, &[right.address(), 5]);
        let products = &floats(&right.get())[256..512];
        for (index, product) in products.iter().enumerate() {
            let value = |row: usize, column: usize| ((row * 16 + column) % 8) as f32;
            let expected: f32 = (0..16).map(|k| value(index / 16, k) * value(k, index % 16)).sum();
            assert_eq!(*product, expected, "{index}");
        }
    });
}

#[test]
fn register_functions_of_the_c_interface_keep_the_rules() {
    let file = "c_interface_950.cpp";
    launch::with_schedules(file, |kernels| {
        let memory = numbers(128);
        kernels.run("c_registers", 1, &[memory.address(), 0]);
        for (index, number) in floats(&memory.get()).into_iter().enumerate() {
            let factor = if index < 100 { 2.0 } else { 1.0 };
            assert_eq!(number, factor * index as f32, "{index}");
        }
        for (which, remedy) in [(1, "a flag MTE2_V"), (2, "a flag V_MTE3")] {
            let fault = kernels.fault("c_registers", 1, &[memory.address(), which]);
            let first = if which == 1 { "1 a" } else { "1 b" };
            let places = [place(file, &format!("{which} b")), place_before(file, first)];
            for part in ["K8", "asc_vf_call", remedy, &places[0], &places[1]] {
                assert!(fault.contains(part), "{which}: no {part} in: {fault}");
            }
        }
        for (which, rule, text) in [
            (3, "K5", "of out of c_interface_950.cpp:"),
            (4, "K4", "asc_storealign: the address"),
            (5, "K6", "asc_copy_ub2gm_align: the stride of 100 bytes"),
        ] {
            let fault = kernels.fault("c_registers", 1, &[memory.address(), which]);
            assert!(fault.contains(rule) && fault.contains(text), "{which}: {fault}");
        }
    });
}
