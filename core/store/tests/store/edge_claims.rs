// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Clients of the job that claim to be another one.

use std::io::Write;
use std::net::TcpStream;

use mf_store::{Lifetime, Server, Store};

use super::by_hand::{JOIN, REFUSED, WELCOME, begin, frame, number, receive};
use super::members::{TIMEOUT, client, server};

/// Parts of a claim.
struct Claim {
    /// The claimed session. `None`: it just joins, with a wish for this rank.
    session: Option<u64>,
    rank: u32,
    key: [u8; 16],
    /// True if it names the very run of the store, as only its members know it.
    same_store: bool,
}

/// Joins with a hand-made claim. Returns the store's answer, and the connection.
fn claim(server: &Server, claim: &Claim) -> (u8, String, TcpStream) {
    let mut socket = TcpStream::connect(server.address()).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    let (challenge, mut join) = begin(&mut socket);
    let store = if claim.same_store { challenge[challenge.len() - 16..].to_vec() } else { vec![8; 16] };
    number(2, &mut join);
    // The wish: exactly that rank.
    join.push(2);
    number(u64::from(claim.rank), &mut join);
    // Device, hosts the store.
    join.extend([0, 0]);
    number(100_000, &mut join);
    // Host, process.
    join.extend([1, b'h', 7]);
    join.extend(claim.key);
    match claim.session {
        None => join.push(0),
        Some(session) => {
            join.push(1);
            number(session, &mut join);
            join.push(1);
            number(u64::from(claim.rank), &mut join);
            join.extend(store);
            // Term; standing of epoch 2 with 2 members, none of which hosts the store; revision; answered
            // below.
            join.extend([1, 2, 2, 0, 0, 0]);
        }
    }
    join.push(0);
    socket.write_all(&frame(JOIN, 0, &join)).unwrap();
    let (kind, body) = receive(&mut socket);
    (kind, String::from_utf8_lossy(&body).into_owned(), socket)
}

#[test]
fn session_cannot_be_claimed_without_its_key() {
    let server = server(2);
    let (one, two) = (client(&server, 2, Some(0)).unwrap(), client(&server, 2, Some(1)).unwrap());
    one.set("of/0", b"mine", Lifetime::Session).unwrap();
    for same_store in [true, false] {
        let wrong = Claim { session: Some(one.member().session), rank: 0, key: [1; 16], same_store };
        let (mut kind, mut text, mut socket) = claim(&server, &wrong);
        if kind == 12 {
            // The store has proved itself to a client that claims to resume from another one; the answer
            // follows.
            let (next, body) = receive(&mut socket);
            (kind, text) = (next, String::from_utf8_lossy(&body).into_owned());
        }
        assert_eq!(kind, REFUSED, "{text}");
        assert_eq!(one.add("n", 1).unwrap() + two.add("n", 0).unwrap(), if same_store { 2 } else { 4 });
    }
    assert!(two.get("of/0").unwrap().is_some());
    assert_eq!(two.view().unwrap().members.len(), 2);
}

#[test]
fn rank_of_another_member_cannot_be_claimed() {
    let server = server(2);
    let one = client(&server, 2, Some(0)).unwrap();
    let (kind, text, _) = claim(&server, &Claim { session: None, rank: 0, key: [1; 16], same_store: true });
    assert_eq!(kind, REFUSED);
    assert!(text.contains("rank 0"), "{text}");
    // Made by hand or not: a rank that is free may be had.
    let (kind, _, two) = claim(&server, &Claim { session: None, rank: 1, key: [1; 16], same_store: true });
    assert_eq!(kind, WELCOME);
    assert_eq!(one.view().unwrap().members.len(), 2);
    drop(two);
}
