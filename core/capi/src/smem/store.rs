// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Config stores: servers, sessions, keys, watches, collective calls, TLS.

pub(crate) mod backend;
pub(crate) mod collective;
pub(crate) mod keys;
pub(crate) mod servers;
pub(crate) mod session;
pub(crate) mod state_json;
pub(crate) mod status;
pub(crate) mod tls;
pub(crate) mod watch;

use crate::part::{self, Part};

/// The part of config stores.
pub(crate) struct Stores;

impl Part for Stores {
    fn name(&self) -> &'static str {
        "config stores"
    }

    fn release(&self, ended: &'static str) {
        if ended == part::BIG_MEMORY {
            session::forget_watches_of_big_memory();
        }
    }
}
