// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tables of typed families, in which every operation exists for every element type: rows are type ×
//! operation.
//!
//! ```text
//! macro_rules! rma { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
//!     "openshmem/shmem.h",
//!     types { float: f32 = "float", longlong: i64 = "long long" }
//!     rows {
//!         /// Copies `nelems` elements to `dest` on `pe`.
//!         "shmem_" T "_put" as "shmem15_" T "_put" | "pshmem15_" T "_put"
//!             = { "shmem put" fn put<T>(dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
//!     }
//! } } }
//! rma!(mf_abi::describe_typed {});         // SYMBOLS: here two, each with two symbols
//! rma!(mf_boundary::export_typed { … });   // the wrappers: here four
//! rma!(mf_abi::functions_typed { … });     // pointers to them in a loaded library: functions.float.put
//! ```
//! A row is: its documentation in C · the name in the header · after `as` the symbols, of which the header
//! binds to the first (an assembler label, where it is another name) and the others are twins of it · after
//! `=` operation, body and arguments. A body with `<T>` is one generic function, called with the element
//! type. No two rows of a table have the same body.
//!
//! | case | form |
//! |---|---|
//! | operations that not all types have | a table for each list of types |
//! | an element with a name that is not an identifier (`shmem_put8`) | `types { bits8 "8": [u8; 1] = "void" }` |
//! | functions without a type, under labels or with twins | `types { none "": () = "" }`, bodies without `<T>` |
//! | another generation of the names, with other arguments | another table, with the names themselves as symbols |
//! | `long`, of the system's width | `types { long: c_long = "long" }`, `*mut c_long` |
//! | a variadic function that reads none of its arguments | `(level: c_int, rest: Rest)` |
//! | `long double` behind pointers | `types { longdouble: LongDouble = "long double" }` |
//! | `long double` by value | a table of its own, read by `mf_boundary::export_long_double!` |

use crate::{Name, Symbol};

/// Returns the name of an element: its own, or the text after it.
#[doc(hidden)]
#[macro_export]
macro_rules! element {
    ($element:ident) => {
        stringify!($element)
    };
    ($element:ident $name:literal) => {
        $name
    };
}

