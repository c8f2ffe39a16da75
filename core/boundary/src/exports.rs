// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exported functions from rows.

/// Result of a failed call: the value after `or` in its row, else the default of the result's type.
#[doc(hidden)]
#[macro_export]
macro_rules! failed {
    () => {
        $crate::Failed::with_code
    };
    ($or:expr) => {
        |_| $or
    };
}

/// One exported function: how it is linked, its name here, body, family, counters and number; then its row
/// from the operation on, without the name.
///
/// `fast_paths`, before the body: two functions of the row's arguments that return what the call returns, or
/// `None`. The first comes first; it calls no other function, cannot panic and counts the call itself. The
/// second comes before the body, gets the counters and the number as well, and cannot panic either. All else
/// is apart, so that the first needs no place for it on the stack.
#[macro_export]
macro_rules! function {
    ([$($link:tt)+] fn $name:ident = fast_paths $cached:expr, $fast:expr, $body:expr; $family:ty, $calls:expr, $number:expr;
        $operation:tt ($($argument:ident: $type:ty),* $(,)?) -> $result:ty) => {
        const _: () = {
            $crate::function! {
                #[cold] #[inline(never)] [] fn slow_path = $body; $family, $calls, $number;
                $operation ($($argument: $type),*) -> $result
            }

            #[cold]
            #[inline(never)]
            unsafe extern "C" fn not_cached($($argument: $type),*) -> $result {
                if !$crate::is_traced() {
                    // SAFETY: the caller passes pointers as the header requires, and they are passed on
                    // unchanged.
                    if let Some(done) = unsafe { $fast(&$calls, $number, $($argument),*) } {
                        return done;
                    }
                }
                // SAFETY: the arguments of the caller, unchanged, and `slow_path` has the contract of the
                // wrapper.
                unsafe { slow_path($($argument),*) }
            }

            #[unsafe($($link)+)]
            #[allow(non_snake_case, reason = "the names are those of the headers")]
            unsafe extern "C" fn $name($($argument: $type),*) -> $result {
                if !$crate::may_be_traced() {
                    // SAFETY: the arguments of the caller, unchanged, which the fast path reads as the body
                    // does.
                    if let Some(done) = unsafe { $cached($($argument),*) } {
                        return done;
                    }
                }
                // SAFETY: the arguments of the caller, unchanged; `not_cached` has the contract of the
                // wrapper.
                unsafe { not_cached($($argument),*) }
            }
        };
    };
    ($(#[$attribute:meta])* [$($($link:tt)+)?] fn $name:ident = $body:expr; $family:ty, $calls:expr, $number:expr;
        $operation:tt ($($argument:ident: $type:ty $(= $required:literal)?),* $(,)?)
        $(-> $result:ty $(, or $or:expr)?)?) => {
        $(#[$attribute])*
        $(#[unsafe($($link)+)])?
        #[allow(non_snake_case, reason = "the names are those of the headers")]
        unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? {
            let body = || {
                $($(let $argument = $crate::present($operation, $required, $argument)?;)?)*
                // SAFETY: the caller passes pointers as the header requires, and they are passed on
                // unchanged.
                #[allow(unused_unsafe, reason = "some bodies trust their caller with nothing")]
                unsafe { $body($operation, $($argument),*) }
            };
            let result =
                $calls.call::<$family, _, _>($number, $operation, body, $crate::failed!($($($or)?)?));
            if $crate::is_traced() {
                // Copies, so that arguments stay in registers where nothing is logged.
                let returned = result;
                $calls.trace($number, &($({ $argument },)*), &returned);
            }
            result
        }
    };
}

/// A symbol that is one jump to a function of this library.
///
/// Other libraries may replace an exported symbol, so no symbol may lead to another one: what equal functions
/// would be folded into is a function that has no symbol.
#[doc(hidden)]
#[macro_export]
macro_rules! jump {
    ([$($link:tt)+] $target:ident) => {
        const _: () = {
            #[cfg(target_arch = "x86_64")]
            #[unsafe($($link)+)]
            #[unsafe(naked)]
            unsafe extern "C" fn entry() {
                ::std::arch::naked_asm!("jmp {target}", target = sym $target)
            }

            #[cfg(target_arch = "aarch64")]
            #[unsafe($($link)+)]
            #[unsafe(naked)]
            unsafe extern "C" fn entry() {
                ::std::arch::naked_asm!("b {target}", target = sym $target)
            }
        };
    };
}

/// Prefix of a function's errors: the operation of its row, or its name in the header.
#[doc(hidden)]
#[macro_export]
macro_rules! operation {
    ([] $operation:literal $($name:tt)+) => {
        $operation
    };
    ([names] $operation:literal $before:literal ($($element:tt)+) $after:literal) => {
        concat!($before, $crate::mf_abi::element!($($element)+), $after)
    };
}

/// A reader of a table of type × operation ([`mf_abi::describe_typed!`] has the grammar): exports every
/// symbol of it. Meant for a module of its own, which gets `CALLS`, the table's counters.
///
/// `family`: a [`Family`](crate::Family) · `table`: the module with the table's descriptions · `bodies`:
/// the module with a function for each row, generic if the row has `<T>` · `operations = names`: errors
/// begin with the name of the function, instead of the operation of its row · `fast_path`, after it: a
/// module with a fast path of each row, a function of its arguments that returns the call's result, or
/// `None`; it comes first, and is not counted, logged or guarded.
///
/// Each row is one function for each type, to which its symbols jump.
#[macro_export]
macro_rules! export_typed {
    ({ family = $family:ty, table = $($table:ident)::+, bodies = $($bodies:ident)::+
        $(, operations = $operations:ident)? $(,)? } $header:literal, types $types:tt rows { $($rows:tt)* }) => {
        $crate::export_typed! {
            @all typed { $family, $($table)::+, $($bodies)::+, [$($operations)?] } $types $($rows)*
        }
    };
    ({ family = $family:ty, table = $($table:ident)::+, bodies = $($bodies:ident)::+,
        operations = $operations:ident, fast_path = $($fast:ident)::+ $(,)? }
        $header:literal, types $types:tt rows { $($rows:tt)* }) => {
        use $($fast)::+ as fast_path;
        $crate::export_typed! {
            @all fast_path { $family, $($table)::+, $($bodies)::+, [$operations] } $types $($rows)*
        }
    };
    // The step decides how values are passed.
    (@all $how:ident { $family:ty, $($table:ident)::+, $($bodies:ident)::+, $operations:tt } $types:tt
        $($(#[doc = $doc:literal])* $before:literal T $after:literal as $($first:literal T $last:literal)|+
            = $signature:tt;)*
    ) => {
        use $($bodies)::+ as bodies;
        use $($table)::+ as table;

        /// Counters of each function's calls.
        pub(crate) static CALLS: $crate::Calls<{ table::COUNT }> = $crate::Calls::new(table::SYMBOLS);

        $($crate::export_typed! {
            @types $how $types $family, ($operations $before $after) [$(($first $last))+] $signature
        })*
    };
    (@types $how:ident { $($element:ident $($name:literal)?: $type:ty = $c:literal),* $(,)? }
        $family:ty, $names:tt $symbols:tt $signature:tt) => {
        $($crate::export_typed! {
            @one $how ($element $($name)?) $element, $type, $family, $names $symbols $signature
        })*
    };
    (@one typed $name:tt $element:ident, $type:ty, $family:ty, ($operations:tt $before:literal $after:literal)
        [$(($first:literal $last:literal))+] {
        $operation:literal fn $body:ident $(<$generic:ident>)? ($($arguments:tt)*) $(-> $result:ty $(, or $or:expr)?)?
    }) => {
        const _: () = {
            #[allow(dead_code, reason = "rows without types do not name it")]
            type T = $type;
            $crate::function! {
                [] fn wrapper = bodies::$body$(::<$generic>)?;
                $family, CALLS, (table::Row::$body as usize * table::ELEMENTS + table::Element::$element as usize);
                { $crate::operation!($operations $operation $before $name $after) }
                ($($arguments)*) $(-> $result $(, or $or)?)?
            }
            $($crate::export_typed! { @jump $name $first $last })+
        };
    };
    (@one fast_path $name:tt $element:ident, $type:ty, $family:ty, ($operations:tt $before:literal $after:literal)
        [$(($first:literal $last:literal))+] {
        $operation:literal fn $body:ident $(<$generic:ident>)? ($($argument:ident: $argument_type:ty),* $(,)?)
            $(-> $result:ty $(, or $or:expr)?)?
    }) => {
        const _: () = {
            #[allow(dead_code, reason = "rows without types do not name it")]
            type T = $type;
            /// Out of line, so that the fast path needs no place for it on the stack; the code around the
            /// body is shared, as there are thousands of these.
            #[cold]
            #[inline(never)]
            #[allow(non_snake_case, reason = "the names are those of the headers")]
            unsafe extern "C" fn slow_path($($argument: $argument_type),*) $(-> $result)? {
                const OPERATION: &str = $crate::operation!($operations $operation $before $name $after);
                CALLS.call_shared::<$family, _, _>(
                    table::Row::$body as usize * table::ELEMENTS + table::Element::$element as usize,
                    OPERATION,
                    &($($argument,)*),
                    |arguments| {
                        // SAFETY: those above, which live through the call.
                        let ($($argument,)*) = unsafe { *arguments.cast::<($($argument_type,)*)>() };
                        // SAFETY: the caller passes pointers as the header requires, and they are passed on
                        // unchanged.
                        #[allow(unused_unsafe, reason = "some bodies trust their caller with nothing")]
                        unsafe { bodies::$body$(::<$generic>)?(OPERATION, $($argument),*) }
                    },
                    $crate::failed!($($($or)?)?),
                )
            }
            #[allow(non_snake_case, reason = "as above")]
            unsafe extern "C" fn wrapper($($argument: $argument_type),*) $(-> $result)? {
                // SAFETY: the caller passes pointers as the header requires, which the fast path reads as the
                // body does.
                #[allow(unused_unsafe, reason = "some trust their caller with nothing")]
                match unsafe { fast_path::$body$(::<$generic>)?($($argument),*) } {
                    Some(done) => done,
                    // SAFETY: the arguments of the caller, unchanged, and `slow_path` has the contract of the
                    // wrapper.
                    None => unsafe { slow_path($($argument),*) },
                }
            }
            $($crate::export_typed! { @jump $name $first $last })+
        };
    };
    (@jump ($($name:tt)+) $first:literal $last:literal) => {
        $crate::jump! { [export_name = concat!($first, $crate::mf_abi::element!($($name)+), $last)] wrapper }
    };
    (@one long_double $name:tt $element:ident, $type:ty, $family:ty, $names:tt
        [$(($first:literal $last:literal))+] $row:tt) => {
        $($crate::export_typed! {
            @long_double $name $element, $type, $family, $names $first $last $row
        })+
    };
    (@long_double ($($name:tt)+) $element:ident, $type:ty, $family:ty,
        ($operations:tt $before:literal $after:literal) $first:literal $last:literal
        { $operation:literal fn $body:ident $($signature:tt)* }) => {
        const _: () = {
            type T = $type;
            $crate::export_long_double! {
                @one $family, (table::Row::$body as usize * table::ELEMENTS + table::Element::$element as usize);
                [export_name = concat!($first, $crate::mf_abi::element!($($name)+), $last)],
                {
                    { $crate::operation!($operations $operation $before ($($name)+) $after) }
                    fn $body $($signature)*
                }
            }
        };
    };
}
