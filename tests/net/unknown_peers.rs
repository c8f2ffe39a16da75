// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Unknown peers at a member's port.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};

use mf_tests::deadline;
use mf_tests::job::each;
use mf_tests::{Job, Order, port};

use super::cluster::all_reach_all;
use super::pools::SIZES;

/// Sends something, and receives until the other disconnects, or until it has sent nothing for the first
/// time.
fn knock(port: u16, words: &[u8]) {
    let mut stream = TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).unwrap();
    stream.set_read_timeout(Some(deadline::limit())).unwrap();
    // It may hang up in the middle.
    if stream.write_all(words).is_ok() {
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(answer.len() < 4096, "an unknown peer receives {} bytes", answer.len());
    }
}

#[test]
fn unknown_peers_at_a_members_port_do_no_harm() {
    for tls in ["off", "on"] {
        let mut job = Job::new(env!("CARGO_BIN_EXE_mf-rank"), 2);
        job.set("MF_SHM", "false");
        job.set("MF_NET_TLS", tls);
        let mut members = job.pool(SIZES);
        all_reach_all(&mut members, &[0, 1]);
        let store = job.port();
        let garbage: Vec<u8> =
            (0..100_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect();
        for member in &members {
            let ports: Vec<u16> =
                port::listening(member.pid()).into_iter().filter(|port| *port != store).collect();
            assert!(!ports.is_empty(), "it listens nowhere");
            for port in ports {
                for words in [
                    &b""[..],
                    b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
                    b"mf-tcp\r\n",
                    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                    &[0; 40],
                    &[0xff; 5000],
                    &garbage,
                ] {
                    knock(port, words);
                }
                // Some that send nothing and stay.
                let silent: Vec<_> = (0..50)
                    .map(|_| TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).unwrap())
                    .collect();
                drop(silent);
            }
        }
        all_reach_all(&mut members, &[0, 1]);
        each(&mut members, &Order::Leave(0));
        each(&mut members, &Order::Join(0));
        all_reach_all(&mut members, &[0, 1]);
        job.finish(members);
    }
}
