// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The view of kernels, as a world holds it: absent if kernels cannot use the heap.

use std::sync::{Arc, Mutex};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::{Engine, Staging, View};
use crate::team::Team;

/// Interface of a world to kernels, until the world ends.
pub(crate) struct Kernels(Mutex<Option<Arc<View>>>);

impl Kernels {
    pub(crate) fn new(view: Option<View>) -> Self {
        Self(Mutex::new(view.map(Arc::new)))
    }

    /// Returns the view; `None` if kernels cannot use the heap.
    pub(super) fn view(&self) -> Option<Arc<View>> {
        lock(&self.0).clone()
    }

    /// Drops the view.
    pub(crate) fn end(&self) {
        drop(lock(&self.0).take());
    }

    /// Returns true if kernels can use the heap: it is in the memory of an accelerator that runs kernels.
    pub(crate) fn is_shown(&self) -> bool {
        self.view().is_some()
    }

    /// Sets an engine's staging buffer, for kernels that start afterwards.
    pub(crate) fn set_staging(&self, engine: Engine, staging: Staging) -> Result<()> {
        self.view().map_or(Ok(()), |view| view.set_staging(engine, staging))
    }

    /// Returns the cycle counts of this PE's kernels, in their layout.
    pub(crate) fn cycles(&self) -> Result<Vec<u8>> {
        let view = self.view().ok_or_else(|| {
            Error::new(Kind::NotExist, "cycles of kernels").what("kernels do not find the symmetric heap")
        })?;
        view.cycles()
    }

    /// Adds to an error of a launch the PE for which a kernel of this PE gave up waiting, if one did.
    pub(crate) fn explain_launch(&self, error: Error, kernel: &str) -> Error {
        match self.view() {
            Some(view) => view.explain(error, kernel, 0),
            None => error,
        }
    }

    /// Notes that the program has the address of the heap.
    pub(crate) fn show_base_known(&self) {
        if let Err(error) = self.view().map_or(Ok(()), |view| view.show_base_known()) {
            tracing::warn!("kernels still fault where the symmetric heap has no block: {error}");
        }
    }

    /// Shows a heap in host memory: start of the own part, length, and start of each PE's part here, which
    /// `starts` computes.
    pub(crate) fn show_host_heap(&self, own: u64, bytes: u64, starts: impl FnOnce() -> Vec<u64>) {
        let Some(view) = self.view() else { return };
        if let Err(error) = view.show_host_heap(own, bytes, &starts()) {
            tracing::warn!("kernels do not find the symmetric heap in host memory: {error}");
        }
    }

    /// Shows a new team to kernels. **Collective** over the team.
    pub(crate) fn show_team(&self, operation: &'static str, team: &Team, n_pes: u32) {
        let Some(view) = self.view() else { return };
        if let Err(error) = view.show_team(operation, number_of(team), team, n_pes) {
            tracing::warn!("{operation}: kernels do not find a team: {error}");
        }
    }

    /// Removes a team.
    pub(crate) fn hide_team(&self, team: &Team) {
        let hidden = self.view().map_or(Ok(()), |view| view.hide_team(number_of(team)));
        if let Err(error) = hidden {
            tracing::warn!("kernels still find a team that was destroyed: {error}");
        }
    }

    /// Shows the length of the heap, and the blocks in use.
    pub(crate) fn show_blocks(&self, heap_bytes: u64, blocks: impl ExactSizeIterator<Item = (u64, u64)>) {
        let shown = self.view().map_or(Ok(()), |view| view.show_blocks(heap_bytes, blocks));
        if let Err(error) = shown {
            tracing::warn!("kernels do not find the blocks of the symmetric heap: {error}");
        }
    }
}

/// Returns the number of a team for kernels: CANN's numbering, which has one predefined team.
fn number_of(team: &Team) -> u64 {
    team.index().saturating_sub(usize::from(team.index() > 1)) as u64
}
