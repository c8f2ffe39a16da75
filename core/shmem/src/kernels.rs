// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Interface to kernels, for a symmetric heap in device memory: an [area] before it, and a [record] in the
//! context page of the meta area, which names all other parts and is rewritten after every change.
//!
//! Kernels meet in the control area, like kernels of share memory objects; a kernel that gives up waiting
//! leaves a report there.

mod area;
mod export;
mod kernel_view;
mod record;
mod report;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use mf_base::settings::settings;
use mf_base::sync::lock;
use mf_base::{Error, MemKind, Rank, Result};
use mf_device::kernels::Target;
use mf_device::{Device, Devices};
use mf_fabric::objects::{self, Control, MetaArea, Shown};
use mf_fabric::pool::Pool;

use crate::segment::AREA_BYTES;
use crate::team::Team;
pub(crate) use kernel_view::Kernels;
pub use record::{Engine, Staging};
use record::{Layout, Record};

/// State of one heap for kernels.
pub(crate) struct View {
    control: Control,
    shown: Shown,
    layout: Layout,
    /// True if kernels here check addresses against the blocks in use: the simulator's do.
    is_checked: bool,
    record: Mutex<Record>,
    /// Start of the own part of the memory.
    own: u64,
}

impl View {
    /// Shows the heap of a pool to kernels, in record `id`, with this many queue pairs to each PE. Returns
    /// `None` if kernels cannot use it, which is logged.
    pub(crate) fn begin(
        devices: &Devices,
        pool: &Arc<Pool>,
        control: Control,
        (id, queue_pairs): (u32, u32),
        n_pes: u32,
    ) -> Option<Self> {
        let begun =
            devices.accelerator().map(|device| Self::make(device, pool, control, (id, queue_pairs), n_pes));
        match begun? {
            Ok(view) => view,
            Err(error) => {
                tracing::warn!("kernels do not find the symmetric heap: {error}");
                None
            }
        }
    }

    fn make(
        device: &Arc<dyn Device>,
        pool: &Arc<Pool>,
        control: Control,
        (id, queue_pairs): (u32, u32),
        n_pes: u32,
    ) -> Result<Option<Self>> {
        let Some(meta) = MetaArea::get_or_create(device)? else { return Ok(None) };
        let layout = Layout::for_generation(settings()?.symmetric_generation);
        let own = pool.address(MemKind::Device, pool.rank())?.0;
        let meta_record = meta.show(&objects::Record {
            id,
            rank: pool.rank().0,
            rank_size: n_pes,
            context_bytes: 0,
            symmetric_bytes: control.stride(),
            base: control.base(),
            control_base: control.base(),
            control_stride: control.stride(),
        })?;
        let starts: Vec<u64> = (0..n_pes)
            .map(|pe| pool.mapped(MemKind::Device, Rank(pe)).map_or(0, |(start, _)| start.0))
            .collect();
        let reached = |start: &u64| if *start == 0 { 0 } else { record::BY_MTE | record::BY_SDMA };
        let array = own + area::ARRAYS_AT;
        let record = Record {
            my_pe: pool.rank().0,
            n_pes,
            heap_base: own,
            heap_bytes: pool.local_bytes(MemKind::Device),
            // All engines use the same addresses; a heap in host memory is added later.
            arrays: [array, array, array, 0, 0, 0],
            reached_by: starts.iter().map(reached).collect(),
            teams: vec![0; record::TEAMS],
            sync_pool: own + area::SYNC_POOL_AT,
            sync_counters: own + area::SYNC_COUNTERS_AT,
            core_sync_pool: own + area::CORE_SYNC_POOL_AT,
            core_sync_counter: own + area::CORE_SYNC_COUNTER_AT,
            cycles: own + area::CYCLES_AT,
            first_block: AREA_BYTES,
            queue_pairs,
            ..Record::default()
        };
        let kernels = device.kernels().map(mf_device::kernels::Kernels::target);
        let is_checked = matches!(kernels, Some(Target::Simulator));
        let view = Self { control, shown: meta_record, layout, is_checked, record: Mutex::new(record), own };
        let starts: Vec<u8> = starts.into_iter().flat_map(u64::to_le_bytes).collect();
        view.control.put(area::ARRAYS_AT, &starts)?;
        view.control.put(area::CYCLES_AT, &pool.rank().0.to_le_bytes())?;
        view.change(|_| ())?;
        Ok(Some(view))
    }

    /// Changes the record, and rewrites it.
    fn change(&self, change: impl FnOnce(&mut Record)) -> Result<()> {
        let mut record = lock(&self.record);
        change(&mut record);
        self.shown.set_context(&record.encode(self.layout))
    }

    /// Sets an engine's staging buffer, for kernels that start afterwards.
    pub(crate) fn set_staging(&self, engine: Engine, staging: Staging) -> Result<()> {
        self.change(|record| record.engines[engine as usize] = Some(staging))
    }

