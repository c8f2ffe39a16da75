// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions of the library by name, each made from its row: arguments are converted as the row says, the
//! call is made without the GIL, and a failed one raises.
//!
//! Each family has a separate file beside this one, which reads its tables with `functions!`. Functions with
//! arguments and results passed alike share one caller ([`Callable`]).

use std::ffi::c_void;

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyTuple};

use super::guard::Guard;
use super::values::{Answer, Argument};
use crate::buffer::{Access, Pin};
use crate::evaluation::{self, Evaluate as _};
use crate::{failure, interrupts, library};

/// A function of a family.
pub(crate) struct FunctionEntry {
    /// The name by which programs in C know it.
    pub(crate) name: &'static str,
    pub(crate) symbol: &'static str,
    /// True if its result is a code, so that nothing is raised.
    pub(crate) has_code: bool,
    pub(crate) parameters: &'static [Parameter],
    /// Bytes of its element type; 0: untyped.
    pub(crate) element_bytes: usize,
    pub(crate) call: Call,
}

/// An argument of C.
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// Size of the pointee; `None` if it is not a pointer.
    pub(crate) pointee: Option<usize>,
}

pub(crate) type Call = fn(Python<'_>, &Function, &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>>;

/// Address of a function of the library.
#[derive(Clone, Copy)]
pub(super) struct Address(pub(super) *const c_void);

// SAFETY: code of a library that is never closed.
unsafe impl Send for Address {}
// SAFETY: the address is of code in a library that is never closed, which any thread may call.
unsafe impl Sync for Address {}

/// A function of C. Its arguments are as in C; addresses, streams and handles are numbers.
#[pyclass(frozen, name = "ShmemFunction")]
pub(crate) struct Function {
    entry: &'static FunctionEntry,
    family: &'static str,
    address: Address,
    /// Its arguments as Python's callers name them.
    names: Vec<String>,
    guard: Guard,
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*arguments, **named))]
    #[inline]
    fn __call__(
        &self,
        py: Python<'_>,
        arguments: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let ordered;
        let arguments = match named {
            None => arguments,
            Some(named) => {
                ordered = self.in_order(arguments, named)?;
                &ordered
            }
        };
        self.guard.check(self.entry, arguments)?;
        let answer = (self.entry.call)(py, self, arguments)?;
        self.guard.note(arguments, answer.bind(py))?;
        Ok(answer)
    }

    /// As `inspect.signature` shows it.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = evaluation::module(py, c"inspect")?;
        let parameter = inspect.needed("Parameter")?;
        let kind = parameter.needed("POSITIONAL_OR_KEYWORD")?;
        let all: Vec<_> =
            self.names.iter().map(|name| parameter.evaluate((name, &kind))).collect::<PyResult<_>>()?;
        inspect.needed("Signature")?.evaluate((all,))
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.entry.name
    }

    fn __repr__(&self) -> String {
        format!("<function {} of {}>", self.entry.name, self.family)
    }
}

impl Function {
    /// The function of a family that C knows by `name`, not checked.
    pub(super) fn find(
        mut all: impl Iterator<Item = &'static FunctionEntry>,
        family: &'static str,
        name: &str,
    ) -> PyResult<Self> {
        let entry = all.find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| PyAttributeError::new_err(format!("there is no function {name}")))?;
        let names = entry.parameters.iter().map(|parameter| parameter.name.to_owned()).collect();
        Ok(Self {
            entry,
            family,
            address: Address(library::symbol(entry.symbol)?),
            names,
            guard: Guard::NONE,
        })
    }

    /// The same, with checks of its memory, and arguments called otherwise than in C.
    pub(super) fn checked(self, names: Option<Vec<String>>) -> PyResult<Self> {
        let is_put = self.entry.name.contains("put");
        let own = |name: &String| if is_put && name == "sig_addr" { "sig".to_owned() } else { name.clone() };
        let names = names.unwrap_or_else(|| self.names.iter().map(own).collect());
        if names.len() != self.names.len() {
            return Err(wrong_count(self.entry.name, self.names.len(), names.len()));
        }
        Ok(Self { guard: Guard::of(self.entry), names, ..self })
    }

    /// The arguments in order, some given by their name of Python or of C.
    #[cold]
    fn in_order<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        named: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let mut places: Vec<Option<Bound<'py, PyAny>>> = arguments.iter().map(Some).collect();
        places.resize(self.names.len().max(places.len()), None);
        let wrong = |text: String| PyTypeError::new_err(format!("{}() {text}", self.entry.name));
        for (key, value) in named {
            let key: String = key.extract()?;
            let mut known = self.names.iter().zip(self.entry.parameters);
            let at = known.position(|(name, parameter)| *name == key || parameter.name == key);
            let place = at.and_then(|at| places.get_mut(at));
            let place =
                place.ok_or_else(|| wrong(format!("has no argument {key}: {}", self.names.join(", "))))?;
            if place.replace(value).is_some() {
                return Err(wrong(format!("was given {key} twice")));
            }
        }
        let missing = places.iter().position(Option::is_none).and_then(|at| self.names.get(at));
        if let Some(missing) = missing {
            return Err(wrong(format!("misses the argument {missing}")));
        }
        PyTuple::new(arguments.py(), places.into_iter().flatten().collect::<Vec<_>>())
    }
}

