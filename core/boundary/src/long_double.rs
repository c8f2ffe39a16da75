// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Entries of functions that take or return a `long double` by value, for which Rust has no type.
//!
//! The wrapper of such a row takes the address of the value in its place, or one more argument, the place for
//! the result. The symbol is an entry of a few instructions around it:
//!
//! | | x86-64, System V | AArch64 |
//! |---|---|---|
//! | argument | 16 bytes on the stack, after the return address | the first vector register |
//! | result | 80 bits on the x87 stack | the first vector register |
//!
//! The value takes no integer register, so later arguments move up by one to make place for the address.

/// A symbol around a wrapper: moves the address of the value, or of the result, to its place.
#[doc(hidden)]
#[macro_export]
macro_rules! long_double_entry {
    (argument [$($link:tt)+], $($x86:literal)+, $($arm:literal)+) => {
        #[cfg(target_arch = "x86_64")]
        #[unsafe($($link)+)]
        #[unsafe(naked)]
        unsafe extern "C" fn entry() {
            // The value stays where it is until the caller goes on.
            ::std::arch::naked_asm!(
                ".cfi_startproc",
                $($x86,)+
                "jmp {wrapper}",
                ".cfi_endproc",
                wrapper = sym wrapper,
            )
        }

        #[cfg(target_arch = "aarch64")]
        #[unsafe($($link)+)]
        #[unsafe(naked)]
        unsafe extern "C" fn entry() {
            ::std::arch::naked_asm!(
                ".cfi_startproc",
                "stp x29, x30, [sp, #-32]!",
                ".cfi_adjust_cfa_offset 32",
                ".cfi_rel_offset x29, 0",
                ".cfi_rel_offset x30, 8",
                "mov x29, sp",
                "str q0, [sp, #16]",
                $($arm,)+
                "bl {wrapper}",
                "ldp x29, x30, [sp], #32",
                ".cfi_restore x29",
                ".cfi_restore x30",
                ".cfi_adjust_cfa_offset -32",
                "ret",
                ".cfi_endproc",
                wrapper = sym wrapper,
            )
        }
    };
    (result [$($link:tt)+], $x86:literal, $arm:literal) => {
        #[cfg(target_arch = "x86_64")]
        #[unsafe($($link)+)]
        #[unsafe(naked)]
        unsafe extern "C" fn entry() {
            ::std::arch::naked_asm!(
                ".cfi_startproc",
                "sub rsp, 24",
                ".cfi_adjust_cfa_offset 24",
                $x86,
                "call {wrapper}",
                "fld tbyte ptr [rsp]",
                "add rsp, 24",
                ".cfi_adjust_cfa_offset -24",
                "ret",
                ".cfi_endproc",
                wrapper = sym wrapper,
            )
        }

        #[cfg(target_arch = "aarch64")]
        #[unsafe($($link)+)]
        #[unsafe(naked)]
        unsafe extern "C" fn entry() {
            ::std::arch::naked_asm!(
                ".cfi_startproc",
                "stp x29, x30, [sp, #-32]!",
                ".cfi_adjust_cfa_offset 32",
                ".cfi_rel_offset x29, 0",
                ".cfi_rel_offset x30, 8",
                "mov x29, sp",
                $arm,
                "bl {wrapper}",
                "ldr q0, [sp, #16]",
                "ldp x29, x30, [sp], #32",
                ".cfi_restore x29",
                ".cfi_restore x30",
                ".cfi_adjust_cfa_offset -32",
                "ret",
                ".cfi_endproc",
                wrapper = sym wrapper,
            )
        }
    };
}

