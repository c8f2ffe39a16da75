// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of big memory: the membership of this process and its pools by handle.

use mf_job::process::{Handles, Seat};
use mf_smem::bm::{Context, Pool};

pub(super) static STATE: Seat<Context, Pool, 64> =
    Seat::new("smem_bm_init", Handles::new("pool", "smem_bm_create"));
