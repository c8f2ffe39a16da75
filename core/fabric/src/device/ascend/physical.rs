// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Addresses and blocks of device memory: the calls that differ between the products, behind one trait.
//!
//! * [`super::acl_memory`]: the public calls of ACL, for products that reserve addresses with a hint (A2, A3).
//! * [`super::hal_memory`]: the driver's calls with its range of remote addresses, for those that do not (950).
//!
//! All methods are called with the device's context current. What they make is owned by [`Block`] and
//! [`super::window`], which give it back on every way out.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use mf_base::{ByteLen, Error, Kind, Result};

use super::cann::{OrRefused, length, pointer};
use super::runtime::Runtime;
use super::token::Ticket;

/// CANN's name of a block of physical memory in this process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle(pub(super) *mut c_void);

// SAFETY: a name that CANN looks up; handles may be used from every thread of the process.
unsafe impl Send for Handle {}
// SAFETY: as for `Send`.
unsafe impl Sync for Handle {}

/// Who made a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// This process.
    Own,
    /// Another one, which shared it.
    Foreign,
}

/// Reserves addresses, makes blocks, maps and shares them.
///
/// # Errors
/// Every method: what CANN refused, with function, code and text.
pub(super) trait Physical: Send + Sync {
    /// By which calls, for people.
    fn describe(&self) -> &'static str;

    /// By which calls blocks are shared, for people.
    fn describe_sharing(&self) -> &'static str;

    /// The addresses at which windows of pools may lie.
    fn address_range(&self) -> Range<u64>;

    /// Reserves exactly `range`.
    fn reserve(&self, range: &Range<u64>) -> Result<()>;

    /// Gives a reservation back.
    ///
    /// # Safety
    /// Nothing is mapped in it, and nobody uses it any more.
    unsafe fn release(&self, range: &Range<u64>) -> Result<()>;

    /// Makes a block of `bytes` bytes of HBM.
    fn create(&self, bytes: u64) -> Result<Handle>;

    /// Gives up a handle from `create` or `import`.
    ///
    /// # Safety
    /// It is not used again.
    unsafe fn free(&self, handle: Handle) -> Result<()>;

    /// Maps a whole block for reading and writing.
    ///
    /// # Safety
    /// Nobody accesses these addresses, which lie in a reservation of ours.
    unsafe fn map(&self, address: u64, bytes: u64, handle: Handle, origin: Origin) -> Result<()>;

    /// Unmaps what was mapped at `address`.
    ///
    /// # Safety
    /// Nobody accesses it any more.
    unsafe fn unmap(&self, address: u64) -> Result<()>;

    /// Names an own block for other processes; once per block.
    fn export(&self, handle: Handle) -> Result<Ticket>;

    /// Lets `process` import it.
    fn authorise(&self, ticket: &Ticket, process: i32) -> Result<()>;

    /// A handle of another process's block.
    fn import(&self, ticket: &Ticket) -> Result<Handle>;
}

/// A block of physical memory; dropping it gives up the handle.
pub(super) struct Block {
    runtime: Arc<Runtime>,
    handle: Handle,
    bytes: u64,
    origin: Origin,
    exported: Mutex<Option<Exported>>,
}

/// A block is exported once; every further peer is only authorised.
struct Exported {
    ticket: Ticket,
    authorised: Vec<i32>,
}

impl Block {
    /// A new block of this process.
    pub(super) fn create(runtime: &Arc<Runtime>, bytes: u64) -> Result<Self> {
        let handle = runtime.run(|| runtime.physical()?.create(bytes))??;
        Ok(Self::new(runtime, handle, bytes, Origin::Own))
    }

    /// Another process's block.
    pub(super) fn import(runtime: &Arc<Runtime>, bytes: u64, ticket: &Ticket) -> Result<Self> {
        let handle = runtime.run(|| {
            runtime.peers().reach(ticket.device)?;
            runtime.physical()?.import(ticket)
        })??;
        Ok(Self::new(runtime, handle, bytes, Origin::Foreign))
    }

    fn new(runtime: &Arc<Runtime>, handle: Handle, bytes: u64, origin: Origin) -> Self {
        Self { runtime: Arc::clone(runtime), handle, bytes, origin, exported: Mutex::new(None) }
    }

    /// Its length.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Maps it at `address`.
    ///
    /// # Safety
    /// Nobody accesses these addresses, which lie in a reservation of ours.
    pub(super) unsafe fn map(&self, address: u64) -> Result<()> {
        self.runtime.run(|| {
            let physical = self.runtime.physical()?;
            // SAFETY: passed on to the caller.
            unsafe { physical.map(address, self.bytes, self.handle, self.origin) }
        })?
    }

    /// Sets all of it to zero.
    ///
    /// # Safety
    /// It is mapped at `address`, and nobody accesses it.
    pub(super) unsafe fn clear(&self, address: u64) -> Result<()> {
        self.runtime.run(|| {
            let (at, bytes) = (pointer(address), length(self.bytes));
            // SAFETY: passed on to the caller.
            unsafe { self.runtime.cann.acl().memset(at, bytes, 0, bytes) }.or_refused()
        })?
    }

    /// What `process` needs to import it; authorises that process.
    pub(super) fn share(&self, process: i32) -> Result<Vec<u8>> {
        self.runtime.run(|| {
            let mut exported = self.exported.lock().unwrap_or_else(PoisonError::into_inner);
            let physical = self.runtime.physical()?;
            let exported = match &mut *exported {
                Some(exported) => exported,
                none => {
                    none.insert(Exported { ticket: physical.export(self.handle)?, authorised: Vec::new() })
                }
            };
            if !exported.authorised.contains(&process) {
                physical.authorise(&exported.ticket, process)?;
                exported.authorised.push(process);
            }
            Ok(exported.ticket.encode())
        })?
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the handle is this block's own.
        let freed = self.runtime.run(|| unsafe { self.runtime.physical()?.free(self.handle) });
        if let Err(error) = freed.flatten() {
            tracing::warn!(bytes = self.bytes, "a block of device memory was not given back: {error}");
        }
    }
}

/// These addresses are in use in this process; the pool then looks for others.
#[cold]
pub(super) fn taken(range: &Range<u64>) -> Error {
    Error::new(Kind::InUse, "device window")
        .what("a range of device addresses is taken in this process")
        .with("range", format!("{:#x}-{:#x}", range.start, range.end))
        .with("bytes", ByteLen(range.end - range.start))
}
