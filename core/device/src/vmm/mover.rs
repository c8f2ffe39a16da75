// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies with an end in device memory.
//!
//! | call | method of the driver | other calls beside the copy itself |
//! |---|---|---|
//! | one transfer | `copy` | the context |
//! | many | `copy_batch`, where the runtime has it for these | the context |
//! | many, other | `queue_copy` on a stream of ours, and one wait | the context |
//! | on a lane | `queue_copy` on the lane's stream | the context |
//! | on the caller's stream | `queue_copy`, `queue_function` | the context, an event |
//! | on the caller's stream, quickly | `queue_copy` | the context |
//!
//! From host memory that is not registered a runtime takes the bytes of an asynchronous copy during the call,
//! not when the stream gets there; writes by earlier work of the stream come too late for it.
//!
//! The locality of an end costs a further call, unless it is in the pool or registered ([`super::regions`]),
//! or, on streams, in the cache of known pages ([`super::page_kind_cache`]).

use std::sync::{Arc, Mutex, Weak};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::blocking_functions::Waiting;
use super::caller_streams::CallerStreams;
use super::constants::Constants;
use super::driver::{Context, Driver, MemoryOwner, Unfinished};
use super::eventless_copies::EventlessCopies;
use super::lane::{DeviceLane, Queued};
use super::page_kind_cache::PageKindCache;
use super::regions::Regions;
use super::streams::{self, Streams, bytes_of, timeout_for};
use crate::sharing::{End, Exported, Imported, SharedValues};
use crate::{Lane, Locality, Mover, RawStream, StreamEnd, Transfer, Word};

/// The mover of one device.
pub(crate) struct DeviceMover {
    driver: Arc<dyn Driver>,
    regions: Regions,
    streams: Streams,
    caller_streams: CallerStreams,
    lanes: Mutex<Vec<Weak<Queued>>>,
    words: Mutex<()>,
    waiting: Waiting,
    eventless: EventlessCopies,
    page_kinds: PageKindCache,
    constants: Constants,
}

impl DeviceMover {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self {
            driver: Arc::clone(driver),
            regions: Regions::default(),
            streams: Streams::new(driver),
            caller_streams: CallerStreams::new(driver),
            lanes: Mutex::default(),
            words: Mutex::default(),
            waiting: Waiting::new(driver),
            eventless: EventlessCopies::new(driver),
            page_kinds: PageKindCache::default(),
            constants: Constants::default(),
        }
    }

    /// Copies on a stream of ours and waits for it; one by one where no stream is left.
    ///
    /// # Safety
    /// As [`Mover::copy`].
    unsafe fn copy_on_own_stream(&self, transfers: &[Transfer]) -> Result<()> {
        let stream = match self.streams.take() {
            Ok(stream) => stream,
            Err(error) if error.kind() == Kind::NoResources => {
                // SAFETY: the caller vouches for both ends until this returns.
                return transfers.iter().try_for_each(|transfer| unsafe { self.driver.copy(transfer) });
            }
            Err(error) => return Err(error),
        };
        // SAFETY: the caller vouches for both ends, and the wait comes before the return, also when only some
        // are queued.
        // A stream that does not get there in time is destroyed, with its queued work.
        let queued = unsafe { stream.queue(transfers) };
        let done = stream.synchronize(bytes_of(transfers)).map_err(Unfinished::into_error);
        if queued.is_ok() && done.is_ok() {
            self.streams.give_back(stream);
        }
        // The copy that failed on the device came before the copy that could not be queued.
        done.and(queued)
    }

    /// Puts work on the caller's stream by `put`, which gets the stream's context, and a mark behind it by
    /// which this mover detects its end.
    ///
    /// # Safety
    /// The stream is one of the runtime, alive as long as it has work of ours.
    pub(crate) unsafe fn on_stream(
        &self,
        stream: RawStream,
        put: impl FnOnce(Context) -> Result<()>,
    ) -> Result<()> {
        let context = self.driver.callers_context()?;
        // SAFETY: the caller keeps the stream alive as long as it has work of ours.
        let (queued, marked) = unsafe { self.caller_streams.with_mark(context, stream, || put(context)) }?;
        if let Err(error) = marked {
            // The work on the stream has no mark.
            self.eventless.note(context);
            tracing::warn!("cannot mark a stream behind its copies: {error}");
        }
        queued
    }

    /// As [`on_stream`](Self::on_stream), for work that can be captured into a graph. A captured stream gets
    /// no mark: the graph may run the work again at any time.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// As there.
    pub(crate) unsafe fn on_stream_or_graph(
        &self,
        stream: RawStream,
        put: impl FnOnce(Context) -> Result<()>,
    ) -> Result<()> {
        // SAFETY: the caller keeps the stream alive.
        if unsafe { self.driver.is_captured(stream) } {
            let context = self.driver.callers_context()?;
            self.eventless.note(context);
            return put(context);
        }
        // SAFETY: the caller vouches for the stream.
        unsafe { self.on_stream(stream, put) }
    }

    /// Refuses a stream that is captured into a graph. The runtime would, too, and make the capture invalid.
    ///
    /// # Safety
    /// The stream is alive.
    unsafe fn refuse_captured(&self, stream: RawStream) -> Result<()> {
        // SAFETY: the caller keeps the stream alive.
        if !unsafe { self.driver.is_captured(stream) } {
            return Ok(());
        }
        Err(Error::invalid("device stream", "the stream is being captured, and a graph cannot do this again")
            .hint("graphs have copies of mapped device memory, and words; put this on the stream outside"))
    }

    /// Idle streams of ours.
    pub(crate) fn streams(&self) -> &Streams {
        &self.streams
    }

    /// Waits until the streams of the program are past everything of ours.
    ///
    /// # Errors
    /// `Timeout` one does not get there.
    pub(crate) fn wait_past_caller_streams(&self) -> Result<()> {
        let settled = self.waiting.settled();
        if self.caller_streams.wait_past(timeout_for(0))? {
            self.waiting.forget_passed(&settled);
        }
        Ok(())
    }
}

