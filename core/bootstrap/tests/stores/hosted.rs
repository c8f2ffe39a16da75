// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members of stores of any kind, for tests.

use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use mf_base::Result;
use mf_bootstrap::Host;
use mf_bootstrap::rendezvous::{Options, join_session};
use mf_store::{Session, Store};

/// Time in which members of most tests may resume: short, so that lost ones are soon declared lost.
pub(crate) const GRACE: Duration = Duration::from_millis(50);

/// A member of a store, of any kind.
pub(crate) trait Member: Deref<Target = Session> + Debug + Send + Sync + 'static {}

impl<S: Deref<Target = Session> + Debug + Send + Sync + 'static> Member for S {}

/// A member of a store with an elected leader, with the right of its process to lead.
#[derive(Debug)]
pub(crate) struct Hosted {
    pub(crate) host: Arc<Host>,
    store: Session,
}

impl Hosted {
    pub(crate) fn join(options: &Options) -> Result<Self> {
        let (host, store) = join_session(options)?;
        Ok(Self { host, store: store.unwrap() })
    }

    /// Returns true if the store runs with this member.
    pub(crate) fn leads(&self) -> bool {
        self.host.address().is_some()
    }
}

impl Deref for Hosted {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.store
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        self.store.close();
        self.host.linger();
    }
}
