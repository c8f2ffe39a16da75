// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cached fast path: a thread's repeated copy finds all that it needs in two cache lines.
//!
//! A copy of 64 KiB evicts everything else from the first-level cache. To look up the communicator of a
//! handle, the peer of an address, the transport and the mapping again is then a dozen dependent reads. So
//! each thread remembers, for a few peers, the addresses of the two buffers, with the stamp of the section in
//! which they were found: any mapping that is revoked meanwhile, anywhere, makes the stamp stale.

use std::cell::Cell;

use mf_base::os::process::Owner;
use mf_base::sync::rcu::{self, ReadSection};
use mf_device::engine;
use mf_net::watch;
use mf_transport::InPlace;

use super::peers::MappedBuffers;
use super::{At, Ranges};

/// Peers that a thread remembers.
const PLACES: usize = 4;

/// Name of a communicator at its caller, with the stamp of the lookup.
#[derive(Clone, Copy, Debug)]
pub struct CopyNote {
    name: usize,
    stamp: u64,
}

impl CopyNote {
    /// `name`: not 0, and not the name of another communicator meanwhile; `stamp`: the value of
    /// [`rcu::stamp`] in this section before the communicator was found by the name.
    ///
    /// # Safety
    /// The communicator and its buffer may only be freed after it can no longer be found by the name and a
    /// later [`rcu::synchronize`] has returned.
    pub unsafe fn new(name: usize, stamp: u64) -> Self {
        Self { name, stamp }
    }
}

/// A communicator and a peer, as callers name them. Compared by value.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Name {
    communicator: usize,
    /// First and last bytes of the text, which cover all of it.
    text: (u64, u64),
    length: u8,
    conn: u8,
    port: u16,
}

impl Name {
    const NONE: Self = Self { communicator: 0, text: (0, 0), length: 0, conn: 0, port: 0 };

    /// Returns `None` if the text of the address is too short or too long.
    #[inline(always)]
    fn of(communicator: usize, at: At<'_>) -> Option<Self> {
        let text = match at.ip.len() {
            8..=16 => (u64::from_ne_bytes(*at.ip.first_chunk()?), u64::from_ne_bytes(*at.ip.last_chunk()?)),
            4..8 => (
                u64::from(u32::from_ne_bytes(*at.ip.first_chunk()?)),
                u64::from(u32::from_ne_bytes(*at.ip.last_chunk()?)),
            ),
            _ => return None,
        };
        let length = u8::try_from(at.ip.len()).ok()?;
        Some(Self { communicator, text, length, conn: at.conn as u8, port: at.port })
    }

    #[inline(always)]
    fn place(&self) -> usize {
        (self.communicator ^ usize::from(self.port) ^ usize::from(self.conn)) % PLACES
    }
}

/// A peer with mapped memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct CachedCopy {
    stamp: u64,
    name: Name,
    /// Address and length of the own buffer.
    local: (usize, u64),
    remote: InPlace,
    owner: Option<Owner>,
}

impl CachedCopy {
    const NONE: Self =
        Self { stamp: u64::MAX, name: Name::NONE, local: (0, 0), remote: InPlace::NONE, owner: None };
}

thread_local! {
    static CACHE: [Cell<CachedCopy>; PLACES] = const { [const { Cell::new(CachedCopy::NONE) }; PLACES] };
}

/// Cached fast path: copies by the name that a caller has noted in
/// [`fast_path`](super::Communicator::fast_path), if this thread did such a copy before and nothing has
/// changed: without a wait, and visible on return. Returns false if nothing was done.
#[inline(always)]
pub fn fast_path_cached(communicator: usize, at: At<'_>, ranges: Ranges, is_put: bool) -> bool {
    let Some(name) = Name::of(communicator, at) else { return false };
    let Some(place) = place_of(name) else { return false };
    let section = rcu::read_lock();
    // SAFETY: a slot of this thread, which has no destructor; nothing here writes to it.
    let cached = unsafe { &*place };
    let Ranges { local, remote, bytes } = ranges;
    if cached.name != name
        || cached.stamp != rcu::stamp(section.section())
        || bytes == 0
        || local.checked_add(bytes).is_none_or(|end| end > cached.local.1)
        || watch::is_on()
        || !cached.owner.is_some_and(|owner| owner.is_current())
    {
        return false;
    }
    // Ranges of buffers do not wrap.
    let local = cached.local.0.wrapping_add(usize::try_from(local).unwrap_or(0));
    let local = std::ptr::with_exposed_provenance_mut(local);
    let behind = || {
        engine::prefetch(place.cast());
        engine::prefetch(place.cast::<u8>().wrapping_add(64));
    };
    // SAFETY: the section has the stamp with which the entry was found: by the caller's name, then in a
    // published page of peers, with a route whose grants are valid. The range lies in the buffer, which lives
    // as long as its communicator: no shorter than this section, by `CopyNote::new`.
    unsafe { cached.remote.copy(section.section(), local, (remote, bytes), is_put, behind) }
}

/// Returns the slot in which this thread remembers a peer of a name.
#[inline(always)]
fn place_of(name: Name) -> Option<*mut CachedCopy> {
    CACHE.with(|all| all.get(name.place()).map(Cell::as_ptr))
}

/// Remembers a peer that was found in the section of a name.
pub(super) fn remember(
    section: ReadSection<'_>,
    CopyNote { name, stamp }: CopyNote,
    at: At<'_>,
    owner: Owner,
    buffers: &MappedBuffers,
) {
    let Some(name) = Name::of(name, at) else { return };
    let Some(remote) = buffers.in_place(section) else { return };
    let cached = CachedCopy { stamp, name, local: buffers.local(), remote, owner: Some(owner) };
    CACHE.with(|all| {
        if let Some(place) = all.get(name.place()) {
            place.set(cached);
        }
    });
}
