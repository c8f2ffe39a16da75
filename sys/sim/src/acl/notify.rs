// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifies, and the counting ones of the 950.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;
use std::time::Duration;

use ascend_acl_sys::raw::types::{aclrtCntNotifyRecordInfo, aclrtCntNotifyWaitInfo};

use super::arguments::{answer, array, give, give_new, known_bits, not_null, not_zero, one_of, read};
use super::key;
use super::virtual_memory::share::MOST_PROCESSES;
use crate::clock::Deadline;
use crate::codes::acl;
use crate::context::current;
use crate::context::stream_of;
use crate::exports;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::stream::notify::Notify;
use crate::stream::notify::count_notifies;
use crate::stream::notify::notifies;
use crate::stream::timeouts;

exports! {
    /// A notify of the device.
    fn aclrtCreateNotify(notify: *mut *mut c_void, flag: u64) = create;
    /// Ends a notify.
    fn aclrtDestroyNotify(notify: *mut c_void) = destroy;
    /// Number of the notify on its device.
    fn aclrtGetNotifyId(notify: *mut c_void, notifyId: *mut u32) -> notifyId: notify_of(notify)?.id();
    /// Sets the flag when the stream gets there.
    fn aclrtRecordNotify(notify: *mut c_void, stream: *mut c_void) = record;
    /// Lets a stream wait for the flag and take it.
    fn aclrtWaitAndResetNotify(notify: *mut c_void, stream: *mut c_void, timeout: u32) = wait;
    /// Exports a key for recording it in another process.
    fn aclrtNotifyGetExportKey(notify: *mut c_void, key: *mut c_char, len: usize, flags: u64) = export;
    /// The notify of another process.
    fn aclrtNotifyImportByKey(notify: *mut *mut c_void, key: *const c_char, flags: u64) = import;
    /// Which processes may import it.
    fn aclrtNotifySetImportPid(notify: *mut c_void, pid: *mut i32, num: usize) = allow;
    /// Clears flags at once.
    fn aclrtNotifyBatchReset(notifies: *mut *mut c_void, num: usize) = reset_all;
    /// A counting notify.
    fn aclrtCntNotifyCreate(cntNotify: *mut *mut c_void, flag: u64) = create_counting;
    /// Ends it.
    fn aclrtCntNotifyDestroy(cntNotify: *mut c_void) = destroy_counting;
    /// Changes the count when the stream gets there.
    fn aclrtCntNotifyRecord(
        cntNotify: *mut c_void,
        stream: *mut c_void,
        info: *mut aclrtCntNotifyRecordInfo,
    ) = record_counting;
    /// Lets a stream wait for the count.
    fn aclrtCntNotifyWaitWithTimeout(
        cntNotify: *mut c_void,
        stream: *mut c_void,
        info: *mut aclrtCntNotifyWaitInfo,
    ) = wait_counting;
    /// Clears the count when the stream gets there.
    fn aclrtCntNotifyReset(cntNotify: *mut c_void, stream: *mut c_void) = reset_counting;
    /// Number of the notify on its device.
    fn aclrtCntNotifyGetId(cntNotify: *mut c_void, notifyId: *mut u32)
        -> notifyId: counting_of(cntNotify)?.id();
}

/// Assumed: the one flag there is says that only the device uses it, which changes nothing.
const FLAGS: u64 = 1;
/// Of export: any process may import. Of import: for another device.
const OPEN: u64 = 2;
/// Shortest buffer for a key.
const KEY_ROOM: usize = 65;

unsafe fn create(out: *mut *mut c_void, flags: u64) -> Outcome {
    not_null(out, "notify")?;
    known_bits(flags, FLAGS, "flag")?;
    let context = current()?;
    let notify = Notify::create(&context.device, false)?;
    // SAFETY: checked for null above.
    unsafe { give_new(out, notifies()?, notify.handle, &context) }
}

fn notify_of(handle: *const c_void) -> Outcome<Arc<Notify>> {
    not_null(handle, "notify")?;
    notifies()?.get(handle, acl::RT_PARAM_INVALID)
}

unsafe fn destroy(notify: *mut c_void) -> Outcome {
    not_null(notify, "notify")?;
    notifies()?.remove(notify, acl::RT_PARAM_INVALID).map(drop)
}

unsafe fn record(notify: *mut c_void, stream: *mut c_void) -> Outcome {
    let notify = notify_of(notify)?;
    stream_of(stream)?.push("notify record", move |_| {
        notify.record();
        Ok(())
    })
}

unsafe fn wait(notify: *mut c_void, stream: *mut c_void, seconds: u32) -> Outcome {
    let notify = notify_of(notify)?;
    notify.own()?;
    stream_of(stream)?.push("notify wait", move |running| notify.wait(running, wait_end(seconds)))
}

/// When a wait that starts now ends: after so many seconds; with 0 when all waits do.
fn wait_end(seconds: u32) -> Deadline {
    if seconds == 0 { timeouts::wait() } else { Deadline::after(Some(Duration::from_secs(seconds.into()))) }
}

