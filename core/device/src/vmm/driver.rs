// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Driver: the interface between the common part of all accelerators and a vendor's runtime.
//!
//! **Context.** Most runtimes keep a current device or context per thread. [`Mapper::enter`] makes the device
//! current, does the work, and restores the thread's state; every other method acts on the current context,
//! unless its doc says otherwise. So one switch serves all the calls of a step, and no state is kept that
//! depends on the thread.

use std::ffi::c_void;
use std::ops::Range;
use std::time::Duration;

use mf_base::{ByteLen, Error, Kind, Result};

use super::pieces;
use crate::{Capability, FabricHandle, Identity, Locality, RawStream, Token, Transfer, Unit};

/// A context of the runtime, by its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Context(pub(crate) *mut c_void);

/// An event of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawEvent(pub(crate) *mut c_void);

/// A flag of the runtime that one stream sets, and another waits for and clears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawNotify(pub(crate) *mut c_void);

/// The runtime's name of a block of physical memory in this process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle(pub(crate) *mut c_void);

macro_rules! names {
    ($($name:ident)*) => {$(
        // SAFETY: a name that the runtime resolves, valid in every thread of the process.
        unsafe impl Send for $name {}
        // SAFETY: as for `Send`.
        unsafe impl Sync for $name {}
    )*};
}
names! { Context RawEvent RawNotify Handle }

/// A function that a stream waits for.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// Owner of the memory at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryOwner {
    /// The host's, and unknown to the runtime.
    Host,
    /// The host's, pinned by the runtime.
    Pinned,
    /// A device's.
    Device,
}

impl MemoryOwner {
    /// Returns its locality for a copy.
    #[inline]
    pub(crate) fn locality(self) -> Locality {
        match self {
            MemoryOwner::Host | MemoryOwner::Pinned => Locality::Host,
            MemoryOwner::Device => Locality::Device,
        }
    }
}

/// Why a stream is not through.
pub(crate) enum Unfinished {
    /// The time is over; everything stays queued.
    NotYet(Error),
    /// A task failed. Returned once.
    Failed(Error),
}

impl Unfinished {
    pub(crate) fn into_error(self) -> Error {
        match self {
            Unfinished::NotYet(error) | Unfinished::Failed(error) => error,
        }
    }
}

/// Interface for windows and segments of device memory to a vendor's runtime. Thread-safe.
///
/// # Errors
/// Every method: the runtime's refusal, with function, code and text.
pub(crate) trait Mapper: Send + Sync {
    /// Runs `work` with the device current; the calling thread's state is restored on return.
    ///
    /// # Errors
    /// The device cannot be made current; the work was not done then.
    fn enter(&self, work: &mut (dyn FnMut() + Send)) -> Result<()>;

    /// Sets memory to zero.
    ///
    /// # Safety
    /// It is the device's, mapped, and nobody accesses it.
    unsafe fn clear(&self, address: u64, bytes: u64) -> Result<()>;

    /// Returns the interface for physical memory at chosen addresses.
    ///
    /// # Errors
    /// `Failed` with the reason that this device has none.
    fn physical(&self) -> Result<&dyn Physical>;
}

/// A device of a vendor's runtime. Thread-safe.
///
/// # Errors
/// Every method: the runtime's refusal, with function, code and text.
pub(crate) trait Driver: Mapper {
    /// The name of the family, for people.
    fn name(&self) -> &'static str;

    /// Chip, versions, and whether it is simulated, for people. In any context.
    fn describe(&self) -> String;

    /// As [`Device::number`](crate::Device::number).
    fn number(&self) -> u32;

    /// As [`Device::become_current`](crate::Device::become_current).
    fn become_current(&self) {}

    /// All devices of the family that this process sees, for people. In any context.
    fn units(&self) -> Vec<Unit>;

    /// Returns the identity of this process towards members that share its memory. In any context.
    fn identity(&self) -> Result<Identity>;

    /// Returns the device's capabilities, present and missing, with reasons. In any context.
    fn capabilities(&self) -> Vec<Capability>;

    /// Like [`enter`](Mapper::enter), in a context of the program.
    ///
    /// # Errors
    /// As [`enter`](Mapper::enter), for example if the context was destroyed.
    fn enter_context(&self, context: Context, work: &mut (dyn FnMut() + Send)) -> Result<()>;

    /// Returns the current context of the calling thread, made ready for copies with imported memory;
    /// `InvalidParam` if it has no context.
    fn callers_context(&self) -> Result<Context>;

    /// Makes `bytes` bytes (not 0) of memory with any content.
    fn allocate(&self, bytes: u64) -> Result<u64>;

    /// Frees them.
    ///
    /// # Safety
    /// They are not used again; work that a fault left running there is waited for.
    unsafe fn free(&self, address: u64) -> Result<()>;

    /// Returns the owner of the memory at `address`; unknown memory is host memory. In any context.
    fn owner_of(&self, address: u64) -> MemoryOwner;

    /// Pins memory of the program for copies; whether that was done and has to be undone. In any context.
    fn pin(&self, address: u64, bytes: u64) -> bool;

