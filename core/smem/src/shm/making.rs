// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How a rank makes its part of an object, and all learn whether all could.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::settings;
use mf_base::{Error, Kind, Rank, Result, interrupt};
use mf_fabric::device::{Device, Devices};
use mf_fabric::pool::{Options as PoolOptions, Pool as FabricPool};
use mf_fabric::space::{Places, Shape};
use mf_fabric::transport::Network;
use mf_fabric::transport::choice::Request;
use mf_store::Store;

use super::control::{self, Control};
use super::options::{OBJECTS_MAX, Options};
use crate::bm::POOLS_MAX;
use crate::job::preferred_base;

const OP: &str = "shm create";
/// The store notices within it that a process has died, unless its host has gone silent.
const DYING: Duration = Duration::from_secs(1);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(10);
/// Longest text that a rank tells the others.
const TEXT_BYTES_MAX: usize = 2048;

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
    /// Makes the own part and maps those of the others. **Collective**: all fail when one does, for its reason.
    pub(super) fn make(&self) -> Result<Part> {
        let made = self.check_unused().and_then(|()| self.make_own());
        let voted = self.vote(made.as_ref().map(|part| part.nonce));
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
        let nonce = random()?;
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
        let pool = self.open(control_pool(self.options.id), control::area_bytes(device.windows()?))?;
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

    /// Refuses an id that other ranks of the job have in use. What a rank had that has just died goes away in a moment.
    fn check_unused(&self) -> Result<()> {
        let patience = self.deadline.min(Instant::now() + DYING);
        while let Some(rank) = self.other_user()? {
            if Instant::now() >= patience {
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

    /// Tells all ranks whether this one could make its part; the first rank that could not says why. Gives the number that
    /// rank 0 found for the object.
    fn vote(&self, own: std::result::Result<u64, &Error>) -> Result<u64> {
        let ballot = match own {
            Ok(nonce) => nonce.to_le_bytes().to_vec(),
            Err(error) => {
                let text = error.to_string();
                let text = text.as_bytes();
                let text = text.get(..TEXT_BYTES_MAX).unwrap_or(text);
                [&[0; size_of::<u64>()], &error.code().to_le_bytes()[..], text].concat()
            }
        };
        let name = format!(".mf/shm/{}/made", self.options.id);
        let ballots = self.store.allgather(&name, self.options.rank_size, &ballot, self.deadline)?;
        let mut object = 0;
        for place in (0..self.options.rank_size).map(Rank) {
            let rank = self.ranks.get(place.0 as usize).copied().unwrap_or(place);
            let failed = || Error::new(Kind::Failed, OP).with("id", self.options.id).with("rank", rank);
            let ballot = ballots.iter().find(|ballot| ballot.rank == rank);
            let Some((nonce, reason)) = ballot.and_then(|ballot| ballot.value.split_first_chunk()) else {
                return Err(failed().what("a rank that is not of this object has taken part"));
            };
            if let Some((code, text)) = reason.split_first_chunk() {
                let code = i32::from_le_bytes(*code);
                let kind = Kind::ALL.iter().copied().find(|kind| kind.code() == code);
                return Err(Error::new(kind.unwrap_or(Kind::Failed), OP)
                    .what("a rank could not make its part")
                    .with("id", self.options.id)
                    .with("place", place)
                    .with("rank", rank)
                    .with("reason", String::from_utf8_lossy(text)));
            }
            if place == Rank(0) {
                object = u64::from_le_bytes(*nonce);
            }
        }
        Ok(object)
    }
}

fn random() -> Result<u64> {
    let mut nonce = [0; 8];
    rustix::rand::getrandom(&mut nonce, rustix::rand::GetRandomFlags::empty())
        .map_err(|errno| Error::os(OP, errno))?;
    Ok(u64::from_le_bytes(nonce))
}
