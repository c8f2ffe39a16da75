// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The log line of a call.

use std::cell::Cell;
use std::fmt::Debug;

use mf_abi::Symbol;
use tracing::level_filters::LevelFilter;

/// The arguments of a call, in order: a tuple. Each function has one to hand over, instead of a list of
/// values of different types.
pub trait Arguments {
    /// Calls `visit` with each of them.
    fn each(&self, visit: &mut dyn FnMut(&dyn Debug));
}

/// For the given types, and for all but the first of them, and so on.
macro_rules! tuples {
    () => {
        impl Arguments for () {
            fn each(&self, _: &mut dyn FnMut(&dyn Debug)) {}
        }
    };
    ($first:ident $($other:ident)*) => {
        impl<$first: Debug, $($other: Debug),*> Arguments for ($first, $($other,)*) {
            #[allow(non_snake_case, reason = "a value is called as its type")]
            fn each(&self, visit: &mut dyn FnMut(&dyn Debug)) {
                let ($first, $($other,)*) = self;
                visit($first);
                $(visit($other);)*
            }
        }
        tuples! { $($other)* }
    };
}

tuples! { A B C D E F G H I J K L M N O P }

/// Returns true if calls are logged.
#[inline(always)]
pub fn is_traced() -> bool {
    // One load and a comparison in each function, while this log level has no receiver.
    may_be_traced() && takes_calls()
}

/// False: calls are not logged. One load and a comparison, no call.
#[inline(always)]
pub fn may_be_traced() -> bool {
    LevelFilter::current() >= LevelFilter::TRACE
}

#[cold]
#[inline(never)]
fn takes_calls() -> bool {
    tracing::enabled!(target: "mf_smem::calls", tracing::Level::TRACE)
}

/// Logs a call that has been made.
pub(crate) fn log(symbol: &Symbol, arguments: &dyn Arguments, result: &dyn Debug) {
    thread_local! {
        /// A receiver of log lines may call functions, and would get the lines of those calls in turn.
        static INSIDE: Cell<bool> = const { Cell::new(false) };
    }
    if INSIDE.replace(true) {
        return;
    }
    let mut names = symbol.arguments.iter();
    let mut texts = Vec::new();
    arguments.each(&mut |value| {
        texts.extend(names.next().map(|known| format!("{} {value:?}", known.name)));
    });
    tracing::trace!(target: "mf_smem::calls", "{}({}) = {result:?}", symbol.name, texts.join(", "));
    INSIDE.set(false);
}
