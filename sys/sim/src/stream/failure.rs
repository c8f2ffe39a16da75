// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notification of failed tasks: the program's exception callback, and the device.

use std::sync::Mutex;

use mf_base::sync::lock;

use super::Stream;
use super::callback::calling_back;
use crate::fault::Fault;

/// Description of a failed task for the program, which reads it through getters alone.
#[derive(Debug)]
pub struct ExceptionInfo {
    /// Number of the task in its stream.
    pub task: u32,
    /// Number of the stream.
    pub stream: u32,
    /// The thread that ran the task.
    pub thread: u32,
    /// User number of the device.
    pub device: u32,
    /// Error code.
    pub code: u32,
}

/// The program's function.
pub type Callback = unsafe extern "C" fn(*mut ExceptionInfo);

static CALLBACK: Mutex<Option<Callback>> = Mutex::new(None);

/// Sets the function that is called for each failed task; `None` for no call.
pub fn set_callback(callback: Option<Callback>) {
    *lock(&CALLBACK) = callback;
}

/// Notifies all.
pub(super) fn announce(stream: &Stream, number: u64, fault: &Fault) {
    stream.device.health.note(fault);
    let callback = *lock(&CALLBACK);
    let Some(callback) = callback else { return };
    let mut info = ExceptionInfo {
        task: low_half(number),
        stream: stream.id(),
        thread: rustix::thread::gettid().as_raw_pid().cast_unsigned(),
        device: stream.device.user,
        code: fault.code.cast_unsigned(),
    };
    // SAFETY: the program set the function to have it called with such a pointer, on any thread.
    calling_back(|| unsafe { callback(&raw mut info) });
}

#[expect(clippy::cast_possible_truncation, reason = "the interface has 32 bits for a number that goes on")]
fn low_half(number: u64) -> u32 {
    number as u32
}
