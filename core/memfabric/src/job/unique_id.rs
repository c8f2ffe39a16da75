// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The unique id of a job.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use mf_bootstrap::Bootstrap;
use mf_store::Server;

use crate::Result;
use crate::error::Wrap;
use crate::process::prepare;

/// Address and secret of a job's store as 128 bytes, for programs that pass them by a channel of their own:
/// MPI, a file, another store.
///
/// One process makes it, the others parse it, and all join by
/// [`JobBuilder::unique_id`](super::JobBuilder::unique_id).
/// **It contains the secret of the job**: pass it over a channel that others cannot read, and do not log it.
/// `Send` and `Sync`.
///
/// ```
/// use memfabric::{Job, Rank, UniqueId};
///
/// # fn main() -> memfabric::Result<()> {
/// let made = UniqueId::create(Some([127, 0, 0, 1].into()))?;     // in one process
/// let bytes = *made.as_bytes();                                 // through any channel
/// let id = UniqueId::parse(&bytes)?;                            // in all the others
/// # let id = made;
/// let job = Job::builder().unique_id(&id, Some(Rank(0)), 1)?.join()?;
/// assert_eq!(job.world_size(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct UniqueId {
    id: mf_bootstrap::UniqueId,
    /// The store, in the process that made the id.
    server: Option<Arc<Server>>,
}

impl UniqueId {
    /// Length in bytes.
    pub const BYTES: usize = mf_bootstrap::UniqueId::BYTES;

    /// Starts a store for a job of any size on a free port of `address`, with a fresh secret, and makes the
    /// id that leads to it. Without an address it is the own address on the default route, or loopback
    /// without a network. The store lives as long as this value and its clones. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` the address is not one of this machine, or one that others cannot use · `NoResources`.
    pub fn create(address: Option<IpAddr>) -> Result<Self> {
        prepare()?;
        let (id, server) = mf_bootstrap::UniqueId::create(address).wrap()?;
        Ok(Self { id, server: Some(Arc::new(server)) })
    }

    /// Parses the bytes of an id.
    ///
    /// # Errors
    /// `InvalidParam` other bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Ok(Self { id: mf_bootstrap::UniqueId::parse(bytes).wrap()?, server: None })
    }

    /// Returns the bytes. They contain the secret.
    pub fn as_bytes(&self) -> &[u8; Self::BYTES] {
        self.id.as_bytes()
    }

    /// Ends this value; its store goes on until the last member has left it.
    pub fn linger(self) {
        if let Some(server) = self.server.and_then(Arc::into_inner) {
            server.linger();
        }
    }

    pub(super) fn inner(&self) -> &mf_bootstrap::UniqueId {
        &self.id
    }

    pub(super) fn beside(&self, place: Bootstrap) -> Bootstrap {
        match &self.server {
            Some(server) => place.beside(server),
            None => place,
        }
    }
}

impl fmt::Debug for UniqueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.id, f)
    }
}
