// SPDX-License-Identifier: Apache-2.0 OR MIT
//! fp16 and bf16: their bits as f32 and back, rounded to the nearest, ties to even.

/// The value of fp16 bits.
pub fn from_f16(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        _ => sign * (1024.0 + fraction) * 2f32.powi(exponent - 25),
    }
}

/// The fp16 bits nearest to a value.
pub fn to_f16(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = u16::try_from(bits >> 16 & 0x8000).unwrap_or(0);
    if value.is_nan() {
        return sign | 0x7e00;
    }
    let size = f64::from(value.abs());
    // Halfway between the largest number and what would follow it; a tie goes to the even one, which is
    // infinity.
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    // In units of the last place: at least the smallest subnormal number.
    let exponent = (i32::try_from(bits >> 23 & 0xff).unwrap_or(0) - 127).max(-14);
    let places = (size * 2f64.powi(10 - exponent)).round_ties_even();
    // Exact: at most 2048. The sum carries into the exponent.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 0 to 2048"
    )]
    let places = places as u16;
    let above = u16::try_from(exponent + 14).unwrap_or(0);
    sign | (places + (above << 10))
}

/// The value of bf16 bits.
pub fn from_bf16(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The bf16 bits nearest to a value.
pub fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let high = u16::try_from(bits >> 16).unwrap_or(0);
    if value.is_nan() {
        return high | 0x40;
    }
    let low = bits & 0xffff;
    let up = low > 0x8000 || (low == 0x8000 && high & 1 == 1);
    high + u16::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_round_trips() {
        for bits in 0..=u16::MAX {
            if !from_f16(bits).is_nan() {
                assert_eq!(to_f16(from_f16(bits)), bits, "{bits:#x}");
            }
            if !from_bf16(bits).is_nan() {
                assert_eq!(to_bf16(from_bf16(bits)), bits, "{bits:#x}");
            }
        }
        assert!(from_f16(to_f16(f32::NAN)).is_nan() && from_bf16(to_bf16(f32::NAN)).is_nan());
    }

    #[test]
    fn rounding_is_to_nearest_with_ties_to_even() {
        // Between every two neighbours: a quarter, a half, three quarters of the distance.
        for low in 0..0x7bffu16 {
            let (a, b) = (from_f16(low), from_f16(low + 1));
            let even = low + (low & 1);
            assert_eq!(to_f16(a + (b - a) * 0.25), low);
            assert_eq!(to_f16(a + (b - a) * 0.5), even);
            assert_eq!(to_f16(-(a + (b - a) * 0.75)), 0x8000 | (low + 1));
        }
        assert_eq!(to_f16(65519.996), 0x7bff);
        assert_eq!(to_f16(65520.0), 0x7c00);
        assert_eq!(to_f16(2f32.powi(-25)), 0);
        assert_eq!(to_f16(2f32.powi(-25) * 1.001), 1);
        assert_eq!(to_bf16(f32::from_bits(0x3f80_8000)), 0x3f80);
        assert_eq!(to_bf16(f32::from_bits(0x3f80_8001)), 0x3f81);
        assert_eq!(to_bf16(f32::from_bits(0x3f81_8000)), 0x3f82);
        assert_eq!(to_bf16(f32::MAX), 0x7f80);
    }
}
