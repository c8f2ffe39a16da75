// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transport over libucp, where that is installed.

use std::sync::{Arc, Weak};

use mf_net::ucx::{Engine, version};
use mf_transport::{Peer, Target};

use crate::bed::Make;
use crate::suite::Shared;

/// Value in the syntax of `UCX_TLS`.
struct Maker(&'static str);

impl Make for Maker {
    fn name(&self) -> String {
        format!("ucx by {}", self.0)
    }

    fn absent(&self) -> Option<String> {
        version().err().map(|error| error.to_string())
    }

    fn start(&self, me: Peer, target: Weak<dyn Target>) -> Shared {
        Engine::start(Some(self.0)).unwrap().join(me, target).unwrap()
    }
}

pub(crate) fn by(tls: &'static str) -> Arc<dyn Make> {
    Arc::new(Maker(tls))
}
