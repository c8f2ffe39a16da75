// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Big memory: a job, and its pools (`smem_bm.h`).

use std::ffi::{CStr, c_void};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::Duration;

use mf_abi::smem::{
    ASYNC_COPY_FLAG, BatchCopyParams, BmConfig, BmCreateOption, BmHandle, CopyParams, MFX_ATOMIC_ADD,
    MFX_SIGNAL_ADD, SMEM_MEM_TYPE_DEVICE, SMEM_MEM_TYPE_HOST, SMEMB_COPY_G2G, SMEMB_COPY_G2H, SMEMB_COPY_H2G,
    SMEMB_DATA_OP_DEVICE_UBOE,
};
use mf_base::{Error, MemKind, Result};

use crate::call::{call, pointer, value};
use crate::library::{Library, c_text, library};
use crate::store::Store;

/// All engines together leave the choice to the library.
const ANY_ENGINE: u32 = 2 * SMEMB_DATA_OP_DEVICE_UBOE - 1;

/// The membership of this process in a job. Dropping it leaves the job.
pub struct Job {
    library: &'static Library,
}

impl Job {
    /// Joins the job at a store, after `change` to the default configuration.
    ///
    /// # Errors
    /// Errors of `smem_bm_init`.
    pub fn join(url: &str, world: u32, device: u16, change: impl FnOnce(&mut BmConfig)) -> Result<Self> {
        let library = library()?;
        let mut config = MaybeUninit::<BmConfig>::uninit();
        call!(library, smem_bm_config_init(config.as_mut_ptr()))?;
        // SAFETY: filled by the call before, which did not fail.
        let mut config = unsafe { config.assume_init() };
        change(&mut config);
        let url = c_text(url)?;
        call!(library, smem_init(0))?;
        call!(library, smem_bm_init(url.as_ptr(), world, device, &raw const config))?;
        Ok(Self { library })
    }

    /// Joins as `rank`, or as the next free one.
    ///
    /// # Errors
    /// Errors of `smem_bm_init`.
    pub fn join_as(url: &str, world: u32, rank: Option<u32>) -> Result<Self> {
        Self::join(url, world, 0, |config| take_rank(config, rank))
    }

    /// The rank of this process.
    pub fn rank(&self) -> u32 {
        value!(self.library, smem_bm_get_rank_id())
    }

    /// The store of the job.
    pub fn store(&self) -> Store {
        Store::of_big_memory(self.library)
    }

    /// Waits until `members` processes have called with this name. Collective.
    ///
    /// # Errors
    /// Errors of `mfx_bm_barrier`.
    pub fn barrier(&self, name: &CStr, members: u32, timeout: Duration) -> Result<()> {
        let seconds = u32::try_from(timeout.as_secs()).unwrap_or(u32::MAX);
        call!(self.library, mfx_bm_barrier(name.as_ptr(), members, seconds))
    }

    /// Creates a pool that this process contributes `host` and `device` bytes to.
    ///
    /// # Errors
    /// Errors of `smem_bm_create`.
    pub fn create(&self, id: u32, host: u64, device: u64) -> Result<Pool> {
        self.create_over(id, host, device, ANY_ENGINE)
    }

    /// The same with the engines of `SMEMB_DATA_OP_*`.
    ///
    /// # Errors
    /// Errors of `smem_bm_create`.
    pub fn create_over(&self, id: u32, host: u64, device: u64, engines: u32) -> Result<Pool> {
        let library = self.library;
        let handle = pointer!(library, smem_bm_create(id, 0, engines, host, device, 0))?;
        Ok(Pool { library, handle })
    }

    /// Creates a pool with room for `window` bytes of host memory per member in its address space.
    ///
    /// # Errors
    /// Errors of `smem_bm_create2`.
    pub fn create_with_room(&self, id: u32, host: u64, window: u64) -> Result<Pool> {
        let library = self.library;
        let option = BmCreateOption {
            max_dram_size: window,
            max_hbm_size: 0,
            local_dram_size: host,
            local_hbm_size: 0,
            data_op_type: ANY_ENGINE,
            enable_56_bits_gva: 0,
            flags: 0,
            tag: [0; 32],
            tag_op_info: [0; 256],
            dram_shm_fd: -1,
        };
        let handle = pointer!(library, smem_bm_create2(id, &raw const option))?;
        Ok(Pool { library, handle })
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        value!(self.library, smem_bm_uninit(0));
        value!(self.library, smem_uninit());
    }
}

