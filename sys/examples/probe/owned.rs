// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RAII owners of the probes' CANN objects.
//!
//! Nothing can be done about a call that fails there: the process ends with the probe.

use std::ffi::c_void;
use std::time::Duration;

use ascend_acl_sys::Acl;
use ascend_acl_sys::acl::{Event, Notify, Physical, Stream};
use ascend_acl_sys::raw::types::{ACL_MEM_MALLOC_NORMAL_ONLY, aclrtEvent, aclrtPhysicalMemProp};

use crate::cann::Cann;
use crate::rule::Stop;

/// Bytes of the pages in which addresses and physical memory come.
pub(crate) const STEP: usize = 2 << 20;

macro_rules! owned {
    ($($(#[$doc:meta])* $name:ident($handle:ty) = $end:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name<'a> {
            acl: &'a Acl,
            pub(crate) it: $handle,
        }

        impl Drop for $name<'_> {
            fn drop(&mut self) {
                // SAFETY: the probe that owns it is done with it, and waited for the streams that use it.
                let _ = unsafe { self.acl.$end(self.it) };
            }
        }
    )*};
}

owned! {
    /// Memory of the device.
    DeviceMemory(*mut c_void) = free;
    /// Pinned memory of the host.
    PinnedMemory(*mut c_void) = free_host;
    /// A stream, ended with all that is queued.
    OwnStream(Stream) = destroy_stream_force;
    /// An event.
    OwnEvent(Event) = destroy_event;
    /// A notify.
    OwnNotify(Notify) = destroy_notify;
    /// Reserved addresses.
    Reservation(*mut c_void) = release;
    /// Physical memory.
    OwnPhysical(Physical) = free_physical;
    /// A mapping.
    Mapping(*mut c_void) = unmap;
}

impl Cann {
    pub(crate) fn memory(&self, bytes: usize) -> Result<DeviceMemory<'_>, Stop> {
        Ok(DeviceMemory { it: self.acl().malloc(bytes, ACL_MEM_MALLOC_NORMAL_ONLY)?, acl: self.acl() })
    }

    pub(crate) fn pinned(&self, bytes: usize) -> Result<PinnedMemory<'_>, Stop> {
        Ok(PinnedMemory { it: self.acl().malloc_host(bytes)?, acl: self.acl() })
    }

    pub(crate) fn stream(&self) -> Result<OwnStream<'_>, Stop> {
        Ok(OwnStream { it: self.acl().create_stream()?, acl: self.acl() })
    }

    pub(crate) fn event(&self, flags: u32) -> Result<OwnEvent<'_>, Stop> {
        Ok(OwnEvent { it: self.acl().create_event(flags)?, acl: self.acl() })
    }

    pub(crate) fn reusable_event(&self, flags: u32) -> Result<OwnEvent<'_>, Stop> {
        Ok(OwnEvent { it: self.acl().create_reusable_event(flags)?, acl: self.acl() })
    }

    pub(crate) fn notify(&self) -> Result<OwnNotify<'_>, Stop> {
        Ok(OwnNotify { it: self.acl().create_notify()?, acl: self.acl() })
    }

    pub(crate) fn reservation(&self, bytes: usize) -> Result<Reservation<'_>, Stop> {
        Ok(Reservation { it: self.acl().reserve(bytes, std::ptr::null_mut(), 0)?, acl: self.acl() })
    }

    pub(crate) fn blocks(
        &self,
        bytes: usize,
        wanted: &aclrtPhysicalMemProp,
    ) -> Result<OwnPhysical<'_>, Stop> {
        Ok(OwnPhysical { it: self.acl().malloc_physical(bytes, wanted)?, acl: self.acl() })
    }

    /// Maps blocks at the start of a reservation of the same size.
    pub(crate) fn mapping<'a>(
        &'a self,
        at: &Reservation<'_>,
        bytes: usize,
        blocks: &OwnPhysical<'_>,
    ) -> Result<Mapping<'a>, Stop> {
        // SAFETY: the probe reserved these addresses, and no other code uses them.
        unsafe { self.acl().map(at.it, bytes, blocks.it) }?;
        Ok(Mapping { it: at.it, acl: self.acl() })
    }

    /// Takes ownership of an event created by a direct call.
    pub(crate) fn own_event(&self, event: aclrtEvent) -> OwnEvent<'_> {
        // SAFETY: the caller has just made it, and hands it over.
        OwnEvent { it: unsafe { Event::from_raw(event) }, acl: self.acl() }
    }

    /// As above.
    pub(crate) fn own_physical(&self, it: Physical) -> OwnPhysical<'_> {
        OwnPhysical { it, acl: self.acl() }
    }

    /// As above.
    pub(crate) fn own_notify(&self, it: Notify) -> OwnNotify<'_> {
        OwnNotify { it, acl: self.acl() }
    }

    /// A stream that waits until it is let go, for as long as questions about waiting take.
    pub(crate) fn blocked_stream(&self) -> Result<Blocked<'_>, Stop> {
        let blocked = Blocked { cann: self, stream: self.stream()?, gate: self.notify()? };
        self.acl().wait_notify(blocked.gate.it, blocked.stream.it, Some(Duration::from_secs(60)))?;
        Ok(blocked)
    }
}

/// A stream that waits. Dropping lets it go.
pub(crate) struct Blocked<'a> {
    cann: &'a Cann,
    pub(crate) stream: OwnStream<'a>,
    gate: OwnNotify<'a>,
}

impl Drop for Blocked<'_> {
    fn drop(&mut self) {
        let acl = self.cann.acl();
        let opened = acl.create_stream().and_then(|stream| {
            let opener = OwnStream { acl, it: stream };
            acl.record_notify(self.gate.it, opener.it)?;
            acl.synchronize_stream(opener.it, Some(Duration::from_secs(10)))
        });
        // Without that, the stream ends with all that waits in it.
        let _ = opened.and_then(|()| acl.synchronize_stream(self.stream.it, Some(Duration::from_secs(10))));
    }
}
