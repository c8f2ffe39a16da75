// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of the library by name.

/// Calls a function of the library, and returns its result.
///
/// Modules pass texts that end with a NUL, and memory of the length beside it, which lives through the call;
/// the library checks handles, addresses of pools, and numbers.
macro_rules! value {
    ($library:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let function = $library.$function;
        // SAFETY: the function has the type of its row; for its arguments see above.
        #[allow(clippy::macro_metavars_in_unsafe, reason = "arguments are places and casts")]
        unsafe { function($($argument),*) }
    }};
}

/// The same for a function that returns a code.
macro_rules! call {
    ($library:expr, $function:ident($($argument:expr),* $(,)?)) => {
        $library.check(stringify!($function), $crate::call::value!($library, $function($($argument),*)))
    };
}

/// The same for a function that returns a pointer, null for a failure.
macro_rules! pointer {
    ($library:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let found = $crate::call::value!($library, $function($($argument),*));
        if found.is_null() { Err($library.failure(stringify!($function))) } else { Ok(found) }
    }};
}

pub(crate) use {call, pointer, value};
