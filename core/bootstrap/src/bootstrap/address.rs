// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The address of a job's store when no URL is set.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mf_base::os::interface::{interfaces, outward};
use mf_base::{Error, Kind, Result, Retry};

use super::place::LauncherInfo;
use super::variables::{Variables, missing, unusable};
use super::{DERIVED_PORTS, Launcher, OPERATION, nodelist};
use crate::resolve_host::{self, Resolve};
use crate::route;

/// Targets outside of the local network: addresses reserved for documentation, so no host has them.
const FAR_AWAY: [SocketAddr; 2] = [
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1)), 9),
    SocketAddr::new(IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)), 9),
];
/// Distance between the ports of two jobs; the steps of a job use the ports between. It is coprime to the
/// number of [`DERIVED_PORTS`], so that all of them are used before one is used again.
const PORTS_PER_JOB: u64 = 31;

/// The URL of the store according to the launcher, and the variables that give it; none when they do not give
/// enough.
pub(super) fn store(
    variables: Variables<'_>,
    place: &LauncherInfo,
    port_offset: u32,
    resolve: &Resolve<'_>,
) -> Result<Option<(String, &'static str)>> {
    let url = |ip, port| format!("tcp://{}", SocketAddr::new(ip, port));
    let in_step = place.launcher == Launcher::Slurm;
    match (variables.text("MASTER_ADDR"), variables.text("MASTER_PORT")) {
        (Some(host), Some(_)) => {
            let port = master_port(variables, port_offset)?;
            let ip = numeric(host, "MASTER_ADDR", place, resolve)?;
            return Ok(Some((url(ip, port), "MASTER_ADDR and MASTER_PORT")));
        }
        // One of the two alone belongs to another program when there is another source.
        _ if in_step => {}
        (Some(_), None) => return Err(missing("MASTER_PORT", "MASTER_ADDR")),
        (None, Some(_)) => return Err(missing("MASTER_ADDR", "MASTER_PORT")),
        (None, None) => {}
    }
    if in_step && !place.is_one_host() {
        let port = slurm_port(variables)?;
        let (host, name) = slurm_host(variables)?;
        return Ok(Some((url(numeric(&host, name, place, resolve)?, port), name)));
    }
    Ok(None)
}

/// Returns the port of our store, at an offset from torch's.
fn master_port(variables: Variables<'_>, offset: u32) -> Result<u16> {
    const NAME: &str = "MASTER_PORT";
    let master = variables.number(NAME)?.unwrap_or(0);
    if master == 0 || master > u32::from(u16::MAX) {
        return Err(unusable(NAME, &master.to_string(), "it is outside 1 to 65535"));
    }
    let above = master.checked_add(offset).and_then(|port| u16::try_from(port).ok());
    let port = above.or_else(|| master.checked_sub(offset).and_then(|port| u16::try_from(port).ok()));
    port.filter(|port| *port > 1024).ok_or_else(|| {
        Error::invalid(OPERATION, "no port for the store beside that of torch")
            .with(NAME, master)
            .with("MF_STORE_PORT_OFFSET", offset)
            .hint("the sum, or else the difference, must be 1025 to 65535")
    })
}

fn slurm_port(variables: Variables<'_>) -> Result<u16> {
    let number = |name: &'static str| {
        Ok::<u64, Error>(variables.number(name)?.ok_or_else(|| missing(name, "SLURM_PROCID"))?.into())
    };
    let (job, step) = (number("SLURM_JOB_ID")?, number("SLURM_STEP_ID")?);
    Ok(derived_port(job * PORTS_PER_JOB + step))
}

/// The host of rank 0, and the variable that names it.
fn slurm_host(variables: Variables<'_>) -> Result<(String, &'static str)> {
    let step = "SLURM_STEP_NODELIST";
    let name = if variables.is_set(step) { step } else { "SLURM_JOB_NODELIST" };
    let list = variables.text(name).ok_or_else(|| missing(name, "SLURM_PROCID"))?;
    Ok((nodelist::first_host(list).map_err(|why| unusable(name, list, &why))?, name))
}

/// A port of [`DERIVED_PORTS`].
fn derived_port(number: u64) -> u16 {
    let (first, last) = (*DERIVED_PORTS.start(), *DERIVED_PORTS.end());
    let offset = number % u64::from(last - first + 1);
    first + u16::try_from(offset).unwrap_or(0)
}

/// The address of `host`, which `variable` names, as [`resolve_host`] chooses it.
fn numeric(
    host: &str,
    variable: &'static str,
    place: &LauncherInfo,
    resolve: &Resolve<'_>,
) -> Result<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    if let Ok(ip) = bare.parse() {
        return Ok(ip);
    }
    let unknown = || {
        Error::new(Kind::InvalidParam, OPERATION)
            .what("the host of the store has no address")
            .with("variable", variable)
            .with("host", format!("\"{}\"", host.escape_debug()))
            .hint(format!("check the name on this host, or set {variable} to a numeric address"))
            .retry(Retry::Later)
    };
    if !resolve_host::is_name(host) {
        return Err(unknown().what("the host of the store is neither an address nor the name of a host"));
    }
    let ip = resolve_host::address(host, resolve).map_err(|error| unknown().source(error))?;
    if ip.is_loopback() && !resolve_host::is_localhost(host) && place.rank == Some(0) && !place.is_one_host()
    {
        return Ok(resolve_host::everywhere(ip));
    }
    Ok(ip)
}

/// The own address on the default route, or else of an interface that leads to other machines, as networks
/// without a default route have them; none without a network. Sends nothing.
pub(super) fn own_address() -> Option<IpAddr> {
    let routed = FAR_AWAY.into_iter().find_map(|far| {
        let ip = route::towards(far).ok()?;
        let link_local = matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local());
        (!ip.is_unspecified() && !ip.is_loopback() && !link_local).then_some(ip)
    });
    routed.or_else(|| Some(outward(&interfaces().ok()?)?.address))
}
