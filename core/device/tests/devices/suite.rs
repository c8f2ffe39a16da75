// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Conformance suite of devices of every kind: windows, segments that grow, shares, copies. Run over the host
//! device and over the Ascend device on each product that the simulator knows.

use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::sync::Arc;

use mf_base::{Gva, Kind, MemKind};
use mf_device::engine::{self, Piece};
use mf_device::{
    AddressWindows, Device, Lane, Locality, Memory, Mover, RawStream, Share, Transfer, Window, Word,
};

pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const KIND: MemKind = MemKind::Device;

/// A device and how the test moves bytes on it.
#[derive(Clone)]
pub(crate) struct Rig(pub(crate) Arc<dyn Device>);

impl Rig {
    pub(crate) fn windows(&self) -> &dyn AddressWindows {
        self.0.windows().expect("this device maps memory where one wants it")
    }

    pub(crate) fn mover(&self) -> &dyn Mover {
        self.0.mover().expect("this device copies itself")
    }

    /// Returns the locality of device memory.
    fn there(&self) -> Locality {
        if self.0.mover().is_some() { Locality::Device } else { Locality::Host }
    }

    fn copy(&self, transfers: &[Transfer]) {
        match self.0.mover() {
            // SAFETY: tests copy between windows that they mapped and buffers that they hold.
            Some(mover) => unsafe { mover.copy(transfers) }.unwrap(),
            None => {
                let pieces: Vec<Piece> = transfers.iter().map(|transfer| transfer.piece).collect();
                // SAFETY: tests copy between windows that they mapped and buffers that they hold.
                unsafe { engine::copy_batch(&pieces) };
            }
        }
    }

    pub(crate) fn write(&self, address: u64, bytes: &[u8]) {
        self.copy(&[transfer(bytes.as_ptr(), Locality::Host, at(address), self.there(), bytes.len())]);
    }

    pub(crate) fn read(&self, address: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0xee; length];
        self.copy(&[transfer(at(address), self.there(), bytes.as_mut_ptr(), Locality::Host, length)]);
        bytes
    }

    /// Returns a free place for a window of `bytes` bytes; `place` numbers the places of the tests.
    pub(crate) fn base(&self, place: u64) -> u64 {
        let range = &self.windows().address_ranges(KIND)[0];
        range.start + (1 << 38) + (place << 33)
    }

    pub(crate) fn granule(&self) -> u64 {
        self.windows().granule_bytes(KIND)
    }
}

pub(crate) fn at(address: u64) -> *mut u8 {
    Gva(address).as_ptr()
}

pub(crate) fn transfer(
    src: *const u8,
    from: Locality,
    dst: *mut u8,
    to: Locality,
    length: usize,
) -> Transfer {
    Transfer { piece: Piece { src, dst, bytes: length as u64 }, from, to }
}

/// Bytes that differ from place to place and from seed to seed.
pub(crate) fn pattern(seed: u8, length: usize) -> Vec<u8> {
    (0..length).map(|i| (i as u8).wrapping_mul(31) ^ (i >> 8) as u8 ^ seed).collect()
}

pub(crate) fn map(window: &dyn Window, offset: u64, memory: &dyn Memory, range: Range<u64>) {
    // SAFETY: nobody else knows the window.
    unsafe { window.map(offset, memory, range) }.unwrap();
}

pub(crate) fn unmap(window: &dyn Window, offset: u64, bytes: u64) {
    // SAFETY: nobody else knows the window.
    unsafe { window.unmap(offset, bytes) }.unwrap();
}

