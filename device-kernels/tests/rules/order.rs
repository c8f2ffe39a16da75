// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K7, K8, K9, K20: pipes, hazards, flags.

use std::fs;

use crate::program::Words;
use crate::{compiled, isolated, launch};

/// Device memory with 4 x 256 numbers.
fn numbers() -> Words {
    let pair = |index: u64| {
        let bits = |value: u64| u64::from((value as f32).to_bits());
        bits(2 * index) | bits(2 * index + 1) << 32
    };
    Words::new(&(0..512).map(pair).collect::<Vec<_>>())
}

#[test]
fn k07_pipes_run_independently_with_program_order_results() {
    let runs = |kernels: &launch::Kernels| {
        let memory = numbers();
        kernels.run("ordered", 1, &[memory.address()]);
        for (index, word) in memory.get().into_iter().enumerate() {
            let number = |half: u64| f32::from_bits((word >> (32 * half)) as u32);
            assert_eq!((number(0), number(1)), ((2 * index + 1) as f32, (2 * index + 2) as f32));
        }
    };
    launch::with_schedules("order.cpp", runs);
    launch::with("order.cpp", &[("KERNELS", "eager")], runs);
}

#[test]
fn k07_kernel_ending_with_pending_copies_is_warned_of() {
    launch::with_schedules("order.cpp", |kernels| {
        let memory = numbers();
        let text = kernels.warnings("unended", 1, &[memory.address(), 0]);
        assert!(text.contains("K7: order.cpp:") && text.contains("DataCopy (pipe MTE3)"), "{text}");
        // The end of a TPipe waits.
        for pipes in 1..4 {
            let memory = numbers();
            let text = kernels.warnings("unended", 1, &[memory.address(), pipes]);
            assert_eq!(text, "");
            let words = memory.get();
            for pipe in 0..pipes.min(2) as usize {
                assert_eq!(words[(2 + pipe) * 128..][..128], words[..128], "{pipes}");
            }
        }
    });
}

/// The lines of `order.cpp` on which a text stands, counted from 1.
fn lines_with(text: &str) -> Vec<usize> {
    let source = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules/order.cpp")).unwrap();
    source.lines().enumerate().filter(|(_, line)| line.contains(text)).map(|(index, _)| index + 1).collect()
}

#[test]
fn k08_unordered_accesses_are_a_hazard() {
    let expected = [
        ("Adds (pipe V) reads byte 0 of", "DataCopy (pipe MTE2)", "MTE2_V"),
        ("DataCopy (pipe MTE2) writes byte 0 of", "Adds (pipe V)", "V_MTE2"),
        ("DataCopy (pipe MTE2) writes", "Duplicate (pipe V)", "V_MTE2"),
        ("Adds (pipe V) reads", "Duplicate (pipe V)", "PipeBarrier<PIPE_V>"),
        ("GetValue (pipe S) reads byte 68 of", "DataCopy (pipe MTE2)", "MTE2_S"),
        ("DataCopy (pipe MTE3) reads byte 64 of", "SetValue (pipe S)", "S_MTE3"),
        ("DataCopy (pipe MTE2) reads", "DataCopy (pipe MTE3)", "MTE3_MTE2"),
        ("DataCopy (pipe MTE3) reads", "Adds (pipe V)", "V_MTE3"),
        ("DataCopy (pipe MTE3) writes", "DataCopy (pipe MTE3)", "PipeBarrier<PIPE_MTE3>"),
    ];
    // In any order of execution.
    launch::with_schedules("order.cpp", |kernels| {
        let memory = numbers();
        for (which, (later, earlier, remedy)) in expected.iter().enumerate() {
            let which = which as u64;
            kernels.run("hazard", 1, &[memory.address(), 100 + which]);
            let text = kernels.fault("hazard", 1, &[memory.address(), which]);
            for part in ["kernel hazard", "block 0 of 1", "K8", "order.cpp:", later, earlier, remedy] {
                assert!(text.contains(part), "{which}: no {part} in: {text}");
            }
        }
        let copies = lines_with("DataCopy(s.a, s.memory, COUNT)");
        let text = kernels.fault("hazard", 1, &[memory.address(), 0]);
        assert!(text.contains(&format!("order.cpp:{} writes", copies[0])), "{text}");
        let text = kernels.fault("hazard", 1, &[memory.address(), 6]);
        assert!(text.contains("byte 992 of"), "the first byte that both touch: {text}");
    });
}

