// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which of another member's addresses to try first.

use std::net::{IpAddr, SocketAddr, SocketAddrV6};

use super::{Interface, is_link_local};

/// Rank of an address; lower ones are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// Loopback, of a member in our namespace.
    Loopback,
    /// One of our own addresses: it lives in our namespace.
    Own,
    /// In a subnet that we are in.
    Neighbour,
    /// Wherever the kernel sends it.
    Routed,
    /// In the subnet of one of our bridges, which other hosts may have as well.
    Bridge,
    /// We have no address of this family; routes may exist all the same.
    OtherFamily,
}

/// Sorts the addresses `theirs` for connecting from here. Addresses that cannot be theirs from here are left
/// out: loopback among others, when they are not in our namespace. Link-local addresses of IPv6 get our own
/// interfaces, as the sender's numbers mean nothing here. Pure.
pub fn order(theirs: &[SocketAddr], interfaces: &[Interface]) -> Vec<SocketAddr> {
    let canonical = |one: &SocketAddr| SocketAddr::new(one.ip().to_canonical(), one.port());
    let up: Vec<&Interface> = interfaces.iter().filter(|one| one.is_up).collect();
    let is_own = |address: IpAddr| {
        up.iter().any(|one| {
            !one.is_loopback && !one.is_bridge() && one.address == address && !is_link_local(address)
        })
    };
    let is_here = theirs.iter().any(|one| is_own(canonical(one).ip()));
    let is_only_loopback = theirs.iter().all(|one| canonical(one).ip().is_loopback());

    let mut ordered: Vec<(Nearness, SocketAddr)> = Vec::new();
    let mut add = |nearness: Nearness, address: SocketAddr| {
        if !ordered.iter().any(|(_, known)| *known == address) {
            ordered.push((nearness, address));
        }
    };
    for one in theirs.iter().map(canonical) {
        let address = one.ip();
        match address {
            _ if address.is_loopback() => {
                if is_here || is_only_loopback {
                    add(Nearness::Loopback, one);
                }
            }
            _ if address.is_unspecified() || address.is_multicast() || one.port() == 0 => {}
            IpAddr::V6(link) if is_link_local(address) => {
                for ours in up.iter().filter(|ours| ours.address.is_ipv6() && ours.is_link_local()) {
                    let nearness = if ours.is_bridge() { Nearness::Bridge } else { Nearness::Neighbour };
                    add(nearness, SocketAddrV6::new(link, one.port(), 0, ours.scope).into());
                }
            }
            _ => add(nearness(address, &up, is_own(address)), one),
        }
    }
    ordered.sort_by_key(|(nearness, _)| *nearness);
    ordered.into_iter().map(|(_, address)| address).collect()
}

fn nearness(address: IpAddr, up: &[&Interface], is_own: bool) -> Nearness {
    let real = |one: &&&Interface| !one.is_loopback && !one.is_bridge();
    if is_own {
        Nearness::Own
    } else if up.iter().filter(real).any(|one| one.reaches(address)) {
        Nearness::Neighbour
    } else if up.iter().any(|one| one.is_bridge() && one.reaches(address)) {
        Nearness::Bridge
    } else if up.iter().any(|one| !one.is_link_local() && one.address.is_ipv4() == address.is_ipv4()) {
        Nearness::Routed
    } else {
        Nearness::OtherFamily
    }
}
