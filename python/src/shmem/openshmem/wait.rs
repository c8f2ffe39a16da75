// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for own elements, and tests of them. Waits let the GIL go, and are left for Ctrl-C.

use std::ffi::c_int;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::kind::{Element, ElementKind};
use super::operand::{Operand, invalid};
use super::rma::pointer;
use super::rows::{Row, find, frequent, short, words};
use super::signal::signal_of;
use crate::evaluation::Evaluate as _;
use crate::shmem::function::{SendCell, made};
use crate::shmem::values::Argument;

/// Runs what follows for the type `T` of the elements of an operand.
macro_rules! of_type {
    ($operand:expr, $function:expr, $body:expr) => {
        match $operand.kind {
            ElementKind::I32 => of_type!(@ i32, $body),
            ElementKind::U32 => of_type!(@ u32, $body),
            ElementKind::I64 => of_type!(@ i64, $body),
            ElementKind::U64 => of_type!(@ u64, $body),
            _ => Err(no_such(&$operand, $function, "int32, uint32, int64 and uint64")),
        }
    };
    (@ $type:ty, $body:expr) => {{
        type T = $type;
        $body
    }};
}

#[cold]
fn no_such(operand: &Operand, function: &str, known: &str) -> PyErr {
    let (name, kind) = (operand.name, operand.kind.name());
    PyTypeError::new_err(format!("{name} has elements of type {kind}, and {function} is for {known}"))
}

/// Function of C for one element.
type OfOne<T, A> = unsafe extern "C" fn(*mut T, c_int, T) -> A;

/// An own element.
struct One {
    operand: Operand,
    cmp: c_int,
    waits: bool,
}

impl One {
    fn new(ivar: &Bound<'_, PyAny>, cmp: c_int, waits: bool) -> PyResult<Self> {
        let operand = Operand::new("ivar", ivar)?;
        operand.check_word(ivar)?;
        Ok(Self { operand, cmp, waits })
    }

    fn call<T, A, R>(&self, row: R, value: &Bound<'_, PyAny>) -> PyResult<A>
    where
        T: Element + Argument + Send,
        A: Send,
        R: Row<T, Of = OfOne<T, A>>,
    {
        let (call, number) = (find::<R, T>(row)?, T::of(value)?);
        let (address, cmp) = (self.operand.address, self.cmp);
        // SAFETY: the element is on the heap.
        made(value.py(), false, !self.waits, move || unsafe { call(pointer(address).cast(), cmp, number) })
    }
}

macro_rules! one {
    ($one:ident, $name:ident, $value:ident) => {
        match $one.operand.kind {
            ElementKind::I16 => $one.call::<i16, _, _>(short::$name, $value),
            ElementKind::U16 => $one.call::<u16, _, _>(short::$name, $value),
            _ => of_type!($one.operand, stringify!($name), $one.call::<T, _, _>(words::$name, $value)),
        }
    };
}

/// Waits until the own element compares so with `value`.
#[pyfunction]
#[pyo3(signature = (ivar, cmp, value))]
pub(super) fn wait_until(ivar: &Bound<'_, PyAny>, cmp: c_int, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let one = One::new(ivar, cmp, true)?;
    one!(one, wait_until, value)
}

/// True if the local element compares so with `value`.
#[pyfunction]
#[pyo3(signature = (ivar, cmp, value))]
pub(super) fn test(ivar: &Bound<'_, PyAny>, cmp: c_int, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let one = One::new(ivar, cmp, false)?;
    one!(one, test, value).map(|holds: c_int| holds != 0)
}

/// Waits until the own signal compares so with `value`. Returns it.
#[pyfunction]
#[pyo3(signature = (signal, cmp, value))]
pub(super) fn signal_wait_until(
    py: Python<'_>,
    signal: &Bound<'_, PyAny>,
    cmp: c_int,
    value: u64,
) -> PyResult<u64> {
    let (word, wait) = (signal_of(signal)?, find::<_, ()>(frequent::signal_wait_until)?);
    // SAFETY: a signal on the heap.
    made(py, false, false, move || unsafe { wait(pointer(word).cast(), cmp, value) })
}

/// Function of C for several elements: `V` is a value to compare with, or a pointer to one for each.
type OfSeveral<T, V, A> = unsafe extern "C" fn(*mut T, usize, *const c_int, c_int, V) -> A;
/// The same, with a place for indices.
type WithIndices<T, V> = unsafe extern "C" fn(*mut T, usize, *mut usize, *const c_int, c_int, V) -> usize;

/// Several own elements, and which of them are left out.
struct Several<'py> {
    py: Python<'py>,
    operand: Operand,
    /// A number for each element: elements with a non-zero number are left out. Empty: all are included.
    status: Vec<c_int>,
    cmp: c_int,
    waits: bool,
}

impl<'py> Several<'py> {
    fn new(
        ivars: &Bound<'py, PyAny>,
        cmp: c_int,
        status: Option<&Bound<'py, PyAny>>,
        waits: bool,
    ) -> PyResult<Self> {
        let operand = Operand::new("ivars", ivars)?;
        operand.check_flat(ivars.py())?;
        operand.check_symmetric(ivars, operand.count, 1)?;
        let mut several = Self { py: ivars.py(), operand, status: Vec::new(), cmp, waits };
        if let Some(status) = status {
            several.status = several.each("status", status, |item| item.is_truthy().map(c_int::from))?;
        }
        Ok(several)
    }

