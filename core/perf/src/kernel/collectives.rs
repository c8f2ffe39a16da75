// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf kernel --ranks`: the kernels in which all ranks of a job take part, one process for each rank.
//!
//! Speeds count the minimal bytes that a kernel moves between ranks (the "bus bandwidth" of tests of
//! collectives), so that kernels and numbers of ranks compare; the baseline copies just as many bytes.

use std::ffi::CStr;

use mf_base::Result;
use mf_library::accelerator::Arguments;
use mf_measure::members::{Job, Member, end_all, values};
use mf_measure::turns::Pair;
use mf_program::table::Column;

use super::member::Rank;
use super::{Plan, Row, RowOfRanks, Task};
use crate::task::Task as Work;

/// A kernel, and its operation on `bytes` bytes of fp16 in each rank.
pub(super) struct Collective {
    pub(super) name: &'static CStr,
    /// Bytes of the results, for each that a rank gives.
    pub(super) results: fn(bytes: u64, ranks: u64) -> u64,
    /// Bytes that a rank reads from others or writes to them.
    pub(super) moved: fn(bytes: u64, ranks: u64) -> u64,
    pub(super) kind: Kind,
}

/// Arguments and expected results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Offsets and bytes; the ranks' bytes one after the other.
    Gather,
    /// Offsets, elements of the result, type and operation; sums.
    Reduce,
}

// As in mf_reduce.h.
const TYPE_F16: u32 = 0;
const OP_SUM: u32 = 0;
const ELEMENT_BYTES: u64 = 2;

pub(super) const COLLECTIVES: [Collective; 4] = [
    Collective {
        name: c"mf_allgather",
        results: |bytes, ranks| bytes * ranks,
        moved: |bytes, ranks| bytes * (ranks - 1),
        kind: Kind::Gather,
    },
    Collective {
        name: c"mf_reduce_scatter",
        results: |bytes, ranks| bytes / ranks,
        moved: |bytes, ranks| bytes / ranks * (ranks - 1),
        kind: Kind::Reduce,
    },
    Collective {
        name: c"mf_allreduce_one_shot",
        results: |bytes, _| bytes,
        moved: |bytes, ranks| bytes * (ranks - 1),
        kind: Kind::Reduce,
    },
    Collective {
        name: c"mf_allreduce_two_shot",
        results: |bytes, _| bytes,
        moved: |bytes, ranks| 2 * (bytes / ranks) * (ranks - 1),
        kind: Kind::Reduce,
    },
];

impl Collective {
    /// Launch arguments: results at `dst`, each rank's contribution at `src`.
    pub(super) fn arguments(&self, object: u32, dst: u64, src: u64, bytes: u64, ranks: u64) -> Arguments {
        let arguments = Arguments::new().u32(object).u64(dst).u64(src);
        match self.kind {
            Kind::Gather => arguments.u64(bytes),
            Kind::Reduce => {
                arguments.u64((self.results)(bytes, ranks) / ELEMENT_BYTES).u32(TYPE_F16).u32(OP_SUM)
            }
        }
    }
}

/// Measures every kernel with so many ranks, and gives a row for each size.
pub(super) fn rows(plan: &Plan, ranks: u32, environment: &[(&str, &str)]) -> Result<Vec<Row>> {
    // A reduction splits the elements evenly.
    let unit = u64::from(ranks) * ELEMENT_BYTES;
    let sizes: Vec<u64> = plan.args.sizes.iter().map(|bytes| bytes.next_multiple_of(unit)).collect();
    let mut members = start(plan, ranks, &sizes, environment)?;
    let mut rows = Vec::new();
    for collective in &COLLECTIVES {
        for &bytes in &sizes {
            for &blocks in &plan.args.blocks {
                let of_each: Vec<Pair> = values(&mut members)?;
                let moved_bytes = (collective.moved)(bytes, u64::from(ranks));
                let kernel = collective.name.to_string_lossy().into_owned();
                rows.push(Row {
                    mode: plan.mode.clone(),
                    collective: Some(RowOfRanks { kernel, ranks, moved_bytes }),
                    bytes,
                    blocks,
                    figures: Pair::figures(&of_each),
                });
            }
        }
    }
    end_all(members)?;
    Ok(rows)
}

fn start(plan: &Plan, ranks: u32, sizes: &[u64], environment: &[(&str, &str)]) -> Result<Vec<Member>> {
    // A machine of its own, with a device for each rank.
    let (devices, session) = (ranks.to_string(), format!("mf-perf-{}-{ranks}", std::process::id()));
    let simulated =
        [("MF_DEVICE", "sim"), ("ASCEND_SIM_DEVICES", &*devices), ("ASCEND_SIM_SESSION", &*session)];
    let simulated: &[_] = if plan.simulated { &simulated } else { &[] };
    let environment = [environment, simulated].concat();
    let task = |rank| {
        let (sizes, blocks) = (sizes.to_vec(), plan.args.blocks.clone());
        Work::Kernel(Task::Rank(Rank { world: ranks, rank, sizes, blocks, quick: plan.args.quick }))
    };
    Job::new()?.start_ranks(ranks, task, &environment)
}

/// Columns of such rows, behind the mode.
pub(super) const COLUMNS: [Column<'static, Row>; 2] = [
    ("kernel", |row| row.collective.as_ref().map_or_else(String::new, |row| row.kernel.clone())),
    ("ranks", |row| row.collective.as_ref().map_or_else(String::new, |row| row.ranks.to_string())),
];

/// Line below their table.
pub(super) const LEGEND: &str = "GB/s: of the bytes that a rank must move from and to others.\n";
