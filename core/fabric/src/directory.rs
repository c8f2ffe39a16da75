// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store of a job as the directory of its members' network cards.

use std::sync::Arc;

use mf_base::Result;
use mf_net::{Directory, Membership};
use mf_store::{Lifetime, Store, network_card};

/// Directory in a store. A card lives as long as the session of its process.
pub struct StoreDirectory(Arc<dyn Store>);

impl StoreDirectory {
    /// Makes the directory of a member of the store.
    pub fn for_store(store: &Arc<dyn Store>) -> Arc<dyn Directory> {
        Arc::new(Self(Arc::clone(store)))
    }
}

impl Directory for StoreDirectory {
    fn membership(&self) -> Membership {
        let member = self.0.member();
        Membership { rank: member.rank, session: member.session, token: member.job_token }
    }

    fn publish(&self, card: &[u8]) -> Result<()> {
        self.0.set(&network_card(self.0.member().session), card, Lifetime::Session).map(|_revision| ())
    }

    fn look_up(&self, session: u64) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(&network_card(session))?.map(|entry| entry.value))
    }
}
