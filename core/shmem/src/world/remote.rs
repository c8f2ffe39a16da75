// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access to the memory of PEs: contexts, and the operations of [`Access`] on the default one.

use std::sync::Arc;

use mf_base::Result;
use mf_device::Mover;
use mf_fabric::transfer::Signal;
use mf_transport::{Atomic, Width};

use super::World;
use crate::access::Access;
use crate::context::{self, Context, ContextOptions};
use crate::lock::Lock;
use crate::team::Team;

impl World {
    /// Makes a context of a team. **Local.**
    ///
    /// # Errors
    /// `NoResources` [`CONTEXTS_MAX`](crate::CONTEXTS_MAX) exist · `NotInit` after [`end`](Self::end), or in
    /// a forked child.
    pub fn create_context(&self, team: &Arc<Team>, options: ContextOptions) -> Result<Arc<Context>> {
        self.check(context::CREATE)?;
        self.contexts.create(self.space.pe().pool(), team, options)
    }

    /// Completes the operations started on a context, and destroys it. **One-sided.**
    ///
    /// # Errors
    /// Errors of [`quiet`](Access::quiet); it is destroyed then, too · `InvalidParam` it is the default
    /// context, or no context of this PE · `NotInit`.
    pub fn destroy_context(&self, number: u64) -> Result<()> {
        self.check(context::DESTROY)?;
        self.contexts.destroy(number)
    }

    /// Returns the context with a number, other than the default one. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` no such context · `NotInit`.
    pub fn context_of(&self, operation: &'static str, number: u64) -> Result<Arc<Context>> {
        self.check(operation)?;
        self.contexts.find(operation, number)
    }

    /// Returns the number in the world of a PE of a context's team; `None` if the context or PE does not
    /// exist, or only [`context_of`](Self::context_of) can decide. **Local.**
    #[inline(always)]
    pub fn world_pe_on(&self, number: u64, pe: i32) -> Option<i32> {
        self.contexts.rows().world_pe(number, pe)
    }

    /// Returns true if a context with this number exists. **Local.**
    #[inline(always)]
    pub fn has_context(&self, number: u64) -> bool {
        self.contexts.rows().has(number)
    }

