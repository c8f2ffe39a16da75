// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between endpoints.

pub(crate) mod copy;
pub(crate) mod init;
pub(crate) mod memory;
pub(crate) mod started;
