// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric memory: OpenSHMEM and CANN SHMEM.

pub(crate) mod cann;
pub(crate) mod openshmem;
