// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Elements that are numbers: changed by atomics, compared by waits. Functions take their bits, so that one
//! function serves all types of a width.

use mf_base::{Error, Result};
use mf_transport::Width;

/// A type of number: its width, and its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A signed integer of so many bytes: 1, 2, 4 or 8.
    Signed(u8),
    /// An unsigned integer of so many bytes: 1, 2, 4 or 8.
    Unsigned(u8),
    /// A float of 4 bytes.
    Float,
    /// A float of 8 bytes.
    Double,
}

impl Number {
    /// Returns the bytes of an element.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Signed(bytes) | Self::Unsigned(bytes) => bytes as usize,
            Self::Float => 4,
            Self::Double => 8,
        }
    }
}

/// A type of the program that is a number.
pub trait Element: Copy {
    /// The type.
    const NUMBER: Number;

    /// The width of an atomic on it: 4 or 8 bytes.
    const WIDTH: Width = if Self::NUMBER.bytes() == 4 { Width::W32 } else { Width::W64 };

    /// Returns its bits, zero-extended.
    fn to_bits(self) -> u64;

    /// Returns the element with these bits; bits above its width are ignored.
    fn from_bits(bits: u64) -> Self;
}

macro_rules! integers {
    ($($kind:ident: $($signed:ty = $bits:ty),*;)*) => {
        $($(impl Element for $signed {
            const NUMBER: Number = Number::$kind(size_of::<Self>() as u8);

            #[inline(always)]
            fn to_bits(self) -> u64 {
                self as $bits as u64
            }

            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
        })*)*
    };
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    trivial_numeric_casts,
    reason = "bits are taken as they are"
)]
mod integers {
    use super::{Element, Number};

    integers! {
        Signed: i8 = u8, i16 = u16, i32 = u32, i64 = u64, isize = usize;
        Unsigned: u8 = u8, u16 = u16, u32 = u32, u64 = u64, usize = usize;
    }
}

impl Element for f32 {
    const NUMBER: Number = Number::Float;

    #[inline(always)]
    fn to_bits(self) -> u64 {
        u64::from(self.to_bits())
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(<u32 as Element>::from_bits(bits))
    }
}

impl Element for f64 {
    const NUMBER: Number = Number::Double;

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.to_bits()
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

/// Returns the bytes of a word.
pub(crate) const fn width_bytes(width: Width) -> usize {
    match width {
        Width::W32 => 4,
        Width::W64 => 8,
    }
}

/// Checks that a word is aligned to its length.
pub(crate) fn check_aligned(operation: &'static str, word: *const u8, bytes: usize) -> Result<()> {
    if word.addr().is_multiple_of(bytes) {
        return Ok(());
    }
    Err(Error::invalid(operation, "the word is not aligned")
        .with("address", format!("{:#x}", word.addr()))
        .with("bytes", bytes)
        .hint("its address is a multiple of its size; nothing was done"))
}
