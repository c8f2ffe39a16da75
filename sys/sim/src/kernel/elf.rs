// SPDX-License-Identifier: Apache-2.0 OR MIT
//! ELF parser for kernel binaries, run on the bytes before the system's loader sees them.
//!
//! The loader trusts files: one that was cut short ends the process. So the segments are checked against the
//! length here. The table of dynamic symbols gives the sizes of variables, and names for error texts.

use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};

/// A shared object for this machine.
#[derive(Debug)]
pub struct SharedObject {
    /// Exported symbols.
    pub symbols: Vec<Symbol>,
}

/// A dynamic symbol that is defined.
#[derive(Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The symbol is a variable.
    pub variable: bool,
}

const HOST_MACHINE: u16 = if cfg!(target_arch = "x86_64") {
    62
} else if cfg!(target_arch = "aarch64") {
    183
} else {
    0
};
const SHARED: u16 = 3;
const LOAD: u32 = 1;
const DYNAMIC_SYMBOLS: u32 = 11;

/// Inspects a binary.
///
/// # Errors
/// 100005 empty · 100006 no ELF, or a broken one · 207000 for a device, or for the AI CPU.
pub fn inspect(bytes: &[u8]) -> Outcome<SharedObject> {
    ensure(!bytes.is_empty(), acl::FILE_SIZE, || "the binary is empty".to_owned())?;
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{') {
        return Err(Fault::new(
            acl::FEATURE_NOT_SUPPORT,
            "the binary is a JSON description of AI CPU kernels; the simulator has no AI CPU",
        ));
    }
    ensure(bytes.starts_with(b"\x7fELF"), acl::PARSE_FILE, || {
        format!("the binary of {} bytes does not begin like an ELF file", bytes.len())
    })?;
    let elf = Elf(bytes);
    let machine = elf.u16(18)?;
    // 64 bits, least significant byte first.
    if machine != HOST_MACHINE || bytes.get(4..6) != Some(&[2, 1]) {
        return Err(Fault::new(
            acl::FEATURE_NOT_SUPPORT,
            format_args!(
                "the binary is for machine {machine} (a device?), not for this host ({HOST_MACHINE}): the simulator \
                 runs kernels that were compiled for the host"
            ),
        ));
    }
    let kind = elf.u16(16)?;
    ensure(kind == SHARED, acl::PARSE_FILE, || {
        format!("the binary is an ELF file of type {kind}, not a shared object")
    })?;
    elf.check_segments()?;
    Ok(SharedObject { symbols: elf.symbols()? })
}

struct Elf<'a>(&'a [u8]);

impl Elf<'_> {
    fn check_segments(&self) -> Outcome {
        let (table, size, count) = (self.u64(32)?, self.u16(54)?, self.u16(56)?);
        let mut loads = 0;
        for index in 0..count {
            let entry = table.saturating_add(u64::from(index) * u64::from(size));
            if self.u32(entry)? == LOAD {
                loads += 1;
                let end = self.u64(entry.saturating_add(8))?.checked_add(self.u64(entry.saturating_add(32))?);
                ensure(end.is_some_and(|end| end <= self.length()), acl::PARSE_FILE, || {
                    format!("the binary is cut short: segment {index} ends behind its {} bytes", self.0.len())
                })?;
            }
        }
        ensure(loads > 0, acl::PARSE_FILE, || "the binary has nothing to load".to_owned())
    }

    fn symbols(&self) -> Outcome<Vec<Symbol>> {
        let (table, size, count) = (self.u64(40)?, u64::from(self.u16(58)?), u64::from(self.u16(60)?));
        let mut found = Vec::new();
        for section in (0..count).map(|index| table.saturating_add(index * size)) {
            if self.u32(section.saturating_add(4))? != DYNAMIC_SYMBOLS {
                continue;
            }
            let strings = table.saturating_add(u64::from(self.u32(section.saturating_add(40))?) * size);
            let strings = self.u64(strings.saturating_add(24))?;
            let (at, bytes) = (self.u64(section.saturating_add(24))?, self.u64(section.saturating_add(32))?);
            ensure(bytes <= self.length(), acl::PARSE_FILE, || "the table of symbols is broken".to_owned())?;
            for symbol in (0..bytes / 24).map(|index| at.saturating_add(index * 24)) {
                let (info, defined) =
                    (self.u8(symbol.saturating_add(4))?, self.u16(symbol.saturating_add(6))? != 0);
                if defined && matches!(info & 0xf, 1 | 2) {
                    found.push(Symbol {
                        name: self.text(strings.saturating_add(self.u32(symbol)?.into()))?,
                        bytes: self.u64(symbol.saturating_add(16))?,
                        variable: info & 0xf == 1,
                    });
                }
            }
        }
        Ok(found)
    }

    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn take<const N: usize>(&self, at: u64) -> Outcome<[u8; N]> {
        let start = usize::try_from(at).ok();
        let bytes = start.and_then(|start| self.0.get(start..start.checked_add(N)?)?.try_into().ok());
        bytes.ok_or_else(|| {
            let length = self.0.len();
            Fault::new(acl::PARSE_FILE, format_args!("the binary points to byte {at} and has {length}"))
        })
    }

    fn u8(&self, at: u64) -> Outcome<u8> {
        Ok(u8::from_le_bytes(self.take(at)?))
    }

    fn u16(&self, at: u64) -> Outcome<u16> {
        Ok(u16::from_le_bytes(self.take(at)?))
    }

    fn u32(&self, at: u64) -> Outcome<u32> {
        Ok(u32::from_le_bytes(self.take(at)?))
    }

    fn u64(&self, at: u64) -> Outcome<u64> {
        Ok(u64::from_le_bytes(self.take(at)?))
    }

    fn text(&self, at: u64) -> Outcome<String> {
        let mut text = Vec::new();
        for at in at.. {
            match self.u8(at)? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_of_this_machine_lists_its_symbols() {
        // The test program itself is a position-independent object.
        let bytes = std::fs::read("/proc/self/exe").unwrap();
        inspect(&bytes).unwrap();
        let short = inspect(&bytes[..bytes.len() / 2]).unwrap_err();
        assert_eq!(short.code, acl::PARSE_FILE);
    }

    #[test]
    fn no_prefix_of_a_library_breaks_the_reader() {
        let bytes = std::fs::read("/proc/self/exe").unwrap();
        for length in 1..2048 {
            assert!(inspect(&bytes[..length]).is_err());
        }
    }

    #[test]
    fn foreign_files_are_rejected_by_kind() {
        assert_eq!(inspect(b"").unwrap_err().code, acl::FILE_SIZE);
        assert_eq!(inspect(b"MZ whatever").unwrap_err().code, acl::PARSE_FILE);
        assert_eq!(inspect(b" {\"op\": 1}").unwrap_err().code, acl::FEATURE_NOT_SUPPORT);
        let mut device = std::fs::read("/proc/self/exe").unwrap();
        device[18] = 0x29;
        device[19] = 0x10;
        let refusal = inspect(&device).unwrap_err();
        assert_eq!(refusal.code, acl::FEATURE_NOT_SUPPORT);
        assert!(refusal.text.contains("4137"), "{}", refusal.text);
    }
}
