// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A port of the loopback that no other process gets, and where a process listens.

use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;

use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

/// A port that the kernel chose and that this socket holds without listening: the kernel does not assign it
/// as an ephemeral port, while a store that binds it by number, with address reuse, gets it.
#[derive(Debug)]
pub struct Port {
    number: u16,
    _held: OwnedFd,
}

impl Port {
    /// Takes a free port.
    pub fn take() -> Self {
        let held =
            rustix::net::socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)
                .expect("a socket");
        sockopt::set_socket_reuseaddr(&held, true).expect("address reuse");
        rustix::net::bind(&held, &SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a free port");
        let address = rustix::net::getsockname(&held).expect("the socket is bound");
        let address = SocketAddr::try_from(address).expect("an internet address");
        Self { number: address.port(), _held: held }
    }

    /// Its number.
    pub fn number(&self) -> u16 {
        self.number
    }

    /// A store's URL on it.
    pub fn url(&self) -> String {
        format!("tcp://127.0.0.1:{}", self.number)
    }
}

/// The ports that a process listens on.
pub fn listening(pid: u32) -> Vec<u16> {
    let sockets = sockets(pid);
    let table = std::fs::read_to_string(format!("/proc/{pid}/net/tcp")).expect("the process is ours");
    let listening = table.lines().skip(1).filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_its_own = sockets.iter().any(|socket| Some(&**socket) == words.get(9).copied());
        let port = words.get(1)?.split_once(':')?.1;
        (is_its_own && words.get(3) == Some(&"0A")).then(|| u16::from_str_radix(port, 16).ok())?
    });
    listening.collect()
}

/// The abstract names of Unix sockets that a process listens on.
pub fn names(pid: u32) -> Vec<String> {
    let sockets = sockets(pid);
    let table = std::fs::read_to_string(format!("/proc/{pid}/net/unix")).expect("the process is ours");
    let named = table.lines().skip(1).filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_its_own = sockets.iter().any(|socket| Some(&**socket) == words.get(6).copied());
        // Accepted sockets have the name as well, but do not accept connections (flag 0x10000).
        let listens = words.get(3) == Some(&"00010000");
        words.get(7)?.strip_prefix('@').filter(|_| is_its_own && listens).map(str::to_owned)
    });
    named.collect()
}

/// The inode numbers of the sockets that a process has open.
fn sockets(pid: u32) -> Vec<String> {
    std::fs::read_dir(format!("/proc/{pid}/fd"))
        .expect("the process is ours")
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .filter_map(|target| {
            Some(target.to_str()?.strip_prefix("socket:[")?.trim_end_matches(']').to_owned())
        })
        .collect()
}
