// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of an `aclrtMalloc` allocation, lent to other processes under a printable key.
//!
//! An importer maps the pages that hold the bytes at its own address; only the bytes themselves become a
//! region. The exporter keeps the memory pinned while its key lives; an importer keeps it until it closes the
//! key.

use std::collections::HashMap;
use std::ffi::CStr;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, RwLock};

use mf_base::sync::lock;

use super::properties::{STEP, page_of};
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::heap::heap;
use crate::memory::region::regions;
use crate::memory::rights::peers;
use crate::memory::space::{Area, space};
use crate::memory::{Access, Block, PageSize, Region, RegionKind};
use crate::session::{Fetched, Location, Offer, Published, Sort};

/// Bytes a key takes at most, its end included.
pub const KEY_BYTES: usize = 65;

/// Keys of this process.
#[derive(Default)]
pub struct Keys {
    own: Mutex<HashMap<String, OwnKey>>,
    opened: Mutex<HashMap<String, OpenedKey>>,
}

pub(super) static KEYS: LazyLock<Keys> = LazyLock::new(Keys::default);

/// Keys of this process.
///
/// # Errors
/// The machine's own.
pub fn keys() -> Outcome<&'static Keys> {
    machine()?;
    Ok(&KEYS)
}

/// Device and context for which memory is imported.
#[derive(Clone, Copy, Debug)]
pub struct Importer {
    /// Physical number of the device.
    pub device: u32,
    /// Handle of the context.
    pub context: usize,
}

struct OwnKey {
    published: Published,
    location: Location,
}

struct OpenedKey {
    /// Address returned to the program.
    address: u64,
    reserved: Range<u64>,
    mapped: u64,
    view: usize,
    importer: u32,
}

fn unknown(key: &str) -> Fault {
    Fault::new(acl::IPC_ERROR, format_args!("the key {key:?} is unknown or closed"))
}

/// Keys carry the number and the secret of the session's table.
fn compose(number: u64, secret: u64) -> String {
    format!("ascend-sim-ipc-memory-key-{number:016x}-{secret:016x}")
}

fn parse(key: &str) -> Outcome<(u64, u64)> {
    let numbers = || {
        let (number, secret) = key.strip_prefix("ascend-sim-ipc-memory-key-")?.split_once('-')?;
        let number = u64::from_str_radix(number, 16).ok()?;
        let secret = u64::from_str_radix(secret, 16).ok()?;
        (compose(number, secret) == key).then_some((number, secret))
    };
    numbers().ok_or_else(|| unknown(key))
}

/// The text of a key that a program passed.
///
/// # Errors
/// 507022 when it is no key.
///
/// # Safety
/// `key` points to a string that ends with a zero byte, or to 65 bytes.
pub unsafe fn read_key(key: *const std::ffi::c_char) -> Outcome<String> {
    let mut bytes = Vec::with_capacity(KEY_BYTES);
    for index in 0..KEY_BYTES {
        // SAFETY: no zero byte came before, so the string goes on or the 65 bytes do.
        let place = unsafe { key.add(index) };
        // Characters of C are signed on some machines and unsigned on others.
        // SAFETY: `place` is a byte of the key: its string goes on, or the 65 bytes do.
        let byte = unsafe { place.cast::<u8>().read() };
        bytes.push(byte);
        if byte == 0 {
            break;
        }
    }
    let text = CStr::from_bytes_with_nul(&bytes).ok().and_then(|text| text.to_str().ok());
    text.map(str::to_owned).ok_or_else(|| unknown(&String::from_utf8_lossy(&bytes)))
}

/// Writes a key and the zero bytes behind it.
///
/// # Safety
/// `place` has room for 65 bytes.
pub unsafe fn write_key(key: &str, place: *mut std::ffi::c_char) {
    let mut bytes = [0; KEY_BYTES];
    // Keys are shorter, so a zero byte follows.
    for (byte, character) in bytes.iter_mut().zip(key.bytes()) {
        *byte = character;
    }
    // SAFETY: the caller has room for 65 bytes.
    unsafe { place.cast::<[u8; KEY_BYTES]>().write(bytes) };
}

