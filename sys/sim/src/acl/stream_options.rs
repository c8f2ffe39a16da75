// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: creation options and attributes.

use std::ffi::c_void;
use std::sync::Mutex;

use ascend_acl_sys::raw::types::{aclrtStreamAttrValue, aclrtStreamConfigHandle};
use mf_base::sync::lock;

use super::arguments::{answer, give, give_handle, known_bits, not_null, one_of, read};
use super::streams::check_priority;
use crate::codes::acl;
use crate::context::current;
use crate::context::stream_of;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::session;
use crate::stream::{Attribute, Options, STOP, Stream, flag};

exports! {
    /// Sets a wish.
    fn aclrtSetStreamConfigOpt(
        handle: *mut aclrtStreamConfigHandle,
        attr: u32,
        attrValue: *const c_void,
        valueSize: usize,
    ) = set_wish;
    /// A stream as wished.
    fn aclrtCreateStreamV2(stream: *mut *mut c_void, handle: *const aclrtStreamConfigHandle) = create;
    /// Ends the wishes.
    fn aclrtDestroyStreamConfigHandle(handle: *mut aclrtStreamConfigHandle) = destroy_wishes;
    /// Priority of a stream.
    fn aclrtStreamGetPriority(stream: *mut c_void, priority: *mut u32)
        -> priority: stream_of(stream)?.attribute(Attribute::Priority);
    /// Flags of a stream.
    fn aclrtStreamGetFlags(stream: *mut c_void, flags: *mut u32) -> flags: stream_of(stream)?.flags();
    /// Sets the effect of a failed task on later ones: 0 none, 1 stops the stream.
    fn aclrtSetStreamFailureMode(stream: *mut c_void, mode: u64) = set_failure_mode;
    /// Changes an attribute.
    fn aclrtSetStreamAttribute(
        stream: *mut c_void,
        stmAttrType: u32,
        value: *mut aclrtStreamAttrValue,
    ) = set_attribute;
    /// Returns an attribute.
    fn aclrtGetStreamAttribute(
        stream: *mut c_void,
        stmAttrType: u32,
        value: *mut aclrtStreamAttrValue,
    ) = attribute_of;
}

/// Wishes that programs hold: addresses of boxes that were given away.
static WISHES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Wishes for a new stream, for `aclrtCreateStreamV2`. Null in a forked child.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name is CANN's")]
pub extern "C" fn aclrtCreateStreamConfigHandle() -> *mut aclrtStreamConfigHandle {
    if session::is_forked() {
        return std::ptr::null_mut();
    }
    let wishes = Box::into_raw(Box::<aclrtStreamConfigHandle>::default());
    lock(&WISHES).push(wishes.expose_provenance());
    wishes
}

fn check_wishes(handle: *const aclrtStreamConfigHandle) -> Outcome {
    not_null(handle, "handle")?;
    ensure(lock(&WISHES).contains(&handle.addr()), acl::RT_PARAM_INVALID, || {
        format!("{handle:p} is not a live handle of aclrtCreateStreamConfigHandle")
    })
}

unsafe fn set_wish(
    handle: *mut aclrtStreamConfigHandle,
    attribute: u32,
    value: *const c_void,
    bytes: usize,
) -> Outcome {
    not_null(handle, "handle")?;
    not_null(value, "attrValue")?;
    one_of(attribute, &[0, 1, 2, 3], "attr")?;
    let size = if attribute == 3 { size_of::<u32>() } else { size_of::<usize>() };
    ensure(bytes == size, acl::INVALID_PARAM, || {
        format!("valueSize={bytes}, but attribute {attribute} has {size} bytes")
    })?;
    check_wishes(handle)?;
    // SAFETY: the address points to a live box, checked above.
    let mut wishes = unsafe { handle.read() };
    if attribute == 3 {
        // SAFETY: the caller passes so many bytes, checked above.
        wishes.priority = unsafe { read(value.cast()) };
    } else {
        // SAFETY: the caller passes so many bytes, checked above.
        let number: usize = unsafe { read(value.cast()) };
        match attribute {
            0 => wishes.workptr = std::ptr::with_exposed_provenance_mut(number),
            1 => wishes.workSize = number,
            _ => wishes.flag = number,
        }
    }
    // SAFETY: the handle is the address of a live box, checked above.
    unsafe { handle.write(wishes) };
    Ok(())
}

