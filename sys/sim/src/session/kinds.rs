// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kinds of locations, numbers and published objects.

use crate::codes::acl;

/// Location of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// HBM of the device with this physical number.
    Device(u32),
    /// Memory of the host's NUMA node, numbered over all servers as devices are.
    Host(u32),
}

/// Numbers of which a device has only so many, over all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pool {
    /// Streams: 1984.
    Stream,
    /// Events: 65536.
    Event,
    /// Notifies: 8192.
    Notify,
}

impl Pool {
    pub(crate) const ALL: [Self; 3] = [Self::Stream, Self::Event, Self::Notify];

    pub(super) const fn size(self) -> usize {
        match self {
            Self::Stream => 1984,
            Self::Event => 65536,
            Self::Notify => 8192,
        }
    }

    pub(super) fn exhausted(self) -> i32 {
        match self {
            Self::Stream => acl::NO_STREAM,
            Self::Event => acl::NO_EVENT,
            Self::Notify => acl::NO_NOTIFY,
        }
    }

    pub(super) fn plural(self) -> &'static str {
        match self {
            Self::Stream => "streams",
            Self::Event => "events",
            Self::Notify => "notifies",
        }
    }
}

/// Sort of a published object; a key only fetches objects of its sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Sort {
    /// Physical memory.
    Memory = 1,
    /// A range of a memory allocation, by key.
    IpcMemory = 2,
    /// A notify.
    Notify = 3,
    /// An event.
    Event = 4,
    /// A communicator of HCCL.
    Communicator = 5,
}

impl Sort {
    pub(super) const ALL: [Self; 5] =
        [Self::Memory, Self::IpcMemory, Self::Notify, Self::Event, Self::Communicator];
}
