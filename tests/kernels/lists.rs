// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cases: every kernel, with sizes below, at and above all the limits it has inside.

use mf_tests::kernels::{Case, Direction, Op, Type, Work};

const DIRECTIONS: [Direction; 3] = [Direction::Local, Direction::Put, Direction::Get];
const REDUCTIONS: [(Type, Op); 6] = [
    (Type::F16, Op::Sum),
    (Type::Bf16, Op::Sum),
    (Type::F32, Op::Sum),
    (Type::F16, Op::Max),
    (Type::Bf16, Op::Max),
    (Type::F32, Op::Max),
];
/// Numbers of blocks, taken in turns.
const BLOCKS: [u32; 5] = [1, 2, 3, 8, 5];

/// All kernels; sizes from nothing to several rounds of every buffer.
pub(crate) fn all(ranks: u32) -> Vec<Case> {
    let mut cases = copies();
    cases.extend(tables());
    cases.extend(quantised());
    cases.extend(moves(ranks));
    cases.extend(reductions());
    cases.extend(products());
    numbered(cases)
}

/// One or two of every kernel, small.
pub(crate) fn few() -> Vec<Case> {
    let direction = Direction::Put;
    let (kind, op) = (Type::F16, Op::Sum);
    let work = [
        Work::Copy { bytes: 40_001, direction },
        Work::CopyStrided { rows: 7, row_bytes: 333, dst_gap: 3, src_gap: 40, direction },
        Work::Gather { count: 40, row_bytes: 65, table: 9, direction: Direction::Get },
        Work::Scatter { count: 9, row_bytes: 65, table: 40, direction },
        Work::Quantise { count: 1_003, unit: 70, kind: Type::F16, has_factors: true },
        Work::Shift { bytes: 10_001, by: 1 },
        Work::AllToAll { bytes: 1_001 },
        Work::Allgather { bytes: 1_001 },
        Work::ReduceScatter { count: 1_001, kind, op },
        Work::OneShot { count: 1_001, kind: Type::Bf16, op: Op::Max },
        Work::TwoShot { count: 1_001, kind: Type::F32, op },
        Work::Matmul { m: 33, k: 17, n: 50 },
    ];
    numbered(work.into_iter().map(|work| Case::new(work, 2)).collect())
}

/// Sizes around a block of memory, a line and a buffer.
fn copies() -> Vec<Case> {
    let mut cases = Vec::new();
    for (turn, bytes) in [0, 1, 31, 32, 33, 511, 4_097, 200_003, 900_001].into_iter().enumerate() {
        let direction = DIRECTIONS[turn % 3];
        cases.push(Case::new(Work::Copy { bytes, direction }, blocks(turn)).skewed(turn % 4, 5 * turn % 33));
    }
    for (turn, (rows, row_bytes)) in
        [(1, 1), (3, 31), (33, 32), (5, 70_001), (4_100, 7), (2, 300_000), (0, 8)].into_iter().enumerate()
    {
        let direction = DIRECTIONS[(turn + 1) % 3];
        let work = Work::CopyStrided { rows, row_bytes, dst_gap: turn * 3, src_gap: 50 - turn, direction };
        cases.push(Case::new(work, blocks(turn)).skewed(turn, 1));
    }
    cases
}

fn tables() -> Vec<Case> {
    let mut cases = Vec::new();
    for (turn, (count, row_bytes, table)) in
        [(1, 1, 1), (37, 31, 50), (200, 64, 300), (5, 50_001, 6), (1_025, 5, 2_000)].into_iter().enumerate()
    {
        let direction = DIRECTIONS[turn % 3];
        cases.push(Case::new(Work::Gather { count, row_bytes, table, direction }, blocks(turn)));
        let direction = DIRECTIONS[(turn + 1) % 3];
        cases.push(
            Case::new(Work::Scatter { count, row_bytes, table, direction }, blocks(turn + 2)).skewed(1, 2),
        );
    }
    cases
}

/// Units shorter than a row of the buffer, as long, longer than the buffer; the last one shorter.
fn quantised() -> Vec<Case> {
    let mut cases = Vec::new();
    for (turn, (count, unit)) in [
        (0, 0),
        (1, 0),
        (1, 7),
        (33, 1),
        (1_000, 16),
        (5_003, 33),
        (30_007, 10_000),
        (90_001, 30_000),
        (50_000, 0),
        (9_000, 1),
    ]
    .into_iter()
    .enumerate()
    {
        for (step, kind) in [Type::F16, Type::Bf16].into_iter().enumerate() {
            let work = Work::Quantise { count, unit, kind, has_factors: (turn + step) % 3 != 0 };
            cases.push(Case::new(work, blocks(turn + step)).skewed(turn % 4, step));
        }
    }
    cases
}

fn moves(ranks: u32) -> Vec<Case> {
    let mut cases = Vec::new();
    for (turn, bytes) in [1, 33, 4_096, 30_007, 400_003].into_iter().enumerate() {
        let by = u32::try_from(turn).unwrap() % (ranks + 2);
        cases.push(Case::new(Work::Shift { bytes, by }, blocks(turn)).skewed(turn, 3));
        cases.push(Case::new(Work::AllToAll { bytes: bytes / 2 }, blocks(turn + 1)).skewed(0, turn));
        cases.push(Case::new(Work::Allgather { bytes }, blocks(turn + 2)).late(ranks - 1));
    }
    cases
}

fn reductions() -> Vec<Case> {
    let counts = [1, 15, 16, 100, 1_003, 50_021];
    let mut cases = Vec::new();
    for (turn, (kind, op)) in REDUCTIONS.into_iter().enumerate() {
        let count = |step: usize| counts[(turn + step) % counts.len()];
        cases.push(Case::new(Work::ReduceScatter { count: count(0), kind, op }, blocks(turn)).skewed(1, 0));
        cases.push(Case::new(Work::OneShot { count: count(1), kind, op }, blocks(turn + 1)).skewed(0, 1));
        cases.push(Case::new(Work::TwoShot { count: count(2), kind, op }, blocks(turn + 2)).late(0));
        cases.push(Case::new(Work::TwoShot { count: count(5), kind, op }, blocks(turn)).skewed(3, 1));
    }
    cases
}

fn products() -> Vec<Case> {
    let sizes = [(1, 1, 1), (16, 16, 16), (33, 17, 50), (130, 65, 129), (64, 200, 300)];
    let mut cases = Vec::new();
    for (turn, (m, k, n)) in sizes.into_iter().enumerate() {
        cases.push(Case::new(Work::Matmul { m, k, n }, blocks(turn)));
    }
    cases
}

fn blocks(turn: usize) -> u32 {
    BLOCKS[turn % BLOCKS.len()]
}

/// Other contents in each.
fn numbered(cases: Vec<Case>) -> Vec<Case> {
    (1..).zip(cases).map(|(seed, case)| case.seed(seed)).collect()
}
