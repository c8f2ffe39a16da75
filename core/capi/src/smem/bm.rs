// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Big memory: pools, copies, and the leadership of their config store.

pub(crate) mod compat2025;
pub(crate) mod copy;
pub(crate) mod init;
pub(crate) mod leader;
pub(crate) mod pools;
pub(crate) mod remote;
