// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Frames of a member that has proved itself and then sends arbitrary bytes.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use mf_base::settings::Switch;
use mf_base::{Error, Kind as ErrorKind, Result};
use mf_device::Access;
use mf_transport::{Atomic, AtomicKind, JobId, Peer, SegmentKey, Spot, Target, Width};

use crate::blocks::Shape;
use crate::channel::Channel;
use crate::process_core::FIRST_ID;
use crate::secure::Stream;
use crate::serve::{Guest, Served};
use crate::wire::{CopyOrder, HEADER, Header, INLINE_MAX, Kind, MORE, atomic_detail, length_u32};
use crate::{Engine, Options, Tcp};

const KEY: SegmentKey = SegmentKey(77);
const BASE: u64 = 1 << 40;
const BYTES: usize = 64 << 10;
/// Beside the memory, on each side: any overrun runs into it.
const FENCE: usize = 64 << 10;
const FENCED: u8 = 0xf5;
const US: Peer = Peer { job: JobId(1), rank: 3, session: 33 };
const THEM: Peer = Peer { job: JobId(1), rank: 1, session: 11 };

/// A segment between two fences.
struct Memory(Vec<AtomicU8>);

impl Memory {
    fn are_fences_whole(&self) -> bool {
        let (before, rest) = self.0.split_at(FENCE);
        let (_, behind) = rest.split_at(BYTES);
        before.iter().chain(behind).all(|byte| byte.load(Ordering::Relaxed) == FENCED)
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
        if key != KEY {
            return Err(Error::new(ErrorKind::NotConnected, "fuzz").what("no contributor"));
        }
        let offset = address.checked_sub(BASE).and_then(|offset| usize::try_from(offset).ok());
        match offset {
            Some(offset) if (offset as u64).checked_add(bytes).is_some_and(|end| end <= BYTES as u64) => {
                let first = self.0.as_ptr().cast::<u8>().cast_mut();
                touch(Spot::Host(first.wrapping_add(FENCE + offset)));
                Ok(())
            }
            _ => Err(Error::invalid("fuzz", "outside the segment")),
        }
    }

    fn message(&self, from: Peer, message: &[u8]) {
        assert_eq!(from, THEM, "a message of another peer");
        assert!(!message.is_empty(), "an empty message");
    }

    fn lost(&self, _: Peer, _: &Error) {}
}

/// Returns a closed transport: it serves its input and opens no connection.
fn transport() -> Option<&'static (Arc<Tcp>, Arc<Memory>)> {
    static TRANSPORT: OnceLock<Option<(Arc<Tcp>, Arc<Memory>)>> = OnceLock::new();
    TRANSPORT
        .get_or_init(|| {
            let fenced = |at: usize| if (FENCE..FENCE + BYTES).contains(&at) { 0 } else { FENCED };
            let memory = Arc::new(Memory((0..FENCE + BYTES + FENCE).map(|at| fenced(at).into()).collect()));
            let target: Weak<Memory> = Arc::downgrade(&memory);
            let options = Options {
                me: US,
                token: [7; 32],
                listen: vec![(Ipv4Addr::LOCALHOST, 0).into()],
                tls: Switch::Off,
                checksum: false,
                connections: 1,
                target,
            };
            let tcp = Engine::start().and_then(|engine| engine.join(options)).ok()?;
            mf_transport::Transport::close(&*tcp);
            Some((tcp, memory))
        })
        .as_ref()
}

/// Serves a connection on which `bytes` arrive, in one piece or in many (by the first byte), and end.
pub(super) fn serve(bytes: &[u8]) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (Some((tcp, memory)), Some((choice, mut rest))) = (transport(), bytes.split_first()) else { return };
    let Ok((here, there)) = UnixStream::pair() else { return };
    if here.set_nonblocking(true).is_err() || there.set_nonblocking(true).is_err() {
        return;
    }
    let channel = Channel::new(OwnedFd::from(here), Stream::plain());
    let mut guest = Guest::new(&tcp.shared, FIRST_ID, THEM, channel);
    let piece = if choice & 0x80 == 0 { usize::MAX } else { usize::from(choice & 0x7f) + 1 };
    let mut replies = [0; 64 << 10];
    let mut is_over = false;
    // Each turn consumes some bytes, or the connection ends.
    for _ in 0..100_000 {
        if rest.is_empty() {
            let _ = there.shutdown(Shutdown::Write);
        } else if let Ok(sent) = (&there).write(rest.get(..rest.len().min(piece)).unwrap_or_default()) {
            rest = rest.get(sent..).unwrap_or_default();
        }
        is_over = matches!(guest.serve(), Served::Over { .. } | Served::Lent(_));
        while (&there).read(&mut replies).is_ok_and(|read| read > 0) {}
        // Copies that were ordered are refused; their ends wait for a thread that has ended.
        tcp.shared.local.core.commands();
        if is_over {
            break;
        }
    }
    assert!(is_over, "a connection that has ended is served for ever");
    assert!(memory.are_fences_whole(), "something was written outside the segment");
}

