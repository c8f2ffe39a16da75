// SPDX-License-Identifier: Apache-2.0 OR MIT
//! On which addresses to listen.

use std::net::{IpAddr, SocketAddr, SocketAddrV6};

use mf_base::{Error, Kind, Rank, Result};

use super::{Interface, ListenPattern, ListenPatterns, ListenPlace, OPERATION, is_link_local, shares_subnet};

/// Most addresses that are listened on.
pub(super) const ADDRESSES_MAX: usize = 16;

/// Returns the addresses to listen on, best first, at most 16 (each is a socket, and all are published). The
/// port is the rank's if there is a rank and a base port, else 0: any free one. Pure.
///
/// # Errors
/// `NotExist` this machine has none of these places · `InvalidParam` when the port of this rank is beyond
/// 65535.
pub fn choose(
    patterns: &ListenPatterns,
    interfaces: &[Interface],
    rank: Option<Rank>,
) -> Result<Vec<SocketAddr>> {
    let mut chosen: Vec<SocketAddr> = Vec::new();
    for ListenPattern { place, base_port } in &patterns.patterns {
        let port = port(*base_port, rank)?;
        for found in matching(place, interfaces) {
            let address = listen_at(found, port);
            if !chosen.contains(&address) && chosen.len() < ADDRESSES_MAX {
                chosen.push(address);
            }
        }
    }
    if chosen.is_empty() {
        let requested: Vec<String> = patterns.patterns.iter().map(|one| one.place.to_string()).collect();
        return Err(Error::new(Kind::NotExist, OPERATION)
            .what("this machine has no such address or interface, or it is down")
            .with("requested", requested.join(", "))
            .with("there-is", described(interfaces))
            .hint("correct MF_NIC, or the URL that the program gives; empty: every interface that others may reach"));
    }
    Ok(chosen)
}

fn port(base: Option<u16>, rank: Option<Rank>) -> Result<u16> {
    let Some((base, rank)) = base.zip(rank) else { return Ok(0) };
    u32::from(base).checked_add(rank.0).and_then(|port| u16::try_from(port).ok()).ok_or_else(|| {
        Error::invalid(
            OPERATION,
            "the port of this rank is beyond 65535; each rank takes the base and its number",
        )
        .with("base", base)
        .with("rank", rank)
        .hint("choose a lower base, or none: then any free port is taken")
    })
}

fn matching<'a>(place: &ListenPlace, interfaces: &'a [Interface]) -> Vec<&'a Interface> {
    let is_up = |one: &&Interface| one.is_up;
    match place {
        ListenPlace::Any => any(interfaces, |_| true),
        ListenPlace::Subnet { address, bits: 0 } => {
            any(interfaces, |one| one.address.is_ipv4() == address.is_ipv4())
        }
        // The kernel checks whether a named address can be listened on.
        ListenPlace::Address(address) => interfaces.iter().filter(|one| one.address == *address).collect(),
        ListenPlace::Subnet { address, bits } => {
            let is_inside = |one: &&Interface| shares_subnet(one.address, *address, *bits);
            interfaces.iter().filter(is_up).filter(is_inside).collect()
        }
        ListenPlace::Interface(name) => {
            let all: Vec<&Interface> =
                interfaces.iter().filter(is_up).filter(|one| one.name == *name).collect();
            let wide: Vec<&Interface> = all.iter().copied().filter(|one| !one.is_link_local()).collect();
            if wide.is_empty() { all } else { wide }
        }
    }
}

/// Returns all addresses that others may reach: real interfaces, then bridges; loopback if there is no other.
fn any(interfaces: &[Interface], is_wanted: impl Fn(&Interface) -> bool) -> Vec<&Interface> {
    let up: Vec<&Interface> = interfaces.iter().filter(|one| one.is_up && is_wanted(one)).collect();
    let mut found: Vec<&Interface> =
        up.iter().copied().filter(|one| !one.is_loopback && !one.is_link_local()).collect();
    if found.is_empty() {
        found = up.into_iter().filter(|one| one.is_loopback).collect();
    }
    // Stable: else the order of the kernel.
    found.sort_by_key(|one| one.is_bridge());
    found
}

fn listen_at(found: &Interface, port: u16) -> SocketAddr {
    match found.address {
        IpAddr::V6(address) if is_link_local(found.address) => {
            SocketAddrV6::new(address, port, 0, found.scope).into()
        }
        address => SocketAddr::new(address, port),
    }
}

fn described(interfaces: &[Interface]) -> String {
    let described: Vec<String> = interfaces
        .iter()
        .map(|one| {
            let down = if one.is_up { "" } else { " (down)" };
            format!("{} {}/{}{down}", one.name, one.address, one.prefix_bits)
        })
        .collect();
    if described.is_empty() { "nothing".to_owned() } else { described.join(", ") }
}
