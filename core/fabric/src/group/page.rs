// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The control page: shared memory that a member contributes, and every member on its host maps.
//!
//! ```text
//! 0        head: identity of the page
//! 4 KiB    SLOTS slots of 512 bytes, one for each group that the owner is in
//! 2 MiB    two areas of AREA_BYTES for each slot
//! ```
//! Memory is touched when a group first uses it, the lowest free slot first: a page costs as much as the
//! groups that were alive at one time. Areas behind the first [`KEPT`] slots are given back to the system
//! with their group. The owner alone assigns slots to groups; others learn it when the group is made,
//! together with the slot's *generation*, which is part of every word of the slot. A word with another
//! generation is never taken for one of the group.
//!
//! **Writers.** A slot's seat and areas: its owner. The table of the slot that a group has chosen: all of its
//! members, by atomics. Any process of the job can scribble over all of it; then calls fail or return wrong
//! bytes, and nothing worse: no value in a page is used as an index, a length or an address.
//!
//! **Reuse.** A member that has left a group may not assign its slot to another group while a member still
//! polls whether the last round has passed. So a slot rests until all others have left as well, or have
//! ended, or [`REST`] has passed.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::os::mapped::Mapped;
use mf_base::os::memfile::MemFile;
use mf_base::os::random;
use mf_base::settings::Switch;
use mf_base::sync::barrier_state::{Gate, Side};
use mf_base::sync::consensus_word::ConsensusWord;
use mf_base::sync::eventcount::EventCount;
use mf_base::sync::lock;
use mf_base::sync::pace::Taken;
use mf_base::{Error, Result};

const OP: &str = "control page";

/// Groups that one member can be in at the same time through shared memory.
pub const SLOTS: usize = 2304;
/// Slots with areas that stay allocated when their group has ended.
const KEPT: usize = 64;
/// Resting slots that are checked when one is taken and none is free.
const SWEPT: usize = 4;
/// Payload of one member in one round.
pub const AREA_BYTES: usize = 64 << 10;
/// Longest rest of a slot.
const REST: Duration = Duration::from_secs(60);

const SLOTS_AT: usize = 4 << 10;
const AREAS_AT: usize = 2 << 20;
const PAGE_BYTES: usize = AREAS_AT + SLOTS * 2 * AREA_BYTES;
const MAGIC: u32 = 0x4d66_4750;

/// The first bytes of a page.
#[repr(C)]
struct Head {
    magic: AtomicU32,
    id: AtomicU32,
    /// The core on which a thread of the owner last waited, counted from 1; 0: unknown.
    core: AtomicU32,
}

/// State shared by all members of a host; of all slots of a group, one member's is used.
#[repr(C, align(128))]
pub(super) struct GroupTable {
    pub(super) verdict: ConsensusWord,
    /// One for rounds of each side: a member that passes a round does not wake sleepers of the next one.
    eventcounts: [EventCount; 2],
    /// Of waits of all members.
    pub(super) taken: Taken,
}

impl GroupTable {
    /// The eventcount of members that sleep in a round.
    #[inline(always)]
    pub(super) fn eventcount(&self, round: u32) -> &EventCount {
        &self.eventcounts[usize::from(round & 1 == 1)]
    }

    /// Wakes members in any round.
    pub(super) fn notify_sleepers(&self) {
        self.eventcounts.iter().for_each(EventCount::notify_sleepers);
    }
}

/// The words of one group in one member's page. Zeroes are an unused slot.
#[repr(C)]
pub(super) struct Slot {
    pub(super) sides: [Side; 2],
    pub(super) table: GroupTable,
    pub(super) gate: Gate,
}

const _: () = assert!(size_of::<Slot>() == 512 && SLOTS_AT + SLOTS * size_of::<Slot>() <= AREAS_AT);

/// A control page, the own one or another member's.
pub struct ControlPage {
    mapped: Mapped,
    id: u32,
    /// Of the own page only.
    file: Option<MemFile>,
    slots: Mutex<Slots>,
}

/// Which slots of the own page are free.
struct Slots {
    generation: u16,
    free: BinaryHeap<Reverse<usize>>,
    /// Slots from here on were never used.
    fresh: usize,
    resting: VecDeque<Resting>,
    is_closed: bool,
}

struct Resting {
    index: usize,
    since: Instant,
    /// Returns true if all others have left.
    is_quiet: Box<dyn Fn() -> bool + Send>,
}

impl Slots {
    fn empty() -> Self {
        Self { generation: 0, free: BinaryHeap::new(), fresh: 0, resting: VecDeque::new(), is_closed: false }
    }

