// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attacks on message servers: what peers send that costs memory. Each prints a line
//! `attack | what was sent | result | limit` on standard output.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "what goes wrong here fails the test; standard output is the table of attacks"
)]

#[path = "../servers/mod.rs"]
mod servers;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use mf_acc::Link;
use mf_acc::frame::{BODY_BYTES_MAX, Message};
use mf_acc::hello::{ANSWER_BYTES, Answer, Verdict};
use servers::*;

const LINKS: usize = 400;
const SENT_BYTES: usize = 5000;
/// Memory of the process that one link may cost, with what it has sent and the socket of the attacker.
const LINK_BYTES_MAX: usize = 64 << 10;

/// Resident memory of this process.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[test]
fn announced_bodies_take_no_memory_before_they_arrive() {
    let server = server(1, |_: &Message, _: &[u8], _: &Arc<Link>| {});
    let before = resident_bytes();
    let mut attackers = Vec::new();
    for _ in 0..LINKS {
        let mut socket = TcpStream::connect(server.address().unwrap()).unwrap();
        socket.set_read_timeout(Some(LIMIT)).unwrap();
        socket.write_all(&HELLO.bytes()).unwrap();
        let mut answer = [0; ANSWER_BYTES];
        socket.read_exact(&mut answer).unwrap();
        assert_eq!(Answer::read(&answer), Some(Answer(Verdict::Taken)));
        let body_bytes = u32::try_from(BODY_BYTES_MAX).unwrap();
        let head = Message { kind: ECHO, body_bytes, ..Message::default() }.head();
        // In two pieces: the second is read to its place.
        socket.write_all(&[&head[..], &[1; 1000]].concat()).unwrap();
        socket.write_all(&[1; SENT_BYTES - 1000]).unwrap();
        attackers.push(socket);
    }
    // The only worker has read all that was sent before when it answers an honest peer behind it.
    let (client, _answers) = client();
    connect(&client, &server);
    let taken = resident_bytes().saturating_sub(before);
    println!(
        "\nlinks that announce bodies | {LINKS} links, {BODY_BYTES_MAX} bytes announced and {SENT_BYTES} sent on each | {} KiB a link | {} KiB a link",
        taken / LINKS / 1024,
        LINK_BYTES_MAX / 1024
    );
    assert!(taken < LINKS * LINK_BYTES_MAX, "{taken} bytes for {LINKS} links");
    drop(attackers);
    client.stop().unwrap();
    server.stop().unwrap();
}
