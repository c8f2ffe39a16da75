// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Parser of places to listen at: addresses, subnets, interfaces, URLs, alone or in a list.
//!
//! | text | means |
//! |---|---|
//! | nothing, `any` | [`ListenPlace::Any`] |
//! | `10.0.0.1`, `fd00::1`, `[fd00::1]` | that address |
//! | `0.0.0.0`, `::` | any address of that family |
//! | `10.0.0.0/8`, `fd00::/64`, `127.0.0.1/0` | the addresses of this machine in that subnet |
//! | `eth0` | the addresses of that interface |
//! | each of these with `:port` (IPv6 in brackets) and with `tcp://` before it | the same, with the port of rank 0 |
//!
//! Several are separated by commas or semicolons. Each may have a port; one without takes the first given
//! port.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use mf_base::{Error, Result};

use super::{ListenPattern, ListenPatterns, ListenPlace, OPERATION};

/// The kernel's limit on names of interfaces.
const NAME_BYTES_MAX: usize = 15;

impl ListenPatterns {
    /// Reads a text of the forms above.
    ///
    /// # Errors
    /// `InvalidParam` names the part that cannot be read.
    pub fn parse(text: &str) -> Result<Self> {
        let mut patterns = Vec::new();
        for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
            let (place, base_port) = one(part).map_err(|what| {
                Error::invalid(OPERATION, what).with("part", part).hint(
                    "give an address (10.0.0.1), a subnet (10.0.0.0/8), an interface (eth0) or tcp://address:port; \
                     IPv6 with a port in brackets ([fd00::1]:5000)",
                )
            })?;
            patterns.push(ListenPattern { place, base_port });
        }
        if patterns.is_empty() {
            patterns.push(ListenPattern { place: ListenPlace::Any, base_port: None });
        }
        let first_port = patterns.iter().find_map(|one| one.base_port);
        let mut distinct: Vec<ListenPattern> = Vec::with_capacity(patterns.len());
        for mut one in patterns {
            one.base_port = one.base_port.or(first_port);
            if !distinct.contains(&one) {
                distinct.push(one);
            }
        }
        Ok(Self { patterns: distinct })
    }
}

fn one(part: &str) -> Result<(ListenPlace, Option<u16>), &'static str> {
    let (scheme, rest) = part.split_once("://").unwrap_or(("tcp", part));
    if !["tcp", "tcp4", "tcp6"].contains(&scheme) {
        return Err("only tcp:// is known here");
    }
    let (place, port) = split_port(rest)?;
    let port = match port.map(str::parse::<u16>) {
        None | Some(Ok(0)) => None,
        Some(Ok(port)) => Some(port),
        Some(Err(_)) => return Err("invalid port: not a number up to 65535"),
    };
    Ok((listen_place(place)?, port))
}

/// Cuts off the port; takes brackets away.
fn split_port(text: &str) -> Result<(String, Option<&str>), &'static str> {
    if let Some(text) = text.strip_prefix('[') {
        let (inside, behind) = text.split_once(']').ok_or("a bracket is not closed")?;
        let (bits, port) = match behind.split_once(':') {
            Some((bits, port)) => (bits, Some(port)),
            None => (behind, None),
        };
        if !bits.is_empty() && !bits.starts_with('/') {
            return Err("something stands between the bracket and the port");
        }
        return Ok((format!("{inside}{bits}"), port));
    }
    // Without brackets, more than one colon is an IPv6 address.
    match text.split_once(':') {
        Some((place, port)) if !port.contains(':') => Ok((place.to_owned(), Some(port))),
        _ => Ok((text.to_owned(), None)),
    }
}

fn listen_place(place: String) -> Result<ListenPlace, &'static str> {
    if let Some((address, bits)) = place.split_once('/') {
        let address = address_of(address).ok_or("invalid address before the slash")?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        return match bits.parse::<u8>() {
            Ok(bits) if bits <= most => Ok(ListenPlace::Subnet { address, bits }),
            _ => Err("behind the slash there must be a number of bits, up to 32 (IPv4) or 128 (IPv6)"),
        };
    }
    if let Some(address) = address_of(&place) {
        return Ok(match address {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED) | IpAddr::V6(Ipv6Addr::UNSPECIFIED) => {
                ListenPlace::Subnet { address, bits: 0 }
            }
            _ => ListenPlace::Address(address),
        });
    }
    if place == "any" {
        return Ok(ListenPlace::Any);
    }
    let is_name = |name: &str| {
        let is_allowed = |c: char| c.is_ascii_graphic() && !"/:[]%".contains(c);
        (1..=NAME_BYTES_MAX).contains(&name.len())
            && name.chars().all(is_allowed)
            // Rather an address with a mistake than a name.
            && !name.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    if is_name(&place) {
        Ok(ListenPlace::Interface(place))
    } else {
        Err("this is neither an address nor an interface")
    }
}

/// An address; the interface behind a `%` is not needed, because the address itself identifies it here.
fn address_of(text: &str) -> Option<IpAddr> {
    let address = text.split_once('%').map_or(text, |(address, _)| address);
    address.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}