fn frame(kind: Kind, address: u64, extra: u64, payload: &[u8]) -> Vec<u8> {
    let mut header = Header::new(kind, 1);
    (header.key, header.address, header.extra) = (KEY.0, address, extra);
    header.length = length_u32(payload.len());
    if kind == Kind::Atomic {
        let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
        header.detail = atomic_detail(&atomic);
    }
    [&header.encode()[..], payload].concat()
}

/// Returns frames of honest members.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    // Every connection begins with its number, here 1.
    let hello = [&Header::hello(false).encode()[..], &frame(Kind::Valid, 0, 2, &1u64.to_le_bytes())].concat();
    let order = CopyOrder {
        to_peer: US,
        to_key: KEY.0,
        to_address: BASE + 64,
        microseconds: 1000,
        transport_address: vec![],
    };
    let long = vec![5; INLINE_MAX + 1];
    let mut more = frame(Kind::Put, BASE, 0, &[1; 8]);
    more[1] = MORE;
    more.extend(frame(Kind::Put, BASE + 8, 0, &[2; 8]));
    let last = BASE + BYTES as u64;
    let blocks = |number: u64, rest: &[u8]| {
        let shape = Shape { block: 4, stride: 12 };
        [&shape.encode(number)[..], rest].concat()
    };
    let numbers = [3u64, 7].map(u64::to_le_bytes).concat();
    let said: [(&str, Vec<u8>); 20] = [
        ("put-strided", frame(Kind::PutStrided, BASE, 12, &blocks(28, &[3; 12]))),
        ("put-strided-outside", frame(Kind::PutStrided, last - 20, 12, &blocks(28, &[3; 12]))),
        ("get-strided", frame(Kind::GetStrided, BASE, 12, &blocks(9, &[]))),
        ("put", frame(Kind::Put, BASE, 0, b"bytes")),
        ("put-long", frame(Kind::Put, BASE + 1, 0, &long)),
        ("put-long-outside", frame(Kind::Put, last - 1, 0, &long)),
        ("put-outside", frame(Kind::Put, last - 2, 0, b"bytes")),
        ("put-in-two", more),
        ("get", frame(Kind::Get, BASE, 100, &[])),
        ("get-all", frame(Kind::Get, BASE, BYTES as u64, &[])),
        ("get-outside", frame(Kind::Get, last, 1, &[])),
        ("atomic", frame(Kind::Atomic, BASE + 8, 1, &[0; 8])),
        ("signal", frame(Kind::Signal, BASE + 16, 7, &[])),
        ("copy", frame(Kind::Copy, BASE, 64, &order.encode())),
        ("message", frame(Kind::Message, 0, 0, b"hello")),
        ("lend", frame(Kind::Lend, 0, 0, &[])),
        ("valid", frame(Kind::Valid, 0, 8, &numbers)),
        ("void", frame(Kind::Valid, 0, 9, &[8, 0, 0, 0, 0, 0, 0, 0])),
        ("close", frame(Kind::Close, 0, 0, &[])),
        ("ack", frame(Kind::Ack, 0, 0, &[])),
    ];
    let mut seeds = Vec::new();
    for (name, said) in said {
        debug_assert!(said.len() >= HEADER);
        for (suffix, choice) in [("", 0), ("-in-pieces", 0x80 + 30)] {
            seeds.push((format!("{name}{suffix}"), [&[choice], &hello[..], &said].concat()));
        }
    }
    seeds
}
