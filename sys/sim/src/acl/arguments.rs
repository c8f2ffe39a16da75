// SPDX-License-Identifier: Apache-2.0 OR MIT
//! First layer of checks, on arguments alone (error 100000), and the last step, which writes results.

use std::ffi::c_void;
use std::time::Duration;

use crate::codes::acl;
use crate::context::Context;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::machine::machine;
use crate::memory::process;

/// Refuses a null pointer.
///
/// # Errors
/// 100000.
pub(crate) fn not_null<T>(pointer: *const T, name: &str) -> Outcome {
    ensure(!pointer.is_null(), acl::INVALID_PARAM, || format!("{name} is null"))
}

/// Refuses zero.
///
/// # Errors
/// 100000.
pub(crate) fn not_zero(number: usize, name: &str) -> Outcome {
    ensure(number != 0, acl::INVALID_PARAM, || format!("{name} is 0"))
}

/// Refuses bits outside `known`.
///
/// # Errors
/// 100000.
pub(crate) fn known_bits(bits: u64, known: u64, name: &str) -> Outcome {
    let unknown = bits & !known;
    ensure(unknown == 0, acl::INVALID_PARAM, || format!("{name}={bits:#x} has unknown bits {unknown:#x}"))
}

/// Rejects a number that is not a value of the enum.
///
/// # Errors
/// 100000.
pub(crate) fn one_of(value: u32, known: &[u32], name: &str) -> Outcome {
    ensure(known.contains(&value), acl::INVALID_PARAM, || {
        format!("invalid {name}={value}: must be one of {known:?}")
    })
}

/// The longest wait that a number of milliseconds means: −1 for ever.
///
/// # Errors
/// 107000 below −1.
pub(crate) fn sync_timeout(milliseconds: i32) -> Outcome<Option<Duration>> {
    match u64::try_from(milliseconds) {
        Ok(milliseconds) => Ok(Some(poll_or_wait(milliseconds))),
        Err(_) if milliseconds == -1 => Ok(None),
        Err(_) => Err(Fault::new(
            acl::RT_PARAM_INVALID,
            format_args!("a timeout of {milliseconds} ms: −1 waits for ever, more than 0 so long"),
        )),
    }
}

/// Assumed: a timeout of 0 checks once and does not wait.
fn poll_or_wait(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Writes a result.
///
/// # Safety
/// `out` was checked for null and, as the caller of the exported function promises, may be written.
pub(crate) unsafe fn give<T>(out: *mut T, value: T) -> Outcome {
    // SAFETY: `out` was checked for null and may be written, by contract; programs' structures need not be
    // aligned.
    unsafe { out.write_unaligned(value) };
    Ok(())
}

/// Writes a result where the caller wants it; nothing is asked for when that is null.
///
/// # Errors
/// 100000 for null · errors of `value`.
///
/// # Safety
/// As the caller of the exported function promises, `out` is null or may be written.
pub(crate) unsafe fn answer<T>(out: *mut T, name: &str, value: impl FnOnce() -> Outcome<T>) -> Outcome {
    not_null(out, name)?;
    // SAFETY: checked above.
    unsafe { give(out, value()?) }
}

/// Writes a handle.
///
/// # Safety
/// As [`give`].
pub(crate) unsafe fn give_handle(out: *mut *mut c_void, handle: usize) -> Outcome {
    // SAFETY: the caller passes a place for a handle, checked for null.
    unsafe { give(out, std::ptr::without_provenance_mut(handle)) }
}

/// Writes the handle of something that was made for `context`; takes it back when the context was destroyed
/// meanwhile.
///
/// # Safety
/// As [`give`].
pub(crate) unsafe fn give_new<T>(
    out: *mut *mut c_void,
    table: &HandleTable<T>,
    handle: usize,
    context: &Context,
) -> Outcome {
    if let Err(fault) = context.check_alive() {
        // A concurrent caller may have removed the handle with its context.
        let _ = table.remove(std::ptr::without_provenance(handle), fault.code);
        return Err(fault);
    }
    // SAFETY: the caller passes a place for a handle, checked for null.
    unsafe { give_handle(out, handle) }
}

/// Attributes of one call, at most. Assumed: CANN has a handful of kinds, of which the last one of a kind
/// counts.
pub(crate) const MOST_ATTRIBUTES: usize = 64;

/// Copies an array of the program. Its length is untrusted: an absurd length is refused before allocation,
/// and unreadable memory is an error instead of a crash.
///
/// # Errors
/// 107000.
///
/// # Safety
/// Any bytes are a `T`. As the caller of the exported function promises, there are `count` of them at `from`.
pub(crate) unsafe fn array<T: Copy>(
    from: *const T,
    count: usize,
    most: usize,
    name: &str,
) -> Outcome<Vec<T>> {
    ensure(count <= most, acl::RT_PARAM_INVALID, || {
        format!("{name} with {count} entries; a call takes {most} at most")
    })?;
    let mut copy = Vec::<T>::with_capacity(count);
    let bytes = count * size_of::<T>();
    let (to, from) = (copy.as_mut_ptr().expose_provenance(), from.expose_provenance());
    let strict = machine()?.config.strict;
    // SAFETY: there is room for so many bytes; the program's side is checked, or vouched for by the caller.
    unsafe { process::copy(to, from, bytes, strict) }.map_err(|done| {
        Fault::new(
            acl::RT_PARAM_INVALID,
            format_args!(
                "{name} with {count} entries: only {done} of {bytes} bytes at {from:#x} can be read"
            ),
        )
    })?;
    // SAFETY: all of them were just written, and any bytes are a `T`.
    unsafe { copy.set_len(count) };
    Ok(copy)
}

/// Reads an argument that is passed by address.
///
/// # Safety
/// `pointer` was checked for null and, as the caller of the exported function promises, may be read.
pub(crate) unsafe fn read<T: Copy>(pointer: *const T) -> T {
    // SAFETY: `pointer` was checked for null and may be read, by contract; it need not be aligned.
    unsafe { pointer.read_unaligned() }
}
