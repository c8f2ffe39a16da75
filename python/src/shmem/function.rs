// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of CANN SHMEM by name, each made from its row: arguments are converted as the row says, the
//! call is made without the GIL, and a failed one raises.

use std::ffi::c_void;

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::values::{Answer, Argument};
use crate::{failure, interrupts, library};

#[macro_use]
#[allow(unused_macros, reason = "by name, further down")]
#[path = "../../../core/capi/src/cann/rows.rs"]
mod rows;

/// What rows name, as they are passed.
mod types {
    pub(super) use std::ffi::{c_char, c_int, c_void};

    pub(super) type Attr = c_void;
    pub(super) type Bootstrap = usize;
    pub(super) type DataOpEngineType = c_int;
    pub(super) type DecryptHandler = *mut c_void;
    pub(super) type InitAttr = c_void;
    pub(super) type InstanceCtx = c_void;
    pub(super) type Logger = *mut c_void;
    pub(super) type MemType = c_int;
    pub(super) type ProfPe = c_void;
    pub(super) type Stream = *mut c_void;
    pub(super) type Team = c_int;
    pub(super) type TeamConfig = c_void;
    pub(super) type Uniqueid = c_void;

    /// What a program waits for by a team; in Python the team's number.
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub(super) struct Handle {
        team_id: Team,
    }

    impl super::Argument for Handle {
        fn of(value: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<Self> {
            Ok(Self { team_id: super::Argument::of(value)? })
        }
    }
}

type Call = fn(Python<'_>, Address, &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>>;

/// Where a function of the library is.
#[derive(Clone, Copy)]
pub(super) struct Address(*const c_void);

// SAFETY: code of a library that is never closed.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

/// A function of CANN SHMEM. Its arguments are those of C; addresses and streams are numbers.
#[pyclass(frozen, name = "ShmemFunction")]
pub(crate) struct Function {
    name: &'static str,
    address: Address,
    call: Call,
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*arguments))]
    #[inline]
    fn __call__(&self, py: Python<'_>, arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        (self.call)(py, self.address, arguments)
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.name
    }

    fn __repr__(&self) -> String {
        format!("<function {} of CANN SHMEM>", self.name)
    }
}

/// The function of CANN SHMEM that C knows by `name`.
#[pyfunction]
#[pyo3(signature = (name))]
pub(crate) fn shmem_function(name: &str) -> PyResult<Function> {
    let known = all().find(|(known, _)| *known == name);
    let (name, call) =
        known.ok_or_else(|| PyAttributeError::new_err(format!("there is no function {name}")))?;
    Ok(Function { name, address: Address(library::symbol(name)?), call })
}

/// The names of all functions of CANN SHMEM.
#[pyfunction]
pub(crate) fn shmem_function_names() -> Vec<&'static str> {
    all().map(|(name, _)| name).collect()
}

/// Makes a call, without the GIL, and again after handlers of signals that raise nothing. A call that says why
/// it failed and has no code raises. With memory of a `bytearray` among the arguments the GIL is kept, and the
/// call made once: nobody else may resize it meanwhile.
#[inline]
fn made<R: Send>(
    py: Python<'_>,
    has_code: bool,
    keeps_gil: bool,
    mut call: impl FnMut() -> R + Send,
) -> PyResult<R> {
    loop {
        // What an earlier call of another family left says nothing of this one.
        failure::forget();
        let answer = if keeps_gil { call() } else { py.detach(&mut call) };
        match failure::last_code() {
            0 => return Ok(answer),
            code if interrupts::is_interrupted(code) => {
                py.check_signals()?;
                if keeps_gil {
                    return Err(failure::last(py, code));
                }
            }
            _ if has_code => return Ok(answer),
            code => return Err(failure::last(py, code)),
        }
    }
}

#[cold]
fn wrong_count(name: &str, expected: usize, given: usize) -> PyErr {
    PyTypeError::new_err(format!("{name}() takes {expected} arguments, and {given} were given"))
}

