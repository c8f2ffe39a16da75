// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Generation of the headers that loaded objects were compiled with, detected by the functions that they
//! import.
//!
//! Headers of the second generation before 25 December 2025 have a team configuration of 4 bytes, all later
//! ones one of 64. A program of theirs imports `aclshmem_team_get_config`, and nothing that came with later
//! headers; one that calls the typed functions imports names which no later header has.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

/// Function with a struct of two sizes.
const ASKING: &[u8] = b"aclshmem_team_get_config";
/// Prefixes and suffixes of functions of the second generation only.
const OF_SECOND: [&[u8]; 2] = [b"aclshmem_put_", b"aclshmem_get_"];
const ENDS_OF_SECOND: [&[u8]; 4] = [b"_mem", b"_mem_nbi", b"_mem_signal", b"_mem_signal_nbi"];
/// Functions that came with the 64 bytes.
const OF_LATER: [&[u8]; 6] = [
    b"aclshmem_barrier",
    b"aclshmem_barrier_all",
    b"aclshmem_sync",
    b"aclshmem_sync_all",
    b"aclshmemx_get_uniqueid",
    b"aclshmemx_set_mte_config",
];

/// Returns true if some loaded object imports `aclshmem_team_get_config` and all such objects were built with
/// headers older than 25 December 2025 (4-byte struct). Users of dlsym are assumed to use 64 bytes.
pub(super) fn uses_4_byte_team_config() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let mut found = Found::default();
        // SAFETY: the function gets the address of `found`, during the call only.
        unsafe { libc::dl_iterate_phdr(Some(inspect_object), (&raw mut found).cast()) };
        found.early && !found.later
    })
}

#[derive(Default)]
struct Found {
    early: bool,
    later: bool,
}

unsafe extern "C" fn inspect_object(object: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader passes the description of an object that is loaded.
    let object = unsafe { &*object };
    // SAFETY: the address of `found` in `uses_4_byte_team_config`, which lends it for the call.
    let found = unsafe { &mut *found.cast::<Found>() };
    let mut imports = Imports::default();
    // SAFETY: the object is loaded, and stays so while the loader walks over its list.
    unsafe { each_import(object, &mut |name| imports.note(name)) };
    if imports.asks {
        let is_early = imports.is_second && !imports.is_later;
        found.early |= is_early;
        found.later |= !is_early;
    }
    0
}

#[derive(Default)]
struct Imports {
    asks: bool,
    is_second: bool,
    is_later: bool,
}

impl Imports {
    fn note(&mut self, name: &[u8]) {
        self.asks |= name == ASKING;
        self.is_second |= OF_SECOND.iter().any(|begin| name.starts_with(begin))
            && ENDS_OF_SECOND.iter().any(|end| name.ends_with(end));
        self.is_later |= OF_LATER.contains(&name);
    }
}

const DT_PLTRELSZ: i64 = 2;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;
const DT_JMPREL: i64 = 23;
const SYMBOL_BYTES: usize = 24;

/// Calls `note` with the names that relocations of an object are about.
///
/// # Safety
/// The object is loaded and stays so.
unsafe fn each_import(object: &libc::dl_phdr_info, note: &mut dyn FnMut(&[u8])) {
    // SAFETY: the loader's description has so many headers.
    let headers = unsafe { std::slice::from_raw_parts(object.dlpi_phdr, usize::from(object.dlpi_phnum)) };
    let Some(dynamic) = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC) else { return };
    let base = object.dlpi_addr;
    let mut entry = pointer::<[i64; 2]>(base + dynamic.p_vaddr);
    let (mut strings, mut symbols) = (0u64, 0u64);
    let mut tables = [(0u64, 0u64); 2];
    loop {
        // SAFETY: the table ends with an entry of tag 0, before which this loop stops.
        let [tag, value] = unsafe { entry.read() };
        let value = value.cast_unsigned();
        match tag {
            0 => break,
            DT_STRTAB => strings = value,
            DT_SYMTAB => symbols = value,
            DT_RELA => tables[0].0 = value,
            DT_RELASZ => tables[0].1 = value,
            DT_JMPREL => tables[1].0 = value,
            DT_PLTRELSZ => tables[1].1 = value,
            _ => {}
        }
        entry = entry.wrapping_add(1);
    }
    // The loader has made addresses of them; the kernel's own object has distances, and no relocations.
    if strings < base || symbols < base || strings == 0 || symbols == 0 {
        return;
    }
    for (first, bytes) in tables {
        for number in 0..bytes / 24 {
            // SAFETY: an entry of a table of so many bytes: place, symbol and kind, addend.
            let [_, info, _] = unsafe { pointer::<[u64; 3]>(first + number * 24).read_unaligned() };
            let symbol = info >> 32;
            if symbol == 0 {
                continue;
            }
            let at = symbols + symbol * SYMBOL_BYTES as u64;
            // SAFETY: a symbol that a relocation names is in the table; its name is a distance of 32 bits.
            let name = unsafe { pointer::<u32>(at).read_unaligned() };
            // SAFETY: names end with zeros, in the table of strings.
            note(unsafe { CStr::from_ptr(pointer(strings + u64::from(name))) }.to_bytes());
        }
    }
}

fn pointer<T>(address: u64) -> *const T {
    std::ptr::with_exposed_provenance(usize::try_from(address).unwrap_or(0))
}
