// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Mover: copies from and to memory that the processor must not touch.
//!
//! | how | call | done when |
//! |---|---|---|
//! | synchronously | [`Mover::copy`] | it returns |
//! | asynchronously | [`Lane::enqueue`] | [`Lane::wait`] returns; each pool has a separate lane |
//! | on the caller's stream | [`Mover::copy_on`] | the stream gets there |
//!
//! A signal is a [`Word`] of device memory that is written after data: synchronously, on a lane or on a
//! stream, each in the order of the copies there. A reader of the word sees the data that was written before
//! it.
//!
//! Words that several members change are read, changed and written under [`Mover::words`].
//!
//! Every end of a transfer is mapped, and stays so until the transfer is done: before anything is unmapped
//! the pool calls [`Mover::quiesce`].

use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use mf_base::{Error, Gva, Kind, Result};

use super::sharing::{Exported, Imported};
use crate::engine::Piece;

/// Kind of memory of an end of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locality {
    /// Host memory, reachable for the processor.
    Host,
    /// Device memory, which the processor does not touch.
    Device,
}

/// Kind of memory of an end of a copy on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamEnd {
    /// Device memory, used when the stream gets there.
    Device,
    /// Host memory that the runtime has pinned, likewise.
    Pinned,
    /// Other host memory: it is read by the call that puts the copy on the stream, and a copy to it makes
    /// that call wait for the stream.
    Pageable,
}

impl StreamEnd {
    /// Returns its locality for a copy.
    pub fn locality(self) -> Locality {
        match self {
            StreamEnd::Device => Locality::Device,
            StreamEnd::Pinned | StreamEnd::Pageable => Locality::Host,
        }
    }
}

/// One copy, with the localities of its ends.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// Addresses and length.
    pub piece: Piece,
    /// Locality of the source.
    pub from: Locality,
    /// Locality of the destination.
    pub to: Locality,
}

/// A stream of the device's runtime that belongs to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawStream(pub *mut c_void);

// SAFETY: only a name; the code that uses it guarantees that the stream is valid then.
unsafe impl Send for RawStream {}
// SAFETY: as for `Send`; a shared reference changes nothing.
unsafe impl Sync for RawStream {}

/// A word that is read and written whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// 4 bytes.
    U32(u32),
    /// 8 bytes.
    U64(u64),
}

impl Word {
    /// Its length.
    pub const fn bytes(self) -> u64 {
        match self {
            Word::U32(_) => 4,
            Word::U64(_) => 8,
        }
    }

    /// Calls `work` with the transfer that writes this word at `address` of device memory. The source lives
    /// as long as the call.
    ///
    /// # Errors
    /// `InvalidParam` when the address is not a multiple of the length · errors of `work`.
    pub fn written<R>(self, address: u64, work: impl FnOnce(&Transfer) -> Result<R>) -> Result<R> {
        let bytes = self.padded();
        let piece =
            Piece { src: (&raw const bytes).cast(), dst: self.pointer_to(address)?, bytes: self.bytes() };
        work(&Transfer { piece, from: Locality::Host, to: Locality::Device })
    }

    /// Returns its bytes, zero-extended.
    pub(super) fn padded(self) -> u64 {
        match self {
            Word::U32(value) => u64::from_ne_bytes(padded(value.to_ne_bytes())),
            Word::U64(value) => value,
        }
    }

    fn pointer_to(self, address: u64) -> Result<*mut u8> {
        if address.is_multiple_of(self.bytes()) {
            return Ok(Gva(address).as_ptr());
        }
        Err(Error::invalid("device word", "the address of a word is not a multiple of its length")
            .with("address", format!("{address:#x}"))
            .with("bytes", self.bytes()))
    }
}

/// The bytes of a short word as the first of a long one.
fn padded([a, b, c, d]: [u8; 4]) -> [u8; 8] {
    [a, b, c, d, 0, 0, 0, 0]
}

/// Copies where at least one end may be device memory. Thread-safe.
pub trait Mover: Send + Sync {
    /// Returns the locality of `address`, which is outside every pool; unknown memory is host memory.
    fn locality(&self, address: u64) -> Locality;

    /// Does all transfers, in any order; they are done, and visible to every member, on return.
    ///
    /// # Errors
    /// `Failed` with the driver's reason; some transfers may have been done then.
    ///
    /// # Safety
    /// Every source is readable and every destination writable, with the localities of the transfer, until
    /// the call returns.
    unsafe fn copy(&self, transfers: &[Transfer]) -> Result<()>;

