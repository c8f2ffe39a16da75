// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registration of memory, and allocation of memory for it.

use std::sync::Arc;

use mf_base::{Error, Kind, Result};

use super::{Allocation, Endpoint, OP};

impl Endpoint {
    /// Returns the number of registered ranges.
    pub fn count(&self) -> usize {
        self.regions.count()
    }

    /// Lets others access `bytes` at `address`, from the return on. Registering it again changes nothing.
    ///
    /// # Errors
    /// `InvalidParam` null, 0 bytes, or beyond the end of all addresses.
    pub fn register(&self, address: u64, bytes: u64) -> Result<()> {
        let end = end_of(address, bytes)?;
        self.regions.change(|table| table.register(address, end));
        Ok(())
    }

    /// Lets others access ranges (address and length); adjoining ones are merged. All or nothing.
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

    /// Withdraws all registrations that begin at `address`; when it returns not one byte of them is read or
    /// written by others, unless it lies in another registered range. Waits for running copies.
    ///
    /// # Errors
    /// `NotExist` no registration begins there · `Timeout` a process is stopped in the middle of a copy: the
    /// memory must stay.
    pub fn withdraw(&self, address: u64) -> Result<()> {
        if !self.regions.withdraw(|table| table.withdraw(address)) {
            return Err(unknown(address));
        }
        self.revoke()?;
        // Importers end their import first.
        let stale = self.regions.stale_exports();
        stale.iter().for_each(|(id, _)| self.network.file_gone(*id));
        Ok(())
    }

    /// Returns true if all of `bytes` at `address` lie in one registered range of this process.
    pub fn covers(&self, address: u64, bytes: u64) -> bool {
        self.regions.covers(address, bytes)
    }

    /// Returns the number of withdrawals: as long as it stays the same, a covered range stays covered.
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
    /// `NotExist` no allocation begins there · as [`withdraw`](Self::withdraw); it is not freed then.
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
