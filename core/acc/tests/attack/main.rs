// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attacks on message servers by which peers use up memory. Each prints a line `attack | what was sent |
//! result | limit` on standard output.

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

use mf_acc::frame::{BODY_BYTES_MAX, Message};
use mf_acc::hello::{ANSWER_BYTES, Answer, Verdict};
use mf_acc::{Bounds, Link, Server, TcpOptions};
use servers::*;

const LINKS: usize = 400;
const SENT_BYTES: usize = 5000;
/// Most memory of the process per link, with its received data and the attacker's socket.
const LINK_BYTES_MAX: usize = 64 << 10;

/// Returns the resident memory of this process.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

/// Makes a link to the server by hand.
fn taken(server: &Server) -> TcpStream {
    let mut socket = TcpStream::connect(server.address().unwrap()).unwrap();
    socket.set_read_timeout(Some(LIMIT)).unwrap();
    socket.write_all(&HELLO.bytes()).unwrap();
    let mut answer = [0; ANSWER_BYTES];
    socket.read_exact(&mut answer).unwrap();
    assert_eq!(Answer::read(&answer), Some(Answer(Verdict::Taken)));
    socket
}

#[test]
fn announced_bodies_take_no_memory_before_they_arrive() {
    let server = server(1, |_: &Message, _: &[u8], _: &Arc<Link>| {});
    let before = resident_bytes();
    let mut attackers = Vec::new();
    for _ in 0..LINKS {
        let mut socket = taken(&server);
        let body_bytes = u32::try_from(BODY_BYTES_MAX).unwrap();
        let head = Message { kind: ECHO, body_bytes, ..Message::default() }.head();
        // In two pieces: the second is read in place.
        socket.write_all(&[&head[..], &[1; 1000]].concat()).unwrap();
        socket.write_all(&[1; SENT_BYTES - 1000]).unwrap();
        attackers.push(socket);
    }
    // The only worker has read all earlier data once it answers an honest peer behind it.
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

/// With a bound of 4 MiB: links that exceed it in sum are ended, also if each sends little.
#[test]
fn partly_received_bodies_are_bounded_in_sum() {
    let bounds = Bounds { partial_bytes_of_address: 4 << 20, ..Bounds::default() };
    let options = TcpOptions { bounds, ..listening(1) };
    let server = server_with(&options, |_: &Message, _: &[u8], _: &Arc<Link>| {});
    let sent = vec![1; 256 << 10];
    let mut open = Vec::new();
    let mut ended = 0;
    for _ in 0..64 {
        let mut socket = taken(&server);
        let body_bytes = u32::try_from(BODY_BYTES_MAX).unwrap();
        let head = Message { kind: ECHO, body_bytes, ..Message::default() }.head();
        // The server may end the link while this is sent.
        if socket.write_all(&[&head[..], &sent[..]].concat()).is_err() {
            ended += 1;
            continue;
        }
        open.push(socket);
    }
    let (client, _answers) = client();
    connect(&client, &server);
    let begun = std::time::Instant::now();
    while ended < 40 && begun.elapsed() < LIMIT {
        let is_over = |socket: &mut TcpStream| {
            socket.set_read_timeout(Some(std::time::Duration::from_millis(1))).unwrap();
            match socket.read(&mut [0]) {
                Ok(count) => count == 0,
                Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
            }
        };
        let before = open.len();
        open.retain_mut(|socket| !is_over(socket));
        ended += before - open.len();
    }
    println!("\nlinks that send parts of bodies | 64 links, 256 KiB on each | {ended} ended | 4 MiB stay");
    assert!((40..64).contains(&ended), "{ended} of 64 ended");
    drop(open);
    client.stop().unwrap();
    server.stop().unwrap();
}
