// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Checks of a call's memory arguments, and bookkeeping after it. A function's guard follows from the names
//! of its arguments in C.

use mf_abi::smem::SMEM_INVALID_PARAM;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyInt, PyTuple};

use super::blocks::{self, Range, Refusal};
use super::function::FunctionEntry;
use super::values::{self, Object};
use crate::failure;

/// Most operands of a function.
const OPERANDS: usize = 6;
/// A signal, for any pointer type.
const SIGNAL_BYTES: usize = 4;

/// Memory of a call: an argument, and its length.
struct Operand {
    at: usize,
    unit: usize,
    length: Length,
}

/// Elements, by other arguments.
#[derive(Clone, Copy)]
enum Length {
    One,
    Count(usize),
    Strided { count: usize, stride: usize },
}

/// Bookkeeping after a successful call.
enum After {
    Nothing,
    /// Of so many bytes, the product of arguments.
    Allocated(&'static [usize]),
    Freed,
    Ended,
}

pub(super) struct Guard {
    operands: Vec<Operand>,
    after: After,
}

impl Guard {
    /// Guard of unchecked functions.
    pub(super) const NONE: Self = Self { operands: Vec::new(), after: After::Nothing };

    pub(super) fn of(entry: &FunctionEntry) -> Self {
        let number = |names: &[&str]| {
            entry.parameters.iter().position(|it| it.pointee.is_none() && names.contains(&it.name))
        };
        let count = number(&["elem_size", "nelems"]);
        let strides = number(&["dst"]).zip(number(&["sst"]));
        let counted = count.map_or(Length::One, Length::Count);
        let strided = |stride: fn((usize, usize)) -> usize| match (count, strides) {
            (Some(count), Some(strides)) => Length::Strided { count, stride: stride(strides) },
            _ => counted,
        };
        let pointers =
            entry.parameters.iter().enumerate().filter_map(|(at, it)| Some((at, it.name, it.pointee?)));
        let operands = pointers.filter_map(|(at, name, pointee)| {
            let (unit, length) = match name {
                "dst" | "dest" => (entry.element_bytes.max(1), strided(|strides| strides.0)),
                "src" | "source" => (entry.element_bytes.max(1), strided(|strides| strides.1)),
                "sig_addr" => (SIGNAL_BYTES, Length::One),
                "ivar" | "res_out" => (pointee, Length::One),
                "ivars" | "cmp_values" | "status" | "indices" => (pointee, counted),
                _ => return None,
            };
            Some(Operand { at, unit, length })
        });
        let operands: Vec<Operand> = operands.collect();
        debug_assert!(operands.len() <= OPERANDS);
        let after = match entry
            .name
            .trim_start_matches("acl")
            .trim_start_matches("shmem")
            .trim_start_matches(['x', '_'])
        {
            "malloc" => After::Allocated(&[0]),
            "calloc" => After::Allocated(&[0, 1]),
            "align" => After::Allocated(&[1]),
            "free" => After::Freed,
            "finalize" | "init_attr" => After::Ended,
            _ => After::Nothing,
        };
        Self { operands, after }
    }

    /// Refuses memory that is too short, or was freed. Arguments that cannot be read are left to the call.
    #[inline]
    pub(super) fn check(&self, entry: &FunctionEntry, arguments: &Bound<'_, PyTuple>) -> PyResult<()> {
        if self.operands.is_empty() || arguments.len() != entry.parameters.len() {
            return Ok(());
        }
        let mut ranges = [Range::default(); OPERANDS];
        for (operand, range) in self.operands.iter().zip(&mut ranges) {
            let Some(bytes) = operand.bytes(arguments) else { continue };
            let value = arguments.get_borrowed_item(operand.at)?;
            if value.is_instance_of::<PyInt>() {
                let Ok(address) = value.extract() else { continue };
                *range = Range { at: operand.at, address, bytes };
            } else if blocks::is_checked() {
                check_object(entry, operand.at, &value, bytes)?;
            }
        }
        match blocks::refused(ranges.into_iter()) {
            None => Ok(()),
            Some((range, refusal)) => Err(refuse(arguments.py(), entry, range, &refusal)),
        }
    }

    /// Records the changes of a call.
    #[inline]
    pub(super) fn note(&self, arguments: &Bound<'_, PyTuple>, answer: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = |at: usize| arguments.get_item(at).and_then(|value| value.extract::<usize>());
        match self.after {
            After::Nothing => {}
            After::Freed => blocks::forget(number(0)?),
            After::Ended => blocks::forget_all(),
            After::Allocated(factors) => match answer.extract()? {
                0 => {}
                start => {
                    let bytes = factors.iter().try_fold(1, |bytes: usize, at| {
                        number(*at).map(|factor| bytes.saturating_mul(factor))
                    })?;
                    blocks::note(start, bytes);
                }
            },
        }
        Ok(())
    }
}

impl Operand {
    /// Its length in bytes; none: it is not to be known.
    #[inline]
    fn bytes(&self, arguments: &Bound<'_, PyTuple>) -> Option<usize> {
        let number = |at: usize| arguments.get_borrowed_item(at).ok()?.extract::<usize>().ok();
        let elements = match self.length {
            Length::One => 1,
            Length::Count(count) => number(count)?,
            // Strides below 1 are refused by the library.
            Length::Strided { count, stride } => match number(count)? {
                0 => 0,
                count => (count - 1).saturating_mul(number(stride)?).saturating_add(1),
            },
        };
        Some(elements.saturating_mul(self.unit))
    }
}

/// Refuses an object with less memory, or with gaps in it.
#[cold]
fn check_object(entry: &FunctionEntry, at: usize, value: &Bound<'_, PyAny>, bytes: usize) -> PyResult<()> {
    let length = if value.is_none() {
        return Ok(());
    } else if let Ok(array) = value.cast::<PyByteArray>() {
        array.len()
    } else if let Ok(text) = value.cast::<PyBytes>() {
        text.as_bytes().len()
    } else {
        let number = value.extract().map(|address| Object { address, bytes: usize::MAX });
        let Some(object) = number.map_or_else(|_| values::object(value), |number| Ok(Some(number)))? else {
            // The call itself reports the error.
            return Ok(());
        };
        let range = Range { at, address: object.address, bytes };
        if let Some((range, refusal)) = blocks::refused(std::iter::once(range)) {
            return Err(refuse(value.py(), entry, range, &refusal));
        }
        object.bytes
    };
    if bytes <= length {
        return Ok(());
    }
    let kind = value.get_type().name()?;
    let text = format!(
        "{}: the {kind} for {} has {length} bytes, and the call needs {bytes}",
        entry.name,
        name(entry, at)
    );
    Err(failure::exception(value.py(), SMEM_INVALID_PARAM, &text))
}

fn name(entry: &FunctionEntry, at: usize) -> &'static str {
    entry.parameters.get(at).map_or("?", |it| it.name)
}

#[cold]
fn refuse(py: Python<'_>, entry: &FunctionEntry, range: Range, refusal: &Refusal) -> PyErr {
    let Range { at, address, bytes } = range;
    let why = match refusal {
        Refusal::TooLong { block, left } => {
            format!(
                "{bytes} bytes do not fit: the block there has {block}, {left} of them from this address on"
            )
        }
        Refusal::Freed => "the block there was freed".to_owned(),
    };
    let text = format!(
        "{}: {} {address:#x}: {why}; nothing was done (shmem.check_addresses(False) leaves this check out)",
        entry.name,
        name(entry, at)
    );
    failure::exception(py, SMEM_INVALID_PARAM, &text)
}
