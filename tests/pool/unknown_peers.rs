// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Processes that are no members, on the socket of one.

use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::time::Instant;

use mf_base::os::memfile::MemFile;
use mf_base::os::socket::{self, Received};
use mf_base::settings::Switch;
use mf_base::{Kind, Rank};
use mf_device::Identity;
use mf_fabric::pool::member_record::MemberRecord;
use mf_fabric::pool::protocol::{self, Announcement, Part, Reply, Request};
use mf_net::link::Name;
use mf_net::link::packet::{Packet, encode};
use mf_store::{Client, ClientOptions, RankWish, Store};
use mf_tests::deadline;
use mf_tests::deadline::wait_until;
use mf_tests::job::each;
use mf_tests::{Answer, Job, Member, Order, needs_shared_memory};
use mf_tls::Security;
use rustix::net::{AddressFamily, SendFlags, SocketAddrUnix, SocketFlags, SocketType};
use std::os::fd::AsFd;

use mf_transport::JobId;

use super::jobs::{SMALL, all_reach_all, job};

/// A member's record in the store, with the name of its socket.
fn record(member: &mut Member, rank: u32) -> MemberRecord {
    let Answer::Value(Some(record)) = member.ok(&Order::Get(MemberRecord::key(0, Rank(rank)))) else {
        panic!("rank {rank} has no record");
    };
    MemberRecord::decode(&record).unwrap()
}

/// The endpoint of the member with this record.
fn name(job: &Job, record: &MemberRecord) -> Name {
    let store = SocketAddr::from((Ipv4Addr::LOCALHOST, job.port()));
    let security = Security::new(Switch::Auto, Vec::new(), None).unwrap();
    let guest = ClientOptions {
        wish: RankWish::Guest,
        connect_deadline: Instant::now() + deadline::limit(),
        ..ClientOptions::new(store, 0, security)
    };
    let token = Client::connect(guest).unwrap().member().job_token;
    Name { job: JobId::of(&token), session: record.session, service: "pool/0".to_owned() }
}

fn announcement(rank: u32) -> Request {
    Request::Announce(Announcement {
        rank,
        bases: [0x2800_0000_0000, 0x2800_0060_0000],
        identity: Identity { device: "host".to_owned(), process: 1, unit: 0 },
        parts: [vec![part(2 << 20)], vec![part(4 << 20)]],
        page: false,
    })
}

fn part(bytes: u64) -> Part {
    Part { bytes, sealed: true, handle: None }
}

/// Sends without the library's own bound.
fn send_raw(socket: &OwnedFd, bytes: &[u8]) {
    // A member that has closed the socket already has done right as well.
    let _ = rustix::net::send(socket, bytes, SendFlags::NOSIGNAL);
}

fn is_closed(socket: &OwnedFd) -> bool {
    let mut buffer = vec![0; socket::MAX_MESSAGE_BYTES];
    match socket::receive(socket, &mut buffer) {
        Ok(Received::Closed) | Err(_) => true,
        Ok(Received::Nothing) => false,
        Ok(Received::Message { bytes, descriptors }) => {
            panic!("an unknown peer receives {bytes} bytes and {} descriptors", descriptors.len())
        }
    }
}

/// A pool of two, and an unknown peer that does something at the socket of each; the pool works on, then ends
/// in order.
fn pool_with(unknown_peer: impl Fn(&OwnedFd, &dyn Fn() -> Name), must_be_closed: bool) {
    let job = job(3);
    let mut members = job.members(0..2);
    each(&mut members, &Order::Create(0, SMALL));
    each(&mut members, &Order::Join(0));
    let unknown_peers: Vec<OwnedFd> = (0..2)
        .map(|rank| {
            let record = record(&mut members[0], rank);
            let socket = socket::connect(&record.endpoint).unwrap();
            unknown_peer(&socket, &|| name(&job, &record));
            socket
        })
        .collect();
    for socket in &unknown_peers {
        assert!(!must_be_closed || wait_until(|| is_closed(socket)), "the unknown peer is not disconnected");
    }
    still_usable(&job, members);
    drop(unknown_peers);
}

/// Copies go on, and members come and go.
fn still_usable(job: &Job, mut members: Vec<Member>) {
    all_reach_all(&mut members, &[0, 1]);
    let mut third = job.member(2);
    third.ok(&Order::Create(0, SMALL));
    third.ok(&Order::Join(0));
    members.push(third);
    all_reach_all(&mut members, &[0, 1, 2]);
    job.finish(members);
}

