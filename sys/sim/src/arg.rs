// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arguments of exported functions as traces and error texts render them.

/// An argument as it appears in traces and error texts.
#[derive(Clone, Debug)]
pub enum Arg {
    /// An address or a handle.
    Pointer(usize),
    /// A number.
    Number(i128),
    /// A structure that was passed by value.
    Opaque,
}

impl<T> From<*const T> for Arg {
    fn from(pointer: *const T) -> Self {
        Self::Pointer(pointer.addr())
    }
}
impl<T> From<*mut T> for Arg {
    fn from(pointer: *mut T) -> Self {
        Self::Pointer(pointer.addr())
    }
}
macro_rules! numbers {
    ($($number:ty)*) => { $(impl From<$number> for Arg {
        fn from(number: $number) -> Self { Self::Number(number as i128) }
    })* };
}
numbers!(u8 u16 u32 u64 usize i32 i64 bool);