/// Makes a call, without the GIL, and again after handlers of signals that raise nothing. A call that says
/// why it failed and has no code raises. Where the GIL is kept the call is made once: it does not wait.
#[inline]
pub(super) fn made<R: Send>(
    py: Python<'_>,
    has_code: bool,
    keeps_gil: bool,
    mut call: impl FnMut() -> R + Send,
) -> PyResult<R> {
    loop {
        // Errors of earlier calls of another family do not apply here.
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

/// A type of functions of C, which Python calls.
pub(crate) trait Callable {
    /// Calls the function, which has this type.
    fn call(py: Python<'_>, function: &Function, arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>>;
}

/// Arguments and results, passed to the call without the GIL.
pub(super) struct SendCell<A>(pub(super) A);

// SAFETY: numbers, and addresses as numbers: the caller vouches for their targets, as in C.
unsafe impl<A> Send for SendCell<A> {}

impl<A: Copy> SendCell<A> {
    pub(super) fn copy(&self) -> Self {
        Self(self.0)
    }
}

macro_rules! callable {
    ($($count:literal: $($argument:ident)*;)*) => { $(
        #[allow(non_snake_case, reason = "an argument is called as its type")]
        impl<R: Answer, $($argument: Argument),*> Callable for unsafe extern "C" fn($($argument),*) -> R {
            fn call(
                py: Python<'_>, function: &Function, arguments: &Bound<'_, PyTuple>,
            ) -> PyResult<Py<PyAny>> {
                if arguments.len() != $count {
                    return Err(wrong_count(function.entry.name, $count, arguments.len()));
                }
                let _pins = pins(arguments)?;
                $(let $argument = $argument::of(&*arguments.get_borrowed_item(position!($argument))?)?;)*
                // SAFETY: the library makes the function at this address from the same row as this type.
                let target = unsafe { std::mem::transmute::<*const c_void, Self>(function.address.0) };
                let given = SendCell(($($argument,)*));
                let answer = made(py, function.entry.has_code, false, move || {
                    #[allow(unused_variables, reason = "some take nothing")]
                    let SendCell(($($argument,)*)) = given.copy();
                    // SAFETY: the arguments have the types of the row; the caller vouches for their meaning,
                    // as in C.
                    SendCell(unsafe { target($($argument),*) })
                })?;
                answer.0.give(py)
            }
        }
    )* };
}

macro_rules! position {
    (A) => {
        0
    };
    (B) => {
        1
    };
    (C) => {
        2
    };
    (D) => {
        3
    };
    (E) => {
        4
    };
    (F) => {
        5
    };
    (G) => {
        6
    };
    (H) => {
        7
    };
    (I) => {
        8
    };
}

callable! {
    0: ;
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
}

/// Pins the bytes of each `bytearray`: no other thread may resize it meanwhile.
fn pins(arguments: &Bound<'_, PyTuple>) -> PyResult<Vec<Pin>> {
    let arrays = arguments.iter_borrowed().filter(|value| value.is_instance_of::<PyByteArray>());
    arrays.map(|array| Pin::new(&array, Access::Read)).collect()
}

#[cold]
fn wrong_count(name: &str, expected: usize, given: usize) -> PyErr {
    PyTypeError::new_err(format!("{name}() takes {expected} arguments, and {given} were given"))
}

/// A reader of a table: each function of each of its types, as `ALL`. `codes`: functions with a code return
/// it; `raises`: they raise, too.
macro_rules! functions {
    ({ $codes:ident } $header:literal, types $types:tt rows { $($rows:tt)* }) => {
        functions! { @rows $codes $types $($rows)* }
    };
    (@rows $codes:ident $types:tt $($(#[doc = $doc:literal])* $before:literal T $after:literal
        as $first:literal T $last:literal $(| $twin_first:literal T $twin_last:literal)* = $signature:tt;)*
    ) => {
        pub(super) static ALL: &[&[$crate::shmem::function::FunctionEntry]] = &[
            $(functions! { @types $codes $types ($before $after) ($first $last) $signature },)*
        ];
    };
    (@types $codes:ident { $($element:ident $($name:literal)?: $type:ty = $c:literal),* $(,)? }
        $name_parts:tt $symbol_parts:tt $signature:tt) => {
        &[$(functions! {
            @one $codes ($element $($name)?) $type, $name_parts $symbol_parts $signature
        }),*]
    };
    (@one $codes:ident $element:tt $type:ty, $name_parts:tt $symbol_parts:tt {
        $operation:literal fn $body:ident $(<$generic:ident>)?
            ($($argument:ident: $argument_type:ty $(= $required:literal)?),* $(,)?)
            $(-> $result:ty $(, or $or:expr)?)?
    }) => {{
        #[allow(dead_code, reason = "rows without types do not name it")]
        type T = $type;
        type Of = unsafe extern "C" fn(
            $(<$argument_type as $crate::shmem::values::Passed>::As),*
        ) $(-> $result)?;
        $crate::shmem::function::FunctionEntry {
            name: functions! { @name $element $name_parts },
            symbol: functions! { @name $element $symbol_parts },
            has_code: functions! { @coded $codes $($result $(, or $or)?)? },
            parameters: &[$($crate::shmem::function::Parameter {
                name: stringify!($argument),
                pointee: <$argument_type as $crate::shmem::values::Passed>::POINTEE,
            }),*],
            element_bytes: size_of::<T>(),
            call: <Of as $crate::shmem::function::Callable>::call,
        }
    }};
    (@coded raises $($result:ty $(, or $or:expr)?)?) => { false };
    (@coded codes) => { false };
    (@coded codes $result:ty, or $or:expr) => { false };
    (@coded codes $result:ty) => { true };
    (@name ($element:ident) ($first:literal $last:literal)) => {
        functions!(@joined $element $first $last)
    };
    (@name ($element:ident $name:literal) ($first:literal $last:literal)) => { concat!($first, $name, $last) };
    (@joined none $first:literal $last:literal) => { concat!($first, $last) };
    (@joined $element:ident $first:literal $last:literal) => { concat!($first, stringify!($element), $last) };
}
