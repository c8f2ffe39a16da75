// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `long double` on x86-64: 80 bits of the floating-point stack, which Rust has no type for.

use std::arch::asm;

type Number = [u8; 16];

macro_rules! arithmetic {
    ($name:ident, $instruction:literal) => {
        pub(super) fn $name(a: &Number, b: &Number) -> Number {
            let mut result = [0u8; 16];
            // SAFETY: reads 10 bytes of each operand, writes 10 of the result, and leaves the stack of the
            // unit empty as it was.
            unsafe {
                asm!(
                    "fld tbyte ptr [{a}]",
                    "fld tbyte ptr [{b}]",
                    $instruction,
                    "fstp tbyte ptr [{result}]",
                    a = in(reg) a.as_ptr(),
                    b = in(reg) b.as_ptr(),
                    result = in(reg) result.as_mut_ptr(),
                    out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                    out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                    options(nostack),
                );
            }
            result
        }
    };
}

arithmetic!(add, "faddp st(1), st");
arithmetic!(multiply, "fmulp st(1), st");

/// Returns true if `a` is less than `b`; false if either is NaN.
pub(super) fn is_less(a: &Number, b: &Number) -> bool {
    let is_above: u8;
    // SAFETY: reads 10 bytes of each operand, and leaves the stack of the unit empty as it was.
    unsafe {
        asm!(
            "fld tbyte ptr [{a}]",
            "fld tbyte ptr [{b}]",
            // Compares b with a; NaN compares as neither above.
            "fcomip st, st(1)",
            "fstp st(0)",
            "seta {is_above}",
            a = in(reg) a.as_ptr(),
            b = in(reg) b.as_ptr(),
            is_above = out(reg_byte) is_above,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack, readonly),
        );
    }
    is_above != 0
}

/// Returns 1 or -1.
#[cfg(test)]
pub(super) fn signed_one(is_negative: bool) -> Number {
    let mut number = [0; 16];
    number[7] = 0x80;
    number[8] = 0xff;
    number[9] = if is_negative { 0xbf } else { 0x3f };
    number
}
