// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The exported functions, made from the rows of [`mf_abi`]; each calls the body of its name in the module of
//! its section.

use std::ffi::{c_char, c_int, c_void};

use mf_abi::smem::*;

use crate::calls::CALLS;
use crate::codes::Codes;

/// A reader of a table of symbols.
macro_rules! export {
    ($($header:literal in $($module:ident)::+ {
        $($operation:literal fn $name:ident $arguments:tt $(-> $result:ty $(, or $or:expr)?)?;)*
    })*) => { $(const _: () = {
        use crate::$($module)::+ as bodies;
        $(export_one! { $name, bodies::$name; $operation $arguments $(-> $result $(, or $or)?)? })*
    };)* };
}

/// Exports a row, with its fast path if it has one.
macro_rules! export_one {
    (smem_bm_copy, $body:expr; $($row:tt)+) => {
        mf_boundary::function! {
            [no_mangle] fn smem_bm_copy = fast_paths bodies::cached, bodies::fast_path, $body; Codes, CALLS, Number::smem_bm_copy as usize;
            $($row)+
        }
    };
    ($name:ident, $body:expr; $($row:tt)+) => {
        mf_boundary::function! { [no_mangle] fn $name = $body; Codes, CALLS, Number::$name as usize; $($row)+ }
    };
}

mf_abi::smem!(export);
