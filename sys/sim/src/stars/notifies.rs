// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifies by number.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::codes::acl;
use crate::device::Device;
use crate::fault::{Fault, Outcome};
use crate::stream::notify::Notify;

use super::resources::resources;

/// A notify that a task names.
pub(super) enum Flag {
    /// One that the driver gave out.
    Own(Arc<AtomicBool>),
    /// One of ACL.
    Acl(Arc<Notify>),
}

impl Flag {
    /// Sets it.
    pub(super) fn record(&self) -> Outcome {
        match self {
            Self::Own(flag) => flag.store(true, Ordering::Release),
            Self::Acl(notify) => notify.record(),
        }
        Ok(())
    }

    /// Takes it back when it is set.
    pub(super) fn try_take(&self) -> Outcome<bool> {
        Ok(match self {
            Self::Own(flag) => flag.swap(false, Ordering::AcqRel),
            Self::Acl(notify) => notify.take(),
        })
    }
}

/// The notify with this number on a device.
pub(super) fn find(device: &Arc<Device>, number: u32) -> Outcome<Flag> {
    if let Some(flag) = resources().notify(device.physical, number) {
        return Ok(Flag::Own(flag));
    }
    Notify::with_id(device, number).map(Flag::Acl).ok_or_else(|| {
        Fault::new(acl::RT_PARAM_INVALID, format_args!("device {} has no notify {number} here", device.user))
    })
}
