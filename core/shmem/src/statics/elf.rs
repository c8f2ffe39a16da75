// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Program headers of a loaded program: its static data, its imports, and its build id.
//!
//! Pure: memory is read through a function, and only within ranges of its headers. Sections and their names
//! are not needed, so stripped programs work as well.

use std::ops::Range;

/// Bytes of a program header of 64 bits.
pub(super) const HEADER_BYTES: usize = 56;

const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;
const NOTE: u32 = 4;
const RELRO: u32 = 0x6474_e552;

const EXECUTABLE: u32 = 1;
const WRITABLE: u32 = 2;
const READABLE: u32 = 4;

/// Entries of the dynamic section.
const NEEDED: u64 = 1;
const JUMPS_BYTES: u64 = 2;
const STRINGS: u64 = 5;
const SYMBOLS: u64 = 6;
const RELOCATIONS: u64 = 7;
const RELOCATIONS_BYTES: u64 = 8;
const STRINGS_BYTES: u64 = 10;
const JUMPS: u64 = 23;
/// Number of leading relocations without a symbol.
const RELATIVE: u64 = 0x6fff_fff9;
/// Bytes of a relocation, and of a symbol.
const RELOCATION_BYTES: usize = 24;
const SYMBOL_BYTES: usize = 24;
/// Most bytes of a table of relocations.
const TABLE_BYTES: usize = 256 << 20;
/// Longest name that is read.
const NAME_BYTES: usize = 96;

/// Type of a note with the build id.
const BUILD: u32 = 3;
/// Most bytes of notes, and of a build id.
const NOTES_BYTES: u64 = 64 << 10;
const BUILD_BYTES: usize = 64;

/// An import of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Import<'a> {
    /// A library, by the name used for its search.
    Library(&'a str),
    /// A symbol.
    Symbol(&'a str),
}

/// A part of the static data: whole pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) range: Range<u64>,
    /// End of the part that comes from the file of the program: after it the memory begins as zeroes.
    pub(super) file_end: u64,
    pub(super) is_executable: bool,
}

/// Reads memory at an address, which must be readable.
pub(super) type Read<'a> = &'a dyn Fn(u64, &mut [u8]);

#[derive(Clone, Copy, Debug)]
struct Header {
    kind: u32,
    flags: u32,
    address: u64,
    file_bytes: u64,
    bytes: u64,
}

/// A loaded program.
pub(super) struct Program<'a> {
    bias: u64,
    headers: Vec<Header>,
    read: Read<'a>,
}

impl<'a> Program<'a> {
    /// Creates a program that is loaded `bias` above the addresses of its headers.
    pub(super) fn new(bias: u64, headers: &[u8], read: Read<'a>) -> Self {
        let header = |bytes: &[u8; HEADER_BYTES]| Header {
            kind: word(bytes, 0),
            flags: word(bytes, 4),
            address: number(bytes, 16).wrapping_add(bias),
            file_bytes: number(bytes, 32),
            bytes: number(bytes, 40),
        };
        Self { bias, headers: headers.as_chunks().0.iter().map(header).collect(), read }
    }

    fn loads(&self) -> impl Iterator<Item = &Header> {
        self.headers.iter().filter(|header| header.kind == LOAD)
    }

    /// Reads bytes; `None` if they are not inside of the readable memory of the program.
    fn bytes(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let is_inside = |header: &Header| {
            let distance = address.checked_sub(header.address);
            let left = distance.and_then(|distance| header.bytes.checked_sub(distance));
            length <= TABLE_BYTES
                && header.flags & READABLE != 0
                && left.is_some_and(|left| length as u64 <= left)
        };
        self.loads().any(is_inside).then(|| {
            let mut bytes = vec![0; length];
            (self.read)(address, &mut bytes);
            bytes
        })
    }

    /// Returns true if an address is in its loaded memory.
    pub(super) fn contains(&self, address: u64) -> bool {
        self.loads()
            .any(|load| address.checked_sub(load.address).is_some_and(|distance| distance < load.bytes))
    }

    /// Returns the parts with its variables: writable memory, without the part that the loader makes
    /// read-only after relocation. Ordered by address.
    pub(super) fn statics(&self, page_bytes: u64) -> Vec<Part> {
        let down = |address: u64| address / page_bytes * page_bytes;
        let mut parts = Vec::new();
        for load in self.loads().filter(|load| load.flags & WRITABLE != 0 && load.bytes > 0) {
            let (file_end, end) =
                (load.address.saturating_add(load.file_bytes), load.address.saturating_add(load.bytes));
            let Some(end) = end.checked_next_multiple_of(page_bytes) else { continue };
            let mut left: Vec<_> = std::iter::once(down(load.address)..end).collect();
            for relro in self.headers.iter().filter(|header| header.kind == RELRO) {
                // The loader protects whole pages only.
                let (from, to) = (down(relro.address), down(relro.address.saturating_add(relro.bytes)));
                let cut =
                    |range: Range<u64>| [range.start..range.end.min(from), range.start.max(to)..range.end];
                left = if from < to { left.into_iter().flat_map(cut).collect() } else { left };
            }
            let is_executable = load.flags & EXECUTABLE != 0;
            parts.extend(left.into_iter().filter(|range| !range.is_empty()).map(|range| Part {
                range,
                file_end,
                is_executable,
            }));
        }
        parts.sort_by_key(|part| part.range.start);
        parts
    }

