// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K17: products of a cube core; limits of its calls (K5, K6); hazards among its pipes (K8).

use crate::elements::{half, half_bits, packed, unpacked};
use crate::launch;
use crate::program::{Words, stream};

/// Code of a faulting launch of cube cores.
const CUBE_FAULT: i32 = 507_015;

/// Whole numbers from -8 to 7, the same each time.
fn matrix(seed: usize, elements: usize) -> Vec<i32> {
    (0..elements).map(|index| ((index * 7919 + seed * 131 + index / 5) % 16) as i32 - 8).collect()
}

fn in_memory(matrix: &[i32]) -> Words {
    Words::new(&packed(16, matrix.iter().map(|value| half_bits(*value))))
}

#[test]
fn k17_a_cube_core_multiplies_matrices_of_any_shape() {
    let shapes = [(16, 16, 16), (1, 1, 1), (128, 20, 128), (3, 300, 5), (77, 131, 33), (17, 15, 127)];
    let multiplies = |kernels: &launch::Kernels| {
        for (m, k, n) in shapes {
            let (a, b) = (matrix(1, m * k), matrix(2, k * n));
            let (left, right) = (in_memory(&a), in_memory(&b));
            // One more element: the memory after it must stay unchanged.
            let pitch = n.next_multiple_of(16);
            let (wide, narrow) = (
                Words::new(&vec![u64::MAX; m * pitch / 2 + 1]),
                Words::new(&vec![u64::MAX; m * pitch / 4 + 1]),
            );
            let addresses = [&wide, &narrow, &left, &right].map(Words::address);
            kernels.run("product", 1, &[&addresses[..], &[m as u64, k as u64, n as u64]].concat());
            let (wide, narrow) = (unpacked(32, &wide.get()), unpacked(16, &narrow.get()));
            for row in 0..m {
                for column in 0..n {
                    let sum: i32 = (0..k).map(|inner| a[row * k + inner] * b[inner * n + column]).sum();
                    let index = row * pitch + column;
                    assert_eq!(
                        f32::from_bits(wide[index] as u32),
                        sum as f32,
                        "{row}, {column} of {m} x {k} x {n}"
                    );
                    if sum.abs() <= 2048 {
                        assert_eq!(
                            half(narrow[index]),
                            sum as f32,
                            "half {row}, {column} of {m} x {k} x {n}"
                        );
                    }
                }
            }
            assert_eq!(wide[m * pitch], u64::from(u32::MAX), "behind {m} x {n}");
            assert_eq!(narrow[m * pitch], u64::from(u16::MAX), "behind {m} x {n} of half");
        }
    };
    launch::with_schedules("cube.cpp", multiplies);
    launch::with("cube.cpp", &[("KERNELS", "eager")], multiplies);
}

#[test]
fn k06_invalid_cube_calls_are_faults() {
    let expected = [
        ("K17", "this is a cube core, which has no vector unit"),
        ("K6", "LoadData: dst is in the unified buffer, must be in L0B"),
        ("K6", "Mmad: A is in L0B, must be in L0A"),
        ("K6", "Mmad: m is 4096, must be 1 to 4095"),
        ("K6", "srcDValue is 63, must be 64 to 65535"),
        ("K5", "dst needs 16384 bytes"),
        ("K8", "a flag MTE2_MTE1 is missing"),
        ("K18", "Mmad reads byte 0"),
        ("K6", "quantPre must be NoQuant"),
        ("K6", "nSize is 15, must be a multiple of 16"),
    ];
    launch::with("cube.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 2048]);
        for (mistake, (rule, text)) in (0..).zip(expected) {
            // After a fault a stream is lost.
            let (code, fault) = kernels.launch_on(stream(), "wrong_cube", 1, &[memory.address(), mistake]);
            assert_eq!(code, CUBE_FAULT, "{mistake}: {fault}");
            for part in [rule, text, "cube.cpp:"] {
                assert!(fault.contains(part), "{mistake}: no {part} in: {fault}");
            }
        }
        kernels.run("wrong_cube", 1, &[memory.address(), expected.len() as u64]);
        let fault = kernels.fault("cube_on_vector", 1, &[memory.address()]);
        assert!(fault.contains("this is a vector core, which has no cube unit"), "{fault}");
    });
}
