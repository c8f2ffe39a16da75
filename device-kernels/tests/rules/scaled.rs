// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K17: products of factors of 8 and 4 bits with scales; K4, K6, K8, K18.

use crate::elements::{floats, packed};
use crate::launch;
use crate::program::Words;

const M: usize = 32;
const N: usize = 48;
const K: usize = 128;

/// Formats by their bits and values.
#[derive(Clone, Copy)]
enum Format {
    E4m3,
    E5m2,
    E2m1,
    E1m2,
}

impl Format {
    const fn bits(self) -> u32 {
        match self {
            Self::E4m3 | Self::E5m2 => 8,
            Self::E2m1 | Self::E1m2 => 4,
        }
    }

    /// Numbers from -3 to 3 with their bits.
    fn number(self, index: usize) -> (u64, f64) {
        let magnitude = index * 7919 % 7;
        let sign = u64::from(index % 3 == 1);
        let value = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 0.25][magnitude];
        let bits = match self {
            Self::E4m3 => [0, 0x30, 0x38, 0x3c, 0x40, 0x44, 0x28][magnitude] | sign << 7,
            Self::E5m2 => [0, 0x38, 0x3c, 0x3e, 0x40, 0x42, 0x34][magnitude] | sign << 7,
            Self::E2m1 => [0, 1, 2, 3, 4, 5, 1][magnitude] | sign << 3,
            Self::E1m2 => [0, 2, 4, 6, 7, 1, 1][magnitude] | sign << 3,
        };
        let value = match (self, magnitude) {
            (Self::E2m1, 6) => 0.5,
            (Self::E1m2, 4) => 1.75,
            (Self::E1m2, 5) => 0.25,
            _ => value,
        };
        (bits, if sign == 1 { -value } else { value })
    }

    fn words(self, seed: usize, count: usize) -> Words {
        Words::new(&packed(self.bits(), (0..count).map(|index| self.number(index + seed).0)))
    }
}

/// A power of two with its bits.
fn scale(index: usize) -> (u64, f64) {
    let exponent = index * 31 % 5;
    (125 + exponent as u64, 2_f64.powi(exponent as i32 - 2))
}

/// Bits of the scales of `rows` rows, in fractals of 16 rows and 2 scales along k.
fn scales(rows: usize, seed: usize) -> Vec<u64> {
    let mut all = vec![0; rows * K / 32];
    for row in 0..rows {
        for k in 0..K / 32 {
            let fractal = row / 16 * (K / 64) + k / 2;
            all[fractal * 32 + row % 16 * 2 + k % 2] = scale(seed + row * 5 + k).0;
        }
    }
    all
}

#[test]
fn k17_small_numbers_are_multiplied_with_their_scales() {
    use Format::{E1m2, E2m1, E4m3, E5m2};
    let cases = [(E4m3, E5m2, false), (E4m3, E5m2, true), (E5m2, E4m3, true), (E2m1, E1m2, true)];
    launch::with_schedules("scaled_950.cpp", |kernels| {
        for (which, (a, b, is_scaled)) in (0..).zip(cases) {
            let (left, right, out) = (a.words(3, M * K), b.words(5, N * K), Words::new(&[0; M * N / 2]));
            let all: Vec<u64> = [scales(M, 0), scales(N, 2)].concat();
            let table = Words::new(&packed(8, all.into_iter()));
            let addresses = [&out, &left, &right, &table].map(Words::address);
            kernels.run("scaled", 1, &[&addresses[..], &[which, 0]].concat());
            for (index, found) in floats(&out.get()).into_iter().enumerate() {
                let (row, column) = (index / N, index % N);
                let product = |k: usize| {
                    let factor = if is_scaled {
                        scale(row * 5 + k / 32).1 * scale(2 + column * 5 + k / 32).1
                    } else {
                        1.0
                    };
                    a.number(3 + row * K + k).1 * b.number(5 + column * K + k).1 * factor
                };
                let expected: f64 = (0..K).map(product).sum();
                assert_eq!(f64::from(found), expected, "{which}: {row}, {column}");
            }
        }
    });
}

#[test]
fn k06_invalid_scales_are_faults() {
    let expected = [
        ("K4", "A begins at byte 512"),
        ("K8", "a flag MTE2_MTE1 is missing"),
        ("K18", "of the scales of L0B"),
        ("K6", "k is 96, must be a multiple of 64"),
    ];
    launch::with("scaled_950.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 2048]);
        for (mistake, (rule, text)) in (1..).zip(expected) {
            let fault = kernels.fault("scaled", 1, &[&[memory.address(); 4][..], &[1, mistake]].concat());
            for part in [rule, text, "scaled_950.cpp:"] {
                assert!(fault.contains(part), "{mistake}: no {part} in: {fault}");
            }
        }
    });
}
