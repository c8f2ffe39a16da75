// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K8: order that the hardware makes, or CANN's compiler, is no hazard.

use crate::elements::{floats, half_bits, packed};
use crate::launch;
use crate::program::Words;

#[test]
fn k08_automatic_synchronisation_orders_scalar_and_vector() {
    launch::with_schedules("auto_sync.cpp", |kernels| {
        let memory = Words::new(&[0; 512]);
        kernels.run("ordered", 1, &[memory.address()]);
        let numbers = floats(&memory.get());
        assert!(numbers[1..256].iter().all(|number| *number == 3.0), "{:?}", &numbers[..256]);
        assert_eq!((numbers[0], numbers[256], numbers[257]), (4.0, 5.0, 3.0));
    });
}

#[test]
fn k08_automatic_synchronisation_orders_no_copies() {
    let expected = [
        "flag MTE2_V is",
        "flag V_MTE3 is",
        "flag MTE3_V is",
        "flag MTE3_MTE2 is",
        "PipeBarrier<PIPE_MTE2> is",
    ];
    launch::with_schedules("auto_sync.cpp", |kernels| {
        let memory = Words::new(&[0; 512]);
        for (which, remedy) in (0..).zip(expected) {
            let text = kernels.fault("hazard", 1, &[memory.address(), which]);
            assert!(text.contains("K8") && text.contains(remedy), "{which}: {text}");
        }
        let text = kernels.fault("cube", 1, &[memory.address()]);
        assert!(text.contains("K8") && text.contains("MTE2_MTE1"), "{text}");
    });
}

#[test]
fn k08_vector_instructions_of_the_950_are_in_order() {
    launch::with_schedules("order_950.cpp", |kernels| {
        let memory = Words::new(&[0; 64]);
        kernels.run("ordered", 1, &[memory.address(), 0]);
        assert_eq!(floats(&memory.get())[..64], [2.0; 64]);
        // Reset of TPipe orders the copies out.
        kernels.run("ordered", 1, &[memory.address(), 3]);
        for (which, remedy) in [(1, "flag V_S is"), (2, "PipeBarrier<PIPE_MTE3> is")] {
            let text = kernels.fault("ordered", 1, &[memory.address(), which]);
            assert!(text.contains("K8") && text.contains(remedy), "{which}: {text}");
        }
    });
}

#[test]
fn k08_sums_of_many_fractals_are_in_order() {
    launch::with_schedules("cube.cpp", |kernels| {
        let ones = Words::new(&packed(16, (0..4096).map(|_| half_bits(1))));
        // Fractals of the result: 16 and 4.
        kernels.run("sum_twice", 1, &[ones.address(), 64]);
        let text = kernels.fault("sum_twice", 1, &[ones.address(), 32]);
        assert!(text.contains("K8") && text.contains("PipeBarrier<PIPE_M>"), "{text}");
    });
}

/// A row times a matrix: with m = 1 the row lies in L0A without fractals.
#[test]
fn k17_a_row_is_multiplied_by_a_matrix() {
    const K: usize = 40;
    launch::with_schedules("cube.cpp", |kernels| {
        let row = Words::new(&packed(16, (0..512).map(|index| half_bits(index % 7))));
        let matrix = Words::new(&packed(16, (0..4096).map(|index| half_bits(index / 16 % 5))));
        let result = Words::new(&[0; 8]);
        kernels.run("row", 1, &[result.address(), row.address(), matrix.address(), K as u64]);
        let sum: usize = (0..K).map(|index| (index % 7) * (index % 5)).sum();
        assert_eq!(floats(&result.get()), [sum as f32; 16]);
    });
}

#[test]
fn k08_reset_of_tpipe_waits_for_freed_tensors_alone() {
    launch::with_schedules("order.cpp", |kernels| {
        let memory = Words::new(&[0; 512]);
        kernels.run("reset", 1, &[memory.address(), 0]);
        let text = kernels.fault("reset", 1, &[memory.address(), 1]);
        assert!(text.contains("K8") && text.contains("a flag MTE2_V is missing"), "{text}");
    });
}
