// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Common steps of the tests, in the manner of programs: devices, streams, memory, errors.
#![allow(dead_code, reason = "each test uses a part")]

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;

/// Calls an exported function. Buffers that the tests pass by address are large enough and theirs.
macro_rules! call {
    ($function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the tests pass null, or addresses of variables of the type that the interface names.
        unsafe { $function($($argument),*) }
    };
}
pub(crate) use call;

/// Makes a device the calling thread's.
pub(crate) fn set_device(device: i32) {
    assert_eq!(call!(aclrtSetDevice(device)), 0, "{}", last_error());
}

/// A stream of the current context.
pub(crate) fn stream() -> *mut c_void {
    let mut stream = null_mut();
    assert_eq!(call!(aclrtCreateStream(&raw mut stream)), 0, "{}", last_error());
    stream
}

/// Returns the code of a wait for a stream.
pub(crate) fn wait(stream: *mut c_void) -> i32 {
    call!(aclrtSynchronizeStream(stream))
}

/// The text of the last refusal.
pub(crate) fn last_error() -> String {
    let text = ascend_sim::last_error::take_last_error();
    if text.is_null() {
        return String::new();
    }
    // SAFETY: it stays until the next one is taken.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Device memory for words.
pub(crate) struct Words {
    pub(crate) at: *mut c_void,
    count: usize,
}

impl Words {
    pub(crate) fn new(words: &[u64]) -> Self {
        let memory = Self::bytes(words.len() * 8);
        memory.set(words);
        memory
    }

    pub(crate) fn bytes(bytes: usize) -> Self {
        let mut at = null_mut();
        assert_eq!(call!(aclrtMalloc(&raw mut at, bytes, 0)), 0, "{}", last_error());
        Self { at, count: bytes / 8 }
    }

    pub(crate) fn address(&self) -> u64 {
        self.at.addr() as u64
    }

    pub(crate) fn set(&self, words: &[u64]) {
        let bytes = words.len() * 8;
        assert_eq!(
            call!(aclrtMemcpy(self.at, bytes, words.as_ptr().cast(), bytes, 1)),
            0,
            "{}",
            last_error()
        );
    }

    pub(crate) fn get(&self) -> Vec<u64> {
        let mut words = vec![0; self.count];
        let bytes = self.count * 8;
        assert_eq!(
            call!(aclrtMemcpy(words.as_mut_ptr().cast(), bytes, self.at, bytes, 2)),
            0,
            "{}",
            last_error()
        );
        words
    }
}
