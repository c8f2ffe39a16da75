// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Combination of elements in a reduction: pure, on raw memory.
//!
//! Elements are read and written in place, at any alignment, and are never widened. The order of operands is
//! the caller's, so results repeat bit for bit.

#[cfg(target_arch = "x86_64")]
#[path = "combine/extended.rs"]
mod long_double;
#[cfg(target_arch = "aarch64")]
#[path = "combine/quad.rs"]
mod long_double;

use std::ops::{Add, Mul, Sub};

/// Operator that combines two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The larger one.
    Max,
    /// The smaller one.
    Min,
    /// The sum; wraps for integers.
    Sum,
    /// The product; wraps for integers.
    Prod,
}

/// Type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of numbers")]
pub enum Operand {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// C's `long double`.
    LongDouble,
    /// Two `F32`.
    Complex32,
    /// Two `F64`.
    Complex64,
}

impl Operand {
    /// Returns the bytes of an element.
    pub const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::Complex32 => 8,
            Self::LongDouble | Self::Complex64 => 16,
        }
    }
}

/// Combines two ranges into a third: `(to, a, b, count)`. The third may be one of the others.
type Combine = unsafe fn(*mut u8, *const u8, *const u8, usize);

/// An operator on an element type.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    combine: Combine,
    operator: Operator,
    operand: Operand,
}

impl Reduction {
    /// Returns the operator on elements of that type; `None` if undefined (bitwise on floats, order of
    /// complex numbers).
    pub fn new(operator: Operator, operand: Operand) -> Option<Self> {
        combine(operator, operand).map(|combine| Self { combine, operator, operand })
    }

    /// Returns the id of this reduction.
    pub(crate) fn id(&self) -> u64 {
        (self.operator as u64) << 8 | self.operand as u64
    }

    /// Returns the bytes of an element.
    pub(crate) fn element_bytes(&self) -> usize {
        self.operand.bytes()
    }

    /// Operand i of `to` becomes `a[i] operator b[i]`; `to` may be `a` or `b`.
    ///
    /// # Safety
    /// `a` and `b` are readable, `to` is writable for `bytes`, a multiple of the element's; ranges are equal
    /// or do not overlap.
    pub(crate) unsafe fn combine(&self, to: *mut u8, a: *const u8, b: *const u8, bytes: usize) {
        // SAFETY: passed on to the caller.
        unsafe { (self.combine)(to, a, b, bytes / self.element_bytes()) }
    }
}

/// An operator, as a type.
trait Operation<T> {
    fn apply(a: T, b: T) -> T;
}

/// # Safety
/// As [`Reduction::combine`].
unsafe fn apply_each<T: Copy, O: Operation<T>>(to: *mut u8, a: *const u8, b: *const u8, count: usize) {
    let (to, a, b) = (to.cast::<T>(), a.cast::<T>(), b.cast::<T>());
    for index in 0..count {
        // SAFETY: inside of the range.
        let left = unsafe { a.wrapping_add(index).read_unaligned() };
        // SAFETY: as above.
        let right = unsafe { b.wrapping_add(index).read_unaligned() };
        // SAFETY: as above.
        unsafe { to.wrapping_add(index).write_unaligned(O::apply(left, right)) };
    }
}

struct And;
struct Or;
struct Xor;
struct Max;
struct Min;
struct Sum;
struct Prod;

macro_rules! operations {
    ($($type:ty { $($operator:ident |$a:ident, $b:ident| $result:expr;)* })*) => { $($(
        impl Operation<$type> for $operator {
            #[inline(always)]
            fn apply($a: $type, $b: $type) -> $type {
                $result
            }
        }
    )*)* };
}

