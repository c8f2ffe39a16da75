// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `host:port` in the URL of a store.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::shortened;
use crate::resolve_host::{self, Resolve};

/// A host and its port. The host is a number or a name, for `tcp6` an IPv6 number.
pub(super) fn parse_address(text: &str, v6_only: bool, resolve: &Resolve<'_>) -> Result<SocketAddr, String> {
    let (host, port) = match text.strip_prefix('[') {
        Some(bracketed) => v6_and_port(bracketed)?,
        None if v6_only => return Err("tcp6:// needs an IPv6 address in brackets".to_owned()),
        None => host_and_port(text)?,
    };
    // The port first: to resolve a name may take long.
    let port = parse_port(port)?;
    let ip = match host {
        Host::Numeric(ip) => ip,
        Host::Named(name) => match resolve_host::address(name, resolve) {
            Ok(ip) if ip.is_loopback() && !resolve_host::is_localhost(name) => resolve_host::everywhere(ip),
            Ok(ip) => ip,
            Err(error) => return Err(format!("the host name \"{name}\" has no address: {error}")),
        },
    };
    if ip.is_multicast() || ip == IpAddr::V4(Ipv4Addr::BROADCAST) {
        return Err(format!("the address {ip} is a multicast or broadcast address"));
    }
    Ok(SocketAddr::new(ip, port))
}

/// A host as it is written.
enum Host<'a> {
    Numeric(IpAddr),
    Named(&'a str),
}

fn v6_and_port(bracketed: &str) -> Result<(Host<'_>, &str), String> {
    let Some((address, tail)) = bracketed.split_once(']') else {
        return Err("the closing bracket of the IPv6 address is missing".to_owned());
    };
    let ip: Ipv6Addr =
        address.parse().map_err(|_| format!("\"{}\" is not an IPv6 address", shortened(address)))?;
    match tail.strip_prefix(':') {
        Some(port) => Ok((Host::Numeric(IpAddr::V6(ip)), port)),
        None if tail.is_empty() => Err("the port is missing".to_owned()),
        None => Err(format!("\"{}\" stands between the address and the port", shortened(tail))),
    }
}

fn host_and_port(rest: &str) -> Result<(Host<'_>, &str), String> {
    let Some((address, port)) = rest.rsplit_once(':') else {
        return Err(if rest.is_empty() { "the address is missing" } else { "the port is missing" }.to_owned());
    };
    if address.is_empty() {
        return Err("the address is missing".to_owned());
    }
    match address.parse::<Ipv4Addr>() {
        Ok(ip) => Ok((Host::Numeric(IpAddr::V4(ip)), port)),
        Err(_) if resolve_host::is_name(address) => Ok((Host::Named(address), port)),
        Err(_) if address.contains(':') => Err(format!(
            "\"{}\" is not an IPv4 address (an IPv6 address stands in brackets)",
            shortened(address)
        )),
        Err(_) => Err(format!("\"{}\" is neither a numeric address nor a host name", shortened(address))),
    }
}

pub(super) fn parse_port(port: &str) -> Result<u16, String> {
    if port.is_empty() {
        return Err("the port is missing".to_owned());
    }
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("the port \"{}\" is not a decimal number", shortened(port)));
    }
    match port.parse::<u16>() {
        Ok(number) if number > 1024 => Ok(number),
        _ => Err(format!("the port {} is outside 1025 to 65535", shortened(port))),
    }
}
