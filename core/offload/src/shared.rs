// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool of all ranks of a job: one address space of equal slots, of which each rank backs its own.
//!
//! 1. The ranks meet at the store, and compare their terms; all fail if two differ ([`compare`]).
//! 2. Each opens its part of a pool of the fabric and joins; [`vote()`]: all learn whether all succeeded.
//! 3. Each checks that it reaches the slots of all others, and a second vote makes that common.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use mf_base::settings::settings;
use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_device::Devices;
use mf_fabric::objects::{gather, vote};
use mf_fabric::pool::{Options as PoolOptions, Pool as FabricPool};
use mf_fabric::space::{Places, Shape};
use mf_job::id_ranges::OFFLOAD;
use mf_job::{Config as JobConfig, Membership, Tenant};
use mf_store::Store;
use serde::{Deserialize, Serialize};

use crate::config::{Config, Sizes};

const OP: &str = "offload init";
const TENANT: Tenant = Tenant::new("offload");
/// The store names the object by it in votes.
const ID: u32 = 0;

/// Terms that all ranks must share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Terms {
    slot_bytes: u64,
    world_size: u32,
    ranks_per_machine: u32,
    /// Chip of the accelerator; empty without one.
    chip: String,
}

/// The part of this process. Dropping it leaves the job.
pub(crate) struct Shared {
    pool: Arc<FabricPool>,
    membership: Membership,
    slot: u64,
}

impl Shared {
    /// Joins the job and makes the pool; `prepare` runs before the ranks vote on it. **Collective** over all
    /// ranks.
    ///
    /// # Errors
    /// `InvalidParam` terms of two ranks differ, which are named in all ranks · `Timeout` names the missing
    /// ranks, or the store was not there · `Duplicated` the rank is taken · `InUse` the store's port is ·
    /// `OutOfMemory`, `NoResources` and errors of `prepare` of any rank · `NotConnected` the slot of a rank
    /// is on another machine.
    pub(crate) fn join<T>(
        config: &Config,
        sizes: Sizes,
        prepare: impl FnOnce(&Devices) -> Result<T>,
    ) -> Result<(Self, T)> {
        let url = config.url(&settings()?.store_url)?;
        let is_first = config.rank == 0;
        let job = JobConfig::new(url, config.world_size)
            .rank(Rank(config.rank))
            .device(u16::try_from(config.device).unwrap_or(u16::MAX))
            .start_store(is_first)
            .init_timeout(if is_first { config.timeout } else { config.timeout / 2 })
            .create_timeout(config.timeout)
            .control_timeout(config.timeout);
        let membership = Membership::begin(TENANT, job, OP)?;
        let deadline = Instant::now() + config.timeout;
        let store = Arc::clone(membership.store(OP)?);
        let own = Terms {
            slot_bytes: sizes.slot,
            world_size: config.world_size,
            ranks_per_machine: config.ranks_per_machine(),
            chip: chip(membership.devices()),
        };
        let ranks: Vec<Rank> = (0..config.world_size).map(Rank).collect();
        compare(&gather(&*store, OP, ".mf/offload/terms", config.world_size, &own, deadline)?)?;
        let opened = prepare(membership.devices())
            .and_then(|ready| Ok((open(&membership, &store, sizes, config.world_size)?, ready)));
        let in_vote = |name, made: std::result::Result<u64, &Error>| {
            vote(&*store, OP, (name, ID), &ranks, made, deadline)
        };
        let voted = in_vote(".mf/offload/made", opened.as_ref().map(|_| 0));
        let (pool, ready) = match (opened, voted) {
            (Ok(made), Ok(_)) => made,
            (Ok((pool, _)), Err(error)) => {
                pool.destroy();
                return Err(error);
            }
            (Err(error), _) => return Err(error),
        };
        let reached = reach_all(&pool, &ranks);
        let voted = in_vote(".mf/offload/reached", reached.as_ref().map(|()| 0));
        if let Err(error) = reached.and(voted.map(drop)) {
            pool.destroy();
            return Err(error);
        }
        Ok((Self { pool, membership, slot: sizes.slot }, ready))
    }

    pub(crate) fn devices(&self) -> &Devices {
        self.membership.devices()
    }

