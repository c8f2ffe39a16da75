// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions of the program in streams.

use std::ffi::c_void;
use std::time::Duration;

use super::arguments::one_of;
use crate::arg::Arg;
use crate::codes::acl;
use crate::context::stream_of;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::stream::callback::{Call, Function};
use crate::stream::report::reports;

exports! {
    /// Names the thread that calls the functions of a stream.
    fn aclrtSubscribeReport(threadId: u64, stream: *mut c_void)
        => reports()?.subscribe(threadId, &*stream_of(stream)?);
    /// Ends that.
    fn aclrtUnSubscribeReport(threadId: u64, stream: *mut c_void)
        => reports()?.unsubscribe(threadId, &*stream_of(stream)?);
    /// Runs the callbacks that have arrived for this thread.
    fn aclrtProcessReport(timeout: i32) = process;
    /// Puts a function for the named thread into a stream.
    fn aclrtLaunchCallback(
        func: Option<Function>,
        userData: *mut c_void,
        blockType: u32,
        stream: *mut c_void,
    ) = launch;
    /// Puts a function for a thread of the simulator into a stream.
    fn aclrtLaunchHostFunc(stream: *mut c_void, func: Option<Function>, args: *mut c_void) = launch_host;
}

unsafe fn process(timeout: i32) -> Outcome {
    ensure(timeout == -1 || timeout > 0, acl::INVALID_PARAM, || {
        format!("timeout={timeout}: −1 waits for ever, more than 0 so many milliseconds")
    })?;
    let timeout = u64::try_from(timeout).ok().map(Duration::from_millis);
    reports()?.process(timeout)
}

unsafe fn launch(
    function: Option<Function>,
    argument: *mut c_void,
    block_type: u32,
    stream: *mut c_void,
) -> Outcome {
    let function = given(function)?;
    one_of(block_type, &[0, 1], "blockType")?;
    let stream = stream_of(stream)?;
    // SAFETY: the caller vouches for the callback and its argument.
    let call = unsafe { Call::new(function, argument) };
    reports()?.launch(call, block_type == 1, &stream)
}

unsafe fn launch_host(stream: *mut c_void, function: Option<Function>, argument: *mut c_void) -> Outcome {
    let function = given(function)?;
    let stream = stream_of(stream)?;
    let context = stream
        .owner()
        .ok_or_else(|| Fault::new(acl::CONTEXT_NULL, "the context of the stream was destroyed"))?;
    // SAFETY: the caller vouches for the callback and its argument.
    let call = unsafe { Call::new(function, argument) };
    stream.push("host function", move |running| context.run_on_host(call, running))
}

fn given(function: Option<Function>) -> Outcome<Function> {
    function.ok_or_else(|| Fault::new(acl::INVALID_PARAM, "func is null"))
}

/// A function of the program, in texts and traces.
macro_rules! functions {
    ($($function:ty)*) => { $(impl From<Option<$function>> for Arg {
        fn from(function: Option<$function>) -> Self {
            Self::Pointer(function.map_or(0, |function| function as usize))
        }
    })* };
}
functions!(Function crate::stream::failure::Callback crate::context::state::Callback);
