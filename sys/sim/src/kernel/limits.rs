// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Core limits of a device or a stream, below the number of cores of the device.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use mf_base::sync::lock;

use super::attributes::Engine;
use crate::codes::acl;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::stream::Stream;

/// Owner of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A device, by physical number.
    Device(u32),
    /// A stream, by handle: handles are never used again.
    Stream(usize),
}

static LIMITS: LazyLock<Mutex<HashMap<(Owner, Engine), u32>>> = LazyLock::new(Mutex::default);

/// Sets a limit.
///
/// # Errors
/// 107000 for none, or more cores than there are.
pub fn set(owner: Owner, engine: Engine, cores: u32) -> Outcome {
    let most = engine.cores(machine()?.product);
    ensure((1..=most).contains(&cores), acl::RT_PARAM_INVALID, || {
        format!("a limit of {cores} {engine:?} cores; a device has {most}")
    })?;
    lock(&LIMITS).insert((owner, engine), cores);
    Ok(())
}

/// Returns the core limit of a device.
///
/// # Errors
/// The machine's own.
pub fn of_device(physical: u32, engine: Engine) -> Outcome<u32> {
    let all = engine.cores(machine()?.product);
    Ok(lock(&LIMITS).get(&(Owner::Device(physical), engine)).copied().unwrap_or(all))
}

/// Returns the core limit of a stream: its own, or else that of its device.
///
/// # Errors
/// The machine's own.
pub fn of_stream(stream: &Stream, engine: Engine) -> Outcome<u32> {
    let own = lock(&LIMITS).get(&(Owner::Stream(stream.handle), engine)).copied();
    own.map_or_else(|| of_device(stream.device.physical, engine), Ok)
}
