// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions `smem_*`, a folder a family: big memory, share memory, transfers, config stores, message
//! servers.

pub(crate) mod acc;
pub(crate) mod alarms;
pub(crate) mod bm;
pub(crate) mod general;
mod job_config;
mod second_mapping;
pub(crate) mod shm;
pub(crate) mod store;
pub(crate) mod trans;