/// Asks for a rank, or for the next free one.
pub fn take_rank(config: &mut BmConfig, rank: Option<u32>) {
    config.auto_ranking = u8::from(rank.is_none());
    if let Some(rank) = rank {
        config.rank_id = rank;
    }
}

/// Fills an array of C with a text; None if it does not fit.
pub(crate) fn fill(place: &mut [std::ffi::c_char], text: &str) -> Option<()> {
    let bytes = text.as_bytes();
    if bytes.len() >= place.len() {
        return None;
    }
    place.fill(0);
    place.iter_mut().zip(bytes).for_each(|(to, byte)| *to = std::ffi::c_char::from_ne_bytes([*byte]));
    Some(())
}

/// Sets the addresses for connections of this process.
///
/// # Errors
/// `InvalidParam` the text is too long.
pub fn set_nic(config: &mut BmConfig, nic: &str) -> Result<()> {
    fill(&mut config.hcom_url, nic)
        .ok_or_else(|| Error::invalid("C library", "the addresses for connections are too long"))
}

/// A pool. Dropping it destroys this process's side.
pub struct Pool {
    library: &'static Library,
    handle: BmHandle,
}

// SAFETY: a handle is a number for the library, which any thread may call.
unsafe impl Send for Pool {}
// SAFETY: as above.
unsafe impl Sync for Pool {}

fn mem_type(kind: MemKind) -> u32 {
    match kind {
        MemKind::Host => SMEM_MEM_TYPE_HOST,
        MemKind::Device => SMEM_MEM_TYPE_DEVICE,
    }
}

impl Pool {
    /// Joins: from here on all members reach each other's memory. Collective.
    ///
    /// # Errors
    /// Errors of `smem_bm_join`.
    pub fn join(&self) -> Result<()> {
        call!(self.library, smem_bm_join(self.handle, 0))
    }

    /// Leaves, and keeps the pool.
    ///
    /// # Errors
    /// Errors of `smem_bm_leave`.
    pub fn leave(&self) -> Result<()> {
        call!(self.library, smem_bm_leave(self.handle, 0))
    }

    /// The address of a rank's contribution.
    ///
    /// # Errors
    /// Errors of `smem_bm_ptr_by_mem_type`.
    pub fn address(&self, kind: MemKind, rank: u32) -> Result<*mut u8> {
        let rank = u16::try_from(rank).map_err(|_| Error::invalid("C library", "the rank is too large"))?;
        let found = pointer!(self.library, smem_bm_ptr_by_mem_type(self.handle, mem_type(kind), rank));
        found.map(|address: *mut c_void| address.cast())
    }

    /// The bytes of the own contribution.
    pub fn local_bytes(&self, kind: MemKind) -> u64 {
        value!(self.library, smem_bm_get_local_mem_size_by_mem_type(self.handle, mem_type(kind)))
    }

    /// Copies to an address of the pool. One-sided.
    ///
    /// # Errors
    /// Errors of `smem_bm_copy`.
    #[inline]
    pub fn put(&self, source: &[u8], to: *mut u8) -> Result<()> {
        // SAFETY: a slice, and the pool checks the other end.
        unsafe { self.copy_raw(source.as_ptr(), to, source.len(), SMEMB_COPY_H2G, 0) }
    }

    /// Copies from an address of the pool. One-sided.
    ///
    /// # Errors
    /// Errors of `smem_bm_copy`.
    #[inline]
    pub fn get(&self, from: *const u8, to: &mut [u8]) -> Result<()> {
        // SAFETY: a slice, and the pool checks the other end.
        unsafe { self.copy_raw(from, to.as_mut_ptr(), to.len(), SMEMB_COPY_G2H, 0) }
    }

    /// Copies between two addresses of the pool. One-sided.
    ///
    /// # Errors
    /// Errors of `smem_bm_copy`.
    #[inline]
    pub fn copy(&self, from: *const u8, to: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the pool checks both ends.
        unsafe { self.copy_raw(from, to, bytes, SMEMB_COPY_G2G, 0) }
    }

