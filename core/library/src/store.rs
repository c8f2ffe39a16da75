// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The config store (`mfx_store_*`), and a server of it.
//!
//! * `entry`: keys, listings and leases. `watch`: watches, with their callbacks.

mod entry;
mod watch;

use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::time::Duration;

use mf_abi::smem::{SMEM_STORE_SKIP_RECOVER, StoreHandle, StoreMember, StoreOptions};
use mf_base::{Kind, Result};

use crate::call::{call, pointer, value};
use crate::library::{Library, c_text, library, text_of};

pub use entry::Entry;
pub use watch::{Leader, Peer};

/// A membership in a store, of its own or through big memory. Dropping it closes its own membership.
pub struct Store {
    library: &'static Library,
    /// Null: through big memory.
    handle: StoreHandle,
}

// SAFETY: a handle is a number for the library, which any thread may call.
unsafe impl Send for Store {}
// SAFETY: as above.
unsafe impl Sync for Store {}

/// Milliseconds of a timeout. A timeout of 49 days or more has no limit.
pub fn millis(timeout: Duration) -> u32 {
    u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX)
}

impl Store {
    /// Connects to a store, after `change` to the default options: as a guest, for a job of any size.
    ///
    /// # Errors
    /// Errors of `mfx_store_connect`.
    pub fn connect(url: &str, change: impl FnOnce(&mut StoreOptions)) -> Result<Self> {
        let library = library()?;
        let (url, options) = (c_text(url)?, options(library, change)?);
        let handle = pointer!(library, mfx_store_connect(url.as_ptr(), &raw const options))?;
        Ok(Self { library, handle })
    }

    pub(crate) fn of_big_memory(library: &'static Library) -> Self {
        Self { library, handle: std::ptr::null_mut() }
    }

    /// Leaves the store. Later calls fail with `NotConnected` or `InvalidParam`; may be repeated.
    pub fn close(&self) {
        value!(self.library, mfx_store_close(self.handle));
    }

    /// This process as the store knows it.
    ///
    /// # Errors
    /// Errors of `mfx_store_member`.
    pub fn member(&self) -> Result<StoreMember> {
        let mut member = StoreMember::default();
        call!(self.library, mfx_store_member(self.handle, &raw mut member))?;
        Ok(member)
    }

    /// Returns true if the store has announced its end.
    ///
    /// # Errors
    /// Errors of `mfx_store_has_ended`.
    pub fn has_ended(&self) -> Result<bool> {
        let mut ended = false;
        call!(self.library, mfx_store_has_ended(self.handle, &raw mut ended))?;
        Ok(ended)
    }

    /// Returns the leader of the store.
    ///
    /// # Errors
    /// Errors of `mfx_store_leader` and `mfx_store_member`.
    pub fn leader(&self) -> Result<Leader> {
        let (mut term, mut place) = (0, Place::new());
        call!(self.library, mfx_store_leader(self.handle, &raw mut term, place.start(), Place::BYTES))?;
        Ok(Leader { term, place: place.text(), here: self.member()?.is_leader != 0 })
    }

    /// Returns the members of the job, their connections and their waits, as JSON.
    ///
    /// # Errors
    /// Errors of `mfx_store_state_json`.
    pub fn state_json(&self) -> Result<String> {
        pointer!(self.library, mfx_store_state_json(self.handle)).map(text_of)
    }

    /// Sets a key that lives as `lifetime` says (`MFX_PERMANENT`, `MFX_SESSION`).
    ///
    /// # Errors
    /// Errors of `mfx_store_set_with`.
    pub fn set(&self, key: &CStr, value: &[u8], lifetime: u32) -> Result<()> {
        self.set_with(key, value, lifetime, 0).map(drop)
    }

    /// Reads a value into `to`, and returns its length. Waits for the key, unless `timeout` is 0.
    ///
    /// # Errors
    /// `NotExist` no such key, without a timeout · `BufferTooSmall` · other errors of `mfx_store_get`.
    pub fn get(&self, key: &CStr, timeout: Duration, to: &mut [u8]) -> Result<usize> {
        let (start, room) = (to.as_mut_ptr().cast::<c_void>(), to.len() as u64);
        let mut bytes = 0;
        call!(
            self.library,
            mfx_store_get(self.handle, key.as_ptr(), millis(timeout), start, room, &raw mut bytes)
        )?;
        Ok(usize::try_from(bytes).unwrap_or(to.len()))
    }

