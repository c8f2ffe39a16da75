// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A PE that `mf perf shmem` starts: it begins, runs the measurements in its arguments, and prints a line for
//! each.

use mf_base::Result;
use serde::{Deserialize, Serialize};

use super::super::measure::monotonic_seconds;
use super::functions::Functions;
use super::pe::{Line, Pe};
use super::{collective_calls, mapped_calls, on_stream, unmapped_calls};
use crate::members::{print_value, wait_for_end, wait_for_line};

/// Work of a PE.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    /// Sizes to measure; none: only the begin.
    pub(super) sizes: Vec<u64>,
    /// Memory of the other PE is not mapped.
    pub(super) network: bool,
    /// CANN SHMEM's copies on streams instead.
    pub(super) on_stream: bool,
    pub(super) quick: bool,
}

/// Does it.
pub(crate) fn main(args: &Task) -> Result<()> {
    if args.on_stream {
        return on_stream::main(&args.sizes, args.quick);
    }
    let c = Functions::open()?;
    wait_for_line();
    let begin = monotonic_seconds();
    // SAFETY: the first function of a program.
    unsafe { (c.shmem15_init)() };
    print_value(&Line::Begun(begin, monotonic_seconds()))?;
    if !args.sizes.is_empty() {
        let pe = Pe::new(c, &args.sizes, args.quick)?;
        if args.network {
            unmapped_calls::measure(&pe)?;
        } else {
            if pe.n_pes == 2 {
                mapped_calls::measure(&pe)?;
            }
            collective_calls::measure(&pe)?;
        }
    }
    print_value(&Line::Done)?;
    wait_for_end();
    // SAFETY: the last function of a program.
    unsafe { (c.shmem15_finalize)() };
    Ok(())
}
