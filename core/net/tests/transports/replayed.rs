// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Recorded sessions of TCP, sent again by an attacker.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

use mf_transport::Operation;

use crate::bed::{BYTES, Bed, Make, late, pattern, span, until};
use crate::tcp::{encrypted, plain};

/// Passes one connection on to `server`, and records the client's bytes.
fn eavesdrop(server: SocketAddr) -> (SocketAddr, std::thread::JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let thread = std::thread::spawn(move || {
        let mut client = listener.accept().unwrap().0;
        let mut server = TcpStream::connect(server).unwrap();
        let (mut answers, mut back) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        let answering = std::thread::spawn(move || {
            let _ = std::io::copy(&mut answers, &mut back);
            let _ = back.shutdown(Shutdown::Both);
        });
        let (mut seen, mut buffer) = (Vec::new(), vec![0; 65536]);
        while let Ok(bytes @ 1..) = client.read(&mut buffer) {
            seen.extend_from_slice(&buffer[..bytes]);
            if server.write_all(&buffer[..bytes]).is_err() {
                break;
            }
        }
        let _ = server.shutdown(Shutdown::Both);
        answering.join().unwrap();
        seen
    });
    (address, thread)
}

fn a_session_played_again(make: &Arc<dyn Make>) {
    let bed = Bed::new(Arc::clone(make), 3, BYTES);
    let (here, there, other) = (bed.end(0), bed.end(1), bed.end(2));
    let real = there.transport.address();
    let text = std::str::from_utf8(real.strip_prefix(b"tcp1").unwrap()).unwrap();
    let real: SocketAddr = text.parse().unwrap();
    let (listens, ear) = eavesdrop(real);
    here.transport.introduce(there.peer, format!("tcp1{listens}").as_bytes()).unwrap();
    let data = pattern(1, 10_000);
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), data.len())];
    let put = Operation::Put { key: there.key, spans: &spans };
    here.run(there.peer, &put).unwrap();
    here.transport.send(there.peer, b"once", late()).unwrap();
    until("the message", || there.memory.message_count() == 1);
    here.transport.close();
    let seen = ear.join().unwrap();
    assert!(seen.len() > 10_000, "only {} bytes were seen", seen.len());

    there.segment.fill(0x2d);
    // All of it, a part of it, and with one wrong bit.
    let mut bent = seen.clone();
    bent[60] ^= 1;
    for words in [&seen[..], &seen[..seen.len() / 2], &seen[..64], &seen[..20], &bent[..]] {
        let mut stream = TcpStream::connect(real).unwrap();
        // It may hang up in the middle.
        if stream.write_all(words).is_ok() {
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
        }
    }
    other.works_with(&there, 2);
    there.segment.write(40, &[0x2d; 777]);
    assert_eq!(there.segment.first_other_than(0x2d), None, "a session that was played again wrote");
    assert_eq!(there.memory.message_count(), 1);
}

#[test]
fn replayed_session_is_refused() {
    a_session_played_again(&plain(1));
}

#[test]
fn replayed_encrypted_session_is_refused() {
    a_session_played_again(&encrypted(1));
}
