// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Peer credentials: the user of the process at the other end of a connection on this host, and the check
//! that it is allowed.
//!
//! Unix sockets report it by `SO_PEERCRED` ([`super::socket::credentials`]). For a TCP connection over the
//! loopback both ends are sockets of this host, and the kernel reports the owner of the other one: by
//! `NETLINK_SOCK_DIAG`, which finds one connection in its hash table and needs no rights, or, where that
//! is not available (a kernel without `inet_diag`, a filter of system calls), by the list in `/proc/net/tcp`.
//!
//! User 0 of the kernel is not always root: a socket without a file, because it was closed or not accepted
//! yet, has no user and is shown with 0. Such a socket has no inode number either, and counts as
//! [`Gone`](TcpPeer::Gone). A connection that changes its owner after the check does not help an attacker:
//! both protocols that rely on it continue with a nonce of their own, which only reaches the socket that was
//! checked.

use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;
use rustix::net::netlink::SOCK_DIAG;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};

use crate::error::{Error, Result};
use crate::os::descriptor;
use crate::settings::Users;

/// The kernel's report on the other end of a TCP connection on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TcpPeer {
    /// A process of this user has it open.
    User(u32),
    /// No process of this network namespace has it open: it was closed, or is not accepted yet.
    Gone,
    /// There is no descriptor or memory left for the request.
    NoResources(Errno),
    /// The kernel does not report it; the reason.
    Unknown(String),
}

/// The process at the other end of the connection between our socket at `ours` and the one at `theirs`, both
/// of this host. **Local.** Two system calls on any usual kernel; never waits.
pub fn tcp_peer(ours: SocketAddr, theirs: SocketAddr) -> TcpPeer {
    find(ours, theirs).map_or_else(|peer| peer, |found| found.peer)
}

/// The other end; an error: why none is known.
fn find(ours: SocketAddr, theirs: SocketAddr) -> Result<Found, TcpPeer> {
    /// Set when the kernel has named a user: then a missing connection is reliable.
    static ANSWERS: AtomicBool = AtomicBool::new(false);
    let reason = match query_kernel(ours, theirs) {
        Ok(found) => {
            if let TcpPeer::User(_) = found.peer {
                ANSWERS.store(true, Ordering::Relaxed);
            }
            return Ok(found);
        }
        // Also the answer of a kernel that has no module for this question.
        Err(Errno::NOENT) if ANSWERS.load(Ordering::Relaxed) => return Err(TcpPeer::Gone),
        Err(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM)) => {
            return Err(TcpPeer::NoResources(errno));
        }
        Err(errno) => errno,
    };
    let file = if theirs.ip().to_canonical().is_ipv4() { "/proc/net/tcp" } else { "/proc/net/tcp6" };
    // A client's socket for both families is in the other list.
    let files =
        if theirs.ip().to_canonical().is_ipv4() { &[file, "/proc/net/tcp6"][..] } else { &[file][..] };
    for file in files {
        match search_list(file, ours, theirs) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(error) => {
                let asked = std::io::Error::from(reason);
                return Err(TcpPeer::Unknown(format!("sock_diag: {asked}; {file}: {error}")));
            }
        }
    }
    Err(TcpPeer::Gone)
}

/// Returns the bytes that the process at the other end of that connection has not read yet. `None` if the
/// kernel does not report it, or no process has the other end open. **Local.** Two system calls; never waits.
pub fn tcp_peer_unread(ours: SocketAddr, theirs: SocketAddr) -> Option<u32> {
    let found = find(ours, theirs).ok()?;
    matches!(found.peer, TcpPeer::User(_)).then_some(found.unread)
}

/// Checks that a process of user `uid` may be at the other end: our own user, or an allowed one.
///
/// # Errors
/// `InvalidParam` with both users and the remedy.
pub fn check(operation: &'static str, uid: u32, allowed: &Users) -> Result<()> {
    let ours = rustix::process::geteuid().as_raw();
    if uid == ours || allowed.contains(uid) {
        return Ok(());
    }
    Err(Error::invalid(operation, format!("a process of another user, uid {uid}, is at the other end"))
        .with("uid", uid)
        .with("own_uid", ours)
        .hint(REMEDY))
}