/// A reader of a table: each function of each of its types, by every name.
macro_rules! functions {
    ({} $header:literal, types $types:tt rows { $($rows:tt)* }) => {
        functions! { @rows $types $($rows)* }
    };
    (@rows $types:tt $($(#[doc = $doc:literal])* $before:literal T $after:literal
        as $($first:literal T $last:literal)|+ = $signature:tt;)*
    ) => {
        pub(super) static ALL: &[&[(&str, Call)]] = &[
            $($(functions! { @types $types ($first $last) $signature },)+)*
        ];
    };
    (@types { $($element:ident $($name:literal)?: $type:ty = $c:literal),* $(,)? } $names:tt $signature:tt) => {
        &[$(functions! { @one ($element $($name)?) $type, $names $signature }),*]
    };
    (@one ($element:ident $($name:literal)?) $type:ty, ($first:literal $last:literal) {
        $operation:literal fn $body:ident $(<$generic:ident>)?
            ($($argument:ident: $argument_type:ty $(= $required:literal)?),* $(,)?)
            $(-> $result:ty $(, or $or:expr)?)?
    }) => {{
        #[allow(dead_code, reason = "rows without types do not name it")]
        type T = $type;
        const NAME: &str = functions! { @name ($element $($name)?) $first $last };
        const COUNT: usize = <[&str]>::len(&[$(stringify!($argument)),*]);
        fn call(py: Python<'_>, address: Address, arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
            if arguments.len() != COUNT {
                return Err(wrong_count(NAME, COUNT, arguments.len()));
            }
            #[allow(unused_mut, unused_variables, reason = "some take nothing")]
            let mut given = arguments.iter_borrowed();
            $(let $argument: $argument_type = match given.next() {
                Some(value) => Argument::of(&value)?,
                None => return Err(wrong_count(NAME, COUNT, 0)),
            };)*
            type Of = unsafe extern "C" fn($($argument_type),*) $(-> $result)?;
            // SAFETY: the address is that of the function which the library makes of this very row.
            let function = unsafe { std::mem::transmute::<*const c_void, Of>(address.0) };
            let given = Given(($($argument,)*));
            let keeps_gil = arguments.iter_borrowed().any(|value| value.is_instance_of::<PyByteArray>());
            let answer = made(py, functions!(@coded $($result)?), keeps_gil, move || {
                #[allow(unused_variables, reason = "some take nothing")]
                let Given(($($argument,)*)) = given.copy();
                // SAFETY: the arguments have the types of the row; what they mean is the caller's word, as in
                // C.
                Given(unsafe { function($($argument),*) })
            })?;
            answer.0.give(py)
        }
        (NAME, call as Call)
    }};
    (@coded) => { false };
    (@coded T) => { false };
    (@coded $result:ty) => { true };
    (@name ($element:ident) $first:literal $last:literal) => {
        functions!(@joined $element $first $last)
    };
    (@name ($element:ident $name:literal) $first:literal $last:literal) => { concat!($first, $name, $last) };
    (@joined none $first:literal $last:literal) => { concat!($first, $last) };
    (@joined $element:ident $first:literal $last:literal) => { concat!($first, stringify!($element), $last) };
}

/// Arguments and results on their way to the call without the GIL.
struct Given<A>(A);

// SAFETY: numbers, and addresses as numbers: what they lead to is the caller's word, as in C.
unsafe impl<A> Send for Given<A> {}

impl<A: Copy> Given<A> {
    fn copy(&self) -> Self {
        Self(self.0)
    }
}

macro_rules! tables {
    ($($table:ident;)*) => {
        $(mod $table {
            #[allow(unused_imports, reason = "not all tables have all types")]
            use super::types::*;
            use super::{Address, Answer, Argument, Call, Given, made, wrong_count};
            use pyo3::prelude::*;
            use pyo3::types::{PyByteArray, PyTuple};

            $table!(functions {});
        })*

        fn all() -> impl Iterator<Item = (&'static str, Call)> {
            std::iter::empty()$(.chain($table::ALL.iter().flat_map(|row| row.iter().copied())))*
        }
    };
}

tables! {
    cann_0_aclshmemx_init_status;
    cann_0_aclshmem_my_pe;
    cann_11_aclshmem_put;
    cann_5_aclshmem_put;
    cann_10_aclshmem_wait_until;
}
