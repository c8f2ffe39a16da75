// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K17: forms in which the sums of a cube core leave CO1, biases, factors of the 950; limits (K4, K6),
//! hazards (K8) and unwritten bytes (K18).

use crate::elements::{floats, from_floats, half, half_bits, packed, unpacked};
use crate::launch;
use crate::program::Words;

const M: usize = 32;
const K: usize = 64;
const N: usize = 48;

/// Whole numbers from -3 to 3, the same each time.
fn number(seed: usize, index: usize) -> i32 {
    ((index * 7919 + seed * 131 + index / 5) % 7) as i32 - 3
}

fn sum(a: impl Fn(usize) -> i32, b: impl Fn(usize) -> i32) -> i32 {
    (0..K).map(|k| a(k) * b(k)).sum()
}

/// Factors of the columns, 8 bytes each, of which the low half is a float.
fn factors() -> Vec<u64> {
    (0..64).map(|column| u64::from(factor(column).to_bits())).chain([0; 1024]).collect()
}

fn factor(column: usize) -> f32 {
    [0.5, 1.0, 2.0, -1.0][column % 4]
}

fn byte(value: f32) -> f32 {
    value.round_ties_even().clamp(-128.0, 127.0)
}

/// Bits of an element as its number.
type Decode = fn(u64) -> f32;

struct Form {
    bits: u32,
    decode: Decode,
    /// The element of the destination for a row and a column, where there is one.
    place: fn(usize, usize) -> Option<usize>,
    value: fn(f32, usize) -> f32,
}

const AS_F32: Decode = |bits| f32::from_bits(bits as u32);
const AS_I32: Decode = |bits| bits as u32 as i32 as f32;
const AS_I8: Decode = |bits| f32::from(bits as u8 as i8);
const AS_U8: Decode = |bits| f32::from(bits as u8);
const ROWS: fn(usize, usize) -> Option<usize> = |row, column| Some(row * N + column);
/// Fractals with 16, 8 and 32 columns.
const BY_16: fn(usize, usize) -> Option<usize> =
    |row, column| Some((column / 16 * M + row) * 16 + column % 16);
const BY_8: fn(usize, usize) -> Option<usize> = |row, column| Some((column / 8 * M + row) * 8 + column % 8);
const BY_32: fn(usize, usize) -> Option<usize> = |row, column| (column < 32).then_some(row * 32 + column);

fn forms() -> Vec<Form> {
    let form = |bits, decode, place, value| Form { bits, decode, place, value };
    vec![
        form(16, half, BY_16, |sum, _| sum),
        form(32, AS_F32, BY_16, |sum, _| sum),
        form(32, AS_F32, BY_8, |sum, _| sum),
        // Columns 0 to 15 and 32 to 47, of which the second matrix begins 32 elements behind the first.
        form(32, AS_F32, |row, column| (column / 16 != 1).then_some(row * N + column), |sum, _| sum),
        form(8, AS_I8, ROWS, |sum, _| byte(sum * 0.5)),
        form(8, AS_U8, ROWS, |sum, column| (sum * factor(column)).round_ties_even().clamp(0.0, 255.0)),
        form(8, AS_I8, ROWS, |sum, _| byte(sum * 0.5)),
        form(8, AS_I8, ROWS, |sum, column| byte(sum * factor(column))),
    ]
}

fn check(found: &[u64], form: &Form, sums: impl Fn(usize, usize) -> i32, what: &str) {
    let found = unpacked(form.bits, found);
    for row in 0..M {
        for column in 0..N {
            let Some(place) = (form.place)(row, column) else { continue };
            let expected = (form.value)(sums(row, column) as f32, column);
            assert_eq!((form.decode)(found[place]), expected, "{what}: {row}, {column}");
        }
    }
}

