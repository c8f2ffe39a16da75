// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handles of all libraries, as copyable values. Ending one is unsafe, using one is not.

use crate::raw::types::*;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident($raw:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $name($raw);

        impl $name {
            /// Takes a handle that came from elsewhere.
            ///
            /// # Safety
            /// The handle is alive, and the caller that ends it makes sure that this one is not used again.
            pub const unsafe fn from_raw(raw: $raw) -> Self {
                Self(raw)
            }

            pub(crate) const fn new(raw: $raw) -> Self {
                Self(raw)
            }

            /// The handle as C has it.
            pub const fn as_raw(self) -> $raw {
                self.0
            }
        }

        // SAFETY: CANN takes handles from any thread; which device a thread has set is checked by CANN at
        // each call.
        unsafe impl Send for $name {}
        // SAFETY: a handle is a plain value; nothing is read through it on this side.
        unsafe impl Sync for $name {}

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({:p})"), self.0)
            }
        }
    )*};
}
pub(crate) use handles;

handles! {
    /// A context of a device.
    Context(aclrtContext);
    /// A queue of tasks of a device.
    Stream(aclrtStream);
    /// A mark in a stream.
    Event(aclrtEvent);
    /// A binary flag between streams, devices and processes.
    Notify(aclrtNotify);
    /// Physical memory.
    Physical(aclrtDrvMemHandle);
    /// A loaded kernel binary.
    Binary(aclrtBinHandle);
    /// A kernel.
    Function(aclrtFuncHandle);
}

impl Stream {
    /// The default stream of the context that is current where the stream is used.
    pub const DEFAULT: Stream = Stream(std::ptr::null_mut());
}