    /// Access to PEs on the default context. **Local.**
    #[inline]
    pub fn access(&self) -> Access<'_> {
        Access::on_default(&self.space, &self.waits, self.contexts.default())
    }

    /// Access to PEs on a context of this world. **Local.**
    pub fn access_on<'a>(&'a self, context: &'a Context) -> Access<'a> {
        Access::on(&self.space, &self.waits, context)
    }

    /// Returns true if the memory of all PEs is mapped here, so that nothing waits for a network. **Local.**
    #[inline]
    pub fn is_all_mapped(&self) -> bool {
        self.contexts.default().is_all_mapped()
    }

    /// [`Access::fence`] on the default context.
    #[inline]
    pub fn fence(&self) {
        self.access().fence();
    }

    /// [`Access::quiet`] on the default context.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn quiet(&self) -> Result<()> {
        self.access().quiet()
    }

    /// [`Access::atomic`] on the default context.
    ///
    /// # Errors
    /// As there.
    pub fn atomic(&self, dest: *const u8, atomic: Atomic, pe: i32) -> Result<u64> {
        self.access().atomic(dest, atomic, pe)
    }

    /// [`Access::atomic_update`] on the default context.
    ///
    /// # Errors
    /// As there.
    pub fn atomic_update(&self, dest: *const u8, atomic: Atomic, pe: i32) -> Result<()> {
        self.access().atomic_update(dest, atomic, pe)
    }

    /// [`Access::atomic_nbi`] on the default context.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// As there.
    pub unsafe fn atomic_nbi(&self, fetch: *mut u8, dest: *const u8, atomic: Atomic, pe: i32) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.access().atomic_nbi(fetch, dest, atomic, pe) }
    }

    /// [`Access::put_signal`] on the default context.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// As there.
    pub unsafe fn put_signal(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        signal: &Signal,
        pe: i32,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.access().put_signal(dest, source, bytes, signal, pe) }
    }

    /// [`Access::put_signal_nbi`] on the default context.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// As there.
    pub unsafe fn put_signal_nbi(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        signal: &Signal,
        pe: i32,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.access().put_signal_nbi(dest, source, bytes, signal, pe) }
    }

    /// [`Access::signal`] on the default context.
    ///
    /// # Errors
    /// As there.
    pub fn signal(&self, signal: &Signal, pe: i32) -> Result<()> {
        self.access().signal(signal, pe)
    }

    /// Reads a signal of this PE, zero-extended; data put before it is visible. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` it is not symmetric, or not aligned · `NotInit`.
    pub fn signal_fetch(&self, own: *const u8, width: Width) -> Result<u64> {
        self.access().signal_fetch(own, width)
    }

    /// Acquires the lock at the own symmetric address; waits for earlier PEs, as long as they live.
    /// **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` this PE has the lock, or the address cannot be a lock · `RepeatInvoke` another thread
    /// of this PE waits for it · `NotConnected` names an earlier PE that is gone: the lock is lost ·
    /// `NotInit`.
    pub fn set_lock(&self, lock: *mut i64) -> Result<()> {
        Lock::set(self.access(), lock)
    }

    /// Acquires the lock if no PE has it. Returns whether it did. **One-sided.**
    ///
    /// # Errors
    /// As [`set_lock`](Self::set_lock).
    pub fn test_lock(&self, lock: *mut i64) -> Result<bool> {
        Lock::test(self.access(), lock)
    }

    /// Completes this PE's puts, and releases the lock to the next PE. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` this PE does not hold the lock; nothing has changed · errors of
    /// [`quiet`](Self::quiet); the lock is released then · `NotConnected` the next PE is gone.
    pub fn clear_lock(&self, lock: *mut i64) -> Result<()> {
        Lock::clear(self.access(), lock)
    }

    /// Copies between memory of this process, of host or accelerator; done on return. **Local.** 0 bytes:
    /// nothing.
    ///
    /// # Errors
    /// Errors of the accelerator.
    ///
    /// # Safety
    /// The source is readable, and the destination writable, for so many bytes.
    #[inline]
    pub unsafe fn copy_local(&self, from: *const u8, to: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.space.copy_local(from, to, bytes) }
    }

    /// Returns true if an accelerator's memory lies at an address. **Local.**
    pub fn is_device_memory(&self, address: *const u8) -> bool {
        self.space.is_device_memory(address)
    }

    /// Returns true if null names a stream of the accelerator's runtime in the calling thread. **Local.**
    pub fn has_stream_of_this_thread(&self) -> bool {
        self.space.mover().is_some_and(Mover::serves_this_thread)
    }
}

/// Copies on the default context.
macro_rules! copies {
    ($($name:ident)*) => { impl World { $(
        #[doc = concat!("[`Access::", stringify!($name), "`] on the default context.")]
        ///
        /// # Errors
        /// As there.
        ///
        /// # Safety
        /// As there.
        #[inline]
        pub unsafe fn $name(&self, dest: *mut u8, source: *const u8, bytes: usize, pe: i32) -> Result<()> {
            // SAFETY: passed on to the caller.
            unsafe { self.access().$name(dest, source, bytes, pe) }
        }
    )* } };
}

copies! { put put_nbi put_done get get_nbi }

/// Strided copies on the default context.
macro_rules! strided_copies {
    ($($name:ident[$($block:ident)?])*) => { impl World { $(
        #[doc = concat!("[`Access::", stringify!($name), "`] on the default context.")]
        ///
        /// # Errors
        /// As there.
        ///
        /// # Safety
        /// As there.
        #[expect(clippy::too_many_arguments, reason = "those of the interface")]
        pub unsafe fn $name(
            &self,
            dest: *mut u8,
            source: *const u8,
            dest_stride: isize,
            source_stride: isize,
            $($block: usize,)?
            count: usize,
            element_bytes: usize,
            pe: i32,
        ) -> Result<()> {
            let access = self.access();
            // SAFETY: passed on to the caller.
            unsafe {
                access.$name(dest, source, dest_stride, source_stride, $($block,)? count, element_bytes, pe)
            }
        }
    )* } };
}

strided_copies! { iput[] iget[] ibput[block] ibget[block] }
