// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hardware errors of a device: noted when a task fails with one, kept until they are repaired or the device
//! is reset.

use std::sync::Mutex;

use mf_base::sync::lock;

use crate::codes::acl;
use crate::fault::Fault;

/// Codes that mean broken hardware, not a wrong program.
const HARDWARE: [i32; 4] = [acl::DEVICE_MEM_ERROR, acl::HBM_ECC, acl::LINK_ERROR, acl::SUSPECT_REMOTE_ERROR];

/// Faults of a device.
#[derive(Debug, Default)]
pub struct Health(Mutex<Broken>);

#[derive(Debug, Default)]
struct Broken {
    code: Option<i32>,
    memory: Vec<(u64, u64)>,
}

impl Health {
    /// A task failed.
    pub(crate) fn note(&self, fault: &Fault) {
        if HARDWARE.contains(&fault.code) {
            lock(&self.0).code.get_or_insert(fault.code);
        }
    }

    /// These bytes of memory cannot be corrected.
    pub fn break_memory(&self, address: u64, bytes: u64) {
        let mut broken = lock(&self.0);
        broken.code.get_or_insert(acl::HBM_ECC);
        broken.memory.push((address, bytes));
    }

    /// Code of the first error.
    pub fn code(&self) -> Option<i32> {
        lock(&self.0).code
    }

    /// Address and size of broken memory.
    pub fn broken_memory(&self) -> Vec<(u64, u64)> {
        lock(&self.0).memory.clone()
    }

    /// All is well again.
    pub fn repair(&self) {
        *lock(&self.0) = Broken::default();
    }
}
