// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K17: windows of images, transposed squares and constants in L0A and L0B of A2 and A3; limits (K5, K6),
//! hazards (K8) and unwritten bytes (K18).

use crate::elements::{floats, half_bits, packed};
use crate::launch;
use crate::program::Words;

fn halves(numbers: impl IntoIterator<Item = i32>) -> Words {
    Words::new(&packed(16, numbers.into_iter().map(half_bits)))
}

/// 64 × 64 with ones on the diagonal, in fractals of 16 × 16 by column.
fn diagonal() -> Words {
    halves((0..4096).map(|index| {
        let (fractal, row, column) = (index / 256, index / 16 % 16, index % 16);
        i32::from(fractal / 4 * 16 + column == fractal % 4 * 16 + row)
    }))
}

#[test]
fn k17_windows_of_an_image_become_columns() {
    const H: i32 = 5;
    const W: i32 = 7;
    let pixel = |y: i32, x: i32, channel: i32| (y * 31 + x * 5 + channel) % 100;
    launch::with_schedules("loads.cpp", |kernels| {
        let image = halves((0..H * W * 16).map(|index| pixel(index / 16 / W, index / 16 % W, index % 16)));
        // Steps of 2 columns, a padding of 1 at the left and below: 4 places in a row.
        let expected = |row: i32, column: i32| {
            let (element, channel) = (column / 16, column % 16);
            let (x, y) = (row % 4 * 2 - 1 + element % 2, row / 4 + element / 2);
            if x < 0 || y >= H { 9 } else { pixel(y, x, channel) }
        };
        for row in [0_i32, 4] {
            for right in [0, 1] {
                let out = Words::new(&[0; 512]);
                let addresses = [&out, &image, &diagonal()].map(Words::address);
                let sizes = [H as u64, W as u64, u64::from(row.cast_unsigned()), right];
                kernels.run("columns", 1, &[&addresses[..], &sizes].concat());
                for (index, found) in floats(&out.get()).into_iter().enumerate() {
                    let (r, c) = (index as i32 / 64, index as i32 % 64);
                    assert_eq!(found, expected(row + r, c) as f32, "{r}, {c} from {row}, {right}");
                }
            }
        }
    });
}

#[test]
fn k17_a_filter_of_one_element_copies_a_matrix() {
    let element = |row: i32, column: i32| (row * 64 + column) % 251;
    launch::with_schedules("loads.cpp", |kernels| {
        // By columns of 16: c1, row, c0.
        let matrix = halves((0..2048).map(|index| element(index / 16 % 32, index / 512 * 16 + index % 16)));
        for transpose in [0, 1] {
            let out = Words::new(&[0; 1024]);
            let addresses = [&out, &matrix, &diagonal()].map(Words::address);
            kernels.run("plain", 1, &[&addresses[..], &[transpose]].concat());
            for (index, found) in floats(&out.get()).into_iter().enumerate() {
                let (r, c) = if transpose == 1 { (index % 32, index / 32) } else { (index / 64, index % 64) };
                assert_eq!(found, element(r as i32, c as i32) as f32, "{index}, {transpose}");
            }
        }
    });
}

#[test]
fn k17_squares_are_transposed_and_constants_fill() {
    launch::with_schedules("loads.cpp", |kernels| {
        let matrix = halves((0..768).map(|index| index % 509));
        for is_constant in [0, 1] {
            let out = Words::new(&[0; 256]);
            let addresses = [&out, &matrix, &diagonal()].map(Words::address);
            kernels.run("squares", 1, &[&addresses[..], &[is_constant]].concat());
            for (index, found) in floats(&out.get()).into_iter().enumerate() {
                // Two squares beside each other, from the second one on.
                let (row, column) = (index / 32, index % 32);
                let square = 256 * (1 + column / 16) + row * 16 + column % 16;
                let constant = if column < 16 { 3 } else { 4 };
                let expected = if is_constant == 1 { constant } else { square % 509 };
                assert_eq!(found, expected as f32, "{row}, {column}");
            }
        }
    });
}

#[test]
fn k06_invalid_loads_are_faults() {
    let expected = [
        ("K18", "LoadData reads byte 0"),
        ("K6", "channelSize is 8, must be a multiple of 16 here"),
        ("K6", "begins at row 16 and column 0 of a matrix of 16 rows"),
        ("K6", "src is in L0A, must be in L1"),
        ("K8", "a flag MTE2_MTE1 is missing"),
        ("K5", "dst needs 1024 bytes"),
        ("K17", "HF32 is not emulated"),
    ];
    launch::with("loads.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 256]);
        for (which, (rule, text)) in (0..).zip(expected) {
            let fault = kernels.fault("mistake", 1, &[memory.address(), which]);
            assert!(fault.contains(rule) && fault.contains(text), "{which}: {fault}");
        }
        kernels.run("mistake", 1, &[memory.address(), expected.len() as u64]);
    });
}
