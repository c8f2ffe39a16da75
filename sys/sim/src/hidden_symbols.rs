// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hides exported functions of this library, in this process.
//!
//! The loader of the system searches names in the library's table of symbols, which it has mapped. A function
//! with an "undefined" entry is not found by any caller. The entries are changed while the library is loaded:
//! before the first lookup by a caller, and after its own references were resolved.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::codes::acl;
use crate::config;
use crate::fault::{Outcome, ensure};
use crate::release;

/// Runs when the library is loaded.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    let names = release::lacking(config::release_of_process());
    if names.is_empty() {
        return;
    }
    let hidden = Tables::own().map_or(0, |tables| tables.hide(&names));
    MISSED.store(if hidden == 0 { 0 } else { names.len() - hidden }, Ordering::Relaxed);
}

/// Number of functions that could not be hidden. In an executable (tests of the simulator) nothing is hidden,
/// because it exports nothing.
static MISSED: AtomicUsize = AtomicUsize::new(0);

/// Checks that the machine's release is the emulated one.
///
/// # Errors
/// 507000 when functions could not be hidden.
pub(crate) fn check() -> Outcome {
    let missed = MISSED.load(Ordering::Relaxed);
    ensure(missed == 0, acl::INTERNAL_ERROR, || {
        format!("ASCEND_SIM_CANN: {missed} functions of later releases could not be hidden")
    })
}

/// The tables by which the loader finds symbols of this library.
struct Tables {
    symbols: usize,
    strings: usize,
    hashes: usize,
    /// Rights of the pages that hold the symbols.
    rights: c_int,
}

/// Kinds of entries of the dynamic section.
const STRINGS: u64 = 5;
const SYMBOLS: u64 = 6;
const HASHES: u64 = 0x6fff_fef5;

/// Bytes of a symbol, and where its section and value are.
const SYMBOL_BYTES: usize = 24;
const SECTION_AT: usize = 6;
const VALUE_AT: usize = 8;

impl Tables {
    /// Finds the tables of the object that contains this code; `None` if it has none.
    fn own() -> Option<Self> {
        let mut found: Option<Self> = None;
        // SAFETY: the callback gets the address of `found`, which outlives the call, and does not unwind.
        unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
        found
    }

    fn from_object(info: &libc::dl_phdr_info) -> Option<Self> {
        let base = usize::try_from(info.dlpi_addr).ok()?;
        // SAFETY: the loader gives so many headers.
        let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
        let address = |number: u64| usize::try_from(number).map_or(0, |number| base.wrapping_add(number));
        let covers = |header: &libc::Elf64_Phdr, place: usize| {
            let start = address(header.p_vaddr);
            header.p_type == libc::PT_LOAD
                && (start..start.saturating_add(usize::try_from(header.p_memsz).unwrap_or(0)))
                    .contains(&place)
        };
        let own = at_load as extern "C" fn() as usize;
        headers.iter().find(|header| covers(header, own))?;
        let dynamic = address(headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC)?.p_vaddr);
        let entry = |kind: u64| {
            // Pairs of kind and value, up to a kind of 0.
            let pairs = (0..).map(|index| dynamic + index * 16);
            let pairs =
                pairs.map(|at| (word::<u64>(at), word::<u64>(at + 8))).take_while(|(kind, _)| *kind != 0);
            let value = pairs.into_iter().find(|(other, _)| *other == kind).map(|(_, value)| value)?;
            // The loader has added the base already, except on few machines.
            let value = usize::try_from(value).ok()?;
            Some(if value < base { base + value } else { value })
        };
        let symbols = entry(SYMBOLS)?;
        let flags = headers.iter().find(|header| covers(header, symbols))?.p_flags;
        let rights =
            [(libc::PF_R, libc::PROT_READ), (libc::PF_W, libc::PROT_WRITE), (libc::PF_X, libc::PROT_EXEC)];
        let rights =
            rights.iter().filter(|(flag, _)| flags & flag != 0).fold(0, |all, (_, right)| all | right);
        Some(Self { symbols, strings: entry(STRINGS)?, hashes: entry(HASHES)?, rights })
    }

    /// Hides the functions of these names; how many of them there were.
    fn hide(&self, names: &[&str]) -> usize {
        names.iter().filter_map(|name| self.symbol(name)).filter(|symbol| self.undefine(*symbol)).count()
    }

    /// The entry of a name.
    fn symbol(&self, name: &str) -> Option<usize> {
        let buckets_of = |at: usize| word::<u32>(self.hashes + at * 4);
        let (buckets, first, filter) = (buckets_of(0), buckets_of(1), buckets_of(2));
        let buckets_at = self.hashes + 16 + filter as usize * 8;
        let chains_at = buckets_at + buckets as usize * 4;
        let hash = hash(name);
        let mut index = word::<u32>(buckets_at + (hash.checked_rem(buckets)?) as usize * 4);
        while index >= first {
            let chain = word::<u32>(chains_at + (index - first) as usize * 4);
            let symbol = self.symbols + index as usize * SYMBOL_BYTES;
            if chain | 1 == hash | 1 && self.is_named(symbol, name) {
                return Some(symbol);
            }
            if chain & 1 == 1 {
                return None;
            }
            index += 1;
        }
        None
    }

    fn is_named(&self, symbol: usize, name: &str) -> bool {
        let at = self.strings + word::<u32>(symbol) as usize;
        let ends = std::iter::once(0);
        name.bytes().chain(ends).enumerate().all(|(index, byte)| word::<u8>(at + index) == byte)
    }

    /// Makes an entry an undefined one.
    fn undefine(&self, symbol: usize) -> bool {
        const PAGE: usize = 4096;
        let start = symbol & !(PAGE - 1);
        let pages = std::ptr::with_exposed_provenance_mut::<c_void>(start);
        let bytes = (symbol + SYMBOL_BYTES - start).next_multiple_of(PAGE);
        let writable = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the pages hold our symbol table, which is data.
        if unsafe { libc::mprotect(pages, bytes, writable) } != 0 {
            return false;
        }
        let section = std::ptr::with_exposed_provenance_mut::<u16>(symbol + SECTION_AT);
        // SAFETY: inside the entry, on pages that were just made writable; the loader is at our initialisers
        // and searches nothing meanwhile.
        unsafe { section.write_unaligned(0) };
        let value = std::ptr::with_exposed_provenance_mut::<u64>(symbol + VALUE_AT);
        // SAFETY: the value of the same entry, on pages that were just made writable.
        unsafe { value.write_unaligned(0) };
        // SAFETY: the pages hold our symbol table; nothing needs them writable any longer.
        unsafe { libc::mprotect(pages, bytes, self.rights) == 0 }
    }
}

/// Takes the tables of the object that this code is in.
unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _size: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader gives a valid structure.
    let tables = Tables::from_object(unsafe { &*info });
    if tables.is_none() {
        return 0;
    }
    // SAFETY: `found` is what `own` passed.
    unsafe { *found.cast::<Option<Tables>>() = tables };
    1
}

/// A number in one of the tables.
fn word<T: Copy>(at: usize) -> T {
    // SAFETY: all addresses come from the library's own headers and tables, which the loader has mapped and
    // read.
    unsafe { std::ptr::with_exposed_provenance::<T>(at).read_unaligned() }
}

/// As the tables have it.
fn hash(name: &str) -> u32 {
    name.bytes().fold(5381, |hash: u32, byte| hash.wrapping_mul(33).wrapping_add(byte.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_loader() {
        assert_eq!((hash(""), hash("printf"), hash("exit")), (0x1505, 0x156b_2bb8, 0x7c96_7e3f));
    }
}
