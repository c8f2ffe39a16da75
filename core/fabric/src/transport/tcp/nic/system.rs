// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the kernel says that this machine has.

use std::ffi::CStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ptr;

use mf_base::{Error, Result};
use rustix::io::Errno;

use super::{Interface, OPERATION};

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
    // SAFETY: `first` may be written.
    if unsafe { libc::getifaddrs(&raw mut first) } != 0 {
        let errno =
            std::io::Error::last_os_error().raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error);
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
            // Whether there is a carrier is not asked: right after the start of a host the kernel does not
            // know yet.
            is_up: has(libc::IFF_UP),
            is_loopback: has(libc::IFF_LOOPBACK),
            scope,
        });
    }
    Ok(found)
}

/// The number of an interface; 0 when it is gone.
fn number(name: *const libc::c_char) -> u32 {
    // SAFETY: the caller has it from the list: not null, and ended by a zero.
    unsafe { libc::if_nametoindex(name) }
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
