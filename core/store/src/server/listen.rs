// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Binds the port of a server.

use std::net::{SocketAddr, TcpListener};

use mf_base::{Error, Kind, Result};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use super::OPERATION;

/// Connections that may wait for `accept`. A whole job starts at once, and the kernel drops what goes beyond, which
/// costs the client a second; the standard library's 128 is too few for that.
const BACKLOG: i32 = 4096;

/// Opens a listening socket that does not block and is closed on exec.
pub(super) fn bind(address: SocketAddr) -> Result<TcpListener> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let opened = rustix::net::socket_with(family, SocketType::STREAM, flags, None).and_then(|socket| {
        // Lets a new job take the port while connections of the last one linger in the kernel.
        sockopt::set_socket_reuseaddr(&socket, true)?;
        rustix::net::bind(&socket, &address)?;
        // Two processes may both have bound by now; the kernel lets only one of them listen.
        rustix::net::listen(&socket, BACKLOG)?;
        Ok(socket)
    });
    opened.map(TcpListener::from).map_err(|errno| {
        let error = match errno {
            Errno::ADDRINUSE => Error::os(OPERATION, errno)
                .what("the port is in use")
                .hint("stop the program that listens there, or choose another port"),
            Errno::ADDRNOTAVAIL => Error::new(Kind::InvalidParam, OPERATION)
                .what("the address is not one of this machine")
                .source(std::io::Error::from(errno))
                .hint("start the store on the machine that has the address"),
            _ => Error::os(OPERATION, errno).what("the store cannot listen"),
        };
        error.with("address", address)
    })
}
