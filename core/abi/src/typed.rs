// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Families in which every operation exists for every element type: rows are type × operation.
//!
//! ```text
//! macro_rules! rma { ($reader:ident $which:tt) => { mf_abi::$reader! { $which
//!     "shmem/shmem.h",
//!     types { float: f32 = "float", longlong: i64 = "long long" }
//!     rows {
//!         "shmem_" T "_put" as "shmem15_" T "_put" | "pshmem15_" T "_put"
//!             = { "shmem put" fn put(dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
//!     }
//! } } }
//! rma!(typed { export });     // export! for each symbol: here four
//! rma!(describe_typed {});    // SYMBOLS: here two, each with two symbols
//! ```
//! A row is: the name in the header · after `as` the symbols, of which the header binds to the first (an
//! assembler label, where it is another name) and the others are twins · after `=` operation, body and
//! arguments. The body is one generic function, called with the element type. Another generation of the
//! interface, with other arguments under the same header names, is another table with symbols of its own.

/// Hands every symbol of a typed family to the macro `$reader`, one at a time:
/// `$reader! { element: Type, ("before", "after"), { "operation" fn body(arguments) [-> Result [, or value]]
/// } }`.
#[macro_export]
macro_rules! typed {
    ({ $reader:ident } $header:literal, types $types:tt rows {
        $($before:literal T $after:literal as $($first:literal T $last:literal)|+ = $signature:tt;)*
    }) => {
        $($crate::typed! { @types $reader, $types [$(($first, $last))+] $signature })*
    };
    (@types $reader:ident, { $($element:ident: $type:ty = $c:literal),* $(,)? } $symbols:tt $signature:tt) => {
        $($crate::typed! { @symbols $reader, $element: $type, $symbols $signature })*
    };
    (@symbols $reader:ident, $element:ident: $type:ty, [$($symbol:tt)+] $signature:tt) => {
        $($reader! { $element: $type, $symbol, $signature })+
    };
}

/// The descriptions of a typed family, by operation and then by type.
#[macro_export]
macro_rules! describe_typed {
    ({ } $header:literal, types $types:tt rows {
        $($before:literal T $after:literal as $($first:literal T $last:literal)|+ = $signature:tt;)*
    }) => {
        /// Every symbol of the family: for each operation those of all types.
        #[allow(unreachable_pub, reason = "the module of the table says who sees it")]
        pub static SYMBOLS: &[&[$crate::Symbol]] = &[$($crate::describe_typed! {
            @types $header, $types $before $after [$($first $last)+] $signature
        }),*];
    };
    (@types $header:literal, { $($element:ident: $type:ty = $c:literal),* $(,)? }
        $before:literal $after:literal $symbols:tt $signature:tt) => {
        &[$($crate::describe_typed! { @one $header, $element $c, $before $after $symbols $signature }),*]
    };
    (@one $header:literal, $element:ident $c:literal, $before:literal $after:literal [$($first:literal $last:literal)+]
        { $operation:literal fn $body:ident($($argument:ident: $type:ty $(= $required:literal)?),* $(,)?)
            $(-> $result:ty $(, or $or:expr)?)? }) => {
        $crate::Symbol {
            name: $crate::Name($before, stringify!($element), $after),
            symbols: &[$($crate::Name($first, stringify!($element), $last)),+],
            operation: $operation,
            header: $header,
            arguments: &[$($crate::Argument {
                name: stringify!($argument),
                rust: stringify!($type),
                required: concat!($($required)?),
            }),*],
            result: concat!($(stringify!($result))?),
            or: concat!($($(stringify!($or))?)?),
            element: $c,
        }
    };
}

#[cfg(test)]
mod tests {
    use std::ffi::c_int;

    /// A small family: two types, two operations, twins for profilers, names bound to symbols of another
    /// world.
    macro_rules! rma {
        ($reader:ident { $($which:tt)* }) => { crate::$reader! { { $($which)* }
            "shmem/shmem.h",
            types { float: f32 = "float", longlong: i64 = "long long" }
            rows {
                "shmem_" T "_put" as "mf_test15_" T "_put" | "pmf_test15_" T "_put"
                    = { "shmem put" fn put(dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
                "mf_test_" T "_g" as "mf_test_" T "_g"
                    = { "shmem g" fn g(source: *const T, pe: c_int) -> T, or T::default() };
            }
        } };
    }

    mod described {
        rma!(describe_typed {});
    }

    fn put<T: Copy>(_op: &'static str, dest: *mut T, source: *const T, nelems: usize, pe: c_int) {
        assert_eq!(pe, 3);
        // SAFETY: the test passes arrays of that length.
        unsafe { std::ptr::copy(source, dest, nelems) };
    }

    fn g<T: Copy>(_op: &'static str, source: *const T, _pe: c_int) -> T {
        // SAFETY: the test passes a value.
        unsafe { source.read() }
    }

    /// As the reader of the C library, without its guards.
    macro_rules! export {
        ($element:ident: $type:ty, ($first:literal, $last:literal), {
            $operation:literal fn $body:ident($($argument:ident: $kind:ty),*) $(-> $result:ty $(, or $or:expr)?)?
        }) => { const _: () = {
            type T = $type;
            #[unsafe(export_name = concat!($first, stringify!($element), $last))]
            extern "C" fn export($($argument: $kind),*) $(-> $result)? {
                super::tests::$body::<T>($operation, $($argument),*)
            }
        }; };
    }
    rma!(typed { export });

    unsafe extern "C" {
        fn mf_test15_float_put(dest: *mut f32, source: *const f32, nelems: usize, pe: c_int);
        fn pmf_test15_longlong_put(dest: *mut i64, source: *const i64, nelems: usize, pe: c_int);
        fn mf_test_longlong_g(source: *const i64, pe: c_int) -> i64;
    }

    #[test]
    fn every_operation_is_exported_for_every_type_and_twins_too() {
        let (mut floats, mut numbers) = ([0_f32; 2], [0_i64; 2]);
        // SAFETY: arrays of that length.
        unsafe { mf_test15_float_put(floats.as_mut_ptr(), [1.5, 2.5].as_ptr(), 2, 3) };
        // SAFETY: as above.
        unsafe { pmf_test15_longlong_put(numbers.as_mut_ptr(), [7, -8].as_ptr(), 2, 3) };
        assert_eq!((floats, numbers), ([1.5, 2.5], [7, -8]));
        // SAFETY: a value.
        assert_eq!(unsafe { mf_test_longlong_g(&raw const numbers[1], 0) }, -8);
    }

    #[test]
    fn every_operation_is_described_for_every_type() {
        let all: Vec<String> =
            described::SYMBOLS.iter().copied().flatten().map(|symbol| symbol.prototype()).collect();
        assert_eq!(
            all,
            [
                "void shmem_float_put(float *dest, const float *source, size_t nelems, int pe) \
                 MFX_SYMBOL(\"mf_test15_float_put\");",
                "void shmem_longlong_put(long long *dest, const long long *source, size_t nelems, int pe) \
                 MFX_SYMBOL(\"mf_test15_longlong_put\");",
                "float mf_test_float_g(const float *source, int pe);",
                "long long mf_test_longlong_g(const long long *source, int pe);",
            ]
        );
        let symbols = described::SYMBOLS.iter().copied().flatten().flat_map(|symbol| symbol.symbols);
        assert_eq!(symbols.count(), 6);
    }
}
