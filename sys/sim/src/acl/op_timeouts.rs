// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Time limits of tasks and waits.

use super::arguments::answer;
use crate::exports;
use crate::fault::Outcome;
use crate::stream::timeouts;

exports! {
    /// Longest run of a kernel, in seconds.
    fn aclrtSetOpExecuteTimeOut(timeout: u32) = execute_seconds;
    /// The same, in milliseconds.
    fn aclrtSetOpExecuteTimeOutWithMs(timeout: u32) = execute_millis;
    /// The same, in microseconds; returns the value in force.
    fn aclrtSetOpExecuteTimeOutV2(timeout: u64, actualTimeout: *mut u64)
        -> actualTimeout: timeouts::set_execute(timeout);
    /// Longest wait of a task, in seconds.
    fn aclrtSetOpWaitTimeout(timeout: u32) = wait_seconds;
    /// Longest run of a kernel, in milliseconds.
    fn aclrtGetOpExecuteTimeout(timeoutMs: *mut u32) -> timeoutMs: execute_limit_ms();
}

unsafe fn execute_seconds(timeout: u32) -> Outcome {
    timeouts::set_execute(u64::from(timeout) * 1_000_000);
    Ok(())
}

unsafe fn execute_millis(timeout: u32) -> Outcome {
    timeouts::set_execute(u64::from(timeout) * 1000);
    Ok(())
}

unsafe fn wait_seconds(timeout: u32) -> Outcome {
    timeouts::set_wait(timeout);
    Ok(())
}

fn execute_limit_ms() -> u32 {
    timeouts::execute().map_or(0, |time| u32::try_from(time.as_millis()).unwrap_or(u32::MAX))
}
