// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A device that a test scripts, for cases that the simulator of CANN cannot show: several members with
//! device memory in one process, any address range and granule, and a failure at each call of the `Device`
//! trait itself.
//!
//! * Device addresses are mapped nowhere: a load from or a store to one faults. The mover reaches the memory
//!   through addresses of its own (`block`, `space`).
//! * Memory comes in blocks that are mapped whole, once, and travel to other members as handles; a handle is
//!   good only for the members it was made for, and only while its owner lives.
//! * Lanes and streams are threads (`lane`) that a test can hold up.
//! * Violations by the pool are recorded ([`ScriptedDevice::violations`]): memory unmapped under a copy, ends
//!   that differ from the transfer's kind, host memory exposed twice or concealed under another length.
//! * Every call can be made to fail ([`ScriptedDevice::fail`]).

mod block;
mod lane;
mod space;

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::sync::lock;
use mf_base::{Error, Gva, Kind, MemKind, Result};
use mf_device::{
    AddressWindows, Capability, Device, Identity, Lane, Locality, Memory, Mover, RawStream, Share, Token,
    Transfer, Window, Word,
};

use block::{Block, Piece};
pub(crate) use lane::Stream;
use lane::{Line, Work};
use space::Space;

const OP: &str = "scripted device";

/// Segments are multiples of this, unless a test wants otherwise.
const GRANULE_BYTES: u64 = 2 << 20;

/// Range of device windows: apart from all candidates of host memory.
pub(crate) const RANGE: Range<u64> = 0x1008_0000_0000..0x1080_0000_0000;

/// A call that can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// Reserving a window.
    Reserve,
    /// Making memory, the first of a segment or more.
    Allocate,
    /// Taking over the pieces that another member shared.
    Adopt,
    /// Mapping into a window.
    Map,
    /// Handing out memory.
    Share,
    /// Copying at once.
    Copy,
    /// Queueing on a lane.
    Enqueue,
    /// A copy that was queued, when its turn comes.
    Queued,
    /// Putting on a caller's stream.
    CopyOn,
    /// Making a lane.
    Lane,
    /// Exposing host memory.
    Expose,
    /// Registering user memory.
    Register,
}

/// State that windows, memory, lanes and the device share.
struct Shared {
    me: Identity,
    space: Space,
    /// Calls that fail: how many more succeed before.
    failures: Mutex<Vec<(Site, u32)>>,
    violations: Mutex<Vec<String>>,
    exposed: Mutex<BTreeMap<u64, u64>>,
    registered: Mutex<BTreeMap<(u64, u64), u32>>,
    calls: Mutex<Vec<&'static str>>,
    held: lane::Gate,
    words: Mutex<()>,
}

/// The device. Cheap to clone; clones are the same device.
#[derive(Clone)]
pub(crate) struct ScriptedDevice {
    shared: Arc<Shared>,
    ranges: Arc<[Vec<Range<u64>>; 2]>,
    granule_bytes: u64,
    line: Arc<Mutex<Vec<Arc<Stream>>>>,
}

impl Default for ScriptedDevice {
    fn default() -> Self {
        Self::of("scripted")
    }
}

impl ScriptedDevice {
    /// A device of this family.
    pub(crate) fn of(family: &str) -> Self {
        static NEXT: AtomicI32 = AtomicI32::new(0);
        let process = (std::process::id().cast_signed() << 8) | NEXT.fetch_add(1, Ordering::Relaxed) & 0xff;
        let shared = Shared {
            me: Identity { device: family.to_owned(), process, unit: 0 },
            space: Space::default(),
            failures: Mutex::default(),
            violations: Mutex::default(),
            exposed: Mutex::default(),
            registered: Mutex::default(),
            calls: Mutex::default(),
            held: lane::Gate::default(),
            words: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
            ranges: Arc::new([vec![RANGE], Vec::new()]),
            granule_bytes: GRANULE_BYTES,
            line: Arc::default(),
        }
    }

    /// The same device with these ranges for windows; indexed by kind.
    #[must_use]
    pub(crate) fn with_ranges(mut self, ranges: [Vec<Range<u64>>; 2]) -> Self {
        self.ranges = Arc::new(ranges);
        self
    }

    /// The same device with another granule of its segments.
    #[must_use]
    pub(crate) fn with_granule(mut self, bytes: u64) -> Self {
        self.granule_bytes = bytes;
        self
    }

