// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Address ranges that are reserved, and blocks mapped into them.
//!
//! A reservation is inaccessible and unbacked; mapping replaces a part of it in one step, unmapping puts the
//! inaccessible pages back. Nothing inside a living reservation is ever unmapped as such, so no other mapping
//! of the process can slip in.
//!
//! Places without a requested address are taken in rising order, so that an address comes back as late as
//! possible. Where the host keeps an area for itself (39-bit addresses, sanitizers) a place that was not
//! asked for is found elsewhere.

use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::ops::Range;
use std::sync::{Mutex, OnceLock};

use mf_base::sync::lock;
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags};

use super::block::Block;
use super::native::native;
use crate::codes::acl;
use crate::config::{Addressing, Config};
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::session::Location;

const TIB: u64 = 1 << 40;

/// Area of the address space for a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Area {
    /// 18–20 TiB: what `aclrtMalloc` hands out.
    Heap,
    /// 16–24 TiB: reservations of ACL.
    Acl,
    /// 20–24 TiB: reservations of the driver at given addresses.
    Hal,
    /// From 24 TiB: ranges that map remote memory.
    Remote,
    /// 40–224 TiB, as far as the host has addresses.
    NoUc,
    /// Anywhere: host memory.
    Host,
}

impl Area {
    /// Returns the range of addresses that may be requested.
    const fn bounds(self) -> Range<u64> {
        match self {
            Self::Heap => 18 * TIB..20 * TIB,
            Self::Acl => 16 * TIB..24 * TIB,
            Self::Hal => 20 * TIB..24 * TIB,
            Self::Remote => 24 * TIB..224 * TIB,
            Self::NoUc => 40 * TIB..224 * TIB,
            Self::Host => 0..u64::MAX,
        }
    }

    /// Returns the range for unrequested addresses, separate from the usual requested ones.
    const fn choice(self) -> Option<Range<u64>> {
        match self {
            Self::Heap => Some(18 * TIB..20 * TIB),
            Self::Acl | Self::Hal => Some(16 * TIB..18 * TIB),
            Self::Remote => Some(24 * TIB..40 * TIB),
            Self::NoUc => Some(40 * TIB..80 * TIB),
            Self::Host => None,
        }
    }
}

/// Reservations of addresses.
pub struct Space {
    aliases: bool,
    table: Mutex<Reservations>,
}

/// The reservations of this process.
///
/// # Errors
/// The machine's own.
pub fn space() -> Outcome<&'static Space> {
    static SPACE: OnceLock<Space> = OnceLock::new();
    match SPACE.get() {
        Some(space) => Ok(space),
        None => {
            let config = &machine()?.config;
            Ok(SPACE.get_or_init(|| Space::new(config)))
        }
    }
}

#[derive(Default)]
struct Reservations {
    /// End of each reservation, by start.
    ends: BTreeMap<u64, u64>,
    /// Positions at which searches continue, by area.
    cursors: HashMap<Area, u64>,
}

impl Reservations {
    /// The reservation that holds all of `range`.
    fn holds(&self, range: &Range<u64>) -> bool {
        let below = self.ends.range(..=range.start).next_back();
        range.start < range.end && below.is_some_and(|(_, end)| range.end <= *end)
    }
}

impl Space {
    /// None yet.
    fn new(config: &Config) -> Self {
        Self { aliases: config.addressing == Addressing::Alias, table: Mutex::default() }
    }

    /// Reserves `bytes`, at `at` or, without it, at a free place of `area` that is a multiple of `align`.
    ///
    /// # Errors
    /// 107000 for a place outside the area · 207001 when the range is taken or the host has no such
    /// addresses; the text says which.
    pub fn reserve(&self, area: Area, at: Option<u64>, bytes: u64, align: u64) -> Outcome<Range<u64>> {
        let page = rustix::param::page_size() as u64;
        let align = align.max(page);
        ensure(bytes > 0 && align.is_power_of_two(), acl::RT_PARAM_INVALID, || {
            format!("{bytes} bytes at a multiple of {align} cannot be reserved")
        })?;
        let rounded = bytes.checked_next_multiple_of(page).filter(|rounded| *rounded < 1 << 56);
        let bytes = rounded.ok_or_else(|| {
            Fault::new(
                acl::MEMORY_ALLOCATION,
                format_args!("{bytes} bytes are more than there are addresses"),
            )
        })?;
        let mut table = lock(&self.table);
        let start = match at {
            Some(at) => at_place(area, at, bytes)?,
            None => match choose(&mut table, area, bytes, align) {
                Some(start) => start,
                None => anywhere(bytes, align)?,
            },
        };
        table.ends.insert(start, start + bytes);
        Ok(start..start + bytes)
    }

    /// Releases a whole reservation. Nothing may be mapped in it.
    pub fn release(&self, range: &Range<u64>) {
        let mut table = lock(&self.table);
        let Some(end) = table.ends.remove(&range.start) else { return };
        give_back(range.start, end - range.start);
    }

    /// Returns true if a reservation overlaps `range`.
    pub fn overlaps(&self, range: &Range<u64>) -> bool {
        lock(&self.table).ends.range(..range.end).next_back().is_some_and(|(_, end)| *end > range.start)
    }

