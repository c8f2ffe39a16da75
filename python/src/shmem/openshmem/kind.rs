// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kinds of elements, and the types of C that functions are found by.

/// Type of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    BF16,
    F32,
    F64,
    LongDouble,
    ComplexF,
    ComplexD,
    LongComplex,
}

impl ElementKind {
    /// The kind of a number of NumPy's built-in types; none: it is not one that is copied between PEs.
    #[inline]
    pub(super) fn of_numpy(number: i32) -> Option<Self> {
        // C's integers by their width: char, short, int, long and long long.
        const KINDS: [ElementKind; 17] = [
            ElementKind::Bool,
            ElementKind::I8,
            ElementKind::U8,
            ElementKind::I16,
            ElementKind::U16,
            ElementKind::I32,
            ElementKind::U32,
            ElementKind::I64,
            ElementKind::U64,
            ElementKind::I64,
            ElementKind::U64,
            ElementKind::F32,
            ElementKind::F64,
            ElementKind::LongDouble,
            ElementKind::ComplexF,
            ElementKind::ComplexD,
            ElementKind::LongComplex,
        ];
        const HALF: i32 = 23;
        match usize::try_from(number) {
            Ok(index) if index < KINDS.len() => KINDS.get(index).copied(),
            _ => (number == HALF).then_some(Self::F16),
        }
    }

    /// The kind of a type of DLPack.
    pub(super) fn of_dlpack(code: u8, bits: u8, lanes: u16) -> Option<Self> {
        const INT: u8 = 0;
        const UINT: u8 = 1;
        const FLOAT: u8 = 2;
        const BFLOAT: u8 = 4;
        const COMPLEX: u8 = 5;
        const BOOL: u8 = 6;
        let kind = match (code, bits) {
            (INT, 8) => Self::I8,
            (INT, 16) => Self::I16,
            (INT, 32) => Self::I32,
            (INT, 64) => Self::I64,
            (UINT, 8) => Self::U8,
            (UINT, 16) => Self::U16,
            (UINT, 32) => Self::U32,
            (UINT, 64) => Self::U64,
            (FLOAT, 16) => Self::F16,
            (FLOAT, 32) => Self::F32,
            (FLOAT, 64) => Self::F64,
            (FLOAT, 128) => Self::LongDouble,
            (BFLOAT, 16) => Self::BF16,
            (COMPLEX, 64) => Self::ComplexF,
            (COMPLEX, 128) => Self::ComplexD,
            (BOOL, 8) => Self::Bool,
            _ => return None,
        };
        (lanes == 1).then_some(kind)
    }

    /// Bytes of an element.
    #[inline]
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 | Self::BF16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::ComplexF => 8,
            Self::LongDouble | Self::ComplexD => 16,
            Self::LongComplex => 32,
        }
    }

    /// Its name, as in the C functions if they support it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "int8",
            Self::U8 => "uint8",
            Self::I16 => "int16",
            Self::U16 => "uint16",
            Self::I32 => "int32",
            Self::U32 => "uint32",
            Self::I64 => "int64",
            Self::U64 => "uint64",
            Self::F16 => "half",
            Self::BF16 => "bfloat16",
            Self::F32 => "float",
            Self::F64 => "double",
            Self::LongDouble => "longdouble",
            Self::ComplexF => "complexf",
            Self::ComplexD => "complexd",
            Self::LongComplex => "longcomplex",
        }
    }
}

/// A type of C for which functions are found.
pub(super) trait Element: Copy {
    /// Its name in names of functions.
    const NAME: &'static str;
    /// Its place among the types.
    const PLACE: usize;
}

/// Number of types.
pub(super) const ELEMENTS: usize = 14;

macro_rules! elements {
    ($($place:literal $type:ty = $name:literal;)*) => { $(
        impl Element for $type {
            const NAME: &'static str = $name;
            const PLACE: usize = $place;
        }
        const _: () = assert!($place < ELEMENTS);
    )* };
}

elements! {
    0 () = "";
    1 i16 = "short";
    2 u16 = "ushort";
    3 i32 = "int32";
    4 u32 = "uint32";
    5 i64 = "int64";
    6 u64 = "uint64";
    7 f32 = "float";
    8 f64 = "double";
    9 [u8; 1] = "8";
    10 [u8; 2] = "16";
    11 [u8; 4] = "32";
    12 [u8; 8] = "64";
    13 [u8; 16] = "128";
}
