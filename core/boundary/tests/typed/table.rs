// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A small typed family: four types, twins, labels, sizes instead of types, functions without a type, values
//! of `long double`, and an older generation that has one of its names with other arguments.

macro_rules! typed {
    ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
        "typed.h",
        types { float: f32 = "float", longlong: i64 = "long long", long: c_long = "long", size: usize = "size_t" }
        rows {
            /// Copies `nelems` elements from `source` to `dest`.
            /// Errors: a null pointer, another PE than 3.
            "typed_" T "_put" as "typed15_" T "_put" | "ptyped15_" T "_put" = { "typed put" fn put<T>(
                dest: *mut T = "the destination", source: *const T = "the source", nelems: usize, pe: c_int) };
            /// Returns an element; 0 on an error.
            "typed_" T "_g" as "typed15_" T "_g" | "ptyped15_" T "_g"
                = { "typed g" fn g<T>(source: *const T = "the source", pe: c_int) -> T, or T::default() };
            /// Writes an element.
            "typed_" T "_p" as "typed_" T "_p"
                = { "typed p" fn p<T>(dest: *mut T = "the destination", value: T, pe: c_int) -> i32 };
        }
    } };
}

macro_rules! sized {
    ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
        "typed.h",
        types { bits8 "8": [u8; 1] = "void", bits128 "128": [u8; 16] = "void" }
        rows {
            /// Copies `nelems` elements of so many bits.
            "typed_put" T "" as "typed15_put" T "" | "ptyped15_put" T "" = { "typed put" fn put_sized<T>(
                dest: *mut c_void = "the destination", source: *const c_void = "the source", nelems: usize,
                pe: c_int) };
        }
    } };
}

macro_rules! plain {
    ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
        "typed.h",
        types { none "": () = "" }
        rows {
            /// The number of this PE.
            "typed_my_pe" T "" as "typed15_my_pe" T "" | "ptyped15_my_pe" T "" = { "typed pe" fn my_pe() -> c_int };
            /// Adds `count` to the numbers of an array; reads nothing that follows.
            "typed_add" T "" as "typed15_add" T "" = { "typed add" fn add(
                count: c_int, numbers: *mut c_long = "the numbers", rest: Rest) -> c_long, or -1 };
            /// Fails by a defect.
            "typed_defect" T "" as "typed15_defect" T "" = { "typed defect" fn defect() -> *mut c_void };
        }
    } };
}

macro_rules! long_double {
    ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
        "typed.h",
        types { longdouble: LongDouble = "long double" }
        rows {
            /// Writes an element.
            "typed_" T "_p" as "typed15_" T "_p" | "ptyped15_" T "_p"
                = { "typed p" fn p<T>(dest: *mut T = "the destination", value: T, pe: c_int) -> i32 };
            /// Writes an element, on a context.
            "typed_ctx_" T "_p" as "typed15_ctx_" T "_p"
                = { "typed p" fn ctx_p<T>(ctx: u64, dest: *mut T = "the destination", value: T, pe: c_int) };
            /// Returns an element; 0 on an error.
            "typed_" T "_g" as "typed15_" T "_g" | "ptyped15_" T "_g"
                = { "typed g" fn g<T>(source: *const T = "the source", pe: c_int) -> T, or T::default() };
            /// Returns an element, on a context; 0 on an error.
            "typed_ctx_" T "_g" as "typed15_ctx_" T "_g" = { "typed g" fn ctx_g<T>(
                ctx: u64, source: *const T = "the source", pe: c_int) -> T, or T::default() };
        }
    } };
}

/// As the names were before the standard claimed them.
macro_rules! older {
    ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
        "typed_older.h",
        types { float: f32 = "float", longlong: i64 = "long long", size: usize = "size_t" }
        rows {
            /// Sets one element.
            "typed_" T "_put" as "typed_" T "_put" = { "typed put" fn put_older<T>(dest: *mut T, value: T) -> i32 };
        }
    } };
}

pub(crate) mod names {
    pub(crate) mod typed {
        typed!(mf_abi::describe_typed {});
    }
    pub(crate) mod sized {
        sized!(mf_abi::describe_typed {});
    }
    pub(crate) mod plain {
        plain!(mf_abi::describe_typed {});
    }
    pub(crate) mod long_double {
        long_double!(mf_abi::describe_typed {});
    }
    pub(crate) mod older {
        older!(mf_abi::describe_typed {});
    }
}
