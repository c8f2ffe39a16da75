// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Doors for the fuzz targets in `fuzz/` to functions that are not public. Not part of the interface.
//!
//! Each takes text of a launcher and panics when an invariant does not hold.

#![allow(clippy::missing_panics_doc, reason = "a panic is how a fuzz target reports")]

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mf_base::settings;

use crate::bootstrap::{self, UniqueId, nodelist};

/// The first host of a Slurm node list.
pub fn first_host(list: &str) {
    if let Ok(host) = nodelist::first_host(list) {
        assert!(!host.is_empty() && !host.contains(['[', ']', ',']), "{list:?} gave {host:?}");
    }
}

/// The place in a job by variables of a launcher, one `NAME=value` a line.
pub fn launcher(text: &str) {
    let variables: BTreeMap<String, String> = text
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let Ok(loaded) = settings::load(&BTreeMap::new(), &BTreeMap::new()) else { return };
    let resolve = |_: &str| Ok(vec![IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7))]);
    if let Ok(found) = bootstrap::from_variables(&loaded.settings, &variables, &resolve) {
        assert!(found.rank.is_none_or(|rank| rank.0 < found.world_size), "{found:?}");
        assert!(found.local_rank.is_none_or(|rank| rank < found.world_size), "{found:?}");
        assert!(found.local_size.is_none_or(|size| (1..=found.world_size).contains(&size)), "{found:?}");
    }
}

/// Unique ids to start from: the sum over their bytes is not found by chance.
pub fn unique_ids() -> Vec<UniqueId> {
    let addresses: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    addresses.into_iter().map(|ip| UniqueId::new(SocketAddr::new(ip, 5570), &[7; 32])).collect()
}
