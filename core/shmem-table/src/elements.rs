// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Element types, and the lists of types for each operation.

/// A type of elements.
#[derive(Debug, PartialEq, Eq)]
pub struct Element {
    /// Its name in the names of functions.
    pub name: &'static str,
    /// Its spelling in C.
    pub c: &'static str,
    /// Its spelling in Rust.
    pub rust: &'static str,
    /// The first element with the same type in C, on machines where `long` and pointers have 64 bits: a
    /// selection by type must name each type once.
    pub same_as: &'static str,
}

const fn element(name: &'static str, c: &'static str, rust: &'static str, same_as: &'static str) -> Element {
    Element { name, c, rust, same_as }
}

/// Every element type of both worlds.
pub static ELEMENTS: &[Element] = &[
    element("float", "float", "f32", "float"),
    element("double", "double", "f64", "double"),
    element("longdouble", "long double", "LongDouble", "longdouble"),
    element("char", "char", "c_char", "char"),
    element("schar", "signed char", "i8", "schar"),
    element("short", "short", "i16", "short"),
    element("int", "int", "c_int", "int"),
    element("long", "long", "c_long", "long"),
    element("longlong", "long long", "i64", "longlong"),
    element("uchar", "unsigned char", "u8", "uchar"),
    element("ushort", "unsigned short", "u16", "ushort"),
    element("uint", "unsigned int", "u32", "uint"),
    element("ulong", "unsigned long", "c_ulong", "ulong"),
    element("ulonglong", "unsigned long long", "u64", "ulonglong"),
    element("int8", "int8_t", "i8", "schar"),
    element("int16", "int16_t", "i16", "short"),
    element("int32", "int32_t", "i32", "int"),
    element("int64", "int64_t", "i64", "long"),
    element("uint8", "uint8_t", "u8", "uchar"),
    element("uint16", "uint16_t", "u16", "ushort"),
    element("uint32", "uint32_t", "u32", "uint"),
    element("uint64", "uint64_t", "u64", "ulong"),
    element("size", "size_t", "usize", "ulong"),
    element("ptrdiff", "ptrdiff_t", "isize", "long"),
    // By a name of the header: the spelling of C is an extension in C++.
    element("complexd", "mf_shmem_complexd", "[f64; 2]", "complexd"),
    element("complexf", "mf_shmem_complexf", "[f32; 2]", "complexf"),
    // Elements of so many bits.
    element("8", "void", "[u8; 1]", "8"),
    element("16", "void", "[u8; 2]", "16"),
    element("32", "void", "[u8; 4]", "32"),
    element("64", "void", "[u8; 8]", "64"),
    element("128", "void", "[u8; 16]", "128"),
];

/// A list of element types: their names, in parts that lists share.
pub type Elements = &'static [&'static str];

const STANDARD: &str = "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff";
const EXACT: &str = "int8 int16 int32 int64 uint8 uint16 uint32 uint64";
const ORDERED: &str = "char schar short int long longlong ptrdiff uchar ushort uint ulong ulonglong";

/// Elements of remote memory access and collectives.
pub const RMA: Elements = &["float double longdouble", ORDERED, EXACT, "size"];
/// Integers that are words: atomics with arithmetic, waits.
pub const WORDS: Elements = &[STANDARD];
/// Atomics that only move values.
pub const MOVED: Elements = &[STANDARD, "float double"];
/// Atomics on bits.
pub const BITWISE: Elements = &["uint ulong ulonglong int32 int64 uint32 uint64"];
/// Reductions on bits.
pub const REDUCE_BITS: Elements = &["uchar ushort uint ulong ulonglong", EXACT, "size"];
/// Reductions by order.
pub const REDUCE_ORDER: Elements = RMA;
/// Reductions and scans by arithmetic.
pub const REDUCE_NUMBERS: Elements =
    &["float double longdouble", ORDERED, EXACT, "size", "complexd complexf"];
/// Sizes in bits.
pub const BITS: Elements = &["8 16 32 64 128"];
/// Old collectives: sizes in bits.
pub const OLD_BITS: Elements = &["32 64"];
/// Old integers.
pub const OLD_INTEGERS: Elements = &["short int long longlong"];
/// Old reductions by order.
pub const OLD_ORDER: Elements = &["short int long longlong float double longdouble"];
/// Old reductions by arithmetic.
pub const OLD_NUMBERS: Elements = &["short int long longlong float double longdouble complexd complexf"];
/// Old atomics with arithmetic.
pub const OLD_WORDS: Elements = &["int long longlong"];
/// Old atomics that only move values.
pub const OLD_MOVED: Elements = &["int long longlong float double"];
/// Words that old atomics take in other libraries, and not in the standard.
pub const OTHER_WORDS: Elements = &["uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff"];
/// Short integers, which only old waits take.
pub const OLD_SHORT: Elements = &["short ushort"];
/// Elements of CANN's typed functions.
pub const CANN: Elements = &["float double", EXACT, "char"];
/// Elements of CANN's waits and tests.
pub const CANN_WAIT: Elements = &["float", EXACT, "char"];

/// Returns the elements of a list. An unknown name is skipped; the counts would show it.
pub fn of(list: Elements) -> impl Iterator<Item = &'static Element> {
    let names = list.iter().flat_map(|part| part.split_whitespace());
    names.filter_map(|name| ELEMENTS.iter().find(|element| element.name == name))
}
