// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is registered, and memory that is allocated for it.

use std::sync::Arc;

use mf_base::{Error, Kind, Result};

use super::{Allocation, Endpoint, OP};

impl Endpoint {
    /// How many ranges are registered.
    pub fn count(&self) -> usize {
        self.regions.count()
    }

    /// Lets others access `bytes` at `address`, from the return on. Once more: nothing.
    ///
    /// # Errors
    /// `InvalidParam` null, 0 bytes, or more than there are addresses.
    pub fn register(&self, address: u64, bytes: u64) -> Result<()> {
        let end = end_of(address, bytes)?;
        self.regions.change(|table| table.register(address, end));
        Ok(())
    }

    /// Lets others access ranges (address and length); those that adjoin are one. All or nothing.
    ///
    /// # Errors
    /// As [`register`](Self::register); `piece` names the range.
    pub fn register_all(&self, ranges: impl IntoIterator<Item = (u64, u64)>) -> Result<()> {
        let with_end = |(number, (address, bytes)): (usize, (u64, u64))| {
            let end = end_of(address, bytes).map_err(|error| error.with("piece", number))?;
            Ok((address, end))
        };
        let ranges = ranges.into_iter().enumerate().map(with_end).collect::<Result<Vec<_>>>()?;
        self.regions.change(|table| table.register_all(&ranges));
        Ok(())
    }

    /// Takes back all that was registered from `address` on; when it returns not one byte of it is read or
    /// written by others, unless it lies in another registered range. Waits for what is being copied.
    ///
    /// # Errors
    /// `NotExist` nothing is registered from there on · `Timeout` a process is stopped in the middle of a
    /// copy: the memory must stay.
    pub fn withdraw(&self, address: u64) -> Result<()> {
        if !self.regions.withdraw(|table| table.withdraw(address)) {
            return Err(unknown(address));
        }
        self.revoke()?;
        // Those that have imported it end that first.
        let stale = self.regions.stale_exports();
        stale.iter().for_each(|(id, _)| self.network.file_gone(*id));
        Ok(())
    }

    /// Whether all of `bytes` at `address` lie in one registered range of this process.
    pub fn covers(&self, address: u64, bytes: u64) -> bool {
        self.regions.covers(address, bytes)
    }

    /// How often memory was withdrawn: as long as it stays the same, what was covered is covered.
    pub fn withdrawals(&self) -> u64 {
        self.regions.withdrawals()
    }

    fn revoke(&self) -> Result<()> {
        self.network.revoke(self.key, self.network.deadlines().after(0))
    }

    /// Allocates memory of zeroes and registers it: processes of this host map it. Its address is a multiple
    /// of the page.
    ///
    /// # Errors
    /// `InvalidParam` 0 bytes · `OutOfMemory`, `NoResources`.
    pub fn allocate(&self, bytes: u64) -> Result<u64> {
        Ok(self.share(Arc::new(Allocation::new(bytes)?)))
    }

    /// Registers memory that was allocated before: processes of this host map it. Its address.
    pub fn share(&self, allocation: Arc<Allocation>) -> u64 {
        let (start, bytes) = (allocation.start(), allocation.bytes());
        self.regions.insert(allocation);
        self.regions.change(|table| table.register(start, start + bytes));
        start
    }

    /// Withdraws memory that was allocated or shared, and gives up its share in it.
    ///
    /// # Errors
    /// `NotExist` nothing was allocated there · as [`withdraw`](Self::withdraw); it is not freed then.
    pub fn free(&self, address: u64) -> Result<()> {
        let end = self.regions.end_of(address).ok_or_else(|| {
            Error::new(Kind::NotExist, OP)
                .what("no memory was allocated at this address")
                .with("address", format_args!("{address:#x}"))
        })?;
        self.regions.withdraw(|table| table.withdraw_within(address, end));
        self.revoke()?;
        if let Some(id) = self.regions.free(address) {
            self.network.file_gone(id);
        }
        Ok(())
    }
}

fn end_of(address: u64, bytes: u64) -> Result<u64> {
    let end = address.checked_add(bytes).filter(|_| address != 0 && bytes != 0);
    end.ok_or_else(|| {
        Error::invalid("registration", "a range of 0 bytes, at null or beyond the last address")
            .with("address", format_args!("{address:#x}"))
            .with("bytes", bytes)
    })
}

#[cold]
fn unknown(address: u64) -> Error {
    Error::new(Kind::NotExist, "withdrawal of memory")
        .what("nothing is registered from this address on")
        .with("address", format_args!("{address:#x}"))
}
