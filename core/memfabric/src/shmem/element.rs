// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Types of elements, comparisons and operators.

use mf_shmem::Operand;

/// Number that an array may have as elements. Sealed.
pub trait Element: sealed::Number {}

/// Integer of 4 or 8 bytes, for atomic operations and waits. Sealed.
pub trait Word: Element {}

pub(super) mod sealed {
    use mf_shmem::Operand;

    /// A number: every pattern of bits is one.
    pub trait Number: mf_shmem::Element + Default + Send + Sync + 'static {
        const OPERAND: Operand;
    }
}

macro_rules! elements {
    ($($type:ty = $operand:ident),*) => {
        $(impl sealed::Number for $type {
            const OPERAND: Operand = Operand::$operand;
        }
        impl Element for $type {})*
    };
}

elements!(
    i8 = I8,
    i16 = I16,
    i32 = I32,
    i64 = I64,
    u8 = U8,
    u16 = U16,
    u32 = U32,
    u64 = U64,
    f32 = F32,
    f64 = F64
);

impl Word for i32 {}
impl Word for i64 {}
impl Word for u32 {}
impl Word for u64 {}

/// Comparison of a word with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterOrEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessOrEqual,
}

impl Comparison {
    pub(super) fn inner(self) -> mf_shmem::Comparison {
        match self {
            Self::Equal => mf_shmem::Comparison::Equal,
            Self::NotEqual => mf_shmem::Comparison::NotEqual,
            Self::Greater => mf_shmem::Comparison::Greater,
            Self::GreaterOrEqual => mf_shmem::Comparison::GreaterOrEqual,
            Self::Less => mf_shmem::Comparison::Less,
            Self::LessOrEqual => mf_shmem::Comparison::LessOrEqual,
        }
    }
}

/// Operator of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operator {
    /// Bitwise and; of integers.
    And,
    /// Bitwise or; of integers.
    Or,
    /// Bitwise exclusive or; of integers.
    Xor,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The sum; wraps for integers.
    Sum,
    /// The product; wraps for integers.
    Product,
}

impl Operator {
    pub(super) fn inner(self) -> mf_shmem::Operator {
        match self {
            Self::And => mf_shmem::Operator::And,
            Self::Or => mf_shmem::Operator::Or,
            Self::Xor => mf_shmem::Operator::Xor,
            Self::Max => mf_shmem::Operator::Max,
            Self::Min => mf_shmem::Operator::Min,
            Self::Sum => mf_shmem::Operator::Sum,
            Self::Product => mf_shmem::Operator::Prod,
        }
    }
}
