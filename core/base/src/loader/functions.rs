// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A table of functions of a foreign library.

/// Declares a struct of typed function pointers: plain ones for `required`, `Option`s for `optional`. It has
/// `REQUIRED` and `OPTIONAL`, the names for [`LibrarySpec`](crate::loader::LibrarySpec), and `resolve`, which
/// takes them from a [`Loaded`](crate::loader::Loaded) library. The types must match the declarations in the
/// library's header.
///
/// ```
/// use std::ffi::c_int;
/// mf_base::functions! {
///     /// Used functions of the C library.
///     pub struct C {
///         required { abs: fn(c_int) -> c_int; }
///         optional { no_such_function: fn(); }
///     }
/// }
/// # use mf_base::loader::{Candidate, LibrarySpec, Report};
/// let wanted = LibrarySpec {
///     candidates: vec![Candidate::system("libc.so.6")],
///     required: C::REQUIRED.iter().copied().map(Into::into).collect(),
///     optional: C::OPTIONAL.to_vec(),
///     ..LibrarySpec::new("libc", "libc6")
/// };
/// let c = C::resolve(&wanted.open(&mut Report::default())?)?;
/// // SAFETY: takes any number but the smallest.
/// assert_eq!(unsafe { (c.abs)(-7) }, 7);
/// assert!(c.no_such_function.is_none());
/// # Ok::<(), mf_base::loader::LoadError>(())
/// ```
#[macro_export]
macro_rules! functions {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $table:ident {
            required { $($name:ident: fn($($argument:ty),* $(,)?) $(-> $result:ty)?;)* }
            $(optional { $($other:ident: fn($($taken:ty),* $(,)?) $(-> $given:ty)?;)* })?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "functions are documented where they are made")]
        $visibility struct $table {
            $($visibility $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            $($($visibility $other: Option<unsafe extern "C" fn($($taken),*) $(-> $given)?>,)*)?
        }

        impl $table {
            /// Functions without which the library is not used.
            $visibility const REQUIRED: &[&str] = &[$(stringify!($name)),*];
            /// Functions that are used when they are there.
            #[allow(dead_code, reason = "not every table has such")]
            $visibility const OPTIONAL: &[&str] = &[$($(stringify!($other)),*)?];

            /// Takes the functions from a library.
            ///
            /// # Errors
            /// `MissingSymbol` names the first required one that is not there.
            $visibility fn resolve(
                loaded: &$crate::loader::Loaded,
            ) -> ::std::result::Result<Self, $crate::loader::LoadError> {
                Ok(Self {
                    $($name: {
                        // SAFETY: the type is the function's declaration in the public header.
                        let function = unsafe {
                            loaded.function::<unsafe extern "C" fn($($argument),*) $(-> $result)?>(stringify!($name))
                        };
                        function.ok_or_else(|| loaded.lacks(stringify!($name)))?
                    },)*
                    $($($other: {
                        // SAFETY: a function that may be absent has the type of its declaration in the public
                        // header, too.
                        unsafe { loaded.function::<unsafe extern "C" fn($($taken),*) $(-> $given)?>(stringify!($other)) }
                    },)*)?
                })
            }
        }
    };
}
