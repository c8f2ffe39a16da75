// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The exported functions, made from the rows of [`mf_abi`]; each calls the body of its name in the module of
//! its section.

use std::ffi::{c_char, c_int, c_void};

use mf_abi::smem::*;

use crate::boundary::{call, is_traced, present, trace};

/// What a failed call returns: what its row says after `or`, else what the type of the result says.
macro_rules! failed {
    () => {
        crate::boundary::Failed::with_code
    };
    ($or:expr) => {
        |_| $or
    };
}

/// A reader of a table of symbols.
macro_rules! export {
    ($($header:literal in $($module:ident)::+ {
        $($operation:literal fn $name:ident($($argument:ident: $type:ty $(= $required:literal)?),* $(,)?)
            $(-> $result:ty $(, or $or:expr)?)?;)*
    })*) => { $(const _: () = {
        use crate::$($module)::+ as bodies;
        $(
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, reason = "the names are those of the headers")]
            unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? {
                let body = || {
                    $($(let $argument = present($operation, $required, $argument)?;)?)*
                    // SAFETY: passed on to the caller, who keeps to what the header says about pointers.
                    #[allow(unused_unsafe, reason = "some bodies trust their caller with nothing")]
                    unsafe { bodies::$name($operation, $($argument),*) }
                };
                let result = call(Number::$name, $operation, body, failed!($($($or)?)?));
                if is_traced() {
                    // Copies, so that arguments stay in registers where nothing is logged.
                    let told = result;
                    trace(Number::$name, &[$(&{ $argument }),*], &told);
                }
                result
            }
        )*
    };)* };
}

mf_abi::smem!(export);
