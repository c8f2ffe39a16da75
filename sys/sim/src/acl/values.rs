// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words of device memory that streams write and wait for.

use std::ffi::c_void;

use super::arguments::{not_null, one_of};
use crate::context::stream_of;
use crate::exports;
use crate::fault::Outcome;
use crate::stream::value::{self, Comparison};

exports! {
    /// Writes 8 bytes.
    fn aclrtValueWrite(devAddr: *mut c_void, value: u64, flag: u32, stream: *mut c_void) = write;
    /// Waits for 8 bytes to suit.
    fn aclrtValueWait(devAddr: *mut c_void, value: u64, flag: u32, stream: *mut c_void) = wait;
}

unsafe fn write(address: *mut c_void, value: u64, flag: u32, stream: *mut c_void) -> Outcome {
    not_null(address, "devAddr")?;
    one_of(flag, &[0], "flag")?;
    value::write(&stream_of(stream)?, address.addr() as u64, value)
}

unsafe fn wait(address: *mut c_void, value: u64, flag: u32, stream: *mut c_void) -> Outcome {
    not_null(address, "devAddr")?;
    one_of(flag, &[0, 1, 2, 3], "flag")?;
    let comparison = match flag {
        0 => Comparison::Reached,
        1 => Comparison::Equal,
        2 => Comparison::And,
        _ => Comparison::Nor,
    };
    value::wait(&stream_of(stream)?, address.addr() as u64, value, comparison)
}
