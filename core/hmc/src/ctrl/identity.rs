// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Identity of the process at the other end of a link, and the address at which the link was dialled.
//!
//! Ends that prove a secret announce their process in the nonce ([`new_nonce`]): the proofs cover that. Else
//! the process is on this host, and the kernel knows the owner of its socket: for a Unix socket by the socket
//! itself, for TCP by the lists under `/proc`, which are only read if two links to one peer may have crossed.
//! Processes that cannot be identified (of another container or user) count as the same.

use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use mf_base::Result;
use mf_base::os::descriptor;
use mf_base::os::per_process::PerProcess;
use mf_base::os::{random, socket};
use rustix::net::AddressFamily;

use super::address::{LinkAddress, Process, resolve};
use super::admission::Ends;
use super::link::Link;
use super::simultaneous_connect::is_closed;
use super::{CONNECT, Control, Peer, Same};

/// Prefix of nonces that contain a process id.
const MARK: [u8; 4] = *b"proc";

impl Control {
    /// Returns true if there is a link to the process of rank `peer`, not closed by the peer, that a dial to
    /// one of these addresses would only replace by an equal one: it was dialled there, or the peer made it.
    pub fn has_at(&self, peer: u32, host: &str, port: u16) -> bool {
        self.has_link_at(peer, |place| match place {
            LinkAddress::Tcp(address) => {
                resolve(CONNECT, host, port).is_ok_and(|found| found.contains(address))
            }
            LinkAddress::Unix(_) => false,
        })
    }

    /// Like `has_at`, for a socket file.
    pub fn has_at_path(&self, peer: u32, path: &str) -> bool {
        self.has_link_at(peer, |place| *place == LinkAddress::Unix(PathBuf::from(path)))
    }

    fn has_link_at(&self, peer: u32, is_there: impl Fn(&LinkAddress) -> bool) -> bool {
        let link = self.find_living(Peer::Rank(peer));
        link.is_some_and(|link| link.origin().place().is_none_or(is_there))
    }

    /// Returns the link that a new one replaces, if they are known to lead to two processes.
    pub(super) fn of_another(&self, link: &Link) -> Option<Same> {
        let Same(former) = self.state.lock().links.find(link.peer())?.clone();
        // Read without the lock.
        let may_cross = link.origin().may_cross(former.origin()) && !is_closed(&former);
        (may_cross && are_two(link, &former)).then_some(Same(former))
    }
}

/// Creates the nonce of a handshake, with the id of this process.
///
/// # Errors
/// `Failed` the kernel has no random numbers.
pub(super) fn new_nonce(op: &'static str) -> Result<[u8; 32]> {
    static OWN: PerProcess<Option<Process>> = PerProcess::new(None);
    let mut own = OWN.lock();
    let process = match *own {
        Some(process) => process,
        None => *own.insert(random(op)?),
    };
    let mut bytes = [0; 32];
    let parts = [&MARK[..], &process, &random::<16>(op)?];
    bytes.iter_mut().zip(parts.concat()).for_each(|(to, from)| *to = from);
    Ok(bytes)
}

/// Extracts the process id from a nonce; `None` if it has none.
pub(super) fn process_of(fresh: &[u8; 32]) -> Option<Process> {
    fresh.strip_prefix(&MARK)?.first_chunk().copied()
}

/// Returns true if two links are known to lead to two processes.
fn are_two(one: &Link, other: &Link) -> bool {
    if let (Some(one), Some(other)) = (one.origin().process(), other.origin().process()) {
        return one != other;
    }
    let (one, other) = (holders(one), holders(other));
    !one.is_empty() && !other.is_empty() && !one.iter().any(|process| other.contains(process))
}

/// Returns the processes that have the other end of a link open; empty if unknown.
fn holders(link: &Link) -> Vec<u32> {
    link.with_socket(holders_of_peer).unwrap_or_default()
}

fn holders_of_peer(socket: &OwnedFd) -> Vec<u32> {
    let is_unix =
        rustix::net::getsockname(socket).is_ok_and(|address| address.address_family() == AddressFamily::UNIX);
    if is_unix {
        let pid = socket::credentials(socket).ok().and_then(|peer| u32::try_from(peer.pid).ok());
        return pid.filter(|pid| *pid != 0).into_iter().collect();
    }
    match Ends::of_socket(CONNECT, socket) {
        Ok(ends @ Ends::Tcp { ours, theirs, .. }) if ends.are_here() => {
            let files = ["/proc/net/tcp", "/proc/net/tcp6"];
            let inode = files.iter().find_map(|file| inode_of(file, theirs, ours));
            inode.map_or_else(Vec::new, |inode| holders_of(&inode))
        }
        _ => Vec::new(),
    }
}