    /// Address of slot 0, the same in all ranks.
    pub(crate) fn base(&self) -> Result<u64> {
        Ok(self.pool.address(MemKind::Host, Rank(0))?.0)
    }

    /// Bytes from slot to slot.
    pub(crate) fn stride(&self) -> u64 {
        self.slot
    }

    /// Address of the own slot.
    pub(crate) fn own(&self) -> Result<u64> {
        Ok(self.pool.address(MemKind::Host, self.pool.rank())?.0)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.pool.destroy();
        self.membership.leave();
    }
}

fn open(
    membership: &Membership,
    store: &Arc<dyn Store>,
    sizes: Sizes,
    world: u32,
) -> Result<Arc<FabricPool>> {
    let shape = Shape { world, max_bytes: [0, sizes.slot] };
    let number = OFFLOAD.number(OP, ID)?.pool(0);
    let pool = FabricPool::open(
        membership.devices().clone(),
        Arc::clone(store),
        &PoolOptions {
            own_bytes: [0, sizes.own],
            // Others may still read the memory of a rank that has just ended.
            keep_mappings: true,
            ..membership.pool_options(OP, number, shape, Places::all())?
        },
    )?;
    match pool.join() {
        Ok(()) => Ok(pool),
        Err(error) => {
            pool.destroy();
            Err(error)
        }
    }
}

/// Refuses ranks without memory mapped here.
fn reach_all(pool: &FabricPool, ranks: &[Rank]) -> Result<()> {
    for rank in ranks.iter().filter(|rank| **rank != pool.rank()) {
        match pool.with_mapped(MemKind::Host, *rank, |_, _| Ok(())) {
            // It contributes nothing.
            Err(error) if error.kind() == Kind::NotExist => {}
            Err(error) => {
                return Err(Error::new(Kind::NotConnected, OP)
                    .what("the slot of a rank is not mapped here")
                    .with("rank", rank)
                    .hint("all ranks of a pool of scene SHARED run on one machine")
                    .source(error));
            }
            Ok(()) => {}
        }
    }
    Ok(())
}

/// Refuses terms that differ from rank 0's, with the same error in all ranks.
fn compare(offers: &BTreeMap<Rank, Terms>) -> Result<()> {
    let Some((first, wanted)) = offers.first_key_value() else { return Ok(()) };
    for (rank, terms) in offers {
        let pairs = [
            ("reserve_size", wanted.slot_bytes.to_string(), terms.slot_bytes.to_string()),
            ("world_size", wanted.world_size.to_string(), terms.world_size.to_string()),
            ("local_world_size", wanted.ranks_per_machine.to_string(), terms.ranks_per_machine.to_string()),
            ("accelerator", wanted.chip.clone(), terms.chip.clone()),
        ];
        if let Some((field, wanted, has)) = pairs.into_iter().find(|(_, wanted, has)| wanted != has) {
            return Err(Error::invalid(OP, format!("two ranks have different values of {field}"))
                .with("rank", first)
                .with("has", wanted)
                .with("other_rank", rank)
                .with("has", has)
                .hint("reserve_size, world_size, local_world_size and the chip are the same in all ranks"));
        }
    }
    Ok(())
}

/// Returns the chip of the accelerator, without versions and paths.
fn chip(devices: &Devices) -> String {
    let described = devices.accelerator().map(|accelerator| accelerator.describe()).unwrap_or_default();
    described.split([',', '(']).next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_terms_are_named_with_both_ranks() {
        let terms =
            Terms { slot_bytes: 1 << 30, world_size: 2, ranks_per_machine: 2, chip: "Ascend910".to_owned() };
        let with = |other: Terms| compare(&BTreeMap::from([(Rank(0), terms.clone()), (Rank(1), other)]));
        with(terms.clone()).unwrap();
        for (other, field) in [
            (Terms { slot_bytes: 2 << 30, ..terms.clone() }, "reserve_size"),
            (Terms { world_size: 3, ..terms.clone() }, "world_size"),
            (Terms { ranks_per_machine: 1, ..terms.clone() }, "local_world_size"),
            (Terms { chip: String::new(), ..terms.clone() }, "accelerator"),
        ] {
            let error = with(other).unwrap_err();
            assert!(error.code() == -2000 && error.to_string().contains(field), "{error}");
        }
    }
}
