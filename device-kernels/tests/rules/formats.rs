// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K17: Matmul of matrices in fractals, and of sums scaled before the store to C; K6: limits.

use crate::elements::{half, half_bits, packed, unpacked};
use crate::launch;
use crate::program::Words;

const M: usize = 64;
const N: usize = 64;
const K: usize = 64;

/// Whole numbers from -3 to 3, the same each time.
fn number(seed: usize, row: usize, column: usize) -> i32 {
    ((row * 977 + column * 131 + seed * 7) % 7) as i32 - 3
}

/// Places of the elements of a matrix: rows, or fractals of 16 rows and `depth` columns by column.
#[derive(Clone, Copy)]
struct Layout {
    rows: usize,
    columns: usize,
    depth: Option<usize>,
}

impl Layout {
    fn place(self, row: usize, column: usize) -> usize {
        self.depth.map_or(row * self.columns + column, |depth| {
            (column / depth * self.rows + row) * depth + column % depth
        })
    }

    fn words(self, bits: u32, value: impl Fn(usize, usize) -> i32) -> Words {
        let mut all = vec![0; self.rows * self.columns];
        for row in 0..self.rows {
            for column in 0..self.columns {
                let value = value(row, column);
                all[self.place(row, column)] = match bits {
                    16 => half_bits(value),
                    32 => u64::from((value as f32).to_bits()),
                    _ => u64::from(value.cast_unsigned() as u8),
                };
            }
        }
        Words::new(&packed(bits, all.into_iter()))
    }
}

fn factor(column: usize) -> f32 {
    [0.5, 0.25, 1.0, -1.0][column % 4]
}

#[test]
fn k17_matmul_takes_fractals_and_factors() {
    // Bits of the factors; depths of A, B and C; whether A is given as its columns; bits of C.
    let cases = [
        (16, Some(16), Some(16), Some(16), false, 16),
        (32, Some(8), None, Some(16), false, 32),
        (8, Some(32), Some(32), None, true, 32),
        (8, None, None, None, false, 16),
        (8, None, None, None, false, 8),
        (16, None, None, Some(32), false, 8),
    ];
    launch::with_schedules("formats.cpp", |kernels| {
        for (which, (bits, a, b, c, turned, out_bits)) in (0..).zip(cases) {
            let (rows, columns) = if turned { (K, M) } else { (M, K) };
            let element = |row, k| number(1, row, k);
            let left = Layout { rows, columns, depth: a }
                .words(bits, |row, column| if turned { element(column, row) } else { element(row, column) });
            let right =
                Layout { rows: K, columns: N, depth: b }.words(bits, |k, column| number(2, k, column));
            let table: Vec<u64> = (0..N).map(|column| u64::from(factor(column).to_bits())).collect();
            let (table, out) = (Words::new(&table), Words::new(&[0; M * N / 2]));
            let addresses = [&out, &left, &right, &table].map(Words::address);
            kernels.run("formats", 1, &[&addresses[..], &[which]].concat());
            let found = unpacked(out_bits, &out.get());
            let layout = Layout { rows: M, columns: N, depth: c };
            for row in 0..M {
                for column in 0..N {
                    let sum: i32 = (0..K).map(|k| element(row, k) * number(2, k, column)).sum();
                    let sum = sum as f32;
                    let bits = found[layout.place(row, column)];
                    let (value, expected) = match which {
                        0 => (half(bits), sum),
                        1 => (f32::from_bits(bits as u32), sum),
                        2 => (bits as u32 as i32 as f32, sum),
                        3 => (half(bits), sum * 0.5),
                        4 => {
                            let exact = (sum * factor(column)).round_ties_even();
                            (f32::from(bits as u8 as i8), exact.clamp(-128.0, 127.0))
                        }
                        _ => (
                            f32::from(bits as u8),
                            (sum * factor(column)).round_ties_even().clamp(0.0, 255.0),
                        ),
                    };
                    assert_eq!(value, expected, "{which}: {row}, {column}");
                }
            }
        }
    });
}

#[test]
fn k06_matmul_needs_factors_where_c_does() {
    launch::with("formats.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 2048]);
        for (which, text) in
            [(6, "needs SetQuantScalar or SetQuantVector"), (7, "factors are for C of bytes")]
        {
            let fault = kernels.fault("formats", 1, &[&[memory.address(); 4][..], &[which]].concat());
            assert!(fault.contains("K6") && fault.contains(text), "{which}: {fault}");
        }
    });
}

#[test]
fn k17_matmul_takes_its_plan_from_constants() {
    launch::with("formats.cpp", &[], |kernels| {
        let rows = Layout { rows: M, columns: K, depth: None };
        let a = rows.words(16, |row, k| number(1, row, k));
        let b = rows.words(16, |k, column| number(2, k, column));
        for which in [0, 1] {
            let out = Words::new(&[0; M * N / 4]);
            kernels.run("plans", 1, &[out.address(), a.address(), b.address(), which]);
            for (place, bits) in unpacked(16, &out.get()).into_iter().enumerate() {
                let sum: i32 = (0..K).map(|k| number(1, place / N, k) * number(2, k, place % N)).sum();
                assert_eq!(half(bits), sum as f32, "{which}: {place}");
            }
        }
        let fault = kernels.fault("plans", 1, &[a.address(), a.address(), b.address(), 2]);
        assert!(fault.contains("the tiling is null"), "{fault}");
    });
}