/// Reserve, allocate, map, grow, unmap, map again, drop; at an odd segment, so that cuts and reciprocals are
/// met.
pub(crate) fn a_segment_lives(rig: &Rig) {
    let (granule, base) = (rig.granule(), rig.base(0));
    let stride = 3 * granule;
    let window = rig.windows().reserve(KIND, base, 4 * stride, stride).unwrap();
    assert_eq!((window.base(), window.bytes()), (base, 4 * stride));
    let memory = rig.windows().allocate(KIND, 2 * granule).unwrap();
    assert_eq!(memory.bytes(), 2 * granule);
    let offset = 3 * stride;
    map(&*window, offset, &*memory, 0..2 * granule);
    let segment = base + offset;
    // New memory is zero, also after others used it.
    for place in [0, granule - 8, 2 * granule - 64] {
        assert_eq!(rig.read(segment + place, 8), [0; 8]);
    }
    let bytes = pattern(1, 3000);
    rig.write(segment + granule - 1000, &bytes);
    assert!(rig.read(segment + granule - 1000, 3000) == bytes);

    let longer = memory.grown(3 * granule).unwrap();
    map(&*window, offset + 2 * granule, &*longer, 2 * granule..3 * granule);
    assert_eq!(rig.read(segment + 3 * granule - 8, 8), [0; 8]);
    rig.write(segment + 2 * granule - 4, b"across!!");
    assert_eq!(rig.read(segment + 2 * granule - 4, 8), b"across!!");

    unmap(&*window, offset, 3 * granule);
    // Nothing is mapped there: nothing to do.
    unmap(&*window, offset, 3 * granule);
    map(&*window, offset, &*longer, 0..3 * granule);
    assert!(rig.read(segment + granule - 1000, 3000) == bytes);
    drop((memory, longer));
    // Existing mappings stay.
    assert_eq!(rig.read(segment + 2 * granule - 4, 8), b"across!!");
    drop(window);
    // And all is free again.
    rig.windows().reserve(KIND, base, 4 * stride, stride).unwrap();
}

/// Impossible requests are refused, and change nothing.
pub(crate) fn refusals_change_nothing(rig: &Rig) {
    let (granule, base) = (rig.granule(), rig.base(1));
    let window = rig.windows().reserve(KIND, base, 2 * granule, granule).unwrap();
    let taken = rig.windows().reserve(KIND, base, 2 * granule, granule).map(drop).unwrap_err();
    assert_eq!(taken.kind(), Kind::InUse, "{taken}");
    let memory = rig.windows().allocate(KIND, granule).unwrap();
    // SAFETY: nobody else knows the window.
    let refused = |offset, range: Range<u64>| unsafe { window.map(offset, &*memory, range) }.unwrap_err();
    for (offset, range) in
        [(2 * granule, 0..granule), (0, 0..2 * granule), (u64::MAX - 5, 0..granule), (0, 0..0)]
    {
        let error = refused(offset, range.clone());
        assert_eq!(error.kind(), Kind::InvalidParam, "{offset} {range:?}: {error}");
    }
    map(&*window, granule, &*memory, 0..granule);
    rig.write(base + granule, b"stays");
    assert_eq!(rig.read(base + granule, 5), b"stays");
    // SAFETY: nobody else knows the window.
    let error = unsafe { window.unmap(granule, 2 * granule) }.unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    assert_eq!(rig.read(base + granule, 5), b"stays");
}

/// Growth that was not mapped leaves the memory as it was.
pub(crate) fn growth_can_be_given_up(rig: &Rig) {
    let (granule, base) = (rig.granule(), rig.base(2));
    let window = rig.windows().reserve(KIND, base, 4 * granule, 4 * granule).unwrap();
    let memory = rig.windows().allocate(KIND, granule).unwrap();
    map(&*window, 0, &*memory, 0..granule);
    drop(memory.grown(2 * granule).unwrap());
    assert_eq!(memory.bytes(), granule);
    let longer = memory.grown(2 * granule).unwrap();
    map(&*window, granule, &*longer, granule..2 * granule);
    assert_eq!(rig.read(base + granule, 8), [0; 8]);
    assert!(longer.grown(granule).is_err());
}

