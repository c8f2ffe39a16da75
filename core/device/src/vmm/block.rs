// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks of physical memory, own and other processes'.

use std::sync::{Arc, Mutex};

use mf_base::Result;
use mf_base::sync::lock;

use super::driver::{Handle, Mapper, Origin};
use crate::{GivenBlock, Token};

/// A block of physical memory; dropping it gives up the handle.
pub(super) struct Block {
    driver: Arc<dyn Mapper>,
    handle: Handle,
    bytes: u64,
    origin: Origin,
    exported: Mutex<Option<Exported>>,
}

/// A block is exported once; every further peer is only authorised.
struct Exported {
    shared: Token,
    authorised: Vec<i32>,
}

impl Block {
    /// A new block of this process.
    pub(super) fn create(driver: &Arc<dyn Mapper>, bytes: u64) -> Result<Self> {
        let handle = driver.run(|| driver.physical()?.create(bytes))??;
        Ok(Self::new(driver, handle, bytes, Origin::Own))
    }

    /// Another process's block.
    pub(super) fn import(driver: &Arc<dyn Mapper>, bytes: u64, shared: &Token) -> Result<Self> {
        let handle = driver.run(|| driver.physical()?.import(shared))??;
        Ok(Self::new(driver, handle, bytes, Origin::Foreign))
    }

    /// A block that the program has mapped; a reference is taken.
    pub(super) fn adopt(driver: &Arc<dyn Mapper>, given: &GivenBlock) -> Result<Self> {
        let GivenBlock { address, bytes, .. } = *given;
        let handle = driver.run(|| driver.physical()?.retain(address))??;
        // Dropping it gives the reference back.
        let block = Self::new(driver, handle, bytes, Origin::Own);
        driver.run(|| driver.physical()?.check_retained(handle, address, bytes))??;
        if let Some(fabric_handle) = &given.fabric_handle {
            let shared = driver.run(|| driver.physical()?.exported(fabric_handle))??;
            *lock(&block.exported) = Some(Exported { shared, authorised: Vec::new() });
        }
        Ok(block)
    }

    fn new(driver: &Arc<dyn Mapper>, handle: Handle, bytes: u64, origin: Origin) -> Self {
        Self { driver: Arc::clone(driver), handle, bytes, origin, exported: Mutex::new(None) }
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
        self.driver.run(|| {
            let physical = self.driver.physical()?;
            // SAFETY: the caller keeps others away from these addresses, which lie in a reservation of ours.
            unsafe { physical.map(address, self.bytes, self.handle, self.origin) }
        })?
    }

    /// Sets all of it to zero.
    ///
    /// # Safety
    /// It is mapped at `address`, and nobody accesses it.
    pub(super) unsafe fn clear(&self, address: u64) -> Result<()> {
        // SAFETY: the caller vouches that the block is mapped there and nobody accesses it.
        self.driver.run(|| unsafe { self.driver.clear(address, self.bytes) })?
    }

    /// Returns the token that `process` needs to import it; authorises that process.
    pub(super) fn share(&self, process: i32) -> Result<Token> {
        self.driver.run(|| {
            let mut exported = lock(&self.exported);
            let physical = self.driver.physical()?;
            let exported = match &mut *exported {
                Some(exported) => exported,
                none => {
                    none.insert(Exported { shared: physical.export(self.handle)?, authorised: Vec::new() })
                }
            };
            if !exported.authorised.contains(&process) {
                physical.authorise(&exported.shared, process)?;
                exported.authorised.push(process);
            }
            exported.shared.duplicate()
        })?
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the handle is this block's own.
        let freed = self.driver.run(|| unsafe { self.driver.physical()?.free(self.handle) });
        if let Err(error) = freed.flatten() {
            tracing::warn!(bytes = self.bytes, "a block of device memory was not given back: {error}");
        }
    }
}