    /// Frees one of the first `count` resting slots that all others have left, the oldest first.
    fn sweep(&mut self, count: usize) {
        for _ in 0..count.min(self.resting.len()) {
            let Some(slot) = self.resting.pop_front() else { return };
            if (slot.is_quiet)() || slot.since.elapsed() > REST {
                return self.free.push(Reverse(slot.index));
            }
            self.resting.push_back(slot);
        }
    }

    fn take(&mut self) -> Option<usize> {
        if self.free.is_empty() {
            self.sweep(if self.fresh == SLOTS { SLOTS } else { SWEPT });
        }
        self.free.pop().map(|Reverse(index)| index).or_else(|| {
            let index = self.fresh;
            self.fresh = (index + 1).min(SLOTS);
            (index < SLOTS).then_some(index)
        })
    }
}

impl ControlPage {
    /// Makes the page of this member. Touches only its head.
    ///
    /// # Errors
    /// `NoResources` out of descriptors · `OutOfMemory`.
    pub fn create() -> Result<Self> {
        let file = MemFile::create("mf-control", PAGE_BYTES as u64, Switch::Off)?;
        let mapped = Mapped::new(&file)?;
        let [a, b, c, d, e, f] = random(OP)?;
        let id = u32::from_ne_bytes([a, b, c, d]).max(1);
        let slots = Slots { generation: u16::from_ne_bytes([e, f]), ..Slots::empty() };
        let page = Self { mapped, id, file: Some(file), slots: Mutex::new(slots) };
        page.head().id.store(id, Ordering::Relaxed);
        page.head().magic.store(MAGIC, Ordering::Release);
        Ok(page)
    }

    /// Maps the page of another member from its descriptor.
    ///
    /// # Errors
    /// `InvalidParam` it is not a control page, too small, or can shrink · `OutOfMemory` no address space
    /// left.
    pub fn adopt(descriptor: OwnedFd) -> Result<Arc<Self>> {
        let file = MemFile::from_descriptor(descriptor, PAGE_BYTES as u64, true)?;
        let mapped = Mapped::new(&file)?;
        let mut page = Self { mapped, id: 0, file: None, slots: Mutex::new(Slots::empty()) };
        page.id = page.head().id.load(Ordering::Relaxed);
        if page.head().magic.load(Ordering::Acquire) != MAGIC || page.id == 0 {
            return Err(Error::invalid(OP, "a received memory file is not a control page"));
        }
        Ok(Arc::new(page))
    }

    /// Returns the descriptor to send to other members; `None` for a page of another member.
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.file.as_ref().map(AsFd::as_fd)
    }

    /// Identifies this page among all others of the job; never 0.
    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// Returns the core on which a thread of the owner last waited; `None` if unknown. Any process may have
    /// written it.
    pub(super) fn core(&self) -> Option<u16> {
        let core = self.head().core.load(Ordering::Relaxed).checked_sub(1)?;
        u16::try_from(core).ok()
    }

    /// Notes the core on which a thread waits; for the owner.
    pub(super) fn set_core(&self, core: u16) {
        let core = u32::from(core) + 1;
        // Others poll beside it: an unchanged line stays in their caches.
        if self.head().core.load(Ordering::Relaxed) != core {
            self.head().core.store(core, Ordering::Relaxed);
        }
    }

    fn head(&self) -> &Head {
        // SAFETY: the head lies at the start of the mapping, which lives as long as `self`; it consists of
        // atomics only.
        unsafe { &*self.mapped.base().cast::<Head>() }
    }

    /// A slot; `index` is below [`SLOTS`], or it is the last one.
    #[inline(always)]
    pub(super) fn slot(&self, index: usize) -> &Slot {
        let at = self.mapped.base().wrapping_add(SLOTS_AT + index.min(SLOTS - 1) * size_of::<Slot>());
        // SAFETY: all slots lie inside the mapping (asserted above), aligned to 128 bytes as pages and sizes
        // are, and the mapping lives as long as `self`; a slot consists of atomics only.
        unsafe { &*at.cast::<Slot>() }
    }

    /// Returns the payload area of a round: [`AREA_BYTES`] inside the mapping.
    #[inline(always)]
    pub(super) fn area(&self, index: usize, side: usize) -> *mut u8 {
        let number = index.min(SLOTS - 1) * 2 + (side & 1);
        self.mapped.base().wrapping_add(AREAS_AT + number * AREA_BYTES)
    }

    /// Closes the page: no more groups are made with it, so slots need no rest any more. Drops the references
    /// of resting slots, which are other members' pages, and this one itself.
    pub(crate) fn close(&self) {
        let resting = {
            let mut slots = lock(&self.slots);
            slots.is_closed = true;
            std::mem::take(&mut slots.resting)
        };
        // Not under the lock: a page may go with it.
        drop(resting);
    }

    /// Takes a slot of the own page for a new group. Returns its index and generation, or `None` if all are
    /// taken.
    pub(super) fn take_slot(&self) -> Option<(usize, u16)> {
        let mut slots = lock(&self.slots);
        let index = slots.take()?;
        slots.generation = slots.generation.wrapping_add(1);
        let generation = slots.generation;
        let slot = self.slot(index);
        let nothing = super::arrival_word::arrival(generation, super::arrival_word::Tag::None, 0);
        slot.sides.iter().for_each(|side| side.open(nothing));
        slot.gate.open(nothing);
        // Others learn of the slot through the store, so all of this is visible to them then.
        slot.table.verdict.open(generation);
        Some((index, generation))
    }

    /// Gives a slot back; `is_quiet` returns true if all others have left its group, and owns the state that
    /// it needs for that.
    pub(super) fn give_slot(&self, index: usize, is_quiet: Box<dyn Fn() -> bool + Send>) {
        if index >= KEPT {
            self.empty_areas(index);
        }
        let mut slots = lock(&self.slots);
        if slots.is_closed {
            slots.free.push(Reverse(index));
        } else {
            // Not checked before the slot is needed: the others' words are fresh in their caches now.
            slots.resting.push_back(Resting { index, since: Instant::now(), is_quiet });
        }
    }
}