/// Returns the inode of the socket at `near` that is connected with `far`, from a list of the kernel.
fn inode_of(file: &str, near: SocketAddr, far: SocketAddr) -> Option<String> {
    let lines = BufReader::new(descriptor::read_file(file).ok()?).lines();
    lines.map_while(std::result::Result::ok).find_map(|line| inode_in(&line, near, far))
}

fn inode_in(line: &str, near: SocketAddr, far: SocketAddr) -> Option<String> {
    let mut words = line.split_whitespace().skip(1);
    let is = |text: Option<&str>, end: SocketAddr| {
        let found = text.and_then(end_of);
        found.is_some_and(|(ip, port)| (ip, port) == (end.ip().to_canonical(), end.port()))
    };
    if !is(words.next(), near) || !is(words.next(), far) {
        return None;
    }
    // After state, queues, timer, retransmissions, user and timeout; 0: not accepted yet, or closed.
    words.nth(6).filter(|inode| *inode != "0").map(str::to_owned)
}

/// Parses an end in the kernel's format: words of the address in the byte order of the machine, and the port.
fn end_of(text: &str) -> Option<(IpAddr, u16)> {
    let (ip, port) = text.split_once(':')?;
    let word = |at: usize| u32::from_str_radix(ip.get(at..at + 8)?, 16).ok().map(u32::to_ne_bytes);
    let ip = match ip.len() {
        8 => IpAddr::from(Ipv4Addr::from(word(0)?)),
        _ => {
            let words = [word(0)?, word(8)?, word(16)?, word(24)?];
            let octets: &[u8; 16] = words.as_flattened().first_chunk()?;
            IpAddr::from(Ipv6Addr::from(*octets))
        }
    };
    Some((ip.to_canonical(), u16::from_str_radix(port, 16).ok()?))
}

/// Returns the processes that have a socket open, as far as they may be examined.
fn holders_of(inode: &str) -> Vec<u32> {
    let wanted = PathBuf::from(format!("socket:[{inode}]"));
    let has_it = |process: &std::fs::DirEntry| {
        let Ok(open) = descriptor::read_dir(process.path().join("fd")) else { return false };
        open.flatten().any(|fd| std::fs::read_link(fd.path()).is_ok_and(|name| name == wanted))
    };
    let Ok(all) = descriptor::read_dir("/proc") else { return Vec::new() };
    let number = |process: &std::fs::DirEntry| process.file_name().to_str()?.parse::<u32>().ok();
    all.flatten().filter_map(|process| number(&process).filter(|_| has_it(&process))).collect()
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn fresh_bytes_identify_the_process_and_never_repeat() {
        let (one, other) = (new_nonce("test").unwrap(), new_nonce("test").unwrap());
        assert_ne!(one, other);
        assert!(process_of(&one).is_some() && process_of(&one) == process_of(&other));
        assert_eq!(process_of(&[7; 32]), None);
    }

    #[test]
    fn kernel_reports_the_owner_of_a_socket() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(address) else {
                println!("skip {address}: this machine has no such address (would help: IPv6)");
                continue;
            };
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (_accepted, theirs) = listener.accept().unwrap();
            let ours = client.peer_addr().unwrap();
            let find = |near, far| {
                ["/proc/net/tcp", "/proc/net/tcp6"].iter().find_map(|file| inode_of(file, near, far))
            };
            for (near, far) in [(ours, theirs), (theirs, ours)] {
                assert!(holders_of(&find(near, far).unwrap()).contains(&std::process::id()), "{address}");
            }
            assert_eq!(find(ours, ours), None);
        }
        for line in ["", "0: 1 2 3", "0: 0100007F:0002", "x 0100007F:0002 0100007F:0001 01"] {
            let (near, far) = ("127.0.0.1:2".parse().unwrap(), "127.0.0.1:1".parse().unwrap());
            assert_eq!(inode_in(line, near, far), None, "{line}");
        }
    }
}
