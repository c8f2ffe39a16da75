// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Guests of a meeting point reach each other's memory without ranks, in processes of their own.

use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_base::settings::Switch;
use mf_base::sync::lock;
use mf_bootstrap::StoreUrl;
use mf_bootstrap::meeting::{Guest, MeetingPoint};
use mf_fabric::directory::StoreDirectory;
use mf_net::Network;
use mf_net::carrier::{JobOptions, join};
use mf_store::{Lifetime, network_card};
use mf_tls::Access;
use mf_transport::{Completion, JobId, Operation, Peer, SegmentKey, Span};

use crate::{Exposed, NETWORKS, settings};

const PLACE: &str = "MF_TEST_PLACE";
const KEY: SegmentKey = SegmentKey(5);
const TIMEOUT: Duration = Duration::from_secs(60);

fn access() -> Access {
    Access { plaintext: true, ..Access::default() }
}

fn guest(place: &str, name: &str, card: &[u8]) -> Guest {
    Guest::join(&StoreUrl::parse(place).unwrap(), name, card, &access(), TIMEOUT).unwrap()
}

fn network(guest: &Guest) -> Arc<Network> {
    let settings = settings(&[]);
    let options = JobOptions { is_loopback: true, nic: "127.0.0.1", tls: Switch::Off, settings: &settings };
    join(&StoreDirectory::for_store(guest.store()), &options).unwrap().expect("a network was asked for")
}

/// Puts a value into the word at that address, or gets its value.
fn copy(network: &Network, to: Peer, address: u64, value: &mut u64, is_put: bool) {
    let routes = network.routes(to).unwrap();
    let spans = [Span { local: std::ptr::from_mut(value).cast(), address, bytes: 8 }];
    let operation = match is_put {
        true => Operation::Put { key: KEY, spans: &spans },
        false => Operation::Get { key: KEY, spans: &spans },
    };
    let (route, completion) = (&routes.open[0], Arc::new(Completion::new()));
    // SAFETY: the value lives until the operation was waited for.
    unsafe { route.transport.post(route.peer, &operation, &completion, Instant::now() + TIMEOUT) }.unwrap();
    route.transport.wait(&completion).unwrap();
}

#[test]
fn guest_is_reached_by_session_from_another_process() {
    let _alone = lock(&NETWORKS);
    let point = MeetingPoint::open(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), &access()).unwrap();
    let place = format!("tcp://{}", point.address());
    let mut owner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "guests::owner", "--ignored", "--nocapture"])
        .env(PLACE, &place)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (reader, other) = (guest(&place, "reader", b""), guest(&place, "other", b""));
    let card = reader.wait("memory", Instant::now() + TIMEOUT).unwrap();
    let (session, address): (u64, u64) = postcard::from_bytes(&card.bytes).unwrap();
    let own = network(&reader);
    let to = Peer { job: own.job(), rank: u32::MAX, session };
    let mut value = 4711;
    copy(&own, to, address, &mut value, true);
    value = 0;
    copy(&own, to, address, &mut value, false);
    assert_eq!(value, 4711);

    // Only the owner itself writes its card.
    let forged = other.store().set(&network_card(session), b"x", Lifetime::Session).unwrap_err();
    assert_eq!(forged.kind(), Kind::InvalidParam);
    drop(owner.stdin.take());
    let mut said = BufReader::new(owner.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(said.any(|line| line.contains("the word is 4711")), "the owner saw something else");
    assert!(owner.wait().unwrap().success());
    // With its session ends its card.
    let gone = Peer { job: JobId::of(&reader.store().member().job_token), rank: u32::MAX, session };
    own.forget(gone);
    assert_eq!(own.routes(gone).err().unwrap().kind(), Kind::NotConnected);
}

#[test]
#[ignore = "the other process of the test above"]
fn owner() {
    let place = std::env::var(PLACE).unwrap();
    let owner = guest(&place, "owner", b"");
    let network = network(&owner);
    let word = Exposed::new(&network, KEY);
    let session = owner.store().member().session;
    // Prints the address of the memory.
    let _memory = guest(&place, "memory", &postcard::to_allocvec(&(session, word.address())).unwrap());
    // Waits until the other process is done.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    println!("the word is {}", word.value());
}