fn forms_of_float(file: &str, columns: bool) {
    let sums = |row, column| sum(|k| number(1, row * K + k), |k| number(2, k * N + column));
    let (a, b): (Vec<_>, Vec<_>) = ((0..M * K).collect(), (0..K * N).collect());
    launch::with(file, &[("SCHEDULE", "random(3)")], |kernels| {
        let left = Words::new(&packed(16, a.iter().map(|index| half_bits(number(1, *index)))));
        let right = Words::new(&packed(16, b.iter().map(|index| half_bits(number(2, *index)))));
        let run = |more: &[u64], which: u64| {
            let (out, more) = (Words::new(&[0; M * N / 2]), Words::new(more));
            let addresses = [&out, &left, &right, &more].map(Words::address);
            kernels.run("product_of_halves", 1, &[&addresses[..], &[which]].concat());
            out.get()
        };
        for (which, form) in forms().iter().enumerate() {
            check(&run(&factors(), which as u64), form, sums, &format!("form {which}"));
        }
        let rows = Form { bits: 32, decode: AS_F32, place: ROWS, value: |sum, _| sum };
        let mut bias = from_floats(&(0..512).map(|column| column as f32 - 7.5).collect::<Vec<_>>());
        bias.resize(256, 0);
        let found = floats(&run(&bias, 8));
        for (index, found) in found.into_iter().enumerate() {
            let (row, column) = (index / N, index % N);
            assert_eq!(found, sums(row, column) as f32 + column as f32 - 7.5, "bias: {row}, {column}");
        }
        check(&run(&factors(), 9), &rows, sums, "unit flags, rows apart");
        let twice = |row, column| (0..N).map(|k| sums(row, k) * number(2, k * N + column)).sum();
        check(&run(&factors(), 10), &rows, twice, "through L1");
        check(&run(&factors(), 13), &rows, twice, "through global memory");
        if columns {
            let by_column = Form { place: |row, column| Some(column * M + row), ..rows };
            check(&run(&factors(), 11), &by_column, sums, "columns");
            check(&run(&factors(), 12), &forms()[0], sums, "fractals");
            let halved = Form { bits: 32, decode: AS_F32, place: ROWS, value: |sum, _| sum * 0.5 };
            check(&run(&factors(), 14), &halved, sums, "float by a factor");
            let scaled =
                Form { bits: 16, decode: half, place: ROWS, value: |sum, column| sum * factor(column) };
            check(&run(&factors(), 15), &scaled, sums, "half by factors of the columns");
        }
    });
}

#[test]
fn k17_fixpipe_writes_rows_fractals_and_bytes() {
    forms_of_float("products.cpp", false);
}

#[test]
fn k17_fixpipe_of_the_950_writes_columns_too() {
    forms_of_float("products_950.cpp", true);
}

#[test]
fn k17_whole_sums_are_multiplied_by_factors() {
    // b is given as its columns.
    let sums = |row, column| sum(|k| number(3, row * K + k), |k| number(4, column * K + k));
    let form = |bits, decode, place, value| Form { bits, decode, place, value };
    let forms = [
        form(32, AS_I32, ROWS, |sum, column| sum + column as f32 - 7.0),
        form(16, half, ROWS, |sum, _| sum * 0.5),
        form(16, half, ROWS, |sum, column| sum * factor(column)),
        form(8, AS_I8, ROWS, |sum, _| byte(sum * 0.5)),
        form(8, AS_I8, BY_32, |sum, column| byte(sum * factor(column))),
    ];
    for file in ["products.cpp", "products_950.cpp"] {
        launch::with(file, &[], |kernels| {
            let bytes = |seed, count| {
                Words::new(&packed(
                    8,
                    (0..count).map(|index| u64::from(number(seed, index).cast_unsigned() as u8)),
                ))
            };
            let (left, right) = (bytes(3, M * K), bytes(4, K * N));
            let bias: Vec<_> = packed(32, (0..512_i32).map(|column| u64::from((column - 7).cast_unsigned())));
            for (which, form) in forms.iter().enumerate() {
                let (out, more) = (Words::new(&[0; M * N / 2]), Words::new(&bias));
                let table = Words::new(&factors());
                let more = if which == 0 { &more } else { &table };
                let addresses = [&out, &left, &right, more].map(Words::address);
                kernels.run("product_of_bytes", 1, &[&addresses[..], &[which as u64]].concat());
                check(&out.get(), form, sums, &format!("{file}, form {which}"));
            }
        });
    }
}

#[test]
fn k06_invalid_ways_out_of_a_product_are_faults() {
    let expected = [
        ("K8", "a flag M_FIX is missing"),
        ("K6", "deqScalar is here a float in the low 32 bits"),
        ("K6", "a tensor of factors is for VDEQF16, VREQ8 and VQF322B8_PRE, which need one"),
        ("K18", "Mmad reads byte 0"),
        ("K8", "a flag MTE1_M is missing"),
        ("K4", "not a multiple of 64"),
        ("K6", "nSize is 40, must be a multiple of 16"),
        ("K17", "do not reach the unified buffer"),
        ("K6", "the tensor is not in the buffer of Fixpipe"),
    ];
    launch::with("products.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 4096]);
        for (which, (rule, text)) in (0..).zip(expected) {
            let fault = kernels.fault("misused", 1, &[&[memory.address(); 4][..], &[which]].concat());
            for part in [rule, text, "products.cpp:"] {
                assert!(fault.contains(part), "{which}: no {part} in: {fault}");
            }
        }
    });
}

