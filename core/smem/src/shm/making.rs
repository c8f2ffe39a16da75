// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How a rank makes its part of an object, and all learn whether all could.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::os::random;
use mf_base::settings::settings;
use mf_base::{Error, Kind, Rank, Result, interrupt};
use mf_fabric::device::{Device, Devices};
use mf_fabric::objects::{Control, control_bytes, vote};
use mf_fabric::pool::{Options as PoolOptions, Pool as FabricPool};
use mf_fabric::space::{Places, Shape};
use mf_fabric::transport::Network;
use mf_fabric::transport::choice::Request;
use mf_store::Store;

use super::options::{OBJECTS_MAX, Options};
use crate::bm::POOLS_MAX;
use crate::job::preferred_base;

const OP: &str = "shm create";
/// The store notices within it that a process has died, unless its host has gone silent.
const DYING: Duration = Duration::from_secs(1);
/// Between two polls.
const PAUSE: Duration = Duration::from_millis(10);

/// What is needed to make a part.
pub(super) struct Maker<'a> {
    pub(super) store: &'a Arc<dyn Store>,
    pub(super) devices: &'a Devices,
    pub(super) network: Option<&'a Arc<Network>>,
    /// Ranks in the job by places.
    pub(super) ranks: &'a [Rank],
    pub(super) options: &'a Options,
    pub(super) control_timeout: Duration,
    pub(super) deadline: Instant,
}

/// The pools of an object, joined.
pub(super) struct Part {
    pub(super) pool: Arc<FabricPool>,
    pub(super) control: Option<Control>,
    /// Names this object among all that have had its id; the same in all ranks.
    pub(super) nonce: u64,
}

impl Part {
    pub(super) fn destroy(&self) {
        if let Some(control) = &self.control {
            control.pool().destroy();
        }
        self.pool.destroy();
    }
}

/// Number of the pool that holds the memory of an object: behind those of big memory.
fn memory_pool(id: u32) -> u32 {
    POOLS_MAX + id
}

/// Number of the pool that holds its control areas.
fn control_pool(id: u32) -> u32 {
    POOLS_MAX + OBJECTS_MAX + id
}

impl Maker<'_> {
    /// Makes the own part and maps those of the others. **Collective**: all fail when one does, for its
    /// reason.
    pub(super) fn make(&self) -> Result<Part> {
        let made = self.check_unused().and_then(|()| self.make_own());
        let name = format!(".mf/shm/{}/made", self.options.id);
        let own = made.as_ref().map(|part| part.nonce);
        let voted = vote(&**self.store, OP, (&name, self.options.id), self.ranks, own, self.deadline);
        match (made, voted) {
            (Ok(part), Ok(nonce)) => Ok(Part { nonce, ..part }),
            (Ok(part), Err(error)) => {
                part.destroy();
                Err(error)
            }
            (Err(error), _) => Err(error),
        }
    }

    fn make_own(&self) -> Result<Part> {
        let nonce = u64::from_le_bytes(random(OP)?);
        let pool = self.open(memory_pool(self.options.id), self.options.local_bytes)?;
        let mut part = Part { pool, control: None, nonce };
        let joined = self.make_control().and_then(|control| {
            part.control = control;
            part.pool.join()
        });
        let joined =
            joined.and_then(|()| part.control.as_ref().map_or(Ok(()), |control| control.pool().join()));
        match joined {
            Ok(()) => Ok(part),
            Err(error) => {
                part.destroy();
                Err(error)
            }
        }
    }

    /// Only where kernels run: without them nobody reads it.
    fn make_control(&self) -> Result<Option<Control>> {
        let accelerator = self.devices.accelerator();
        let runs_kernels =
            |device: &&Arc<dyn Device>| device.windows().is_ok_and(|it| !it.fixed_addresses().is_empty());
        let Some(device) = accelerator.filter(runs_kernels) else {
            return Ok(None);
        };
        let pool = self.open(control_pool(self.options.id), control_bytes(device.windows()?))?;
        Control::begin(pool, device, self.control_timeout).map(Some)
    }

    fn open(&self, number: u32, bytes: u64) -> Result<Arc<FabricPool>> {
        let settings = settings()?;
        FabricPool::open(
            self.devices.clone(),
            Arc::clone(self.store),
            &PoolOptions {
                id: number,
                shape: Shape { world: self.options.rank_size, max_bytes: [bytes, 0] },
                places: Places::of(self.ranks)?,
                own_bytes: [bytes, 0],
                host_descriptor: None,
                numa_node: None,
                preferred_base: preferred_base(OP)?,
                prefault: settings.prefault,
                queue_depth: settings.async_depth as usize,
                network: self.network.cloned(),
                shared_memory: settings.shared_memory,
                create_timeout: self.deadline.saturating_duration_since(Instant::now()),
                control_timeout: self.control_timeout,
                engines: Request::default(),
            },
        )
    }

    /// Refuses an id that other ranks of the job have in use. What a rank had that has just died goes away in
    /// a moment.
    fn check_unused(&self) -> Result<()> {
        let until = self.deadline.min(Instant::now() + DYING);
        while let Some(rank) = self.other_user()? {
            if Instant::now() >= until {
                return Err(Error::new(Kind::Duplicated, OP)
                    .what("other ranks of the job have an object of this id")
                    .with("id", self.options.id)
                    .with("rank", rank)
                    .hint(
                        "an id names one object of the whole job: use another, or destroy that one first",
                    ));
            }
            interrupt::sleep(OP, PAUSE)?;
        }
        Ok(())
    }

    /// A rank that is not of this object and has one of its id.
    fn other_user(&self) -> Result<Option<Rank>> {
        let prefix = format!(".mf/pool/{}/open/", memory_pool(self.options.id));
        let holders = self.store.list(&prefix)?.entries;
        let mut ranks =
            holders.iter().filter_map(|entry| entry.key.strip_prefix(&prefix)?.parse().ok().map(Rank));
        Ok(ranks.find(|rank| !self.ranks.contains(rank)))
    }
}
