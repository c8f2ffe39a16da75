// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Another user of the host attacks a job of ours: it gains no access and causes no disturbance.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use mf_base::os::socket::{self, Received};
use mf_base::settings::Switch;
use mf_base::{Error, Kind, Rank};
use mf_fabric::pool::member_record::MemberRecord;
use mf_fabric::pool::protocol::{self, Request};
use mf_net::link::Name;
use mf_net::link::packet::{Packet, encode};
use mf_store::{Client, ClientOptions, RankWish, Server, ServerOptions, Store, Timing};
use mf_tests::job::{all_reach_all, each};
use mf_tests::{Job, Member, Order, deadline, port};
use mf_tls::Security;
use mf_transport::JobId;

use super::nobody::{Attacker, NOBODY, become_nobody, given, is_possible, report, until_released};
use super::{SMALL, job, row};

const SECRET: &str = "a secret of sixteen bytes and more";
/// The attacker's own library does not check its peers.
const RECKLESS: (&str, &str) = ("MF_ALLOW_USERS", "any");

fn guest(store: SocketAddr, secret: &[u8]) -> ClientOptions {
    let security = Security::new(Switch::Auto, secret.to_vec(), None).unwrap();
    ClientOptions {
        wish: RankWish::Guest,
        connect_deadline: Instant::now() + deadline::limit(),
        timing: Timing { reconnect: Duration::ZERO, ..Timing::default() },
        ..ClientOptions::new(store, 0, security)
    }
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn pool(job: &Job) -> Vec<Member> {
    let mut members = job.pool(SMALL);
    all_reach_all(&mut members, &[0, 1]);
    members
}

/// The members go on as if nothing had been.
fn undisturbed(job: &Job, mut members: Vec<Member>) {
    all_reach_all(&mut members, &[0, 1]);
    each(&mut members, &Order::Leave(0));
    each(&mut members, &Order::Join(0));
    all_reach_all(&mut members, &[0, 1]);
    job.finish(members);
}

#[test]
fn store_without_secret_refuses_other_users() {
    if !is_possible("store_without_secret_refuses_other_users") {
        return;
    }
    for shared_memory in ["true", "false"] {
        let mut job = job(2);
        job.set("MF_SHM", shared_memory);
        let members = pool(&job);
        let port = job.port().to_string();
        let mut attacker = Attacker::start("users::visits_the_store", &[("PORT", &port), RECKLESS]);
        let printed = attacker.printed();
        attacker.release();
        let refusal = format!("refuses this process, which is of user id {NOBODY}");
        for part in [refusal.as_str(), "MF_JOB_SECRET", "MF_ALLOW_USERS"] {
            assert!(printed.contains(part), "{printed}");
        }
        undisturbed(&job, members);
        row(
            &format!("other user at the store, MF_SHM={shared_memory}"),
            "a guest's hello without secret",
            "refused before the hello; no token",
            "own uid, and MF_ALLOW_USERS",
        );
    }
}

#[test]
#[ignore = "the attacker of the test above and of those below"]
fn visits_the_store() {
    let store = loopback(given("PORT").parse().unwrap());
    let secret = std::env::var("SECRET").unwrap_or_default();
    become_nobody();
    match Client::connect(guest(store, secret.as_bytes())) {
        Ok(_) => report("got in"),
        Err(error) => report(&error.to_string()),
    }
}

#[test]
fn closed_connection_is_not_attributed_to_root() {
    if !is_possible("closed_connection_is_not_attributed_to_root") {
        return;
    }
    // The kernel shows an unowned socket as one of user 0.
    let job = job(2);
    let members = pool(&job);
    assert_eq!(answer_to_hello(loopback(job.port())), Some(CHALLENGE), "our own user is answered");
    let port = job.port().to_string();
    let mut attacker = Attacker::start("users::writes_and_closes", &[("PORT", &port), RECKLESS]);
    let received = attacker.printed();
    attacker.release();
    assert_eq!(received, "0 challenges in 200 connections");
    undisturbed(&job, members);
    row(
        "other user, connections closed at once",
        "200 hellos, half of them closed before they are read",
        &received,
        "own uid, and MF_ALLOW_USERS",
    );
}

const CHALLENGE: u8 = 2;
const REFUSED: u8 = 5;

/// A hello as `protocol/frame.rs` describes it.
fn hello() -> Vec<u8> {
    let mut hello = b"MFST\x02\x00\x01\x00\x2a\x00\x00\x00\0\0\0\0\0\0\0\0".to_vec();
    hello.extend([1; 32]);
    hello.extend(b"\x01\x02\x00\x05x 1.0\x00");
    hello
}

/// The kind of frame that a store answers a hello with, if it does.
fn answer_to_hello(store: SocketAddr) -> Option<u8> {
    let mut stream = TcpStream::connect(store).unwrap();
    stream.set_read_timeout(Some(deadline::limit())).unwrap();
    let _ = stream.write_all(&hello());
    let mut head = [0; 20];
    stream.read_exact(&mut head).ok().map(|()| head[6])
}

#[test]
#[ignore = "the attacker of the test above"]
fn writes_and_closes() {
    let store = loopback(given("PORT").parse().unwrap());
    become_nobody();
    let mut challenges = 0;
    for number in 0..200 {
        if number % 2 == 0 {
            let _ = TcpStream::connect(store).unwrap().write_all(&hello());
        } else if answer_to_hello(store).is_some_and(|kind| kind != REFUSED) {
            challenges += 1;
        }
    }
    report(&format!("{challenges} challenges in 200 connections"));
}

#[test]
fn links_refuse_other_users_even_with_the_token() {
    if !is_possible("links_refuse_other_users_even_with_the_token") {
        return;
    }
    for secret in ["", SECRET] {
        let mut job = job(2);
        job.set("MF_JOB_SECRET", secret);
        let members = pool(&job);
        let names: Vec<String> = members.iter().flat_map(|member| port::names(member.pid())).collect();
        let names: Vec<String> = names.into_iter().filter(|name| name.starts_with("memfabric-")).collect();
        if names.is_empty() {
            mf_tests::skip("links of members", "members do not map each other's memory here");
            return;
        }
        let store = Client::connect(guest(loopback(job.port()), secret.as_bytes())).unwrap();
        let token = hex(&store.member().job_token);
        let session = |rank| {
            let record =
                store.get(&MemberRecord::key(0, Rank(rank))).unwrap().expect("a member has a record");
            MemberRecord::decode(&record.value).unwrap().session.to_string()
        };
        let sessions = [session(0), session(1)];
        drop(store);
        let variables = [("NAMES", names.join(" ")), ("TOKEN", token), ("SESSIONS", sessions.join(" "))];
        let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, &**value)).collect();
        let mut attacker = Attacker::start("users::asks_over_links", &variables);
        let printed = attacker.printed();
        attacker.release();
        assert_eq!(printed, format!("{} links closed, 0 answers, 0 descriptors", 2 * names.len()));
        undisturbed(&job, members);
        let whose = if secret.is_empty() { "without secret" } else { "with secret" };
        row(
            &format!("other user at links, {whose}"),
            "requests with the job's own token",
            &printed,
            "own uid, and MF_ALLOW_USERS",
        );
    }
}

