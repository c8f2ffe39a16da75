// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registered memory, its descriptions, and imports of other processes' memory.
//!
//! A description holds the address that the exporter knows and the one where its process has the bytes: the
//! same, or another when device addresses are aliases.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, LazyLock, Mutex};

use ascend_acl_sys::raw::types::{COMM_MEM_TYPE_DEVICE, COMM_MEM_TYPE_HOST, CommMem};
use mf_base::sync::lock;

use super::endpoints::{Endpoint, EndpointName};
use super::{expect, not_null, peer_gone, translate};
use crate::acl::arguments::{give, read};
use crate::acl::memory::{free, malloc, pointer};
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::hccl::code;
use crate::machine::machine;
use crate::memory::region::regions;

crate::exports! {
    /// Registers memory with an endpoint.
    fn HcommMemReg(
        endpoint: *mut c_void, tag: *const c_char, mem: *const CommMem, handle: *mut *mut c_void,
    ) = register;
    /// Ends a registration.
    fn HcommMemUnreg(endpoint: *mut c_void, handle: *mut c_void) = unregister;
    /// Describes registered memory; the bytes live as long as the registration.
    fn HcommMemExport(endpoint: *mut c_void, handle: *mut c_void, desc: *mut *mut c_void, len: *mut u32) = export;
    /// Makes described memory usable on channels of an endpoint.
    fn HcommMemImport(endpoint: *mut c_void, desc: *const c_void, len: u32, mem: *mut CommMem) = import;
    /// Ends an import.
    fn HcommMemUnimport(endpoint: *mut c_void, desc: *const c_void, len: u32) = unimport;
    /// Allocates memory of the current device for communication.
    fn HcommMemAlloc(ptr: *mut *mut c_void, size: usize) = allocate;
    /// Frees it.
    fn HcommMemFree(ptr: *mut c_void) = release;
}

const MAGIC: u64 = u64::from_ne_bytes(*b"simhcomm");
/// Bytes of a description.
const LENGTH: u32 = 72;
const BYTES: usize = LENGTH as usize;
const WORDS: usize = BYTES / 8;

/// Exported memory of a process, as its description has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Description {
    /// Process that has it, and its place on the machine.
    process: u64,
    life: u64,
    /// Its endpoint.
    endpoint: u64,
    /// Its number there.
    number: u64,
    /// Side of the memory, by number.
    kind: u64,
    /// Address for programs, size, and address in the process.
    address: u64,
    bytes: u64,
    view: u64,
}

impl Description {
    fn encode(&self) -> [u8; BYTES] {
        let (owner, memory) = ([self.process, self.life], [self.kind, self.address, self.bytes, self.view]);
        let words = [&[MAGIC], &owner[..], &[self.endpoint, self.number], &memory].concat();
        let mut bytes = [0; BYTES];
        for (room, word) in bytes.chunks_exact_mut(8).zip(words) {
            room.copy_from_slice(&word.to_ne_bytes());
        }
        bytes
    }

    fn decode(bytes: &[u8; BYTES]) -> Option<Self> {
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_ne_bytes(*bytes);
        }
        let [MAGIC, process, life, endpoint, number, kind, address, bytes, view] = words else { return None };
        Some(Self { process, life, endpoint, number, kind, address, bytes, view })
    }
}

/// Registered memory.
struct Registration {
    endpoint: usize,
    /// Its description, which programs read.
    exported: Box<[u8; BYTES]>,
}

static REGISTRATIONS: LazyLock<HandleTable<Registration>> =
    LazyLock::new(|| HandleTable::new("registered memory"));
type Imports = HashMap<(usize, [u8; BYTES]), usize>;
/// Imported memory by endpoint and its description, with the number of imports of each.
static IMPORTS: LazyLock<Mutex<Imports>> = LazyLock::new(Mutex::default);

/// Registrations and imports of an endpoint.
pub(super) fn count(endpoint: usize) -> usize {
    let registered = REGISTRATIONS.all().iter().filter(|found| found.endpoint == endpoint).count();
    registered + lock(&IMPORTS).keys().filter(|(owner, _)| *owner == endpoint).count()
}

/// Place of a peer's bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemotePlace {
    pub(super) process: i32,
    pub(super) view: u64,
}

