// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Thousands of connections that prove nothing, at the data port of a member and at its links, while another
//! member makes a new connection to it.

use std::collections::VecDeque;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_tests::job::{all_reach_all, each};
use mf_tests::{Job, Member, Order, deadline, host, needs_shared_memory, port, skip};
use mf_tls::channel::Channels;
use rustix::net::{AddressFamily, SendFlags, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{SMALL, job, row};

/// As many as a crowd has, and a smaller one.
const CROWDS: [usize; 2] = [1300, 5000];
/// Descriptors that a member may open more, where they are few.
const FEW: u64 = 100;
/// Descriptors of this process besides the crowd's.
const OTHERS: u64 = 200;
/// A crowd comes again at most so often, each of it.
const ROUNDS: usize = 200;
/// Longest time of the member: a bound against hangs; the table has the actual time.
const HANGS: Duration = Duration::from_secs(10);

/// Data sent by unauthenticated peers.
#[derive(Clone)]
struct Words {
    name: &'static str,
    bytes: Vec<u8>,
}

impl Words {
    fn silent() -> Self {
        Self { name: "silent", bytes: Vec::new() }
    }

    fn garbage() -> Self {
        Self { name: "garbage", bytes: b"\x00\xff garbage \x16\x03\x01 garbage garbage garbage".to_vec() }
    }

    /// The beginning of a member's greeting.
    fn half_a_hello() -> Self {
        Self { name: "half a hello", bytes: b"MFNT\x01\x00".to_vec() }
    }

    /// The first message of TLS, whole and right: a server that answers it computes.
    fn tls_hello() -> Self {
        let mut bytes = Vec::new();
        Channels::new(b"memfabric-net/1").unwrap().client().unwrap().take_output(&mut bytes);
        Self { name: "TLS hello", bytes }
    }
}

/// True if this process may open so many descriptors; prints the reason if not.
fn may_open(test: &str, crowd: usize) -> bool {
    let wanted = u64::try_from(crowd).unwrap() + OTHERS;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= wanted) {
        return true;
    }
    let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
    let is_raised =
        limit.maximum.is_none_or(|most| most >= wanted) && setrlimit(Resource::Nofile, raised).is_ok();
    if !is_raised {
        skip(
            test,
            format!(
                "{crowd} unauthenticated peers need {wanted} descriptors, the limit is {:?}",
                limit.maximum
            ),
        );
    }
    is_raised
}

/// A crowd that stays: a client that is closed comes again.
struct Crowd {
    over: Arc<AtomicBool>,
    came: Arc<AtomicUsize>,
    thread: JoinHandle<()>,
}

impl Crowd {
    /// Returns when all of them have come once.
    fn gather<T: Send + 'static>(size: usize, knock: impl Fn() -> Option<T> + Send + 'static) -> Self {
        let (over, came) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (ends, comes) = (Arc::clone(&over), Arc::clone(&came));
        let thread = std::thread::spawn(move || {
            let mut there = VecDeque::with_capacity(size);
            for _ in 0..size * ROUNDS {
                if ends.load(Ordering::Acquire) {
                    return;
                }
                if there.len() == size {
                    there.pop_front();
                }
                if let Some(one) = knock() {
                    there.push_back(one);
                    comes.fetch_add(1, Ordering::AcqRel);
                }
            }
        });
        let crowd = Self { over, came, thread };
        let gathered = deadline::wait_until(|| crowd.came.load(Ordering::Acquire) >= size);
        assert!(gathered, "of {size} unauthenticated peers {} came", crowd.came.load(Ordering::Acquire));
        crowd
    }

    /// Closes the crowd; returns its size.
    fn disperse(self) -> usize {
        self.over.store(true, Ordering::Release);
        self.thread.join().unwrap();
        self.came.load(Ordering::Acquire)
    }
}

/// Connects to a data port.
fn knock_at_port(address: SocketAddr, words: &Words) -> Option<TcpStream> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
    // It may be turned out before it has spoken.
    let _ = stream.write_all(&words.bytes);
    Some(stream)
}

/// Connects to a link.
fn knock_at_link(name: &str, words: &Words) -> Option<OwnedFd> {
    let flags = SocketFlags::CLOEXEC;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None).ok()?;
    rustix::net::connect(&socket, &SocketAddrUnix::new_abstract_name(name.as_bytes()).unwrap()).ok()?;
    if !words.bytes.is_empty() {
        let _ = rustix::net::send(&socket, &words.bytes, SendFlags::NOSIGNAL);
    }
    Some(socket)
}

