// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory for other processes: shareable handles of physical memory, and keys of allocated memory.

use std::ffi::{CStr, c_char, c_void};
use std::fmt;

use super::{Acl, Physical, call};
use crate::Result;
use crate::raw::types::*;

/// Restriction of imports to named processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PidCheck {
    /// Only processes named by the exporter may import.
    Named,
    /// Any process that has the handle or key.
    Anyone,
}

/// Which shareable handle is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareableKind {
    /// 8 bytes, for processes of this host.
    Host,
    /// 128 bytes, for processes of the super node.
    Fabric,
}

/// Shareable handle of the second kind (V2): plain bytes to send to the importer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shareable {
    /// For processes of this host; the same number that the first kind has.
    Host(u64),
    /// For processes of the super node.
    Fabric([u8; 128]),
}

impl Shareable {
    fn empty(kind: ShareableKind) -> Self {
        match kind {
            ShareableKind::Host => Shareable::Host(0),
            ShareableKind::Fabric => Shareable::Fabric([0; 128]),
        }
    }

    /// CANN's number of the kind, and the place of the bytes.
    fn parts(&mut self) -> (aclrtMemSharedHandleType, *mut c_void) {
        match self {
            Shareable::Host(value) => (ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, (&raw mut *value).cast()),
            Shareable::Fabric(bytes) => (ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, bytes.as_mut_ptr().cast()),
        }
    }
}

/// A printable key of memory or of a notify, ending in a zero byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; Key::BYTES]);

impl Key {
    /// Bytes of a key with its final zero.
    pub const BYTES: usize = 65;

    /// Takes a key that came from another process; `None` when it has no final zero.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        CStr::from_bytes_until_nul(&bytes).is_ok().then_some(Self(bytes))
    }

    /// The bytes, to be sent to another process.
    pub fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// Room for CANN to write a key into.
    pub(super) fn empty() -> Self {
        Self([0; Self::BYTES])
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut c_char {
        self.0.as_mut_ptr().cast()
    }

    /// Terminates the text with zero, regardless of what CANN wrote.
    pub(super) fn closed(mut self) -> Self {
        self.0[Self::BYTES - 1] = 0;
        self
    }

    pub(super) fn as_ptr(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key grants access to the memory, so it must not be logged.
        f.write_str("Key(…)")
    }
}

impl Acl {
    /// Makes a shareable handle of the first kind; one only per physical memory.
    ///
    /// # Errors
    /// ACL's: imported memory, or exported before.
    pub fn export(&self, handle: Physical, check: PidCheck) -> Result<u64> {
        let mut shareable = 0;
        let kind = ACL_MEM_HANDLE_TYPE_NONE;
        call!(
            self,
            aclrtMemExportToShareableHandle(handle.as_raw(), kind, export_flags(check), &raw mut shareable)
        )?;
        Ok(shareable)
    }

    /// Imports a shareable handle of the first kind for a device.
    ///
    /// # Errors
    /// [`InvalidHandle`](crate::Class::InvalidHandle) when it is unknown or freed ·
    /// [`NoPermission`](crate::Class::NoPermission) when this process is not named.
    pub fn import(&self, shareable: u64, device: i32) -> Result<Physical> {
        let mut handle = std::ptr::null_mut();
        call!(self, aclrtMemImportFromShareableHandle(shareable, device, &raw mut handle))?;
        Ok(Physical::new(handle))
    }

    /// Names processes, by their [`bare_tgid`](Acl::bare_tgid), that may import a handle of the first kind.
    ///
    /// # Errors
    /// [`NoPermission`](crate::Class::NoPermission) when it was exported for every process.
    pub fn allow(&self, shareable: u64, pids: &[i32]) -> Result<()> {
        // CANN's parameter is not const.
        let mut pids = pids.to_vec();
        call!(self, aclrtMemSetPidToShareableHandle(shareable, pids.as_mut_ptr(), pids.len()))
    }