    /// Writes a word of device memory, whole; it is in place on return, after everything that returned
    /// before.
    ///
    /// # Errors
    /// `InvalidParam` the address is not a multiple of the word's length · `Failed` with the driver's
    /// reason.
    ///
    /// # Safety
    /// The word is the device's memory and writable.
    unsafe fn write_word(&self, address: u64, word: Word) -> Result<()> {
        // SAFETY: the caller vouches for the word; the source lives during the call.
        word.written(address, |transfer| unsafe { self.copy(std::slice::from_ref(transfer)) })
    }

    /// Returns the lock held while a word of device memory is read, changed and written: changes have one
    /// order if all are made through one mover, in the process that owns the memory.
    fn words(&self) -> &Mutex<()>;

    /// Reads a word of device memory, whole, of the length of `like`.
    ///
    /// # Errors
    /// As [`write_word`](Mover::write_word).
    ///
    /// # Safety
    /// The word is the device's memory and readable.
    unsafe fn read_word(&self, address: u64, like: Word) -> Result<Word> {
        let mut bytes = [0u8; 8];
        let piece = Piece { src: like.pointer_to(address)?, dst: bytes.as_mut_ptr(), bytes: like.bytes() };
        let transfer = Transfer { piece, from: Locality::Device, to: Locality::Host };
        // SAFETY: the caller vouches for the word; the destination is 8 bytes of this frame.
        unsafe { self.copy(&[transfer]) }?;
        let [a, b, c, d, ..] = bytes;
        Ok(match like {
            Word::U32(_) => Word::U32(u32::from_ne_bytes([a, b, c, d])),
            Word::U64(_) => Word::U64(u64::from_ne_bytes(bytes)),
        })
    }

    /// A lane for asynchronous copies.
    ///
    /// # Errors
    /// `NoResources` the device has no stream left.
    fn lane(&self) -> Result<Box<dyn Lane>>;

    /// Puts all transfers on the caller's stream, behind earlier work; also transfers between host memory and
    /// host memory.
    ///
    /// # Errors
    /// `InvalidParam` not a stream · `Failed` with the driver's reason; some may be on the stream then.
    ///
    /// # Safety
    /// The stream is one of the device's runtime in this process. The ends are valid until the stream has
    /// done them.
    unsafe fn copy_on(&self, stream: RawStream, transfers: &[Transfer]) -> Result<()>;

    /// As [`copy_on`](Mover::copy_on), for one transfer with an end in device memory: quick to put there,
    /// while [`quiesce`](Mover::quiesce) waits for all of the device from then on.
    ///
    /// # Errors
    /// As [`copy_on`](Mover::copy_on).
    ///
    /// # Safety
    /// As [`copy_on`](Mover::copy_on).
    unsafe fn copy_quickly_on(&self, stream: RawStream, transfer: &Transfer) -> Result<()> {
        // SAFETY: the caller vouches for both ends until the stream has done it, and for the stream.
        unsafe { self.copy_on(stream, std::slice::from_ref(transfer)) }
    }

    /// Returns the kind of memory at `address` for a stream; outside every pool.
    fn end_at(&self, address: u64) -> StreamEnd {
        match self.locality(address) {
            Locality::Device => StreamEnd::Device,
            Locality::Host => StreamEnd::Pageable,
        }
    }

    /// Returns true if work on a stream of the caller is captured into a graph instead of done. Copies by
    /// [`copy_quickly_on`](Mover::copy_quickly_on) and words can be; functions are refused, and leave the
    /// capture unchanged.
    ///
    /// # Safety
    /// The stream is alive.
    unsafe fn is_captured(&self, stream: RawStream) -> bool {
        let _ = stream;
        false
    }

    /// Returns true if the calling thread has a device; null names its default stream. **Local.**
    fn serves_this_thread(&self) -> bool {
        true
    }

    /// Puts the writing of a word of device memory on the caller's stream, behind earlier work.
    ///
    /// # Errors
    /// As [`copy_on`](Mover::copy_on), and as [`write_word`](Mover::write_word).
    ///
    /// # Safety
    /// As [`copy_on`](Mover::copy_on), for the word.
    unsafe fn write_word_on(&self, stream: RawStream, address: u64, word: Word) -> Result<()>;