    /// Takes a range of device addresses, as something else in the process might.
    ///
    /// # Errors
    /// `InUse` when it is taken already.
    pub(crate) fn occupy(&self, range: Range<u64>) -> Result<()> {
        self.shared.space.reserve(range)
    }

    /// Makes a call fail once, after `after` more that succeed.
    pub(crate) fn fail(&self, site: Site, after: u32) {
        lock(&self.shared.failures).push((site, after));
    }

    /// Recorded violations by the pool.
    pub(crate) fn violations(&self) -> Vec<String> {
        lock(&self.shared.violations).clone()
    }

    /// Address → bytes of the host memory that is exposed.
    pub(crate) fn exposed(&self) -> BTreeMap<u64, u64> {
        lock(&self.shared.exposed).clone()
    }

    /// Number of registrations of each range.
    pub(crate) fn registered(&self) -> BTreeMap<(u64, u64), u32> {
        lock(&self.shared.registered).clone()
    }

    /// The copies and waits since the last call of this, by name.
    pub(crate) fn take_calls(&self) -> Vec<&'static str> {
        std::mem::take(&mut *lock(&self.shared.calls))
    }

    /// Bytes that are mapped in windows.
    pub(crate) fn mapped_bytes(&self) -> u64 {
        self.shared.space.mapped_bytes()
    }

    /// Holds lanes and streams up until [`ScriptedDevice::go_on`]; waits for them end after `timeout`.
    pub(crate) fn hold(&self, timeout: Duration) {
        self.shared.held.hold(timeout);
    }

    /// Ends [`ScriptedDevice::hold`].
    pub(crate) fn go_on(&self) {
        self.shared.held.go_on();
    }

    /// A stream, as a program makes one with the device's runtime.
    pub(crate) fn stream(&self) -> Arc<Stream> {
        let stream = Arc::new(Stream::new(Arc::clone(&self.shared)));
        lock(&self.line).push(Arc::clone(&stream));
        stream
    }
}

impl Shared {
    fn check(&self, site: Site) -> Result<()> {
        let mut failures = lock(&self.failures);
        let Some(at) = failures.iter().position(|(failing, _)| *failing == site) else { return Ok(()) };
        if failures[at].1 > 0 {
            failures[at].1 -= 1;
            return Ok(());
        }
        failures.remove(at);
        Err(Error::new(Kind::Failed, OP)
            .what("a call fails because the test orders it")
            .with("site", format!("{site:?}")))
    }

    fn violation(&self, text: String) {
        lock(&self.violations).push(text);
    }

    fn call(&self, name: &'static str) {
        lock(&self.calls).push(name);
    }

    fn transfer(&self, transfer: &Transfer) -> Result<()> {
        let (src, dst) = (transfer.piece.src.addr() as u64, transfer.piece.dst.addr() as u64);
        for (address, declared) in [(src, transfer.from), (dst, transfer.to)] {
            if self.space.locality(address) != declared {
                self.violation(format!("{address:#x} is declared {declared:?} memory"));
            }
        }
        let done = self.space.copy(src, dst, transfer.piece.bytes);
        if let Err(error) = &done {
            self.violation(error.to_string());
        }
        done
    }
}

impl Device for ScriptedDevice {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn identity(&self) -> Result<Identity> {
        Ok(self.shared.me.clone())
    }

    fn windows(&self) -> Result<&dyn AddressWindows> {
        Ok(self)
    }

    fn mover(&self) -> Option<&dyn Mover> {
        Some(self)
    }

    unsafe fn expose(&self, address: u64, bytes: u64) -> Result<()> {
        self.shared.check(Site::Expose)?;
        touch_ends(address, bytes);
        let mut exposed = lock(&self.shared.exposed);
        if exposed.iter().any(|(start, length)| *start < address + bytes && address < start + length) {
            self.shared.violation(format!("{address:#x} is exposed twice"));
        }
        exposed.insert(address, bytes);
        Ok(())
    }

    fn conceal(&self, address: u64, bytes: u64) {
        if lock(&self.shared.exposed).remove(&address) != Some(bytes) {
            self.shared
                .violation(format!("{bytes} bytes at {address:#x} are concealed and were not exposed so"));
        }
        touch_ends(address, bytes);
    }

