// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exchange between a world and kernels.

use mf_base::{Error, Kind, Result};
use mf_device::Devices;

use super::{Engine, Staging};
use crate::World;
use crate::team::Team;

impl World {
    /// Returns true if kernels can use the heap: it is in the memory of an accelerator that runs kernels.
    /// **Local.**
    pub fn is_shown_to_kernels(&self) -> bool {
        self.kernels().is_some()
    }

    /// Returns the devices of this process. **Local.**
    pub fn devices(&self) -> &Devices {
        self.membership().devices()
    }

    /// Sets an engine's staging buffer, for kernels that start afterwards. **Local.** Does nothing if kernels
    /// cannot use the heap.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn set_staging(&self, engine: Engine, staging: Staging) -> Result<()> {
        self.kernels().map_or(Ok(()), |view| view.set_staging(engine, staging))
    }

    /// Returns the cycle counts of this PE's kernels, in their layout: 1,048,584 bytes. **Local.**
    ///
    /// # Errors
    /// `NotExist` kernels cannot use the heap · errors of the device.
    pub fn kernel_cycles(&self) -> Result<Vec<u8>> {
        let view = self.kernels().ok_or_else(|| {
            Error::new(Kind::NotExist, "cycles of kernels").what("kernels do not find the symmetric heap")
        })?;
        view.cycles()
    }

    /// Adds to an error of a launch the PE for which a kernel of this PE gave up waiting, if one did.
    /// **Local.**
    #[must_use]
    pub fn explain_launch(&self, error: Error, kernel: &str) -> Error {
        match self.kernels() {
            Some(view) => view.explain(error, kernel, 0),
            None => error,
        }
    }

    /// Shows the heap of another world, in host memory, to kernels of this one: one record describes both
    /// heaps. **Local.** Must be repeated after that heap has grown.
    pub fn show_host_heap_to_kernels(&self, second: &Self) {
        let Some(view) = self.kernels() else { return };
        let heap = second.heap_start();
        let start = |pe: u32| second.ptr(heap, pe.cast_signed()).addr() as u64;
        let starts: Vec<u64> = (0..second.n_pes()).map(start).collect();
        if let Err(error) = view.show_host_heap(heap.addr() as u64, second.heap_bytes(), &starts) {
            tracing::warn!("kernels do not find the symmetric heap in host memory: {error}");
        }
    }

    /// Shows a new team to kernels. **Collective** over the team.
    pub(crate) fn show_to_kernels(&self, operation: &'static str, team: &Team) {
        let Some(view) = self.kernels() else { return };
        if let Err(error) = view.show_team(operation, number_of(team), team, self.n_pes()) {
            tracing::warn!("{operation}: kernels do not find a team: {error}");
        }
    }

    pub(crate) fn hide_from_kernels(&self, team: &Team) {
        let hidden = self.kernels().map_or(Ok(()), |view| view.hide_team(number_of(team)));
        if let Err(error) = hidden {
            tracing::warn!("kernels still find a team that was destroyed: {error}");
        }
    }

    /// Shows the blocks in use to kernels.
    pub(crate) fn show_blocks_to_kernels(&self, blocks: impl ExactSizeIterator<Item = (u64, u64)>) {
        let shown = self.kernels().map_or(Ok(()), |view| view.show_blocks(self.heap_bytes(), blocks));
        if let Err(error) = shown {
            tracing::warn!("kernels do not find the blocks of the symmetric heap: {error}");
        }
    }
}

/// Returns the number of a team for kernels: CANN's numbering, which has one predefined team.
fn number_of(team: &Team) -> u64 {
    team.index().saturating_sub(usize::from(team.index() > 1)) as u64
}