    /// Puts a function of the host on the caller's stream, behind earlier work; later work on the stream
    /// waits for it. It runs on a thread of the device's runtime, and must not call the device.
    ///
    /// # Errors
    /// As [`copy_on`](Mover::copy_on); the function is dropped then.
    ///
    /// # Safety
    /// As [`copy_on`](Mover::copy_on).
    unsafe fn run_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()>;

    /// Like [`run_on`](Mover::run_on), for a function that may wait, also for later work of other streams,
    /// and may call the device: it runs on a dedicated thread.
    ///
    /// # Errors
    /// As [`copy_on`](Mover::copy_on) · `NoResources` the device has no flags left that a stream can wait
    /// for; the function is dropped then.
    ///
    /// # Safety
    /// As [`copy_on`](Mover::copy_on).
    unsafe fn run_waiting_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        // SAFETY: the caller vouches for the stream.
        unsafe { self.run_on(stream, work) }
    }

    /// Waits until no earlier operation of this mover touches memory any more, on lanes and on callers'
    /// streams. Errors of those copies stay with their lanes and streams. Bounded.
    ///
    /// # Errors
    /// `Timeout` or `Failed` when the device does not come to rest; the memory must stay mapped then.
    fn quiesce(&self) -> Result<()>;

    /// Registers memory of the process to make copies faster. Each call has its
    /// [`unregister`](Mover::unregister); the same range may be registered several times, by several pools.
    /// The memory is not changed, and only copies use it. Returns true if copies on lanes and streams now
    /// read and write it when they are done, and not when they are queued.
    ///
    /// # Errors
    /// Only when copies can never use the range; memory that they can use without this is accepted.
    fn register(&self, address: u64, bytes: u64) -> Result<bool>;

    /// Ends one [`register`](Mover::register) of exactly this range. No copy uses it any more.
    fn unregister(&self, address: u64, bytes: u64);

    /// Like [`register`](Mover::register), until the result is dropped; `None`: it is not registered, and
    /// copies with it are not faster.
    fn registered(&self, address: u64, bytes: u64) -> Option<Box<dyn Any + Send + Sync>> {
        let _ = (address, bytes);
        None
    }

    /// Lets other processes of this host map device memory that the program has allocated, until the result
    /// is dropped; existing mappings of others stay until they end them.
    ///
    /// # Errors
    /// Errors of the driver: the range is not inside one allocation.
    fn export(&self, address: u64, bytes: u64) -> Result<Arc<Exported>> {
        let _ = (address, bytes);
        Err(not_shared())
    }

    /// Maps memory that another process of this host has [exported](Mover::export), until the result is
    /// dropped.
    ///
    /// # Errors
    /// Errors of the driver: the memory is freed, or its device out of reach.
    fn import(&self, key: &[u8]) -> Result<Arc<Imported>> {
        let _ = key;
        Err(not_shared())
    }
}

#[cold]
fn not_shared() -> Error {
    Error::new(Kind::NotExist, "device memory").what("this device does not share allocated memory")
}

/// Asynchronous copies of one pool, done in the order of the calls. Thread-safe. Dropping it waits for them.
pub trait Lane: Send + Sync {
    /// Queues all transfers behind the earlier calls'; among themselves they have no order.
    ///
    /// # Errors
    /// `Failed` with the driver's reason; some may be queued then.
    ///
    /// # Safety
    /// The ends are valid, with the localities of the transfers, until a later [`wait`](Lane::wait) has
    /// returned or the device is at rest ([`Mover::quiesce`]).
    unsafe fn enqueue(&self, transfers: &[Transfer]) -> Result<()>;

    /// Queues the writing of a word of device memory behind everything queued before.
    ///
    /// # Errors
    /// As [`enqueue`](Lane::enqueue), and as [`Mover::write_word`].
    ///
    /// # Safety
    /// As [`enqueue`](Lane::enqueue), for the word.
    unsafe fn write_word(&self, address: u64, word: Word) -> Result<()>;

    /// Waits until all earlier copies are done, and visible to every member.
    ///
    /// # Errors
    /// The first error of these copies since the last call, returned once · `Timeout` when the device does
    /// not come to an end; the ends must stay valid then.
    fn wait(&self) -> Result<()>;

    /// Waits like [`wait`](Lane::wait); errors of the copies stay for the next call of that.
    fn drain(&self);
}
