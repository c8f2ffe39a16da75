// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put with signal: a word of 32 bits of the PE, independent of the pointer's type. The modules `fast_path`
//! serve PEs with mapped memory.

use std::ffi::{c_int, c_void};

use mf_base::{Error, Result};
use mf_shmem::{Signal, SignalKind, Width, World};

use super::address_table::current_table;
use super::instances;
use super::rma::length;

#[inline(always)]
fn parse_kind(sig_op: c_int) -> Option<SignalKind> {
    match sig_op {
        0 => Some(SignalKind::Set),
        1 => Some(SignalKind::Add),
        _ => None,
    }
}

/// The update of a signal.
///
/// # Errors
/// `InvalidParam` there is no such operator.
pub(super) fn changed(op: &'static str, sig_addr: *const u8, signal: i32, sig_op: c_int) -> Result<Signal> {
    let kind = parse_kind(sig_op).ok_or_else(|| {
        Error::invalid(op, "unknown signal operator")
            .with("sig_op", sig_op)
            .hint("ACLSHMEM_SIGNAL_SET is 0, ACLSHMEM_SIGNAL_ADD 1; nothing was done")
    })?;
    let value = u64::from(signal.cast_unsigned());
    Ok(Signal { address: sig_addr.addr() as u64, kind, value, width: Width::W32 })
}

/// Returns true for memory of the accelerator outside of the heap, which a PE may name as its own signal.
#[inline]
fn is_plain_device_memory(world: &World, address: *const u8) -> bool {
    world.takes_device_memory() && !world.is_symmetric(address) && world.is_device_memory(address)
}

/// # Errors
/// `InvalidParam` the signal is not aligned.
fn check_aligned(op: &'static str, signal: *const u8) -> Result<()> {
    if signal.cast::<u32>().is_aligned() {
        return Ok(());
    }
    Err(Error::invalid(op, "the signal is not aligned to 4 bytes")
        .with("address", format!("{:#x}", signal.addr()))
        .hint("nothing was done"))
}

/// Updates a word of this PE outside of the heap. Another writer of the word at the same time is not seen:
/// the word is read, changed and written.
///
/// # Errors
/// Errors of the device.
#[cold]
fn change_plain_word(world: &World, signal: &Signal, address: *const u8) -> Result<()> {
    let mut word = [0; size_of::<u32>()];
    if signal.kind == SignalKind::Add {
        // SAFETY: an aligned word of the accelerator's memory; the array is as long.
        unsafe { world.copy_local(address, word.as_mut_ptr(), word.len()) }?;
    }
    let value = u32::from_ne_bytes(word).wrapping_add(u32::try_from(signal.value).unwrap_or(0));
    let word = value.to_ne_bytes();
    // SAFETY: as above; the caller lets the call change the word.
    unsafe { world.copy_local(word.as_ptr(), address.cast_mut(), word.len()) }
}

/// Copies bytes, then updates the signal. `waits`: until both are done.
///
/// # Safety
/// The source is readable for the bytes, until the call returns, or else until the next barrier.
unsafe fn put(
    op: &'static str,
    (dst, src, bytes): (*mut u8, *const u8, usize),
    (sig_addr, signal, sig_op): (*const u8, i32, c_int),
    pe: c_int,
    waits: bool,
) -> Result<()> {
    let signal = changed(op, sig_addr, signal, sig_op)?;
    let instance = instances::get(op)?;
    let (world, other) = (instance.world_of(dst), instance.world_of(sig_addr));
    if pe == other.my_pe().cast_signed() && is_plain_device_memory(other, sig_addr) {
        check_aligned(op, sig_addr)?;
        // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
        unsafe { world.put_done(dst, src, bytes, pe) }?;
        return change_plain_word(other, &signal, sig_addr);
    }
    if !std::ptr::eq(world, other) && bytes > 0 {
        // The signal is in the other heap, which knows nothing of this one's order.
        // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
        unsafe { world.put_done(dst, src, bytes, pe) }?;
        other.signal(&signal, pe)?;
        return if waits { other.quiet() } else { Ok(()) };
    }
    let world = if bytes > 0 { world } else { other };
    if !waits {
        // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
        return unsafe { world.put_signal_nbi(dst, src, bytes, &signal, pe) };
    }
    // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
    unsafe { world.put_signal(dst, src, bytes, &signal, pe) }?;
    if world.is_all_mapped() { Ok(()) } else { world.quiet() }
}

