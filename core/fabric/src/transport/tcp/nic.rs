// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where to listen, and in which order to try where others listen.
//!
//! 1. [`Wishes::parse`] reads `MF_NIC` or the URL of a pool's configuration.
//! 2. [`interfaces`] asks the kernel what this machine (this network namespace) has.
//! 3. [`choose()`] decides on which addresses to listen. Those are published to the other members.
//! 4. [`order()`] decides at another member which of them to try first.
//!
//! # Loopback
//! An address of the loopback interface means another place in every network namespace. So it is published
//! only when there is nothing else, or it was wished for; and a peer that reads it among other addresses
//! tries it only when one of those others is its own, which shows that both live in one namespace. When
//! loopback is all there is, it is tried: a machine without a network has nothing else. What answers there
//! may be another process, in another namespace; the handshake finds that out, because each end proves
//! which process of the job it is, and the connection is refused.
//!
//! # Addresses that every host has
//! Bridges of container runtimes have the same address on every host (172.17.0.1, say). Addresses on
//! interfaces with names of such bridges come last, on both sides; a connection that ends at the wrong
//! process is refused by the handshake, too.

mod choose;
mod order;
mod parse;
mod system;

use std::fmt;
use std::net::IpAddr;

pub use choose::choose;
pub use order::order;
pub use system::interfaces;

const OPERATION: &str = "network interface";

/// Where a user wants a process to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Wherever others may reach it.
    Any,
    /// On this address.
    Address(IpAddr),
    /// On the addresses of this machine inside a subnet; with 0 bits on any address of that family.
    Subnet {
        /// Any address in it.
        address: IpAddr,
        /// How many bits of it count.
        bits: u8,
    },
    /// On the addresses of an interface.
    Interface(String),
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wish::Any => f.write_str("any"),
            Wish::Address(address) => address.fmt(f),
            Wish::Subnet { address, bits } => write!(f, "{address}/{bits}"),
            Wish::Interface(name) => f.write_str(name),
        }
    }
}

/// All that a user wants. Of several wishes those that this machine can fulfil count, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wishes {
    /// At least one.
    pub wishes: Vec<Wished>,
}

/// One of several wishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wished {
    /// Where to listen.
    pub wish: Wish,
    /// The port of rank 0 there; rank r has the r-th after it. None: any free port.
    pub base_port: Option<u16>,
}

/// An address of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Name of the interface.
    pub name: String,
    /// The address.
    pub address: IpAddr,
    /// How many bits of it name the subnet.
    pub prefix_bits: u8,
    /// Whether it is switched on, with or without a carrier.
    pub is_up: bool,
    /// Whether it reaches this namespace only.
    pub is_loopback: bool,
    /// Its number, which link-local addresses of IPv6 need beside them.
    pub scope: u32,
}

impl Interface {
    /// Whether its name is one that container runtimes and hypervisors give to their bridges.
    fn is_bridge(&self) -> bool {
        const BEGINNINGS: [&str; 11] =
            ["docker", "br-", "virbr", "cni", "flannel", "cali", "cilium", "veth", "lxc", "lxd", "podman"];
        BEGINNINGS.iter().any(|begin| self.name.starts_with(begin))
    }

    /// Whether its address means something on this link only.
    fn is_link_local(&self) -> bool {
        is_link_local(self.address)
    }

    /// Whether `address` is in its subnet.
    fn reaches(&self, address: IpAddr) -> bool {
        shares_subnet(self.address, address, self.prefix_bits)
    }
}

fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

/// Whether the first `bits` of two addresses of one family are the same.
fn shares_subnet(one: IpAddr, other: IpAddr, bits: u8) -> bool {
    // The bits that count are the high ones.
    match (one, other) {
        (IpAddr::V4(one), IpAddr::V4(other)) => {
            let differ = one.to_bits() ^ other.to_bits();
            differ.leading_zeros() >= u32::from(bits.min(32))
        }
        (IpAddr::V6(one), IpAddr::V6(other)) => {
            let differ = one.to_bits() ^ other.to_bits();
            differ.leading_zeros() >= u32::from(bits.min(128))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
