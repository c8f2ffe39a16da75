// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a world tells kernels, and asks them.

use mf_base::{Error, Kind, Result};
use mf_device::Devices;

use super::{Engine, Staging};
use crate::World;
use crate::team::Team;

impl World {
    /// Whether kernels find the heap: it is in the memory of an accelerator that runs kernels. **Local.**
    pub fn is_shown_to_kernels(&self) -> bool {
        self.kernels().is_some()
    }

    /// The devices of this process. **Local.**
    pub fn devices(&self) -> &Devices {
        self.membership().devices()
    }

    /// Where an engine stages what it copies for kernels that begin afterwards. **Local.** Nothing where
    /// kernels do not find the heap.
    ///
    /// # Errors
    /// What the device refuses.
    pub fn set_staging(&self, engine: Engine, staging: Staging) -> Result<()> {
        self.kernels().map_or(Ok(()), |view| view.set_staging(engine, staging))
    }

    /// What kernels of this PE have counted, as they lay it out: 1,048,584 bytes. **Local.**
    ///
    /// # Errors
    /// `NotExist` kernels do not find the heap · what the device refuses.
    pub fn kernel_cycles(&self) -> Result<Vec<u8>> {
        let view = self.kernels().ok_or_else(|| {
            Error::new(Kind::NotExist, "cycles of kernels").what("kernels do not find the symmetric heap")
        })?;
        view.cycles()
    }

    /// An error of a launch, with the PE for which a kernel of this PE gave up waiting, if one did.
    /// **Local.**
    #[must_use]
    pub fn explain_launch(&self, error: Error, kernel: &str) -> Error {
        match self.kernels() {
            Some(view) => view.explain(error, kernel, 0),
            None => error,
        }
    }

    /// Shows the heap of another world, in host memory, to kernels of this one: what they find of both
    /// heaps is one record. **Local.** Again after that heap has grown.
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

/// The number of a team for kernels: that of CANN's family, which has one predefined team.
fn number_of(team: &Team) -> u64 {
    team.index().saturating_sub(usize::from(team.index() > 1)) as u64
}