/// Copies elements and updates the signal, where the memory of the PE is mapped here.
///
/// # Safety
/// The source is readable for the elements.
#[inline(always)]
unsafe fn put_mapped<T>(
    dst: *const u8,
    src: *const u8,
    nelems: usize,
    (sig_addr, signal, sig_op): (*const u32, i32, c_int),
    pe: c_int,
) -> Option<()> {
    let signal = (sig_addr, parse_kind(sig_op)?, signal.cast_unsigned().into());
    // SAFETY: the caller vouches for the local memory; the table checks the symmetric end; elements are
    // numbers.
    unsafe { current_table().put_signal::<T, u32>(dst, src, nelems, signal, pe) }
}

macro_rules! puts {
    ($pointer:ty, $signal:ty: $($name:ident waits $waits:literal;)*) => { $(
        pub(crate) unsafe fn $name<T>(
            op: &'static str, dst: $pointer, src: $pointer, nelems: usize, sig_addr: $signal, signal: i32,
            sig_op: c_int, pe: c_int,
        ) -> Result<()> {
            let data = (dst.cast(), src.cast::<u8>().cast_const(), length::<T>(op, nelems)?);
            // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
            unsafe { put(op, data, (sig_addr.cast::<u8>().cast_const(), signal, sig_op), pe, $waits) }
        }
    )*
        /// Fast paths.
        pub(crate) mod fast_path {
            use super::*;

            $(
                #[inline(always)]
                pub(crate) unsafe fn $name<T>(
                    dst: $pointer, src: $pointer, nelems: usize, sig_addr: $signal, signal: i32, sig_op: c_int,
                    pe: c_int,
                ) -> Option<()> {
                    let signal = (sig_addr.cast::<u32>().cast_const(), signal, sig_op);
                    // SAFETY: the caller vouches for the local memory; the table checks the symmetric end;
                    // elements are numbers.
                    unsafe { put_mapped::<T>(dst.cast(), src.cast(), nelems, signal, pe) }
                }
            )*
        }
    };
}

/// Of a type.
pub(crate) mod typed {
    use super::*;

    puts! { *mut T, *mut u8:
        aclshmem_put_signal waits true;
        aclshmem_put_signal_nbi waits false;
    }

    // By the names of the generations before.
    pub(crate) use {
        aclshmem_put_signal as aclshmem_put_mem_signal, aclshmem_put_signal as shmem_put_mem_signal,
        aclshmem_put_signal_nbi as aclshmem_put_mem_signal_nbi,
        aclshmem_put_signal_nbi as shmem_put_mem_signal_nbi,
    };
}

/// Of a size.
pub(crate) mod sized {
    use super::*;

    puts! { *mut c_void, *mut i32:
        aclshmem_put_signal waits true;
        aclshmem_put_signal_nbi waits false;
    }
}

/// Of bytes.
pub(crate) mod bytes {
    use super::*;

    macro_rules! bytes {
        ($($name:ident waits $waits:literal;)*) => { $(
            pub(crate) unsafe fn $name(
                op: &'static str, dst: *mut c_void, src: *mut c_void, bytes: usize, sig_addr: *mut c_void,
                signal: i32, sig_op: c_int, pe: c_int,
            ) -> Result<()> {
                let data = (dst.cast(), src.cast::<u8>().cast_const(), bytes);
                // SAFETY: the caller vouches for the local memory; the world checks the symmetric end.
                unsafe { put(op, data, (sig_addr.cast::<u8>().cast_const(), signal, sig_op), pe, $waits) }
            }
        )*
            pub(crate) mod fast_path {
                use super::*;

                $(
                    #[inline(always)]
                    pub(crate) unsafe fn $name(
                        dst: *mut c_void, src: *mut c_void, bytes: usize, sig_addr: *mut c_void, signal: i32,
                        sig_op: c_int, pe: c_int,
                    ) -> Option<()> {
                        let signal = (sig_addr.cast::<u32>().cast_const(), signal, sig_op);
                        // SAFETY: the caller vouches for the local memory; the table checks the symmetric
                        // end; elements are numbers.
                        unsafe { put_mapped::<u8>(dst.cast(), src.cast(), bytes, signal, pe) }
                    }
                )*
            }
        };
    }

    bytes! {
        aclshmemx_putmem_signal waits true;
        aclshmemx_putmem_signal_nbi waits false;
    }

    pub(crate) use {
        aclshmemx_putmem_signal as shmem_putmem_signal,
        aclshmemx_putmem_signal_nbi as shmem_putmem_signal_nbi,
    };
}
