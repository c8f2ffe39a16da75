// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Data types and reductions.

use super::code;
use crate::acl::memcpy::numbers::{Number, Operation};
use crate::fault::{Fault, Outcome, ensure};

/// A data type, by its number in HCCL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format(u32);

/// Name and size of each type; `None` for unused numbers.
const FORMATS: [Option<(&str, u64)>; 18] = [
    Some(("INT8", 1)),
    Some(("INT16", 2)),
    Some(("INT32", 4)),
    Some(("FP16", 2)),
    Some(("FP32", 4)),
    Some(("INT64", 8)),
    Some(("UINT64", 8)),
    Some(("UINT8", 1)),
    Some(("UINT16", 2)),
    Some(("UINT32", 4)),
    Some(("FP64", 8)),
    Some(("BFP16", 2)),
    Some(("INT128", 16)),
    None,
    Some(("HIF8", 1)),
    Some(("FP8E4M3", 1)),
    Some(("FP8E5M2", 1)),
    Some(("FP8E8M0", 1)),
];

fn look_up(number: u32) -> Option<(&'static str, u64)> {
    FORMATS.get(usize::try_from(number).ok()?).copied().flatten()
}

impl Format {
    /// The type with this number.
    ///
    /// # Errors
    /// `HCCL_E_PARA`.
    pub fn read(number: u32) -> Outcome<Self> {
        ensure(look_up(number).is_some(), code::PARA, || format!("unknown data type {number}"))?;
        Ok(Self(number))
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Bytes of one element.
    pub fn bytes(self) -> u64 {
        look_up(self.0).map_or(1, |(_, bytes)| bytes)
    }

    /// Bytes of `count` elements.
    ///
    /// # Errors
    /// `HCCL_E_PARA` for more than there can be.
    pub fn total(self, count: u64) -> Outcome<u64> {
        let bytes = count.checked_mul(self.bytes()).filter(|bytes| *bytes < 1 << 56);
        bytes.ok_or_else(|| {
            Fault::new(code::PARA, format_args!("{count} elements of {} are too many", name(self.0)))
        })
    }
}

/// Name of a type, for texts.
pub fn name(number: u32) -> &'static str {
    look_up(number).map_or("unknown type", |(name, _)| name)
}

/// Name of a reduction, for texts.
pub fn reduction_name(number: u32) -> &'static str {
    ["SUM", "PROD", "MAX", "MIN"].get(number as usize).copied().unwrap_or("unknown reduction")
}

/// A reduction of a type.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    number: Number,
    operation: Operation,
    /// As HCCL numbers it.
    pub code: u32,
}

impl Reduction {
    /// The reduction with this number, of `format`.
    ///
    /// # Errors
    /// `HCCL_E_PARA` for an unknown operator · `HCCL_E_NOT_SUPPORT` if the type does not support it.
    pub fn read(number: u32, format: Format) -> Outcome<Self> {
        let operation = match number {
            0 => Operation::Sum,
            1 => Operation::Product,
            2 => Operation::Max,
            3 => Operation::Min,
            _ => return Err(Fault::new(code::PARA, format_args!("unknown reduction {number}"))),
        };
        let supported = supported(format).filter(|number| supports(*number, operation));
        let element = supported.ok_or_else(|| {
            Fault::new(
                code::NOT_SUPPORT,
                format_args!("{} of {} is not supported", reduction_name(number), name(format.0)),
            )
        })?;
        Ok(Self { number: element, operation, code: number })
    }

    /// Reduces `right` into `left`.
    pub fn combine(self, left: &mut [u8], right: &[u8]) {
        self.number.combine(self.operation, left, right);
    }
}

/// Assumed: unsigned, 64-bit floating-point and 8-bit floating-point numbers are not reduced at all.
fn supported(format: Format) -> Option<Number> {
    match format.0 {
        0 => Some(Number::Int8),
        1 => Some(Number::Int16),
        2 => Some(Number::Int32),
        3 => Some(Number::Float16),
        4 => Some(Number::Float32),
        5 => Some(Number::Int64),
        11 => Some(Number::BFloat16),
        _ => None,
    }
}

/// Assumed: 64-bit integers are only added.
fn supports(number: Number, operation: Operation) -> bool {
    match number {
        Number::Int64 => operation == Operation::Sum,
        Number::Float16 | Number::BFloat16 => operation != Operation::Product,
        _ => true,
    }
}
