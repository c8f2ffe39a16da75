// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Recorded sessions, sent again by an attacker.

#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "what goes wrong here fails the test")]

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Error, Result};
use mf_device::Access;
use mf_tcp::{Engine, Options, Tcp};
use mf_transport::{Completion, JobId, Operation, Peer, SegmentKey, Span, Spot, Target, Transport};

const KEY: SegmentKey = SegmentKey(5);
const BYTES: usize = 64 << 10;

/// Memory of one end, and the number of its messages.
struct Memory {
    bytes: Vec<AtomicU8>,
    messages: AtomicUsize,
}

impl Memory {
    fn address(&self) -> u64 {
        self.bytes.as_ptr().addr() as u64
    }

    fn fill(&self, value: u8) {
        self.bytes.iter().for_each(|byte| byte.store(value, Ordering::SeqCst));
    }

    fn write(&self, offset: usize, data: &[u8]) {
        self.bytes[offset..].iter().zip(data).for_each(|(byte, value)| byte.store(*value, Ordering::SeqCst));
    }

    fn read(&self, offset: usize, bytes: usize) -> Vec<u8> {
        self.bytes[offset..][..bytes].iter().map(|byte| byte.load(Ordering::SeqCst)).collect()
    }
}

impl Target for Memory {
    fn access(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: u64,
        _: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        let offset = address.checked_sub(self.address()).filter(|offset| offset + bytes <= BYTES as u64);
        let (KEY, Some(offset)) = (key, offset) else { return Err(Error::invalid("test", "outside")) };
        let offset = usize::try_from(offset).unwrap();
        touch(Spot::Host(self.bytes.as_ptr().cast_mut().cast::<u8>().wrapping_add(offset)));
        Ok(())
    }

    fn message(&self, _: Peer, _: &[u8]) {
        self.messages.fetch_add(1, Ordering::SeqCst);
    }

    fn lost(&self, _: Peer, _: &Error) {}
}

struct End {
    peer: Peer,
    memory: Arc<Memory>,
    tcp: Arc<Tcp>,
}

impl End {
    fn start(rank: u32, tls: Switch) -> Self {
        let peer = Peer { job: JobId(1), rank, session: 1000 + u64::from(rank) };
        let bytes = (0..BYTES).map(|_| AtomicU8::new(0)).collect();
        let memory = Arc::new(Memory { bytes, messages: AtomicUsize::new(0) });
        let target: Weak<dyn Target> = Arc::downgrade(&memory) as Weak<dyn Target>;
        let listen = vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))];
        let (token, checksum, connections) = ([7; 32], false, 1);
        let options = Options { me: peer, token, listen, tls, checksum, connections, target };
        Self { peer, memory, tcp: Engine::start().unwrap().join(options).unwrap() }
    }

    /// Puts `data` to the memory of `other`, and checks that it has arrived there.
    fn put(&self, other: &Self, offset: usize, data: &[u8]) {
        let address = other.memory.address() + offset as u64;
        let spans = [Span { local: data.as_ptr().cast_mut(), address, bytes: data.len() as u64 }];
        self.run(other.peer, &Operation::Put { key: KEY, spans: &spans });
        assert_eq!(other.memory.read(offset, data.len()), data);
    }

    /// Gets memory of `other`.
    fn get(&self, other: &Self, offset: usize, bytes: usize) -> Vec<u8> {
        let (address, mut found) = (other.memory.address() + offset as u64, vec![0; bytes]);
        let spans = [Span { local: found.as_mut_ptr(), address, bytes: bytes as u64 }];
        self.run(other.peer, &Operation::Get { key: KEY, spans: &spans });
        found
    }

    fn run(&self, peer: Peer, operation: &Operation<'_>) {
        let completion = Arc::new(Completion::new());
        // SAFETY: the local memory stays until the wait below has returned.
        unsafe { self.tcp.post(peer, operation, &completion, soon()) }.unwrap();
        self.tcp.wait(&completion).unwrap();
    }

    fn messages(&self) -> usize {
        self.memory.messages.load(Ordering::SeqCst)
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(30)
}

fn pattern(seed: usize, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|index| (index.wrapping_mul(31) >> seed).to_le_bytes()[0]).collect()
}

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

fn a_session_played_again(tls: Switch) {
    let [here, there, other] = [0, 1, 2].map(|rank| End::start(rank, tls));
    for (one, peer) in [(&there, &here), (&other, &there), (&there, &other)] {
        one.tcp.introduce(peer.peer, &peer.tcp.address()).unwrap();
    }
    let real = Tcp::listening(&there.tcp.address()).unwrap()[0];
    let (listens, ear) = eavesdrop(real);
    here.tcp.introduce(there.peer, format!("tcp1{listens}").as_bytes()).unwrap();
    here.put(&there, 0, &pattern(1, 10_000));
    here.tcp.send(there.peer, b"once", soon()).unwrap();
    let deadline = soon();
    while there.messages() == 0 {
        assert!(Instant::now() < deadline, "the message does not come");
        std::thread::yield_now();
    }
    here.tcp.close();
    let seen = ear.join().unwrap();
    assert!(seen.len() > 10_000, "only {} bytes were seen", seen.len());

    there.memory.fill(0x2d);
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
    // The peer still serves others.
    other.put(&there, 40, &pattern(2, 777));
    assert_eq!(other.get(&there, 40, 777), pattern(2, 777));
    there.memory.write(40, &[0x2d; 777]);
    let other_byte = there.memory.read(0, BYTES).iter().position(|found| *found != 0x2d);
    assert_eq!(other_byte, None, "a session that was played again wrote");
    assert_eq!(there.messages(), 1);
}

#[test]
fn replayed_session_is_refused() {
    a_session_played_again(Switch::Off);
}

#[test]
fn replayed_encrypted_session_is_refused() {
    a_session_played_again(Switch::On);
}
