// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The record for programs of the host, also in a process without an accelerator.

use mf_base::Result;
use mf_base::settings::settings;
use mf_base::sync::lock;

use super::record::{self, Layout, Record};
use super::{Engine, Kernels, Staging};
use crate::space::Space;

impl Kernels {
    /// Returns the record as kernels see it, in the layout of the selected generation. If kernels cannot use
    /// the heap, it has the fields that do not depend on them: the number of this PE, the address of its
    /// heap, the PEs that are mapped here, and the staging buffers.
    ///
    /// # Errors
    /// Errors of the settings.
    pub(crate) fn state_record(
        &self,
        space: &Space,
        staging: [Option<Staging>; Engine::ALL.len()],
    ) -> Result<Vec<u8>> {
        let (layout, record) = self.current_record(space, staging)?;
        let mut bytes = record.encode(layout);
        bytes.truncate(layout.bytes() as usize);
        Ok(bytes)
    }

    /// Returns the same as lines of text.
    ///
    /// # Errors
    /// Errors of the settings.
    pub(crate) fn state_lines(
        &self,
        space: &Space,
        staging: [Option<Staging>; Engine::ALL.len()],
    ) -> Result<String> {
        let (layout, record) = self.current_record(space, staging)?;
        Ok(record.lines(layout))
    }

    fn current_record(
        &self,
        space: &Space,
        staging: [Option<Staging>; Engine::ALL.len()],
    ) -> Result<(Layout, Record)> {
        Ok(match self.view() {
            Some(view) => (view.layout, lock(&view.record).clone()),
            None => {
                (Layout::for_generation(settings()?.symmetric_generation), record_of_host(space, staging))
            }
        })
    }
}

fn record_of_host(space: &Space, staging: [Option<Staging>; Engine::ALL.len()]) -> Record {
    let heap = space.heap_start();
    let reached = |pe: u32| {
        let is_mapped = !space.ptr(heap, pe.cast_signed()).is_null();
        if is_mapped { record::BY_MTE | record::BY_SDMA } else { 0 }
    };
    Record {
        my_pe: space.pe().my_pe(),
        n_pes: space.pe().n_pes(),
        heap_base: heap.addr() as u64,
        heap_bytes: space.heap_bytes(),
        reached_by: (0..space.pe().n_pes()).map(reached).collect(),
        engines: staging,
        ..Record::default()
    }
}
