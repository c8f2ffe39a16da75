// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Launches on a machine of their own.
//!
//! ```ignore
//! #[test]
//! fn k04_operands_are_aligned() {
//!     launch::with("tensors.cpp", &[], |kernels| {
//!         let memory = Words::new(&[0; 512]);
//!         let fault = kernels.fault("alignment", 1, &[memory.address(), 0]);
//!         assert!(fault.contains("K4"), "{fault}");
//!     });
//! }
//! ```
#![allow(dead_code, reason = "each test uses a part")]

use std::ffi::{CString, c_void};
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::os::fd::AsRawFd;
use std::ptr::null_mut;

use ascend_acl_sys::raw::types::*;
use ascend_sim::acl::kernels::*;
use rustix::fs::{Mode, OFlags};

use crate::program::{call, last_error, set_device, stream, wait};
use crate::{compiled, isolated};

/// Code of a faulting launch.
pub(crate) const FAULT: i32 = 507_035;
/// The same of a kernel of cube cores.
pub(crate) const CUBE_FAULT: i32 = 507_015;
/// Code of a launch of vector cores without progress.
pub(crate) const TIMEOUT: i32 = 507_034;

/// A file without a name.
fn tempfile() -> File {
    let flags = OFlags::TMPFILE | OFlags::RDWR;
    rustix::fs::open(std::env::temp_dir(), flags, Mode::RUSR | Mode::WUSR).unwrap().into()
}

fn become_stderr(file: &impl AsRawFd) {
    // SAFETY: both are open descriptors; nothing owns the number of standard error.
    let code = unsafe { libc::dup2(file.as_raw_fd(), libc::STDERR_FILENO) };
    assert_eq!(code, libc::STDERR_FILENO);
}

/// A loaded binary, and a stream.
pub(crate) struct Kernels {
    binary: *mut c_void,
    stream: *mut c_void,
}

/// Runs `body` with the kernels of a file of this folder; knobs as [`isolated::run`] takes them.
pub(crate) fn with(file: &str, knobs: &[(&str, &str)], body: impl FnOnce(&Kernels)) {
    let Some(binary) = compiled::binary(file) else { return };
    isolated::run(knobs, || {
        set_device(0);
        let path = CString::new(binary.to_str().unwrap()).unwrap();
        let mut binary = null_mut();
        let code = call!(aclrtBinaryLoadFromFile(path.as_ptr(), null_mut(), &raw mut binary));
        assert_eq!(code, 0, "{}", last_error());
        body(&Kernels { binary, stream: stream() });
    });
}

/// As [`with`], once for each of some seeds of the random schedule and once with the plain one.
pub(crate) fn with_schedules(file: &str, body: impl Fn(&Kernels)) {
    for schedule in ["fifo", "random(1)", "random(2)", "random(3)"] {
        with(file, &[("SCHEDULE", schedule)], &body);
    }
}

impl Kernels {
    /// Launches and waits: code and text of the outcome.
    pub(crate) fn launch(&self, name: &str, blocks: u32, words: &[u64]) -> (i32, String) {
        self.launch_on(self.stream, name, blocks, words)
    }

    /// As [`Kernels::launch`], on another stream.
    pub(crate) fn launch_on(
        &self,
        stream: *mut c_void,
        name: &str,
        blocks: u32,
        words: &[u64],
    ) -> (i32, String) {
        let name = CString::new(name).unwrap();
        let mut function = null_mut();
        let code = call!(aclrtBinaryGetFunction(self.binary, name.as_ptr(), &raw mut function));
        assert_eq!(code, 0, "{}", last_error());
        let mut words = words.to_vec();
        let at = words.as_mut_ptr().cast();
        let bytes = words.len() * 8;
        let mut config = aclrtLaunchKernelCfg { attrs: null_mut(), numAttrs: 0 };
        let code = call!(aclrtLaunchKernelWithHostArgs(
            function,
            blocks,
            stream,
            &raw mut config,
            at,
            bytes,
            null_mut(),
            0
        ));
        assert_eq!(code, 0, "{}", last_error());
        let code = wait(stream);
        (code, if code == 0 { String::new() } else { last_error() })
    }

    /// Launches a kernel that must succeed.
    pub(crate) fn run(&self, name: &str, blocks: u32, words: &[u64]) {
        let (code, text) = self.launch(name, blocks, words);
        assert_eq!(code, 0, "{name}{words:?}: {text}");
    }

    /// Launches a kernel that must succeed, and returns its warnings.
    pub(crate) fn warnings(&self, name: &str, blocks: u32, words: &[u64]) -> String {
        let mut written = tempfile();
        let stderr = rustix::io::fcntl_dupfd_cloexec(std::io::stderr(), 3).unwrap();
        become_stderr(&written);
        let outcome = self.launch(name, blocks, words);
        become_stderr(&stderr);
        let mut text = String::new();
        written.rewind().unwrap();
        written.read_to_string(&mut text).unwrap();
        assert_eq!(outcome.0, 0, "{name}{words:?}: {}", outcome.1);
        text
    }

    /// Launches a kernel that must fault, and returns the text.
    pub(crate) fn fault(&self, name: &str, blocks: u32, words: &[u64]) -> String {
        // After a fault a stream is lost.
        let own = stream();
        let (code, text) = self.launch_on(own, name, blocks, words);
        assert!([FAULT, CUBE_FAULT].contains(&code), "{name}{words:?}: {code}: {text}");
        text
    }
}
