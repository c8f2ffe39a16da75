// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store of a job as the directory of its members' network cards.

use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::sync::lock;
use mf_net::{Directory, Membership};
use mf_store::{Lifetime, Started, Store, network_card};

/// Directory in a store. A card lives as long as the session of its process.
pub struct StoreDirectory {
    store: Arc<dyn Store>,
    /// The publication that [`StoreDirectory::finish`] waits for; none if each waits by itself.
    publishing: Option<Mutex<Option<Started<u64>>>>,
}

impl StoreDirectory {
    /// Makes the directory of a member of the store.
    pub fn for_store(store: &Arc<dyn Store>) -> Arc<dyn Directory> {
        Arc::new(Self { store: Arc::clone(store), publishing: None })
    }

    /// The same; it publishes without waiting for the store, so that other requests share the round trip.
    pub fn without_waiting(store: &Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self { store: Arc::clone(store), publishing: Some(Mutex::default()) })
    }

    /// Waits for the last publication, if it was not waited for.
    ///
    /// # Errors
    /// Those of the publication.
    pub fn finish(&self) -> Result<()> {
        let started = self.publishing.as_ref().and_then(|publishing| lock(publishing).take());
        started.map_or(Ok(()), |started| started.wait().map(drop))
    }
}

impl Directory for StoreDirectory {
    fn membership(&self) -> Membership {
        let member = self.store.member();
        Membership { rank: member.rank, session: member.session, token: member.job_token }
    }

    fn publish(&self, card: &[u8]) -> Result<()> {
        let key = network_card(self.store.member().session);
        let started = self.store.start_set(&key, card, Lifetime::Session)?;
        match &self.publishing {
            Some(publishing) => *lock(publishing) = Some(started),
            None => drop(started.wait()?),
        }
        Ok(())
    }

    fn look_up(&self, session: u64) -> Result<Option<Vec<u8>>> {
        Ok(self.store.get(&network_card(session))?.map(|entry| entry.value))
    }
}
