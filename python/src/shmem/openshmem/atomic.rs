// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics on the first element of an array at a PE. Numbers are Python's.

use std::ffi::c_int;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::Handle;
use super::kind::ElementKind;
use super::operand::{Operand, check_kinds, invalid};
use super::rma::{Context, RemoteObject, pointer};
use super::rows::{bitwise, find, moved, words};
use crate::shmem::values::Answer;

/// Runs what follows for the type `T` of the elements of an operand; `moved`: values are only moved, and
/// may have a fraction.
macro_rules! of_type {
    (moved $operand:ident, $function:expr, $body:expr) => {
        of_type!(@ $operand, $function, $body, "int32, uint32, int64, uint64, float and double";
            I32 i32 U32 u32 I64 i64 U64 u64 F32 f32 F64 f64)
    };
    ($whole:ident $operand:ident, $function:expr, $body:expr) => {
        of_type!(@ $operand, $function, $body, "int32, uint32, int64 and uint64"; I32 i32 U32 u32 I64 i64 U64 u64)
    };
    (@ $operand:ident, $function:expr, $body:expr, $known:literal; $($kind:ident $type:ty)*) => {
        match $operand.kind {
            $(ElementKind::$kind => {
                type T = $type;
                $body
            })*
            _ => Err(no_such(&$operand, $function, $known)),
        }
    };
}

#[cold]
fn no_such(operand: &Operand, function: &str, known: &str) -> PyErr {
    let (name, kind) = (operand.name, operand.kind.name());
    PyTypeError::new_err(format!("{name} has elements of type {kind}, and {function} is for {known}"))
}

/// `name(word, values) = table::row;`
macro_rules! atomics {
    ($($(#[doc = $doc:literal])* $name:ident($word:ident $(, $value:ident)*) = $table:ident::$row:ident;)*) => { $(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = ($word, $($value,)* pe, ctx=None))]
        pub(super) fn $name(
            $word: &Bound<'_, PyAny>,
            $($value: &Bound<'_, PyAny>,)*
            pe: c_int,
            ctx: Option<&Bound<'_, Handle>>,
        ) -> PyResult<Py<PyAny>> {
            let (py, context) = ($word.py(), Context::of(ctx));
            let operand = Operand::new(stringify!($word), $word)?;
            operand.check_word($word)?;
            let address = operand.address;
            of_type!($table operand, stringify!($name), {
                $(let $value: T = $value.extract()?;)*
                let change = find::<_, T>($table::$row)?;
                let done = RemoteObject { address, bytes: 8, pe, context }.access(py, move || {
                    // SAFETY: the word is on the heap.
                    unsafe { change(context.handle(), pointer(address).cast(), $($value,)* pe) }
                })?;
                done.give(py)
            })
        }
    )* };
}

atomics! {
    /// The value at a PE.
    atomic_fetch(source) = moved::ctx_atomic_fetch;
    /// Sets the value at a PE.
    atomic_set(target, value) = moved::ctx_atomic_set;
    /// Sets the value at a PE. Returns the one before.
    atomic_swap(target, value) = moved::ctx_atomic_swap;
    /// Sets the value at a PE if it is `cond`. Returns the one before.
    atomic_compare_swap(target, cond, value) = words::ctx_atomic_compare_swap;
    /// Adds 1 at a PE.
    atomic_inc(target) = words::ctx_atomic_inc;
    /// Adds `value` at a PE.
    atomic_add(target, value) = words::ctx_atomic_add;
    /// Combines the bits at a PE with `value` by and.
    atomic_and(target, value) = bitwise::ctx_atomic_and;
    /// Combines the bits at a PE with `value` by or.
    atomic_or(target, value) = bitwise::ctx_atomic_or;
    /// Combines the bits at a PE with `value` by exclusive or.
    atomic_xor(target, value) = bitwise::ctx_atomic_xor;
    /// Adds 1 at a PE. Returns the value before.
    atomic_fetch_inc(target) = words::ctx_atomic_fetch_inc;
    /// Adds `value` at a PE. Returns the value before.
    atomic_fetch_add(target, value) = words::ctx_atomic_fetch_add;
    /// As atomic_and. Returns the value before.
    atomic_fetch_and(target, value) = bitwise::ctx_atomic_fetch_and;
    /// As atomic_or. Returns the value before.
    atomic_fetch_or(target, value) = bitwise::ctx_atomic_fetch_or;
    /// As atomic_xor. Returns the value before.
    atomic_fetch_xor(target, value) = bitwise::ctx_atomic_fetch_xor;
}

macro_rules! started {
    ($($(#[doc = $doc:literal])* $name:ident($word:ident $(, $value:ident)*) = $table:ident::$row:ident;)*) => { $(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = (fetch, $word, $($value,)* pe, ctx=None))]
        pub(super) fn $name(
            fetch: &Bound<'_, PyAny>,
            $word: &Bound<'_, PyAny>,
            $($value: &Bound<'_, PyAny>,)*
            pe: c_int,
            ctx: Option<&Bound<'_, Handle>>,
        ) -> PyResult<()> {
            let (py, context) = ($word.py(), Context::of(ctx));
            let (before, operand) = (Operand::new("fetch", fetch)?, Operand::new(stringify!($word), $word)?);
            check_kinds(&before, &operand)?;
            before.check_writable(py)?;
            if before.count == 0 {
                return Err(invalid(py, "fetch has no element; nothing was done"));
            }
            operand.check_word($word)?;
            let (local, address) = (before.address, operand.address);
            of_type!($table operand, stringify!($name), {
                $(let $value: T = $value.extract()?;)*
                let change = find::<_, T>($table::$row)?;
                RemoteObject { address, bytes: 8, pe, context }.start(py, fetch, move || {
                    let (to, word) = (pointer(local).cast(), pointer(address).cast());
                    // SAFETY: the word is on the heap; the other one belongs to memory kept until the quiet.
                    unsafe { change(context.handle(), to, word, $($value,)* pe) }
                })
            })
        }
    )* };
}

started! {
    /// As atomic_fetch; the value is in `fetch` when the context is quiet.
    atomic_fetch_nbi(source) = moved::ctx_atomic_fetch_nbi;
    /// As atomic_swap; the value before is in `fetch` when the context is quiet.
    atomic_swap_nbi(target, value) = moved::ctx_atomic_swap_nbi;
    /// As atomic_compare_swap; the value before is in `fetch` when the context is quiet.
    atomic_compare_swap_nbi(target, cond, value) = words::ctx_atomic_compare_swap_nbi;
    /// As atomic_fetch_inc; the value before is in `fetch` when the context is quiet.
    atomic_fetch_inc_nbi(target) = words::ctx_atomic_fetch_inc_nbi;
    /// As atomic_fetch_add; the value before is in `fetch` when the context is quiet.
    atomic_fetch_add_nbi(target, value) = words::ctx_atomic_fetch_add_nbi;
    /// As atomic_fetch_and; the value before is in `fetch` when the context is quiet.
    atomic_fetch_and_nbi(target, value) = bitwise::ctx_atomic_fetch_and_nbi;
    /// As atomic_fetch_or; the value before is in `fetch` when the context is quiet.
    atomic_fetch_or_nbi(target, value) = bitwise::ctx_atomic_fetch_or_nbi;
    /// As atomic_fetch_xor; the value before is in `fetch` when the context is quiet.
    atomic_fetch_xor_nbi(target, value) = bitwise::ctx_atomic_fetch_xor_nbi;
}
