// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Quantisation of 16-bit floats to bytes: q = x × scale + offset, rounded to the nearest, halves to even,
//! and saturated to −128…127. Product and sum are rounded to 32-bit numbers, as vector units and NumPy
//! do; NaN becomes 0.
//!
//! Here the processor does it; in `accelerator` a kernel does (`launch`), for numbers in an accelerator's
//! memory.

mod accelerator;
mod buffers;
mod host_copies;
mod launch;
mod write;

use mf_base::{Error, Result};

pub use accelerator::BuiltInKernels;
pub(super) use accelerator::Quantiser;

const OP: &str = "quantised write";

/// Format of a 16-bit number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The upper half of a 32-bit number.
    Bfloat16,
    /// 5 bits of exponent, 10 of mantissa.
    Float16,
}

impl Half {
    /// Returns the format of a number of the C interface.
    ///
    /// # Errors
    /// `InvalidParam` unknown format.
    pub fn from_number(operation: &'static str, number: u32) -> Result<Self> {
        match number {
            0 => Ok(Self::Bfloat16),
            1 => Ok(Self::Float16),
            _ => Err(Error::invalid(operation, "no such input type")
                .with("inputType", number)
                .hint("0 bfloat16, 1 float16")),
        }
    }

    /// The number of this kind for kernels.
    const fn for_kernels(self) -> u32 {
        match self {
            Self::Float16 => 0,
            Self::Bfloat16 => 1,
        }
    }

    /// The same number in 32 bits.
    fn widen(self, bits: u16) -> f32 {
        if self == Self::Bfloat16 {
            return f32::from_bits(u32::from(bits) << 16);
        }
        let (sign, exponent, mantissa) =
            (u32::from(bits >> 15) << 31, u32::from(bits >> 10 & 31), u32::from(bits & 1023));
        match exponent {
            31 => f32::from_bits(sign | 0x7f80_0000 | mantissa << 13),
            // A multiple of 2 to the power of -24, which 32 bits have exactly.
            0 => {
                let value = f32::from(bits & 1023) * (1.0 / 16_777_216.0);
                if sign == 0 { value } else { -value }
            }
            _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
        }
    }
}

/// A piece that is quantised in the transfer.
#[derive(Clone, Copy, Debug)]
pub struct QuantPiece {
    /// Numbers of 2 bytes here, of the host or of the accelerator.
    pub source: *const u8,
    /// Destination of the bytes, in memory of the other process.
    pub address: u64,
    /// Number of values.
    pub count: usize,
    /// A factor for each unit, of either, too; null: 1.
    pub scales: *const f32,
    /// A summand for each unit, likewise; null: 0.
    pub offsets: *const f32,
}

/// Returns the number of units in `count` numbers.
fn units_of(count: usize, unit: usize) -> usize {
    if unit == 0 { count.min(1) } else { count.div_ceil(unit) }
}

/// Appends the bytes of a piece with units of `unit` numbers each; 0: all of it is one unit.
///
/// # Safety
/// `count` numbers at the source, and a scale and an offset for each unit, are memory of the host and
/// readable.
unsafe fn quantise(piece: &QuantPiece, unit: usize, half: Half, into: &mut Vec<u8>) {
    let unit = if unit == 0 { piece.count } else { unit };
    into.reserve(piece.count);
    let (mut scale, mut offset) = (1.0_f32, 0.0_f32);
    for index in 0..piece.count {
        if index.is_multiple_of(unit) {
            let number = index / unit;
            if !piece.scales.is_null() {
                // SAFETY: one of the scales, by the caller.
                scale = unsafe { piece.scales.wrapping_add(number).read_unaligned() };
            }
            if !piece.offsets.is_null() {
                // SAFETY: one of the offsets, by the caller.
                offset = unsafe { piece.offsets.wrapping_add(number).read_unaligned() };
            }
        }
        // SAFETY: one of the numbers, by the caller.
        let bits = unsafe { piece.source.cast::<u16>().wrapping_add(index).read_unaligned() };
        into.push(rounded(half.widen(bits) * scale + offset).to_le_bytes()[0]);
    }
}

/// To the nearest, halves to even, saturated.
fn rounded(value: f32) -> i8 {
    #[expect(clippy::cast_possible_truncation, reason = "it saturates, and makes 0 of what is no number")]
    let rounded = value.round_ties_even() as i8;
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_widened_exactly() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -1023.0 / 16_777_216.0),
            (0x8000, -0.0),
        ] {
            let widened = Half::Float16.widen(bits);
            assert_eq!(widened.to_bits(), f32::to_bits(value), "{bits:#x}: {widened}");
        }
        assert!(Half::Float16.widen(0x7c00).is_infinite() && Half::Float16.widen(0x7e00).is_nan());
        assert_eq!(Half::Bfloat16.widen(0x3fc0).to_bits(), 1.5_f32.to_bits());
    }

    #[test]
    fn units_have_their_own_scale_and_offset() {
        // 0.5, 1.5, 2.5, -0.5, 200, -200
        let numbers: [u16; 6] = [0x3800, 0x3e00, 0x4100, 0xb800, 0x5a40, 0xda40];
        let (scales, offsets) = ([1.0_f32, 2.0, 1.0], [0.0_f32, 1.0, 0.0]);
        let piece = QuantPiece {
            source: numbers.as_ptr().cast(),
            address: 0,
            count: 6,
            scales: scales.as_ptr(),
            offsets: offsets.as_ptr(),
        };
        let quantised = |piece: &QuantPiece, unit| {
            let mut bytes = Vec::new();
            // SAFETY: the numbers are above.
            unsafe { quantise(piece, unit, Half::Float16, &mut bytes) };
            bytes.into_iter().map(|byte| i8::from_le_bytes([byte])).collect::<Vec<_>>()
        };
        assert_eq!(quantised(&piece, 2), [0, 2, 6, 0, 127, -128]);
        let none = QuantPiece { scales: std::ptr::null(), offsets: std::ptr::null(), ..piece };
        assert_eq!(quantised(&none, 0), [0, 2, 2, 0, 127, -128]);
        assert_eq!(rounded(f32::NAN), 0);
    }
}
