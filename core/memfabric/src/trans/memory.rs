// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory that peers read and write.

use super::Endpoint;
use crate::Result;
use crate::error::Wrap;

/// Memory of an endpoint that peers read and write at any time; freed when dropped. `Send` and `Sync`.
///
/// It is no slice, because it changes at any time: [`read`](Self::read) and [`write`](Self::write) copy.
#[derive(Debug)]
pub struct Block {
    endpoint: Endpoint,
    address: u64,
    bytes: u64,
}

impl Block {
    pub(super) fn allocate(endpoint: &Endpoint, bytes: u64) -> Result<Self> {
        let address = endpoint.inner().allocate(bytes).wrap()?;
        Ok(Self { endpoint: endpoint.clone(), address, bytes })
    }

    /// Returns its address, by which peers name it: the first byte, in the numbers of this process.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Returns its length.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Fills `destination` from the bytes that begin at `offset`.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside the block.
    pub fn read(&self, offset: u64, destination: &mut [u8]) -> Result<()> {
        self.endpoint.read(destination, self.endpoint.name(), self.address.saturating_add(offset))
    }

    /// Copies `source` to the bytes that begin at `offset`.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside the block.
    pub fn write(&self, offset: u64, source: &[u8]) -> Result<()> {
        self.endpoint.write(source, self.endpoint.name(), self.address.saturating_add(offset))
    }

    /// Withdraws and frees it: no peer can access it when this returns.
    ///
    /// # Errors
    /// `Timeout` a process is stopped in the middle of a copy: the memory stays until the endpoint ends.
    pub fn free(mut self) -> Result<()> {
        self.release()
    }

    fn release(&mut self) -> Result<()> {
        match std::mem::take(&mut self.address) {
            0 => Ok(()),
            address => self.endpoint.inner().free(address).wrap(),
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // Memory that a stopped process holds up stays until the endpoint ends.
        let _ = self.release();
    }
}

impl Endpoint {
    /// Lets peers access `bytes` at `address`, from the return on. The memory may be anywhere, an
    /// accelerator's included. Idempotent. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` null, 0 bytes, or over the last address · `NotInit` in a forked child.
    ///
    /// # Safety
    /// The memory is valid until [`deregister`](Self::deregister) has returned or the endpoint has ended, and
    /// the program accesses it only by raw pointers that allow for changes at any time.
    pub unsafe fn register(&self, address: *mut u8, bytes: u64) -> Result<()> {
        self.inner().register(address.expose_provenance() as u64, bytes).wrap()
    }

    /// Withdraws the registration at `address`: when it returns peers do not access the memory any more.
    /// Waits for copies in flight.
    ///
    /// # Errors
    /// `NotExist` no registration begins there · `Timeout` a process is stopped in the middle of a copy: the
    /// memory must stay.
    pub fn deregister(&self, address: *mut u8) -> Result<()> {
        self.inner().deregister(address.addr() as u64).wrap()
    }
}
