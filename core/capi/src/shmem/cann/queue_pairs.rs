// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Queue pairs that kernels may name to each PE. The copies of engines are simulated, so the number limits
//! the indices of a kernel, and takes no memory.

use std::ffi::c_int;
use std::sync::Mutex;

use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_shmem::cann::codes::{NOT_SUPPORTED, bad_value};

use super::instance_table;
use super::types::DataOpEngineType;

/// Most queue pairs to a PE.
const MOST: u32 = 32;
const ROCE: DataOpEngineType = 4;
const UDMA: DataOpEngineType = 8;

static NUMBER: Mutex<u32> = Mutex::new(1);

/// Returns the number for an instance that begins.
pub(super) fn number() -> u32 {
    *lock(&NUMBER)
}

/// Returns to the default, after the last instance has ended.
pub(super) fn reset() {
    *lock(&NUMBER) = 1;
}

pub(crate) fn aclshmemx_set_qp_num(op: &'static str, engine: DataOpEngineType, qp_num: u32) -> Result<c_int> {
    let table = instance_table::locked();
    if !(1..=MOST).contains(&qp_num) {
        return Err(bad_value(op, "the number of queue pairs is out of range")
            .with("qp_num", qp_num)
            .hint(format!("1 to {MOST}")));
    }
    if !table.is_empty() {
        return Err(Error::invalid(op, "the number of queue pairs is fixed while an instance lives")
            .with("qp_num", qp_num)
            .hint("set it before the first init, or after the last finalize")
            .code_of_family(NOT_SUPPORTED));
    }
    if engine != ROCE && engine != UDMA {
        return Err(without_queue_pairs(op, engine));
    }
    *lock(&NUMBER) = qp_num;
    Ok(0)
}

pub(crate) fn aclshmemx_set_shared_jetty(
    op: &'static str,
    engine: DataOpEngineType,
    is_shared: bool,
) -> Result<c_int> {
    if engine != UDMA {
        return Err(without_queue_pairs(op, engine));
    }
    tracing::debug!(is_shared, "queue pairs of UDMA are simulated, with and without a shared jetty alike");
    Ok(0)
}

#[cold]
fn without_queue_pairs(op: &'static str, engine: DataOpEngineType) -> Error {
    Error::invalid(op, "the engine has no queue pairs that can be set")
        .with("engine", engine)
        .hint("ACLSHMEM_DATA_OP_UDMA 8, ACLSHMEM_DATA_OP_ROCE 4")
        .code_of_family(NOT_SUPPORTED)
}