/// Copies of every size and direction, one by one and in batches.
pub(crate) fn copies_arrive(rig: &Rig) {
    let (granule, base) = (rig.granule(), rig.base(3));
    let window = rig.windows().reserve(KIND, base, 2 * granule, granule).unwrap();
    let memory = rig.windows().allocate(KIND, granule).unwrap();
    map(&*window, 0, &*memory, 0..granule);
    let other = rig.windows().allocate(KIND, granule).unwrap();
    map(&*window, granule, &*other, 0..granule);
    let there = rig.there();
    for length in [1, 2, 7, 8, 64, 4095, 4096, 100_001, 1 << 20] {
        let bytes = pattern(length as u8, length);
        rig.write(base + 13, &bytes);
        assert!(rig.read(base + 13, length) == bytes, "{length}");
        rig.copy(&[transfer(at(base + 13), there, at(base + granule + 5), there, length)]);
        assert!(rig.read(base + granule + 5, length) == bytes, "{length}");
    }
    // More than one call of the driver takes, of mixed lengths.
    let source = pattern(9, 300 * 1000);
    let pieces: Vec<(usize, usize)> = (0..300).map(|i| (i * 1000, 1 + (i * 37) % 1000)).collect();
    let into: Vec<Transfer> = pieces
        .iter()
        .map(|(start, length)| {
            transfer(source[*start..].as_ptr(), Locality::Host, at(base + *start as u64), there, *length)
        })
        .collect();
    rig.copy(&into);
    let mut target = vec![0u8; source.len()];
    let back: Vec<Transfer> = pieces
        .iter()
        .map(|(start, length)| {
            transfer(at(base + *start as u64), there, target[*start..].as_mut_ptr(), Locality::Host, *length)
        })
        .collect();
    rig.copy(&back);
    for (start, length) in pieces {
        assert!(target[start..start + length] == source[start..start + length], "{start} {length}");
    }
    // Both directions and device to device in one batch.
    let mut landing = [0u8; 8];
    rig.write(base, b"outbound");
    rig.copy(&[
        transfer(at(base), there, landing.as_mut_ptr(), Locality::Host, 8),
        transfer(b"and back".as_ptr(), Locality::Host, at(base + 4096), there, 8),
        transfer(at(base), there, at(base + granule + 4096), there, 8),
    ]);
    assert_eq!(&landing, b"outbound");
    assert_eq!(rig.read(base + 4096, 8), b"and back");
    assert_eq!(rig.read(base + granule + 4096, 8), b"outbound");
}

/// Asynchronous copies keep their order, are waited for, and each lane stands by itself.
pub(crate) fn lanes_keep_order(rig: &Rig) {
    let (granule, base) = (rig.granule(), rig.base(4));
    let window = rig.windows().reserve(KIND, base, granule, granule).unwrap();
    let memory = rig.windows().allocate(KIND, granule).unwrap();
    map(&*window, 0, &*memory, 0..granule);
    let lanes: Vec<Box<dyn Lane>> = (0..2).map(|_| rig.mover().lane().unwrap()).collect();
    lanes[0].wait().unwrap();
    let host = Locality::Host;
    let there = Locality::Device;
    let values: Vec<[u8; 8]> = (0..100u64).map(u64::to_le_bytes).collect();
    let mut seen = vec![[0u8; 8]; 200];
    for (i, value) in values.iter().enumerate() {
        for (number, lane) in lanes.iter().enumerate() {
            let place = base + number as u64 * 4096;
            let into = transfer(value.as_ptr(), host, at(place), there, 8);
            let on = transfer(at(place), there, at(place + 64), there, 8);
            let out = transfer(at(place + 64), there, seen[number * 100 + i].as_mut_ptr(), host, 8);
            for step in [into, on, out] {
                // SAFETY: the buffers live until the lanes were waited for.
                unsafe { lane.enqueue(&[step]) }.unwrap();
            }
        }
    }
    lanes[1].wait().unwrap();
    assert!(seen[100..] == values[..]);
    rig.mover().quiesce().unwrap();
    assert!(seen[..100] == values[..]);
    drop(lanes);
}

/// Words of 4 and 8 bytes are written whole, behind what came before them: at once, on a lane, on a stream.
pub(crate) fn words_follow_data(rig: &Rig, stream: RawStream, synchronize: impl Fn()) {
    let (granule, base) = (rig.granule(), rig.base(6));
    let window = rig.windows().reserve(KIND, base, granule, granule).unwrap();
    let memory = rig.windows().allocate(KIND, granule).unwrap();
    map(&*window, 0, &*memory, 0..granule);
    let (mover, data) = (rig.mover(), pattern(5, 4096));
    let into = transfer(data.as_ptr(), Locality::Host, at(base), Locality::Device, 4096);
    let word = base + 8192;
    // SAFETY: the words are in the window, which nobody else knows.
    let read = |address, like| unsafe { mover.read_word(address, like) }.unwrap();
    rig.write(word, &[0xff; 16]);

    // SAFETY: the word lies in the window, which nobody else knows.
    unsafe { mover.write_word(word + 4, Word::U32(0x0102_0304)) }.unwrap();
    assert_eq!(read(word + 4, Word::U32(0)), Word::U32(0x0102_0304));
    // The neighbours are as they were.
    assert_eq!(read(word, Word::U32(0)), Word::U32(u32::MAX));
    assert_eq!(read(word + 8, Word::U64(0)), Word::U64(u64::MAX));

    let lane = mover.lane().unwrap();
    for round in 1..=20u64 {
        // SAFETY: the data lives until the lane was waited for.
        unsafe { lane.enqueue(&[into]) }.unwrap();
        // SAFETY: the word lies in the window, and the lane is waited for.
        unsafe { lane.write_word(word, Word::U64(round)) }.unwrap();
    }
    lane.wait().unwrap();
    assert_eq!(read(word, Word::U64(0)), Word::U64(20));
    assert!(rig.read(base, 4096) == data);

    rig.write(base, &[0; 4096]);
    // SAFETY: the data lives until the stream was waited for.
    unsafe { mover.copy_on(stream, &[into]) }.unwrap();
    // SAFETY: the word lies in the window, and the stream is waited for.
    unsafe { mover.write_word_on(stream, word, Word::U32(7)) }.unwrap();
    synchronize();
    assert_eq!(read(word, Word::U32(0)), Word::U32(7));
    assert!(rig.read(base, 4096) == data);

    for refused in [
        // SAFETY: nothing is written at such addresses.
        unsafe { mover.write_word(word + 2, Word::U32(1)) },
        // SAFETY: the address is refused.
        unsafe { lane.write_word(word + 4, Word::U64(1)) },
        // SAFETY: the address is refused.
        unsafe { mover.write_word_on(stream, word + 1, Word::U32(1)) },
    ] {
        assert_eq!(refused.unwrap_err().kind(), Kind::InvalidParam);
    }
    assert_eq!(read(word, Word::U32(0)), Word::U32(7));
}

