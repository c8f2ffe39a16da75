// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Configuration of the pool: sizes, ranks, and the store of the job.

use std::time::Duration;

use mf_base::{ByteLen, Error, Result};

const OP: &str = "offload init";

/// Sizes are rounded up to so many bytes.
const UNIT_BYTES: u64 = 1 << 30;
/// Port of the store of device 0, if no URL is given; counted up by machine-wide groups of devices.
const FIRST_PORT: u32 = 8500;

/// Accessibility of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// Memory of this process alone.
    Local,
    /// One address space of all ranks of a job on this machine.
    Shared,
}

/// Configuration of the pool. Sizes are bytes and are rounded up to 1 GiB.
#[derive(Clone, Debug)]
pub struct Config {
    /// Number of the accelerator; without one it only selects the port of the store.
    pub device: u32,
    /// Address space of one slot; the same in all ranks.
    pub reserve_bytes: u64,
    /// Memory of this rank, at most a slot. Ranks of [`Scene::Shared`] may have none; in [`Scene::Local`] it
    /// is the whole slot.
    pub alloc_bytes: u64,
    /// Ranks of [`Scene::Shared`].
    pub world_size: u32,
    /// The own rank, which is also the slot.
    pub rank: u32,
    /// Accessibility.
    pub scene: Scene,
    /// Store of the job, served by rank 0. Empty: [`Scene::Shared`] takes a port of the loopback interface by
    /// the number of the device.
    pub store_url: String,
    /// Ranks on each machine; 0: all.
    pub local_world_size: u32,
    /// Longest wait for the other ranks; half of it for the store.
    pub timeout: Duration,
}

/// Checked sizes in bytes, multiples of 1 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// From one slot to the next.
    pub(crate) slot: u64,
    /// Memory of this rank.
    pub(crate) own: u64,
}

impl Config {
    /// Rounds and checks sizes and ranks.
    ///
    /// # Errors
    /// `InvalidParam` names the field.
    pub(crate) fn sizes(&self) -> Result<Sizes> {
        if self.scene == Scene::Shared {
            self.check_ranks()?;
        }
        let (slot, own) =
            (rounded("reserve_size", self.reserve_bytes)?, rounded("alloc_size", self.alloc_bytes)?);
        let with_sizes =
            |error: Error| error.with("reserve_size", ByteLen(slot)).with("alloc_size", ByteLen(own));
        match self.scene {
            _ if slot == 0 => Err(Error::invalid(OP, "reserve_size is 0")),
            Scene::Local if slot != own => {
                let error = Error::invalid(OP, "reserve_size and alloc_size differ");
                Err(with_sizes(error).hint("a pool of scene LOCAL has one size: set both fields to it"))
            }
            Scene::Shared if own > slot => {
                Err(with_sizes(Error::invalid(OP, "alloc_size is larger than reserve_size")))
            }
            _ => Ok(Sizes { slot, own }),
        }
    }

    fn check_ranks(&self) -> Result<()> {
        let Self { world_size, rank, local_world_size, .. } = *self;
        if world_size == 0 {
            return Err(Error::invalid(OP, "world_size is 0").hint("number of ranks of the pool"));
        }
        if rank >= world_size {
            return Err(Error::invalid(OP, "rank_id is out of range")
                .with("rank_id", rank)
                .with("world_size", world_size)
                .hint("0 to world_size - 1"));
        }
        if local_world_size != 0 && !world_size.is_multiple_of(local_world_size) {
            return Err(Error::invalid(OP, "local_world_size does not divide world_size")
                .with("local_world_size", local_world_size)
                .with("world_size", world_size));
        }
        Ok(())
    }

    /// Ranks on each machine.
    pub(crate) fn ranks_per_machine(&self) -> u32 {
        if self.local_world_size == 0 { self.world_size } else { self.local_world_size }
    }