unsafe fn create(out: *mut *mut c_void, handle: *const aclrtStreamConfigHandle) -> Outcome {
    not_null(out, "stream")?;
    let wishes = if handle.is_null() {
        aclrtStreamConfigHandle::default()
    } else {
        check_wishes(handle)?;
        // SAFETY: the address points to a live box, checked above.
        unsafe { handle.read() }
    };
    known_bits(wishes.flag as u64, flag::ALL.into(), "flag")?;
    check_priority(wishes.priority)?;
    let flags = u32::try_from(wishes.flag).unwrap_or(0);
    let stream = Stream::create(&current()?, Options { priority: wishes.priority, flags }, false)?;
    // SAFETY: checked for null above.
    unsafe { give_handle(out, stream.handle) }
}

unsafe fn destroy_wishes(handle: *mut aclrtStreamConfigHandle) -> Outcome {
    check_wishes(handle)?;
    lock(&WISHES).retain(|wishes| *wishes != handle.addr());
    // SAFETY: the address points to a box that was leaked by `into_raw` and not freed since, checked above.
    drop(unsafe { Box::from_raw(handle) });
    Ok(())
}

unsafe fn set_failure_mode(stream: *mut c_void, mode: u64) -> Outcome {
    check_mode(mode)?;
    stream_of(stream)?.set_failure_mode(mode);
    Ok(())
}

fn check_mode(mode: u64) -> Outcome {
    ensure(mode <= STOP, acl::INVALID_PARAM, || format!("failure mode {mode}: 0 continue, 1 stop"))
}

const FAILURE_MODE: u32 = 1;
const PRIORITY: u32 = 5;

fn attribute_named(number: u32) -> Outcome<Attribute> {
    Ok(match number {
        2 => Attribute::OverflowCheck,
        3 => Attribute::CustomTag,
        4 => Attribute::CacheOpInfo,
        PRIORITY => Attribute::Priority,
        _ => {
            return Err(Fault::new(acl::INVALID_PARAM, format_args!("unknown stream attribute {number}")));
        }
    })
}

unsafe fn set_attribute(stream: *mut c_void, attribute: u32, value: *mut aclrtStreamAttrValue) -> Outcome {
    not_null(value, "value")?;
    if attribute == FAILURE_MODE {
        // SAFETY: checked for null above; this attribute has 8 bytes.
        let mode = unsafe { read(value.cast::<u64>()) };
        // SAFETY: nothing is passed by address.
        return unsafe { set_failure_mode(stream, mode) };
    }
    let name = attribute_named(attribute)?;
    // SAFETY: checked for null above; these attributes have 4 bytes.
    let value = unsafe { read(value.cast::<u32>()) };
    if attribute == PRIORITY {
        check_priority(value)?;
    }
    stream_of(stream)?.set_attribute(name, value);
    Ok(())
}

unsafe fn attribute_of(stream: *mut c_void, attribute: u32, value: *mut aclrtStreamAttrValue) -> Outcome {
    not_null(value, "value")?;
    let mut answer = aclrtStreamAttrValue { reserve: [0; 4] };
    if attribute == FAILURE_MODE {
        answer.failureMode = stream_of(stream)?.failure_mode();
    } else {
        answer.streamPriority = stream_of(stream)?.attribute(attribute_named(attribute)?);
    }
    // SAFETY: checked for null above.
    unsafe { give(value, answer) }
}
