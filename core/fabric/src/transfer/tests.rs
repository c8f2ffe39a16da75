// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers with a resolver and a transport that are simple enough to be right.

mod faults;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::sync::rcu::{self, ReadGuard, ReadSection};
use mf_base::{Error, Kind, MemKind, Rank, Result, interrupt};
use mf_device::engine::{self, Piece};
use mf_device::host::HostDevice;
use mf_device::{Access, Devices, Locality};

use super::remote_copy::PART_BYTES;
use super::*;
use crate::space::PoolPlace;
use mf_net::{Member, Route};
use mf_transport::{
    Atomic, AtomicKind, Capabilities, Completion, Deadlines, JobId, Operation, Peer, PeerRoute, Reach,
    Region, SegmentKey, SignalKind, Transport, Width,
};

/// Offset of remote addresses above their real ones.
const FAR: u64 = 1 << 56;
const OLD: SegmentKey = SegmentKey(1);
const NEW: SegmentKey = SegmentKey(2);
const THIRD: SegmentKey = SegmentKey(3);

/// A transport that completes operations at once, or when they are waited for.
#[derive(Default)]
struct Fake {
    myself: Weak<Self>,
    name: &'static str,
    is_late: AtomicBool,
    /// Posts that are refused, by a member that has left.
    refusals: AtomicU32,
    /// Operations that end as if their connection had been given up.
    interrupted: AtomicU32,
    /// Milliseconds that each post takes.
    pace_ms: AtomicU32,
    log: Mutex<Vec<String>>,
    late: Mutex<Vec<(Peer, Arc<Completion>)>>,
}

fn real(address: u64) -> *mut u8 {
    mf_base::Gva(address % FAR).as_ptr()
}

impl Fake {
    fn log(&self, text: String) {
        self.log.lock().unwrap().push(text);
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.log.lock().unwrap())
    }

    fn end(&self, of: impl Fn(Peer, &Completion) -> bool) {
        let mut late = self.late.lock().unwrap();
        let ended = late.extract_if(.., |(peer, completion)| of(*peer, completion));
        ended.for_each(|(_, completion)| completion.end(Ok(())));
    }
}

impl Transport for Fake {
    fn name(&self) -> &'static str {
        self.name
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::COPY.with(Capabilities::REMOTE_COPY)
    }
    fn address(&self) -> Vec<u8> {
        Vec::new()
    }
    fn introduce(&self, _: Peer, _: &[u8]) -> Result<()> {
        Ok(())
    }
    fn reach(&self, _: Peer) -> Result<Reach> {
        Ok(Reach { path: String::new(), encrypted: false, score: 1 })
    }
    fn forget(&self, _: Peer) {}
    unsafe fn expose(&self, _: SegmentKey, _: &[Region]) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
    fn conceal(&self, _: SegmentKey) {}
    fn attach(&self, _: Peer, _: SegmentKey, _: &[u8]) -> Result<()> {
        Ok(())
    }
    fn detach(&self, _: Peer, _: SegmentKey) {}
    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        Ok(Arc::new(FakeRoute { fake: self.myself.upgrade().unwrap(), peer }))
    }
    fn eager_bytes(&self) -> u64 {
        0
    }
    fn wait(&self, completion: &Completion) -> Result<()> {
        self.end(|_, other| std::ptr::eq(other, completion));
        completion.sleep(None);
        completion.outcome()
    }
    fn send(&self, _: Peer, _: &[u8], _: Instant) -> Result<()> {
        Ok(())
    }
    fn flush(&self, peer: Option<Peer>, _: Instant) -> Result<()> {
        self.end(|other, _| peer.is_none_or(|peer| peer == other));
        Ok(())
    }
    fn close(&self) {}
}

struct FakeRoute {
    fake: Arc<Fake>,
    peer: Peer,
}

