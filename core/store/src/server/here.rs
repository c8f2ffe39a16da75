// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The stores that run in this process, so that a client can see that its leader is one of them.

use std::sync::Mutex;

use mf_base::sync::lock;

static STORES: Mutex<Vec<([u8; 16], u32)>> = Mutex::new(Vec::new());

/// Registers a store until this is dropped.
pub(super) struct LocalStore([u8; 16]);

impl LocalStore {
    pub(super) fn enter(store: [u8; 16]) -> Self {
        lock(&STORES).push((store, std::process::id()));
        Self(store)
    }
}

impl Drop for LocalStore {
    fn drop(&mut self) {
        lock(&STORES).retain(|(store, _)| *store != self.0);
    }
}

/// Whether that run of a store is one of this process.
pub(crate) fn runs_here(store: [u8; 16]) -> bool {
    // A forked child has a copy of the list, but none of the threads.
    lock(&STORES).contains(&(store, std::process::id()))
}