/// A reader of a typed table: descriptions of its symbols, by operation and then by type, and their numbers.
/// Meant for a module of its own.
#[macro_export]
macro_rules! describe_typed {
    ({ } $header:literal, types $types:tt rows {
        $($(#[doc = $doc:literal])* $before:literal T $after:literal as $($first:literal T $last:literal)|+
            = { $operation:literal fn $body:ident $($signature:tt)* };)*
    }) => {
        /// The operations, by the names of their bodies; an operation times [`ELEMENTS`] plus the element
        /// is the number of a symbol.
        #[allow(missing_docs, non_camel_case_types, reason = "the names of the bodies")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Row { $($body,)* }

        $crate::describe_typed! { @elements $types }

        const ROWS: &[&[$crate::Symbol]] = &[$($crate::describe_typed! {
            @row $header, $types concat!($($doc, "\n"),*), $before $after [$($first $last)+]
            { $operation fn $body $($signature)* }
        }),*];

        /// Number of symbols, without twins.
        pub const COUNT: usize = $crate::count(ROWS);

        /// Every symbol of the table: for each operation the symbols of all types.
        pub static SYMBOLS: &[$crate::Symbol] = &$crate::flat::<COUNT>(ROWS);
    };
    (@elements { $($element:ident $($name:literal)?: $type:ty = $c:literal),* $(,)? }) => {
        /// The element types.
        #[allow(missing_docs, non_camel_case_types, reason = "the names of the types")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Element { $($element,)* }

        /// Number of types.
        pub const ELEMENTS: usize = [$(stringify!($element)),*].len();
    };
    (@row $header:literal, { $($element:ident $($name:literal)?: $type:ty = $c:literal),* $(,)? }
        $doc:expr, $before:literal $after:literal $symbols:tt $row:tt) => {
        &[$($crate::describe_typed! {
            @one $header, $crate::element!($element $($name)?), $c, $doc, $before $after $symbols $row
        }),*]
    };
    (@one $header:literal, $element:expr, $c:literal, $doc:expr, $before:literal $after:literal
        [$($first:literal $last:literal)+]
        { $operation:literal fn $body:ident $(<$generic:ident>)?
            ($($argument:ident: $type:ty $(= $required:literal)?),* $(,)?) $(-> $result:ty $(, or $or:expr)?)? }) => {
        $crate::Symbol {
            name: $crate::Name($before, $element, $after),
            symbols: &[$($crate::Name($first, $element, $last)),+],
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
            doc: $doc,
        }
    };
}

/// A `long double` of C, as it lies in memory: 80 bits and padding on x86-64, 128 bits on AArch64. Never
/// passed by value: no type of Rust is passed so.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LongDouble(pub [u8; 16]);

/// The arguments of a variadic function after the named ones; none of them is read: a function that does not
/// read them is called as one without. Of size 0, and so passed as nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Rest([u8; 0]);

/// A reader of a typed table: pointers to its functions in a loaded library, by element and operation. Meant
/// for a module of its own, in which the types of the rows are known.
///
/// `table`: the module with the table's descriptions.
#[macro_export]
macro_rules! functions_typed {
    ({ table = $($table:ident)::+ $(,)? }
        $header:literal, types { $($element:ident $($name:literal)?: $type:ty = $c:literal),* $(,)? } rows {
        $($(#[doc = $doc:literal])* $before:literal T $after:literal as $($first:literal T $last:literal)|+
            = { $operation:literal fn $body:ident $(<$generic:ident>)?
                ($($argument:ident: $argument_type:ty $(= $required:literal)?),* $(,)?)
                $(-> $result:ty $(, or $or:expr)?)? };)*
    }) => {
        use $($table)::+ as table;

        /// The operations on one element type.
        #[allow(missing_docs, dead_code, reason = "the names of the rows, of which not all are called")]
        pub struct Operations<T> {
            $(pub $body: unsafe extern "C" fn($($argument_type),*) $(-> $result)?,)*
            element: ::std::marker::PhantomData<T>,
        }

        /// All functions of the table; each field has the name of an element.
        #[allow(missing_docs, dead_code, reason = "the names of the types, of which not all are used")]
        pub struct Functions {
            $(pub $element: Operations<$type>,)*
        }

        impl<T> Operations<T> {
            /// # Safety
            /// As [`Functions::resolve`].
            unsafe fn resolve(
                element: table::Element,
                find: &mut impl FnMut(&str) -> Option<::std::ptr::NonNull<::std::ffi::c_void>>,
                missing: &mut Vec<String>,
            ) -> Option<Self> {
                let mut find = |row: table::Row| {
                    let number = row as usize * table::ELEMENTS + element as usize;
                    let name = table::SYMBOLS.get(number)?.symbols.first()?.to_string();
                    let found = find(&name);
                    if found.is_none() {
                        missing.push(name);
                    }
                    found
                };
                $(let $body = find(table::Row::$body);)*
                Some(Self {
                    $(
                        // SAFETY: the caller vouches for the library, which made this function from this row.
                        $body: unsafe { ::std::mem::transmute::<*mut ::std::ffi::c_void,
                            unsafe extern "C" fn($($argument_type),*) $(-> $result)?>($body?.as_ptr()) },
                    )*
                    element: ::std::marker::PhantomData,
                })
            }
        }

        impl Functions {
            /// Finds every function by its symbol.
            ///
            /// # Errors
            /// The symbols that are missing.
            ///
            /// # Safety
            /// What `find` finds under the names of this table is the library's, made from the same table.
            pub unsafe fn resolve(
                mut find: impl FnMut(&str) -> Option<::std::ptr::NonNull<::std::ffi::c_void>>,
            ) -> Result<Self, Vec<String>> {
                let mut missing = Vec::new();
                $(
                    // SAFETY: the caller vouches that `find` finds functions of the library that has this
                    // table.
                    let $element = unsafe {
                        Operations::<$type>::resolve(table::Element::$element, &mut find, &mut missing)
                    };
                )*
                match ($($element,)*) {
                    ($(Some($element),)*) => Ok(Self { $($element,)* }),
                    _ => Err(missing),
                }
            }
        }
    };
}

/// The number of symbols of all rows.
#[doc(hidden)]
pub const fn count(rows: &[&[Symbol]]) -> usize {
    let (mut row, mut count) = (0, 0);
    while row < rows.len() {
        count += rows[row].len();
        row += 1;
    }
    count
}

/// The symbols of all rows, one after the other.
#[doc(hidden)]
pub const fn flat<const N: usize>(rows: &[&[Symbol]]) -> [Symbol; N] {
    const NONE: Name = Name("", "", "");
    const EMPTY: Symbol = Symbol {
        name: NONE,
        symbols: &[],
        operation: "",
        header: "",
        arguments: &[],
        result: "",
        or: "",
        element: "",
        doc: "",
    };
    let mut all = [EMPTY; N];
    let (mut row, mut at) = (0, 0);
    while row < rows.len() {
        let mut place = 0;
        while place < rows[row].len() {
            all[at] = rows[row][place];
            (place, at) = (place + 1, at + 1);
        }
        row += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    /// Two types, two operations, a twin, and a name bound to a symbol of another one.
    #[allow(dead_code, unreachable_pub, reason = "of a table that others would see")]
    mod described {
        macro_rules! rma {
            ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
                "shmem/shmem.h",
                types { float: f32 = "float", bits8 "8": [u8; 1] = "void" }
                rows {
                    /// Copies.
                    "shmem_" T "_put" as "shmem15_" T "_put" | "pshmem15_" T "_put"
                        = { "shmem put" fn put<T>(dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
                    "shmem_g" T "" as "shmem_g" T "" = { "shmem g" fn g<T>(source: *const T, pe: c_int) -> i32 };
                }
            } };
        }
        rma!(crate::describe_typed {});
    }

    #[test]
    fn every_operation_is_described_for_every_type() {
        let all: Vec<String> = described::SYMBOLS.iter().map(|symbol| symbol.prototype()).collect();
        assert_eq!(
            all,
            [
                "void shmem_float_put(float *dest, const float *source, size_t nelems, int pe) \
                 MF_SYMBOL(\"shmem15_float_put\");",
                "void shmem_8_put(void *dest, const void *source, size_t nelems, int pe) MF_SYMBOL(\"shmem15_8_put\");",
                "int32_t shmem_gfloat(const float *source, int pe);",
                "int32_t shmem_g8(const void *source, int pe);",
            ]
        );
        let number = described::Row::g as usize * described::ELEMENTS + described::Element::bits8 as usize;
        assert_eq!(described::SYMBOLS[number].name.to_string(), "shmem_g8");
        assert_eq!(described::SYMBOLS.iter().flat_map(|symbol| symbol.symbols).count(), 6);
    }
}
