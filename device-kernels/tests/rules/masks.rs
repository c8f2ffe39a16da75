// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Masks of the 950 in the unified buffer, a bit for each byte of a register; `Duplicate` of 8 and 64 bits
//! there, and numbers of fp8.

use crate::elements::{floats, from_floats};
use crate::launch;
use crate::program::Words;

fn bit(words: &[u64], index: usize) -> bool {
    words[index / 64] >> (index % 64) & 1 != 0
}

#[test]
fn masks_are_loaded_and_stored_in_their_distributions() {
    launch::with_schedules("masks_950.cpp", |kernels| {
        let given: Vec<u64> = (1..9_u64).map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let (input, out) = (Words::new(&given), Words::new(&[0x5555; 16]));
        kernels.run("masked", 1, &[out.address(), input.address()]);
        let found = out.get();
        for i in 0..256 {
            assert_eq!(bit(&found[0..4], i), bit(&given, i), "as it is: {i}");
            assert_eq!(bit(&found[4..8], i), bit(&given, i / 2), "each twice: {i}");
            assert_eq!(bit(&found[8..12], i), bit(&given, 2 * i), "every second: {i}");
        }
        // The second mask, packed, behind the address that went on.
        for i in 0..128 {
            assert_eq!(bit(&found[12..14], i), bit(&given[4..8], 2 * i), "packed: {i}");
        }
        assert_eq!(found[14..16], [0x5555; 2]);
    });
}

#[test]
fn bytes_and_wide_numbers_are_filled() {
    launch::with("masks_950.cpp", &[], |kernels| {
        let out = Words::new(&[0; 44]);
        kernels.run("filled", 1, &[out.address()]);
        let found = out.get();
        assert_eq!(found[..8], [0x0707_0707_0707_0707; 8]);
        assert_eq!(found[8..44], [(-5_i64).cast_unsigned(); 36]);
    });
}

#[test]
fn floats_become_the_nearest_fp8() {
    // A number, and it in e4m3 and e5m2, saturated.
    let cases = [
        (1.0, 1.0, 1.0),
        (-0.3, -0.3125, -0.3125),
        (1.0625, 1.0, 1.0),   // halfway, to the even one
        (1.1875, 1.25, 1.25), // halfway in e4m3
        (17.0, 16.0, 16.0),
        (19.0, 20.0, 20.0), // halfway in e4m3
        (300.0, 288.0, 320.0),
        (460.0, 448.0, 448.0),
        (1000.0, 448.0, 1024.0),
        (1e9, 448.0, 57344.0),
        (0.001, 0.001953125, 0.0009765625),
        (0.0005, 0.0, 0.00048828125),
        (-3e-6, -0.0, -0.0),
    ];
    let mut numbers: Vec<f32> = cases.iter().map(|case| case.0).collect();
    numbers.resize(64, 0.0);
    launch::with("masks_950.cpp", &[], |kernels| {
        let (input, out) = (Words::new(&from_floats(&numbers)), Words::new(&[0; 128]));
        kernels.run("cast", 1, &[out.address(), input.address()]);
        let found = floats(&out.get());
        for (i, (number, e4m3, e5m2)) in cases.into_iter().enumerate() {
            assert_eq!((found[i], found[64 + i]), (e4m3, e5m2), "{number}");
            // Beyond the range e4m3 has no infinity.
            let beyond = (found[128 + i], found[192 + i]);
            assert!(
                if number > 464.0 { beyond.0.is_nan() } else { beyond.0 == e4m3 },
                "{number}: {beyond:?}"
            );
            assert_eq!(beyond.1, if number > 1e6 { f32::INFINITY } else { e5m2 }, "{number}");
        }
    });
}
