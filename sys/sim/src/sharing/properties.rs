// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Properties of physical memory: location, page size, kind.

use crate::codes::acl;
use crate::device_ids;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::PageSize;
use crate::session::Location;

/// On which side memory is. The numbers are the driver's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Side {
    /// The host, wherever there.
    Host = 0,
    /// A device.
    Device = 1,
    /// A NUMA node of the host.
    Numa = 2,
}

/// Requested kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Medium {
    /// The device's own.
    Hbm = 0,
    /// The host's.
    Ddr = 1,
    /// Any kind available on that side.
    Any = 2,
}

/// Properties of physical memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Its side.
    pub side: Side,
    /// Number of the device or of the host's node, over all servers.
    pub id: u32,
    /// Its pages.
    pub page: PageSize,
    /// Its kind.
    pub medium: Medium,
    /// Requested as memory that peers reach.
    pub p2p: bool,
    /// Number of the module that the driver keeps accounts for.
    pub module: u32,
}

/// Pages that device memory comes in at least, and the step of all addresses.
pub const STEP: u64 = PageSize::Huge as u64;

/// Machine-wide number of a NUMA node of this server.
///
/// Assumed: the nodes equal those of the machine that runs the simulator.
///
/// # Errors
/// 107000 for a node that there is not.
pub fn node(on_server: u32) -> Outcome<u32> {
    let there =
        on_server == 0 || std::path::Path::new(&format!("/sys/devices/system/node/node{on_server}")).exists();
    ensure(there && on_server < device_ids::DEVICES_OF_A_SERVER, acl::RT_PARAM_INVALID, || {
        format!("the host has no NUMA node {on_server}")
    })?;
    Ok(device_ids::machine_wide(machine()?.config.server, on_server))
}

/// The pages that have so many bytes.
pub(super) fn page_of(bytes: u64) -> Option<PageSize> {
    [PageSize::Normal, PageSize::Huge, PageSize::Giant].into_iter().find(|page| page.bytes() == bytes)
}

impl Properties {
    /// Returns its location.
    pub fn location(&self) -> Location {
        match self.side {
            Side::Device => Location::Device(self.id),
            Side::Host | Side::Numa => Location::Host(self.id),
        }
    }

    /// Its size is a multiple of this.
    ///
    /// Assumed: device memory of normal pages comes in steps of 2 MiB, as addresses do.
    pub fn granularity(&self) -> u64 {
        match (self.page, self.side) {
            (PageSize::Normal, Side::Device) => STEP,
            (page, _) => page as u64,
        }
    }

    /// Refuses a kind that its side does not have.
    ///
    /// # Errors
    /// 107000.
    pub fn check(&self) -> Outcome {
        let fits = match self.medium {
            Medium::Any => true,
            Medium::Hbm => self.side == Side::Device,
            // No device of these products has memory of that kind.
            Medium::Ddr => self.side != Side::Device,
        };
        ensure(fits, acl::RT_PARAM_INVALID, || {
            format!("no {:?} memory on the side {:?}", self.medium, self.side)
        })
    }

    /// As four words of an offer.
    pub(super) fn to_facts(self) -> [u64; 4] {
        let kind = self.side as u64 | (self.medium as u64) << 8 | u64::from(self.p2p) << 16;
        [self.page as u64, kind, u64::from(self.id), u64::from(self.module)]
    }

    /// The reverse.
    ///
    /// # Errors
    /// 507000 for words of no meaning.
    pub(super) fn from_facts(facts: [u64; 4]) -> Outcome<Self> {
        let [page, kind, id, module] = facts;
        let parsed = || {
            Some(Self {
                side: [Side::Host, Side::Device, Side::Numa]
                    .into_iter()
                    .find(|s| *s as u64 == kind & 0xff)?,
                id: u32::try_from(id).ok()?,
                page: page_of(page)?,
                medium: [Medium::Hbm, Medium::Ddr, Medium::Any]
                    .into_iter()
                    .find(|m| *m as u64 == kind >> 8 & 0xff)?,
                p2p: kind >> 16 & 1 == 1,
                module: u32::try_from(module).ok()?,
            })
        };
        parsed().ok_or_else(|| {
            Fault::new(acl::INTERNAL_ERROR, format_args!("the exporter described its memory as {facts:x?}"))
        })
    }
}
