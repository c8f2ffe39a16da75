// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put with signal, and signals alone. The modules `fast_path` serve PEs with mapped memory.

use std::ffi::{c_int, c_void};

use mf_base::{Error, Result};
use mf_shmem::{Signal, SignalKind, Width};

use super::rma::length;
use super::types::Ctx;
use super::world::{self, MAPPED};

/// SHMEM_SIGNAL_SET.
const SET: c_int = 0;
/// SHMEM_SIGNAL_ADD.
const ADD: c_int = 1;

#[inline(always)]
fn parse_kind(sig_op: c_int) -> Option<SignalKind> {
    match sig_op {
        SET => Some(SignalKind::Set),
        ADD => Some(SignalKind::Add),
        _ => None,
    }
}

/// The update of a signal of 64 bits.
///
/// # Errors
/// `InvalidParam` there is no such operator.
fn changed(op: &'static str, sig_addr: *const u64, value: u64, sig_op: c_int) -> Result<Signal> {
    let kind = parse_kind(sig_op).ok_or_else(|| {
        Error::invalid(op, "unknown signal operator")
            .with("sig_op", sig_op)
            .hint("SHMEM_SIGNAL_SET and SHMEM_SIGNAL_ADD are the operators; nothing was done")
    })?;
    Ok(Signal { address: sig_addr.addr() as u64, kind, value, width: Width::W64 })
}

/// Copies elements and updates the signal, where the memory of the PE is mapped here.
///
/// # Safety
/// The source is readable for the elements.
#[inline(always)]
unsafe fn put_elements<T>(
    dest: *const u8,
    source: *const u8,
    nelems: usize,
    (sig_addr, value, sig_op): (*const u64, u64, c_int),
    pe: c_int,
) -> Option<()> {
    let kind = parse_kind(sig_op)?;
    // SAFETY: the caller vouches for the local memory; the table checks the symmetric end; elements are
    // numbers.
    unsafe { MAPPED.put_signal::<T, u64>(dest, source, nelems, (sig_addr, kind, value), pe) }
}

/// Bodies and fast paths: `name on context = method of the world`.
macro_rules! put_signals {
    ($generics:tt $element:ty, $mutable:ty, $constant:ty: $($name:ident $on_context:ident = $method:ident;)*) => {
        $(put_signals! { @body $generics $element, $mutable, $constant: $name $on_context = $method })*

        pub(crate) mod fast_path {
            use super::*;

            $(put_signals! { @direct $generics $element, $mutable, $constant: $name $on_context })*
        }
    };
    (@body [$($generic:ident)?] $element:ty, $mutable:ty, $constant:ty:
        $name:ident $on_context:ident = $method:ident) => {
        #[expect(clippy::too_many_arguments, reason = "those of the interface")]
        pub(crate) unsafe fn $name$(<$generic>)?(
            op: &'static str, dest: $mutable, source: $constant, nelems: usize, sig_addr: *mut u64, signal: u64,
            sig_op: c_int, pe: c_int,
        ) -> Result<()> {
            let (bytes, signal) = (length::<$element>(op, nelems)?, changed(op, sig_addr, signal, sig_op)?);
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            unsafe { world::get(op)?.$method(dest.cast(), source.cast(), bytes, &signal, pe) }
        }

        #[expect(clippy::too_many_arguments, reason = "those of the interface")]
        pub(crate) unsafe fn $on_context$(<$generic>)?(
            op: &'static str, ctx: Ctx, dest: $mutable, source: $constant, nelems: usize, sig_addr: *mut u64,
            signal: u64, sig_op: c_int, pe: c_int,
        ) -> Result<()> {
            let (bytes, signal) = (length::<$element>(op, nelems)?, changed(op, sig_addr, signal, sig_op)?);
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            ctx.with(op, |access| unsafe { access.$method(dest.cast(), source.cast(), bytes, &signal, pe) })
        }
    };
    (@direct [$($generic:ident)?] $element:ty, $mutable:ty, $constant:ty: $name:ident $on_context:ident) => {
        #[inline(always)]
        pub(crate) unsafe fn $name$(<$generic>)?(
            dest: $mutable, source: $constant, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int,
            pe: c_int,
        ) -> Option<()> {
            let signal = (sig_addr.cast_const(), signal, sig_op);
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            unsafe { put_elements::<$element>(dest.cast(), source.cast(), nelems, signal, pe) }
        }

        #[inline(always)]
        #[expect(clippy::too_many_arguments, reason = "those of the interface")]
        pub(crate) unsafe fn $on_context$(<$generic>)?(
            ctx: Ctx, dest: $mutable, source: $constant, nelems: usize, sig_addr: *mut u64, signal: u64,
            sig_op: c_int, pe: c_int,
        ) -> Option<()> {
            let pe = ctx.world_pe(pe)?;
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            unsafe { $name$(::<$generic>)?(dest, source, nelems, sig_addr, signal, sig_op, pe) }
        }
    };
}

/// Of a type.
pub(crate) mod typed {
    use super::*;

    put_signals! { [T] T, *mut T, *const T:
        put_signal ctx_put_signal = put_signal;
        put_signal_nbi ctx_put_signal_nbi = put_signal_nbi;
    }
}

/// Of a size.
pub(crate) mod sized {
    use super::*;

    put_signals! { [T] T, *mut c_void, *const c_void:
        put_signal ctx_put_signal = put_signal;
        put_signal_nbi ctx_put_signal_nbi = put_signal_nbi;
    }
}

/// Of bytes, and signals alone.
pub(crate) mod untyped {
    use super::*;

    put_signals! { [] u8, *mut c_void, *const c_void:
        putmem_signal ctx_putmem_signal = put_signal;
        putmem_signal_nbi ctx_putmem_signal_nbi = put_signal_nbi;
    }

    pub(crate) fn signal_set(op: &'static str, sig_addr: *mut u64, signal: u64, pe: c_int) -> Result<()> {
        world::get(op)?.signal(&changed(op, sig_addr, signal, SET)?, pe)
    }

    pub(crate) fn signal_add(op: &'static str, sig_addr: *mut u64, signal: u64, pe: c_int) -> Result<()> {
        world::get(op)?.signal(&changed(op, sig_addr, signal, ADD)?, pe)
    }

    pub(crate) fn ctx_signal_set(
        op: &'static str,
        ctx: Ctx,
        sig_addr: *mut u64,
        signal: u64,
        pe: c_int,
    ) -> Result<()> {
        let signal = changed(op, sig_addr, signal, SET)?;
        ctx.with(op, |access| access.signal(&signal, pe))
    }

    pub(crate) fn ctx_signal_add(
        op: &'static str,
        ctx: Ctx,
        sig_addr: *mut u64,
        signal: u64,
        pe: c_int,
    ) -> Result<()> {
        let signal = changed(op, sig_addr, signal, ADD)?;
        ctx.with(op, |access| access.signal(&signal, pe))
    }
}
