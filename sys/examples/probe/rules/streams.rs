// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: destroying them, waiting for them with odd timeouts, and callbacks.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ascend_acl_sys::raw::types::{self as abi, aclrtStream};
use ascend_acl_sys::{AclError, acl};

use crate::cann::{Cann, raw};
use crate::rule::{Answer, Expected, Rule, Stop, code_of};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S43.priority",
        "What does aclrtCreateStreamWithConfig return for priority 8 of 0 to 7?",
        Expected::Always("107000"),
        "acl/streams.rs check_priority",
        low_priority,
    )
    .also(&["100000"]),
    Rule::new(
        "S44.default",
        "What does aclrtDestroyStream return for the default stream of a context?",
        Expected::Always("107003"),
        "acl/streams.rs refuse_default",
        destroy_default,
    ),
    Rule::new(
        "S44.destroyed",
        "What does aclrtSynchronizeStream return for a stream that was destroyed?",
        Expected::Always("107000"),
        "context.rs stream_of",
        use_destroyed,
    )
    .also(&["107017"]),
    Rule::new(
        "S45.zero-busy",
        "What does aclrtSynchronizeStreamWithTimeout return at once for 0, while a task runs?",
        Expected::Always("507046"),
        "acl/arguments.rs poll_or_wait",
        zero_while_busy,
    ),
    Rule::new(
        "S45.zero-idle",
        "And when nothing runs?",
        Expected::Always("success"),
        "acl/arguments.rs poll_or_wait",
        |cann| Answer::from_outcome(&synchronize(cann, cann.stream()?.it.as_raw(), 0)?),
    ),
    Rule::new(
        "S45.negative",
        "And for −2?",
        Expected::Always("107000"),
        "acl/arguments.rs sync_timeout",
        |cann| Answer::from_outcome(&synchronize(cann, cann.stream()?.it.as_raw(), -2)?),
    ),
    Rule::new(
        "S45.device-zero",
        "What does aclrtSynchronizeDeviceWithTimeout return at once for 0, while a task runs?",
        Expected::Always("507046"),
        "acl/arguments.rs poll_or_wait",
        device_zero_while_busy,
    ),
    Rule::new(
        "S54.thread",
        "Is the thread number of aclrtSubscribeReport that of pthread_self?",
        Expected::Always("yes"),
        "stream/report.rs this_thread",
        callback_thread,
    ),
    Rule::new(
        "S54.twice",
        "What does aclrtSubscribeReport return for a stream that a thread serves already?",
        Expected::Always("107011"),
        "stream/report.rs subscribe",
        subscribe_twice,
    ),
    Rule::new(
        "timeouts.rounding",
        "To what is an execution timeout of 1234567 µs rounded (aclrtSetOpExecuteTimeOutV2)?",
        Expected::Always("1234567"),
        "stream/timeouts.rs set_execute",
        rounded_timeout,
    ),
];

fn low_priority(cann: &Cann) -> Result<Answer, Stop> {
    let outcome = cann.acl().create_stream_with(8, 0);
    if let Ok(stream) = outcome {
        // SAFETY: no other code has the handle.
        unsafe { cann.acl().destroy_stream(stream) }?;
    }
    Answer::from_outcome(&outcome)
}

fn destroy_default(cann: &Cann) -> Result<Answer, Stop> {
    let stream = cann.acl().default_stream()?;
    Answer::from_outcome(&raw!(cann.acl(), aclrtDestroyStream(stream.as_raw()))?)
}

fn use_destroyed(cann: &Cann) -> Result<Answer, Stop> {
    let stream = cann.acl().create_stream()?.as_raw();
    raw!(cann.acl(), aclrtDestroyStream(stream))??;
    Answer::from_outcome(&raw!(cann.acl(), aclrtSynchronizeStream(stream))?)
}

fn synchronize(cann: &Cann, stream: aclrtStream, milliseconds: i32) -> Result<Result<(), AclError>, Stop> {
    raw!(cann.acl(), aclrtSynchronizeStreamWithTimeout(stream, milliseconds))
}

/// Asks beside the stream that is blocked, so that an answer that waits is distinguished from one that does
/// not.
fn while_blocked(
    cann: &Cann,
    ask: impl FnOnce(&acl::Stream) -> Result<Result<(), AclError>, Stop>,
) -> Result<Answer, Stop> {
    const LONG: Duration = Duration::from_secs(5);
    let blocked = cann.blocked_stream()?;
    let start = Instant::now();
    let outcome = ask(&blocked.stream.it)?;
    let answer = Answer::from_outcome(&outcome)?;
    if start.elapsed() < LONG {
        Ok(answer)
    } else {
        Ok(Answer { found: format!("{}, late", answer.found), ..answer })
    }
}

fn zero_while_busy(cann: &Cann) -> Result<Answer, Stop> {
    while_blocked(cann, |stream| synchronize(cann, stream.as_raw(), 0))
}

fn device_zero_while_busy(cann: &Cann) -> Result<Answer, Stop> {
    while_blocked(cann, |_| raw!(cann.acl(), aclrtSynchronizeDeviceWithTimeout(0)))
}

/// Notes that it was called.
unsafe extern "C" fn note(called: *mut c_void) {
    // SAFETY: the probe passes a flag that outlives the call.
    let called = unsafe { &*called.cast::<AtomicBool>() };
    called.store(true, Ordering::Release);
}

fn this_thread() -> u64 {
    // SAFETY: has no preconditions.
    unsafe { libc::pthread_self() }
}

fn callback_thread(cann: &Cann) -> Result<Answer, Stop> {
    static CALLED: AtomicBool = AtomicBool::new(false);
    let acl = cann.acl();
    let stream = cann.stream()?;
    let raw = stream.it.as_raw();
    raw!(acl, aclrtSubscribeReport(this_thread(), raw))??;
    let argument = (&raw const CALLED).cast_mut().cast();
    raw!(acl, aclrtLaunchCallback(Some(note), argument, abi::ACL_CALLBACK_NO_BLOCK, raw))??;
    let processed = raw!(acl, aclrtProcessReport(5000))?;
    // The subscription ends with the stream.
    let _ = raw!(acl, aclrtUnSubscribeReport(this_thread(), raw))?;
    if CALLED.load(Ordering::Acquire) {
        return Ok(Answer::value("yes"));
    }
    let text = processed.as_ref().map_or_else(code_of, |()| "success".to_owned());
    Ok(Answer::value(format!("no, aclrtProcessReport: {text}")))
}

fn subscribe_twice(cann: &Cann) -> Result<Answer, Stop> {
    let acl = cann.acl();
    let stream = cann.stream()?;
    let raw = stream.it.as_raw();
    raw!(acl, aclrtSubscribeReport(this_thread(), raw))??;
    let outcome = raw!(acl, aclrtSubscribeReport(this_thread(), raw))?;
    // As above.
    let _ = raw!(acl, aclrtUnSubscribeReport(this_thread(), raw))?;
    Answer::from_outcome(&outcome)
}

fn rounded_timeout(cann: &Cann) -> Result<Answer, Stop> {
    let mut actual = 0_u64;
    let outcome = raw!(cann.acl(), aclrtSetOpExecuteTimeOutV2(1_234_567, &raw mut actual))?;
    if outcome.is_err() { Answer::from_outcome(&outcome) } else { Ok(Answer::value(actual.to_string())) }
}