    /// Undoes it. In any context. No copy uses the memory any more.
    fn unpin(&self, address: u64);

    /// Makes host memory of a pool reachable, as far as the device can. In any context.
    fn expose(&self, address: u64, bytes: u64);

    /// Ends that. In any context.
    fn conceal(&self, address: u64);

    /// Copies synchronously. In any context: the one call of a small copy.
    ///
    /// # Safety
    /// The ends are as the transfer describes, readable and writable.
    unsafe fn copy(&self, transfer: &Transfer) -> Result<()>;

    /// Does all transfers in as few calls as the runtime has for that. Returns `false` if the runtime has no
    /// such call for these, or refuses; some transfers may have been done then.
    ///
    /// # Safety
    /// As [`copy`](Driver::copy), for each; destinations do not overlap.
    unsafe fn copy_batch(&self, transfers: &[Transfer]) -> bool {
        let _ = transfers;
        false
    }

    /// A stream; `NoResources` when none is left.
    fn create_stream(&self) -> Result<RawStream>;

    /// Destroys a stream of ours with its queued work.
    ///
    /// # Safety
    /// It is not used again.
    unsafe fn destroy_stream(&self, stream: RawStream) -> Result<()>;

    /// Puts a copy on a stream, which is of the current context. At least one end is device memory.
    ///
    /// # Safety
    /// As [`copy`](Driver::copy), until the stream has done it. The stream is alive.
    unsafe fn queue_copy(&self, stream: RawStream, transfer: &Transfer) -> Result<()>;

    /// Puts the writing of a word, by a transfer of [`Word::written`](crate::Word::written), on a
    /// stream, which is of the current context. The source lives during the call only.
    ///
    /// # Safety
    /// As [`queue_copy`](Driver::queue_copy), for the destination.
    unsafe fn queue_word(&self, stream: RawStream, transfer: &Transfer) -> Result<()>;

    /// Puts a function of the host on a stream, which is of the current context. It runs on a thread of the
    /// runtime.
    ///
    /// # Safety
    /// The stream is alive.
    unsafe fn queue_function(&self, stream: RawStream, work: Work) -> Result<()>;

    /// A flag that is not set; `NoResources` when none is left.
    fn create_notify(&self) -> Result<RawNotify>;

    /// Gives it back.
    ///
    /// # Safety
    /// No stream uses it again.
    unsafe fn destroy_notify(&self, notify: RawNotify) -> Result<()>;

    /// Sets it, in the order of a stream of the current context.
    ///
    /// # Safety
    /// Stream and notify are alive.
    unsafe fn queue_notify(&self, stream: RawStream, notify: RawNotify) -> Result<()>;

    /// Lets a stream of the current context wait for it, and clear it.
    ///
    /// # Safety
    /// Stream and notify are alive.
    unsafe fn queue_wait(&self, stream: RawStream, notify: RawNotify) -> Result<()>;

    /// Waits until everything on a stream of ours is done, at most so long.
    fn wait_stream(&self, stream: RawStream, timeout: Duration) -> Result<(), Unfinished>;

    /// Returns true if work on a stream of the current context is captured into a graph instead of done.
    ///
    /// # Safety
    /// The stream is alive.
    unsafe fn is_captured(&self, stream: RawStream) -> bool;

    /// Waits until everything on all streams of the current context's device is done, at most so long.
    fn wait_device(&self, timeout: Duration) -> Result<(), Unfinished>;

    /// An event that may be recorded again and again; `NoResources` when none is left.
    fn create_event(&self) -> Result<RawEvent>;

    /// Destroys it.
    ///
    /// # Safety
    /// It is not used again.
    unsafe fn destroy_event(&self, event: RawEvent) -> Result<()>;

    /// Marks the present end of a stream of the current context.
    ///
    /// # Safety
    /// The stream is alive.
    unsafe fn record_event(&self, event: RawEvent, stream: RawStream) -> Result<()>;

    /// A key by which other processes of this host map an allocated range.
    fn export(&self, address: u64, bytes: u64) -> Result<Vec<u8>>;

    /// Maps the memory of a key of another process, also of another device; where it begins.
    fn import(&self, key: &[u8]) -> Result<u64>;

    /// Ends an export or an import of this process.
    ///
    /// # Safety
    /// Imported memory is not used again.
    unsafe fn close(&self, key: &[u8]) -> Result<()>;

    /// Returns true if the stream is past the last record.
    fn event_is_reached(&self, event: RawEvent) -> Result<bool>;
}

impl dyn Mapper {
    /// [`enter`](Mapper::enter), with the result of the work.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        run_once(work, |work| self.enter(work))
    }
}

impl dyn Driver {
    /// [`enter`](Mapper::enter), with the result of the work.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        run_once(work, |work| self.enter(work))
    }

    /// [`enter_context`](Driver::enter_context), with the result of the work.
    pub(crate) fn run_in<R: Send>(&self, context: Context, work: impl FnOnce() -> R + Send) -> Result<R> {
        run_once(work, |work| self.enter_context(context, work))
    }
}

