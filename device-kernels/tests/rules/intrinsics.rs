// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The compiler's own functions (`get_block_idx`, `set_flag`, `copy_gm_to_ubuf`, …): results, and the same
//! rules as for Ascend C's.

use crate::elements::floats;
use crate::launch;
use crate::program::Words;

#[test]
fn intrinsics_do_what_their_calls_of_ascend_c_do() {
    launch::with_schedules("intrinsics.cpp", |kernels| {
        let pair = |first: f32| u64::from(first.to_bits()) | u64::from((first + 1.0).to_bits()) << 32;
        let numbers = Words::new(&(0..96).map(|index| pair(2.0 * index as f32)).collect::<Vec<_>>());
        let (sums, blocks) = (Words::new(&[0; 32]), Words::new(&[0; 24]));
        kernels.run("doubled", 3, &[numbers.address(), sums.address(), blocks.address()]);
        for (index, number) in floats(&numbers.get()).into_iter().enumerate() {
            let factor = if index % 64 == 63 { 1.0 } else { 2.0 };
            assert_eq!(number, factor * index as f32, "{index}");
        }
        for (index, sum) in floats(&sums.get()).into_iter().enumerate() {
            assert_eq!(sum, 2.0 * (3 * index + 192) as f32, "{index}");
        }
        for (block, line) in blocks.get().chunks(8).enumerate() {
            assert_eq!(line[0], (302 + 10 * block as u64) | (3 << 32), "{block}");
        }
    });
}

#[test]
fn intrinsics_keep_the_rules() {
    let expected = [
        ("K8", "a flag MTE2_MTE3 is missing"),
        ("K9", "event id 8"),
        ("K4", "not a multiple of 32"),
        ("", "Trap"),
    ];
    launch::with("intrinsics.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 64]);
        for (which, (rule, text)) in (0..).zip(expected) {
            let fault = kernels.fault("mistake", 1, &[memory.address(), which]);
            assert!(fault.contains(rule) && fault.contains(text), "{which}: {fault}");
            assert!(fault.contains("intrinsics.cpp:"), "{which}: {fault}");
        }
    });
}