/// A pool of two, and the third member of its job, which has not joined.
fn two_and_one_to_come(job: &Job) -> (Vec<Member>, Member) {
    let mut members = job.members(0..3);
    let third = members.pop().unwrap();
    each(&mut members, &Order::Create(0, SMALL));
    each(&mut members, &Order::Join(0));
    all_reach_all(&mut members, &[0, 1]);
    (members, third)
}

/// The smaller crowd comes to a member that may open few descriptors.
fn limit(member: &mut Member, crowd: usize) {
    if crowd == CROWDS[0] {
        member.ok(&Order::LimitDescriptors(Some(FEW)));
    }
}

/// The rest of the test: all reach all, and the job ends in order.
fn end(job: &Job, mut members: Vec<Member>, third: Member) {
    members[0].ok(&Order::LimitDescriptors(None));
    members.push(third);
    all_reach_all(&mut members, &[0, 1, 2]);
    job.finish(members);
}

#[test]
fn connection_flood_at_the_data_port_blocks_no_member() {
    for (crowd, tls) in CROWDS.into_iter().flat_map(|crowd| [(crowd, "off"), (crowd, "on")]) {
        for words in [Words::silent(), Words::garbage(), Words::half_a_hello(), Words::tls_hello()] {
            let mut job = job(3);
            job.set("MF_SHM", "false");
            job.set("MF_NET_TLS", tls);
            let (mut members, mut third) = two_and_one_to_come(&job);
            // Behind the members: they have the limit that they were started with.
            if !may_open("connection_flood_at_the_data_port_blocks_no_member", crowd) {
                return;
            }
            limit(&mut members[0], crowd);
            let ports = port::listening(members[0].pid());
            let port = ports.into_iter().find(|port| *port != job.port()).expect("rank 0 listens");
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            let printed = words.bytes.len();
            let name = words.name;
            let peers = Crowd::gather(crowd, move || knock_at_port(address, &words));
            third.ok(&Order::Create(0, SMALL));
            third.ok(&Order::Join(0));
            // The first operation makes the connection.
            let started = Instant::now();
            third.ok(&Order::Put(0, host(0, 64), 64, 5));
            let took = started.elapsed();
            third.ok(&Order::Check(0, host(0, 64), 64, 5));
            let came = peers.disperse();
            assert!(took < HANGS, "a new connection took {took:?} beside {crowd} unauthenticated peers");
            row(
                &format!("{crowd} unauthenticated peers at the data port, {name}, MF_NET_TLS={tls}"),
                &format!("{came} connections, {printed} bytes each"),
                &format!("a member's new connection in {:.1} ms", took.as_secs_f64() * 1e3),
                "1 s; 16384 silent and 4096 begun, 60 s each",
            );
            end(&job, members, third);
        }
    }
}

#[test]
fn connection_flood_at_links_blocks_no_member() {
    if !needs_shared_memory("links of members") {
        return;
    }
    for crowd in CROWDS {
        for words in [Words::silent(), Words::garbage()] {
            let job = job(3);
            let (mut members, mut third) = two_and_one_to_come(&job);
            if !may_open("connection_flood_at_links_blocks_no_member", crowd) {
                return;
            }
            limit(&mut members[0], crowd);
            let names = port::names(members[0].pid());
            let name =
                names.into_iter().find(|name| name.starts_with("memfabric-")).expect("rank 0 has links");
            let printed = words.name;
            let peers = Crowd::gather(crowd, move || knock_at_link(&name, &words));
            third.ok(&Order::Create(0, SMALL));
            let started = Instant::now();
            third.ok(&Order::Join(0));
            let took = started.elapsed();
            third.ok(&Order::Put(0, host(0, 64), 64, 5));
            let came = peers.disperse();
            assert!(took < HANGS, "joining took {took:?} beside {crowd} unauthenticated peers");
            row(
                &format!("{crowd} unauthenticated peers at links, {printed}"),
                &format!("{came} connections of the own user"),
                &format!("a member joins over a new link in {:.1} ms", took.as_secs_f64() * 1e3),
                "1 s; 256 places, 60 s each",
            );
            end(&job, members, third);
        }
    }
}
