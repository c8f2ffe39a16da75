// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The library of the small typed family ([`table`]).

#![expect(unsafe_code, reason = "exports what the rows expand to")]

#[macro_use]
#[allow(dead_code, reason = "the test reads more of it than the library")]
mod table;

use std::ffi::{c_char, c_int};

use mf_base::Error;
use mf_boundary::{Family, last_error};

/// A family with codes of its own.
pub(crate) struct Codes;

impl Family for Codes {
    fn refuse(operation: &'static str, error: &Error) -> i32 {
        last_error::set_coded(operation, error, "TYPED_ERROR", -7)
    }
}

pub(crate) mod bodies {
    use std::ffi::{c_int, c_long, c_void};

    use mf_abi::Rest;
    use mf_base::{Error, Result};

    pub(crate) const PE: c_int = 3;

    fn check(op: &'static str, pe: c_int) -> Result<()> {
        if pe == PE { Ok(()) } else { Err(Error::invalid(op, "no such PE").with("pe", pe)) }
    }

    pub(crate) unsafe fn put<T>(
        op: &'static str,
        dest: *mut T,
        source: *const T,
        nelems: usize,
        pe: c_int,
    ) -> Result<()> {
        check(op, pe)?;
        // SAFETY: the caller passes arrays of that length.
        unsafe { std::ptr::copy(source, dest, nelems) };
        Ok(())
    }

    pub(crate) unsafe fn g<T: Copy>(op: &'static str, source: *const T, pe: c_int) -> Result<T> {
        check(op, pe)?;
        // SAFETY: the caller passes an element.
        Ok(unsafe { source.read() })
    }

    pub(crate) unsafe fn p<T>(op: &'static str, dest: *mut T, value: T, pe: c_int) -> Result<()> {
        check(op, pe)?;
        // SAFETY: the caller passes room for an element.
        unsafe { dest.write(value) };
        Ok(())
    }

    pub(crate) const CONTEXT: u64 = 1 << 40;

    fn check_context(op: &'static str, ctx: u64) -> Result<()> {
        if ctx == CONTEXT { Ok(()) } else { Err(Error::invalid(op, "no such context").with("ctx", ctx)) }
    }

    pub(crate) unsafe fn ctx_p<T>(
        op: &'static str,
        ctx: u64,
        dest: *mut T,
        value: T,
        pe: c_int,
    ) -> Result<()> {
        check_context(op, ctx)?;
        // SAFETY: the caller passes room for an element, as for `p`.
        unsafe { p(op, dest, value, pe) }
    }

    pub(crate) unsafe fn ctx_g<T: Copy>(
        op: &'static str,
        ctx: u64,
        source: *const T,
        pe: c_int,
    ) -> Result<T> {
        check_context(op, ctx)?;
        // SAFETY: the caller passes a readable element, as for `g`.
        unsafe { g(op, source, pe) }
    }

    pub(crate) unsafe fn add(
        _op: &'static str,
        count: c_int,
        numbers: *mut c_long,
        _rest: Rest,
    ) -> Result<c_long> {
        // SAFETY: the caller passes a number.
        let sum = c_long::from(count) + unsafe { numbers.read() };
        // SAFETY: the caller passes a writable number.
        unsafe { numbers.write(sum) };
        Ok(sum)
    }

    pub(crate) unsafe fn put_sized<T>(
        op: &'static str,
        dest: *mut c_void,
        source: *const c_void,
        nelems: usize,
        pe: c_int,
    ) -> Result<()> {
        // SAFETY: the caller passes arrays of that length.
        unsafe { put::<T>(op, dest.cast(), source.cast(), nelems, pe) }
    }

    pub(crate) unsafe fn put_older<T>(_op: &'static str, dest: *mut T, value: T) -> Result<()> {
        // SAFETY: the caller passes room for an element.
        unsafe { dest.write(value) };
        Ok(())
    }

    pub(crate) fn my_pe(_op: &'static str) -> Result<c_int> {
        Ok(PE)
    }

    #[expect(clippy::panic, reason = "the defect")]
    pub(crate) fn defect(_op: &'static str) -> Result<*mut c_void> {
        panic!("a defect")
    }
}

mod typed {
    use std::ffi::{c_int, c_long};

    typed!(mf_boundary::export_typed {
        family = crate::Codes,
        table = crate::table::names::typed,
        bodies = crate::bodies
    });
}

mod sized {
    use std::ffi::{c_int, c_void};

    sized!(mf_boundary::export_typed {
        family = crate::Codes,
        table = crate::table::names::sized,
        bodies = crate::bodies
    });
}

mod plain {
    use std::ffi::{c_int, c_long, c_void};

    use mf_abi::Rest;

    plain!(mf_boundary::export_typed {
        family = crate::Codes,
        table = crate::table::names::plain,
        bodies = crate::bodies
    });
}

mod long_double {
    use std::ffi::c_int;

    use mf_abi::LongDouble;

    long_double!(mf_boundary::export_long_double {
        family = crate::Codes,
        table = crate::table::names::long_double,
        bodies = crate::bodies
    });
}

mod older {
    older!(mf_boundary::export_typed {
        family = crate::Codes,
        table = crate::table::names::older,
        bodies = crate::bodies
    });
}

/// Returns the number of calls, or failed calls, of a function.
#[unsafe(no_mangle)]
extern "C" fn typed_calls(name: *const c_char, failed: bool) -> c_int {
    // SAFETY: the test passes a string.
    let name = unsafe { std::ffi::CStr::from_ptr(name) };
    let all = typed::CALLS.counts().chain(sized::CALLS.counts()).chain(plain::CALLS.counts());
    let mut all = all.chain(long_double::CALLS.counts()).chain(older::CALLS.counts());
    let found = all.find(|(symbol, ..)| name.to_str() == Ok(&symbol.name.to_string()));
    let count = found.map_or(0, |(_, calls, errors)| if failed { errors } else { calls });
    c_int::try_from(count).unwrap_or(-1)
}

// Functions that the checks of the C tests need.

#[unsafe(no_mangle)]
extern "C" fn smem_get_last_err_code() -> i32 {
    last_error::code()
}

#[unsafe(no_mangle)]
extern "C" fn smem_get_last_err_msg() -> *const c_char {
    last_error::text()
}

#[unsafe(no_mangle)]
extern "C" fn smem_get_and_clear_last_err_msg() -> *const c_char {
    last_error::take()
}
