// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Places of memory and rights to it.

use crate::raw::types::*;

/// Location of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// The host.
    Host,
    /// A NUMA node of the host.
    HostNuma(u32),
    /// A device, by the id that this process sees.
    Device(u32),
    /// Memory that CANN does not know.
    Unregistered,
    /// A kind that this crate does not know: type and id as they came.
    Other(aclrtMemLocationType, u32),
}

impl From<Location> for aclrtMemLocation {
    fn from(location: Location) -> Self {
        let (type_, id) = match location {
            Location::Host => (ACL_MEM_LOCATION_TYPE_HOST, 0),
            Location::HostNuma(node) => (ACL_MEM_LOCATION_TYPE_HOST_NUMA, node),
            Location::Device(device) => (ACL_MEM_LOCATION_TYPE_DEVICE, device),
            Location::Unregistered => (ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0),
            Location::Other(type_, id) => (type_, id),
        };
        Self { id, type_ }
    }
}

impl From<aclrtMemLocation> for Location {
    fn from(location: aclrtMemLocation) -> Self {
        match location.type_ {
            ACL_MEM_LOCATION_TYPE_HOST => Location::Host,
            ACL_MEM_LOCATION_TYPE_HOST_NUMA => Location::HostNuma(location.id),
            ACL_MEM_LOCATION_TYPE_DEVICE => Location::Device(location.id),
            ACL_MEM_LOCATION_TYPE_UNREGISTERED => Location::Unregistered,
            other => Location::Other(other, location.id),
        }
    }
}

/// Rights of a location to a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Access {
    /// None.
    None = ACL_RT_MEM_ACCESS_FLAGS_NONE,
    /// Reading.
    Read = ACL_RT_MEM_ACCESS_FLAGS_READ,
    /// Reading and writing.
    ReadWrite = ACL_RT_MEM_ACCESS_FLAGS_READWRITE,
}

/// Which granularity of physical memory is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Granularity {
    /// The smallest possible.
    Minimum = ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM,
    /// Granularity with the best performance.
    Recommended = ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
}
