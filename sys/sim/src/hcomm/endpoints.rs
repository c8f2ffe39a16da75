// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Endpoints: addresses of devices at which channels begin and end.

use std::ffi::c_void;
use std::sync::{Arc, LazyLock};

use ascend_acl_sys::raw::types::EndpointDesc;

use super::{channels, expect, memory, not_null, translate};
use crate::acl::arguments::{give, read};
use crate::fault::{Outcome, ensure};
use crate::handles::HandleTable;
use crate::hash;
use crate::hccl::code;
use crate::machine::machine;
use crate::product::Line;

crate::exports! {
    /// Creates an endpoint.
    fn HcommEndpointCreate(endpoint: *const EndpointDesc, handle: *mut *mut c_void) = create;
    /// Destroys an endpoint without memory and channels.
    fn HcommEndpointDestroy(handle: *mut c_void) = destroy;
    /// Returns the port of an endpoint: a number that no other endpoint of the process has.
    fn HcommEndpointGetListenPort(handle: *mut c_void, port: *mut u32) = listen_port;
}

static ENDPOINTS: LazyLock<HandleTable<Endpoint>> = LazyLock::new(|| HandleTable::new("endpoint"));

/// Numbers of protocols: CTP and TP of the unified bus, and memory semantics on it.
const UNIFIED_BUS: std::ops::RangeInclusive<i32> = 4..=7;

/// An endpoint of this process.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) name: EndpointName,
    port: u32,
}

/// Identity of an endpoint over all processes: protocol, kind and bytes of the address, place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EndpointName([u8; 108]);

impl EndpointName {
    pub(super) fn of(endpoint: &[u8; size_of::<EndpointDesc>()]) -> Self {
        let mut name = [0; 108];
        name.copy_from_slice(&endpoint[..108]);
        Self(name)
    }

    /// The same in every process.
    pub(super) fn hash(&self) -> u64 {
        hash::fnv1a(hash::EMPTY, self.0)
    }
}

impl Endpoint {
    /// The endpoint behind a handle.
    ///
    /// # Errors
    /// `HCCL_E_PARA` for an unknown one.
    pub(super) fn from_handle(handle: *const c_void) -> Outcome<Arc<Self>> {
        not_null(handle, "the endpoint")?;
        ENDPOINTS.get(handle, code::PARA)
    }
}

unsafe fn create(endpoint: *const EndpointDesc, handle: *mut *mut c_void) -> Outcome {
    not_null(endpoint, "endpoint")?;
    not_null(handle, "handle")?;
    let machine = translate(machine())?;
    // Endpoints of other lines belong to network cards, which the simulator lacks.
    ensure(machine.product.line == Line::A5, code::NOT_SUPPORT, || {
        format!("{} has no endpoints on the simulator; Ascend950 has", machine.config.soc)
    })?;
    // SAFETY: not null; seen as bytes, because the numbers in it are still to be checked.
    let bytes = unsafe { read(endpoint.cast::<[u8; size_of::<EndpointDesc>()]>()) };
    let [a, b, c, d, ..] = bytes;
    let protocol = i32::from_ne_bytes([a, b, c, d]);
    expect(UNIFIED_BUS.contains(&protocol), || {
        format!("protocol {protocol} is not one of the unified bus ({UNIFIED_BUS:?}), the only network here")
    })?;
    let (made, _) = ENDPOINTS.insert_with(|handle| Endpoint {
        name: EndpointName::of(&bytes),
        // Handles are 16 apart.
        port: 16_384 + u32::try_from((handle.addr() >> 4) % 16_384).unwrap_or(0),
    });
    // SAFETY: checked for null above.
    unsafe { give(handle, made) }
}

unsafe fn destroy(handle: *mut c_void) -> Outcome {
    Endpoint::from_handle(handle)?;
    let users = memory::count(handle.addr()) + channels::count(handle.addr());
    expect(users == 0, || format!("{users} registrations, imports and channels of the endpoint are left"))?;
    ENDPOINTS.remove(handle, code::PARA).map(drop)
}

unsafe fn listen_port(handle: *mut c_void, port: *mut u32) -> Outcome {
    not_null(port, "port")?;
    let found = Endpoint::from_handle(handle)?.port;
    // SAFETY: checked for null above.
    unsafe { give(port, found) }
}
