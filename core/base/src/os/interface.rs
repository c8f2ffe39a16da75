// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Network interfaces of this machine: the kernel's list, and the meaning of their addresses.

use std::ffi::CStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ptr;

use rustix::io::Errno;

use super::descriptor;
use crate::error::{Error, Result};

const OPERATION: &str = "network interface";

/// An address of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Name of the interface.
    pub name: String,
    /// The address.
    pub address: IpAddr,
    /// Number of bits that name the subnet.
    pub prefix_bits: u8,
    /// True if it is switched on, with or without a carrier.
    pub is_up: bool,
    /// True if it reaches this namespace only.
    pub is_loopback: bool,
    /// Its number, which link-local addresses of IPv6 need beside them.
    pub scope: u32,
}

impl Interface {
    /// Returns true if its name is typical for bridges of container runtimes and hypervisors.
    pub fn is_bridge(&self) -> bool {
        const BEGINNINGS: [&str; 11] =
            ["docker", "br-", "virbr", "cni", "flannel", "cali", "cilium", "veth", "lxc", "lxd", "podman"];
        BEGINNINGS.iter().any(|begin| self.name.starts_with(begin))
    }

    /// Returns true if its address is valid on this link only.
    pub fn is_link_local(&self) -> bool {
        is_link_local(self.address)
    }

    /// Returns true if `address` is in its subnet.
    pub fn reaches(&self, address: IpAddr) -> bool {
        shares_subnet(self.address, address, self.prefix_bits)
    }
}

/// The loopback of this network namespace: 127.0.0.1, or `::1` where only that is there. Where neither is,
/// 127.0.0.1, so that errors name it.
pub fn loopback() -> IpAddr {
    let (four, six) = (IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST));
    if !reaches_itself(four) && reaches_itself(six) { six } else { four }
}

/// Returns true if an address belongs to this network namespace, and its interface is up. Sends nothing.
pub fn reaches_itself(ip: IpAddr) -> bool {
    /// Any port will do: no datagram follows.
    const DISCARD: u16 = 9;
    descriptor::bind_udp((ip, 0)).and_then(|socket| socket.connect((ip, DISCARD))).is_ok()
}

/// Returns true if an address is valid on one link only.
pub fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

/// Returns true if the first `bits` of two addresses of one family are the same.
pub fn shares_subnet(one: IpAddr, other: IpAddr, bits: u8) -> bool {
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

/// Frees the list.
struct List(*mut libc::ifaddrs);

impl Drop for List {
    fn drop(&mut self) {
        // SAFETY: the list came from getifaddrs and is freed once.
        unsafe { libc::freeifaddrs(self.0) };
    }
}

/// The addresses of all interfaces in this network namespace, in the order of the kernel.
///
/// # Errors
/// `NoResources` or `Failed` when the kernel does not list them.
pub fn interfaces() -> Result<Vec<Interface>> {
    let mut first = ptr::null_mut();
    let listed = descriptor::reserving(|| {
        // SAFETY: `first` may be written.
        let result = unsafe { libc::getifaddrs(&raw mut first) };
        if result == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    });
    if let Err(error) = listed {
        let errno = error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error);
        return Err(Error::os(OPERATION, errno).what("the kernel does not list the interfaces"));
    }
    let list = List(first);
    let mut found = Vec::new();
    let mut next = list.0;
    while !next.is_null() {
        // SAFETY: a link of the list, which lives until the end of this function.
        let one = unsafe { ptr::read(next) };
        next = one.ifa_next;
        let (Some((address, scope)), false) = (address(one.ifa_addr), one.ifa_name.is_null()) else {
            continue;
        };
        // SAFETY: the kernel's library ends names with a zero.
        let name = unsafe { CStr::from_ptr(one.ifa_name) }.to_string_lossy().into_owned();
        let scope = if scope == 0 { number(one.ifa_name) } else { scope };
        let has = |flag: libc::c_int| u32::try_from(flag).is_ok_and(|flag| one.ifa_flags & flag != 0);
        found.push(Interface {
            name,
            address,
            prefix_bits: prefix_bits(self::address(one.ifa_netmask), address),
            // The carrier is not checked: right after the start of a host the kernel does not know it yet.
            is_up: has(libc::IFF_UP),
            is_loopback: has(libc::IFF_LOOPBACK),
            scope,
        });
    }
    Ok(found)
}

/// The number of an interface; 0 when it is gone.
fn number(name: *const libc::c_char) -> u32 {
    descriptor::reserving(|| {
        // SAFETY: the caller has it from the list: not null, and ended by a zero.
        unsafe { libc::if_nametoindex(name) }
    })
}

/// The address and the number of the interface in it; none when it is of another family.
fn address(at: *const libc::sockaddr) -> Option<(IpAddr, u32)> {
    if at.is_null() {
        return None;
    }
    // SAFETY: every socket address begins with its family.
    let family = i32::from(unsafe { ptr::read_unaligned(at) }.sa_family);
    match family {
        libc::AF_INET => {
            // SAFETY: of this family it is this structure.
            let found = unsafe { ptr::read_unaligned(at.cast::<libc::sockaddr_in>()) };
            Some((Ipv4Addr::from_bits(u32::from_be(found.sin_addr.s_addr)).into(), 0))
        }
        libc::AF_INET6 => {
            // SAFETY: of this family it is this structure.
            let found = unsafe { ptr::read_unaligned(at.cast::<libc::sockaddr_in6>()) };
            Some((Ipv6Addr::from(found.sin6_addr.s6_addr).into(), found.sin6_scope_id))
        }
        _ => None,
    }
}

/// The bits that the mask has set; without one all bits of the address.
fn prefix_bits(mask: Option<(IpAddr, u32)>, address: IpAddr) -> u8 {
    let (bits, all) = match mask {
        Some((IpAddr::V4(mask), _)) => (mask.to_bits().count_ones(), 32),
        Some((IpAddr::V6(mask), _)) => (mask.to_bits().count_ones(), 128),
        None if address.is_ipv4() => (32, 32),
        None => (128, 128),
    };
    u8::try_from(bits).unwrap_or(all)
}

/// The one to name to other machines where nothing says which: the first that is up and leads to some, by
/// IPv4 if there is one. Pure.
pub fn outward(interfaces: &[Interface]) -> Option<&Interface> {
    let leads_away =
        |one: &&Interface| one.is_up && !one.is_loopback && !one.is_link_local() && !one.is_bridge();
    interfaces.iter().filter(leads_away).min_by_key(|one| one.address.is_ipv6())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, address: &str, is_up: bool) -> Interface {
        let address: IpAddr = address.parse().unwrap();
        let is_loopback = address.is_loopback();
        Interface { name: name.to_owned(), address, prefix_bits: 24, is_up, is_loopback, scope: 1 }
    }

    #[test]
    fn first_outward_interface_is_chosen() {
        let mut machine = vec![
            one("lo", "127.0.0.1", true),
            one("docker0", "172.17.0.1", true),
            one("eth0", "10.1.2.3", false),
            one("eth1", "169.254.1.2", true),
            one("eth1", "fe80::1", true),
        ];
        assert_eq!(outward(&machine), None);
        machine.push(one("ib0", "fd00::3", true));
        assert_eq!(outward(&machine).unwrap().name, "ib0");
        machine.extend([one("eth2", "10.9.9.9", true), one("eth3", "10.8.8.8", true)]);
        assert_eq!(outward(&machine).unwrap().name, "eth2");
    }
}
