// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The own segments of a member: made when it opens the pool, mapped at their places, and grown.

use std::ops::Range;
use std::os::fd::OwnedFd;

use mf_base::os::memfile::check_file_limit;
use mf_base::os::socket::MAX_DESCRIPTORS;
use mf_base::sync::rcu;
use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_device::{AddressWindows, Devices, Identity, Memory, Share, Token, engine};

use super::options::{GivenMemory, Options};
use super::protocol::{Part, pack};
use super::segments::Segments;
use super::windows::Windows;

const OP: &str = "pool";

/// Most pieces of one contribution of one kind, so that an announcement fits a message also where each is a
/// descriptor: device memory, beside it a file of host memory and the control page.
const SHARES_MAX: usize = MAX_DESCRIPTORS - 3;

/// The own memory, by kind.
pub(super) type OwnMemory = [Option<Box<dyn Memory>>; 2];

impl Segments {
    /// Returns the bytes that this member contributes now; 0 for a kind that it does not contribute.
    pub(super) fn own_bytes(&self, kind: MemKind) -> u64 {
        self.own()[kind.index()].as_ref().map_or(0, |memory| memory.bytes())
    }

    /// The own memory of a kind, as `peer` may map it; its descriptors are added to `descriptors`.
    pub(super) fn own_parts(
        &self,
        kind: MemKind,
        peer: &Identity,
        descriptors: &mut Vec<OwnedFd>,
    ) -> Result<Vec<Part>> {
        match &self.own()[kind.index()] {
            Some(memory) => Ok(pack(memory.share(peer)?, descriptors)),
            None => Ok(Vec::new()),
        }
    }

    /// Grows the own memory and returns the handle on its former state. On failure the contribution is
    /// unchanged.
    pub(super) fn grow_own(&self, kind: MemKind, from: u64, to: u64) -> Result<Option<Box<dyn Memory>>> {
        let mut own = self.own();
        let slot = &mut own[kind.index()];
        // A separate handle, which replaces the old one after all steps have worked.
        let grown = match slot {
            Some(memory) => memory.grown(to)?,
            None => self.devices.windows(kind)?.allocate(kind, to)?,
        };
        if grown.share_count() > SHARES_MAX {
            return Err(Error::new(Kind::NoResources, "pool extend")
                .what("the contribution would consist of too many pieces")
                .with("pieces", grown.share_count())
                .with("most", SHARES_MAX)
                .hint("grow in fewer and larger steps"));
        }
        // SAFETY: this part of the own segment is behind its end, so no extent covers it.
        unsafe { self.windows.map(kind, self.me.rank, &*grown, from..to) }?;
        self.windows.include_in_dumps(kind, self.me.rank, from..to)?;
        if let (MemKind::Host, Some(node)) = (kind, self.numa_node) {
            self.windows.bind_to_node(kind, self.me.rank, from..to, node).inspect_err(|_| {
                // SAFETY: as above.
                let unmapped = unsafe { self.windows.unmap(kind, self.me.rank, from..to) };
                if let Err(error) = unmapped {
                    tracing::warn!("memory that is not contributed stays mapped: {error}");
                }
            })?;
        }
        Ok(slot.replace(grown))
    }

    /// Undoes [`grow_own`](Self::grow_own), once no other member uses the growth any more.
    pub(super) fn shrink_own(&self, kind: MemKind, range: Range<u64>, former: Option<Box<dyn Memory>>) {
        rcu::synchronize();
        if let Some(Err(error)) = self.devices.mover().map(|mover| mover.quiesce()) {
            tracing::warn!("memory that is not contributed stays mapped: {error}");
            return;
        }
        // SAFETY: no extent covers this part any more, and the copies that saw another were waited for.
        match unsafe { self.windows.unmap(kind, self.me.rank, range) } {
            Ok(()) => self.own()[kind.index()] = former,
            Err(error) => tracing::warn!("memory that is not contributed stays mapped: {error}"),
        }
    }

    /// Touches the own pages so that no copy meets a page fault.
    pub(super) fn prefault_own(&self) -> Result<()> {
        for kind in MemKind::ALL {
            let own = self.own();
            let (Some(memory), Some(address)) = (&own[kind.index()], self.layout.address(kind, self.me.rank))
            else {
                continue;
            };
            let bytes = usize::try_from(memory.bytes()).unwrap_or(usize::MAX);
            let page_bytes = usize::try_from(memory.page_bytes()).unwrap_or(usize::MAX);
            if page_bytes == 0 {
                continue;
            }
            // SAFETY: the own segment is mapped at its address for its whole length since `open`.
            unsafe { engine::prefault(address.as_ptr(), bytes, page_bytes) }?;
        }
        Ok(())
    }
}

pub(super) fn make_segments(devices: &Devices, options: &Options) -> Result<OwnMemory> {
    let mut own = [None, None];
    for kind in MemKind::ALL {
        let bytes = options.own_bytes[kind.index()];
        if bytes == 0 {
            continue;
        }
        let device = devices.windows(kind)?;
        own[kind.index()] = Some(match &options.given {
            Some(given) if kind == MemKind::Host => {
                extend_given(device, &devices.for_kind(kind).identity()?, given, bytes)?
            }
            _ if kind == MemKind::Device => device.allocate_around(kind, bytes, &options.given_blocks)?,
            _ => device.allocate(kind, bytes)?,
        });
    }
    Ok(own)
}

/// Makes host memory of `bytes`, of which a given memory object is the first part.
fn extend_given(
    device: &dyn AddressWindows,
    own: &Identity,
    given: &GivenMemory,
    bytes: u64,
) -> Result<Box<dyn Memory>> {
    let descriptor = given.descriptor.try_clone().map_err(|e| {
        Error::new(Kind::NoResources, OP).what("the given descriptor could not be duplicated").source(e)
    })?;
    let first = given.bytes.min(bytes);
    lengthen(&descriptor, first)?;
    let mut shares = vec![Share { bytes: first, sealed: false, token: Token::Descriptor(descriptor) }];
    if first < bytes {
        let fresh = device.allocate(MemKind::Host, bytes - first)?;
        shares.extend(fresh.share(own)?);
    }
    device.adopt(MemKind::Host, shares)
}

/// Extends a given memory object to the contributed length; a longer one stays unchanged.
fn lengthen(descriptor: &OwnedFd, bytes: u64) -> Result<()> {
    let os = |errno| Error::os(OP, errno).what("the given memory object cannot be used").with("bytes", bytes);
    let present = u64::try_from(rustix::fs::fstat(descriptor).map_err(os)?.st_size).unwrap_or(0);
    if present >= bytes {
        return Ok(());
    }
    check_file_limit(bytes)?;
    rustix::fs::ftruncate(descriptor, bytes).map_err(os)
}

pub(super) fn map_segments(
    windows: &Windows,
    rank: Rank,
    own: &OwnMemory,
    numa_node: Option<u32>,
) -> Result<()> {
    for kind in MemKind::ALL {
        if let Some(memory) = &own[kind.index()] {
            let whole = 0..memory.bytes();
            // SAFETY: the windows were just reserved and nobody knows them yet.
            unsafe { windows.map(kind, rank, &**memory, whole.clone()) }?;
            windows.include_in_dumps(kind, rank, whole.clone())?;
            if let (MemKind::Host, Some(node)) = (kind, numa_node) {
                windows.bind_to_node(kind, rank, whole, node)?;
            }
        }
    }
    Ok(())
}
