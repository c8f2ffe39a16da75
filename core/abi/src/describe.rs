// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Descriptions of symbols and structs, and the macros that make them from declarations.

/// An exported function.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its name in the header.
    pub name: Name,
    /// Its symbols in the library: the header binds to the first, the others are twins of it.
    pub symbols: &'static [Name],
    /// Prefix of its errors.
    pub operation: &'static str,
    /// The header that declares it, below `include/`.
    pub header: &'static str,
    /// Its arguments.
    pub arguments: &'static [Argument],
    /// The spelling of its result; empty for none.
    pub result: &'static str,
    /// The spelling of its result on failure; empty if the result's type implies it.
    pub or: &'static str,
    /// For `T` in arguments and result: the element type in C; empty in rows without.
    pub element: &'static str,
    /// Its documentation, in lines, where the header is generated; else empty.
    pub doc: &'static str,
}

/// A name in three parts, of which the middle one is an element type's or empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(pub &'static str, pub &'static str, pub &'static str);

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.0, self.1, self.2)
    }
}

/// An argument of a function.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name in the header.
    pub name: &'static str,
    /// The spelling of its type in the table.
    pub rust: &'static str,
    /// Its name in errors, for one that must not be null; else empty.
    pub required: &'static str,
}

/// A C struct.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Its name in the table.
    pub rust: &'static str,
    /// Its names in C.
    pub c: &'static [&'static str],
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// Its fields.
    pub fields: &'static [Field],
}

/// A field of a C struct.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in C.
    pub c: &'static str,
    /// Bytes before it.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
}

/// Declares structs of the interface, once for all users, with the layout that each must have.
macro_rules! structs {
    ($(
        $(#[$meta:meta])*
        struct $name:ident = $first:literal $(| $other:literal)*, $size:literal bytes, align $align:literal {
            $($field:ident: $type:ty = $c:ident at $offset:literal,)*
        }
    )*) => {
        $(
            $(#[$meta])*
            #[repr(C)]
            #[allow(missing_docs, reason = "what a field means stands in the header")]
            pub struct $name { $(pub $field: $type,)* }

            const _: () = {
                assert!(size_of::<$name>() == $size && align_of::<$name>() == $align);
                $(assert!(std::mem::offset_of!($name, $field) == $offset);)*
            };
        )*
        /// Every struct of the family.
        pub const STRUCTS: &[$crate::Layout] = &[$($crate::Layout {
            rust: stringify!($name),
            c: &[$first $(, $other)*],
            size: $size,
            align: $align,
            fields: &[$($crate::Field { c: stringify!($c), offset: $offset, size: size_of::<$type>() }),*],
        }),*];
    };
}

/// Declares constants of the interface by their names in C.
macro_rules! constants {
    ($($type:ty { $($name:ident = $value:expr;)* })*) => {
        $($(
            #[allow(missing_docs, reason = "what it means stands in the header")]
            pub const $name: $type = $value;
        )*)*
        /// Every constant of the family: name and value.
        pub const CONSTANTS: &[(&str, i128)] = &[$($((stringify!($name), $name as i128)),*),*];
    };
}

/// Declares types that are not structs: a Rust name, its Rust type, and its C spelling. In the spelling of a
/// function pointer without a name of its own, `{}` is replaced by the argument's name.
macro_rules! types {
    ($($(#[$meta:meta])* type $name:ident = $rust:ty, $first:literal $(| $other:literal)*;)*) => {
        $($(#[$meta])* pub type $name = $rust;)*
        /// Every type of the family: the name here, and those in C.
        pub const TYPES: &[(&str, &[&str], usize)] =
            &[$((stringify!($name), &[$first $(, $other)*], size_of::<$rust>())),*];
    };
}

/// A reader of a table: the numbers of its symbols, and their descriptions in the same order.
macro_rules! describe {
    ($($header:literal in $($module:ident)::+ {
        $($operation:literal fn $name:ident($($argument:ident: $type:ty $(= $required:literal)?),* $(,)?)
            $(-> $result:ty $(, or $or:expr)?)?;)*
    })*) => {
        /// Number of symbols.
        pub const COUNT: usize = [$($(stringify!($name),)*)*].len();

        /// The number of each symbol, by its name.
        #[allow(missing_docs, non_camel_case_types, reason = "the names of the symbols")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Number { $($($name,)*)* }

        /// Every symbol, by its [`Number`].
        pub static SYMBOLS: &[$crate::Symbol] = &[$($($crate::Symbol {
            name: $crate::Name(stringify!($name), "", ""),
            symbols: &[$crate::Name(stringify!($name), "", "")],
            operation: $operation,
            header: $header,
            arguments: &[$($crate::Argument {
                name: stringify!($argument),
                rust: stringify!($type),
                required: concat!($($required)?),
            }),*],
            result: concat!($(stringify!($result))?),
            or: concat!($($(stringify!($or))?)?),
            element: "",
            doc: "",
        },)*)*];
    };
}

pub(crate) use {constants, describe, structs, types};
