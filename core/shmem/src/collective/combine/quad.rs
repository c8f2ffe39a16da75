// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `long double` on AArch64: 128 bits in a vector register, by functions of the compiler's run-time library.

use std::arch::aarch64::{uint8x16_t, vld1q_u8, vst1q_u8};
use std::arch::asm;

type Number = [u8; 16];

// They take their arguments in v0 and v1, which Rust has no type for.
unsafe extern "C" {
    fn __addtf3();
    fn __multf3();
    fn __lttf2();
}

fn load(number: &Number) -> uint8x16_t {
    // SAFETY: reads the 16 bytes.
    unsafe { vld1q_u8(number.as_ptr()) }
}

macro_rules! arithmetic {
    ($name:ident, $function:path) => {
        pub(super) fn $name(a: &Number, b: &Number) -> Number {
            let result: uint8x16_t;
            // SAFETY: a call by the convention of C: all that it may change is given up, and the result is
            // in v0.
            unsafe {
                asm!(
                    "bl {function}",
                    function = sym $function,
                    inlateout("v0") load(a) => result,
                    in("v1") load(b),
                    clobber_abi("C"),
                );
            }
            let mut bytes = [0u8; 16];
            // SAFETY: writes the 16 bytes.
            unsafe { vst1q_u8(bytes.as_mut_ptr(), result) };
            bytes
        }
    };
}

arithmetic!(add, __addtf3);
arithmetic!(multiply, __multf3);

/// Returns true if `a` is less than `b`; false if either is NaN.
pub(super) fn is_less(a: &Number, b: &Number) -> bool {
    let order: u64;
    // SAFETY: as above; the result is the low half of x0.
    unsafe {
        asm!(
            "bl {function}",
            function = sym __lttf2,
            in("v0") load(a),
            in("v1") load(b),
            lateout("x0") order,
            clobber_abi("C"),
        );
    }
    order & 0x8000_0000 != 0
}

/// Returns 1 or -1.
#[cfg(test)]
pub(super) fn signed_one(is_negative: bool) -> Number {
    let mut number = [0; 16];
    number[14] = 0xff;
    number[15] = if is_negative { 0xbf } else { 0x3f };
    number
}
