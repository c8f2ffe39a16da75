// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Names of an object that holds a source's code for one kind of core.
//!
//! The same functions are in the host's object of that source, and in the other kind's. So functions and
//! constants get a prefix; variables are shared, and the host's definition goes first. Initialisers run by
//! the host's object alone. Left as they are: undefined names, and those by which the parts find each other.

/// Bytes of an ELF object with a table of symbols.
struct Object {
    bytes: Vec<u8>,
}

const SYMBOL_BYTES: usize = 24;
const SECTION_BYTES: usize = 64;
const SYMTAB: u32 = 2;
const SYMTAB_SHNDX: u32 = 18;
const WRITE: u64 = 1;
/// Of a section's number: it stands in a table of its own.
const ELSEWHERE: u16 = 0xffff;
/// Section numbers from here on are no sections.
const RESERVED: u16 = 0xff00;
const WEAK: u8 = 2;
const GLOBAL: u8 = 1;

/// Returns the object with the prefix before its names.
///
/// # Errors
/// It is not an object of 64 bits, least significant byte first, or is cut short.
pub(super) fn with_prefix(bytes: Vec<u8>, prefix: &str) -> Result<Vec<u8>, String> {
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return Err("the compiler's output is not an ELF object".to_owned());
    }
    let mut object = Object { bytes };
    object.rename(prefix).ok_or("the compiler's object is cut short")?;
    Ok(object.bytes)
}

impl Object {
    fn rename(&mut self, prefix: &str) -> Option<()> {
        let table = usize::try_from(self.u64(40)?).ok()?;
        let count = match self.u16(60)? {
            // More than fit into the head's field.
            0 => usize::try_from(self.u64(table + 32)?).ok()?,
            count => usize::from(count),
        };
        let section = |number: usize| table + number * SECTION_BYTES;
        let of_type = |object: &Self, wanted: u32| {
            (0..count).find(|number| object.u32(section(*number) + 4) == Some(wanted))
        };
        let symbols = section(of_type(self, SYMTAB)?);
        let numbers = of_type(self, SYMTAB_SHNDX);
        let numbers = numbers.and_then(|number| self.place(section(number)));
        let names = section(usize::try_from(self.u32(symbols + 40)?).ok()?);
        let (symbols_at, symbols_bytes) = (self.place(symbols)?, self.u64(symbols + 32)?);
        let (names_at, names_bytes) = (self.place(names)?, usize::try_from(self.u64(names + 32)?).ok()?);
        let mut all_names = self.bytes.get(names_at..names_at + names_bytes)?.to_vec();
        for index in 0..usize::try_from(symbols_bytes).ok()? / SYMBOL_BYTES {
            let at = symbols_at + index * SYMBOL_BYTES;
            let binding = self.bytes.get(at + 4)? >> 4;
            let number = match self.u16(at + 6)? {
                ELSEWHERE => self.u32(numbers? + 4 * index)?,
                number if number >= RESERVED => continue,
                number => u32::from(number),
            };
            // Undefined, or of this object alone.
            if number == 0 || binding == 0 {
                continue;
            }
            let flags = self.u64(section(usize::try_from(number).ok()?) + 8)?;
            if flags & WRITE != 0 {
                if binding == GLOBAL {
                    let info = self.bytes.get_mut(at + 4)?;
                    *info = (*info & 0xf) | (WEAK << 4);
                }
                continue;
            }
            let start = usize::try_from(self.u32(at)?).ok()?;
            let name = all_names.get(start..)?;
            let name = name.get(..name.iter().position(|byte| *byte == 0)?)?.to_vec();
            if is_shared(&name) {
                continue;
            }
            let fresh = u32::try_from(all_names.len()).ok()?;
            all_names.extend_from_slice(prefix.as_bytes());
            all_names.extend_from_slice(&name);
            all_names.push(0);
            self.bytes.get_mut(at..at + 4)?.copy_from_slice(&fresh.to_le_bytes());
        }
        self.move_names(names, &all_names)?;
        self.silence_initialisers(table, count)
    }

    /// Puts the names behind all else.
    fn move_names(&mut self, section: usize, names: &[u8]) -> Option<()> {
        let place = self.bytes.len() as u64;
        self.bytes.get_mut(section + 24..section + 32)?.copy_from_slice(&place.to_le_bytes());
        self.bytes.get_mut(section + 32..section + 40)?.copy_from_slice(&(names.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(names);
        Some(())
    }

    /// Names the lists of initialisers so that the linker does not gather them.
    fn silence_initialisers(&mut self, table: usize, count: usize) -> Option<()> {
        const PROGRAM_BITS: u32 = 1;
        let names = match self.u16(62)? {
            ELSEWHERE => self.u32(table + 40)?,
            number => u32::from(number),
        };
        let names = self.place(table + usize::try_from(names).ok()? * SECTION_BYTES)?;
        for number in 0..count {
            let section = table + number * SECTION_BYTES;
            let name = self.u32(section)?;
            let place = names + usize::try_from(name).ok()?;
            let text = self.bytes.get(place..)?;
            if [&b".init_array"[..], b".ctors"].iter().any(|list| text.starts_with(list)) {
                // Without the dot: an ordinary section of this name.
                self.bytes.get_mut(section..section + 4)?.copy_from_slice(&(name + 1).to_le_bytes());
                self.bytes.get_mut(section + 4..section + 8)?.copy_from_slice(&PROGRAM_BITS.to_le_bytes());
            }
        }
        Some(())
    }

    /// Returns the offset of a section's bytes.
    fn place(&self, section: usize) -> Option<usize> {
        usize::try_from(self.u64(section + 24)?).ok()
    }

    fn u16(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.bytes.get(at..at + 2)?.try_into().ok()?))
    }

    fn u32(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes.get(at..at + 4)?.try_into().ok()?))
    }

    fn u64(&self, at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes.get(at..at + 8)?.try_into().ok()?))
    }
}

/// Names by which the parts find each other, and the simulator them: `BodyOf` of a kernel, which says its
/// kind of core, and entries.
fn is_shared(name: &[u8]) -> bool {
    let is_body = name.starts_with(b"_ZN2mf9emulation6BodyOfI");
    is_body
        || [&b"mfk_launch_"[..], b"mfk_kernel_", b"aclrtlaunch_"].iter().any(|entry| name.starts_with(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_objects_are_refused() {
        assert!(with_prefix(b"!<arch>".to_vec(), "cube.").is_err());
        assert!(with_prefix(b"\x7fELF\x02\x01cut".to_vec(), "cube.").is_err());
    }
}
