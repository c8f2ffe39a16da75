// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Signals: 64 bits without a sign, in symmetric memory.

use std::ffi::c_int;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::Handle;
use super::kind::ElementKind;
use super::operand::{Operand, Pair, invalid};
use super::rma::{Context, RemoteObject, pointer};
use super::rows::{find, frequent, plain};
use crate::shmem::function::made;

/// The place of a signal.
pub(super) fn signal_of(signal: &Bound<'_, PyAny>) -> PyResult<usize> {
    let operand = Operand::new("signal", signal)?;
    if operand.kind != ElementKind::U64 {
        let kind = operand.kind.name();
        return Err(PyTypeError::new_err(format!(
            "signal has elements of type {kind}, and a signal is uint64"
        )));
    }
    operand.check_word(signal)?;
    Ok(operand.address)
}

macro_rules! put_signals {
    ($($(#[doc = $doc:literal])* $name:ident = $row:ident, $is_nbi:literal;)*) => { $(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = (target, source, pe, signal, value, sigop, size=None, ctx=None))]
        #[allow(clippy::too_many_arguments, reason = "those of the interface")]
        pub(super) fn $name(
            target: &Bound<'_, PyAny>,
            source: &Bound<'_, PyAny>,
            pe: c_int,
            signal: &Bound<'_, PyAny>,
            value: u64,
            sigop: c_int,
            size: Option<usize>,
            ctx: Option<&Bound<'_, Handle>>,
        ) -> PyResult<()> {
            let (py, context) = (target.py(), Context::of(ctx));
            let (to, from) = (Operand::new("target", target)?, Operand::new("source", source)?);
            super::operand::check_kinds(&to, &from)?;
            let pair = Pair::new(py, &to, &from, size)?;
            if pair.strides.is_some() {
                return Err(invalid(py, "a put with a signal has no strides: copy target and source first"));
            }
            to.check_symmetric(target, pair.count, 1)?;
            let word = signal_of(signal)?;
            let (address, local, bytes) = (to.address, from.address, pair.count * to.kind.bytes());
            let put = find::<_, ()>(frequent::$row)?;
            let call = move || {
                let (to, from) = (pointer(address), pointer(local));
                // SAFETY: both sides have so many bytes and the signal is one, which was checked; they belong
                // to the arguments of the call, or to objects kept until the quiet.
                unsafe { put(context.handle(), to, from, bytes, pointer(word).cast(), value, sigop, pe) }
            };
            let place = RemoteObject { address, bytes, pe, context };
            if $is_nbi { place.start(py, source, call) } else { place.access(py, call) }
        }
    )* };
}

put_signals! {
    /// As put, and then updates the signal of that PE by `value`, as `sigop` says.
    put_signal = ctx_putmem_signal, false;
    /// As put_signal; `source` may be changed when the context is quiet.
    put_signal_nbi = ctx_putmem_signal_nbi, true;
}

/// The value of the own signal.
#[pyfunction]
#[pyo3(signature = (signal))]
pub(super) fn signal_fetch(py: Python<'_>, signal: &Bound<'_, PyAny>) -> PyResult<u64> {
    let (word, fetch) = (signal_of(signal)?, find::<_, ()>(frequent::signal_fetch)?);
    // SAFETY: a signal on the heap.
    made(py, false, true, move || unsafe { fetch(pointer(word).cast()) })
}

macro_rules! updates {
    ($($(#[doc = $doc:literal])* $name:ident = $row:ident;)*) => { $(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = (signal, value, pe, ctx=None))]
        pub(super) fn $name(
            signal: &Bound<'_, PyAny>,
            value: u64,
            pe: c_int,
            ctx: Option<&Bound<'_, Handle>>,
        ) -> PyResult<()> {
            let (context, address) = (Context::of(ctx), signal_of(signal)?);
            let update = find::<_, ()>(plain::$row)?;
            RemoteObject { address, bytes: 8, pe, context }.access(signal.py(), move || {
                // SAFETY: a signal on the heap.
                unsafe { update(context.handle(), pointer(address).cast(), value, pe) }
            })
        }
    )* };
}

updates! {
    /// Sets the signal of a PE.
    signal_set = ctx_signal_set;
    /// Adds to the signal of a PE.
    signal_add = ctx_signal_add;
}
