// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The two hosts at the ends of a line: network namespaces of this process, each with a device whose packets
//! the relay reads and writes.
//!
//! A namespace lives as long as its descriptor or a process in it: there is none to delete.

use std::fs::File;
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, AsRawFd};

use mf_base::os::descriptor;
use mf_base::{Error, Kind, Result};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space, unshare_unsafe};

use super::super::OPERATION;
use super::relay::Relay;
use super::spec::Line;

/// Name of the device in both hosts.
const DEVICE: &[u8] = b"line0";
/// Of the network namespace of the thread.
const MTU_PROBING: &str = "/proc/sys/net/ipv4/tcp_mtu_probing";
const LOOPBACK: &[u8] = b"lo";
/// `struct virtio_net_hdr` in front of each packet, no other header, IP packets.
#[expect(clippy::cast_possible_truncation, reason = "flags of 16 bits")]
const FLAGS: i16 = (libc::IFF_TUN | libc::IFF_NO_PI | libc::IFF_VNET_HDR) as i16;
#[expect(clippy::cast_possible_truncation, reason = "flags of 16 bits")]
const UP: i16 = (libc::IFF_UP | libc::IFF_RUNNING) as i16;
/// Packets that wait for the relay; a burst of a sender fits.
const QUEUE_PACKETS: u32 = 10_000;
/// The kernel may leave checksums and segmentation to the other end.
const OFFLOADS: u32 = libc::TUN_F_CSUM | libc::TUN_F_TSO4;

/// Two hosts with a line between them. Dropping it takes them away.
pub(super) struct Ends {
    hosts: [Host; 2],
    relay: Relay,
}

struct Host {
    namespace: File,
    device: File,
}

impl Ends {
    /// Makes the hosts and their line.
    ///
    /// # Errors
    /// `Failed` without the right to make namespaces, or without the device of the kernel, with the
    /// remedy.
    pub(super) fn new(line: Line) -> Result<Self> {
        let hosts = [Host::new(line, 0)?, Host::new(line, 1)?];
        let relay = Relay::start(line, [&hosts[0].device, &hosts[1].device])?;
        Ok(Self { hosts, relay })
    }

    /// Does something on a host, on this very thread: a child that it starts is there, too.
    ///
    /// # Errors
    /// Errors of `act`, or of the change of the namespace.
    pub(super) fn on<T>(&self, host: usize, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let own = own_namespace().map_err(|error| unavailable("cannot open the own namespace", error))?;
        let enter = |namespace: &File| {
            move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))
                .map_err(|errno| unavailable("cannot change the network namespace", errno.into()))
        };
        let host = self.hosts.get(host).ok_or_else(|| Error::invalid(OPERATION, "a line has two ends"))?;
        enter(&host.namespace)?;
        let done = act();
        enter(&own)?;
        done
    }

    /// Packets that the line has carried and lost so far.
    pub(super) fn counts(&self) -> (u64, u64) {
        self.relay.counts()
    }
}

/// Address of a host.
pub(super) fn address(host: u8) -> Ipv4Addr {
    Ipv4Addr::new(10, 213, 11, host + 1)
}

impl Host {
    fn new(line: Line, number: u8) -> Result<Self> {
        // A thread of its own enters the new namespace, which stays through its descriptor.
        std::thread::scope(|scope| {
            let made = scope.spawn(move || {
                // SAFETY: the flag touches neither memory nor descriptors that Rust's types own.
                unsafe { unshare_unsafe(UnshareFlags::NEWNET) }
                    .map_err(|errno| unavailable("cannot make a network namespace", errno.into()))?;
                let namespace =
                    own_namespace().map_err(|error| unavailable("cannot open a network namespace", error))?;
                let device = device(line, number)
                    .map_err(|error| unavailable("cannot make a network device", error))?;
                Ok(Self { namespace, device })
            });
            made.join().unwrap_or_else(|_| Err(super::super::failed("the thread of a host panicked")))
        })
    }
}

fn own_namespace() -> io::Result<File> {
    File::open("/proc/thread-self/ns/net")
}

#[cold]
fn unavailable(what: &str, error: io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION)
        .what(what)
        .hint(
            "--line makes two network namespaces with /dev/net/tun: run as root, or by: unshare --user --map-root-user \
             mf perf net --line …; load the device by: modprobe tun",
        )
        .source(error)
}

/// Makes and starts the device of a host, in the namespace of this thread.
fn device(line: Line, number: u8) -> io::Result<File> {
    let device = File::options().read(true).write(true).open("/dev/net/tun")?;
    let control = descriptor::socket(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    let mut request = Request::of(DEVICE);
    request.send(&device, libc::TUNSETIFF, &FLAGS.to_ne_bytes())?;
    if !line.needs_single_packets() {
        // An old kernel refuses this, and hands over single packets.
        let _ = ioctl(&device, libc::TUNSETOFFLOAD, Argument::Number(OFFLOADS));
    }
    rustix::io::ioctl_fionbio(&device, true)?;
    request.send(&control, libc::SIOCSIFADDR, &socket_address(address(number)))?;
    request.send(&control, libc::SIOCSIFNETMASK, &socket_address(Ipv4Addr::new(255, 255, 255, 0)))?;
    request.send(&control, libc::SIOCSIFMTU, &line.mtu.to_ne_bytes())?;
    request.send(&control, libc::SIOCSIFTXQLEN, &QUEUE_PACKETS.to_ne_bytes())?;
    request.send(&control, libc::SIOCSIFFLAGS, &UP.to_ne_bytes())?;
    Request::of(LOOPBACK).send(&control, libc::SIOCSIFFLAGS, &UP.to_ne_bytes())?;
    if line.hole.is_some() {
        // As its administrator sets it: without it no connection survives its first long packet.
        std::fs::write(MTU_PROBING, "1")?;
    }
    Ok(device)
}

/// `struct sockaddr_in` without a port.
fn socket_address(address: Ipv4Addr) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..2].copy_from_slice(&libc::AF_INET.to_ne_bytes()[..2]);
    bytes[4..8].copy_from_slice(&address.octets());
    bytes
}

/// `struct ifreq`: the name of a device and a value.
#[repr(C, align(8))]
struct Request {
    name: [u8; 16],
    value: [u8; 24],
}

impl Request {
    fn of(name: &[u8]) -> Self {
        let mut request = Self { name: [0; 16], value: [0; 24] };
        request.name.iter_mut().zip(name).for_each(|(to, from)| *to = *from);
        request
    }

    fn send(&mut self, to: impl AsFd, number: libc::Ioctl, value: &[u8]) -> io::Result<()> {
        self.value = [0; 24];
        self.value.iter_mut().zip(value).for_each(|(to, from)| *to = *from);
        ioctl(to, number, Argument::Request(self))
    }
}

enum Argument<'a> {
    Request(&'a mut Request),
    Number(u32),
}

fn ioctl(to: impl AsFd, number: libc::Ioctl, argument: Argument<'_>) -> io::Result<()> {
    let descriptor = to.as_fd().as_raw_fd();
    let done = match argument {
        // SAFETY: the requests of this file take a `struct ifreq`, of which `Request` has the layout.
        Argument::Request(request) => unsafe { libc::ioctl(descriptor, number, &raw mut *request) },
        // SAFETY: TUNSETOFFLOAD takes a number.
        Argument::Number(value) => unsafe { libc::ioctl(descriptor, number, libc::c_ulong::from(value)) },
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
