// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Events: recording again, resetting, times.

use std::time::Duration;

use ascend_acl_sys::raw::types as abi;

use crate::cann::{Cann, raw};
use crate::owned::OwnEvent;
use crate::rule::{Answer, Expected, Rule, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S48.record-again",
        "What does recording a plain event again without a reset return?",
        Expected::Always("107000"),
        "stream/event.rs check_unused",
        record_again,
    ),
    Rule::new(
        "S48.reset-reusable",
        "What does aclrtResetEvent return for an event of aclrtCreateEventExWithFlag?",
        Expected::Always("107000"),
        "stream/event.rs reset",
        reset_reusable,
    ),
    Rule::new(
        "S49.plain",
        "Does an event of aclrtCreateEvent keep times (aclrtEventElapsedTime)?",
        Expected::Always("success"),
        "acl/events.rs PLAIN",
        plain_times,
    ),
];

const TIMEOUT: Option<Duration> = Some(Duration::from_secs(10));

fn record_again(cann: &Cann) -> Result<Answer, Stop> {
    let (stream, event) = (cann.stream()?, cann.event(abi::ACL_EVENT_SYNC)?);
    cann.acl().record_event(event.it, stream.it)?;
    cann.acl().synchronize_stream(stream.it, TIMEOUT)?;
    let outcome = cann.acl().record_event(event.it, stream.it);
    cann.acl().synchronize_stream(stream.it, TIMEOUT)?;
    Answer::from_outcome(&outcome)
}

fn reset_reusable(cann: &Cann) -> Result<Answer, Stop> {
    let (stream, event) = (cann.stream()?, cann.reusable_event(abi::ACL_EVENT_SYNC)?);
    cann.acl().record_event(event.it, stream.it)?;
    cann.acl().synchronize_stream(stream.it, TIMEOUT)?;
    Answer::from_outcome(&cann.acl().reset_event(event.it, stream.it))
}

fn plain_event(cann: &Cann) -> Result<OwnEvent<'_>, Stop> {
    let mut event = std::ptr::null_mut();
    raw!(cann.acl(), aclrtCreateEvent(&raw mut event))??;
    Ok(cann.own_event(event))
}

fn plain_times(cann: &Cann) -> Result<Answer, Stop> {
    let (stream, first, second) = (cann.stream()?, plain_event(cann)?, plain_event(cann)?);
    cann.acl().record_event(first.it, stream.it)?;
    cann.acl().record_event(second.it, stream.it)?;
    cann.acl().synchronize_stream(stream.it, TIMEOUT)?;
    Answer::from_outcome(&cann.acl().elapsed_ms(first.it, second.it))
}
