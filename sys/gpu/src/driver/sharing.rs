// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The same allocation in several processes.

use std::ffi::c_uint;

use crate::operations::NAMES;
use crate::types::{IPC_HANDLE_BYTES, IpcHandle};
use crate::{Driver, Result};

/// Other devices reach imported memory.
const LAZY_PEER_ACCESS: c_uint = 1;

impl Driver {
    /// Returns true if the driver has the functions for sharing memory between processes.
    pub fn can_share(&self) -> bool {
        let operations = &self.operations;
        let handles = operations.ipc_export.is_some() && operations.ipc_open.is_some();
        let words = operations.word_export.is_some() && operations.word_open.is_some();
        operations.range.is_some() && (handles || words)
    }

    /// Names the allocation that begins at an address for other processes.
    ///
    /// # Errors
    /// The driver's: it cannot be shared.
    pub fn ipc_export(&self, base: u64) -> Result<IpcHandle> {
        let mut handle = IpcHandle([0; IPC_HANDLE_BYTES]);
        if let Some(export) = self.operations.ipc_export {
            // SAFETY: writes one handle.
            self.check(&NAMES.ipc_export, unsafe { export(&raw mut handle, base) })?;
        } else {
            let export = self.operations.word_export.ok_or_else(|| self.lacks("sharing"))?;
            let mut word = 0;
            // SAFETY: writes one word.
            self.check(&NAMES.word_export, unsafe { export(&raw mut word, base) })?;
            handle.0[..8].copy_from_slice(&word.to_le_bytes());
        }
        Ok(handle)
    }

    /// Maps what another process has named, for the selected device.
    ///
    /// # Errors
    /// The driver's: the memory is gone, out of reach, or of this process.
    pub fn ipc_open(&self, handle: &IpcHandle) -> Result<u64> {
        let mut address = 0;
        if let Some(open) = self.operations.ipc_open {
            // SAFETY: writes one number; the driver checks the handle.
            let status = unsafe { open(&raw mut address, *handle, LAZY_PEER_ACCESS) };
            self.check(&NAMES.ipc_open, status)?;
        } else {
            let open = self.operations.word_open.ok_or_else(|| self.lacks("sharing"))?;
            let mut word = [0; 8];
            word.copy_from_slice(&handle.0[..8]);
            // SAFETY: writes one address; the driver checks the word.
            let status = unsafe { open(&raw mut address, u64::from_le_bytes(word), 0) };
            self.check(&NAMES.word_open, status)?;
        }
        Ok(address)
    }

    /// Ends [`ipc_open`](Self::ipc_open).
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Safety
    /// The memory must no longer be in use.
    pub unsafe fn ipc_close(&self, address: u64) -> Result<()> {
        let (names, close) = match (self.operations.ipc_close, self.operations.word_close) {
            (Some(close), _) => (&NAMES.ipc_close, close),
            (_, Some(close)) => (&NAMES.word_close, close),
            _ => return Err(self.lacks("sharing")),
        };
        // SAFETY: the caller has opened this address and uses it no longer.
        self.check(names, unsafe { close(address) })
    }
}