    /// Returns true if a key exists, with a value of at most 64 bytes.
    ///
    /// # Errors
    /// Errors of `mfx_store_get`.
    pub fn has(&self, key: &CStr) -> Result<bool> {
        match self.get(key, Duration::ZERO, &mut [0; 64]) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == Kind::NotExist => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Waits for a key, and returns its value of at most `most` bytes.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub fn wait(&self, key: &CStr, timeout: Duration, most: usize) -> Result<Vec<u8>> {
        let mut value = vec![0; most];
        let bytes = self.get(key, timeout, &mut value)?;
        value.truncate(bytes);
        Ok(value)
    }

    /// Adds to a number, and returns the sum.
    ///
    /// # Errors
    /// Errors of `mfx_store_add`.
    pub fn add(&self, key: &CStr, delta: i64) -> Result<i64> {
        let mut sum = 0;
        call!(self.library, mfx_store_add(self.handle, key.as_ptr(), delta, &raw mut sum))?;
        Ok(sum)
    }

    /// Waits until `members` members have called with this name. Collective.
    ///
    /// # Errors
    /// Errors of `mfx_store_barrier`.
    pub fn barrier(&self, name: &CStr, members: u32, timeout: Duration) -> Result<()> {
        call!(self.library, mfx_store_barrier(self.handle, name.as_ptr(), members, millis(timeout)))
    }

    /// Returns the values of `members` members, each with its rank. Collective.
    ///
    /// # Errors
    /// Errors of `mfx_store_allgather`.
    pub fn allgather(
        &self,
        name: &CStr,
        members: u32,
        own: &[u8],
        timeout: Duration,
    ) -> Result<Vec<(u32, Vec<u8>)>> {
        let mut parts: Vec<(u32, Vec<u8>)> = Vec::new();
        let (start, bytes, timeout) = (own.as_ptr().cast::<c_void>(), own.len() as u64, millis(timeout));
        let all = (&raw mut parts).cast::<c_void>();
        let library = self.library;
        call!(
            library,
            mfx_store_allgather(self.handle, name.as_ptr(), members, start, bytes, timeout, Some(take), all)
        )?;
        Ok(parts)
    }
}

/// The default options with changes.
fn options(library: &Library, change: impl FnOnce(&mut StoreOptions)) -> Result<StoreOptions> {
    let mut options = MaybeUninit::<StoreOptions>::uninit();
    call!(library, mfx_store_options_init(options.as_mut_ptr()))?;
    // SAFETY: filled by the call before, which did not fail.
    let mut options = unsafe { options.assume_init() };
    change(&mut options);
    Ok(options)
}

/// Room for the address of a store.
struct Place([c_char; 256]);

impl Place {
    const BYTES: u64 = 256;

    fn new() -> Self {
        Self([0; 256])
    }

    fn start(&mut self) -> *mut c_char {
        self.0.as_mut_ptr()
    }

    fn text(&self) -> String {
        text_of(self.0.as_ptr())
    }
}

/// Appends a part of an allgather to the list at `context`.
unsafe extern "C-unwind" fn take(rank: u32, value: *const c_void, bytes: u64, context: *mut c_void) -> bool {
    // SAFETY: the list that the only user of this function passes, and nobody else uses meanwhile.
    let parts = unsafe { &mut *context.cast::<Vec<(u32, Vec<u8>)>>() };
    let bytes = usize::try_from(bytes).unwrap_or(0);
    let part = match bytes {
        0 => Vec::new(),
        // SAFETY: the library lends so many bytes for the call.
        _ => unsafe { std::slice::from_raw_parts(value.cast::<u8>(), bytes) }.to_vec(),
    };
    parts.push((rank, part));
    true
}

impl Drop for Store {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            self.close();
        }
    }
}

/// A server of a store in this process. Dropping it ends the server.
pub struct StoreServer {
    library: &'static Library,
    url: CString,
}

impl StoreServer {
    /// Starts the server of a URL, without asking for an earlier server's keys.
    ///
    /// # Errors
    /// Errors of `smem_create_config_store`.
    pub fn start(url: &str) -> Result<Self> {
        let (library, url) = (library()?, c_text(url)?);
        call!(library, smem_create_config_store(url.as_ptr(), SMEM_STORE_SKIP_RECOVER))?;
        Ok(Self { library, url })
    }

    /// Starts the server of a URL after `change` to the default options, and returns its address, too.
    ///
    /// # Errors
    /// Errors of `mfx_store_serve`.
    pub fn serve(url: &str, change: impl FnOnce(&mut StoreOptions)) -> Result<(Self, String)> {
        let library = library()?;
        let (url, options) = (c_text(url)?, options(library, change)?);
        let mut place = Place::new();
        call!(library, mfx_store_serve(url.as_ptr(), &raw const options, place.start(), Place::BYTES))?;
        Ok((Self { library, url }, place.text()))
    }
}

impl Drop for StoreServer {
    fn drop(&mut self) {
        value!(self.library, smem_destroy_config_store(self.url.as_ptr()));
    }
}