#[test]
fn garbage_on_a_members_socket_is_disconnected() {
    if !needs_shared_memory("sockets of members") {
        return;
    }
    pool_with(|socket, _| send_raw(socket, b"GET / HTTP/1.1\r\n\r\n"), true);
    pool_with(|socket, _| send_raw(socket, &[0xff; 3000]), true);
    pool_with(|socket, _| send_raw(socket, &[1]), true);
}

#[test]
fn oversized_message_is_disconnected() {
    if !needs_shared_memory("sockets of members") {
        return;
    }
    pool_with(|socket, _| send_raw(socket, &vec![1; socket::MAX_MESSAGE_BYTES + 1]), true);
    pool_with(|socket, _| send_raw(socket, &vec![1; 150 << 10]), true);
}

#[test]
fn an_empty_message_does_no_harm() {
    if !needs_shared_memory("sockets of members") {
        return;
    }
    pool_with(|socket, _| send_raw(socket, &[]), false);
}

#[test]
fn wrong_token_is_disconnected_for_any_request() {
    if !needs_shared_memory("sockets of members") {
        return;
    }
    for request in [announcement(1), Request::Leave, Request::Extend { kind: 1, parts: vec![part(4 << 20)] }]
    {
        let body = protocol::encode(&request).unwrap();
        let ask = |socket: &OwnedFd, name: &dyn Fn() -> Name| {
            let hello = Packet::Hello { token: [7; 32], to: name() };
            socket::send(socket, &encode(&hello).unwrap(), &[]).unwrap();
            let files: Vec<MemFile> =
                (0..2).map(|_| MemFile::create("unknown", 4 << 20, Switch::Off).unwrap()).collect();
            let descriptors: Vec<_> = files.iter().map(AsFd::as_fd).collect();
            let packet = Packet::Request { number: 1, body: &body };
            // It is closed already, or will be.
            let _ = socket::send(socket, &encode(&packet).unwrap(), &descriptors);
        };
        pool_with(ask, true);
        // Nor is it served without any.
        pool_with(
            |socket, _| send_raw(socket, &encode(&Packet::Request { number: 1, body: &body }).unwrap()),
            true,
        );
    }
}

#[test]
fn unsolicited_replies_do_no_harm() {
    if !needs_shared_memory("sockets of members") {
        return;
    }
    let claim = |socket: &OwnedFd, _: &dyn Fn() -> Name| {
        for number in 0..200 {
            let Request::Announce(theirs) = announcement(1) else { unreachable!() };
            let body = protocol::encode(&Reply::Done(Some(theirs))).unwrap();
            send_raw(socket, &encode(&Packet::Reply { number, body: &body }).unwrap());
        }
    };
    pool_with(claim, false);
}

#[test]
fn silence_on_a_members_socket_does_no_harm() {
    if !needs_shared_memory("sockets of members") {
        return;
    }
    pool_with(|_, _| {}, false);
}

#[test]
fn many_silent_connections_do_no_harm() {
    if !needs_shared_memory("sockets of members") {
        return;
    }
    let job = job(3);
    let mut members = job.members(0..2);
    each(&mut members, &Order::Create(0, SMALL));
    each(&mut members, &Order::Join(0));
    let name = record(&mut members[0], 1).endpoint;
    let unknown_peers: Vec<OwnedFd> = (0..500).map(|_| connect_waiting(&name)).collect();
    still_usable(&job, members);
    drop(unknown_peers);
}

/// Connects even when the listener's queue is full for a moment.
fn connect_waiting(name: &str) -> OwnedFd {
    let socket =
        rustix::net::socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .unwrap();
    let address = SocketAddrUnix::new_abstract_name(name.as_bytes()).unwrap();
    rustix::net::connect(&socket, &address).unwrap();
    socket
}

#[test]
fn forged_records_fail_create_in_all_ranks_and_are_named() {
    let job = job(3);
    let mut members = job.members(0..3);
    // One range from 0 to the last address there is, for both kinds of memory.
    let everything = [&[1, 0][..], &[0xff; 9], &[1]].concat().repeat(2);
    let free = ".mf/space/free/2";
    for (key, value) in [(free, everything), (free, vec![0xff; 40]), (".mf/space/pools", vec![7; 40])] {
        members[2].ok(&Order::Set(key.to_owned(), value));
        for member in &mut members {
            member.send(&Order::Create(0, SMALL));
        }
        for member in &mut members {
            let failure = member.answer().expect_err("a pool was made of it");
            failure.expect(Kind::Failed, &["not written by this library", key]);
        }
    }
    job.finish(members);
}
