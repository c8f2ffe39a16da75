// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Callers of a flat table of symbols.

/// A reader of a flat table: typed pointers to its functions in a loaded library. Meant for a module of its
/// own, in which the types of the rows are known.
#[macro_export]
macro_rules! functions {
    ($($header:literal in $($module:ident)::+ {
        $($operation:literal fn $name:ident($($argument:ident: $type:ty $(= $required:literal)?),* $(,)?)
            $(-> $result:ty $(, or $or:expr)?)?;)*
    })*) => {
        /// The functions of the table; each field has the C name.
        #[allow(missing_docs, dead_code, reason = "the names of the rows, of which not all are called")]
        pub struct Functions {
            $($(pub $name: unsafe extern "C" fn($($type),*) $(-> $result)?,)*)*
        }

        impl Functions {
            /// Resolves every function by `find`, or returns the names that are missing.
            ///
            /// # Safety
            /// `find` returns addresses of functions that were made from these rows.
            pub unsafe fn resolve(
                find: impl Fn(&str) -> Option<::std::ptr::NonNull<::std::ffi::c_void>>,
            ) -> Result<Self, Vec<&'static str>> {
                let mut missing = Vec::new();
                $($(let $name = find(stringify!($name)).or_else(|| {
                    missing.push(stringify!($name));
                    None
                });)*)*
                let all = || {
                    Some(Self {
                        $($($name: {
                            let address = $name?.as_ptr();
                            // SAFETY: the caller vouches for the library, which made this function from this
                            // row.
                            unsafe { ::std::mem::transmute::<*mut ::std::ffi::c_void,
                                unsafe extern "C" fn($($type),*) $(-> $result)?>(address) }
                        },)*)*
                    })
                };
                all().ok_or(missing)
            }
        }
    };
}