fn run_once<R: Send>(
    work: impl FnOnce() -> R + Send,
    enter: impl FnOnce(&mut (dyn FnMut() + Send)) -> Result<()>,
) -> Result<R> {
    let (mut work, mut result) = (Some(work), None);
    enter(&mut || result = work.take().map(|work| work()))?;
    result.ok_or_else(|| Error::new(Kind::Failed, "device").what("a driver did not run its request"))
}

/// Origin of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// This process.
    Own,
    /// Another one, which shared it.
    Foreign,
}

/// Addresses and blocks of device memory: reserving, mapping and sharing.
///
/// All methods act on the device, which is current. Blocks and windows own the results, and give them back on
/// every exit path.
///
/// # Errors
/// Every method: the runtime's refusal, with function, code and text.
pub(crate) trait Physical: Send + Sync {
    /// By which calls, for people.
    fn describe(&self) -> &'static str;

    /// By which calls blocks are shared, for people.
    fn describe_sharing(&self) -> &'static str;

    /// The addresses at which windows of pools may lie, best first.
    fn address_ranges(&self) -> &[Range<u64>];

    /// Further ranges, each of which may be reserved as one window.
    fn fixed_addresses(&self) -> &'static [Range<u64>];

    /// Blocks are multiples of so many bytes.
    fn granule_bytes(&self) -> u64;

    /// The ranges in which a window at `base` with segments of `stride` bytes is reserved, in order. They
    /// follow from the arguments alone, so that they are the same in all processes.
    fn cuts(&self, base: u64, bytes: u64, stride: u64) -> Vec<Range<u64>> {
        pieces::cuts(base, bytes, stride).collect()
    }

    /// Reserves exactly `range`; `InUse` when it is taken in this process.
    fn reserve(&self, range: &Range<u64>) -> Result<()>;

    /// Releases a reservation.
    ///
    /// # Safety
    /// It has no mappings, and is not used any more.
    unsafe fn release(&self, range: &Range<u64>) -> Result<()>;

    /// Makes a block of `bytes` bytes.
    fn create(&self, bytes: u64) -> Result<Handle>;

    /// Returns a handle of the block that the program has mapped at `address`.
    ///
    /// # Errors
    /// `Failed` the runtime lacks the call.
    fn retain(&self, address: u64) -> Result<Handle> {
        Err(Error::new(Kind::Failed, "device memory")
            .what("this driver gives no handle of memory that the program has mapped")
            .with("address", format!("{address:#x}")))
    }

    /// Checks that a block from `retain` is like those of `create`, and has these `bytes` at `address`.
    ///
    /// # Errors
    /// `Failed` its properties differ · `InvalidParam` it begins or ends elsewhere.
    fn check_retained(&self, handle: Handle, address: u64, bytes: u64) -> Result<()> {
        let _ = (handle, address, bytes);
        Ok(())
    }

    /// Returns the token for a block from `retain` that the program has exported itself.
    ///
    /// # Errors
    /// `Failed` the runtime has no such handles.
    fn exported(&self, fabric_handle: &FabricHandle) -> Result<Token> {
        let _ = fabric_handle;
        Err(no_fabric_handles())
    }

    /// Gives up a handle from `create`, `retain` or `import`.
    ///
    /// # Safety
    /// It is not used again.
    unsafe fn free(&self, handle: Handle) -> Result<()>;

    /// Maps a whole block for reading and writing.
    ///
    /// # Safety
    /// Nobody accesses these addresses, which lie in a reservation of ours.
    unsafe fn map(&self, address: u64, bytes: u64, handle: Handle, origin: Origin) -> Result<()>;

    /// Unmaps the block of `bytes` bytes that was mapped at `address`.
    ///
    /// # Safety
    /// Nobody accesses it any more.
    unsafe fn unmap(&self, address: u64, bytes: u64) -> Result<()>;

    /// Returns the token that other processes need to import an own block; once per block. A handle has at
    /// most [`HANDLE_BYTES_MAX`](crate::HANDLE_BYTES_MAX) bytes.
    fn export(&self, handle: Handle) -> Result<Token>;

    /// Lets `process` import it.
    fn authorise(&self, shared: &Token, process: i32) -> Result<()>;

    /// Checks that a token may come from another process's [`export`](Physical::export); `InvalidParam` if
    /// not.
    fn check(&self, shared: &Token) -> Result<()>;

    /// A handle of another process's block.
    fn import(&self, shared: &Token) -> Result<Handle>;
}

/// The device has no fabric handles.
#[cold]
pub(crate) fn no_fabric_handles() -> Error {
    Error::new(Kind::Failed, "device memory")
        .what("this device has no fabric handles")
        .hint("leave the fabric handle of the buffer null")
}

/// These addresses are in use in this process; the pool then tries others.
#[cold]
pub(crate) fn range_in_use(range: &Range<u64>) -> Error {
    Error::new(Kind::InUse, "device window")
        .what("a range of device addresses is taken in this process")
        .with("range", format!("{:#x}-{:#x}", range.start, range.end))
        .with("bytes", ByteLen(range.end - range.start))
}
