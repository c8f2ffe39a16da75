// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits that end by their timeout, and notifies of other processes.

use std::time::{Duration, Instant};

use ascend_acl_sys::AclError;
use ascend_acl_sys::acl::{Key, PidCheck};
use ascend_acl_sys::raw::types as abi;

use crate::cann::{Cann, raw};
use crate::pair::{Peer, Talk};
use crate::rule::{Answer, Expected, Rule, Stop, code_of};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S51.zero",
        "What does aclrtSynchronizeEventWithTimeout return for 0?",
        Expected::Always("107000"),
        "acl/events.rs event_timeout",
        |cann| {
            let event = cann.event(abi::ACL_EVENT_SYNC)?;
            Answer::from_outcome(&raw!(cann.acl(), aclrtSynchronizeEventWithTimeout(event.it.as_raw(), 0))?)
        },
    ),
    Rule::new(
        "event-wait.zero",
        "What does aclrtStreamWaitEventWithTimeout return for 0?",
        Expected::Always("107000"),
        "acl/events.rs wait_timeout",
        |cann| {
            let (stream, event) = (cann.stream()?, cann.event(abi::ACL_EVENT_SYNC)?);
            Answer::from_outcome(&wait(cann, stream.it.as_raw(), event.it.as_raw(), 0)?)
        },
    ),
    Rule::new(
        "event-wait.unit",
        "Is its timeout in milliseconds, and how does a stream end for which it was too short?",
        Expected::Always("milliseconds, 107019"),
        "acl/events.rs wait_timeout",
        wait_unit,
    ),
    Rule::new(
        "S52.expired",
        "How does a stream end whose wait for a notify lasted too long, and what does it say the second time?",
        Expected::Always("107019, success"),
        "stream/notify.rs wait",
        expired_notify,
    ),
    Rule::new(
        "S2.other-thread",
        "Does aclrtPeekAtLastError of another thread report a failed task before any synchronisation?",
        Expected::Always("107019"),
        "last_error.rs last_code",
        last_error_elsewhere,
    ),
    Rule::new(
        "S52.imported",
        "What does a wait for the notify of another process return?",
        Expected::Always("107000"),
        "stream/notify.rs own",
        wait_for_imported,
    )
    .with_peer(export_notify),
];

type Outcome = Result<Result<(), AclError>, Stop>;

fn wait(cann: &Cann, stream: abi::aclrtStream, event: abi::aclrtEvent, timeout: i32) -> Outcome {
    raw!(cann.acl(), aclrtStreamWaitEventWithTimeout(stream, event, timeout))
}

fn wait_unit(cann: &Cann) -> Result<Answer, Stop> {
    let (acl, flags) = (cann.acl(), abi::ACL_EVENT_SYNC);
    let event = cann.reusable_event(flags)?;
    let waiting = cann.stream()?;
    let blocked = cann.blocked_stream()?;
    acl.record_event(event.it, blocked.stream.it)?;
    wait(cann, waiting.it.as_raw(), event.it.as_raw(), 200)??;
    // Seconds would take minutes.
    let outcome = acl.synchronize_stream(waiting.it, Some(Duration::from_secs(10)));
    drop(blocked);
    let found = match &outcome {
        Ok(()) => "it waited for the event".to_owned(),
        Err(error) if error.code() == Some(abi::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) => {
            "no milliseconds".to_owned()
        }
        Err(error) => format!("milliseconds, {}", code_of(error)),
    };
    Ok(Answer { found, text: outcome.err().map(|error| error.to_string()).unwrap_or_default() })
}

/// Lets a stream wait in vain for a second.
fn wait_in_vain<'a>(
    cann: &'a Cann,
) -> Result<(crate::owned::OwnStream<'a>, crate::owned::OwnNotify<'a>), Stop> {
    let (stream, notify) = (cann.stream()?, cann.notify()?);
    cann.acl().wait_notify(notify.it, stream.it, Some(Duration::from_secs(1)))?;
    Ok((stream, notify))
}

fn expired_notify(cann: &Cann) -> Result<Answer, Stop> {
    let (stream, _notify) = wait_in_vain(cann)?;
    let synchronize = || cann.acl().synchronize_stream(stream.it, Some(Duration::from_secs(30)));
    Answer::of_all(&[synchronize(), synchronize()])
}

fn last_error_elsewhere(cann: &Cann) -> Result<Answer, Stop> {
    let (stream, _notify) = wait_in_vain(cann)?;
    let end = Instant::now() + Duration::from_secs(30);
    while !cann.acl().stream_is_done(stream.it)? {
        if Instant::now() > end {
            return Err(Stop::Before("the wait of a second does not end".to_owned()));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let peek = || {
        cann.acl().set_device(cann.device)?;
        raw!(cann.acl(), aclrtPeekAtLastError(abi::ACL_RT_THREAD_LEVEL))
    };
    let outcome = std::thread::scope(|scope| scope.spawn(peek).join());
    match outcome {
        Ok(outcome) => Answer::from_outcome(&outcome?),
        Err(_) => Err(Stop::Before("the other thread failed".to_owned())),
    }
}

fn wait_for_imported(cann: &Cann) -> Result<Answer, Stop> {
    let mut peer = Peer::start()?;
    let bytes = peer.talk.receive_bytes()?;
    let key = bytes.try_into().ok().and_then(Key::from_bytes);
    let key = key.ok_or_else(|| Stop::Before("the other process gave no key".to_owned()))?;
    let notify = cann.own_notify(cann.acl().import_notify(&key, true)?);
    let stream = cann.stream()?;
    let outcome = cann.acl().wait_notify(notify.it, stream.it, Some(Duration::from_secs(1)));
    if outcome.is_ok() {
        // The wait ends by its timeout.
        let _ = cann.acl().synchronize_stream(stream.it, Some(Duration::from_secs(30)));
    }
    drop(notify);
    peer.talk.send("done")?;
    Answer::from_outcome(&outcome)
}

fn export_notify(cann: &Cann, talk: &mut Talk) -> Result<(), Stop> {
    let notify = cann.notify()?;
    let key = cann.acl().export_notify(notify.it, PidCheck::Anyone)?;
    talk.send_bytes(key.as_bytes())?;
    talk.receive().map(drop)
}
