// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sharing of GPU memory between processes of a host.
//!
//! A driver's handle names a whole allocation, so a key is that and an offset. A process cannot open a handle
//! of its own: it takes the address. If a driver refuses to share, peers copy through host memory instead.

use std::sync::{Arc, Once, OnceLock};

use gpu_sys::{IPC_HANDLE_BYTES, IpcHandle};
use mf_base::os::random;
use mf_base::{Error, Kind, Result};

use super::refusal::{refused, unless_exiting};
use super::{Gpu, OP, Vendor};
use crate::sharing::{End, Exported, Imported, SharedValue, SharedValues};

/// Exports and imports of one GPU.
pub(super) struct Tables {
    /// Exports of this process.
    exports: SharedValues<(u64, u64), Vec<u8>>,
    /// Imports of this process, by key.
    imports: SharedValues<Vec<u8>, u64>,
    /// Whole allocations that are imported, by handle: a driver opens one once.
    whole: SharedValues<Vec<u8>, u64>,
}

impl Default for Tables {
    fn default() -> Self {
        Self { exports: SharedValues::new(), imports: SharedValues::new(), whole: SharedValues::new() }
    }
}

const TOKEN_BYTES: usize = 16;
/// Vendor, token of the process, address, offset, handle.
const KEY_BYTES: usize = 1 + TOKEN_BYTES + 8 + 8 + IPC_HANDLE_BYTES;

/// A key in parts.
struct Key {
    vendor: u8,
    token: [u8; TOKEN_BYTES],
    address: u64,
    offset: u64,
    handle: IpcHandle,
}

impl Key {
    fn to_bytes(&self) -> Vec<u8> {
        let (address, offset) = (self.address.to_le_bytes(), self.offset.to_le_bytes());
        [&[self.vendor][..], &self.token, &address, &offset, &self.handle.0].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        fn take_bytes<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
            let (part, others) = rest.split_first_chunk::<N>()?;
            *rest = others;
            Some(*part)
        }
        let mut rest = (bytes.len() == KEY_BYTES).then_some(bytes)?;
        Some(Self {
            vendor: take_bytes::<1>(&mut rest)?[0],
            token: take_bytes(&mut rest)?,
            address: u64::from_le_bytes(take_bytes(&mut rest)?),
            offset: u64::from_le_bytes(take_bytes(&mut rest)?),
            handle: IpcHandle(take_bytes(&mut rest)?),
        })
    }
}

impl Gpu {
    /// Returns a key by which another process of this host [maps](Self::import) memory of this GPU, until the
    /// result is dropped. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside one allocation · `NotExist` or `Failed` the driver does not
    /// share it; copies go through host memory then, which is logged once for each vendor.
    pub fn export(&self, address: u64, bytes: u64) -> Result<Arc<Exported>> {
        self.shared.exports.get((address, bytes), || {
            let exported = self.key(address, bytes);
            if let Err(error) = &exported {
                static SAID: [Once; 4] = [const { Once::new() }; 4];
                let vendor = self.vendor();
                let say = || {
                    tracing::warn!(
                        "memory of {vendor} is not shared, copies go through host memory: {error}"
                    );
                };
                SAID.get(vendor.index()).into_iter().for_each(|said| said.call_once(say));
            }
            let nothing: End = Box::new(|| {});
            Ok((exported?.to_bytes(), nothing))
        })
    }

    /// Maps memory that another process of this host has [exported](Self::export), until the result is
    /// dropped; for memory of this process returns its address. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` not a key of this vendor · errors of the driver: the memory is freed, or out of reach.
    pub fn import(&self, bytes: &[u8]) -> Result<Arc<Imported>> {
        let key = Key::from_bytes(bytes)
            .filter(|key| Vendor::ALL.get(usize::from(key.vendor)) == Some(&self.vendor()));
        let key =
            key.ok_or_else(|| Error::invalid(OP, "not a key of this vendor").with("bytes", bytes.len()))?;
        self.shared.imports.get(bytes.to_vec(), || {
            if key.token == own_token()? {
                let nothing: End = Box::new(|| {});
                return Ok((key.address, nothing));
            }
            let whole = self.open_allocation(&key.handle)?;
            let address = whole.value().wrapping_add(key.offset);
            let end: End = Box::new(move || drop(whole));
            Ok((address, end))
        })
    }

    fn open_allocation(&self, handle: &IpcHandle) -> Result<Arc<SharedValue<Vec<u8>, u64>>> {
        let gpu = self.upgrade()?;
        self.shared.whole.get(handle.0.to_vec(), || {
            let _selected = self.select()?;
            let address = self.driver.ipc_open(handle).map_err(refused)?;
            let end: End = Box::new(move || {
                let closed = gpu.select().and_then(|_selected| {
                    // SAFETY: all users have dropped it.
                    unless_exiting(unsafe { gpu.driver.ipc_close(address) })
                });
                if let Err(error) = closed {
                    tracing::debug!("shared memory of a GPU is not given up: {error}");
                }
            });
            Ok((address, end))
        })
    }

    fn key(&self, address: u64, bytes: u64) -> Result<Key> {
        if self.hosted.has(address) {
            return Err(Error::new(Kind::NotExist, OP).what("the driver shares device memory only"));
        }
        let _selected = self.select()?;
        let (base, length) = self.driver.range(address).map_err(refused)?;
        let offset = address.checked_sub(base);
        let inside = offset.is_some_and(|offset| offset.checked_add(bytes).is_some_and(|end| end <= length));
        let Some(offset) = offset.filter(|_| inside) else {
            return Err(Error::invalid(OP, "the range is not inside one allocation").with("bytes", bytes));
        };
        let handle = self.driver.ipc_export(base).map_err(refused)?;
        let vendor = self.vendor().number();
        Ok(Key { vendor, token: own_token()?, address, offset, handle })
    }
}

/// Returns a token unique to this process.
fn own_token() -> Result<[u8; TOKEN_BYTES]> {
    static TOKEN: OnceLock<[u8; TOKEN_BYTES]> = OnceLock::new();
    match TOKEN.get() {
        Some(token) => Ok(*token),
        None => random(OP).map(|token| *TOKEN.get_or_init(|| token)),
    }
}
