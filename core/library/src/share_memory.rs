// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Share memory: a job, and its objects (`smem_shm.h`).

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::time::Duration;

use mf_abi::smem::{SMEMS_DATA_OP_MTE, ShmConfig, ShmHandle};
use mf_base::Result;

use crate::call::{call, pointer, value};
use crate::library::{Library, c_text, library};
use crate::store::millis;

/// The membership of this process in a job. Dropping it leaves the job.
pub struct Job {
    library: &'static Library,
}

impl Job {
    /// Joins the job at a store as `rank`.
    ///
    /// `timeout`: the longest wait of ranks for each other; seconds count.
    ///
    /// # Errors
    /// Errors of `smem_shm_init`.
    pub fn join(url: &str, world: u32, rank: u32, device: u16, timeout: Duration) -> Result<Self> {
        let library = library()?;
        let mut config = MaybeUninit::<ShmConfig>::uninit();
        call!(library, smem_shm_config_init(config.as_mut_ptr()))?;
        // SAFETY: filled by the call before, which did not fail.
        let mut config = unsafe { config.assume_init() };
        config.control_operation_timeout = u32::try_from(timeout.as_secs()).unwrap_or(u32::MAX);
        let url = c_text(url)?;
        call!(library, smem_init(0))?;
        call!(library, smem_shm_init(url.as_ptr(), world, rank, device, &raw mut config))?;
        Ok(Self { library })
    }

    /// Creates object `id` of all ranks, with parts of so many bytes. Collective.
    ///
    /// # Errors
    /// Errors of `smem_shm_create`.
    pub fn create(&self, id: u32, bytes: u64) -> Result<Share> {
        let library = self.library;
        let mut base = std::ptr::null_mut();
        let (world, rank) = (value!(library, mfx_shm_world_size()), value!(library, mfx_shm_rank()));
        let (operations, place) = (SMEMS_DATA_OP_MTE, &raw mut base);
        let handle = pointer!(library, smem_shm_create(id, world, rank, bytes, operations, 0, place))?;
        Ok(Share { library, handle, id, world, rank, base: base.cast() })
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        value!(self.library, smem_shm_uninit(0));
        value!(self.library, smem_uninit());
    }
}

/// An object. Dropping it gives up this rank's side.
pub struct Share {
    library: &'static Library,
    handle: ShmHandle,
    id: u32,
    world: u32,
    rank: u32,
    base: *mut u8,
}

impl Share {
    /// Its number.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Its ranks.
    pub fn world(&self) -> u32 {
        self.world
    }

    /// The address of the part of this rank.
    pub fn own(&self) -> *mut u8 {
        let stride = value!(self.library, smem_shm_get_symmetric_size(self.handle));
        let offset = u64::from(self.rank) * stride;
        self.base.wrapping_add(usize::try_from(offset).unwrap_or(0))
    }

    pub(crate) fn handle(&self) -> ShmHandle {
        self.handle
    }

    /// Waits until all ranks have called. Collective.
    ///
    /// # Errors
    /// Errors of `mfx_shm_barrier`.
    pub fn barrier(&self, timeout: Duration) -> Result<()> {
        call!(self.library, mfx_shm_barrier(self.handle, millis(timeout)))
    }

    /// Gives every rank the bytes of all, ordered by rank. Collective.
    ///
    /// # Errors
    /// Errors of `mfx_shm_allgather`.
    pub fn allgather(&self, own: &[u8], all: &mut [u8], timeout: Duration) -> Result<()> {
        let (send, sent) = (own.as_ptr().cast::<c_void>(), own.len() as u64);
        let (receive, room) = (all.as_mut_ptr().cast::<c_void>(), all.len() as u64);
        call!(self.library, mfx_shm_allgather(self.handle, send, sent, receive, room, millis(timeout)))
    }

    /// Copies to an address of the object. One-sided.
    ///
    /// # Errors
    /// Errors of `mfx_shm_copy`.
    pub fn put(&self, source: &[u8], to: *mut u8) -> Result<()> {
        let (from, bytes) = (source.as_ptr().cast::<c_void>(), source.len() as u64);
        call!(self.library, mfx_shm_copy(self.handle, to.cast::<c_void>(), from, bytes))
    }

    /// Copies from an address of the object. One-sided.
    ///
    /// # Errors
    /// Errors of `mfx_shm_copy`.
    pub fn get(&self, from: *const u8, to: &mut [u8]) -> Result<()> {
        let (place, bytes) = (to.as_mut_ptr().cast::<c_void>(), to.len() as u64);
        call!(self.library, mfx_shm_copy(self.handle, place, from.cast::<c_void>(), bytes))
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        value!(self.library, smem_shm_destroy(self.handle, 0));
    }
}
