// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Binds the port of a server, and finds out whether a store was there a moment ago.

use std::net::{SocketAddr, TcpListener};
use std::os::fd::{AsRawFd as _, OwnedFd};

use mf_base::os::descriptor;
use mf_base::{Error, Kind, Result};
use rustix::io::{Errno, FdFlags};
use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};

use super::OPERATION;

/// Connections that may wait for `accept`. A whole job starts at once, and the kernel drops what goes beyond,
/// which costs the client a second; the standard library's 128 is too few for that.
const BACKLOG: i32 = 4096;

/// A socket that listens, for [`Server::lead`](super::Server::lead).
pub struct Listening {
    pub(super) socket: TcpListener,
    /// The kernel remembers connections of a listener that had the port before; or there was another leader.
    pub has_predecessor: bool,
}

impl Listening {
    /// Returns its address, with the real port.
    ///
    /// # Errors
    /// `NoResources` the kernel has no answer.
    pub fn address(&self) -> Result<SocketAddr> {
        self.socket.local_addr().map_err(|error| {
            Error::new(Kind::NoResources, OPERATION).what("the listener has no address").source(error)
        })
    }
}

/// Opens a listening socket that does not block and is closed on exec.
pub(super) fn bind(address: SocketAddr) -> Result<Listening> {
    let opened = match open(address, false) {
        // Connections of the last listener linger in the kernel, or the port is in use.
        Err(Errno::ADDRINUSE) => open(address, true).map(|socket| (socket, true)),
        opened => opened.map(|socket| (socket, false)),
    };
    opened.map(|(socket, has_predecessor)| Listening { socket, has_predecessor }).map_err(|errno| {
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

/// Makes a socket of the caller listen, and returns its address.
pub(super) fn adopt(socket: OwnedFd) -> Result<(Listening, SocketAddr)> {
    let unusable = |what: &str, errno: Option<Errno>| {
        let error = Error::invalid(OPERATION, what)
            .with("descriptor", socket.as_raw_fd())
            .hint("pass a TCP socket that is bound to an address, and not connected");
        match errno {
            Some(errno) => error.source(std::io::Error::from(errno)),
            None => error,
        }
    };
    match sockopt::socket_type(&socket) {
        Ok(SocketType::STREAM) => {}
        Ok(_) => return Err(unusable("the descriptor is a socket of another type than TCP's", None)),
        Err(errno) => return Err(unusable("the descriptor is not a socket", Some(errno))),
    }
    let address =
        rustix::net::getsockname(&socket).ok().and_then(|address| SocketAddr::try_from(address).ok());
    let Some(address) = address else {
        return Err(unusable("the descriptor is a socket of another family than TCP's", None));
    };
    if address.port() == 0 {
        return Err(unusable("the socket is not bound to an address", None));
    }
    if rustix::net::getpeername(&socket).is_ok_and(|peer| peer.is_some()) {
        return Err(unusable("the socket is a connection, and cannot listen", None));
    }
    // A socket that shares its port had to be bound with that option, and may have had to share it with
    // connections of an earlier store that the kernel remembers. A socket without the option has the port
    // alone.
    let shares = [sockopt::socket_reuseaddr(&socket), sockopt::socket_reuseport(&socket)];
    let has_predecessor = shares.iter().any(|shares| !matches!(shares, Ok(false)));
    let flags = rustix::io::fcntl_getfd(&socket).map(|flags| flags | FdFlags::CLOEXEC);
    flags
        .and_then(|flags| rustix::io::fcntl_setfd(&socket, flags))
        .and_then(|()| rustix::io::ioctl_fionbio(&socket, true))
        // As for sockets bound here: the next store can take the port while connections linger.
        .and_then(|()| sockopt::set_socket_reuseaddr(&socket, true))
        // On one that listens already, this only sets how many connections may wait.
        .and_then(|()| rustix::net::listen(&socket, BACKLOG))
        .map_err(|errno| unusable("the socket cannot listen", Some(errno)).with("address", address))?;
    Ok((Listening { socket: TcpListener::from(socket), has_predecessor }, address))
}

fn open(address: SocketAddr, reuse: bool) -> rustix::io::Result<TcpListener> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = descriptor::socket(family, SocketType::STREAM, flags, None)?;
    if reuse {
        sockopt::set_socket_reuseaddr(&socket, true)?;
    }
    rustix::net::bind(&socket, &address)?;
    // Its connections inherit it, so that the next store can take the port while they linger.
    sockopt::set_socket_reuseaddr(&socket, true)?;
    // Two processes may both have bound by now; the kernel lets only one of them listen.
    rustix::net::listen(&socket, BACKLOG)?;
    Ok(TcpListener::from(socket))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::net::{Ipv4Addr, TcpStream};

    #[test]
    fn exclusive_socket_of_the_caller_has_no_predecessor() {
        let bound = |reuse: bool| {
            let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
            sockopt::set_socket_reuseaddr(&socket, reuse).unwrap();
            rustix::net::bind(&socket, &SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
            adopt(socket).unwrap()
        };
        assert!(bound(true).0.has_predecessor, "nobody knows");
        let (alone, address) = bound(false);
        assert!(!alone.has_predecessor);
        // The next store can have the port although connections linger.
        let mut client = TcpStream::connect(address).unwrap();
        let accepted = alone.socket.accept().unwrap();
        drop((accepted, alone));
        assert_eq!(client.read(&mut [0]).unwrap(), 0);
        assert!(bind(address).unwrap().has_predecessor);
    }

    #[test]
    fn the_kernel_reports_an_earlier_listener() {
        let first = bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        assert!(!first.has_predecessor);
        let address = first.socket.local_addr().unwrap();
        assert_eq!(bind(address).err().map(|error| error.kind()), Some(Kind::InUse));
        let mut client = TcpStream::connect(address).unwrap();
        let accepted = first.socket.accept().unwrap();
        // As when the process of a store is killed.
        drop((accepted, first));
        assert_eq!(client.read(&mut [0]).unwrap(), 0);
        let second = bind(address).unwrap();
        assert!(second.has_predecessor);
    }
}
