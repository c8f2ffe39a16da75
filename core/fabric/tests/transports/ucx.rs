// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transport over libucp, where that is installed.

use std::sync::{Arc, Weak};

use mf_base::sync::single::Single;
use mf_fabric::transport::ucx::{Engine, version};
use mf_fabric::transport::{Peer, Target};

use crate::bed::Make;
use crate::suite::Shared;

/// What `UCX_TLS` would say, and the worker, where all members share one.
struct Maker(&'static str, Option<Single<Engine>>);

impl Make for Maker {
    fn name(&self) -> String {
        let workers = self.1.as_ref().map_or("", |_| " with one worker");
        format!("ucx by {}{workers}", self.0)
    }

    fn absent(&self) -> Option<String> {
        version().err().map(|error| error.to_string())
    }

    fn start(&self, me: Peer, target: Weak<dyn Target>) -> Shared {
        let start = || Engine::start(Some(self.0));
        let engine = self.1.as_ref().map_or_else(start, |shared| shared.get(start));
        engine.unwrap().join(me, target).unwrap()
    }
}

pub(crate) fn by(tls: &'static str) -> Arc<dyn Make> {
    Arc::new(Maker(tls, None))
}

/// All members in this process share one worker, as those of several jobs do.
pub(crate) fn together(tls: &'static str) -> Arc<dyn Make> {
    Arc::new(Maker(tls, Some(Single::new())))
}
