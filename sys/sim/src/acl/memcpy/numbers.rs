// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sums, maxima and minima of the number formats that devices combine.
//!
//! Integers wrap around. The 16-bit floating-point formats are widened to 32 bits, combined, and rounded to
//! the nearest, ties to even.

use ascend_acl_sys::raw::types as raw;

use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::machine::machine;
use crate::product::Line;

/// Reduction operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Sum,
    /// Not asked for by copies.
    Product,
    Max,
    Min,
}

impl Operation {
    /// Assumed: the operation *equal* exists by number only.
    pub(crate) fn read(number: u32) -> Outcome<Self> {
        match number {
            raw::ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM => Ok(Self::Sum),
            raw::ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX => Ok(Self::Max),
            raw::ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN => Ok(Self::Min),
            raw::ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL => {
                Err(Fault::new(acl::FEATURE_NOT_SUPPORT, "devices do not compare while copying"))
            }
            _ => Err(Fault::new(acl::INVALID_PARAM, format_args!("invalid kind={number}: not an operation"))),
        }
    }

    fn pick<T: PartialOrd>(
        self,
        left: T,
        right: T,
        sum: impl FnOnce(T, T) -> T,
        product: impl FnOnce(T, T) -> T,
    ) -> T {
        match self {
            Self::Sum => sum(left, right),
            Self::Product => product(left, right),
            Self::Max => {
                if right > left {
                    right
                } else {
                    left
                }
            }
            Self::Min => {
                if right < left {
                    right
                } else {
                    left
                }
            }
        }
    }
}

/// A format of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Float32,
    Float16,
    BFloat16,
    Int8,
    Int16,
    Int32,
    /// Not combined by copies.
    Int64,
    Uint32,
}

impl Number {
    /// The format of that `aclDataType`.
    ///
    /// # Errors
    /// 100000 no format · 207000 one that devices do not combine.
    pub(crate) fn read(number: i32) -> Outcome<Self> {
        match number {
            0 => Ok(Self::Float32),
            1 => Ok(Self::Float16),
            2 => Ok(Self::Int8),
            3 => Ok(Self::Int32),
            6 => Ok(Self::Int16),
            27 => Ok(Self::BFloat16),
            8 if machine()?.product.line == Line::A5 => Ok(Self::Uint32),
            4 | 7..=12 | 29 | 30 | 35..=37 => Err(Fault::new(
                acl::FEATURE_NOT_SUPPORT,
                format_args!("devices of this product do not combine numbers of type {number}"),
            )),
            _ => Err(Fault::new(acl::INVALID_PARAM, format_args!("invalid type={number}: not a data type"))),
        }
    }

    /// Bytes of one number.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::Int8 => 1,
            Self::Float16 | Self::BFloat16 | Self::Int16 => 2,
            Self::Float32 | Self::Int32 | Self::Uint32 => 4,
            Self::Int64 => 8,
        }
    }

    /// Combines `right` into `left`, number by number.
    pub(crate) fn combine(self, operation: Operation, left: &mut [u8], right: &[u8]) {
        match self {
            Self::Int8 => each(left, right, |a, b| {
                operation
                    .pick(i8::from_ne_bytes(a), i8::from_ne_bytes(b), i8::wrapping_add, i8::wrapping_mul)
                    .to_ne_bytes()
            }),
            Self::Int16 => each(left, right, |a, b| {
                operation
                    .pick(i16::from_ne_bytes(a), i16::from_ne_bytes(b), i16::wrapping_add, i16::wrapping_mul)
                    .to_ne_bytes()
            }),
            Self::Int32 => each(left, right, |a, b| {
                operation
                    .pick(i32::from_ne_bytes(a), i32::from_ne_bytes(b), i32::wrapping_add, i32::wrapping_mul)
                    .to_ne_bytes()
            }),
            Self::Int64 => each(left, right, |a, b| {
                operation
                    .pick(i64::from_ne_bytes(a), i64::from_ne_bytes(b), i64::wrapping_add, i64::wrapping_mul)
                    .to_ne_bytes()
            }),
            Self::Uint32 => each(left, right, |a, b| {
                operation
                    .pick(u32::from_ne_bytes(a), u32::from_ne_bytes(b), u32::wrapping_add, u32::wrapping_mul)
                    .to_ne_bytes()
            }),
            Self::Float32 => each(left, right, |a, b| {
                operation
                    .pick(f32::from_ne_bytes(a), f32::from_ne_bytes(b), |a, b| a + b, |a, b| a * b)
                    .to_ne_bytes()
            }),
            Self::Float16 => each(left, right, |a, b| {
                let (a, b) = (from_half(u16::from_ne_bytes(a)), from_half(u16::from_ne_bytes(b)));
                to_half(operation.pick(a, b, |a, b| a + b, |a, b| a * b)).to_ne_bytes()
            }),
            Self::BFloat16 => each(left, right, |a, b| {
                let wide = |bytes| f32::from_bits(u32::from(u16::from_ne_bytes(bytes)) << 16);
                to_brain(operation.pick(wide(a), wide(b), |a, b| a + b, |a, b| a * b)).to_ne_bytes()
            }),
        }
    }
}

