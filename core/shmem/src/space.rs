// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric address space of a world, as this PE sees it: the layout of each PE's memory, and the addresses
//! at which it is mapped here.
//!
//! * `translate`: from an own address to the same object at another PE.
//! * `local`: copies within this process.

#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod local;
mod translate;

use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::{Error, Gva, MemKind, Result};
use mf_device::Mover;

use crate::fast_path::{AddressTable, Mapped};
use crate::pe::Pe;
use crate::segment::Segment;
use crate::statics::{OwnStatics, Program};

/// Address of a PE's object in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeAddress {
    /// Mapped here, for loads and stores until the world ends.
    Mapped(*mut u8),
    /// Not mapped here: its address in the pool, for operations of a lane.
    Remote(Gva),
}

impl PeAddress {
    /// Returns the place `bytes` behind this one, in the same object.
    pub(crate) fn add(self, bytes: u64) -> Self {
        match self {
            Self::Mapped(start) => Self::Mapped(Gva(start.addr() as u64 + bytes).as_ptr()),
            Self::Remote(start) => Self::Remote(start.add(bytes)),
        }
    }
}

/// Parameters of an address space.
pub(crate) struct Layout {
    pub(crate) segment: Segment,
    pub(crate) statics: OwnStatics,
    /// Address at which each PE's host memory is mapped here; 0: not mapped.
    pub(crate) starts: Vec<u64>,
    pub(crate) own_start: u64,
    /// Start of the own heap.
    pub(crate) own_heap: u64,
    /// True if an accelerator copies memory that may be its own.
    pub(crate) takes_device_memory: bool,
}

impl Layout {
    /// Returns true if the processor cannot load from or store to the heap of a PE with host memory at
    /// `start` here.
    pub(crate) fn is_elsewhere(&self, start: u64) -> bool {
        // On another host, or in the memory of an accelerator.
        self.takes_device_memory || self.segment.heap == MemKind::Device || start == 0
    }

    /// Returns the heaps as a table shows them.
    fn heaps(&self) -> Mapped {
        let offset = self.segment.heap_offset();
        let place = |start: &u64| if self.is_elsewhere(*start) { 0 } else { start + offset };
        let starts = self.starts.iter().map(place).collect();
        Mapped { own: self.own_heap, bytes: self.segment.heap_bytes, starts }
    }
}

/// The symmetric memory of all PEs.
pub(crate) struct Space {
    pe: Pe,
    layout: Layout,
    /// Bytes of the heap, which may grow.
    heap_bytes: AtomicU64,
    /// Addresses at which memory of PEs is mapped.
    table: AddressTable,
    /// The same, for functions that have no world.
    shown: Option<&'static AddressTable>,
}

impl Space {
    /// Creates the space of a PE, with empty tables.
    pub(crate) fn new(pe: Pe, layout: Layout, shown: Option<&'static AddressTable>) -> Self {
        let heap_bytes = AtomicU64::new(layout.segment.heap_bytes);
        Self { pe, layout, heap_bytes, table: AddressTable::new(), shown }
    }

    /// Fills the tables.
    pub(crate) fn show(&self) {
        let heaps = self.layout.heaps();
        let statics = self.layout.statics.table_entry(self.pe.pool().rank(), &self.layout.starts);
        self.tables().for_each(|table| table.open(&heaps, &statics));
    }

    /// Empties the tables.
    pub(crate) fn hide(&self) {
        self.tables().for_each(AddressTable::close);
    }

    fn tables(&self) -> impl Iterator<Item = &AddressTable> {
        iter::once(&self.table).chain(self.shown)
    }

    #[inline]
    pub(crate) fn pe(&self) -> &Pe {
        &self.pe
    }

    /// Returns the addresses at which the memory of PEs is mapped, for loads and stores of the processor.
    #[inline(always)]
    pub(crate) fn table(&self) -> &AddressTable {
        &self.table
    }

    pub(crate) fn segment(&self) -> Segment {
        self.layout.segment
    }

    /// Returns the present size of each PE's heap, in bytes.
    #[inline]
    pub(crate) fn heap_bytes(&self) -> u64 {
        self.heap_bytes.load(Ordering::Relaxed)
    }

    /// Sets the size of all PEs' heaps, after the memory was mapped.
    pub(crate) fn set_heap_bytes(&self, bytes: u64) {
        self.heap_bytes.store(bytes, Ordering::Relaxed);
        self.tables().for_each(|table| table.grow(bytes));
    }

    /// Returns the start of this PE's heap.
    pub(crate) fn heap_start(&self) -> *mut u8 {
        Gva(self.layout.own_heap).as_ptr()
    }

    /// Returns true if the heap is in the memory of an accelerator, which the processor does not touch.
    #[inline]
    pub(crate) fn is_in_device_memory(&self) -> bool {
        self.layout.segment.heap == MemKind::Device
    }

    /// Returns true if pointers passed to calls may point to the memory of an accelerator.
    #[inline]
    pub(crate) fn takes_device_memory(&self) -> bool {
        self.layout.takes_device_memory
    }

    /// Returns the copy engine for memory that may be an accelerator's; `None` if all is host memory.
    #[inline]
    pub(crate) fn mover(&self) -> Option<&dyn Mover> {
        if self.layout.takes_device_memory { self.pe.membership().devices().mover() } else { None }
    }

    /// Fails after the end, in a forked child, and if the heap is not accessible to the processor.
    ///
    /// # Errors
    /// `NotInit` · `InvalidParam` the heap is in the memory of an accelerator.
    pub(crate) fn check_host_memory(&self, operation: &'static str) -> Result<()> {
        self.pe.check(operation)?;
        if !self.is_in_device_memory() {
            return Ok(());
        }
        Err(Error::invalid(operation, "the symmetric heap is in the memory of an accelerator")
            .hint("locks and collective calls with data are for heaps in host memory; nothing was done"))
    }

    /// Returns true if there is such a PE, and it runs the same program.
    pub(crate) fn is_accessible_pe(&self, pe: i32) -> bool {
        let program = usize::try_from(pe).ok().and_then(|pe| self.layout.statics.program(pe));
        self.pe.is_open() && program.is_some_and(|program| program != Program::Other)
    }

    /// Returns the start of a PE's host memory here; 0 if it is not mapped here, there is no such PE, or this
    /// process is no longer a PE.
    fn host_start(&self, pe: u32) -> u64 {
        let start = self.layout.starts.get(pe as usize).filter(|_| self.pe.is_open());
        start.copied().unwrap_or(0)
    }
}
