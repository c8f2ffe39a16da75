// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A server that a program started for a URL, with its callbacks for lost members and for the leadership.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::Result;
use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_store::{LostFn, Store};
use mf_tls::Access;

use crate::leadership::{self, Leadership};
use crate::rendezvous::{self, Options};
use crate::{Host, StoreUrl};

/// Time limit of a start; with a backend, it includes an election.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Time limit of a guest's search for a store.
pub const GUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A server of this process.
pub struct Served {
    url: StoreUrl,
    /// None for clusters that need no server of this library.
    host: Option<Arc<Host>>,
    on_lost: Arc<Mutex<Option<LostFn>>>,
    /// Guest of the own store, while a callback for the leadership is set.
    guest: Mutex<Option<Arc<dyn Store>>>,
    owner: Owner,
}

/// Options of a server.
#[derive(Debug)]
pub struct Start {
    /// Ranks of the job; 0: the first member sets the number.
    pub world_size: u32,
    /// Does not wait for members of a store that ran here before.
    pub skip_recovery: bool,
    /// Limit of the start; with a backend, it includes an election.
    pub timeout: Duration,
    /// Credentials of the server.
    pub access: Access,
}

impl Start {
    /// A server for a job of any size, started within 30 s.
    pub fn new(skip_recovery: bool, access: Access) -> Self {
        Self { world_size: 0, skip_recovery, timeout: START_TIMEOUT, access }
    }
}

impl Served {
    /// Starts a server. An etcd store starts none: it runs in the process of the elected member.
    ///
    /// # Errors
    /// As for [`rendezvous::join`].
    pub fn start(url: StoreUrl, start: Start) -> Result<Self> {
        let host = match &url {
            StoreUrl::Etcd { .. } => None,
            StoreUrl::Tcp { .. } | StoreUrl::Backend { .. } => {
                let joined = rendezvous::join(Options {
                    only_server: true,
                    skip_recovery: start.skip_recovery,
                    init_timeout: start.timeout,
                    request_timeout: start.timeout,
                    access: start.access,
                    ..Options::new(url.clone(), start.world_size)
                })?;
                joined.host
            }
        };
        Ok(Self { url, host, on_lost: Arc::default(), guest: Mutex::default(), owner: Owner::current() })
    }

    /// Returns the URL of the store.
    pub fn url(&self) -> &StoreUrl {
        &self.url
    }

    /// Returns the server, unless the cluster needs none.
    pub fn host(&self) -> Option<&Arc<Host>> {
        self.host.as_ref()
    }

    /// Returns true if this process started it, not its parent.
    pub fn is_own(&self) -> bool {
        self.owner.is_current()
    }

    /// Ends the server and its callbacks, also while shares are still held.
    pub fn end(&self) {
        self.forget_guest();
        *lock(&self.on_lost) = None;
        if let Some(host) = &self.host {
            host.stop();
        }
    }

    /// Sets the callback for lost members.
    ///
    /// # Errors
    /// As for [`Host::on_member_lost`].
    pub fn set_on_lost(&self, callback: Option<LostFn>) -> Result<()> {
        let is_set = callback.is_some();
        let first = std::mem::replace(&mut *lock(&self.on_lost), callback).is_none();
        let Some(host) = self.host.as_ref().filter(|_| first && is_set) else { return Ok(()) };
        let on_lost = Arc::clone(&self.on_lost);
        host.on_member_lost(Arc::new(move |link, rank| {
            // Cloned, so that the callback runs without the lock.
            let callback = lock(&on_lost).clone();
            if let Some(callback) = callback {
                callback(link, rank);
            }
        }))
    }

    /// Sets the callback for changes of the leadership, which a guest of the store with `access` observes.
    ///
    /// # Errors
    /// As for [`rendezvous::visit`] and [`leadership::watch`].
    pub fn set_on_leader<F>(&self, access: Access, notify: Option<F>) -> Result<()>
    where
        F: Fn(&Leadership) + Send + Sync + 'static,
    {
        // The earlier callback ends with its guest.
        self.forget_guest();
        let Some(notify) = notify else { return Ok(()) };
        let guest = rendezvous::visit(self.url.clone(), access, GUEST_TIMEOUT)?;
        leadership::watch(&guest, notify)?;
        *lock(&self.guest) = Some(guest);
        Ok(())
    }

    fn forget_guest(&self) {
        let guest = lock(&self.guest).take();
        if let Some(guest) = guest {
            guest.close();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if self.is_own() {
            self.end();
        }
    }
}
