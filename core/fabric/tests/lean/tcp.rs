// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The path of one short operation over TCP allocates nothing on the thread that posts and waits.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Error, Result};
use mf_device::Access;
use mf_tcp::{Engine, Options, Tcp};
use mf_transport::{
    Atomic, AtomicKind, Completion, JobId, Operation, Peer, Remote, SegmentKey, SignalKind, Span, Spot,
    Target, Transport, Width,
};

use crate::allocations::counted;

const KEY: SegmentKey = SegmentKey(5);
const BYTES: usize = 64 << 10;

/// Memory that is there for every peer.
struct Memory(Vec<u64>);

impl Target for Memory {
    fn access(
        &self,
        _: SegmentKey,
        address: u64,
        bytes: u64,
        _: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        let start = self.0.as_ptr().addr() as u64;
        if address < start || address + bytes > start + BYTES as u64 {
            return Err(Error::invalid("test", "outside"));
        }
        let offset = usize::try_from(address - start).unwrap();
        touch(Spot::Host(self.0.as_ptr().cast_mut().cast::<u8>().wrapping_add(offset)));
        Ok(())
    }

    fn message(&self, _: Peer, _: &[u8]) {}

    fn lost(&self, _: Peer, _: &Error) {}
}

fn start(rank: u32, memory: &Arc<Memory>) -> (Peer, Arc<Tcp>) {
    let me = Peer { job: JobId(1), rank, session: u64::from(rank) + 1 };
    let target: Arc<dyn Target> = Arc::clone(memory) as _;
    let target: Weak<dyn Target> = Arc::downgrade(&target);
    let listen = vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))];
    let tls = Switch::Off;
    let options = Options { me, token: [7; 32], listen, tls, checksum: false, connections: 4, target };
    (me, Engine::start().unwrap().join(options).unwrap())
}

/// Returns the thread's allocations in the best of some rounds: buffers that were freed while idle, because
/// the machine was busy, are made again.
fn allocations(mut round: impl FnMut()) -> usize {
    (0..10).map(|_| counted(&mut round).0).min().unwrap()
}

#[test]
fn short_single_piece_operations_allocate_nothing() {
    let memory = Arc::new(Memory(vec![0; BYTES / 8]));
    let (here, there) = (start(0, &memory), start(1, &memory));
    here.1.introduce(there.0, &there.1.address()).unwrap();
    let route = here.1.route(there.0).unwrap();
    let completion = Arc::new(Completion::new());
    let address = memory.0.as_ptr().addr() as u64;
    let (mut word, mut old) = (7_u64, 0_u64);
    let spans = [Span { local: (&raw mut word).cast(), address, bytes: 8 }];
    let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    let at = Remote { key: KEY, address };
    let (signal, width, kind) = (address + 8, Width::W32, SignalKind::Add);
    let operations = [
        ("put", Operation::Put { key: KEY, spans: &spans }),
        ("get", Operation::Get { key: KEY, spans: &spans }),
        ("atomic", Operation::Atomic { at, atomic, old: (&raw mut old).cast() }),
        ("signal", Operation::Signal { key: KEY, spans: &spans, signal, width, kind, value: 1 }),
    ];
    let run = |operation: &Operation<'_>| {
        let deadline = Instant::now() + Duration::from_secs(60);
        // SAFETY: the operation's memory outlives the wait.
        unsafe { route.post(operation, &completion, deadline) }.unwrap();
        here.1.wait(&completion).unwrap();
    };
    for (name, operation) in &operations {
        // Connects, and makes the buffers.
        (0..100).for_each(|_| run(operation));
        let each = || (0..200).for_each(|_| run(operation));
        assert_eq!(allocations(each), 0, "a {name} of 8 bytes allocates");
        let burst = || {
            let deadline = Instant::now() + Duration::from_secs(60);
            for _ in 0..100 {
                // SAFETY: as above.
                unsafe { route.post(operation, &completion, deadline) }.unwrap();
            }
            here.1.wait(&completion).unwrap();
        };
        (0..10).for_each(|_| burst());
        assert_eq!(allocations(burst), 0, "{name}s in flight allocate");
    }
    here.1.close();
    there.1.close();
}
