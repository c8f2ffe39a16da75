// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The edge of the library: every exported function goes through here.
//!
//! In order: a forked child is refused; an injected fault fires; the body runs; a panic becomes 507000; a
//! refusal leaves its text for `aclGetRecentErrMsg`; the call is traced. When nothing is injected or traced
//! this costs two loads.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::arg::Arg;
use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::session::is_forked;
use crate::{last_error, watch};

/// Runs the body of an exported function and returns its number.
#[inline]
pub fn call<const N: usize>(
    name: &'static str,
    args: impl Fn() -> [(&'static str, Arg); N],
    body: impl FnOnce() -> Outcome,
) -> i32 {
    let outcome = if watch::is_on() { watch::observe(name, &args, || guarded(body)) } else { guarded(body) };
    match outcome {
        Ok(()) => 0,
        Err(fault) => refuse(name, &args(), &fault),
    }
}

#[inline]
fn guarded(body: impl FnOnce() -> Outcome) -> Outcome {
    if is_forked() {
        return Err(Fault::new(
            acl::CONTEXT_NULL,
            "this process was forked from one that used the simulator",
        ));
    }
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(outcome) => outcome,
        Err(_) => Err(Fault::new(acl::INTERNAL_ERROR, "the simulator panicked; please report this")),
    }
}

#[cold]
fn refuse(name: &str, args: &[(&'static str, Arg)], fault: &Fault) -> i32 {
    let mut text = format!("{name}(");
    for (index, (name, arg)) in args.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = match arg {
            Arg::Pointer(address) => write!(text, "{comma}{name}={address:#x}"),
            Arg::Number(number) => write!(text, "{comma}{name}={number}"),
            Arg::Opaque => write!(text, "{comma}{name}=…"),
        };
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "): {} [{}]", fault.text, fault.code);
    let sets_code = ["acl", "rt"].iter().any(|family| name.starts_with(family));
    last_error::record(&text, fault, sets_code);
    fault.code
}

/// Defines exported functions, each by one of
/// * `fn name(argument: Type, …) = path::to::body;`, an `unsafe fn` with the same arguments that returns an
///   [`Outcome`];
/// * `fn name(argument: Type, …) => expression;`, the outcome itself;
/// * `fn name(argument: Type, …) -> argument: expression;`, an output argument, written by the module's
///   `answer`.
#[macro_export]
macro_rules! exports {
    ($($(#[$doc:meta])* fn $name:ident $args:tt
        $(= $($body:ident)::+)? $(-> $out:ident: $value:expr)? $(=> $outcome:expr)?;)*) => {
        $($crate::export! {
            $(#[$doc])* fn $name $args $(= $($body)::+)? $(-> $out: $value)? $(=> $outcome)?
        })*
    };
}

/// Defines one function of [`exports!`](crate::exports).
#[macro_export]
macro_rules! export {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $($body:ident)::+) => {
        $crate::export! {
            $(#[$doc])* fn $name($($arg: $type),*) =>
            // SAFETY: the exported function and its body have the same contract.
            unsafe { $($body)::+($($arg),*) }
        }
    };
    ($(#[$doc:meta])* fn $name:ident $args:tt -> $out:ident: $value:expr) => {
        $crate::export! {
            $(#[$doc])* fn $name $args => {
                let value = || $crate::fault::Outcome::Ok($value);
                // SAFETY: `answer` refuses null; else the program passes a place for the result.
                unsafe { answer($out, stringify!($out), value) }
            }
        }
    };
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) => $outcome:expr) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// As for the interface: pointers are null or valid for the bytes that the function reads or writes.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names are CANN's")]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> i32 {
            $crate::boundary::call(
                stringify!($name),
                || [$((stringify!($arg), $crate::arg::Arg::from($arg))),*],
                || $outcome,
            )
        }
    };
}
