// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The windows of a pool in this process: mapped parts, and their exposure to the accelerator.
//!
//! Host memory that becomes a part of the pool is exposed to the accelerator right after it was mapped, and
//! concealed right before it is unmapped, in the same ranges in which it was mapped.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use mf_base::settings::settings;
use mf_base::sync::lock;
use mf_base::{Error, MemKind, Rank, Result};
use mf_device::{Device, Memory, Window};

use crate::space::Layout;
use crate::space::agree::{Agreed, Reserved};

const OP: &str = "map segment";

pub(super) struct Windows {
    layout: Layout,
    windows: Reserved,
    accelerator: Option<Arc<dyn Device>>,
    /// Address → bytes of the exposed ranges.
    exposed: Mutex<BTreeMap<u64, u64>>,
}

impl Windows {
    pub(super) fn new(agreed: Agreed, accelerator: Option<Arc<dyn Device>>) -> Self {
        let Agreed { layout, windows } = agreed;
        Self { layout, windows, accelerator, exposed: Mutex::default() }
    }

    /// Maps `range` of a rank's memory at its place. When it fails nothing is mapped there.
    ///
    /// # Errors
    /// Errors of the window and of the accelerator.
    ///
    /// # Safety
    /// Nobody accesses that part of the segment meanwhile, and nothing is mapped there.
    pub(super) unsafe fn map(
        &self,
        kind: MemKind,
        rank: Rank,
        memory: &dyn Memory,
        range: Range<u64>,
    ) -> Result<()> {
        let (window, base) = self.segment(kind, rank)?;
        let (offset, bytes) = (base + range.start, range.end - range.start);
        // SAFETY: the caller keeps others out of this part.
        unsafe { window.map(offset, memory, range) }?;
        if let (Some(accelerator), MemKind::Host) = (&self.accelerator, kind) {
            let address = window.base() + offset;
            // SAFETY: mapped above; it is concealed before it is unmapped.
            if let Err(error) = unsafe { accelerator.expose(address, bytes) } {
                // SAFETY: as for `map`.
                if let Err(error) = unsafe { window.unmap(offset, bytes) } {
                    tracing::warn!("memory that the accelerator refuses stays mapped: {error}");
                }
                return Err(error);
            }
            lock(&self.exposed).insert(address, bytes);
        }
        Ok(())
    }

    /// Unmaps all mappings in `range` of a rank's segment, which begins and ends where ranges given to
    /// [`map`](Self::map) did.
    ///
    /// # Errors
    /// Errors of the window.
    ///
    /// # Safety
    /// Nobody accesses that part of the segment any more.
    pub(super) unsafe fn unmap(&self, kind: MemKind, rank: Rank, range: Range<u64>) -> Result<()> {
        let (window, base) = self.segment(kind, rank)?;
        let start = window.base() + base;
        self.conceal(start + range.start..start + range.end);
        // SAFETY: passed on to the caller.
        unsafe { window.unmap(base + range.start, range.end - range.start) }
    }

    /// Makes a mapped part of a segment be in core files where the settings say so (`MF_CORE_FILES`).
    pub(super) fn include_in_dumps(&self, kind: MemKind, rank: Rank, range: Range<u64>) -> Result<()> {
        if !settings()?.core_files {
            return Ok(());
        }
        let (window, base) = self.segment(kind, rank)?;
        window.include_in_dumps(base + range.start, range.end - range.start)
    }

    /// Takes the pages of a mapped part of a segment from one NUMA node as they are touched.
    pub(super) fn bind_to_node(&self, kind: MemKind, rank: Rank, range: Range<u64>, node: u32) -> Result<()> {
        let (window, base) = self.segment(kind, rank)?;
        window.bind_to_node(base + range.start, range.end - range.start, node)
    }

    /// Gives a window up without a call on the accelerator: its memory stays mapped, and exposed.
    pub(super) fn abandon(&mut self, kind: MemKind) {
        self.exposed.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        std::mem::forget(self.windows[kind.index()].take());
    }

    /// The window of a kind and where in it the segment of a rank begins.
    fn segment(&self, kind: MemKind, rank: Rank) -> Result<(&dyn Window, u64)> {
        let window = self.windows[kind.index()].as_deref();
        window
            .zip(self.layout.segment_offset(kind, rank))
            .ok_or_else(|| Error::invalid(OP, "no such segment").with("kind", kind).with("rank", rank))
    }

    fn conceal(&self, range: Range<u64>) {
        let Some(accelerator) = &self.accelerator else { return };
        let mut exposed = lock(&self.exposed);
        let gone: Vec<(u64, u64)> = exposed.range(range).map(|(address, bytes)| (*address, *bytes)).collect();
        for (address, bytes) in gone {
            exposed.remove(&address);
            accelerator.conceal(address, bytes);
        }
    }
}

impl Drop for Windows {
    /// The windows unmap their memory when they are dropped, which is after this.
    fn drop(&mut self) {
        self.conceal(0..u64::MAX);
    }
}
