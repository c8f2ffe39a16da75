// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A call: its body is run, counted and logged; errors become codes and last errors, panics become errors.

use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mf_abi::Symbol;
use mf_base::sync::counters::{Cells, Counters, OwnCell};
use mf_base::{Error, Kind, Result, interrupt};

use crate::traced::Arguments;
use crate::{last_error, traced};

/// Error handling of a family's functions.
pub trait Family {
    /// Notes the error of a call for its caller, and returns its code.
    fn refuse(operation: &'static str, error: &Error) -> i32 {
        last_error::set(operation, error)
    }
}

/// Families with the codes of [`Kind`].
pub struct CodesOfKinds;

impl Family for CodesOfKinds {}

/// Counters of calls, and of failed calls, of a table's functions.
pub struct Calls<const N: usize> {
    symbols: &'static [Symbol],
    made: Counters<N>,
    failed: Counters<N>,
}

impl<const N: usize> Calls<N> {
    /// For a static: the table's descriptions, by the numbers of its functions.
    pub const fn new(symbols: &'static [Symbol]) -> Self {
        Self { symbols, made: Counters::new(), failed: Counters::new() }
    }

    /// Every function that was called: how often, and how often it failed.
    pub fn counts(&self) -> impl Iterator<Item = (&'static Symbol, u64, u64)> {
        let counts = self.symbols.iter().enumerate();
        let counts =
            counts.map(|(number, symbol)| (symbol, self.made.read(number), self.failed.read(number)));
        counts.filter(|(_, calls, _)| *calls > 0)
    }

    /// Counts a call of function `number` that was made without a body, in the cells of this thread.
    #[inline(always)]
    pub fn count(&self, number: usize, cells: Cells) {
        let _ = self.made.add_each_in(cells, [(number, 1)]);
    }

    /// Returns this thread's counter for calls of function `number`, once the thread has counted any of this
    /// table.
    pub fn own_cell(&self, number: usize, cells: Cells) -> Option<OwnCell> {
        self.made.own_cell(cells, number)
    }

    /// Runs the body of function `number`. `failed` makes its result from the code of an error.
    #[inline(always)]
    pub fn call<F: Family, T: Done<R>, R>(
        &self,
        number: usize,
        operation: &'static str,
        body: impl FnOnce() -> Result<T>,
        failed: impl FnOnce(i32) -> R,
    ) -> R {
        self.begin(number);
        let called = catch_unwind(AssertUnwindSafe(body));
        interrupt::end_call();
        match called {
            Ok(Ok(value)) => value.done(),
            Ok(Err(error)) => failed(self.refuse::<F>(number, operation, error)),
            Err(panic) => failed(self.panicked::<F>(number, operation, panic)),
        }
    }

    /// [`call`](Self::call) and its log line: one function for all with results of one type. `body` gets the
    /// arguments' address.
    #[inline(never)]
    pub fn call_shared<F: Family, T: Done<R>, R: Debug>(
        &self,
        number: usize,
        operation: &'static str,
        arguments: &dyn Arguments,
        body: fn(*const ()) -> Result<T>,
        failed: fn(i32) -> R,
    ) -> R {
        let place = std::ptr::from_ref(arguments).cast::<()>();
        let result = self.call::<F, T, R>(number, operation, || body(place), failed);
        if traced::is_traced() {
            self.trace(number, arguments, &result);
        }
        result
    }

    // The rest is owned and out of line, so that no function contains a copy of it.

    /// Counts a call.
    #[inline(never)]
    fn begin(&self, number: usize) {
        self.made.add(number, 1);
    }

    #[cold]
    #[inline(never)]
    #[expect(clippy::needless_pass_by_value, reason = "dropped here, not in each function")]
    fn refuse<F: Family>(&self, number: usize, operation: &'static str, error: Error) -> i32 {
        self.failed.add(number, 1);
        F::refuse(operation, &error)
    }

    #[cold]
    #[inline(never)]
    #[expect(clippy::needless_pass_by_value, reason = "dropped here, not in each function")]
    fn panicked<F: Family>(&self, number: usize, operation: &'static str, panic: Box<dyn Any + Send>) -> i32 {
        self.refuse::<F>(number, operation, error_of(operation, &*panic))
    }

    /// Logs a call of function `number` that has been made.
    #[cold]
    pub fn trace(&self, number: usize, arguments: &dyn Arguments, result: &dyn Debug) {
        if let Some(symbol) = self.symbols.get(number) {
            traced::log(symbol, arguments, result);
        }
    }
}

fn error_of(operation: &'static str, panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Error::new(Kind::Failed, operation).what("a defect of the library was met").with("panic", text)
}

/// A value of a body as the result of its function.
pub trait Done<R> {
    /// The result.
    fn done(self) -> R;
}

impl<T> Done<T> for T {
    fn done(self) -> T {
        self
    }
}

impl Done<i32> for () {
    fn done(self) -> i32 {
        0
    }
}

/// Result of a failed call, unless its row sets another.
pub trait Failed {
    /// The result of a call that failed with `code`.
    fn with_code(code: i32) -> Self;
}

impl Failed for i32 {
    fn with_code(code: i32) -> Self {
        code
    }
}

/// Functions that return a number of their own return codes all the same: their callers know.
impl Failed for u32 {
    fn with_code(code: i32) -> Self {
        code.cast_unsigned()
    }
}

/// The last error reports the failure.
impl Failed for () {
    fn with_code(_: i32) -> Self {}
}

impl<T> Failed for *mut T {
    fn with_code(_: i32) -> Self {
        std::ptr::null_mut()
    }
}

impl<T> Failed for *const T {
    fn with_code(_: i32) -> Self {
        std::ptr::null()
    }
}