impl PeerRoute for FakeRoute {
    fn peer(&self) -> Peer {
        self.peer
    }
    unsafe fn post(&self, operation: &Operation<'_>, completion: &Arc<Completion>, _: Instant) -> Result<()> {
        if self.fake.refusals.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok()
        {
            return Err(Error::new(Kind::NotConnected, "fake").retry(mf_base::Retry::Later));
        }
        let begun = Instant::now();
        // Time itself: that is how long a slow network takes.
        while begun.elapsed() < Duration::from_millis(self.fake.pace_ms.load(Ordering::Relaxed).into()) {
            std::thread::yield_now();
        }
        match operation {
            Operation::Put { spans, key } | Operation::Get { spans, key } => {
                let is_put = matches!(operation, Operation::Put { .. });
                self.fake.log(format!("{} {} {}", if is_put { "put" } else { "get" }, key.0, spans.len()));
                for span in *spans {
                    let (there, bytes) = (real(span.address), usize::try_from(span.bytes).unwrap());
                    let (from, to) = if is_put { (span.local, there) } else { (there, span.local) };
                    // SAFETY: both are buffers of the case.
                    unsafe { engine::copy(from, to, bytes) };
                }
            }
            Operation::Atomic { at, atomic, old } => {
                self.fake.log(format!("atomic {}", at.key.0));
                // SAFETY: a word of the case.
                let before = unsafe { atomic.apply(real(at.address)) };
                if !old.is_null() {
                    // SAFETY: as the contract says.
                    unsafe { atomic.width.write(before, *old) };
                }
            }
            Operation::Copy { from, to, bytes, to_address, .. } => {
                let address = String::from_utf8_lossy(to_address);
                self.fake.log(format!("copy {} {} at {address}", from.key.0, to.key.0));
                let bytes = usize::try_from(*bytes).unwrap();
                // SAFETY: both are buffers of the case.
                unsafe { engine::copy(real(from.address), real(to.address), bytes) };
            }
            _ => self.fake.log("other".to_owned()),
        }
        completion.begin(1);
        let is_given_up =
            self.fake.interrupted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if is_given_up.is_ok() {
            let error = Error::new(Kind::Timeout, "fake").retry(mf_base::Retry::AtOnce);
            completion.end(Err(error));
        } else if self.fake.is_late.load(Ordering::Relaxed) {
            self.fake.late.lock().unwrap().push((self.peer, Arc::clone(completion)));
        } else {
            completion.end(Ok(()));
        }
        Ok(())
    }
}

/// Resolver: addresses above [`FAR`] are remote, above twice as much a third member's; others are here.
#[derive(Clone)]
struct Space {
    members: Arc<[Arc<Member>; 2]>,
    third: Arc<Member>,
    /// Under which key the member takes part now.
    now: Arc<AtomicBool>,
    is_lent: bool,
    queued: Arc<AtomicU32>,
    devices: Devices,
}

impl Resolver for Space {
    type Share = Self;