    /// Converts the items of a sequence with the same length as the elements.
    fn each<T>(
        &self,
        name: &str,
        items: &Bound<'py, PyAny>,
        make: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
    ) -> PyResult<Vec<T>> {
        let found = items.items()?.map(|item| make(&item?)).collect::<PyResult<Vec<T>>>()?;
        if found.len() == self.operand.count {
            return Ok(found);
        }
        let (items, elements) = (found.len(), self.operand.count);
        Err(invalid(self.py, &format!("{name} has {items} items for {elements} elements; nothing was done")))
    }

    fn status(&self) -> *const c_int {
        if self.status.is_empty() { std::ptr::null() } else { self.status.as_ptr() }
    }

    fn call<T, V, A, R>(&self, row: R, value: V) -> PyResult<A>
    where
        T: Element,
        V: Copy,
        A: Send,
        R: Row<T, Of = OfSeveral<T, V, A>>,
    {
        let call = find::<R, T>(row)?;
        let (words, count, cmp) = (pointer(self.operand.address), self.operand.count, self.cmp);
        let given = SendCell((words, self.status(), value));
        made(self.py, false, !self.waits, move || {
            let SendCell((words, status, value)) = given.copy();
            // SAFETY: the elements are on the heap; status and values are as many, and outlive the call.
            unsafe { call(words.cast(), count, status, cmp, value) }
        })
    }

    /// Indices of matching elements.
    fn find<T, V, R>(&self, row: R, value: V) -> PyResult<Vec<usize>>
    where
        T: Element,
        V: Copy,
        R: Row<T, Of = WithIndices<T, V>>,
    {
        let call = find::<R, T>(row)?;
        let (words, count, cmp) = (pointer(self.operand.address), self.operand.count, self.cmp);
        let mut indices = vec![0; count];
        let given = SendCell((words, indices.as_mut_ptr(), self.status(), value));
        let found = made(self.py, false, !self.waits, move || {
            let SendCell((words, indices, status, value)) = given.copy();
            // SAFETY: the elements are on the heap; status, values and indices are as many, and outlive the
            // call.
            unsafe { call(words.cast(), count, indices, status, cmp, value) }
        })?;
        indices.truncate(found);
        Ok(indices)
    }
}

/// An index, of which the largest stands for none.
fn or_none(index: usize) -> Option<usize> {
    (index != usize::MAX).then_some(index)
}

/// Functions on several elements: the C call, and the conversion of its result; with `value` to compare with,
/// or `values`, one for each.
macro_rules! several {
    ($($(#[doc = $doc:literal])* $name:ident($value:ident) -> $result:ty = $how:ident, $waits:literal,
        $done:expr;)*) => { $(
        $(#[doc = $doc])*
        #[pyfunction]
        #[pyo3(signature = (ivars, cmp, $value, status=None))]
        pub(super) fn $name(
            ivars: &Bound<'_, PyAny>,
            cmp: c_int,
            $value: &Bound<'_, PyAny>,
            status: Option<&Bound<'_, PyAny>>,
        ) -> PyResult<$result> {
            let several = Several::new(ivars, cmp, status, $waits)?;
            of_type!(several.operand, stringify!($name), {
                several!(@given $value given = several, $value);
                several!(@$how several, words::$name, several!(@passed $value given)).map($done)
            })
        }
    )* };
    (@given value $given:ident = $several:ident, $value:ident) => { let $given = <T as Argument>::of($value)?; };
    (@given values $given:ident = $several:ident, $value:ident) => {
        let $given = $several.each("values", $value, |item| <T as Argument>::of(item))?;
    };
    (@passed value $given:ident) => { $given };
    (@passed values $given:ident) => { $given.as_ptr() };
    (@call $several:ident, $row:expr, $given:expr) => { $several.call::<T, _, _, _>($row, $given) };
    (@find $several:ident, $row:expr, $given:expr) => { $several.find::<T, _, _>($row, $given) };
}

several! {
    /// Waits until all own elements compare so with `value`.
    wait_until_all(value) -> () = call, true, |done: ()| done;
    /// Waits until an own element compares so with `value`. Returns its index; None: all are left out.
    wait_until_any(value) -> Option<usize> = call, true, or_none;
    /// Waits until an own element compares so with `value`. Returns the indices of all that do.
    wait_until_some(value) -> Vec<usize> = find, true, |found| found;
    /// Waits until all own elements compare so with their values.
    wait_until_all_vector(values) -> () = call, true, |done: ()| done;
    /// Waits until an own element compares so with its value. Returns its index; None: all are left out.
    wait_until_any_vector(values) -> Option<usize> = call, true, or_none;
    /// Waits until an own element compares so with its value. Returns the indices of all that do.
    wait_until_some_vector(values) -> Vec<usize> = find, true, |found| found;
    /// True if all local elements compare so with `value`.
    test_all(value) -> bool = call, false, |holds: c_int| holds != 0;
    /// The index of a local element that compares so with `value`, or None.
    test_any(value) -> Option<usize> = call, false, or_none;
    /// The indices of all own elements that compare so with `value`.
    test_some(value) -> Vec<usize> = find, false, |found| found;
    /// True if all local elements compare so with their values.
    test_all_vector(values) -> bool = call, false, |holds: c_int| holds != 0;
    /// The index of a local element that compares so with its value, or None.
    test_any_vector(values) -> Option<usize> = call, false, or_none;
    /// The indices of all own elements that compare so with their values.
    test_some_vector(values) -> Vec<usize> = find, false, |found| found;
}
