// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Traffic by pair of ranks, of a bounded size however many pairs there are. Pure.

use std::collections::BTreeMap;

use mf_net::watch::Measured;
use serde::Serialize;

use super::latency;
use super::snapshot::Flow;

/// Most cells; with more pairs, a cell has several ranks in both directions.
const CELLS_MAX: usize = 16 << 10;

/// Traffic of all routes and kinds by pair of ranks.
#[derive(Serialize)]
pub(super) struct Matrix {
    /// Ranks of a cell in each direction: cell 1 of a matrix of 4 has the ranks 4 to 7.
    pub(super) group: u32,
    pub(super) cells: Vec<Cell>,
}

/// Position of the sender and of the peer, bytes and operations a second, mean duration in microseconds.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Cell(u32, u32, f64, f64, Option<f64>);

impl Matrix {
    /// Returns the matrix of these flows. Flows to several ranks have no place in it.
    pub(super) fn of(flows: &[Flow]) -> Self {
        Self::bounded(flows, CELLS_MAX)
    }

    fn bounded(flows: &[Flow], most: usize) -> Self {
        let mut group = 1;
        loop {
            let cells = cells(flows, group);
            // A group of all ranks has one cell.
            if cells.len() <= most.max(1) {
                return Self { group, cells };
            }
            group *= 2;
        }
    }
}

fn cells(flows: &[Flow], group: u32) -> Vec<Cell> {
    let mut cells: BTreeMap<(u32, u32), (f64, f64, Measured)> = BTreeMap::new();
    for flow in flows {
        let Some(to) = flow.to else { continue };
        let (bytes, operations, took) = cells.entry((flow.from / group, to / group)).or_default();
        *bytes += flow.bytes_per_s;
        *operations += flow.operations_per_s;
        latency::add(took, &flow.took);
    }
    // Shorter than all digits, and as exact as a page shows them.
    let short = |value: f64| (value * 100.0).round() / 100.0;
    cells
        .into_iter()
        .map(|((from, to), (bytes, operations, took))| {
            Cell(from, to, bytes.round(), short(operations), latency::mean_us(&took).map(short))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(from: u32, to: Option<u32>, kind: &str) -> Flow {
        let mut took = Measured { nanoseconds: 2000, ..Measured::default() };
        took.buckets[3] = 1;
        Flow {
            from,
            to,
            route: "tcp".into(),
            kind: kind.into(),
            bytes_per_s: 100.0,
            operations_per_s: 2.0,
            errors: 0,
            mean_us: Some(2.0),
            took,
        }
    }

    #[test]
    fn kinds_of_a_pair_share_a_cell() {
        let flows = [flow(0, Some(3), "put"), flow(0, Some(3), "get"), flow(1, None, "put")];
        let matrix = Matrix::of(&flows);
        assert_eq!((matrix.group, matrix.cells), (1, vec![Cell(0, 3, 200.0, 4.0, Some(2.0))]));
    }

    #[test]
    fn ranks_are_grouped_until_the_cells_fit() {
        let all: Vec<Flow> =
            (0..8).flat_map(|from| (0..8).map(move |to| flow(from, Some(to), "put"))).collect();
        let matrix = Matrix::bounded(&all, 16);
        assert_eq!((matrix.group, matrix.cells.len()), (2, 16));
        assert_eq!(matrix.cells[15], Cell(3, 3, 400.0, 8.0, Some(2.0)));
        assert_eq!(Matrix::bounded(&all, 64).group, 1);
    }
}