#[test]
#[ignore = "the attacker of the test above"]
fn asks_over_links() {
    let (names, token) = (given("NAMES"), given("TOKEN"));
    let bytes: Vec<u8> =
        (0..32).map(|at| u8::from_str_radix(&token[2 * at..2 * at + 2], 16).unwrap()).collect();
    let token = <[u8; 32]>::try_from(bytes).unwrap();
    become_nobody();
    let (mut closed, mut answers, mut gotten) = (0, 0, 0);
    let sessions = given("SESSIONS");
    for (name, session) in names.split(' ').flat_map(|name| sessions.split(' ').map(move |s| (name, s))) {
        let link = socket::connect(name).unwrap();
        let session = session.parse().unwrap();
        let to = Name { job: JobId::of(&token), session, service: "pool/0".to_owned() };
        let requests = [Request::Control, Request::Leave].map(|request| protocol::encode(&request).unwrap());
        let requests = requests.iter().map(|body| Packet::Request { number: 1, body });
        for packet in std::iter::once(Packet::Hello { token, to }).chain(requests) {
            let _ = socket::send(&link, &encode(&packet).unwrap(), &[]);
        }
        let mut buffer = vec![0; socket::MAX_MESSAGE_BYTES];
        let is_over = deadline::wait_until(|| match socket::receive(&link, &mut buffer) {
            Ok(Received::Nothing) => false,
            Ok(Received::Message { descriptors, .. }) => {
                answers += 1;
                gotten += descriptors.len();
                false
            }
            Ok(Received::Closed) | Err(_) => true,
        });
        closed += u32::from(is_over);
    }
    report(&format!("{closed} links closed, {answers} answers, {gotten} descriptors"));
}

