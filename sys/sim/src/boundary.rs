// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The edge of the library: every exported function goes through here.
//!
//! In order: a forked child is refused; an injected fault fires; the body runs; a panic becomes 507000; a
//! refusal leaves its text for `aclGetRecentErrMsg`; the call is traced. When nothing is injected or traced
//! this costs two loads.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::watch;

/// An argument as it appears in traces and error texts.
#[derive(Clone, Debug)]
pub enum Arg {
    /// An address or a handle.
    Pointer(usize),
    /// A number.
    Number(i128),
    /// A structure that was passed by value.
    Opaque,
}

impl<T> From<*const T> for Arg {
    fn from(pointer: *const T) -> Self {
        Self::Pointer(pointer.addr())
    }
}
impl<T> From<*mut T> for Arg {
    fn from(pointer: *mut T) -> Self {
        Self::Pointer(pointer.addr())
    }
}
macro_rules! numbers {
    ($($number:ty)*) => { $(impl From<$number> for Arg {
        fn from(number: $number) -> Self { Self::Number(number as i128) }
    })* };
}
numbers!(u8 u16 u32 u64 usize i32 i64 bool);

/// Set in a forked child, where the threads of the parent do not exist.
static FORKED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static LAST: RefCell<LastError> = const { RefCell::new(LastError { code: 0, fresh: None, given: None }) };
}

/// Last task fault, on any stream, that no call has reported yet.
static ASYNCHRONOUS: AtomicI32 = AtomicI32::new(0);

struct LastError {
    /// `aclError` of the last refused call.
    code: i32,
    fresh: Option<CString>,
    /// Kept alive until the next call, as the caller reads it.
    given: Option<CString>,
}

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
    if FORKED.load(Ordering::Relaxed) {
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
    // As above.
    let _ = write!(text, "): {} [{}]", fault.text, fault.code);
    set_last_error(&text);
    if ["acl", "rt"].iter().any(|family| name.starts_with(family)) {
        with_last(|last| last.code = fault.code);
        // The fault of a task that this call reports is known to the caller now. Another one stays.
        let _ = ASYNCHRONOUS.compare_exchange(fault.code, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
    fault.code
}

/// Leaves a text for the calling thread.
pub fn set_last_error(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    with_last(|last| last.fresh = Some(text));
}

/// Returns the last error text of the calling thread, once; null if there is none.
pub fn take_last_error() -> *const c_char {
    with_last(|last| {
        last.given = last.fresh.take();
        last.given.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
    })
    .unwrap_or(std::ptr::null())
}

/// A task failed; its stream may never be queried.
pub fn note_async(code: i32) {
    ASYNCHRONOUS.store(code, Ordering::Relaxed);
}

/// The `aclError` of the last refused call of this thread or, without one, of the last task that failed; 0
/// for none. `forget`: it is not reported again.
///
/// Assumed: an unreported task fault is returned to the first thread that asks.
pub fn last_code(forget: bool) -> i32 {
    let own = with_last(|last| if forget { std::mem::take(&mut last.code) } else { last.code }).unwrap_or(0);
    match (own, forget) {
        (0, true) => ASYNCHRONOUS.swap(0, Ordering::Relaxed),
        (0, false) => ASYNCHRONOUS.load(Ordering::Relaxed),
        (own, _) => own,
    }
}

/// Returns `None` in a thread that is exiting.
fn with_last<T>(change: impl FnOnce(&mut LastError) -> T) -> Option<T> {
    LAST.try_with(|last| change(&mut last.borrow_mut())).ok()
}

/// Returns true in a forked child.
pub(crate) fn is_forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// From now on a child of this process is refused.
pub(crate) fn refuse_children() {
    extern "C" fn in_child() {
        FORKED.store(true, Ordering::Relaxed);
        crate::session::close_in_child();
    }
    // SAFETY: the handler stores to atomics and closes descriptors, which is allowed in a forked child.
    let _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
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
            // SAFETY: passed on to the caller.
            unsafe { $($body)::+($($arg),*) }
        }
    };
    ($(#[$doc:meta])* fn $name:ident $args:tt -> $out:ident: $value:expr) => {
        $crate::export! {
            $(#[$doc])* fn $name $args => {
                let value = || $crate::fault::Outcome::Ok($value);
                // SAFETY: passed on to the caller.
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
                || [$((stringify!($arg), $crate::boundary::Arg::from($arg))),*],
                || $outcome,
            )
        }
    };
}
