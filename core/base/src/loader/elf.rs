// SPDX-License-Identifier: Apache-2.0 OR MIT
//! ELF reader, just enough to explain why the loader will refuse a file, or would die of it: mapping a
//! truncated file and reading beyond its end is a bus error.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::os::descriptor;

const MAGIC: [u8; 4] = [0x7f, b'E', b'L', b'F'];
const HEAD_BYTES: usize = 64;
const PROGRAM_HEADERS_AT: usize = 32;
const SEGMENT_BYTES: usize = 56;
const LOADED: u32 = 1;
const CLASS_64: u8 = 2;
const LITTLE_ENDIAN: u8 = 1;

#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = 62;
#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = 183;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the loader supports x86-64 and aarch64 only");

/// Verdict on a file, as far as this process can load it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A library of this machine's kind.
    Fits,
    /// An ELF file of another machine, in words.
    OtherMachine(String),
    /// No library, and what instead, in words.
    NotALibrary(String),
}

/// This machine, in words.
pub(super) fn this_machine() -> String {
    describe(CLASS_64, LITTLE_ENDIAN, MACHINE)
}

/// Reads the headers of the file.
pub(super) fn inspect(path: &Path) -> io::Result<Verdict> {
    let mut file = descriptor::read_file(path)?;
    let bytes = file.metadata()?.len();
    let mut head = [0_u8; HEAD_BYTES];
    match read(&mut file, 0, &mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            return Ok(Verdict::NotALibrary(format!("it has {bytes} bytes")));
        }
        other => other?,
    }
    match inspect_head(&head) {
        Verdict::Fits => {}
        verdict => return Ok(verdict),
    }
    let needed = match mapped_end(&mut file, &head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => u64::MAX,
        other => other?,
    };
    if needed <= bytes {
        return Ok(Verdict::Fits);
    }
    Ok(Verdict::NotALibrary(format!("it is cut short: it has {bytes} bytes and its segments end later")))
}

fn read(file: &mut File, at: u64, buffer: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(buffer)
}

/// The end of the last segment that the loader maps, as an offset in the file.
fn mapped_end(file: &mut File, head: &[u8; HEAD_BYTES]) -> io::Result<u64> {
    let start = u64::from_le_bytes(field(head, PROGRAM_HEADERS_AT));
    let (size, count) = (u16::from_le_bytes(field(head, 54)), u16::from_le_bytes(field(head, 56)));
    let mut end = 0;
    for index in 0..count {
        let mut segment = [0_u8; SEGMENT_BYTES];
        read(file, start.saturating_add(u64::from(index) * u64::from(size)), &mut segment)?;
        if u32::from_le_bytes(field(&segment, 0)) == LOADED {
            let (offset, length) =
                (u64::from_le_bytes(field(&segment, 8)), u64::from_le_bytes(field(&segment, 32)));
            end = end.max(offset.saturating_add(length));
        }
    }
    Ok(end)
}

/// The `N` bytes at a fixed place of a header.
fn field<const N: usize, const M: usize>(header: &[u8; M], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&header[at..at + N]);
    bytes
}

fn inspect_head(head: &[u8; HEAD_BYTES]) -> Verdict {
    let [m0, m1, m2, m3, class, order, ..] = *head;
    if [m0, m1, m2, m3] != MAGIC {
        return Verdict::NotALibrary("it is not an ELF file".to_owned());
    }
    let machine = field(head, 18);
    let machine =
        if order == LITTLE_ENDIAN { u16::from_le_bytes(machine) } else { u16::from_be_bytes(machine) };
    if (class, order, machine) == (CLASS_64, LITTLE_ENDIAN, MACHINE) {
        Verdict::Fits
    } else {
        Verdict::OtherMachine(describe(class, order, machine))
    }
}

fn describe(class: u8, order: u8, machine: u16) -> String {
    let name = match machine {
        3 => "x86",
        8 => "MIPS",
        20 | 21 => "PowerPC",
        22 => "s390",
        40 => "ARM",
        62 => "x86-64",
        183 => "AArch64",
        243 => "RISC-V",
        258 => "LoongArch",
        _ => "machine",
    };
    let bits = if class == CLASS_64 { "64-bit" } else { "32-bit" };
    let order = if order == LITTLE_ENDIAN { "little-endian" } else { "big-endian" };
    format!("{name} ({machine}), {bits}, {order}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(class: u8, order: u8, machine: [u8; 2]) -> [u8; HEAD_BYTES] {
        let mut head = [0; HEAD_BYTES];
        head[..4].copy_from_slice(&MAGIC);
        head[4] = class;
        head[5] = order;
        head[18..20].copy_from_slice(&machine);
        head
    }

    #[test]
    fn own_elf_kind_is_accepted() {
        assert_eq!(inspect_head(&head(2, 1, MACHINE.to_le_bytes())), Verdict::Fits);
        assert_eq!(inspect(&std::env::current_exe().unwrap()).unwrap(), Verdict::Fits);
    }

    #[test]
    fn foreign_elf_kinds_are_named() {
        let other = |head| match inspect_head(&head) {
            Verdict::OtherMachine(text) => text,
            verdict => panic!("{verdict:?}"),
        };
        assert_eq!(other(head(2, 1, [22, 0])), "s390 (22), 64-bit, little-endian");
        assert_eq!(other(head(2, 2, [0, 22])), "s390 (22), 64-bit, big-endian");
        assert_eq!(other(head(1, 1, [40, 0])), "ARM (40), 32-bit, little-endian");
        assert_eq!(other(head(1, 1, MACHINE.to_le_bytes())), describe(1, 1, MACHINE));
    }

    #[test]
    fn text_and_empty_files_are_rejected() {
        assert_eq!(
            inspect_head(&[b' '; HEAD_BYTES]),
            Verdict::NotALibrary("it is not an ELF file".to_owned())
        );
        assert_eq!(
            inspect(Path::new("/dev/null")).unwrap(),
            Verdict::NotALibrary("it has 0 bytes".to_owned())
        );
        assert_eq!(inspect(Path::new("/nowhere")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