#[test]
fn k17_factors_of_the_950_are_parts_of_matrices() {
    const HIGH: usize = 64;
    const WIDE: usize = 96;
    for (name, bits) in [("of_halves", 16), ("of_floats", 32), ("of_bytes", 8)] {
        launch::with_schedules("matrices_950.cpp", |kernels| {
            for turned in 0..12_u64 {
                // By windows the factor in L0B is always turned; columns are not turned again.
                if turned & 4 != 0 && (turned & 8 != 0 || turned & 2 == 0) {
                    continue;
                }
                let element = |seed, across: usize, is_down: bool, row: usize, k: usize| {
                    number(seed, if is_down { k * across + row } else { row * K + k })
                };
                let words = |seed, count| {
                    let bits_of = |index| match bits {
                        16 => half_bits(number(seed, index)),
                        32 => u64::from((number(seed, index) as f32).to_bits()),
                        _ => u64::from(number(seed, index).cast_unsigned() as u8),
                    };
                    Words::new(&packed(bits, (0..count).map(bits_of)))
                };
                let (left, right) = (words(5, HIGH * K), words(6, K * WIDE));
                let out = Words::new(&[0; HIGH * WIDE / 2]);
                let addresses = [&out, &left, &right].map(Words::address);
                kernels.run(name, 1, &[&addresses[..], &[turned]].concat());
                let found = unpacked(32, &out.get());
                for (index, bits_found) in found.into_iter().enumerate() {
                    let (row, column) = (index / WIDE, index % WIDE);
                    let expected = sum(
                        |k| element(5, HIGH, turned & 1 != 0, row, k),
                        |k| element(6, WIDE, turned & 2 != 0, column, k),
                    );
                    let value = if bits == 8 { AS_I32(bits_found) } else { AS_F32(bits_found) };
                    assert_eq!(value, expected as f32, "{name} {turned}: {row}, {column}");
                }
            }
        });
    }
}

#[test]
fn k06_invalid_factors_of_the_950_are_faults() {
    let expected = [
        ("K6", "mStep is 3, must be a multiple of 2"),
        ("K6", "dstStride is 2, must be 4 to 65535"),
        ("K5", "src needs"),
        ("K6", "dstStride of SetLoadDataRepeatWithStride is 0"),
        ("K8", "a flag MTE2_MTE1 is missing"),
        ("K6", "repeatTime is 2, must be 0 or 1"),
        ("K6", "1024 bytes, must be 0 here"),
    ];
    launch::with("matrices_950.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 2048]);
        for (which, (rule, text)) in (0..).zip(expected) {
            let fault = kernels.fault("misused", 1, &[memory.address(), which]);
            for part in [rule, text, "matrices_950.cpp:"] {
                assert!(fault.contains(part), "{which}: no {part} in: {fault}");
            }
        }
        kernels.run("misused", 1, &[memory.address(), expected.len() as u64]);
    });
}

#[test]
fn k17_our_product_of_matrices_is_right_on_the_950() {
    launch::with("multiplier_950.cpp", &[], |kernels| {
        for (m, k, n) in [(16, 16, 16), (128, 300, 128), (77, 131, 33)] {
            let pitch = usize::next_multiple_of(n, 16);
            let words =
                |seed, count| Words::new(&packed(16, (0..count).map(|index| half_bits(number(seed, index)))));
            let (left, right, out) = (words(7, m * k), words(8, k * n), Words::new(&vec![0; m * pitch / 2]));
            let addresses = [&out, &left, &right].map(Words::address);
            kernels.run("multiply", 1, &[&addresses[..], &[m as u64, k as u64, n as u64]].concat());
            let found = floats(&out.get());
            for (row, column) in (0..m).flat_map(|row| (0..n).map(move |column| (row, column))) {
                let sum: i32 = (0..k).map(|i| number(7, row * k + i) * number(8, i * n + column)).sum();
                assert_eq!(found[row * pitch + column], sum as f32, "{row}, {column} of {m} x {k} x {n}");
            }
        }
    });
}
