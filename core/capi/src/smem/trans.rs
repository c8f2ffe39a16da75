// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between endpoints.

pub(crate) mod batch;
mod config;
pub(crate) mod copy;
mod era;
pub(crate) mod init;
pub(crate) mod memory;
pub(crate) mod started;
mod state;

use self::state::STATE;
use crate::part::{self, Part};

/// The part of transfers.
pub(crate) struct Transfers;

impl Part for Transfers {
    fn name(&self) -> &'static str {
        part::TRANSFERS
    }

    fn end(&self, op: &'static str) {
        STATE.end(op);
    }
}