    /// Adds a heap in host memory: start of the own part, length, and start of each PE's part here (0 if not
    /// mapped).
    pub(crate) fn show_host_heap(&self, own: u64, bytes: u64, starts: &[u64]) -> Result<()> {
        let array: Vec<u8> = starts.iter().flat_map(|start| start.to_le_bytes()).collect();
        self.control.put(area::HOST_ARRAY_AT, &array)?;
        self.change(|record| {
            record.host_heap = (own, bytes);
            let [_, _, _, host @ ..] = &mut record.arrays;
            host.fill(self.own + area::HOST_ARRAY_AT);
        })
    }

    /// Notes that the program has the address of the heap, so that addresses in no block are no mistake.
    pub(crate) fn show_base_known(&self) -> Result<()> {
        if lock(&self.record).is_base_known {
            return Ok(());
        }
        self.change(|record| record.is_base_known = true)
    }

    /// Sets the length of the heap, and the blocks in use (offset from its start, bytes).
    pub(crate) fn show_blocks(
        &self,
        heap_bytes: u64,
        blocks: impl ExactSizeIterator<Item = (u64, u64)>,
    ) -> Result<()> {
        let count = blocks.len();
        let mut list = None;
        if self.is_checked && count <= area::BLOCKS_MOST {
            let bytes: Vec<u8> =
                blocks.flat_map(|(at, bytes)| [at + AREA_BYTES, bytes]).flat_map(u64::to_le_bytes).collect();
            self.control.put(area::BLOCKS_AT, &bytes)?;
            list = Some((self.own + area::BLOCKS_AT, count as u64));
        } else if !self.is_checked && lock(&self.record).heap_bytes == heap_bytes + AREA_BYTES {
            return Ok(());
        }
        self.change(|record| {
            record.blocks = list;
            record.heap_bytes = heap_bytes + AREA_BYTES;
        })
    }

    /// Shows a team to kernels, under its number in the list of this PE. **Collective** over the team: its
    /// members exchange the indices of their arrays in the sync pools.
    pub(crate) fn show_team(
        &self,
        operation: &'static str,
        number: u64,
        team: &Team,
        n_pes: u32,
    ) -> Result<()> {
        let (array, array_bytes) = area::sync_array(number);
        let (counter, counter_bytes) = area::sync_counter(number);
        let cleared = self.control.put(array, &zeroes(array_bytes));
        let cleared = cleared.and_then(|()| self.control.put(counter, &zeroes(counter_bytes)));
        let own = u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
        let mut slots = vec![0; own.len() * team.members().len()];
        // Also for a PE that failed: the others wait for it.
        team.group().allgather(&own, &mut slots, team.deadline())?;
        cleared?;
        let Some(at) = area::team(number, n_pes.into()) else {
            tracing::warn!("{operation}: kernels do not find team {number}: no room for its description");
            return Ok(());
        };
        let (head, tables) = describe(team, number, n_pes);
        for (at, bytes) in area::team_tables(at).into_iter().zip(&tables).chain([(at, &head)]) {
            self.control.put(at, bytes)?;
        }
        self.control.put(at + area::TEAM_SLOTS_AT, &slots)?;
        self.change(|record| set_team(record, number, self.own + at))
    }

    /// Removes a team from the record.
    pub(crate) fn hide_team(&self, number: u64) -> Result<()> {
        self.change(|record| set_team(record, number, 0))
    }

    /// Reads the cycle counts of kernels: bytes of a number and 64 blocks.
    pub(crate) fn cycles(&self) -> Result<Vec<u8>> {
        let mut bytes = zeroes(area::CYCLES_BYTES);
        self.control.get(area::CYCLES_AT, &mut bytes)?;
        Ok(bytes)
    }

    /// Adds the reason to an error of the last kernel, if it gave up waiting for a PE.
    pub(crate) fn explain(&self, error: Error, kernel: &str, id: u32) -> Error {
        self.control.explain(error, kernel, id)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if let Err(error) = self.control.end_waits() {
            tracing::debug!("kernels may wait on a symmetric heap that ends: {error}");
        }
    }
}

fn set_team(record: &mut Record, number: u64, address: u64) {
    if let Some(team) = usize::try_from(number).ok().and_then(|number| record.teams.get_mut(number)) {
        *team = address;
    }
}

fn zeroes(bytes: u64) -> Vec<u8> {
    vec![0; usize::try_from(bytes).unwrap_or_default()]
}

/// Encodes the description of a team, and its two tables: from its numbers to the world's, and back.
fn describe(team: &Team, number: u64, n_pes: u32) -> (Vec<u8>, [Vec<u8>; 2]) {
    let start = team.world_pe(0).unwrap_or(0);
    let stride = team.world_pe(1).map_or(1, |second| second - start);
    let number = i32::try_from(number).unwrap_or(-1);
    let head = [team.my_pe(), start, stride, team.n_pes(), number];
    let mut head: Vec<u8> = head.into_iter().flat_map(i32::to_le_bytes).collect();
    head.extend_from_slice(&zeroes(area::TEAM_HEAD_BYTES - head.len() as u64));
    let there: BTreeMap<u32, i32> = (0..).zip(team.members()).map(|(pe, rank)| (rank.0, pe)).collect();
    let forth = team.members().iter().flat_map(|rank| rank.0.to_le_bytes()).collect();
    let back = (0..n_pes).flat_map(|pe| there.get(&pe).copied().unwrap_or(-1).to_le_bytes()).collect();
    (head, [forth, back])
}