/// Of all devices of the process: a name is unique in the runtime, not per device.
static EXPORTS: SharedValues<(u64, u64), Vec<u8>> = SharedValues::new();
static IMPORTS: SharedValues<Vec<u8>, u64> = SharedValues::new();

impl DeviceMover {
    /// Ends an export or an import.
    fn closing(&self, key: Vec<u8>) -> End {
        let driver = Arc::clone(&self.driver);
        Box::new(move || {
            // SAFETY: all users have dropped it.
            let closed = driver.run(|| unsafe { driver.close(&key) });
            if let Err(error) = closed.flatten() {
                tracing::debug!("memory that was shared by a key is not given up: {error}");
            }
        })
    }
}

impl Mover for DeviceMover {
    fn export(&self, address: u64, bytes: u64) -> Result<Arc<Exported>> {
        EXPORTS.get((address, bytes), || {
            let key = self.driver.run(|| self.driver.export(address, bytes))??;
            Ok((key.clone(), self.closing(key)))
        })
    }

    fn import(&self, key: &[u8]) -> Result<Arc<Imported>> {
        IMPORTS.get(key.to_vec(), || {
            let address = self.driver.run(|| self.driver.import(key))??;
            Ok((address, self.closing(key.to_vec())))
        })
    }

    #[inline]
    fn locality(&self, address: u64) -> Locality {
        self.regions.locality(address).unwrap_or_else(|| self.driver.owner_of(address).locality())
    }

    #[inline]
    unsafe fn copy(&self, transfers: &[Transfer]) -> Result<()> {
        if let [transfer] = transfers {
            // SAFETY: the caller vouches for both ends until this returns.
            return unsafe { self.driver.copy(transfer) };
        }
        self.driver.run(|| {
            // SAFETY: the caller vouches for the ends of every transfer until this returns.
            if unsafe { self.driver.copy_batch(transfers) } {
                return Ok(());
            }
            // SAFETY: the caller vouches for the ends of every transfer until this returns.
            unsafe { self.copy_on_own_stream(transfers) }
        })?
    }

    fn words(&self) -> &Mutex<()> {
        &self.words
    }

    fn lane(&self) -> Result<Box<dyn Lane>> {
        let queued = Arc::new(Queued::new(&self.driver));
        let mut lanes = lock(&self.lanes);
        lanes.retain(|lane| lane.strong_count() > 0);
        lanes.push(Arc::downgrade(&queued));
        Ok(Box::new(DeviceLane(queued)))
    }

    unsafe fn copy_on(&self, stream: RawStream, transfers: &[Transfer]) -> Result<()> {
        // SAFETY: the caller vouches for the ends until the stream has done it, and for the stream.
        let queue = |_| unsafe { streams::queue(&*self.driver, stream, transfers) };
        // SAFETY: the caller vouches that the stream is the runtime's, alive as long as it has work of ours.
        unsafe { self.on_stream(stream, queue) }
    }

