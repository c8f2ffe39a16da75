// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of an endpoint: registered ranges, and memory allocated for others to map.

use mf_base::Result;

use super::Endpoint;

impl Endpoint {
    /// Returns the number of registered ranges.
    pub fn registered(&self) -> usize {
        self.0.memory.count()
    }

    /// Lets others access `bytes` at `address`, from the return on. The memory may be anywhere, and stays the
    /// program's: others' writes change it at any time. Idempotent. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` null, 0 bytes, or over the last address · `NotInit` in a forked child.
    pub fn register(&self, address: u64, bytes: u64) -> Result<()> {
        self.check()?;
        self.0.memory.register(address, bytes)
    }

    /// Registers several ranges (address and length), all or none. Where they adjoin a transfer may go over
    /// several. **Local.**
    ///
    /// # Errors
    /// As [`register`](Self::register); `piece` names the range.
    pub fn register_all(&self, ranges: impl IntoIterator<Item = (u64, u64)>) -> Result<()> {
        self.check()?;
        self.0.memory.register_all(ranges)
    }

    /// Withdraws the registration at `address`. When it returns others do not read or write there any more,
    /// unless the memory is inside another registered range. Waits for copies in flight.
    ///
    /// # Errors
    /// `NotExist` no registration begins there · `Timeout` a process is stopped in the middle of a copy: the
    /// memory must stay.
    pub fn deregister(&self, address: u64) -> Result<()> {
        self.check()?;
        self.0.memory.withdraw(address)
    }

    /// Memory of zeroes that is registered, and that processes of this host map; aligned to pages. It ends
    /// with [`free`](Self::free), or with the endpoint. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` 0 bytes · `OutOfMemory`, `NoResources`.
    pub fn allocate(&self, bytes: u64) -> Result<u64> {
        self.check()?;
        self.0.memory.allocate(bytes)
    }

    /// Takes back and frees memory of [`allocate`](Self::allocate).
    ///
    /// # Errors
    /// `NotExist` none was allocated at this address · `Timeout` as [`deregister`](Self::deregister); it is
    /// not freed then.
    pub fn free(&self, address: u64) -> Result<()> {
        self.check()?;
        self.0.memory.free(address)
    }
}
