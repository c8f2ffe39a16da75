// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Listener of a TCP port of this host, from the kernel's table; for own processes, from their descriptors.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// A listening process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Holder {
    pub(in super::super) user: u32,
    /// Number and name of the process; none: it belongs to another user, and the kernel does not say.
    pub(in super::super) process: Option<(u32, String)>,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.process {
            Some((process, name)) => write!(f, "process {process} ({name}) of user {}", self.user),
            None => write!(f, "a process of user {}", self.user),
        }
    }
}

/// Finds the listener at `address`, or at its port on the wildcard address.
pub(super) fn holder(address: SocketAddr) -> Option<Holder> {
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].map(|file| std::fs::read_to_string(file).unwrap_or_default());
    let (user, socket) = tables.iter().find_map(|table| listener(table, address))?;
    Some(Holder { user, process: process(socket) })
}

/// User and number of the socket that listens there, of a table of the kernel. Pure.
fn listener(table: &str, address: SocketAddr) -> Option<(u32, u64)> {
    const LISTENS: &str = "0A";
    table.lines().skip(1).find_map(|line| {
        let mut fields = line.split_whitespace();
        let (ip, port) = fields.nth(1)?.split_once(':')?;
        let (ip, port) = (ip_of(ip)?, u16::from_str_radix(port, 16).ok()?);
        let is_it = ip.is_unspecified() || ip.to_canonical() == address.ip().to_canonical();
        if fields.nth(1)? != LISTENS || port != address.port() || !is_it {
            return None;
        }
        Some((fields.nth(3)?.parse().ok()?, fields.nth(1)?.parse().ok()?))
    })
}

/// An address as the kernel writes it: words of 32 bits as this machine reads them.
fn ip_of(text: &str) -> Option<IpAddr> {
    let mut bytes = [0_u8; 16];
    let words = text.len() / 8;
    for (place, at) in bytes.chunks_exact_mut(4).zip(0..words) {
        place.copy_from_slice(&u32::from_str_radix(text.get(at * 8..at * 8 + 8)?, 16).ok()?.to_ne_bytes());
    }
    match (words, bytes) {
        (1, [a, b, c, d, ..]) => Some(Ipv4Addr::new(a, b, c, d).into()),
        (4, all) => Some(Ipv6Addr::from(all).into()),
        _ => None,
    }
}

/// The process that has this socket open.
fn process(socket: u64) -> Option<(u32, String)> {
    let target = format!("socket:[{socket}]");
    let has_it = |process: u32| {
        let descriptors = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?;
        let mut links = descriptors.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
        links.any(|link| link.as_os_str() == target.as_str()).then_some(process)
    };
    let entries = std::fs::read_dir("/proc").ok()?.flatten();
    let process = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).find_map(has_it)?;
    let name = std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    Some((process, name.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A line of the table, as this machine's kernel writes the address.
    fn table(ip: &str, port: u16, state: &str) -> String {
        let octets = match ip.parse().unwrap() {
            IpAddr::V4(ip) => ip.octets().to_vec(),
            IpAddr::V6(ip) => ip.octets().to_vec(),
        };
        let words = octets
            .chunks_exact(4)
            .map(|word| format!("{:08X}", u32::from_ne_bytes(word.try_into().unwrap())));
        let ip: String = words.collect();
        format!(
            "  sl  local_address …\n   0: {ip}:{port:04X} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0 100 0 0 10 0\n"
        )
    }

    #[test]
    fn listeners_are_found_in_the_table_of_the_kernel() {
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        let asked = "127.0.0.1:5570";
        for (ip, port, state, address, is_found) in [
            ("127.0.0.1", 5570, "0A", asked, true),
            ("0.0.0.0", 5570, "0A", asked, true),
            ("::", 5570, "0A", asked, true),
            ("::ffff:127.0.0.1", 5570, "0A", asked, true),
            ("::1", 5570, "0A", "[::1]:5570", true),
            ("127.0.0.1", 5571, "0A", asked, false),
            ("10.0.0.1", 5570, "0A", asked, false),
            ("127.0.0.1", 5570, "01", asked, false),
        ] {
            let found = listener(&table(ip, port, state), at(address));
            assert_eq!(found, is_found.then_some((1000, 4242)), "{ip} {port} {state}");
        }
        for text in ["", "sl\nnonsense", "sl\n 0: 7F:1 0 0A", "sl\n 0: ZZZZZZZZ:15C2 0:0 0A a b c d e f"] {
            assert_eq!(listener(text, at(asked)), None);
        }
    }

    #[test]
    fn this_process_is_found_at_its_own_port() {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let found = holder(socket.local_addr().unwrap()).unwrap();
        assert_eq!(found.process.map(|(process, _)| process), Some(std::process::id()));
    }
}
