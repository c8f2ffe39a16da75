// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opens CANN, copies bytes to a device and back, and prints the opened libraries.
//!
//! `mf sim -- cargo run -p ascend-acl-sys --example 01_memory` runs it without an NPU.

#![allow(clippy::print_stdout, reason = "it says what it found")]

use std::error::Error;

use ascend_acl_sys::owned::{DeviceMemory, OwnedEvent, OwnedStream};
use ascend_acl_sys::{Libraries, Search};

fn main() -> Result<(), Box<dyn Error>> {
    let libraries = Libraries::open(&Search::from_environment())?;
    for line in libraries.report().lines() {
        println!("{line}");
    }
    let acl = libraries.acl();
    acl.set_device(0)?;
    let mut memory = DeviceMemory::zeroed(acl, 4096)?;
    memory.fill_from(b"from the host")?;

    let (stream, event) = (OwnedStream::new(acl)?, OwnedEvent::new(acl)?);
    stream.record(&event)?;
    event.synchronize(None)?;

    let mut back = [0; 13];
    memory.copy_to(&mut back)?;
    println!("device 0 of {} gives back: {}", acl.device_count()?, String::from_utf8_lossy(&back));
    Ok(())
}