unsafe fn export(notify: *mut c_void, key: *mut c_char, room: usize, flags: u64) -> Outcome {
    not_null(key, "key")?;
    not_zero(room, "len")?;
    one_of_flags(flags)?;
    ensure(room >= KEY_ROOM, acl::RT_PARAM_INVALID, || format!("len={room}: a key needs {KEY_ROOM} bytes"))?;
    let (number, secret) = notify_of(notify)?.publish(flags == OPEN)?;
    let mut text = [0; KEY_ROOM];
    text[..key::KEY_BYTES].copy_from_slice(&key::write(number, secret));
    // SAFETY: checked for null and room above.
    unsafe { give(key.cast(), text) }
}

fn one_of_flags(flags: u64) -> Outcome {
    ensure(flags == 0 || flags == OPEN, acl::INVALID_PARAM, || format!("flags={flags}: 0 or {OPEN}"))
}

unsafe fn import(out: *mut *mut c_void, key: *const c_char, flags: u64) -> Outcome {
    not_null(out, "notify")?;
    not_null(key, "key")?;
    one_of_flags(flags)?;
    // SAFETY: checked for null above; the caller passes a string.
    let key = unsafe { CStr::from_ptr(key) };
    let (number, secret) = key::parse(key.to_bytes())?;
    let context = current()?;
    let notify = Notify::import(&context.device, number, secret)?;
    // SAFETY: checked for null above.
    unsafe { give_new(out, notifies()?, notify.handle, &context) }
}

unsafe fn allow(notify: *mut c_void, processes: *mut i32, count: usize) -> Outcome {
    not_null(processes, "pid")?;
    not_zero(count, "num")?;
    let notify = notify_of(notify)?;
    notify.own()?;
    // SAFETY: checked for null above; the caller passes so many.
    let processes = unsafe { array(processes, count, MOST_PROCESSES, "pid") }?;
    notify.allow(&processes)
}

/// Largest number of notifies in one call: all of eight devices.
const MOST_NOTIFIES: usize = 1 << 16;

unsafe fn reset_all(notifies: *mut *mut c_void, count: usize) -> Outcome {
    not_null(notifies, "notifies")?;
    not_zero(count, "num")?;
    // SAFETY: checked for null above; the caller passes so many.
    let handles = unsafe { array(notifies, count, MOST_NOTIFIES, "notifies") }?;
    let notifies: Vec<_> = handles.into_iter().map(|handle| notify_of(handle)).collect::<Outcome<_>>()?;
    notifies.iter().try_for_each(|notify| notify.own())?;
    notifies.iter().for_each(|notify| notify.reset());
    Ok(())
}

fn need_counting() -> Outcome {
    let machine = machine()?;
    ensure(machine.product.count_notify, acl::FEATURE_NOT_SUPPORT, || {
        format!("{} has no counting notifies", machine.config.soc)
    })
}

unsafe fn create_counting(out: *mut *mut c_void, flags: u64) -> Outcome {
    not_null(out, "cntNotify")?;
    known_bits(flags, FLAGS, "flag")?;
    need_counting()?;
    let context = current()?;
    let notify = Notify::create(&context.device, true)?;
    // SAFETY: checked for null above.
    unsafe { give_new(out, count_notifies()?, notify.handle, &context) }
}

fn counting_of(handle: *const c_void) -> Outcome<Arc<Notify>> {
    not_null(handle, "cntNotify")?;
    need_counting()?;
    count_notifies()?.get(handle, acl::RT_PARAM_INVALID)
}

unsafe fn destroy_counting(notify: *mut c_void) -> Outcome {
    counting_of(notify)?;
    count_notifies()?.remove(notify, acl::RT_PARAM_INVALID).map(drop)
}

unsafe fn record_counting(
    notify: *mut c_void,
    stream: *mut c_void,
    info: *mut aclrtCntNotifyRecordInfo,
) -> Outcome {
    not_null(info, "info")?;
    // SAFETY: checked for null above.
    let aclrtCntNotifyRecordInfo { mode, value } = unsafe { read(info) };
    one_of(mode, &[0, 1, 2, 4], "info.mode")?;
    let notify = counting_of(notify)?;
    stream_of(stream)?.push("counting notify record", move |_| {
        notify.change(|count| match mode {
            0 => value,
            1 => count.wrapping_add(value),
            2 => count | value,
            _ => count & value,
        });
        Ok(())
    })
}

unsafe fn wait_counting(
    notify: *mut c_void,
    stream: *mut c_void,
    info: *mut aclrtCntNotifyWaitInfo,
) -> Outcome {
    not_null(info, "info")?;
    // SAFETY: checked for null above.
    let info = unsafe { read(info) };
    one_of(info.mode, &[0, 1, 2, 3, 4], "info.mode")?;
    let notify = counting_of(notify)?;
    stream_of(stream)?.push("counting notify wait", move |running| {
        let suits = |count| compare(count, info.mode, info.value);
        notify.wait_count(running, wait_end(info.timeout), suits, info.isClear != 0)
    })
}

/// Assumed: the comparison with a mask reads the bits of the value alone.
fn compare(count: u32, mode: u32, value: u32) -> bool {
    match mode {
        0 => count < value,
        1 => count == value,
        2 => count > value,
        3 => count >= value,
        _ => count & value == value,
    }
}

unsafe fn reset_counting(notify: *mut c_void, stream: *mut c_void) -> Outcome {
    let notify = counting_of(notify)?;
    stream_of(stream)?.push("counting notify reset", move |_| {
        notify.change(|_| 0);
        Ok(())
    })
}