    /// Starts a copy of a type (`SMEMB_COPY_*`), which [`wait`](Self::wait) waits for.
    ///
    /// # Errors
    /// Errors of `smem_bm_copy`.
    ///
    /// # Safety
    /// As for [`copy_raw`](Self::copy_raw), until the wait has returned.
    #[inline]
    pub unsafe fn start(&self, from: *const u8, to: *mut u8, bytes: usize, copy_type: u32) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.copy_raw(from, to, bytes, copy_type, ASYNC_COPY_FLAG) }
    }

    /// Copies as a type (`SMEMB_COPY_*`) with flags.
    ///
    /// # Errors
    /// Errors of `smem_bm_copy`.
    ///
    /// # Safety
    /// A local end has so many bytes, readable or writable, until the copy is done.
    #[inline]
    pub unsafe fn copy_raw(
        &self,
        from: *const u8,
        to: *mut u8,
        bytes: usize,
        copy_type: u32,
        flags: u32,
    ) -> Result<()> {
        let stream = std::ptr::null_mut();
        let mut params = CopyParams { src: from.cast(), dest: to.cast(), data_size: bytes, stream };
        call!(self.library, smem_bm_copy(self.handle, black_box(&raw mut params), copy_type, flags))
    }

    /// Copies all pieces as a type (`SMEMB_COPY_*`).
    ///
    /// # Errors
    /// Errors of `smem_bm_copy_batch`.
    ///
    /// # Safety
    /// As for [`copy_raw`](Self::copy_raw), for each piece.
    pub unsafe fn copy_batch(&self, pieces: &Pieces, copy_type: u32) -> Result<()> {
        let mut params = BatchCopyParams {
            sources: pieces.sources.as_ptr().cast_mut(),
            destinations: pieces.destinations.as_ptr().cast_mut(),
            data_sizes: pieces.bytes.as_ptr(),
            batch_size: u32::try_from(pieces.bytes.len()).unwrap_or(u32::MAX),
            stream: std::ptr::null_mut(),
        };
        call!(self.library, smem_bm_copy_batch(self.handle, black_box(&raw mut params), copy_type, 0))
    }

    /// Waits for all started copies.
    ///
    /// # Errors
    /// The first error of one of them.
    pub fn wait(&self) -> Result<()> {
        call!(self.library, smem_bm_wait(self.handle))
    }

    /// Adds to a word of 8 bytes of the pool, and returns its value before.
    ///
    /// # Errors
    /// Errors of `mfx_bm_atomic`.
    pub fn fetch_add(&self, word: *mut u8, value: u64) -> Result<u64> {
        let mut old = 0;
        let kind = MFX_ATOMIC_ADD;
        call!(self.library, mfx_bm_atomic(self.handle, word.cast(), 8, kind, value, 0, &raw mut old))?;
        Ok(old)
    }

    /// Copies to an address of the pool, and then adds to a word of 8 bytes beside it.
    ///
    /// # Errors
    /// Errors of `mfx_bm_put_signal`.
    pub fn put_signal(&self, source: &[u8], to: *mut u8, word: *mut u8, value: u64) -> Result<()> {
        let (from, bytes) = (source.as_ptr().cast::<c_void>(), source.len() as u64);
        let (to, word) = (to.cast::<c_void>(), word.cast::<c_void>());
        let kind = MFX_SIGNAL_ADD;
        call!(self.library, mfx_bm_put_signal(self.handle, to, from, bytes, word, 8, kind, value))
    }

    /// Registers memory of this process with the pool.
    ///
    /// # Errors
    /// Errors of `smem_bm_register_user_mem`.
    ///
    /// # Safety
    /// The memory stays until the pool is destroyed.
    pub unsafe fn register(&self, start: *mut u8, bytes: u64) -> Result<()> {
        call!(self.library, smem_bm_register_user_mem(self.handle, start.expose_provenance() as u64, bytes))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        value!(self.library, smem_bm_destroy(self.handle));
    }
}

/// Pieces of a batch.
#[derive(Debug, Default)]
pub struct Pieces {
    sources: Vec<*mut c_void>,
    destinations: Vec<*mut c_void>,
    bytes: Vec<u64>,
}

impl Pieces {
    /// Appends a piece.
    pub fn push(&mut self, from: *const u8, to: *mut u8, bytes: u64) {
        self.sources.push(from.cast_mut().cast());
        self.destinations.push(to.cast());
        self.bytes.push(bytes);
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True without pieces.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Source, destination and length of each.
    pub fn iter(&self) -> impl Iterator<Item = (*const u8, *mut u8, u64)> + '_ {
        let ends = self.sources.iter().zip(&self.destinations);
        ends.zip(&self.bytes).map(|((from, to), bytes)| (from.cast_const().cast(), to.cast(), *bytes))
    }
}