    unsafe fn copy_quickly_on(&self, stream: RawStream, transfer: &Transfer) -> Result<()> {
        self.eventless.note(self.driver.callers_context()?);
        // SAFETY: the caller vouches for both ends until the stream has done it, and for the stream.
        let queued = unsafe { self.driver.queue_copy(stream, transfer) };
        queued.or_else(|error| {
            let Transfer { piece, from, to } = transfer;
            let [src, dst] = [piece.src.addr() as u64, piece.dst.addr() as u64];
            let is_in_doubt = [src, dst].map(|address| self.page_kinds.forget(address));
            let again = Transfer {
                piece: *piece,
                from: if is_in_doubt[0] { self.locality(src) } else { *from },
                to: if is_in_doubt[1] { self.locality(dst) } else { *to },
            };
            let ends = [again.from, again.to];
            if ends == [*from, *to] || !ends.contains(&Locality::Device) {
                return Err(error);
            }
            // SAFETY: the caller vouches for both ends until the stream has done it, and for the stream.
            unsafe { self.copy_on(stream, &[again]) }
        })
    }

    #[inline]
    fn end_at(&self, address: u64) -> StreamEnd {
        if self.page_kinds.contains_page(address) {
            return StreamEnd::Device;
        }
        match self.driver.owner_of(address) {
            MemoryOwner::Device => {
                self.page_kinds.add(address);
                StreamEnd::Device
            }
            MemoryOwner::Pinned => StreamEnd::Pinned,
            MemoryOwner::Host => StreamEnd::Pageable,
        }
    }

    unsafe fn is_captured(&self, stream: RawStream) -> bool {
        // SAFETY: the caller keeps the stream alive.
        unsafe { self.driver.is_captured(stream) }
    }

    fn serves_this_thread(&self) -> bool {
        self.driver.callers_context().is_ok()
    }

    unsafe fn write_word_on(&self, stream: RawStream, address: u64, word: Word) -> Result<()> {
        word.written(address, |transfer| {
            // SAFETY: the caller keeps the stream alive.
            if unsafe { self.driver.is_captured(stream) } {
                let lasting = self.constants.with_static_source(&*self.driver, word.padded(), transfer)?;
                // SAFETY: the caller vouches for the word and the stream; the source is a constant of the
                // device, which stays.
                return unsafe { self.copy_quickly_on(stream, &lasting) };
            }
            // SAFETY: the caller vouches for the word and the stream; the source is copied during the call.
            let queue = |_| unsafe { self.driver.queue_word(stream, transfer) };
            // SAFETY: the caller vouches that the stream is the runtime's, alive as long as it has work of
            // ours.
            unsafe { self.on_stream(stream, queue) }
        })
    }

    unsafe fn run_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        // SAFETY: the caller keeps the stream alive.
        unsafe { self.refuse_captured(stream) }?;
        // SAFETY: the caller keeps the stream alive until it is behind the work.
        let queue = |_| unsafe { self.driver.queue_function(stream, work) };
        // SAFETY: the caller vouches that the stream is the runtime's, alive as long as it has work of ours.
        unsafe { self.on_stream(stream, queue) }
    }

    unsafe fn run_waiting_on(&self, stream: RawStream, work: Box<dyn FnOnce() + Send>) -> Result<()> {
        // SAFETY: the caller keeps the stream alive.
        unsafe { self.refuse_captured(stream) }?;
        let prepared = self.waiting.prepare()?;
        // SAFETY: the caller keeps the stream alive as long as it has work of ours.
        let queue = |_| unsafe { prepared.queue(stream, work) };
        // SAFETY: the caller vouches that the stream is the runtime's, alive as long as it has work of ours.
        unsafe { self.on_stream(stream, queue) }
    }

    fn quiesce(&self) -> Result<()> {
        let lanes: Vec<Arc<Queued>> = lock(&self.lanes).iter().filter_map(Weak::upgrade).collect();
        let mut idle = Ok(());
        for lane in lanes {
            idle = idle.and(lane.wait_idle());
        }
        idle.and(self.wait_past_caller_streams()).and_then(|()| self.eventless.wait(timeout_for(0)))
    }

    fn register(&self, address: u64, bytes: u64) -> Result<bool> {
        self.regions.add(address, bytes, || {
            let locality = self.locality(address);
            let pinned = locality == Locality::Host && self.driver.pin(address, bytes);
            Ok((locality, pinned))
        })
    }

    fn unregister(&self, address: u64, bytes: u64) {
        if self.regions.remove(address, bytes).is_some_and(|gone| gone.ours) {
            self.driver.unpin(address);
        }
    }
}

impl Drop for DeviceMover {
    fn drop(&mut self) {
        for address in self.regions.take_own_ranges() {
            self.driver.unpin(address);
        }
    }
}