    /// Makes a shareable handle of the second kind.
    ///
    /// # Errors
    /// As [`export`](Self::export); the function is part of
    /// [`SharingV2`](crate::loader::Capability::SharingV2).
    pub fn export_v2(&self, handle: Physical, kind: ShareableKind, check: PidCheck) -> Result<Shareable> {
        let mut shareable = Shareable::empty(kind);
        let (kind, bytes) = shareable.parts();
        call!(self, aclrtMemExportToShareableHandleV2(handle.as_raw(), export_flags(check), kind, bytes))?;
        Ok(shareable)
    }

    /// Imports a shareable handle of the second kind for the device of the calling thread.
    ///
    /// # Errors
    /// As [`import`](Self::import); the function is part of
    /// [`SharingV2`](crate::loader::Capability::SharingV2).
    pub fn import_v2(&self, mut shareable: Shareable) -> Result<Physical> {
        let mut handle = std::ptr::null_mut();
        let (kind, bytes) = shareable.parts();
        call!(self, aclrtMemImportFromShareableHandleV2(bytes, kind, 0, &raw mut handle))?;
        Ok(Physical::new(handle))
    }

    /// Names processes that may import a handle of the second kind.
    ///
    /// # Errors
    /// As [`allow`](Self::allow); the function is part of
    /// [`SharingV2`](crate::loader::Capability::SharingV2).
    pub fn allow_v2(&self, mut shareable: Shareable, pids: &[i32]) -> Result<()> {
        // CANN's parameter is not const.
        let mut pids = pids.to_vec();
        let (kind, bytes) = shareable.parts();
        call!(self, aclrtMemSetPidToShareableHandleV2(bytes, kind, pids.as_mut_ptr(), pids.len()))
    }

    /// Makes a key of allocated device memory (not of mapped memory).
    ///
    /// # Errors
    /// ACL's: not inside one allocation.
    pub fn export_key(&self, address: *mut c_void, bytes: usize, check: PidCheck) -> Result<Key> {
        let mut key = Key::empty();
        let flags = match check {
            PidCheck::Named => ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT,
            PidCheck::Anyone => ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
        };
        call!(self, aclrtIpcMemGetExportKey(address, bytes, key.as_mut_ptr(), Key::BYTES, flags))?;
        Ok(key.closed())
    }

    /// Names processes that may import a key.
    ///
    /// # Errors
    /// ACL's.
    pub fn allow_key(&self, key: &Key, pids: &[i32]) -> Result<()> {
        // CANN's parameter is not const.
        let mut pids = pids.to_vec();
        call!(self, aclrtIpcMemSetImportPid(key.as_ptr(), pids.as_mut_ptr(), pids.len()))
    }

    /// Maps the memory of a key, at another address than the exporter's. A key can be imported once per
    /// process.
    ///
    /// # Errors
    /// ACL's: unknown key, not permitted, or the peer's device is not reachable and `enable_peer` is not set.
    pub fn import_key(&self, key: &Key, enable_peer: bool) -> Result<*mut c_void> {
        let flags = if enable_peer {
            ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS
        } else {
            ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT
        };
        let mut address = std::ptr::null_mut();
        call!(self, aclrtIpcMemImportByKey(&raw mut address, key.as_ptr(), flags))?;
        Ok(address)
    }

    /// Ends the import of a key, or the key itself. Importers close first.
    ///
    /// # Errors
    /// ACL's.
    ///
    /// # Safety
    /// The imported memory is not used again, and no queued task does.
    pub unsafe fn close_key(&self, key: &Key) -> Result<()> {
        call!(self, aclrtIpcMemClose(key.as_ptr()))
    }
}

fn export_flags(check: PidCheck) -> u64 {
    match check {
        PidCheck::Named => ACL_RT_VMM_EXPORT_FLAG_DEFAULT,
        PidCheck::Anyone => ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_without_a_final_zero_is_refused() {
        assert!(Key::from_bytes([b'k'; Key::BYTES]).is_none());
        let mut bytes = [b'k'; Key::BYTES];
        bytes[Key::BYTES - 1] = 0;
        assert_eq!(Key::from_bytes(bytes).unwrap().as_bytes(), &bytes);
        assert_eq!(Key([b'k'; Key::BYTES]).closed().as_bytes(), &bytes);
    }

    #[test]
    fn a_key_does_not_show_in_logs() {
        assert_eq!(format!("{:?}", Key([b'k'; Key::BYTES])), "Key(…)");
    }
}