impl Keys {
    /// Lends `bytes` from `start`, inside one allocation; `open` to all, or to the processes that
    /// [`Keys::allow`] names.
    ///
    /// # Errors
    /// 107000 not inside one allocation · 207005 too many.
    pub fn export(&self, start: u64, bytes: u64, open: bool) -> Outcome<String> {
        let machine = machine()?;
        let region = regions()?.find(start).filter(|region| region.kind == RegionKind::Malloc);
        let allocation = region.and_then(|region| Some((region.block.clone()?, region)));
        let (block, region) = allocation.ok_or_else(|| {
            Fault::new(acl::RT_PARAM_INVALID, format_args!("{start:#x} is in no allocation of aclrtMalloc"))
        })?;
        ensure(bytes <= region.range.end - start, acl::RT_PARAM_INVALID, || {
            format!("{bytes} bytes from {start:#x} end outside the allocation, at {:#x}", region.range.end)
        })?;
        let Location::Device(device) = region.location else {
            return Err(Fault::new(acl::RT_PARAM_INVALID, format_args!("{start:#x} is not on a device")));
        };
        let offset = region.block_offset + (start - region.range.start);
        let published = machine.session.publish(Offer {
            sort: Sort::IpcMemory,
            file: Arc::clone(&block.file),
            claim: block.claim.clone(),
            facts: [offset, bytes, block.page as u64, device.into(), 0, 0],
            open,
            fabric: false,
        })?;
        heap()?.keep_slot(region.range.start);
        let key = compose(published.number, published.secret);
        lock(&self.own).insert(key.clone(), OwnKey { published, location: region.location });
        Ok(key)
    }

    /// Lets these processes of this server import.
    ///
    /// # Errors
    /// 207006 open to all · 507022 no key of this process.
    pub fn allow(&self, key: &str, processes: &[i32]) -> Outcome {
        lock(&self.own).get(key).ok_or_else(|| unknown(key))?.published.allow(processes)
    }

    /// Lets these processes of another server import.
    ///
    /// # Errors
    /// As [`Keys::allow`].
    pub fn allow_on_server(&self, key: &str, server: u32, processes: &[i32]) -> Outcome {
        lock(&self.own).get(key).ok_or_else(|| unknown(key))?.published.allow_on_server(server, processes)
    }

    /// Rejects a key of another process, or an invalid one.
    ///
    /// # Errors
    /// 507022.
    pub fn check_own(&self, key: &str) -> Outcome {
        ensure(lock(&self.own).contains_key(key), acl::IPC_ERROR, || unknown(key).text)
    }

    /// Borrows the memory under `key` for the device and context that `importer` finds, and gives out its
    /// address.
    ///
    /// Assumed: a process cannot import its own key.
    ///
    /// # Errors
    /// 107000 own key, or of a device that the current one does not reach · 107002 no device · 207006 not
    /// allowed · 507022 unknown, closed or opened before.
    pub fn import(
        &self,
        key: &str,
        importer: impl FnOnce() -> Outcome<Importer>,
        enable_peer: bool,
    ) -> Outcome<u64> {
        let (number, secret) = parse(key)?;
        let importer = importer()?;
        ensure(!lock(&self.own).contains_key(key), acl::RT_PARAM_INVALID, || {
            "the key belongs to this process; use the address it was made of".to_owned()
        })?;
        let mut opened = lock(&self.opened);
        ensure(!opened.contains_key(key), acl::IPC_ERROR, || {
            format!("the key {key:?} is open in this process already")
        })?;
        let fetched = machine()?.session.fetch(Sort::IpcMemory, number, Some(secret), acl::IPC_ERROR)?;
        let entry = open(fetched, importer, enable_peer)?;
        let address = entry.address;
        opened.insert(key.to_owned(), entry);
        Ok(address)
    }

    /// Ends a key: an importer gives the memory back, the exporter stops lending it.
    ///
    /// # Errors
    /// 507022.
    pub fn close(&self, key: &str) -> Outcome {
        if let Some(entry) = lock(&self.opened).remove(key) {
            return entry.take_away();
        }
        self.withdraw(key)
    }

