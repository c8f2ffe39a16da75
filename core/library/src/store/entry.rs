// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys of a store with what belongs to them: listings, deletion, leases.

use std::ffi::{CStr, c_void};
use std::time::Duration;

use mf_abi::smem::StoreEntry;
use mf_base::{Kind, Result};

use super::{Store, millis};
use crate::call::call;
use crate::library::text_of;

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Vec<u8>,
    /// The store's revision when the value was set.
    pub revision: u64,
    /// Rank of the member that owns the key by its session.
    pub owner: Option<u32>,
}

impl Entry {
    /// Copies an entry of the library.
    ///
    /// # Safety
    /// The library lends it for the running callback.
    pub(super) unsafe fn copied(entry: &StoreEntry) -> Self {
        let bytes = usize::try_from(entry.bytes).unwrap_or(0);
        let value = match bytes {
            0 => Vec::new(),
            // SAFETY: the library lends so many bytes, as the caller says.
            _ => unsafe { std::slice::from_raw_parts(entry.value.cast::<u8>(), bytes) }.to_vec(),
        };
        let owner = u32::try_from(entry.owner).ok();
        Self { key: text_of(entry.key), value, revision: entry.revision, owner }
    }
}

/// Appends an entry to the list at `context`.
unsafe extern "C-unwind" fn collect(entry: *const StoreEntry, context: *mut c_void) -> bool {
    // SAFETY: the list that the users of this function pass, and nobody else uses meanwhile.
    let entries = unsafe { &mut *context.cast::<Vec<Entry>>() };
    // SAFETY: null, or an entry that the library lends for this call.
    if let Some(entry) = unsafe { entry.as_ref() } {
        // SAFETY: lent for this call.
        entries.push(unsafe { Entry::copied(entry) });
    }
    true
}

impl Store {
    /// Returns the entry of a key. Waits for the key, unless `timeout` is 0; `None`: there is no such key.
    ///
    /// # Errors
    /// `Timeout` the key did not appear · other errors of `mfx_store_get_entry`.
    pub fn entry(&self, key: &CStr, timeout: Duration) -> Result<Option<Entry>> {
        let mut found: Vec<Entry> = Vec::new();
        let context = (&raw mut found).cast::<c_void>();
        let (key, ms) = (key.as_ptr(), millis(timeout));
        let done = call!(self.library, mfx_store_get_entry(self.handle, key, ms, Some(collect), context));
        match done {
            Err(error) if error.kind() == Kind::NotExist && timeout.is_zero() => Ok(None),
            done => done.map(|()| found.pop()),
        }
    }

    /// Returns at most `limit` entries (0: all) with a key that starts with `prefix`, behind the key `after`.
    ///
    /// # Errors
    /// Errors of `mfx_store_list`.
    pub fn list(&self, prefix: &CStr, after: Option<&CStr>, limit: u32) -> Result<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        let context = (&raw mut entries).cast::<c_void>();
        let after = after.map_or(std::ptr::null(), CStr::as_ptr);
        let prefix = prefix.as_ptr();
        call!(self.library, mfx_store_list(self.handle, prefix, after, limit, Some(collect), context))?;
        Ok(entries)
    }

    /// Deletes a key. Returns false if it did not exist.
    ///
    /// # Errors
    /// Errors of `mfx_store_delete`.
    pub fn delete(&self, key: &CStr) -> Result<bool> {
        let mut existed = false;
        call!(self.library, mfx_store_delete(self.handle, key.as_ptr(), &raw mut existed))?;
        Ok(existed)
    }

    /// Makes a lease, and returns its number.
    ///
    /// # Errors
    /// Errors of `mfx_store_lease_grant`.
    pub fn grant_lease(&self, ttl: Duration) -> Result<u64> {
        let mut lease = 0;
        let ttl_ms = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX);
        call!(self.library, mfx_store_lease_grant(self.handle, ttl_ms, &raw mut lease))?;
        Ok(lease)
    }

    /// Sets a key that lives as `lifetime` says (`MFX_LEASE`: with this lease), and returns the store's
    /// revision.
    ///
    /// # Errors
    /// Errors of `mfx_store_set_with`.
    pub fn set_with(&self, key: &CStr, value: &[u8], lifetime: u32, lease: u64) -> Result<u64> {
        let (start, bytes, mut revision) = (value.as_ptr().cast::<c_void>(), value.len() as u64, 0);
        let key = key.as_ptr();
        call!(
            self.library,
            mfx_store_set_with(self.handle, key, start, bytes, lifetime, lease, &raw mut revision)
        )?;
        Ok(revision)
    }
}
