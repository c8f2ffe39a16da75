// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A port of the loopback that nobody else gets.

use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;

use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

/// A port that the kernel chose and that this socket holds without listening: the kernel gives it to nobody who leaves
/// the choice to it, while a store that asks for it by number, with address reuse, gets it.
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