    /// Returns true if `is_wanted` accepts an imported library or symbol.
    pub(super) fn imports(&self, is_wanted: &dyn Fn(Import<'_>) -> bool) -> bool {
        self.look_for(is_wanted).unwrap_or(false)
    }

    fn look_for(&self, is_wanted: &dyn Fn(Import<'_>) -> bool) -> Option<bool> {
        let section = self.headers.iter().find(|header| header.kind == DYNAMIC)?;
        let section = self.bytes(section.address, usize::try_from(section.bytes).ok()?)?;
        let entries = section.as_chunks::<16>().0.iter().map(|entry| (number(entry, 0), number(entry, 8)));
        let entries: Vec<(u64, u64)> = entries.take_while(|(tag, _)| *tag != 0).collect();
        let value = |wanted: u64| entries.iter().find(|(tag, _)| *tag == wanted).map(|(_, value)| *value);
        // Some loaders relocate the addresses in the section, others leave them as in the file.
        let is_here = |address: u64| self.bytes(address, 1).is_some();
        let place = |wanted: u64| {
            let address = value(wanted)?;
            let moved = address.wrapping_add(self.bias);
            Some(if is_here(moved) { moved } else { address })
        };
        let (strings, strings_bytes) = (place(STRINGS)?, value(STRINGS_BYTES)?);
        let name_at = |offset: u64| {
            let left = usize::try_from(strings_bytes.checked_sub(offset)?).ok()?;
            let bytes = self.bytes(strings.checked_add(offset)?, left.min(NAME_BYTES))?;
            let length = bytes.iter().position(|byte| *byte == 0)?;
            String::from_utf8(bytes[..length].to_vec()).ok()
        };
        let mut libraries = entries.iter().filter(|(tag, _)| *tag == NEEDED);
        if libraries.any(|(_, name)| name_at(*name).is_some_and(|name| is_wanted(Import::Library(&name)))) {
            return Some(true);
        }
        let symbols = place(SYMBOLS)?;
        let is_wanted_symbol = |relocation: &[u8; RELOCATION_BYTES]| {
            let index = number(relocation, 8) >> 32;
            let symbol = symbols.checked_add(index.checked_mul(SYMBOL_BYTES as u64)?)?;
            let symbol = self.bytes(symbol, SYMBOL_BYTES).filter(|_| index > 0)?;
            let symbol = symbol.first_chunk::<SYMBOL_BYTES>()?;
            let is_undefined = word(symbol, 4) >> 16 == 0;
            let name = name_at(u64::from(word(symbol, 0))).filter(|_| is_undefined)?;
            Some(is_wanted(Import::Symbol(&name)))
        };
        let relative = value(RELATIVE).unwrap_or(0).saturating_mul(RELOCATION_BYTES as u64);
        for (table, bytes, skipped) in [(JUMPS, JUMPS_BYTES, 0), (RELOCATIONS, RELOCATIONS_BYTES, relative)] {
            let Some((table, bytes)) = place(table).zip(value(bytes)) else { continue };
            let length = usize::try_from(bytes.saturating_sub(skipped)).ok()?;
            let Some(table) = self.bytes(table.saturating_add(skipped), length) else { continue };
            if table.as_chunks().0.iter().any(|entry| is_wanted_symbol(entry).unwrap_or(false)) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns an id that is equal for two processes if they run the same program: the build id left by the
    /// linker, else a digest of code and constants.
    pub(super) fn identity(&self) -> String {
        let notes = self.headers.iter().filter(|header| header.kind == NOTE);
        let mut builds = notes.filter_map(|note| {
            let length = usize::try_from(note.bytes.min(NOTES_BYTES)).ok()?;
            build_of(&self.bytes(note.address, length)?)
        });
        let shape = self.digest(false);
        match builds.next() {
            Some(build) => format!("{build}-{shape:016x}"),
            None => format!("{:016x}", self.digest(true)),
        }
    }

    /// Returns a digest of the headers, and of read-only memory if requested.
    fn digest(&self, with_memory: bool) -> u64 {
        let mut digest = Digest(0);
        for header in &self.headers {
            let address = header.address.wrapping_sub(self.bias);
            for value in
                [u64::from(header.kind), u64::from(header.flags), address, header.file_bytes, header.bytes]
            {
                digest.add(value);
            }
            let is_constant = header.kind == LOAD && header.flags & (WRITABLE | READABLE) == READABLE;
            if !with_memory || !is_constant {
                continue;
            }
            let mut chunk = vec![0u8; 64 << 10];
            let mut done = 0;
            while done < header.bytes {
                let length = usize::try_from(header.bytes - done).unwrap_or(usize::MAX).min(chunk.len());
                (self.read)(header.address + done, &mut chunk[..length]);
                chunk[length..].fill(0);
                chunk.as_chunks().0.iter().for_each(|word| digest.add(u64::from_le_bytes(*word)));
                done += length as u64;
            }
        }
        digest.0
    }
}

struct Digest(u64);

impl Digest {
    fn add(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// Finds the build id among notes.
fn build_of(mut notes: &[u8]) -> Option<String> {
    while let Some(head) = notes.first_chunk::<12>() {
        let [name, content] = [word(head, 0), word(head, 4)].map(|bytes| usize::try_from(bytes).unwrap_or(0));
        let rest = &notes[12..];
        let padded = |bytes: usize| bytes.checked_next_multiple_of(4);
        let is_build = word(head, 8) == BUILD && rest.get(..name) == Some(b"GNU\0");
        let rest = rest.get(padded(name)?..)?;
        if is_build && (1..=BUILD_BYTES).contains(&content) {
            return Some(rest.get(..content)?.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        notes = rest.get(padded(content)?..)?;
    }
    None
}

/// Reads the number of 32 bits at a fixed offset.
fn word<const N: usize>(bytes: &[u8; N], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_le_bytes)
}

/// Reads the number of 64 bits at a fixed offset.
fn number<const N: usize>(bytes: &[u8; N], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIAS: u64 = 0x5555_0000_0000;

    fn header(kind: u32, flags: u32, address: u64, file_bytes: u64, bytes: u64) -> Vec<u8> {
        let mut header = vec![0; HEADER_BYTES];
        for (at, value) in [(16, address), (24, address), (32, file_bytes), (40, bytes), (48, 4096)] {
            header[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        header[..4].copy_from_slice(&kind.to_le_bytes());
        header[4..8].copy_from_slice(&flags.to_le_bytes());
        header
    }

    fn ranges(headers: &[Vec<u8>], page_bytes: u64) -> Vec<(u64, u64, u64)> {
        let program = Program::new(BIAS, &headers.concat(), &|_, _| panic!("nothing is read"));
        let parts = program.statics(page_bytes).into_iter();
        parts.map(|part| (part.range.start - BIAS, part.range.end - BIAS, part.file_end - BIAS)).collect()
    }

    #[test]
    fn static_data_covers_writable_segments() {
        let text = header(LOAD, READABLE | EXECUTABLE, 0, 0x2345, 0x2345);
        let data = header(LOAD, READABLE | WRITABLE, 0x3de0, 0x400, 0x5000);
        let relro = header(RELRO, READABLE, 0x3de0, 0x220, 0x220);
        // GNU's linker: the part that becomes read-only comes first and ends with a page.
        assert_eq!(ranges(&[text.clone(), data.clone(), relro], 0x1000), [(0x4000, 0x9000, 0x41e0)]);
        assert_eq!(ranges(&[text.clone(), data.clone()], 0x1000), [(0x3000, 0x9000, 0x41e0)]);
        // A page that is protected in part is not.
        let part = header(RELRO, READABLE, 0x3de0, 0x100, 0x100);
        assert_eq!(ranges(&[data, part], 0x1000), [(0x3000, 0x9000, 0x41e0)]);
        // LLVM's linker: a segment of its own. Larger pages.
        let own = header(LOAD, READABLE | WRITABLE, 0x13000, 0x800, 0x1000);
        let relro = header(RELRO, READABLE, 0x13000, 0x800, 0x1000);
        let data = header(LOAD, READABLE | WRITABLE, 0x24800, 0x10, 0x4000_0000);
        let found = ranges(&[own.clone(), relro.clone(), data.clone()], 0x1000);
        assert_eq!(found, [(0x24000, 0x4002_5000, 0x24810)]);
        let found = ranges(&[own, relro, data.clone()], 0x10000);
        assert_eq!(found, [(0x10000, 0x20000, 0x13800), (0x20000, 0x4003_0000, 0x24810)]);
        assert_eq!(ranges(&[text, header(LOAD, READABLE | WRITABLE, 0x9000, 0, 0)], 0x1000), []);
        // Several, in any order.
        let low = header(LOAD, READABLE | WRITABLE, 0x5000, 8, 8);
        assert_eq!(ranges(&[data, low], 0x1000).len(), 2);
    }

    #[test]
    fn malformed_headers_are_harmless() {
        for (address, bytes) in [(u64::MAX - 5000, 4096), (u64::MAX - BIAS - 10, u64::MAX), (1, u64::MAX)] {
            let headers = [
                header(LOAD, READABLE | WRITABLE, address, bytes, bytes),
                header(RELRO, READABLE, address, u64::MAX, u64::MAX),
                header(DYNAMIC, READABLE, address, bytes, bytes),
                header(NOTE, READABLE, address, bytes, bytes),
            ];
            let program = Program::new(BIAS, &headers.concat(), &|_, bytes| bytes.fill(0xff));
            let _ = program.statics(4096);
            assert!(!program.imports(&|_| true));
        }
        let program = Program::new(0, &[1, 2, 3], &|_, _| ());
        assert_eq!(program.statics(4096), []);
        assert!(!program.imports(&|_| true));
    }

    /// Creates a program with a string table, two symbols and two relocations; `moved` as by a loader that
    /// relocates addresses in the dynamic section.
    fn importing(moved: u64) -> (Vec<u8>, Vec<u8>) {
        let strings = b"\0libfirst.so.1\0first_begin\0defined\0";
        let mut image = vec![0u8; 0x1000];
        image[0x100..0x100 + strings.len()].copy_from_slice(strings);
        for (index, name, section) in [(1, 15u32, 0u16), (2, 27, 7)] {
            let at = 0x200 + index * SYMBOL_BYTES;
            image[at..at + 4].copy_from_slice(&name.to_le_bytes());
            image[at + 6..at + 8].copy_from_slice(&section.to_le_bytes());
        }
        for (at, symbol) in [(0x308, 2u64), (0x308 + 24, 0), (0x408, 0), (0x408 + 24, 1)] {
            image[at..at + 8].copy_from_slice(&(symbol << 32 | 7).to_le_bytes());
        }
        let entries = [
            (NEEDED, 1),
            (STRINGS, 0x100 + moved),
            (STRINGS_BYTES, strings.len() as u64),
            (SYMBOLS, 0x200 + moved),
            (JUMPS, 0x300 + moved),
            (JUMPS_BYTES, 48),
            (RELOCATIONS, 0x400 + moved),
            (RELOCATIONS_BYTES, 48),
            (RELATIVE, 1),
            (0, 0),
        ];
        for (index, (tag, value)) in entries.into_iter().enumerate() {
            let at = 0x500 + index * 16;
            image[at..at + 8].copy_from_slice(&u64::to_le_bytes(tag));
            image[at + 8..at + 16].copy_from_slice(&u64::to_le_bytes(value));
        }
        let note = [4u32, 5, BUILD].map(u32::to_le_bytes).concat();
        image[0x700..0x70c].copy_from_slice(&[4u32, 3, 1].map(u32::to_le_bytes).concat());
        image[0x70c..0x714].copy_from_slice(b"GNU\0abc\0");
        image[0x714..0x720].copy_from_slice(&note);
        image[0x720..0x729].copy_from_slice(b"GNU\0\x01\x02\xab\xcd\xef");
        let headers = [
            header(LOAD, READABLE, 0, 0x1000, 0x1000),
            header(DYNAMIC, READABLE, 0x500, 160, 160),
            header(NOTE, READABLE, 0x700, 0x29, 0x29),
        ];
        (headers.concat(), image)
    }

    #[test]
    fn imports_and_build_id_are_found() {
        for (bias, moved) in [(BIAS, 0), (BIAS, BIAS), (0, 0)] {
            let (headers, image) = importing(moved);
            let read = |address: u64, bytes: &mut [u8]| {
                let at = usize::try_from(address - bias).unwrap();
                bytes.copy_from_slice(&image[at..at + bytes.len()]);
            };
            let program = Program::new(bias, &headers, &read);
            assert!(program.imports(&|import| import == Import::Library("libfirst.so.1")));
            assert!(program.imports(&|import| import == Import::Symbol("first_begin")));
            assert!(!program.imports(&|import| import == Import::Symbol("defined")));
            assert!(!program.imports(&|_| false));
            assert!(program.identity().starts_with("0102abcdef-"));
        }
    }

    #[test]
    fn programs_without_a_number_differ_by_their_constants() {
        let (mut headers, image) = importing(0);
        headers.truncate(2 * HEADER_BYTES);
        let identity = |image: Vec<u8>| {
            let read = move |address: u64, bytes: &mut [u8]| {
                let at = usize::try_from(address).unwrap();
                bytes.copy_from_slice(&image[at..at + bytes.len()]);
            };
            Program::new(0, &headers, &read).identity()
        };
        assert_eq!(identity(image.clone()), identity(image.clone()));
        let mut other = image.clone();
        other[0xfff] = 1;
        assert_ne!(identity(image), identity(other));
    }
}