impl ControlPage {
    /// Gives the memory of a slot's areas back. Late readers of it read zeroes, of a group that has ended.
    fn empty_areas(&self, index: usize) {
        // SAFETY: both areas of the slot, inside the mapping; readers in other processes only see it become
        // zero.
        let emptied = unsafe {
            rustix::mm::madvise(self.area(index, 0).cast(), 2 * AREA_BYTES, rustix::mm::Advice::LinuxRemove)
        };
        if let Err(errno) = emptied {
            tracing::debug!("the memory of a group that has gone stays: {errno}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_others_are_recognised_and_other_files_refused() {
        let own = ControlPage::create().unwrap();
        let copy = || own.descriptor().unwrap().try_clone_to_owned().unwrap();
        let other = ControlPage::adopt(copy()).unwrap();
        assert_eq!(own.id(), other.id());
        assert!(other.descriptor().is_none());
        let bytes = PAGE_BYTES as u64;
        for bytes in [4096, bytes] {
            let file = MemFile::create("mf-test", bytes, Switch::Off).unwrap();
            assert!(ControlPage::adopt(file.as_fd().try_clone_to_owned().unwrap()).is_err());
        }
        let bare = rustix::fs::memfd_create("mf-test", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&bare, bytes).unwrap();
        assert!(ControlPage::adopt(bare).err().unwrap().to_string().contains("sealed"));
    }

    #[test]
    fn slots_are_exhausted_and_reusable_after_all_leave() {
        let page = ControlPage::create().unwrap();
        let slots: Vec<_> = std::iter::from_fn(|| page.take_slot()).collect();
        assert!(slots.iter().all(|(index, _)| page.area(*index, 1) < page.area(SLOTS, 1).wrapping_add(1)));
        assert!(slots.iter().map(|(index, _)| *index).eq(0..SLOTS), "the lowest free slot comes first");
        let all_left = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let seen = Arc::clone(&all_left);
        page.give_slot(slots[5].0, Box::new(move || seen.load(Ordering::Relaxed)));
        assert!(page.take_slot().is_none());
        all_left.store(true, Ordering::Relaxed);
        let (index, generation) = page.take_slot().unwrap();
        assert_eq!(index, slots[5].0);
        assert_ne!(generation, slots[5].1);
    }

    #[test]
    fn areas_of_many_groups_are_freed() {
        let page = ControlPage::create().unwrap();
        let blocks = || rustix::fs::fstat(page.descriptor().unwrap()).unwrap().st_blocks;
        let slots: Vec<_> = (0..KEPT + 32).filter_map(|_| page.take_slot()).collect();
        for (index, _) in &slots {
            // SAFETY: an area has so many bytes, and nobody else uses this page.
            unsafe { page.area(*index, 1).write_bytes(7, AREA_BYTES) };
        }
        let before = blocks();
        slots.iter().for_each(|(index, _)| page.give_slot(*index, Box::new(|| true)));
        let given_back = 32 * AREA_BYTES as i64 / 512;
        assert!(before - blocks() >= given_back, "{before} {} {given_back}", blocks());
        assert_eq!(page.take_slot().unwrap().0, 0);
    }

    #[test]
    fn untouched_control_page_uses_little_memory() {
        let page = ControlPage::create().unwrap();
        let facts = rustix::fs::fstat(page.descriptor().unwrap()).unwrap();
        assert!(facts.st_blocks * 512 < 64 << 10, "{} blocks", facts.st_blocks);
    }
}