    fn resolve<'s>(&'s self, _: ReadSection<'s>, address: u64, _: u64, _: Access) -> Result<Option<End<'s>>> {
        let locality = Locality::Host;
        if address < FAR {
            let place = PoolPlace { kind: MemKind::Host, rank: Rank(1), offset: 0 };
            let memory = if self.is_lent { Memory::Lent(place) } else { Memory::Private };
            return Ok(Some(End::Here(Here { locality, memory })));
        }
        let member = &self.members[usize::from(self.now.load(Ordering::Relaxed))];
        let member = if address < 2 * FAR { member } else { &self.third };
        Ok((address < 3 * FAR).then_some(End::There(member)))
    }
    fn refusal(&self, wanted: Wanted<'_>) -> Error {
        Error::invalid("fake", format!("{wanted:?}"))
    }
    fn devices(&self) -> &Devices {
        &self.devices
    }
    fn share(&self) -> Option<Self> {
        Some(self.clone())
    }
    fn came_back(&self, (_, key): (Rank, SegmentKey), error: &Error) -> bool {
        // From now on it is another one.
        error.kind() == Kind::NotConnected && key == OLD && !self.now.swap(true, Ordering::Relaxed)
    }
    unsafe fn local_copy(&self, _: &ReadGuard, pieces: &[LocalPiece], _: Mode) -> Result<()> {
        // SAFETY: by the caller.
        unsafe { engine::copy_batch(pieces) };
        Ok(())
    }
    fn queue(&self, _: &[Piece]) -> Result<()> {
        self.queued.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

struct Bed {
    fake: Arc<Fake>,
    /// Transport to the third member.
    other: Arc<Fake>,
    space: Space,
    lane: Lane,
}

fn peer() -> Peer {
    Peer { job: JobId(1), rank: 1, session: 1 }
}

impl Bed {
    fn new() -> Self {
        Self::with(&["tcp", "ucx"])
    }

    /// The third member is reached by ucx from here, and by these transports from others.
    fn with(names: &[&str]) -> Self {
        let fake =
            |name| Arc::new_cyclic(|myself| Fake { myself: Weak::clone(myself), name, ..Fake::default() });
        let (fake, other) = (fake("tcp"), fake("ucx"));
        let route = |fake: &Arc<Fake>, peer, names: &[&str]| Route {
            transport: Arc::clone(fake) as _,
            peer,
            reach: fake.reach(peer).unwrap(),
            addresses: names
                .iter()
                .map(|name| ((*name).to_owned(), format!("{name}!").into_bytes()))
                .collect(),
        };
        let near = route(&fake, peer(), &["tcp"]);
        let third = route(&other, Peer { rank: 2, ..peer() }, names);
        let member = |key| Arc::new(Member::new(Rank(1), key, &near).unwrap());
        let space = Space {
            members: Arc::new([member(OLD), member(NEW)]),
            third: Arc::new(Member::new(Rank(2), THIRD, &third).unwrap()),
            now: Arc::default(),
            is_lent: false,
            queued: Arc::default(),
            devices: Devices::new(Arc::new(HostDevice::new(Switch::Off))),
        };
        let lane = Lane::new(&[near.transport, third.transport], Deadlines(Duration::from_secs(60)));
        Self { fake, other, space, lane }
    }

    fn copy(&self, piece: Piece, until: Until) -> Result<()> {
        // SAFETY: the cases keep their buffers.
        unsafe { self.lane.copy(&self.space, &rcu::read_lock(), &piece, until) }
    }
}

fn put(from: &[u8; 8], to: &mut [u8; 8]) -> Piece {
    Piece { src: from.as_ptr(), dst: far(to.as_mut_ptr()), bytes: 8 }
}

fn far(here: *mut u8) -> *mut u8 {
    mf_base::Gva(here.addr() as u64 + FAR).as_ptr()
}

#[test]
fn pieces_are_routed_by_their_addresses() {
    let (bed, from, mut to) = (Bed::new(), [7; 8], [0; 8]);
    bed.copy(put(&from, &mut to), Until::Done).unwrap();
    assert_eq!((to, bed.fake.taken()), ([7; 8], vec!["put 1 1".to_owned()]));
    let mut back = [0; 8];
    let get = Piece { src: far(to.as_mut_ptr()), dst: back.as_mut_ptr(), bytes: 8 };
    bed.copy(get, Until::Reusable).unwrap();
    assert_eq!((back, bed.fake.taken()), ([7; 8], vec!["get 1 1".to_owned()]));
    let mut third = [0; 8];
    let between = Piece { src: far(to.as_mut_ptr()), dst: far(third.as_mut_ptr()), bytes: 8 };
    let pieces = [put(&from, &mut to), put(&from, &mut to), get, between];
    // SAFETY: the buffers are above.
    unsafe { copy(&bed.space, &bed.lane, &rcu::read_lock(), &pieces, Mode::Sync) }.unwrap();
    assert_eq!(
        (third, bed.fake.taken().join(", ")),
        ([7; 8], "put 1 2, get 1 1, copy 1 1 at tcp!".to_owned())
    );
}

#[test]
fn invalid_piece_prevents_the_whole_batch() {
    let (bed, from, mut to) = (Bed::new(), [7; 8], [0; 8]);
    let good = put(&from, &mut to);
    let nowhere = Piece { dst: far(far(good.dst)), ..good };
    for bad in [nowhere, Piece { bytes: 0, ..good }, Piece { src: std::ptr::null(), ..good }] {
        // SAFETY: the buffers are above.
        let refused = unsafe { copy(&bed.space, &bed.lane, &rcu::read_lock(), &[good, bad], Mode::Sync) };
        let error = refused.unwrap_err();
        assert_eq!((error.kind(), error.fact("element")), (Kind::InvalidParam, Some("1")));
        assert_eq!(bed.copy(bad, Until::Started).unwrap_err().kind(), Kind::InvalidParam);
    }
    // Both ends are private.
    let private = Piece { dst: to.as_mut_ptr(), ..good };
    assert_eq!(bed.copy(private, Until::Done).unwrap_err().kind(), Kind::InvalidParam);
    assert_eq!((to, bed.fake.taken().len()), ([0; 8], 0));
}

#[test]
fn remote_copy_uses_the_source_transport_or_is_staged() {
    let long = vec![7_u8; (1 << 20) + 5000];
    let mut to = vec![0_u8; long.len()];
    let src = far(long.as_ptr().cast_mut());
    let piece = Piece { src, dst: far(far(to.as_mut_ptr())), bytes: long.len() as u64 };
    let bed = Bed::with(&["ucx", "tcp"]);
    bed.copy(piece, Until::Done).unwrap();
    assert_eq!((bed.fake.taken().join(", "), bed.other.taken().len()), ("copy 1 3 at tcp!".to_owned(), 0));
    assert_eq!(std::mem::replace(&mut to, vec![0; long.len()]), long);
    // The third one is not reached by the transport of the first.
    let bed = Bed::with(&["ucx"]);
    let piece = Piece { dst: far(far(to.as_mut_ptr())), ..piece };
    bed.copy(piece, Until::Done).unwrap();
    assert_eq!(bed.fake.taken().join(", "), "get 1 1, get 1 1");
    assert_eq!(bed.other.taken().join(", "), "put 3 1, put 3 1");
    assert_eq!(to, long);
    let pieces = [piece];
    // SAFETY: the buffers are above.
    unsafe { copy(&bed.space, &bed.lane, &rcu::read_lock(), &pieces, Mode::Async) }.unwrap();
    assert_eq!(bed.space.queued.load(Ordering::Relaxed), 1, "it is done by the thread that may wait");
    bed.fake.refusals.store(1, Ordering::Relaxed);
    bed.copy(piece, Until::Done).unwrap();
    assert_eq!(bed.fake.taken()[0], "get 2 1", "it came back under a new key");
}

type Try<'a> = &'a dyn Fn(&Bed, Piece, u64) -> Result<()>;

#[test]
fn returned_member_is_retried_once() {
    let (from, mut to, mut word) = ([7; 8], [0; 8], 3_u64);
    let tries: [Try<'_>; 3] = [
        &|bed, piece, _| bed.copy(piece, Until::Done),
        // SAFETY: the buffers are above.
        &|bed, piece, _| unsafe {
            copy(&bed.space, &bed.lane, &rcu::read_lock(), &[piece, piece], Mode::Sync)
        },
        &|bed, _, word| {
            let add = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
            bed.lane.atomic(&bed.space, &rcu::read_lock(), word, add).map(|_| ())
        },
    ];
    let at = (&raw mut word).addr() as u64 + FAR;
    for attempt in tries {
        let bed = Bed::new();
        bed.fake.refusals.store(1, Ordering::Relaxed);
        attempt(&bed, put(&from, &mut to), at).unwrap();
        assert!(bed.fake.taken()[0].contains(" 2"), "by the new key");
        bed.fake.refusals.store(1, Ordering::Relaxed);
        assert_eq!(attempt(&bed, put(&from, &mut to), at).unwrap_err().kind(), Kind::NotConnected);
    }
    assert_eq!((to, word), ([7; 8], 4));
}

#[test]
fn copies_of_lent_memory_complete_before_return() {
    let mut bed = Bed::new();
    bed.space.is_lent = true;
    bed.fake.is_late.store(true, Ordering::Relaxed);
    let (from, mut to) = ([7; 8], [0; 8]);
    bed.copy(put(&from, &mut to), Until::Started).unwrap();
    assert!(bed.lane.is_done());
    let pieces = [put(&from, &mut to)];
    // SAFETY: the buffers are above.
    unsafe { copy(&bed.space, &bed.lane, &rcu::read_lock(), &pieces, Mode::Async) }.unwrap();
    assert_eq!((bed.space.queued.load(Ordering::Relaxed), bed.lane.is_done()), (1, true));
}

#[test]
fn interrupted_long_copy_stops_between_parts_and_is_repeatable() {
    let bed = Bed::new();
    let bytes = 3 * PART_BYTES;
    let (from, mut to) =
        (vec![7u8; usize::try_from(bytes).unwrap()], vec![0u8; usize::try_from(bytes).unwrap()]);
    let piece = Piece { src: from.as_ptr(), dst: far(to.as_mut_ptr()), bytes };
    // Longer than the program is not asked for.
    bed.fake.pace_ms.store(2 * u32::try_from(interrupt::SLICE.as_millis()).unwrap(), Ordering::Relaxed);
    let error = interrupt::unless(|| true, || bed.copy(piece, Until::Done)).unwrap_err();
    assert_eq!((error.kind(), bed.fake.taken()), (Kind::Interrupted, vec!["put 1 1".to_owned()]));
    assert_eq!(error.fact("copied"), Some(&*PART_BYTES.to_string()));
    let end = usize::try_from(PART_BYTES).unwrap();
    assert!(to[..end].iter().all(|byte| *byte == 7) && to[end..].iter().all(|byte| *byte == 0));
    interrupt::unless(|| false, || bed.copy(piece, Until::Done)).unwrap();
    assert_eq!((to == from, bed.fake.taken().len()), (true, 3));
    // Without watchers it is one.
    bed.copy(piece, Until::Done).unwrap();
    assert_eq!(bed.fake.taken().len(), 1);
}

#[test]
fn fence_waits_only_for_unordered_copies() {
    let bed = Bed::new();
    bed.fake.is_late.store(true, Ordering::Relaxed);
    let (from, mut to, mut back) = ([7; 8], [0; 8], [0; 8]);
    let get = Piece { src: far(to.as_mut_ptr()), dst: back.as_mut_ptr(), bytes: 8 };
    bed.copy(get, Until::Started).unwrap();
    bed.lane.fence();
    assert!(!bed.lane.is_done(), "gets are not ordered");
    bed.lane.quiet().unwrap();
    bed.copy(put(&from, &mut to), Until::Started).unwrap();
    let fence = std::thread::scope(|scope| {
        let fence = scope.spawn(|| bed.lane.fence());
        bed.fake.end(|_, _| true);
        fence.join()
    });
    fence.unwrap();
    assert!(bed.lane.is_done());
}

#[test]
fn lanes_and_peers_are_waited_for_separately() {
    let bed = Bed::new();
    bed.fake.is_late.store(true, Ordering::Relaxed);
    let (from, mut to) = ([7; 8], [0; 8]);
    bed.copy(put(&from, &mut to), Until::Started).unwrap();
    let other = bed.lane.sibling();
    other.quiet().unwrap();
    let soon = Instant::now() + Duration::from_secs(60);
    bed.lane.quiet_peers(&[Peer { rank: 2, ..peer() }], soon).unwrap();
    assert!(!bed.lane.is_done());
    bed.lane.quiet_peers(&[peer()], soon).unwrap();
    assert!(bed.lane.is_done());
}

#[test]
fn signals_update_the_word_after_their_data() {
    let (bed, from, mut to, mut word) = (Bed::new(), [7; 8], [0; 8], 0_u64);
    let address = (&raw mut word).addr() as u64 + FAR;
    let signal = |kind, value, width| Signal { address, kind, value, width };
    let section = rcu::read_lock();
    for (signal, expected) in [
        (signal(SignalKind::Set, 5, Width::W64), 5),
        (signal(SignalKind::Add, u64::from(u32::MAX), Width::W32), 4),
    ] {
        bed.lane.signal(&bed.space, &section, signal, Until::Done).unwrap();
        assert_eq!(word, expected);
    }
    let odd = Signal { address: address + 4, ..signal(SignalKind::Set, 1, Width::W64) };
    let piece = put(&from, &mut to);
    // SAFETY: the buffers are above.
    let refused = unsafe { bed.lane.put_signal(&bed.space, &section, &piece, odd, Until::Done) };
    assert_eq!((refused.unwrap_err().kind(), to), (Kind::InvalidParam, [0; 8]));
}
