// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which elements of C reductions and scans know.

use mf_abi::LongDouble;
use mf_base::{Error, Result};
use mf_shmem::{Operand, Operator, Reduction};

/// A type of elements that are combined.
pub(crate) trait Combined {
    const OPERAND: Operand;
}

macro_rules! combined {
    ($($type:ty = $operand:ident)*) => { $(
        impl Combined for $type {
            const OPERAND: Operand = Operand::$operand;
        }
    )* };
}

combined! {
    i8 = I8 i16 = I16 i32 = I32 i64 = I64 isize = I64
    u8 = U8 u16 = U16 u32 = U32 u64 = U64 usize = U64
    f32 = F32 f64 = F64 LongDouble = LongDouble
    [f32; 2] = Complex32 [f64; 2] = Complex64
}

/// The operator on elements of that type.
///
/// # Errors
/// `InvalidParam` there is no such one; no function of the table asks for it.
pub(super) fn reduction<T: Combined>(op: &'static str, operator: Operator) -> Result<Reduction> {
    Reduction::new(operator, T::OPERAND)
        .ok_or_else(|| Error::invalid(op, "unknown operation on elements of this type"))
}
