// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernel binaries and launches: S55 to S60.

mod arguments;
mod attributes;
mod binaries;
pub(crate) mod compiled;
mod failures;
mod launches;

use std::ffi::{CString, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

use ascend_acl_sys::raw::types::*;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::kernels::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;

use crate::isolated;
use crate::program::{Words, call, last_error, set_device, stream, wait};
use compiled::Compiled;

const NO_FILE: i32 = 100_003;
const EMPTY_FILE: i32 = 100_005;
const NO_BINARY: i32 = 100_006;
const WRONG: i32 = 107_000;

fn load(path: &Path) -> Result<*mut c_void, i32> {
    let path = CString::new(path.to_str().unwrap()).unwrap();
    let mut binary = null_mut();
    match call!(aclrtBinaryLoadFromFile(path.as_ptr(), null_mut(), &raw mut binary)) {
        0 => Ok(binary),
        code => Err(code),
    }
}

fn load_data(bytes: &[u8]) -> Result<*mut c_void, i32> {
    let mut binary = null_mut();
    match call!(aclrtBinaryLoadFromData(bytes.as_ptr().cast(), bytes.len(), null(), &raw mut binary)) {
        0 => Ok(binary),
        code => Err(code),
    }
}

fn function(binary: *mut c_void, name: &str) -> *mut c_void {
    let name = CString::new(name).unwrap();
    let mut function = null_mut();
    let code = call!(aclrtBinaryGetFunction(binary, name.as_ptr(), &raw mut function));
    assert_eq!(code, 0, "{}", last_error());
    function
}

/// Launches with words as arguments.
fn launch(function: *mut c_void, blocks: u32, stream: *mut c_void, words: &[u64]) -> i32 {
    launch_as(function, blocks, stream, &mut [], words)
}

fn launch_as(
    function: *mut c_void,
    blocks: u32,
    stream: *mut c_void,
    attributes: &mut [aclrtLaunchKernelAttr],
    words: &[u64],
) -> i32 {
    let mut config = aclrtLaunchKernelCfg { attrs: attributes.as_mut_ptr(), numAttrs: attributes.len() };
    let mut words = words.to_vec();
    let bytes = words.len() * 8;
    let at = words.as_mut_ptr().cast();
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
    // The arguments were copied during the call.
    words.fill(u64::MAX);
    code
}

fn attribute(id: u32, words: [u32; 4]) -> aclrtLaunchKernelAttr {
    aclrtLaunchKernelAttr { id, value: aclrtLaunchKernelAttrValue { rsv: words } }
}

/// Runs a test with a loaded binary, where there is a compiler.
fn with_binary(source: &str, knobs: &[(&str, &str)], body: impl FnOnce(*mut c_void, *mut c_void)) {
    isolated::run(knobs, || {
        let Some(compiled) = Compiled::from_file(source) else { return };
        set_device(0);
        let binary = load(&compiled.path).unwrap_or_else(|code| panic!("{code}: {}", last_error()));
        body(binary, stream());
    });
}