/// Finds `bytes` bytes at an address that the endpoint `peer` has exported.
///
/// # Errors
/// `HCCL_E_MEMORY` outside imported memory · `HCCL_E_REMOTE` when the exporter has ended.
pub(super) fn remote(endpoint: usize, peer: &EndpointName, address: u64, bytes: u64) -> Outcome<RemotePlace> {
    let holds = |found: &Description| {
        found.endpoint == peer.hash()
            && address
                .checked_sub(found.address)
                .is_some_and(|offset| offset.checked_add(bytes).is_some_and(|end| end <= found.bytes))
    };
    let imports = lock(&IMPORTS);
    let own = imports.keys().filter(|(owner, _)| *owner == endpoint);
    let found = own.filter_map(|(_, bytes)| Description::decode(bytes)).find(holds);
    drop(imports);
    let found = found.ok_or_else(|| {
        Fault::new(
            code::MEMORY,
            format_args!("{bytes} bytes at {address:#x} are not in memory that was imported from the peer"),
        )
    })?;
    let lives = translate(machine())?.session.lives(found.life);
    ensure(lives, code::REMOTE, || format!("process {} of the peer has ended", found.process))?;
    let process = i32::try_from(found.process).map_err(peer_gone)?;
    Ok(RemotePlace { process, view: found.view + (address - found.address) })
}

unsafe fn register(
    endpoint: *mut c_void,
    tag: *const c_char,
    mem: *const CommMem,
    handle: *mut *mut c_void,
) -> Outcome {
    let owner = Endpoint::from_handle(endpoint)?;
    not_null(mem, "mem")?;
    not_null(handle, "handle")?;
    if !tag.is_null() {
        // SAFETY: not null; the program passes a C string.
        let bytes = unsafe { CStr::from_ptr(tag) }.count_bytes();
        expect(bytes <= MOST_OF_A_TAG, || format!("a tag of {bytes} bytes: at most {MOST_OF_A_TAG}"))?;
    }
    // SAFETY: not null; the kind is a plain number in the binding.
    let mem = unsafe { read(mem) };
    let (address, bytes) = (mem.addr.addr() as u64, mem.size);
    expect([COMM_MEM_TYPE_DEVICE, COMM_MEM_TYPE_HOST].contains(&mem.type_), || {
        format!("memory of type {}: must be 0 (device) or 1 (host)", mem.type_)
    })?;
    expect(address != 0 && bytes > 0 && address.checked_add(bytes).is_some(), || {
        format!("{bytes} bytes at {address:#x} are no range")
    })?;
    let view = view_of(address, bytes, mem.type_ == COMM_MEM_TYPE_DEVICE)?;
    permit_access();
    let machine = translate(machine())?;
    let (made, _) = REGISTRATIONS.insert_with(|handle| {
        let description = Description {
            process: std::process::id().into(),
            life: machine.session.own_life(),
            endpoint: owner.name.hash(),
            number: handle.addr() as u64,
            kind: u64::from(mem.type_ == COMM_MEM_TYPE_HOST),
            address,
            bytes,
            view,
        };
        Registration { endpoint: endpoint.addr(), exported: Box::new(description.encode()) }
    });
    // SAFETY: checked for null above.
    unsafe { give(handle, made) }
}

/// Assumed: the longest tag.
const MOST_OF_A_TAG: usize = 255;

/// Where this process has the bytes; memory of a device must be in its regions.
fn view_of(address: u64, bytes: u64, is_device: bool) -> Outcome<u64> {
    let regions = translate(regions())?;
    let table = regions.table();
    let Some(first) = table.find(address) else {
        return if is_device {
            Err(Fault::new(code::MEMORY, format_args!("no memory of a device is at {address:#x}")))
        } else {
            Ok(address)
        };
    };
    let view = first.view as u64 + (address - first.range.start);
    let mut end = first.range.end;
    while end < address + bytes {
        let next = table.find(end).filter(|next| next.view as u64 + (address - view) == next.range.start);
        let next = next.ok_or_else(|| {
            let text = "memory ends, or lies elsewhere, within the range";
            Fault::new(code::MEMORY, format_args!("{bytes} bytes at {address:#x}: {text} at {end:#x}"))
        })?;
        end = next.range.end;
    }
    Ok(view)
}

