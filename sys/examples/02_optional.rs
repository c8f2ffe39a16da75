// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Counts the optional functions that an installation has, and calls some: a 16-bit float, a dataset, and a
//! graph that is captured from a stream and run twice.
//!
//! `mf sim -- cargo run -p ascend-acl-sys --example 02_optional` runs it without an NPU.

#![expect(unsafe_code, reason = "optional functions are called as C has them")]
#![allow(clippy::print_stdout, reason = "it says what it found")]

use std::error::Error;
use std::ptr::null_mut;

use ascend_acl_sys::optional::FUNCTIONS;
use ascend_acl_sys::owned::{DataBuffer, Dataset, DeviceMemory, OwnedStream};
use ascend_acl_sys::raw::types::ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
use ascend_acl_sys::{Libraries, Search};

fn main() -> Result<(), Box<dyn Error>> {
    let libraries = Libraries::open(&Search::from_environment())?;
    let (acl, optional) = (libraries.acl(), libraries.optional());
    let there = FUNCTIONS.iter().filter(|function| optional.has(function.name)).count();
    println!("{there} of {} optional functions are there", FUNCTIONS.len());

    // An absent function is an error that names the releases that have it.
    let narrow = optional.aclFloatToFloat16()?;
    // SAFETY: the function takes any number.
    println!("1.5 in 16 bits is {:#06x}", unsafe { narrow(1.5) });

    acl.set_device(0)?;
    let memory = DeviceMemory::zeroed(acl, 1024)?;
    let mut inputs = Dataset::new(optional)?;
    inputs.push(DataBuffer::new(optional, &memory)?)?;
    println!("a dataset of {} buffer, {} bytes", inputs.buffers().len(), inputs.buffers()[0].bytes()?);

    let stream = OwnedStream::new(acl)?;
    // SAFETY: the handle is not used after the stream is gone.
    let handle = unsafe { stream.handle() };
    let mut graph = null_mut();
    let (begin, end) = (optional.aclmdlRICaptureBegin()?, optional.aclmdlRICaptureEnd()?);
    let (execute, destroy) = (optional.aclmdlRIExecuteAsync()?, optional.aclmdlRIDestroy()?);
    // SAFETY: the stream is alive.
    acl.check("aclmdlRICaptureBegin", unsafe { begin(handle.as_raw(), ACL_MODEL_RI_CAPTURE_MODE_RELAXED) })?;
    // SAFETY: the memory outlives the graph.
    unsafe { acl.memset_async(memory.address(), 1024, 7, 1024, handle) }?;
    // SAFETY: the stream is alive, and the graph is written to a variable of ours.
    acl.check("aclmdlRICaptureEnd", unsafe { end(handle.as_raw(), &raw mut graph) })?;
    for _ in 0..2 {
        // SAFETY: graph and stream are alive.
        acl.check("aclmdlRIExecuteAsync", unsafe { execute(graph, handle.as_raw()) })?;
    }
    stream.synchronize(None)?;
    // SAFETY: the graph is not used again.
    acl.check("aclmdlRIDestroy", unsafe { destroy(graph) })?;
    let mut first = [0; 1];
    memory.copy_to(&mut first)?;
    println!("the graph filled the memory with {}", first[0]);
    Ok(())
}
