// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The record as text, for reports of failed tasks.

use super::Engine;
use super::record::{Layout, Record};

impl Record {
    /// Returns its fields as lines, each indented by two spaces. Addresses are the kernels'; 0: absent.
    pub(super) fn lines(&self, layout: Layout) -> String {
        let [device, rdma, sdma, host @ ..] = &self.arrays;
        let [host_mte, host_rdma, host_sdma] = host;
        let reached = self.reached_by.iter().filter(|route| **route != 0).count();
        let teams = (0..).zip(&self.teams).filter(|(_, at)| **at != 0);
        let teams: Vec<String> = teams.map(|(number, at)| format!("{number}@{at:#x}")).collect();
        let first: &[String] = teams.get(..teams.len().min(8)).unwrap_or_default();
        let mut text = format!(
            "  state bytes {} pe {} pes {} mapped {reached}\n\
             \x20 heap {:#x} bytes {} host heap {:#x} bytes {}\n\
             \x20 bases mte {device:#x} rdma {rdma:#x} sdma {sdma:#x} host {host_mte:#x} {host_rdma:#x} {host_sdma:#x}\n\
             \x20 teams {} {}\n\
             \x20 sync pool {:#x} counters {:#x} core pool {:#x} core counter {:#x} cycles {:#x}\n\
             \x20 queue pairs {} to each pe\n",
            layout.bytes(),
            self.my_pe,
            self.n_pes,
            self.heap_base,
            self.heap_bytes,
            self.host_heap.0,
            self.host_heap.1,
            teams.len(),
            first.join(" "),
            self.sync_pool,
            self.sync_counters,
            self.core_sync_pool,
            self.core_sync_counter,
            self.cycles,
            self.queue_pairs,
        );
        for (engine, set) in Engine::ALL.into_iter().zip(self.engines) {
            let staging = set.unwrap_or(engine.default_staging());
            text += &format!(
                "  engine {engine:?} offset {} bytes {} event {}\n",
                staging.offset, staging.bytes, staging.event
            );
        }
        text
    }
}