    fn capabilities(&self) -> Vec<Capability> {
        vec![Capability { name: "nothing real", available: true, reason: "a test needs no more".to_owned() }]
    }
}

impl AddressWindows for ScriptedDevice {
    fn granule_bytes(&self, _: MemKind) -> u64 {
        self.granule_bytes
    }

    fn address_ranges(&self, kind: MemKind) -> &[Range<u64>] {
        &self.ranges[kind.index()]
    }

    fn reserve(&self, kind: MemKind, base: u64, bytes: u64, stride: u64) -> Result<Box<dyn Window>> {
        self.shared.check(Site::Reserve)?;
        let end = base + bytes;
        if kind == MemKind::Host
            || !self.ranges[0].iter().any(|range| range.start <= base && end <= range.end)
        {
            return Err(Error::invalid(OP, "no window can lie here").with("base", format!("{base:#x}")));
        }
        self.shared.space.reserve(base..end)?;
        Ok(Box::new(ScriptedWindow { base, bytes, stride, shared: Arc::clone(&self.shared) }))
    }

    fn allocate(&self, _: MemKind, bytes: u64) -> Result<Box<dyn Memory>> {
        self.shared.check(Site::Allocate)?;
        let piece = Piece::Own(Block::new(bytes));
        Ok(Box::new(ScriptedMemory { pieces: vec![piece], shared: Arc::clone(&self.shared) }))
    }

    fn adopt(&self, _: MemKind, shares: Vec<Share>) -> Result<Box<dyn Memory>> {
        self.shared.check(Site::Adopt)?;
        let piece = |share: Share| match share.token {
            Token::Handle(handle) => Piece::theirs(&handle, share.bytes),
            Token::Descriptor(_) => Err(Error::invalid(OP, "device memory does not come as a descriptor")),
        };
        let pieces = shares.into_iter().map(piece).collect::<Result<Vec<_>>>()?;
        Ok(Box::new(ScriptedMemory { pieces, shared: Arc::clone(&self.shared) }))
    }
}

/// Ends the process by a fault when the memory is not mapped.
fn touch_ends(address: u64, bytes: u64) {
    for at in [address, address + bytes - 1] {
        // SAFETY: the caller of expose or conceal promises that the memory is mapped; the fault of a broken
        // promise is the purpose of this.
        unsafe { Gva(at).as_ptr().read_volatile() };
    }
}

impl ScriptedDevice {
    fn on_stream(&self, stream: RawStream, work: Work) -> Result<()> {
        let streams = lock(&self.line);
        let known = streams.iter().find(|known| known.raw() == stream);
        known.ok_or_else(|| Error::invalid(OP, "this is no stream of the device"))?.push(work);
        Ok(())
    }
}

impl Mover for ScriptedDevice {
    fn locality(&self, address: u64) -> Locality {
        self.shared.space.locality(address)
    }

    unsafe fn copy(&self, transfers: &[Transfer]) -> Result<()> {
        self.shared.call(if transfers.len() == 1 { "copy" } else { "copy many" });
        self.shared.check(Site::Copy)?;
        // The order is the mover's choice.
        transfers.iter().rev().try_for_each(|transfer| self.shared.transfer(transfer))
    }

    fn words(&self) -> &Mutex<()> {
        &self.shared.words
    }

    fn lane(&self) -> Result<Box<dyn Lane>> {
        self.shared.call("lane");
        self.shared.check(Site::Lane)?;
        Ok(Box::new(Line::new(Arc::clone(&self.shared))))
    }

    unsafe fn copy_on(&self, stream: RawStream, transfers: &[Transfer]) -> Result<()> {
        self.shared.call("copy on stream");
        self.shared.check(Site::CopyOn)?;
        self.on_stream(stream, Work::Copies(transfers.to_vec()))
    }

    unsafe fn write_word_on(&self, stream: RawStream, address: u64, word: Word) -> Result<()> {
        self.shared.call("write word on stream");
        self.shared.check(Site::CopyOn)?;
        word.written(address, |_| self.on_stream(stream, Work::Word(address, word)))
    }

