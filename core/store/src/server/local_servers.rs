// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The stores that run in this process, so that a client can see that its leader is one of them.

use mf_base::os::per_process::PerProcess;

static STORES: PerProcess<Vec<[u8; 16]>> = PerProcess::new(Vec::new());

/// Registers a store until this is dropped.
pub(super) struct LocalStore([u8; 16]);

impl LocalStore {
    pub(super) fn enter(store: [u8; 16]) -> Self {
        STORES.lock().push(store);
        Self(store)
    }
}

impl Drop for LocalStore {
    fn drop(&mut self) {
        STORES.lock().retain(|store| *store != self.0);
    }
}

/// Returns true if that run of a store is in this process.
pub(crate) fn runs_here(store: [u8; 16]) -> bool {
    STORES.lock().contains(&store)
}