#[test]
fn k08_eager_kernels_have_no_hazards() {
    launch::with("order.cpp", &[("KERNELS", "eager")], |kernels| {
        let memory = numbers();
        for which in 0..9 {
            kernels.run("hazard", 1, &[memory.address(), which]);
        }
    });
}

#[test]
fn k09_flags_are_set_and_waited_for_in_turns() {
    let expected = [
        "MTE2_V 0 is set again",
        "waits for flag MTE2_S 0, which nobody sets",
        "pipe V waits for flag MTE2_V 3, which nobody sets",
        "flag MTE2_V 2 is set, and the kernel ends",
        "event id 8; there are 0 to 7",
        "event id -1",
    ];
    launch::with_schedules("order.cpp", |kernels| {
        let memory = numbers();
        for (which, part) in expected.iter().enumerate() {
            let text = kernels.fault("flags", 1, &[memory.address(), which as u64]);
            assert!(text.contains("K9") && text.contains(part), "{which}: {text}");
        }
        kernels.run("flags", 1, &[memory.address(), 7]);
        kernels.run("flags", 1, &[memory.address(), 8]);
        kernels.run("flags", 1, &[memory.address(), 10]);
        kernels.run("flags", 1, &[memory.address(), 11]);
        for which in [6, 12] {
            let text = kernels.warnings("flags", 1, &[memory.address(), which]);
            assert!(
                text.contains("K9: order.cpp:") && text.contains("before pipe V got to the wait"),
                "{text}"
            );
        }
        let text = kernels.warnings("flags", 1, &[memory.address(), 9]);
        assert!(text.contains("K9: order.cpp:") && text.contains("event id 6"), "{text}");
    });
}

/// In how many of 40 rounds the other block missed something.
fn missed(kernels: &launch::Kernels) -> u64 {
    let data = Words::new(&[0; 512]);
    let [flag, count] = [(); 2].map(|()| Words::new(&[0; 16]));
    kernels.run("publish", 2, &[data.address(), flag.address(), count.address(), 40]);
    count.get()[0]
}

#[test]
fn k20_a_flag_waits_for_the_copies_before_it() {
    launch::with_schedules("order.cpp", |kernels| assert_eq!(missed(kernels), 0));
    let barrier = lines_with("PipeBarrier<PIPE_ALL>(); // before the flag")[0];
    let left_out = format!("order.cpp:{barrier}");
    let knobs = [("SCHEDULE", "random(1)"), ("LEAVE_OUT", &*left_out)];
    launch::with("order.cpp", &knobs, |kernels| {
        let [data, flag, count] = [512, 16, 16].map(|words| Words::new(&vec![0; words]));
        let text = kernels.fault("publish", 2, &[data.address(), flag.address(), count.address(), 40]);
        for part in ["K20", "raises a flag before its copy is done", "MTE3_S is missing"] {
            assert!(text.contains(part), "no {part} in: {text}");
        }
    });
}

/// The wait is on the line after it.
fn line_of_a_set() -> usize {
    lines_with("SetFlag<HardEvent::MTE2_V>(1);")[0]
}

#[test]
fn synchronisation_is_listed() {
    let path = std::env::temp_dir().join(format!("sites-{}", std::process::id()));
    launch::with("order.cpp", &[("SITES", path.to_str().unwrap())], |kernels| {
        for _ in 0..2 {
            kernels.run("hazard", 3, &[numbers().address(), 100]);
        }
    });
    if isolated::is_member() || compiled::binary("order.cpp").is_none() {
        return;
    }
    let listed = fs::read_to_string(&path).unwrap();
    let _ = fs::remove_file(&path);
    let set = line_of_a_set();
    let end = lines_with("// the end of hazard")[0];
    let mut lines: Vec<&str> = listed.lines().collect();
    lines.sort_unstable();
    let mut expected = [
        format!("order.cpp:{end} PipeBarrier"),
        format!("order.cpp:{set} SetFlag"),
        format!("order.cpp:{} WaitFlag", set + 1),
    ];
    expected.sort_unstable();
    assert_eq!(lines, expected);
}

#[test]
fn synchronisation_is_left_out() {
    for (line, part) in [(line_of_a_set(), "nobody sets"), (line_of_a_set() + 1, "K8")] {
        let left_out = format!("order.cpp:{line}");
        launch::with("order.cpp", &[("LEAVE_OUT", &left_out)], |kernels| {
            let text = kernels.fault("hazard", 1, &[numbers().address(), 100]);
            assert!(text.contains(part), "{text}");
        });
    }
}