    /// Returns the URL of the store of [`Scene::Shared`]; `setting` is the job's, used if the configuration
    /// has none.
    ///
    /// # Errors
    /// `InvalidParam` ranks on several machines and no URL.
    pub(crate) fn url(&self, setting: &str) -> Result<String> {
        let given = [self.store_url.as_str(), setting].into_iter().find(|url| !url.is_empty());
        if let Some(url) = given {
            return Ok(url.to_owned());
        }
        if self.ranks_per_machine() != self.world_size {
            return Err(Error::invalid(OP, "ranks on several machines need the URL of a store")
                .with("local_world_size", self.local_world_size)
                .with("world_size", self.world_size)
                .hint("set store_url to tcp://HOST:PORT of rank 0, or MF_CONFIG_STORE_URL"));
        }
        let port = FIRST_PORT.saturating_add(self.device / self.ranks_per_machine().max(1));
        Ok(format!("tcp://127.0.0.1:{port}"))
    }
}

fn rounded(field: &'static str, bytes: u64) -> Result<u64> {
    bytes
        .checked_next_multiple_of(UNIT_BYTES)
        .ok_or_else(|| Error::invalid(OP, format!("{field} is too large")).with("bytes", bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn config(scene: Scene) -> Config {
        Config {
            device: 0,
            reserve_bytes: GIB,
            alloc_bytes: GIB,
            world_size: 2,
            rank: 0,
            scene,
            store_url: String::new(),
            local_world_size: 0,
            timeout: Duration::from_secs(1),
        }
    }

    #[test]
    fn sizes_are_rounded_and_compared() {
        let sized = |scene, reserve_bytes, alloc_bytes| {
            Config { reserve_bytes, alloc_bytes, ..config(scene) }.sizes().map_err(|error| error.code())
        };
        let both = |slot, own| Ok(Sizes { slot, own });
        for (scene, reserve, alloc, wanted) in [
            (Scene::Local, GIB, GIB / 2, both(GIB, GIB)),
            (Scene::Local, GIB + 1, 2 * GIB, both(2 * GIB, 2 * GIB)),
            (Scene::Local, 2 * GIB, GIB, Err(-2000)),
            (Scene::Local, GIB, 0, Err(-2000)),
            (Scene::Local, 0, 0, Err(-2000)),
            (Scene::Shared, 2 * GIB, 1, both(2 * GIB, GIB)),
            (Scene::Shared, GIB, 0, both(GIB, 0)),
            (Scene::Shared, GIB, GIB + 1, Err(-2000)),
            (Scene::Shared, 0, 0, Err(-2000)),
            (Scene::Shared, u64::MAX, 0, Err(-2000)),
        ] {
            assert_eq!(sized(scene, reserve, alloc), wanted, "{scene:?} {reserve} {alloc}");
        }
    }

    #[test]
    fn impossible_ranks_are_rejected_in_the_shared_scene_only() {
        for (world_size, rank, local_world_size) in [(0, 0, 0), (2, 2, 0), (2, 0, 3), (4, 0, 3)] {
            let bad = Config { world_size, rank, local_world_size, ..config(Scene::Shared) };
            assert_eq!(bad.sizes().unwrap_err().code(), -2000, "{bad:?}");
            Config { scene: Scene::Local, ..bad }.sizes().unwrap();
        }
        Config { world_size: 4, local_world_size: 2, ..config(Scene::Shared) }.sizes().unwrap();
    }

    #[test]
    fn store_is_the_given_one_the_setting_or_a_port_by_device() {
        let url = |config: Config, setting: &str| config.url(setting).map_err(|error| error.code());
        let given = Config { store_url: "tcp://127.0.0.1:1".to_owned(), ..config(Scene::Shared) };
        assert_eq!(url(given, "tcp://h:2").unwrap(), "tcp://127.0.0.1:1");
        assert_eq!(url(config(Scene::Shared), "tcp://h:2").unwrap(), "tcp://h:2");
        for (device, world_size, local_world_size, port) in
            [(1, 2, 0, 8500), (2, 2, 2, 8501), (7, 2, 0, 8503)]
        {
            let one = Config { device, world_size, local_world_size, ..config(Scene::Shared) };
            assert_eq!(url(one, "").unwrap(), format!("tcp://127.0.0.1:{port}"));
        }
        let several = Config { world_size: 4, local_world_size: 2, ..config(Scene::Shared) };
        assert_eq!(url(several, ""), Err(-2000));
    }
}