/// The same for the other end of a TCP connection on this host. False when it is closed already.
///
/// # Errors
/// `InvalidParam` another user, or the kernel does not report which · `NoResources` no descriptor is left
/// for the request.
pub fn check_tcp(
    operation: &'static str,
    ours: SocketAddr,
    theirs: SocketAddr,
    allowed: &Users,
) -> Result<bool> {
    if *allowed == Users::Any {
        return Ok(true);
    }
    match tcp_peer(ours, theirs) {
        TcpPeer::User(uid) => check(operation, uid, allowed).map(|()| true),
        TcpPeer::Gone => Ok(false),
        TcpPeer::NoResources(errno) => Err(Error::os(operation, errno)),
        TcpPeer::Unknown(reason) => Err(Error::invalid(
            operation,
            "this machine does not report the user of the process at the other end, and there is no secret",
        )
        .with("reason", reason)
        .hint(REMEDY)),
    }
}

/// The remedy for members of several users.
pub const REMEDY: &str = "run all members and their store as one user; for several users give all the same MF_JOB_SECRET \
                          (mf run makes one), or name the others in MF_ALLOW_USERS on both sides";

/// States of TCP in which a process can still send.
const SPEAKING: [u8; 4] = [1, 4, 5, 8];

/// Length of a request: header, then `inet_diag_req_v2`.
const REQUEST_BYTES: usize = 16 + 56;
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLM_F_REQUEST: u16 = 1;
const NLMSG_ERROR: u16 = 2;
const IPPROTO_TCP: u8 = 6;

/// The other end, as the kernel reports it.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    peer: TcpPeer,
    /// Bytes in its queue.
    unread: u32,
}

/// Requests the one connection.
fn query_kernel(ours: SocketAddr, theirs: SocketAddr) -> Result<Found, Errno> {
    let flags = SocketFlags::CLOEXEC;
    let socket = descriptor::socket(AddressFamily::NETLINK, SocketType::RAW, flags, Some(SOCK_DIAG))?;
    rustix::net::send(&socket, &request(ours, theirs), SendFlags::empty())?;
    let mut answer = [0; 1024];
    // The kernel has answered before the call above returned.
    let (bytes, _) = rustix::net::recv(&socket, &mut answer, RecvFlags::DONTWAIT)?;
    parse_answer(answer.get(..bytes).unwrap_or_default(), ours, theirs)
}

