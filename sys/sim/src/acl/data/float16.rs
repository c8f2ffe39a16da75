// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Floats of 16 bits: one bit of sign, 5 of exponent, 10 of fraction.

const SIGN: u16 = 0x8000;
const INFINITY: u16 = 0x7c00;
/// The bit of the fraction that makes a NaN quiet.
const QUIET: u16 = 0x0200;
/// Between the biases of the exponents.
const BIAS: u32 = 127 - 15;
/// Between the lengths of the fractions.
const SHORTER: u32 = 23 - 10;

/// The same value in 32 bits; every value of 16 bits has one.
pub(super) fn widen(half: u16) -> f32 {
    let sign = u32::from(half & SIGN) << 16;
    let (exponent, fraction) = (u32::from(half >> 10) & 0x1f, u32::from(half) & 0x3ff);
    let magnitude = match (exponent, fraction) {
        (0, 0) => 0,
        (0, fraction) => {
            // A subnormal: its highest bit becomes the hidden one.
            let shift = fraction.leading_zeros() - (32 - 11);
            ((BIAS + 1 - shift) << 23) | ((fraction << shift & 0x3ff) << SHORTER)
        }
        (0x1f, fraction) => 0x7f80_0000 | (fraction << SHORTER),
        (exponent, fraction) => ((exponent + BIAS) << 23) | (fraction << SHORTER),
    };
    f32::from_bits(sign | magnitude)
}

/// Rounds to the nearest value of 16 bits, ties to even. Overflow becomes infinite; a NaN stays a NaN.
pub(super) fn narrow(single: f32) -> u16 {
    let bits = single.to_bits();
    let sign = if single.is_sign_negative() { SIGN } else { 0 };
    let magnitude = bits & 0x7fff_ffff;
    if single.is_nan() {
        return sign | INFINITY | QUIET | low16((magnitude >> SHORTER) & 0x3ff);
    }
    let exponent = magnitude >> 23;
    let (value, dropped) = match exponent {
        // Fractions with their hidden bit, in units of the smallest subnormal.
        0..=BIAS if exponent + 11 > BIAS => {
            ((magnitude & 0x007f_ffff) | 0x0080_0000, SHORTER + 1 + BIAS - exponent)
        }
        0..=BIAS => return sign,
        _ => (magnitude - (BIAS << 23), SHORTER),
    };
    let (kept, rest, half) = (value >> dropped, value & ((1 << dropped) - 1), 1 << (dropped - 1));
    let up = rest > half || (rest == half && kept & 1 == 1);
    // A carry out of the fraction raises the exponent, up to the infinite.
    let rounded = (kept + u32::from(up)).min(INFINITY.into());
    sign | low16(rounded)
}

fn low16(bits: u32) -> u16 {
    u16::try_from(bits & 0xffff).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::{narrow, widen};

    #[test]
    fn every_half_survives_a_round_trip() {
        for half in 0..=u16::MAX {
            let wide = widen(half);
            if wide.is_nan() {
                assert!(half & 0x7fff > 0x7c00 && f32::from_bits(wide.to_bits()).is_nan());
                assert_eq!(narrow(wide), half | 0x0200, "{half:#x}");
            } else {
                assert_eq!(narrow(wide), half, "{half:#x}");
            }
        }
    }

    #[test]
    fn values_of_the_format() {
        let cases = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 2f32.powi(-14)),
            (0x0001, 2f32.powi(-24)),
            (0x03ff, 1023.0 * 2f32.powi(-24)),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ];
        for (half, single) in cases {
            assert_eq!((widen(half), narrow(single)), (single, half));
        }
        assert_eq!(narrow(-0.0), 0x8000);
    }

    /// Exactly halfway the even neighbour is taken, otherwise the nearer one.
    #[test]
    fn ties_go_to_the_even_neighbour() {
        for half in 0..0x7bff_u16 {
            let (low, high) = (f64::from(widen(half)), f64::from(widen(half + 1)));
            #[expect(clippy::cast_possible_truncation, reason = "the middle of two is exact in 32 bits")]
            let middle = ((low + high) / 2.0) as f32;
            let even = if half % 2 == 0 { half } else { half + 1 };
            assert_eq!(narrow(middle), even, "{half:#x}");
            assert_eq!(narrow(middle.next_down()), half, "{half:#x}");
            assert_eq!(narrow(middle.next_up()), half + 1, "{half:#x}");
        }
        assert_eq!((narrow(65519.996), narrow(65520.0)), (0x7bff, 0x7c00));
        assert_eq!((narrow(f32::MAX), narrow(f32::MIN)), (0x7c00, 0xfc00));
        let (half_least, above) = (2f32.powi(-25), 2f32.powi(-25).next_up());
        assert_eq!((narrow(half_least), narrow(above), narrow(f32::from_bits(1))), (0, 1, 0));
    }
}
