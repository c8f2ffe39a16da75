// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls of active sets, for programs without teams.

use std::ffi::{c_int, c_long, c_void};

use mf_base::{Error, Result};
use mf_shmem::{ActiveSet, Operator};

use super::collective::bytes_of;
use super::operand::{Combined, reduction};
use super::world;

fn set(start: c_int, log_stride: c_int, count: c_int, sync: *mut c_long) -> ActiveSet {
    ActiveSet { start, log_stride, count, sync }
}

pub(crate) fn barrier(
    op: &'static str,
    start: c_int,
    log_stride: c_int,
    count: c_int,
    sync: *mut c_long,
) -> Result<()> {
    world::get(op)?.barrier_of(set(start, log_stride, count, sync))
}

pub(crate) fn sync(
    op: &'static str,
    start: c_int,
    log_stride: c_int,
    count: c_int,
    sync: *mut c_long,
) -> Result<()> {
    world::get(op)?.sync_of(set(start, log_stride, count, sync))
}

/// Of a size.
pub(crate) mod sized {
    use super::*;

    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    pub(crate) unsafe fn broadcast<T>(
        op: &'static str,
        dest: *mut c_void,
        source: *const c_void,
        nelems: usize,
        root: c_int,
        start: c_int,
        log_stride: c_int,
        count: c_int,
        sync: *mut c_long,
    ) -> Result<()> {
        let (bytes, set) = (bytes_of::<T>(nelems), set(start, log_stride, count, sync));
        // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
        unsafe { world::get(op)?.broadcast_of(set, dest.cast(), source.cast(), bytes, root) }
    }

    macro_rules! contiguous {
        ($($name:ident = $method:ident;)*) => { $(
            #[expect(clippy::too_many_arguments, reason = "those of the interface")]
            pub(crate) unsafe fn $name<T>(
                op: &'static str, dest: *mut c_void, source: *const c_void, nelems: usize, start: c_int,
                log_stride: c_int, count: c_int, sync: *mut c_long,
            ) -> Result<()> {
                let (bytes, set) = (bytes_of::<T>(nelems), set(start, log_stride, count, sync));
                // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
                unsafe { world::get(op)?.$method(set, dest.cast(), source.cast(), bytes) }
            }
        )* };
    }

    contiguous! { collect = collect_of; fcollect = fcollect_of; alltoall = alltoall_of; }

    #[expect(clippy::too_many_arguments, reason = "those of the interface")]
    pub(crate) unsafe fn alltoalls<T>(
        op: &'static str,
        dest: *mut c_void,
        source: *const c_void,
        dst: isize,
        sst: isize,
        nelems: usize,
        start: c_int,
        log_stride: c_int,
        count: c_int,
        sync: *mut c_long,
    ) -> Result<()> {
        let set = set(start, log_stride, count, sync);
        let (dest, source) = (dest.cast(), source.cast());
        // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
        unsafe { world::get(op)?.alltoalls_of(set, dest, source, (dst, sst), nelems, size_of::<T>()) }
    }
}

macro_rules! reductions {
    ($($name:ident = $operator:ident;)*) => { $(
        /// The working array is not needed.
        #[expect(clippy::too_many_arguments, reason = "those of the interface")]
        pub(crate) unsafe fn $name<T: Combined>(
            op: &'static str, dest: *mut T, source: *const T, nreduce: c_int, start: c_int, log_stride: c_int,
            count: c_int, _work: *mut T, sync: *mut c_long,
        ) -> Result<()> {
            let nelems = usize::try_from(nreduce).map_err(|_| {
                Error::invalid(op, "the number of elements is negative").with("nreduce", nreduce)
            })?;
            let (set, reduction) = (set(start, log_stride, count, sync), reduction::<T>(op, Operator::$operator)?);
            // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
            unsafe { world::get(op)?.reduce_of(set, dest.cast(), source.cast(), nelems, reduction) }
        }
    )* };
}

/// Reductions, by type.
pub(crate) mod typed {
    use super::*;

    reductions! {
        and_to_all = And; or_to_all = Or; xor_to_all = Xor;
        max_to_all = Max; min_to_all = Min; sum_to_all = Sum; prod_to_all = Prod;
    }
}