    /// Maps a part of a block at `address`, inside a reservation. Gives out where the simulator reaches it
    /// (see [`super::Region::view`]).
    ///
    /// # Errors
    /// 107000 outside reservations · 207001 when the host refuses.
    pub fn map(&self, address: u64, block: &Block, part: Range<u64>) -> Outcome<usize> {
        let bytes = part.end.saturating_sub(part.start);
        let table = lock(&self.table);
        let range = address..address.saturating_add(bytes);
        ensure(table.holds(&range), acl::RT_PARAM_INVALID, || {
            format!("{:#x}–{:#x} is not inside one reservation", range.start, range.end)
        })?;
        let alias = self.aliases && matches!(block.location, Location::Device(_));
        let (at, place) = if alias { (0, MapFlags::empty()) } else { (address, MapFlags::FIXED) };
        // SAFETY: without FIXED the kernel picks free addresses; with it the range lies inside a reservation,
        // which holds nothing but our inaccessible pages or a mapping that its owner replaces, and
        // cannot be released meanwhile, because the table is locked.
        let mapped = unsafe {
            rustix::mm::mmap(
                pointer(at),
                native(bytes),
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED | MapFlags::NORESERVE | place,
                &block.file,
                part.start,
            )
        };
        if let (Ok(view), Location::Device(_)) = (mapped, block.location) {
            // On hardware this memory is in no core file, and dumping it would make the kernel back all of
            // its pages. SAFETY: advice about the mapping just made; it changes no content.
            let _ = unsafe { rustix::mm::madvise(view, native(bytes), Advice::LinuxDontDump) };
        }
        mapped.map(|view| view.addr()).map_err(|error| {
            Fault::new(
                acl::MEMORY_ALLOCATION,
                format_args!("the host does not map {bytes} bytes at {address:#x}: {error}"),
            )
        })
    }

    /// Makes what [`Space::map`] mapped inaccessible again.
    pub fn unmap(&self, address: u64, bytes: u64, view: usize) {
        let table = lock(&self.table);
        if view as u64 != address {
            give_back(view as u64, bytes);
        } else if table.holds(&(address..address.saturating_add(bytes))) {
            // A host that refuses (it has used up its mappings) leaves the memory mapped: the region is gone,
            // so only the processor could still reach it.
            let _ = close(address, bytes, MapFlags::FIXED);
        }
    }
}

/// Reserves at a given place.
fn at_place(area: Area, at: u64, bytes: u64) -> Outcome<u64> {
    let bounds = area.bounds();
    let end = at.saturating_add(bytes);
    ensure(bounds.contains(&at) && end <= bounds.end, acl::RT_PARAM_INVALID, || {
        format!("{at:#x}–{end:#x} is not inside {:#x}–{:#x}", bounds.start, bounds.end)
    })?;
    close(at, bytes, MapFlags::FIXED_NOREPLACE).map_err(|error| {
        let why = if error == Errno::EXIST { "in use by this process" } else { "not to be had on this host" };
        Fault::new(acl::MEMORY_ALLOCATION, format_args!("{at:#x}–{end:#x} is {why} ({error})"))
    })
}

/// Reserves the next free range of the area; returns `None` if the area is full.
fn choose(table: &mut Reservations, area: Area, bytes: u64, align: u64) -> Option<u64> {
    /// Foreign mappings that are stepped over.
    const TRIES: usize = 256;
    let choice = area.choice()?;
    let first = table.cursors.get(&area).copied().unwrap_or(choice.start);
    let mut at = first.next_multiple_of(align);
    let (mut wrapped, mut tries) = (false, 0);
    loop {
        if at + bytes > choice.end {
            if wrapped {
                return None;
            }
            (at, wrapped) = (choice.start.next_multiple_of(align), true);
        }
        if let Some(end) =
            table.ends.range(..at + bytes).next_back().map(|(_, end)| *end).filter(|end| *end > at)
        {
            at = end.next_multiple_of(align);
            continue;
        }
        if close(at, bytes, MapFlags::FIXED_NOREPLACE).is_ok() {
            // The gap makes an access behind the end fault.
            table.cursors.insert(area, at + bytes + align);
            return Some(at);
        }
        tries += 1;
        if tries == TRIES {
            return None;
        }
        at = (at + bytes.max(1 << 30)).next_multiple_of(align);
    }
}

/// Reserves wherever the host likes.
fn anywhere(bytes: u64, align: u64) -> Outcome<u64> {
    let slack = bytes.saturating_add(align);
    let base = close(0, slack, MapFlags::empty()).map_err(|error| {
        Fault::new(acl::MEMORY_ALLOCATION, format_args!("the host has no {bytes} free addresses: {error}"))
    })?;
    let start = base.next_multiple_of(align);
    give_back(base, start - base);
    give_back(start + bytes, base + slack - (start + bytes));
    Ok(start)
}

/// Inaccessible pages at `at`.
fn close(at: u64, bytes: u64, place: MapFlags) -> Result<u64, Errno> {
    // SAFETY: FIXED is passed only for a part of a reservation that its owner unmaps; otherwise the kernel
    // replaces nothing.
    let got = unsafe {
        rustix::mm::mmap_anonymous(
            pointer(at),
            native(bytes),
            ProtFlags::empty(),
            MapFlags::PRIVATE | MapFlags::NORESERVE | place,
        )
    }?;
    let got = got.addr() as u64;
    if at != 0 && got != at {
        // A kernel before 4.17 takes the place for a hint.
        give_back(got, bytes);
        return Err(Errno::EXIST);
    }
    Ok(got)
}

fn give_back(start: u64, bytes: u64) {
    if bytes > 0 {
        // SAFETY: the range is a reservation or an alias view of the simulator that is no longer in use. On
        // an error it stays mapped, which harms nothing else.
        let _ = unsafe { rustix::mm::munmap(pointer(start), native(bytes)) };
    }
}

fn pointer(address: u64) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(native(address))
}
