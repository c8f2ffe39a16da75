// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transport over cross memory attach; here all ends are in one process.
//!
//! Tests between processes, with killed and stopped ones, are in `tests/trans`.

use std::sync::{Arc, Weak};
use std::time::Duration;

use mf_net::cma::{Cma, Options};
use mf_transport::{Peer, Target};

use crate::bed::Make;
use crate::suite::Shared;

struct Maker;

impl Make for Maker {
    fn name(&self) -> String {
        "cma".to_owned()
    }

    fn absent(&self) -> Option<String> {
        Cma::refusal()
    }

    fn start(&self, me: Peer, target: Weak<dyn Target>) -> Shared {
        let timeout = Duration::from_secs(60);
        Cma::open(Options { me, token: [7; 32], timeout, target }).unwrap()
    }
}

pub(crate) fn make() -> Arc<dyn Make> {
    Arc::new(Maker)
}