/// Lets other processes of this user reach memory of this one, where the kernel asks for it.
fn permit_access() {
    const SET_PTRACER: i32 = 0x5961_6d61;
    const ANY: std::ffi::c_ulong = std::ffi::c_ulong::MAX;
    // SAFETY: takes numbers only. Kernels without this restriction refuse, and need nothing.
    unsafe { libc::prctl(SET_PTRACER, ANY, 0, 0, 0) };
}

fn registration(endpoint: *mut c_void, handle: *mut c_void) -> Outcome<Arc<Registration>> {
    Endpoint::from_handle(endpoint)?;
    not_null(handle, "handle")?;
    let found = REGISTRATIONS.get(handle, code::PARA)?;
    expect(found.endpoint == endpoint.addr(), || {
        "the memory is registered with another endpoint".to_owned()
    })?;
    Ok(found)
}

unsafe fn unregister(endpoint: *mut c_void, handle: *mut c_void) -> Outcome {
    registration(endpoint, handle)?;
    REGISTRATIONS.remove(handle, code::PARA).map(drop)
}

unsafe fn export(
    endpoint: *mut c_void,
    handle: *mut c_void,
    desc: *mut *mut c_void,
    len: *mut u32,
) -> Outcome {
    not_null(desc, "desc")?;
    not_null(len, "len")?;
    let found = registration(endpoint, handle)?;
    // SAFETY: checked for null above.
    unsafe { give(desc, std::ptr::from_ref(&*found.exported).cast_mut().cast()) }?;
    // SAFETY: checked for null above.
    unsafe { give(len, LENGTH) }
}

/// The bytes of a description that the program passes.
fn described(desc: *const c_void, len: u32) -> Outcome<[u8; BYTES]> {
    not_null(desc, "desc")?;
    expect(len as usize == BYTES, || format!("a description of {len} bytes: it must have {BYTES}"))?;
    // SAFETY: not null; the program passes `len` bytes.
    let bytes = unsafe { read(desc.cast::<[u8; BYTES]>()) };
    expect(Description::decode(&bytes).is_some(), || "the description is not of HcommMemExport".to_owned())?;
    Ok(bytes)
}

unsafe fn import(endpoint: *mut c_void, desc: *const c_void, len: u32, mem: *mut CommMem) -> Outcome {
    Endpoint::from_handle(endpoint)?;
    not_null(mem, "mem")?;
    let bytes = described(desc, len)?;
    let found = Description::decode(&bytes)
        .ok_or_else(|| Fault::new(code::PARA, "the description is not of HcommMemExport"))?;
    let lives = translate(machine())?.session.lives(found.life);
    ensure(lives, code::REMOTE, || format!("process {} of the peer has ended", found.process))?;
    *lock(&IMPORTS).entry((endpoint.addr(), bytes)).or_default() += 1;
    let imported = CommMem {
        type_: if found.kind == 0 { COMM_MEM_TYPE_DEVICE } else { COMM_MEM_TYPE_HOST },
        addr: pointer(found.address),
        size: found.bytes,
    };
    // SAFETY: checked for null above; the program passes a structure.
    unsafe { give(mem, imported) }
}

unsafe fn unimport(endpoint: *mut c_void, desc: *const c_void, len: u32) -> Outcome {
    Endpoint::from_handle(endpoint)?;
    let key = (endpoint.addr(), described(desc, len)?);
    let mut imports = lock(&IMPORTS);
    let uses = imports.get_mut(&key).ok_or_else(|| Fault::new(code::PARA, "the memory is not imported"))?;
    *uses -= 1;
    if *uses == 0 {
        imports.remove(&key);
    }
    Ok(())
}

unsafe fn allocate(place: *mut *mut c_void, bytes: usize) -> Outcome {
    const HUGE_FIRST: u32 = 0;
    not_null(place, "ptr")?;
    // SAFETY: not null; the program passes a place for a pointer.
    translate(unsafe { malloc(place, bytes, HUGE_FIRST) })
}

unsafe fn release(pointer: *mut c_void) -> Outcome {
    not_null(pointer, "ptr")?;
    // SAFETY: the address is checked before anything happens to it.
    translate(unsafe { free(pointer) })
}
