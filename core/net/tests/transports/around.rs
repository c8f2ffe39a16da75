// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Decorators around the transports of another maker.

use std::sync::{Arc, Weak};

use mf_net::decorators::fault::Faulty;
use mf_net::decorators::trace::Traced;
use mf_net::decorators::watched::Watched;
use mf_net::watch;
use mf_transport::{Peer, Target};

use crate::bed::Make;
use crate::suite::Shared;

/// Transports of another maker with something around each.
pub(crate) struct Around {
    pub(crate) inner: Arc<dyn Make>,
    pub(crate) name: &'static str,
    pub(crate) wrap: fn(Shared) -> Shared,
}

impl Make for Around {
    fn name(&self) -> String {
        format!("{} around {}", self.name, self.inner.name())
    }

    fn absent(&self) -> Option<String> {
        self.inner.absent()
    }

    fn start(&self, me: Peer, target: Weak<dyn Target>) -> Shared {
        (self.wrap)(self.inner.start(me, target))
    }
}

pub(crate) fn traced(inner: Arc<dyn Make>) -> Arc<dyn Make> {
    Arc::new(Around { inner, name: "traced", wrap: |inner| Traced::new(inner) })
}

pub(crate) fn with_table(inner: Arc<dyn Make>) -> Arc<dyn Make> {
    Arc::new(Around { inner, name: "watched with a table", wrap: |inner| Watched::with_table(inner) })
}

/// While all is asked for that can be watched.
pub(crate) fn watched(inner: Arc<dyn Make>) -> Arc<dyn Make> {
    watch::set_metrics(true);
    Arc::new(Around { inner, name: "watched", wrap: |inner| Watched::new(inner) })
}

/// Without a rule, which must change nothing.
pub(crate) fn faulty(inner: Arc<dyn Make>) -> Arc<dyn Make> {
    Arc::new(Around { inner, name: "faulty", wrap: |inner| Faulty::new(inner, 1) })
}
