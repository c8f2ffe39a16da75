// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K17: soft maxima in pieces, and gradients; bounds (K5) and hazards (K8).

use crate::elements::{floats, from_floats};
use crate::launch;
use crate::program::Words;

const ROWS: usize = 4;
const PIECE: usize = 8;

/// Numbers of a piece, by row.
fn number(piece: usize, row: usize, column: usize) -> f64 {
    f64::from(((piece * 131 + row * 17 + column * 29) % 23) as u32) / 4.0 - 2.5
}

#[test]
fn k17_soft_maxima_are_updated_piece_by_piece() {
    launch::with_schedules("softmax.cpp", |kernels| {
        let all = (0..2 * ROWS * PIECE).map(|index| {
            let (piece, row) = (index / (ROWS * PIECE), index / PIECE % ROWS);
            number(piece, row, index % PIECE) as f32
        });
        let input = Words::new(&from_floats(&all.collect::<Vec<_>>()));
        for one_each in [0, 1] {
            let out = Words::new(&[0; 7 * ROWS * PIECE / 2]);
            kernels.run("flash", 1, &[out.address(), input.address(), one_each]);
            let words = out.get();
            let found = floats(&words);
            let near = |index: usize, expected: f64| {
                let difference = (f64::from(found[index]) - expected).abs();
                assert!(difference <= 1e-6 * expected.abs(), "{index}: {} {expected}", found[index]);
            };
            for row in 0..ROWS {
                let of = |piece: usize| (0..PIECE).map(move |column| number(piece, row, column));
                let most = |piece: usize| of(piece).fold(f64::MIN, f64::max);
                let (before, after) = (most(0), most(0).max(most(1)));
                let total: f64 = of(0).chain(of(1)).map(|x| (x - after).exp()).sum();
                // A block of 32 bytes is as long as a row.
                let places = if one_each == 1 { row..row + 1 } else { row * PIECE..(row + 1) * PIECE };
                for place in places {
                    for (part, expected) in [(1, total), (2, after), (3, (before - after).exp())] {
                        near(part * ROWS * PIECE + place, expected);
                    }
                }
                let slope: f64 = of(0).zip(of(1)).map(|(g, x)| g * x).sum();
                for (column, x) in of(1).enumerate() {
                    let place = row * PIECE + column;
                    near(place, (x - after).exp());
                    if one_each == 0 {
                        near(4 * ROWS * PIECE + place, (x - after).exp() / total);
                        near(5 * ROWS * PIECE + place, (number(0, row, column) - slope) * x);
                        near(6 * ROWS * PIECE + place, slope);
                    }
                }
            }
        }
    });
}

#[test]
fn k05_soft_maxima_keep_the_rules() {
    launch::with("softmax.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 64]);
        for (which, rule) in [(0, "K8"), (1, "K5")] {
            let text = kernels.fault("mistake", 1, &[memory.address(), which]);
            assert!(text.contains(rule) && text.contains("SoftmaxFlashV2"), "{text}");
        }
        kernels.run("mistake", 1, &[memory.address(), 2]);
    });
}
