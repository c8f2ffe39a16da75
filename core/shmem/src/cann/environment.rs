// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bootstrap methods, and the variables of this family that complete attributes.

use std::net::IpAddr;

use mf_base::os::interface;
use mf_base::settings::launcher_environment;
use mf_base::{Error, Result};
use mf_bootstrap::Bootstrap;
use mf_job::Config;

use super::address::DEFAULT_PORT;
use super::codes::bad_value;

/// Bootstrap method, by the flags of init.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By a unique id.
    UniqueId,
    /// By MPI.
    Mpi,
    /// By an address.
    Address,
}

impl Mode {
    /// Of flags as they are since the second generation; the first of these bits that is set counts.
    pub fn from_flags(flags: u32) -> Option<Self> {
        let modes = [(8, Self::UniqueId), (2, Self::Mpi), (1, Self::Address)];
        modes.into_iter().find(|(bit, _)| flags & bit != 0).map(|(_, mode)| mode)
    }

    /// Of flags as they were in G1.
    pub fn of_g1(flags: u32) -> Option<Self> {
        let modes = [(1, Self::UniqueId), (2, Self::Mpi), (4, Self::Address)];
        modes.into_iter().find(|(bit, _)| flags & bit != 0).map(|(_, mode)| mode)
    }
}

/// Returns a variable of this family, by today's name or the name of December 2025. None if it is empty.
pub fn variable(name: &str) -> Option<String> {
    let variables = launcher_environment();
    let named = |name: &str| variables.get(name).filter(|text| !text.is_empty()).cloned();
    named(name).or_else(|| named(&format!("ACL{name}")))
}

/// Returns the port of an instance.
///
/// # Errors
/// `InvalidParam` the instance has no port.
pub fn port(op: &'static str, written: u16, instance: u64) -> Result<u16> {
    let range = variable("SHMEM_INSTANCE_PORT_RANGE");
    let Some(range) = range else {
        return match written {
            0 => Err(Error::invalid(op, "the port is 0 without a port range for instances")
                .hint("write a port, or set SHMEM_INSTANCE_PORT_RANGE=first:last")),
            written => Ok(written),
        };
    };
    if written != 0 {
        if instance == 0 {
            return Ok(written);
        }
        return Err(bad_value(op, "an instance of its own has no port of its own")
            .with("instance_id", instance)
            .with("port", written)
            .hint("write port 0: SHMEM_INSTANCE_PORT_RANGE gives each instance one"));
    }
    let parsed = range.split_once(':').and_then(|(first, last)| {
        let (first, last) = (first.trim().parse::<u16>().ok()?, last.trim().parse::<u16>().ok()?);
        (first > 1024 && first <= last).then_some((first, last))
    });
    let (first, last) = parsed.ok_or_else(|| {
        bad_value(op, "the range of ports cannot be read")
            .with("SHMEM_INSTANCE_PORT_RANGE", format!("\"{}\"", range.escape_debug()))
            .hint("first:last, 1025 to 65535")
    })?;
    let port = u16::try_from(instance).ok().and_then(|instance| first.checked_add(instance));
    port.filter(|port| *port <= last).ok_or_else(|| {
        bad_value(op, "no port for this instance")
            .with("instance_id", instance)
            .with("SHMEM_INSTANCE_PORT_RANGE", range)
    })
}

/// Place by the environment, for incomplete attributes.
pub enum PlaceOfEnvironment {
    /// This PE, the number of PEs, and the whole place: by a launcher, or a job of this process alone.
    Place(i32, i32, Box<Config>),
    /// This PE, the number of PEs, and the address where they meet.
    Address(i32, i32, String),
}

/// Completes attributes by variables: the variables of this family replace values that are 0 or empty, or
/// else a launcher's; without either the job is this process alone. PEs without an address meet at the port
/// of this family on the launcher's host, or else on their own.
///
/// # Errors
/// `InvalidParam` a variable is unusable.
pub fn of_environment(op: &'static str, my_pe: i32, n_pes: i32, address: &str) -> Result<PlaceOfEnvironment> {
    let number = |name: &'static str| -> Result<Option<i32>> {
        let Some(text) = variable(name) else { return Ok(None) };
        text.trim().parse().map(Some).map_err(|_| {
            Error::invalid(op, "variable is not a number").with("variable", name).with("text", text)
        })
    };
    let address = Some(address.to_owned()).filter(|text| !text.is_empty()).or_else(address_of_family);
    let (own, ranks) = match n_pes {
        0 => (number("SHMEM_RANK")?.unwrap_or(my_pe), number("SHMEM_NRANKS")?),
        n_pes => (my_pe, Some(n_pes)),
    };
    if let Some(ranks) = ranks {
        return Ok(PlaceOfEnvironment::Address(own, ranks, address.unwrap_or_else(default_address)));
    }
    let mut variables = launcher_environment();
    if variable("MASTER_PORT").is_none() {
        // Our own port belongs to it then.
        variables.remove("MASTER_ADDR");
    }
    let Some(place) = Bootstrap::from_launcher(&variables)? else {
        return match address {
            Some(address) => Ok(PlaceOfEnvironment::Address(own, 1, address)),
            None => Ok(PlaceOfEnvironment::Place(0, 1, Box::new(Config::from_launcher_or_alone()?))),
        };
    };
    let ranks = place.world_size.cast_signed();
    let rank = if own == 0 { place.rank.map(|rank| rank.0.cast_signed()) } else { Some(own) };
    match rank {
        Some(rank) if address.is_some() || place.store.is_none() => {
            Ok(PlaceOfEnvironment::Address(rank, ranks, address.unwrap_or_else(default_address)))
        }
        rank => {
            Ok(PlaceOfEnvironment::Place(rank.unwrap_or(0), ranks, Box::new(Config::from_bootstrap(&place)?)))
        }
    }
}

/// The address that variables of this family give.
fn address_of_family() -> Option<String> {
    variable("SHMEM_UID_SESSION_ID").or_else(|| {
        let host = variable("SHMEM_MASTER_ADDR")?;
        let has_port = host.rsplit_once(':').is_some_and(|(before, _)| !before.contains(':'));
        let port = variable("SHMEM_MASTER_PORT").unwrap_or_else(|| DEFAULT_PORT.to_string());
        Some(if has_port { host } else { format!("{host}:{port}") })
    })
}

/// The address of PEs that are given none.
fn default_address() -> String {
    match variable("MASTER_ADDR") {
        // With the port of this family behind it.
        Some(host) if host.contains(':') && !host.starts_with('[') => format!("[{host}]"),
        Some(host) => host,
        None => match interface::loopback() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        },
    }
}