fn request(ours: SocketAddr, theirs: SocketAddr) -> [u8; REQUEST_BYTES] {
    let mut request = [0; REQUEST_BYTES];
    let mut at = 0;
    let mut put = |bytes: &[u8]| {
        if let Some(space) = request.get_mut(at..at + bytes.len()) {
            space.copy_from_slice(bytes);
        }
        at += bytes.len();
    };
    let family =
        if theirs.ip().to_canonical().is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    put(&72_u32.to_ne_bytes());
    put(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    put(&NLM_F_REQUEST.to_ne_bytes());
    put(&[0; 8]);
    put(&[family.as_raw().to_le_bytes()[0], IPPROTO_TCP, 0, 0]);
    // Any state.
    put(&u32::MAX.to_ne_bytes());
    put(&theirs.port().to_be_bytes());
    put(&ours.port().to_be_bytes());
    put(&address_bytes(theirs.ip()));
    put(&address_bytes(ours.ip()));
    // Any interface, no cookie.
    put(&0_u32.to_ne_bytes());
    put(&[0xff; 8]);
    request
}

/// An address as the kernel has it here: 16 bytes, of IPv4 the first four.
fn address_bytes(address: IpAddr) -> [u8; 16] {
    let mut bytes = [0; 16];
    match address.to_canonical() {
        IpAddr::V4(address) => {
            for (to, from) in bytes.iter_mut().zip(address.octets()) {
                *to = from;
            }
        }
        IpAddr::V6(address) => bytes = address.octets(),
    }
    bytes
}

fn parse_answer(answer: &[u8], ours: SocketAddr, theirs: SocketAddr) -> Result<Found, Errno> {
    let word = |at: usize| answer.get(at..)?.first_chunk::<4>().map(|bytes| u32::from_ne_bytes(*bytes));
    let port = |at: usize| answer.get(at..)?.first_chunk::<2>().map(|bytes| u16::from_be_bytes(*bytes));
    let kind = answer.get(4..).and_then(|rest| rest.first_chunk::<2>()).map(|b| u16::from_ne_bytes(*b));
    if kind == Some(NLMSG_ERROR) {
        let number = word(16).map_or(0, u32::cast_signed);
        return Err(Errno::from_raw_os_error(number.wrapping_neg()));
    }
    // After the header: family, state, timer, retransmissions, then ports, addresses, interface and cookie;
    // then the time to the next timer, two queues, user and inode.
    let (Some(SOCK_DIAG_BY_FAMILY), Some(state), Some(unread), Some(uid), Some(inode)) =
        (kind, answer.get(17), word(72), word(80), word(84))
    else {
        return Err(Errno::PROTO);
    };
    // Without a connection the kernel reports the listener at that port.
    let is_the_one = port(20) == Some(theirs.port()) && port(22) == Some(ours.port());
    let is_open = is_the_one && SPEAKING.contains(state) && inode != 0;
    Ok(Found { peer: if is_open { TcpPeer::User(uid) } else { TcpPeer::Gone }, unread })
}

/// Searches the connection in a list of the kernel.
fn search_list(file: &str, ours: SocketAddr, theirs: SocketAddr) -> std::io::Result<Option<Found>> {
    let ends = [end_text(theirs, file.ends_with('6')), end_text(ours, file.ends_with('6'))];
    for line in BufReader::new(descriptor::read_file(file)?).lines() {
        if let Some(found) = entry(&line?, &ends) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Parses a line, if it is about the connection between these ends.
fn entry(line: &str, ends: &[String; 2]) -> Option<Found> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.get(1) != Some(&ends[0].as_str()) || words.get(2) != Some(&ends[1].as_str()) {
        return None;
    }
    let state = u8::from_str_radix(words.get(3)?, 16).ok()?;
    let uid = words.get(7)?.parse().ok()?;
    let has_file = words.get(9).is_some_and(|inode| *inode != "0");
    let unread = words.get(4).and_then(|queues| u32::from_str_radix(queues.split_once(':')?.1, 16).ok())?;
    let is_open = SPEAKING.contains(&state) && has_file;
    Some(Found { peer: if is_open { TcpPeer::User(uid) } else { TcpPeer::Gone }, unread })
}

/// An end as the kernel's list shows it: the words of the address in the byte order of the machine.
fn end_text(end: SocketAddr, wide: bool) -> String {
    let octets: Vec<u8> = match (end.ip().to_canonical(), wide) {
        (IpAddr::V4(address), false) => address.octets().to_vec(),
        (IpAddr::V4(address), true) => address.to_ipv6_mapped().octets().to_vec(),
        (IpAddr::V6(address), _) => Ipv6Addr::octets(&address).to_vec(),
    };
    let words = octets.chunks_exact(4).filter_map(|word| word.first_chunk::<4>());
    let address: String = words.map(|word| format!("{:08X}", u32::from_ne_bytes(*word))).collect();
    format!("{address}:{:04X}", end.port())
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    use super::*;

    fn own() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    /// Both kinds of request, which must agree.
    fn peer(ours: SocketAddr, theirs: SocketAddr) -> TcpPeer {
        let asked = tcp_peer(ours, theirs);
        let files = ["/proc/net/tcp", "/proc/net/tcp6"];
        let found = files.iter().find_map(|file| search_list(file, ours, theirs).unwrap_or_default());
        assert_eq!(found.map_or(TcpPeer::Gone, |found| found.peer), asked, "{ours} {theirs}");
        asked
    }

    fn ends(address: &str) -> Option<(TcpListener, TcpStream, SocketAddr, SocketAddr)> {
        let listener = TcpListener::bind(address).ok()?;
        let port = listener.local_addr().unwrap().port();
        let to = if address.starts_with("[::]") { "127.0.0.1:0" } else { address };
        let mut to: SocketAddr = to.parse().unwrap();
        to.set_port(port);
        let client = TcpStream::connect(to).unwrap();
        let (near, far) = (client.local_addr().unwrap(), client.peer_addr().unwrap());
        Some((listener, client, near, far))
    }

    #[test]
    fn both_ends_are_named_once_they_are_open() {
        for address in ["127.0.0.1:0", "[::1]:0", "[::]:0"] {
            let Some((listener, client, near, far)) = ends(address) else {
                eprintln!("skip {address}: this machine has no such address");
                continue;
            };
            // Not accepted yet: the kernel reports user 0, which is no user.
            assert_eq!(peer(near, far), TcpPeer::Gone);
            let (accepted, from) = listener.accept().unwrap();
            assert_eq!(peer(near, far), TcpPeer::User(own()));
            assert_eq!(peer(accepted.local_addr().unwrap(), from), TcpPeer::User(own()));
            assert_eq!(tcp_peer_unread(near, far), Some(0));
            (&client).write_all(b"four").unwrap();
            assert_eq!(tcp_peer_unread(near, far), Some(4));
            assert!(check_tcp("test", near, far, &Users::default()).unwrap());
            drop(client);
            assert_eq!(tcp_peer_unread(accepted.local_addr().unwrap(), SocketAddr::new(far.ip(), 1)), None);
            // Closed without having been read: the kernel still has the connection, but no process. A child
            // of another test has it, too, until its program begins.
            let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
            while tcp_peer(far, near) != TcpPeer::Gone {
                assert!(std::time::Instant::now() < end, "{address}: {:?}", tcp_peer(far, near));
                std::thread::yield_now();
            }
            assert!(!check_tcp("test", far, near, &Users::default()).unwrap());
        }
    }

    #[test]
    fn absent_connection_has_no_owner() {
        let (listener, _client, near, far) = ends("127.0.0.1:0").unwrap();
        let _accepted = listener.accept().unwrap();
        let other = SocketAddr::new(near.ip(), near.port() ^ 1);
        assert_eq!(tcp_peer(far, other), TcpPeer::Gone);
        // The kernel shows the listener in the place of a connection that is not there.
        assert_eq!(tcp_peer(other, far), TcpPeer::Gone);
    }

    #[test]
    fn other_users_are_refused_root_among_them() {
        let other = own() + 1;
        let error = check("test", other, &Users::default()).unwrap_err().to_string();
        for part in [format!("uid {other}"), format!("own_uid {}", own()), "MF_JOB_SECRET".to_owned()] {
            assert!(error.contains(&part), "{error}");
        }
        assert!(check("test", 0, &Users::default()).is_ok() == (own() == 0));
        assert!(check("test", own(), &Users::default()).is_ok());
        assert!(check("test", other, &Users::Listed(vec![other])).is_ok());
        assert!(check("test", other, &Users::Any).is_ok());
    }

    #[test]
    fn malformed_kernel_answers_name_no_user() {
        let (ours, theirs) = ("127.0.0.1:1".parse().unwrap(), "127.0.0.1:2".parse().unwrap());
        for bytes in 0..88 {
            assert!(parse_answer(&vec![0; bytes], ours, theirs).is_err());
        }
        for line in ["", "0: 1 2 3", "0: 0100007F:0002 0100007F:0001", "x y z 01 a b c d e f g"] {
            let ends = [end_text(theirs, false), end_text(ours, false)];
            assert_eq!(entry(line, &ends), None, "{line}");
        }
    }
}