    unsafe fn run_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        self.shared.call("run on stream");
        self.shared.check(Site::CopyOn)?;
        self.on_stream(stream, Work::Function(work))
    }

    fn quiesce(&self) -> Result<()> {
        self.shared.call("quiesce");
        self.shared.held.until_idle()
    }

    fn register(&self, address: u64, bytes: u64) -> Result<bool> {
        self.shared.check(Site::Register)?;
        *lock(&self.shared.registered).entry((address, bytes)).or_default() += 1;
        Ok(true)
    }

    fn unregister(&self, address: u64, bytes: u64) {
        let mut registered = lock(&self.shared.registered);
        match registered.get_mut(&(address, bytes)) {
            Some(1) => drop(registered.remove(&(address, bytes))),
            Some(count) => *count -= 1,
            None => self.shared.violation(format!("{bytes} bytes at {address:#x} are not registered")),
        }
    }
}

/// Pieces that follow one another.
struct ScriptedMemory {
    pieces: Vec<Piece>,
    shared: Arc<Shared>,
}

impl Memory for ScriptedMemory {
    fn bytes(&self) -> u64 {
        self.pieces.iter().map(Piece::bytes).sum()
    }

    fn page_bytes(&self) -> u64 {
        0
    }

    fn grown(&self, bytes: u64) -> Result<Box<dyn Memory>> {
        self.shared.check(Site::Allocate)?;
        let mut pieces = self.pieces.clone();
        pieces.push(Piece::Own(Block::new(bytes - self.bytes())));
        Ok(Box::new(Self { pieces, shared: Arc::clone(&self.shared) }))
    }

    fn share_count(&self) -> usize {
        self.pieces.len()
    }

    fn share(&self, peer: &Identity) -> Result<Vec<Share>> {
        self.shared.check(Site::Share)?;
        if peer.process == self.shared.me.process {
            self.shared.violation("memory is shared with its own process".to_owned());
        }
        let share = |piece: &Piece| match piece {
            Piece::Own(block) => {
                block.allow(peer.process);
                Ok(Share { bytes: block.bytes(), sealed: true, token: Token::Handle(block.handle()) })
            }
            Piece::Theirs { .. } => Err(Error::invalid(OP, "memory of another member is not ours to share")),
        };
        self.pieces.iter().map(share).collect()
    }
}

/// A reserved range of device addresses.
struct ScriptedWindow {
    base: u64,
    bytes: u64,
    stride: u64,
    shared: Arc<Shared>,
}

impl Window for ScriptedWindow {
    fn base(&self) -> u64 {
        self.base
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    unsafe fn map(&self, offset: u64, memory: &dyn Memory, range: Range<u64>) -> Result<()> {
        let bad = |what: &str| {
            Err(Error::invalid(OP, what).with("offset", offset).with("range", format!("{range:?}")))
        };
        let Some(memory) = (memory as &dyn Any).downcast_ref::<ScriptedMemory>() else {
            return bad("memory of another device");
        };
        if offset / self.stride != (offset + range.end - range.start - 1) / self.stride {
            return bad("the part lies in two segments");
        }
        let (mut at, mut mapped) = (0, Vec::new());
        for piece in &memory.pieces {
            let piece_range = at..at + piece.bytes();
            at = piece_range.end;
            if piece_range.end <= range.start || piece_range.start >= range.end {
                continue;
            }
            if piece_range.start < range.start || piece_range.end > range.end {
                return bad("the range cuts a block in two");
            }
            self.shared.check(Site::Map)?;
            let block = piece.block(self.shared.me.process)?;
            mapped.push((self.base + offset + (piece_range.start - range.start), block));
        }
        if at < range.end {
            return bad("the memory is shorter than the range");
        }
        self.shared.space.map(mapped)
    }

    unsafe fn unmap(&self, offset: u64, bytes: u64) -> Result<()> {
        if offset + bytes > self.bytes {
            return Err(Error::invalid(OP, "outside the window").with("offset", offset));
        }
        self.unmap_range(self.base + offset..self.base + offset + bytes);
        Ok(())
    }
}

impl ScriptedWindow {
    fn unmap_range(&self, range: Range<u64>) {
        if self.shared.space.unmap(range) && !self.shared.held.is_idle() {
            self.shared.violation("memory is unmapped while copies are in flight".to_owned());
        }
    }
}

impl Drop for ScriptedWindow {
    fn drop(&mut self) {
        self.unmap_range(self.base..self.base + self.bytes);
        self.shared.space.release(self.base);
    }
}
