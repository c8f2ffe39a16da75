// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attacks on the control channel by which peers use up descriptors. Prints a line `attack | what was sent |
//! result | limit` on standard output.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "what goes wrong here fails the test; standard output is the table of attacks"
)]

use std::io::Write;
use std::net::TcpStream;

use mf_base::settings::Users;
use mf_hmc::ctrl::frame::{Head, INTEGER, RESERVED, STRUCT};
use mf_hmc::ctrl::{Control, Listen, Peer, Rules};
use mf_tls::JobSecret;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

const CLIENTS: u32 = 500;
/// Further descriptors that the attacked process may open.
const FEW: u64 = 40;

fn frame(kind: u16, flags: u16, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap();
    [&Head { kind, flags, length }.bytes()[..], payload].concat()
}

fn open_descriptors() -> u64 {
    u64::try_from(std::fs::read_dir("/proc/self/fd").unwrap().count()).unwrap()
}

#[test]
fn dead_clients_with_distinct_ranks_leak_no_descriptors() {
    let control: &'static Control = Box::leak(Box::default());
    let rules = Rules::new(JobSecret::new(""), Users::default(), false);
    let at = Listen { tcp: Some(("127.0.0.1", 0)), unix: None };
    let port = control.start(&rules, at).unwrap().unwrap();
    let before = open_descriptors();
    let limit = Rlimit { current: Some(before + FEW), maximum: getrlimit(Resource::Nofile).maximum };
    setrlimit(Resource::Nofile, limit).unwrap();
    for rank in 1..=CLIENTS {
        let mut client = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let hello = frame(STRUCT, RESERVED, &rank.to_le_bytes());
        client.write_all(&[hello, frame(INTEGER, 0, &u64::from(rank).to_le_bytes())].concat()).unwrap();
        assert!(control.has(Peer::Rank(rank)), "client {rank} is not taken");
    }
    let more = open_descriptors().saturating_sub(before);
    println!(
        "\nclients of HMC that die, each with a rank of its own | {CLIENTS} connections with an unread tag | {more} descriptors more at the end | {FEW} descriptors"
    );
    for rank in [1, CLIENTS] {
        let message = control.receive(Peer::Rank(rank), None).unwrap();
        assert_eq!(message.payload, u64::from(rank).to_le_bytes());
    }
    control.stop();
    control.close_all();
}