macro_rules! integers {
    ($($type:ty)*) => { operations! { $($type {
        And |a, b| a & b;
        Or |a, b| a | b;
        Xor |a, b| a ^ b;
        Max |a, b| a.max(b);
        Min |a, b| a.min(b);
        Sum |a, b| a.wrapping_add(b);
        Prod |a, b| a.wrapping_mul(b);
    })* } };
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// Comparisons return the first operand if either is NaN.
macro_rules! floats {
    ($($type:ty)*) => { operations! { $($type {
        Max |a, b| if b > a { b } else { a };
        Min |a, b| if b < a { b } else { a };
        Sum |a, b| a + b;
        Prod |a, b| a * b;
    })* } };
}
floats! { f32 f64 }

/// A number of 16 bytes, handled by the instructions of `long_double`.
type LongDouble = [u8; 16];

operations! { LongDouble {
    Max |a, b| if long_double::is_less(&a, &b) { b } else { a };
    Min |a, b| if long_double::is_less(&b, &a) { b } else { a };
    Sum |a, b| long_double::add(&a, &b);
    Prod |a, b| long_double::multiply(&a, &b);
} }

/// Real and imaginary part.
#[derive(Clone, Copy)]
#[repr(C)]
struct Complex<F>(F, F);

impl<F: Copy + Add<Output = F>> Operation<Complex<F>> for Sum {
    #[inline(always)]
    fn apply(a: Complex<F>, b: Complex<F>) -> Complex<F> {
        Complex(a.0 + b.0, a.1 + b.1)
    }
}

impl<F: Copy + Add<Output = F> + Mul<Output = F> + Sub<Output = F>> Operation<Complex<F>> for Prod {
    #[inline(always)]
    fn apply(a: Complex<F>, b: Complex<F>) -> Complex<F> {
        Complex(a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
    }
}

fn combine(operator: Operator, operand: Operand) -> Option<Combine> {
    macro_rules! of {
        ($type:ty: $($operator:ident)*) => {
            match operator {
                $(Operator::$operator => apply_each::<$type, $operator>,)*
                #[allow(unreachable_patterns, reason = "integers have all")]
                _ => return None,
            }
        };
    }
    macro_rules! integer {
        ($type:ty) => { of!($type: And Or Xor Max Min Sum Prod) };
    }
    Some(match operand {
        Operand::I8 => integer!(i8),
        Operand::I16 => integer!(i16),
        Operand::I32 => integer!(i32),
        Operand::I64 => integer!(i64),
        Operand::U8 => integer!(u8),
        Operand::U16 => integer!(u16),
        Operand::U32 => integer!(u32),
        Operand::U64 => integer!(u64),
        Operand::F32 => of!(f32: Max Min Sum Prod),
        Operand::F64 => of!(f64: Max Min Sum Prod),
        Operand::LongDouble => of!(LongDouble: Max Min Sum Prod),
        Operand::Complex32 => of!(Complex<f32>: Sum Prod),
        Operand::Complex64 => of!(Complex<f64>: Sum Prod),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply<T: Copy + Default>(operator: Operator, operand: Operand, a: T, b: T) -> T {
        let reduction = Reduction::new(operator, operand).unwrap();
        assert_eq!(reduction.element_bytes(), size_of::<T>());
        let (a, b, mut to) = ([a; 3], [b; 3], [T::default(); 3]);
        let bytes = 3 * size_of::<T>();
        // SAFETY: three elements each.
        unsafe { reduction.combine(to.as_mut_ptr().cast(), a.as_ptr().cast(), b.as_ptr().cast(), bytes) };
        to[2]
    }

    #[test]
    fn operators_match_their_types() {
        use Operator::{And, Max, Min, Or, Prod, Sum, Xor};
        for (operator, found) in [(And, 8), (Or, 14), (Xor, 6), (Max, 12), (Min, 10), (Sum, 22), (Prod, 120)]
        {
            assert_eq!(apply(operator, Operand::U8, 12u8, 10), found);
            assert_eq!(apply(operator, Operand::I64, 12i64, 10), i64::from(found));
        }
        assert_eq!(apply(Sum, Operand::I8, 127i8, 1), -128);
        assert_eq!(apply(Max, Operand::I16, -1i16, 1), 1);
        assert_eq!(apply(Max, Operand::U16, u16::MAX, 1), u16::MAX);
        assert_eq!(apply(Min, Operand::F32, -1.5f32, 2.0), -1.5);
        assert_eq!(apply(Prod, Operand::F64, 1.5f64, 2.0), 3.0);
        assert_eq!(apply(Sum, Operand::Complex32, [1f32, 2.0], [3.0, 4.0]), [4.0, 6.0]);
        assert_eq!(apply(Prod, Operand::Complex64, [1f64, 2.0], [3.0, 4.0]), [-5.0, 10.0]);
        for (operator, operand) in
            [(And, Operand::F32), (Xor, Operand::LongDouble), (Max, Operand::Complex64), (Or, Operand::F64)]
        {
            assert!(Reduction::new(operator, operand).is_none());
        }
    }

    /// Converts a small whole number.
    fn long_double(number: i16) -> LongDouble {
        let one = long_double::signed_one(number < 0);
        (0..number.unsigned_abs()).fold([0; 16], |sum, _| long_double::add(&sum, &one))
    }

    #[test]
    fn long_doubles_are_added_multiplied_and_ordered() {
        use Operator::{Max, Min, Prod, Sum};
        for (operator, found) in [(Sum, 4), (Prod, -21), (Max, 7), (Min, -3)] {
            let result = apply(operator, Operand::LongDouble, long_double(7), long_double(-3));
            assert!(!long_double::is_less(&result, &long_double(found)), "{operator:?}");
            assert!(!long_double::is_less(&long_double(found), &result), "{operator:?}");
        }
    }
}