    /// Stops lending under a key of this process.
    ///
    /// # Errors
    /// 507022.
    pub fn withdraw(&self, key: &str) -> Outcome {
        lock(&self.own).remove(key).map(drop).ok_or_else(|| unknown(key))
    }

    /// Releases the import at `address`.
    ///
    /// # Errors
    /// 107000 when nothing was.
    pub fn close_address(&self, address: u64) -> Outcome {
        let mut opened = lock(&self.opened);
        let key = opened.iter().find(|(_, entry)| entry.address == address).map(|(key, _)| key.clone());
        match key.and_then(|key| opened.remove(&key)) {
            Some(entry) => entry.take_away(),
            None => Err(Fault::new(
                acl::RT_PARAM_INVALID,
                format_args!("no memory of another process was opened at {address:#x}"),
            )),
        }
    }

    /// Releases everything that goes with a device.
    pub(super) fn release_device(&self, device: u32) {
        for (_, entry) in lock(&self.opened).extract_if(|_, entry| entry.importer == device) {
            // Only fails when there is no machine.
            let _ = entry.take_away();
        }
        lock(&self.own).retain(|_, own| own.location != Location::Device(device));
    }
}

fn open(fetched: Fetched, importer: Importer, enable_peer: bool) -> Outcome<OpenedKey> {
    let space = space()?;
    let [offset, bytes, page, owner, ..] = fetched.facts;
    let owner = u32::try_from(owner).unwrap_or(u32::MAX);
    reach(importer, owner, enable_peer)?;
    let page = page_of(page).unwrap_or(PageSize::Normal);
    let first = offset / PageSize::Normal as u64 * PageSize::Normal as u64;
    let end = (offset + bytes).next_multiple_of(PageSize::Normal as u64);
    let block = Arc::new(Block {
        file: Arc::new(fetched.file),
        bytes: end,
        location: Location::Device(owner),
        page,
        imported: true,
        claim: fetched.claim,
    });
    let reserved = reserve_anywhere((end - first).next_multiple_of(STEP))?;
    let mapped = end - first;
    let view = space.map(reserved.start, &block, first..end).inspect_err(|_| space.release(&reserved))?;
    let skew = offset - first;
    let address = reserved.start + skew;
    regions()?.insert(Region {
        range: address..address + bytes,
        kind: RegionKind::Ipc,
        location: block.location,
        block: Some(block),
        block_offset: offset,
        view: view + usize::try_from(skew).unwrap_or(0),
        grants: Mutex::new(vec![(importer.device, Access::ReadWrite)]),
        gone: RwLock::new(false),
    });
    Ok(OpenedKey { address, reserved, mapped, view, importer: importer.device })
}

/// Refuses to import for a device that does not reach the memory's, unless it shall from now on.
fn reach(importer: Importer, owner: u32, enable: bool) -> Outcome {
    let peers = peers()?;
    let device = importer.device;
    if enable && device != owner {
        peers.enable(device, owner, importer.context);
    }
    ensure(device == owner || peers.reaches(device, owner), acl::RT_PARAM_INVALID, || {
        format!("device {device} does not reach the memory, on device {owner}: peer access is not enabled")
    })
}

/// Reserves addresses that vary from run to run, below those of the heap; anywhere if the host has none
/// there.
fn reserve_anywhere(bytes: u64) -> Outcome<Range<u64>> {
    const LOWEST: u64 = 16 << 40;
    const PLACES: u64 = (2 << 40) / STEP;
    let space = space()?;
    for _ in 0..64 {
        let mut random = [0; 8];
        rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())
            .map_err(|error| Fault::new(acl::INTERNAL_ERROR, format_args!("no random numbers: {error}")))?;
        let places = PLACES - (bytes / STEP).min(PLACES - 1);
        let start = LOWEST + u64::from_le_bytes(random) % places * STEP;
        if let Ok(range) = space.reserve(Area::Acl, Some(start), bytes, STEP) {
            return Ok(range);
        }
    }
    space.reserve(Area::Acl, None, bytes, STEP)
}

impl OpenedKey {
    fn take_away(self) -> Outcome {
        regions()?.remove(self.address);
        let space = space()?;
        space.unmap(self.reserved.start, self.mapped, self.view);
        space.release(&self.reserved);
        Ok(())
    }
}
