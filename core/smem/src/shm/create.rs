// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective creation: each rank makes its part of an object, and all agree on the outcome.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::os::random;
use mf_base::{Error, Kind, Rank, Result, interrupt};
use mf_device::Device;
use mf_fabric::objects::{Control, control_bytes, vote};
use mf_fabric::pool::{Options as PoolOptions, Pool as FabricPool};
use mf_fabric::space::{Places, Shape};
use mf_job::Membership;
use mf_job::id_ranges::Number;
use mf_store::Store;

use super::options::Options;

const OP: &str = "shm create";
/// The store notices within it that a process has died, unless its host has gone silent.
const DYING: Duration = Duration::from_secs(1);
/// Between two polls.
const PAUSE: Duration = Duration::from_millis(10);
/// Pool of an object's memory, among the pools of its number.
const MEMORY: u32 = 0;
/// The pool that holds its control areas.
const CONTROL: u32 = 1;

/// Inputs for the creation of a part.
pub(super) struct Maker<'a> {
    pub(super) membership: &'a Membership,
    pub(super) store: &'a Arc<dyn Store>,
    /// Ranks in the job by places.
    pub(super) ranks: &'a [Rank],
    pub(super) options: &'a Options,
    pub(super) number: Number,
    pub(super) deadline: Instant,
}

/// The pools of an object, joined.
pub(super) struct ObjectPart {
    pub(super) pool: Arc<FabricPool>,
    pub(super) control: Option<Control>,
    /// Names this object among all that have had its id; the same in all ranks.
    pub(super) nonce: u64,
}

impl ObjectPart {
    pub(super) fn destroy(&self) {
        if let Some(control) = &self.control {
            control.pool().destroy();
        }
        self.pool.destroy();
    }
}

impl Maker<'_> {
    /// Makes the own part and maps the parts of the others. **Collective**: all fail when one does, for its
    /// reason.
    pub(super) fn make(&self) -> Result<ObjectPart> {
        let made = self.check_unused().and_then(|()| self.make_own());
        let name = format!(".mf/shm/{}/made", self.options.id);
        let own = made.as_ref().map(|part| part.nonce);
        let voted = vote(&**self.store, OP, (&name, self.options.id), self.ranks, own, self.deadline);
        match (made, voted) {
            (Ok(part), Ok(nonce)) => Ok(ObjectPart { nonce, ..part }),
            (Ok(part), Err(error)) => {
                part.destroy();
                Err(error)
            }
            (Err(error), _) => Err(error),
        }
    }

    fn make_own(&self) -> Result<ObjectPart> {
        let nonce = u64::from_le_bytes(random(OP)?);
        let pool = self.open(MEMORY, self.options.local_bytes)?;
        let mut part = ObjectPart { pool, control: None, nonce };
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

    /// Only where kernels run: without them it is never read.
    fn make_control(&self) -> Result<Option<Control>> {
        let accelerator = self.membership.devices().accelerator();
        let runs_kernels =
            |device: &&Arc<dyn Device>| device.windows().is_ok_and(|it| !it.fixed_addresses().is_empty());
        let Some(device) = accelerator.filter(runs_kernels) else {
            return Ok(None);
        };
        let pool = self.open(CONTROL, control_bytes(device.windows()?))?;
        Control::begin(pool, device, self.membership.control_timeout()).map(Some)
    }

    fn open(&self, part: u32, bytes: u64) -> Result<Arc<FabricPool>> {
        let shape = Shape { world: self.options.rank_size, max_bytes: [bytes, 0] };
        let (number, places) = (self.number.pool(part), Places::from_ranks(self.ranks)?);
        FabricPool::open(
            self.membership.devices().clone(),
            Arc::clone(self.store),
            &PoolOptions {
                own_bytes: [bytes, 0],
                create_timeout: self.deadline.saturating_duration_since(Instant::now()),
                ..self.membership.pool_options(OP, number, shape, places)?
            },
        )
    }

    /// Refuses an id that other ranks of the job have in use. Objects of a rank that has just died go away in
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
        let prefix = format!(".mf/pool/{}/open/", self.number.pool(MEMORY));
        let holders = self.store.list(&prefix)?.entries;
        let mut ranks =
            holders.iter().filter_map(|entry| entry.key.strip_prefix(&prefix)?.parse().ok().map(Rank));
        Ok(ranks.find(|rank| !self.ranks.contains(rank)))
    }
}
