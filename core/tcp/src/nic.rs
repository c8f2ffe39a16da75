// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Selection of listening addresses, and the order of a peer's addresses for connecting.
//!
//! 1. [`ListenPatterns::parse`] reads `MF_NIC` or the URL of a pool's configuration.
//! 2. [`interfaces`](mf_base::os::interface::interfaces) lists the interfaces of this machine (this network
//!    namespace).
//! 3. [`choose()`] selects the addresses to listen on. They are published to the other members.
//! 4. [`order()`] sorts them at another member for connecting.
//!
//! # Loopback
//! An address of the loopback interface means another place in every network namespace. So it is published
//! only when there is no other, or it was asked for; and a peer that reads it among other addresses tries it
//! only when one of those others is its own, which shows that both live in one namespace. When loopback is
//! the only address, it is tried: a machine without a network has no other. Another process, in another
//! namespace, may answer there; the handshake detects that, because each end proves its identity in the job,
//! and the connection is refused.
//!
//! # Addresses that every host has
//! Bridges of container runtimes have the same address on every host (172.17.0.1, say). Addresses on
//! interfaces with names of such bridges come last, on both sides; a connection that ends at the wrong
//! process is refused by the handshake, too.

mod choose;
mod order;
mod parse;

use std::fmt;
use std::net::IpAddr;

pub use choose::choose;
use mf_base::os::interface::{Interface, is_link_local, shares_subnet};
pub use order::order;

const OPERATION: &str = "network interface";

/// A place to listen at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenPlace {
    /// Wherever others may reach it.
    Any,
    /// On this address.
    Address(IpAddr),
    /// On the addresses of this machine inside a subnet; with 0 bits on any address of that family.
    Subnet {
        /// Any address in it.
        address: IpAddr,
        /// Length of the prefix in bits.
        bits: u8,
    },
    /// On the addresses of an interface.
    Interface(String),
}

impl fmt::Display for ListenPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListenPlace::Any => f.write_str("any"),
            ListenPlace::Address(address) => address.fmt(f),
            ListenPlace::Subnet { address, bits } => write!(f, "{address}/{bits}"),
            ListenPlace::Interface(name) => f.write_str(name),
        }
    }
}

/// A user's list of places to listen at, in order of preference. Places that this machine lacks are skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenPatterns {
    /// At least one.
    pub patterns: Vec<ListenPattern>,
}

/// One of several places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenPattern {
    /// The place.
    pub place: ListenPlace,
    /// The port of rank 0 there; rank r has the r-th after it. `None`: any free port.
    pub base_port: Option<u16>,
}

#[cfg(test)]
mod tests;
