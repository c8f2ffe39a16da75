// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernel binaries, as far as one can ask without having one.

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;

use crate::cann::{Cann, raw};
use crate::rule::{Answer, Expected, Rule, Stop};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "S55.relative",
        "What does aclrtBinaryLoadFromFile return for a relative path of a file that does not exist?",
        Expected::Always("100003"),
        "acl/kernels/binaries.rs absolute",
        |cann| load(cann, c"no-such-kernel.o"),
    )
    .also(&["107009"]),
    Rule::new(
        "S55.missing",
        "And for an absolute one?",
        Expected::Always("100003"),
        "acl/kernels/binaries.rs load_file",
        missing,
    )
    .also(&["107009"]),
];

fn load(cann: &Cann, path: &CStr) -> Result<Answer, Stop> {
    let mut binary = std::ptr::null_mut();
    let none = std::ptr::null_mut();
    Answer::from_outcome(&raw!(cann.acl(), aclrtBinaryLoadFromFile(path.as_ptr(), none, &raw mut binary))?)
}

fn missing(cann: &Cann) -> Result<Answer, Stop> {
    let path = std::env::temp_dir().join(format!("no-such-kernel-{}.o", std::process::id()));
    let path = CString::new(path.as_os_str().as_bytes());
    load(cann, &path.map_err(|error| Stop::Before(format!("the temporary folder: {error}")))?)
}