fn each<const N: usize>(left: &mut [u8], right: &[u8], combine: impl Fn([u8; N], [u8; N]) -> [u8; N]) {
    let (left, _) = left.as_chunks_mut::<N>();
    let (right, _) = right.as_chunks::<N>();
    for (to, from) in left.iter_mut().zip(right) {
        *to = combine(*to, *from);
    }
}

/// 1 sign bit, 5 of the exponent, 10 of the fraction.
fn from_half(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(half >> 10) & 0x1f, u32::from(half & 0x3ff));
    match (exponent, fraction) {
        (0, _) => {
            // Below the normal numbers: so many times 2^-24, exactly.
            let value = f32::from(half & 0x3ff) * (-24_f32).exp2();
            f32::from_bits(sign | value.to_bits())
        }
        (0x1f, _) => f32::from_bits(sign | 0x7f80_0000 | (fraction << 13)),
        _ => f32::from_bits(sign | ((exponent + 112) << 23) | (fraction << 13)),
    }
}

fn to_half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = high_half(bits) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    let rounded = if magnitude < 0x3880_0000 {
        // Below the normal numbers: adding 0.5 leaves the multiple of 2^-24, rounded, in the lowest bits.
        (f32::from_bits(magnitude) + 0.5).to_bits() - 0.5_f32.to_bits()
    } else if magnitude < 0x4780_0000 {
        let even = (magnitude >> 13) & 1;
        (magnitude - (112 << 23) + 0xfff + even) >> 13
    } else {
        0x7c00
    };
    sign | low_half(rounded.min(0x7c00))
}

/// The upper half of a 32-bit number.
fn to_brain(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        return high_half(bits) | 0x40;
    }
    let even = (bits >> 16) & 1;
    high_half(bits.wrapping_add(0x7fff + even))
}

fn high_half(bits: u32) -> u16 {
    let [_, _, low, high] = bits.to_le_bytes();
    u16::from_le_bytes([low, high])
}

fn low_half(bits: u32) -> u16 {
    let [low, high, _, _] = bits.to_le_bytes();
    u16::from_le_bytes([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_widening() {
        for half in 0..=u16::MAX {
            let back = to_half(from_half(half));
            if from_half(half).is_nan() {
                assert!(from_half(back).is_nan());
            } else {
                assert_eq!(back, half, "{}", from_half(half));
            }
        }
    }

    #[test]
    fn halves_round_to_the_nearest_even() {
        assert_eq!(to_half(1.0), 0x3c00);
        assert_eq!(to_half(-2.0), 0xc000);
        // The largest value, one that just rounds to it, and one that does not.
        assert_eq!((to_half(65504.0), to_half(65519.9), to_half(65520.0)), (0x7bff, 0x7bff, 0x7c00));
        // Half of the last bit: to even.
        assert_eq!((to_half(1.0 + 1.0 / 2048.0), to_half(1.0 + 3.0 / 2048.0)), (0x3c00, 0x3c02));
        // The smallest one, and half of it.
        let smallest = (-24_f32).exp2();
        assert_eq!((to_half(smallest), to_half(smallest / 2.0), to_half(smallest * 0.75)), (1, 0, 1));
        assert_eq!(to_half(f32::INFINITY), 0x7c00);
    }

    #[test]
    fn brain_floats_round_to_the_nearest_even() {
        assert_eq!(to_brain(1.0), 0x3f80);
        assert_eq!((to_brain(1.0 + 1.0 / 256.0), to_brain(1.0 + 3.0 / 256.0)), (0x3f80, 0x3f82));
        assert!(f32::from_bits(u32::from(to_brain(f32::NAN)) << 16).is_nan());
    }
}
