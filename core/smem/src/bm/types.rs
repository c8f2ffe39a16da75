// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kinds of copies, by what their two ends are.

use mf_base::{Error, Result};
pub use mf_fabric::pool::Mode as CopyMode;
use mf_fabric::pool::Side;

/// Kinds of a copy's source and destination, numbered as in the C interface.
///
/// "Pool" is any address in the pool, of either kind and any rank, the own one included. On a machine without
/// an accelerator local device memory is host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CopyType {
    /// Local device memory → pool.
    L2G = 0,
    /// Pool → local device memory.
    G2L = 1,
    /// Pool → local host memory.
    G2H = 2,
    /// Local host memory → pool.
    H2G = 3,
    /// Local device memory → host memory of the pool.
    L2GH = 4,
    /// Host memory of the pool → local device memory.
    GH2L = 5,
    /// Host memory of the pool → local host memory.
    GH2H = 6,
    /// Local host memory → host memory of the pool.
    H2GH = 7,
    /// Pool → pool.
    G2G = 8,
    /// Decided by the addresses; at least one end is in the pool.
    Auto = 9,
}

impl CopyType {
    /// All of them, in the order of their numbers.
    pub const ALL: [CopyType; 10] = [
        CopyType::L2G,
        CopyType::G2L,
        CopyType::G2H,
        CopyType::H2G,
        CopyType::L2GH,
        CopyType::GH2L,
        CopyType::GH2H,
        CopyType::H2GH,
        CopyType::G2G,
        CopyType::Auto,
    ];

    /// Returns the copy type with this number.
    ///
    /// # Errors
    /// `InvalidParam` for an unknown number.
    #[inline(always)]
    pub fn from_number(number: u32) -> Result<Self> {
        Self::known(number).ok_or_else(|| unknown(number))
    }

    /// As [`from_number`](Self::from_number); `None` for a number without a type.
    #[inline(always)]
    pub fn known(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// Returns the required kinds of both ends.
    #[inline(always)]
    pub(crate) fn sides(self) -> (Side, Side) {
        SIDES[self as usize]
    }
}

/// Required kinds of both ends of each copy type, in the order of their numbers.
const SIDES: [(Side, Side); 10] = [
    (Side::LocalDevice, Side::Global),
    (Side::Global, Side::LocalDevice),
    (Side::Global, Side::LocalHost),
    (Side::LocalHost, Side::Global),
    (Side::LocalDevice, Side::Global),
    (Side::Global, Side::LocalDevice),
    (Side::Global, Side::LocalHost),
    (Side::LocalHost, Side::Global),
    (Side::Global, Side::Global),
    (Side::Any, Side::Any),
];

#[cold]
fn unknown(number: u32) -> Error {
    Error::invalid("copy", "no such copy type").with("type", number).hint("0 to 9, see smem_bm_copy_type")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copy_type_sides_match_their_names() {
        for copy_type in CopyType::ALL {
            let name = format!("{copy_type:?}");
            let of = |part: &str| match part {
                "L" => Side::LocalDevice,
                "H" => Side::LocalHost,
                _ => Side::Global,
            };
            let expected =
                name.split_once('2').map_or((Side::Any, Side::Any), |(src, dst)| (of(src), of(dst)));
            assert_eq!(copy_type.sides(), expected, "{name}");
        }
    }

    #[test]
    fn numbers_match_the_c_interface() {
        for (number, copy_type) in (0..).zip(CopyType::ALL) {
            assert_eq!(copy_type as u32, number);
            assert_eq!(CopyType::from_number(number).unwrap(), copy_type);
        }
        assert!(CopyType::from_number(10).is_err());
    }
}