#[test]
fn a_data_port_reveals_nothing_to_another_user() {
    if !is_possible("a_data_port_reveals_nothing_to_another_user") {
        return;
    }
    let mut job = job(2);
    job.set("MF_SHM", "false");
    let members = pool(&job);
    let ports: Vec<String> = members
        .iter()
        .flat_map(|member| port::listening(member.pid()))
        .filter(|port| *port != job.port())
        .map(|port| port.to_string())
        .collect();
    assert!(!ports.is_empty(), "the members listen nowhere");
    let mut attacker = Attacker::start("users::tries_a_proof", &[("PORTS", &ports.join(" "))]);
    let printed = attacker.printed();
    attacker.release();
    assert_eq!(printed, format!("{} ports, 0 let in", ports.len()));
    undisturbed(&job, members);
    row(
        "other user at the data port, MF_SHM=false",
        "a hello, then a proof without the token",
        &printed,
        "the token",
    );
}

#[test]
#[ignore = "the attacker of the test above"]
fn tries_a_proof() {
    let ports = given("PORTS");
    become_nobody();
    let mut let_in = 0;
    let count = ports.split(' ').count();
    for port in ports.split(' ') {
        let mut stream = TcpStream::connect(loopback(port.parse().unwrap())).unwrap();
        stream.set_read_timeout(Some(deadline::limit())).unwrap();
        let mut printed = b"MFNT".to_vec();
        printed.resize(512, 1);
        let _ = stream.write_all(&printed);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        // A challenge and a refusal, both of fixed length, and the end.
        let_in += u32::from(answer.len() > 512);
    }
    report(&format!("{count} ports, {let_in} let in"));
}

#[test]
fn store_of_another_user_gets_no_member() {
    if !is_possible("store_of_another_user_gets_no_member") {
        return;
    }
    let mut attacker = Attacker::start("users::plays_the_store", &[RECKLESS]);
    let store: SocketAddr = attacker.printed().parse().unwrap();
    let member = ClientOptions { wish: RankWish::Any, world_size: 2, ..guest(store, b"") };
    let refused: Vec<Error> = [guest(store, b""), member]
        .into_iter()
        .map(|options| Client::connect(options).unwrap_err())
        .collect();
    for error in &refused {
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
        for part in [format!("uid {NOBODY}"), "MF_JOB_SECRET".to_owned(), store.to_string()] {
            assert!(error.to_string().contains(&part), "{error}");
        }
    }
    // Nor does the whole library.
    let mut ranks = Job::at(env!("CARGO_BIN_EXE_mf-rank"), 2, &format!("tcp://{store}"));
    ranks.set("MF_JOB_SECRET", "");
    let mut rank = ranks.process("rank 1");
    let mut init = ranks.init(1);
    init.start_store = false;
    rank.refused(&Order::Init(init)).expect(Kind::InvalidParam, &[&format!("uid {NOBODY}")]);
    attacker.release();
    row(
        "other user plays the store",
        "a store on the loopback, without secret",
        "no member joins; the error names the uid",
        "own uid, and MF_ALLOW_USERS",
    );
}

#[test]
#[ignore = "the attacker of the test above"]
fn plays_the_store() {
    become_nobody();
    let security = Security::new(Switch::Auto, Vec::new(), None).unwrap();
    let server = Server::start(ServerOptions::new(loopback(0), 2, security)).unwrap();
    report(&server.address().to_string());
    until_released();
    assert!(server.status().unwrap().members.is_empty(), "a member joined the attacker's store");
}

#[test]
fn secret_or_setting_admits_other_users() {
    if !is_possible("secret_or_setting_admits_other_users") {
        return;
    }
    // Allowed cases: several users with one secret, or named users.
    let nobody = NOBODY.to_string();
    for (name, value) in [("MF_JOB_SECRET", SECRET), ("MF_ALLOW_USERS", &nobody)] {
        let mut job = job(1);
        job.set(name, value);
        let member = job.member(0);
        let port = job.port().to_string();
        let secret = if name == "MF_JOB_SECRET" { SECRET } else { "" };
        let variables = [("PORT", &*port), ("SECRET", secret), ("MF_ALLOW_USERS", "0")];
        let mut attacker = Attacker::start("users::visits_the_store", &variables);
        assert_eq!(attacker.printed(), "got in", "{name}");
        attacker.release();
        job.finish(vec![member]);
    }
}

#[test]
fn wrong_secret_of_another_user_is_refused() {
    if !is_possible("wrong_secret_of_another_user_is_refused") {
        return;
    }
    let mut job = job(2);
    job.set("MF_JOB_SECRET", SECRET);
    let members = pool(&job);
    let port = job.port().to_string();
    for secret in ["", "another secret of sixteen bytes"] {
        let variables = [("PORT", &*port), ("SECRET", secret), RECKLESS];
        let mut attacker = Attacker::start("users::visits_the_store", &variables);
        let printed = attacker.printed();
        attacker.release();
        assert!(printed.contains("MF_JOB_SECRET"), "{printed}");
    }
    undisturbed(&job, members);
    row("other user at a store with secret", "no secret, a wrong secret", "refused; no token", "the secret");
}
