// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exported functions from rows.

/// What a failed call returns: what its row says after `or`, else what the type of the result says.
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
#[macro_export]
macro_rules! function {
    ([$($($link:tt)+)?] fn $name:ident = $body:expr; $family:ty, $calls:expr, $number:expr;
        $operation:literal ($($argument:ident: $type:ty $(= $required:literal)?),* $(,)?)
        $(-> $result:ty $(, or $or:expr)?)?) => {
        $(#[unsafe($($link)+)])?
        #[allow(non_snake_case, reason = "the names are those of the headers")]
        unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? {
            let body = || {
                $($(let $argument = $crate::present($operation, $required, $argument)?;)?)*
                // SAFETY: passed on to the caller, who keeps to what the header says about pointers.
                #[allow(unused_unsafe, reason = "some bodies trust their caller with nothing")]
                unsafe { $body($operation, $($argument),*) }
            };
            let result =
                $calls.call::<$family, _, _>($number, $operation, body, $crate::failed!($($($or)?)?));
            if $crate::is_traced() {
                // Copies, so that arguments stay in registers where nothing is logged.
                let returned = result;
                $calls.trace($number, &[$(&{ $argument }),*], &returned);
            }
            result
        }
    };
}

/// A reader of a table of type × operation ([`mf_abi::describe_typed!`] has the grammar): exports every
/// symbol of it. Meant for a module of its own, which gets `CALLS`, the table's counters.
///
/// `family`: a [`Family`](crate::Family) · `table`: the module with the table's descriptions · `bodies`: the
/// module with a function for each row, which is generic where the row says `<T>`.
#[macro_export]
macro_rules! export_typed {
    ({ family = $family:ty, table = $($table:ident)::+, bodies = $($bodies:ident)::+ $(,)? }
        $header:literal, types $types:tt rows { $($rows:tt)* }) => {
        $crate::export_typed! {
            @all typed { family = $family, table = $($table)::+, bodies = $($bodies)::+ } $types $($rows)*
        }
    };
    // How values are passed stands behind the step.
    (@all $how:ident { family = $family:ty, table = $($table:ident)::+, bodies = $($bodies:ident)::+ } $types:tt
        $($(#[doc = $doc:literal])* $before:literal T $after:literal as $($first:literal T $last:literal)|+
            = $signature:tt;)*
    ) => {
        use $($bodies)::+ as bodies;
        use $($table)::+ as table;

        /// How often each function was called.
        pub(crate) static CALLS: $crate::Calls<{ table::COUNT }> = $crate::Calls::new(table::SYMBOLS);

        $($crate::export_typed! { @types $how $types $family, [$(($first, $last))+] $signature })*
    };
    (@types $how:ident { $($element:ident $($name:literal)?: $type:ty = $c:literal),* $(,)? }
        $family:ty, $symbols:tt $signature:tt) => {
        $($crate::export_typed! {
            @symbols $how ($element $($name)?) $element, $type, $family, $symbols $signature
        })*
    };
    (@symbols $how:ident $name:tt $element:ident, $type:ty, $family:ty,
        [$(($first:literal, $last:literal))+] $signature:tt) => {
        $($crate::export_typed! { @one $how $name $element, $type, $family, $first, $last, $signature })+
    };
    (@one typed ($($name:tt)+) $element:ident, $type:ty, $family:ty, $first:literal, $last:literal, {
        $operation:literal fn $body:ident $(<$generic:ident>)? ($($arguments:tt)*) $(-> $result:ty $(, or $or:expr)?)?
    }) => {
        const _: () = {
            #[allow(dead_code, reason = "rows without types do not name it")]
            type T = $type;
            $crate::function! {
                [export_name = concat!($first, $crate::mf_abi::element!($($name)+), $last)] fn export
                    = bodies::$body$(::<$generic>)?;
                $family, CALLS, (table::Row::$body as usize * table::ELEMENTS + table::Element::$element as usize);
                $operation ($($arguments)*) $(-> $result $(, or $or)?)?
            }
        };
    };
    (@one long_double ($($name:tt)+) $element:ident, $type:ty, $family:ty, $first:literal, $last:literal, {
        $operation:literal fn $body:ident $($signature:tt)*
    }) => {
        const _: () = {
            type T = $type;
            $crate::export_long_double! {
                @one $family, (table::Row::$body as usize * table::ELEMENTS + table::Element::$element as usize);
                [export_name = concat!($first, $crate::mf_abi::element!($($name)+), $last)],
                { $operation fn $body $($signature)* }
            }
        };
    };
}