/// A reader of a table like [`export_typed!`](crate::export_typed) with [`LongDouble`](mf_abi::LongDouble) as
/// its only element and rows that take or return it by value. Of these forms:
///
/// ```text
/// fn p<T>(dest: *mut T, value: T, pe: c_int) …             the value is called so
/// fn p<T>(ctx: Context, dest: *mut T, value: T, pe: c_int) …
/// fn g<T>(source: *const T, pe: c_int) -> T, or …
/// fn g<T>(ctx: Context, source: *const T, pe: c_int) -> T, or …
/// ```
#[macro_export]
macro_rules! export_long_double {
    ({ family = $family:ty, table = $($table:ident)::+, bodies = $($bodies:ident)::+
        $(, operations = $operations:ident)? $(,)? } $header:literal, types $types:tt rows { $($rows:tt)* }) => {
        $crate::export_typed! {
            @all long_double { $family, $($table)::+, $($bodies)::+, [$($operations)?] } $types $($rows)*
        }
    };
    (@one $family:ty, $number:expr; $link:tt, {
        $operation:tt fn $body:ident<T>($first:ident: $first_type:ty $(= $required:literal)?, value: T,
            $last:ident: c_int $(,)?) $(-> $result:ty $(, or $or:expr)?)?
    }) => {
        $crate::function! {
            [] fn wrapper = |op, first, value: *const T, last| bodies::$body::<T>(op, first, value.read(), last);
            $family, CALLS, $number;
            $operation ($first: $first_type $(= $required)?, value: *const T, $last: c_int)
                $(-> $result $(, or $or)?)?
        }
        $crate::long_double_entry! {
            argument $link, "mov edx, esi" "lea rsi, [rsp + 8]", "mov w2, w1" "add x1, sp, #16"
        }
    };
    (@one $family:ty, $number:expr; $link:tt, {
        $operation:tt fn $body:ident<T>($first:ident: $first_type:ty $(= $required:literal)?,
            $second:ident: $second_type:ty $(= $also_required:literal)?, value: T,
            $last:ident: c_int $(,)?) $(-> $result:ty $(, or $or:expr)?)?
    }) => {
        $crate::function! {
            [] fn wrapper = |op, first, second, value: *const T, last| {
                bodies::$body::<T>(op, first, second, value.read(), last)
            };
            $family, CALLS, $number;
            $operation ($first: $first_type $(= $required)?, $second: $second_type $(= $also_required)?,
                value: *const T, $last: c_int) $(-> $result $(, or $or)?)?
        }
        $crate::long_double_entry! {
            argument $link, "mov ecx, edx" "lea rdx, [rsp + 8]", "mov w3, w2" "add x2, sp, #16"
        }
    };
    (@one $family:ty, $number:expr; $link:tt, {
        $operation:tt fn $body:ident<T>($first:ident: $first_type:ty $(= $required:literal)?,
            $last:ident: c_int $(,)?) -> T, or $or:expr
    }) => {
        $crate::function! {
            [] fn returning = |op, first, last, place: *mut T| {
                bodies::$body::<T>(op, first, last).map(|value| place.write(value))
            };
            $family, CALLS, $number;
            $operation ($first: $first_type $(= $required)?, $last: c_int, place: *mut T)
        }
        unsafe extern "C" fn wrapper($first: $first_type, $last: c_int, place: *mut T) {
            // SAFETY: the entry passes a place of its frame, the rest comes from its caller.
            unsafe { place.write($or) };
            // SAFETY: `place` is in the frame of the entry, and the other arguments are its caller's.
            unsafe { returning($first, $last, place) }
        }
        $crate::long_double_entry! { result $link, "mov rdx, rsp", "add x2, sp, #16" }
    };
    (@one $family:ty, $number:expr; $link:tt, {
        $operation:tt fn $body:ident<T>($first:ident: $first_type:ty $(= $required:literal)?,
            $second:ident: $second_type:ty $(= $also_required:literal)?, $last:ident: c_int $(,)?) -> T, or $or:expr
    }) => {
        $crate::function! {
            [] fn returning = |op, first, second, last, place: *mut T| {
                bodies::$body::<T>(op, first, second, last).map(|value| place.write(value))
            };
            $family, CALLS, $number;
            $operation ($first: $first_type $(= $required)?, $second: $second_type $(= $also_required)?,
                $last: c_int, place: *mut T)
        }
        unsafe extern "C" fn wrapper(
            $first: $first_type, $second: $second_type, $last: c_int, place: *mut T,
        ) {
            // SAFETY: the entry passes a place of its frame, the rest comes from its caller.
            unsafe { place.write($or) };
            // SAFETY: `place` is in the frame of the entry, and the other arguments are its caller's.
            unsafe { returning($first, $second, $last, place) }
        }
        $crate::long_double_entry! { result $link, "mov rcx, rsp", "add x3, sp, #16" }
    };
}