/// A copy on a stream happens in the stream's order, host memory to host memory included.
pub(crate) fn copies_on_a_stream_keep_its_order(
    rig: &Rig,
    stream: RawStream,
    pinned: *mut u8,
    synchronize: impl Fn(),
) {
    let (granule, base) = (rig.granule(), rig.base(5));
    let window = rig.windows().reserve(KIND, base, granule, granule).unwrap();
    let memory = rig.windows().allocate(KIND, granule).unwrap();
    map(&*window, 0, &*memory, 0..granule);
    let (host, there) = (Locality::Host, Locality::Device);
    let source = pattern(3, 4096);
    let (mut middle, mut end) = (vec![0u8; 4096], vec![0u8; 4096]);
    // From ordinary host memory CANN takes the bytes when the copy is put on the stream, from pinned
    // memory in order.
    // SAFETY: the caller gives 4096 bytes.
    unsafe { pinned.write_bytes(0, 4096) };
    let steps = [
        transfer(source.as_ptr(), host, at(base), there, 4096),
        transfer(at(base), there, middle.as_mut_ptr(), host, 4096),
        transfer(middle.as_ptr(), host, end.as_mut_ptr(), host, 2048),
        transfer(middle[2048..].as_ptr(), host, end[2048..].as_mut_ptr(), host, 2048),
        transfer(middle.as_ptr(), host, pinned, host, 4096),
        transfer(pinned, host, at(base + 8192), there, 4096),
    ];
    // SAFETY: the buffers live until the stream was waited for.
    unsafe { rig.mover().copy_on(stream, &steps) }.unwrap();
    rig.mover().quiesce().unwrap();
    synchronize();
    assert!(end == source);
    assert!(rig.read(base + 8192, 4096) == source);
    drop(window);
}

/// Encodes a share for a process that adopts it.
pub(crate) fn encode(shares: &[Share]) -> Vec<u8> {
    use mf_device::Token;
    let mut bytes = Vec::new();
    for share in shares {
        let handle = match &share.token {
            Token::Handle(handle) => handle.clone(),
            // The adopting process opens it there.
            Token::Descriptor(held) => {
                format!("/proc/{}/fd/{}", std::process::id(), held.as_raw_fd()).into_bytes()
            }
        };
        bytes.extend(share.bytes.to_le_bytes());
        bytes.push(u8::try_from(handle.len()).unwrap());
        bytes.extend(&handle);
    }
    bytes
}

pub(crate) fn decode(mut bytes: &[u8]) -> Vec<Share> {
    use mf_device::Token;
    let mut shares = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<8>() {
        let (handle, rest) = rest[1..].split_at(rest[0].into());
        let token = match std::str::from_utf8(handle) {
            Ok(path) if path.starts_with("/proc/") => {
                Token::Descriptor(File::options().read(true).write(true).open(path).unwrap().into())
            }
            _ => Token::Handle(handle.to_vec()),
        };
        shares.push(Share { bytes: u64::from_le_bytes(*length), sealed: true, token });
        bytes = rest;
    }
    shares
}
