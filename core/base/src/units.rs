// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ids and units as types, so that a rank is never taken for a size.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// One mebibyte in bytes.
pub const MIB: u64 = 1 << 20;
/// One gibibyte in bytes.
pub const GIB: u64 = 1 << 30;

const _: () = assert!(usize::BITS == 64, "one address space for all processes needs 64-bit pointers");

/// Most ranks of a job.
pub const MAX_WORLD_SIZE: u32 = 16_384;

/// A member of a job, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(pub u32);

impl Rank {
    /// The rank as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An address in a window of a pool: a plain number, equal in every process of the job.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Gva(pub u64);

impl Gva {
    /// The address `offset_bytes` further on; saturates, so that an overflow ends outside every window.
    #[must_use]
    pub const fn add(self, offset_bytes: u64) -> Self {
        Self(self.0.saturating_add(offset_bytes))
    }

    /// The address as a pointer of this process; the pool decides whether it may be used.
    #[expect(clippy::cast_possible_truncation, reason = "pointers are 64 bits wide, asserted above")]
    pub fn as_ptr(self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.0 as usize)
    }
}

impl fmt::Debug for Gva {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Display for Gva {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// The kind of memory a segment is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemKind {
    /// Memory of an accelerator (HBM); on a machine without one, host memory in its place.
    Device,
    /// Host memory (DRAM).
    Host,
}

impl MemKind {
    /// Both kinds, in the order of their windows in the address space.
    pub const ALL: [MemKind; 2] = [MemKind::Device, MemKind::Host];

    /// 0 for the device window, 1 for the host window.
    pub const fn index(self) -> usize {
        match self {
            MemKind::Device => 0,
            MemKind::Host => 1,
        }
    }
}

impl fmt::Display for MemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MemKind::Device => "device",
            MemKind::Host => "host",
        })
    }
}

/// A number of bytes that prints and parses with binary units (`4096`, `64KiB`, `2 MiB`, `1G`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteLen(pub u64);

const UNITS: [(&str, u32); 5] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)];

impl fmt::Display for ByteLen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, shift) = UNITS.iter().find(|(_, shift)| self.0 >= 1 << shift).copied().unwrap_or(("B", 0));
        if self.0 & ((1 << shift) - 1) == 0 {
            write!(f, "{} {unit}", self.0 >> shift)
        } else {
            write!(f, "{:.1} {unit}", self.0 as f64 / (1u64 << shift) as f64)
        }
    }
}

impl FromStr for ByteLen {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bad = || {
            Error::invalid("parse size", "not a number of bytes")
                .with("text", text)
                .hint("write a whole number with an optional unit, for example 4096, 64KiB, 2MiB, 1GiB")
        };
        let text_trimmed = text.trim();
        let digits = text_trimmed.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text_trimmed.split_at(digits);
        let number: u64 = number.parse().map_err(|_| bad())?;
        let shift = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" => 0,
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            "t" | "tb" | "tib" => 40,
            _ => return Err(bad()),
        };
        number.checked_mul(1 << shift).map(ByteLen).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sizes_print_with_units() {
        for (bytes, text) in
            [(0, "0 B"), (8, "8 B"), (65536, "64 KiB"), (3 << 20, "3 MiB"), (1536, "1.5 KiB")]
        {
            assert_eq!(ByteLen(bytes).to_string(), text);
        }
    }

    #[test]
    fn bad_sizes_are_refused() {
        for text in ["", "MiB", "-1", "1.5G", "99999999999T", "4 parsecs"] {
            assert!(text.parse::<ByteLen>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn whole_units_survive_a_round_trip(n in 0u64..1024, shift in prop::sample::select(vec![0u32, 10, 20, 30, 40])) {
            let len = ByteLen(n << shift);
            prop_assert_eq!(len.to_string().parse::<ByteLen>().unwrap(), len);
        }
    }
}
