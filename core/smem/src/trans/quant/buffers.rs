// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pool of reusable buffers of the accelerator.
//!
//! Freeing memory waits for the whole accelerator, also for the stream that waits for the work that frees: so
//! buffers come back here, and are freed with the endpoint.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::os::thread;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_device::{Buffer, Device, Devices, Mover};

/// The smallest buffer.
const LEAST_BYTES: u64 = 64 << 10;
/// Longest wait of the end for the accelerator; if the end is itself work of a stream, they are freed after
/// it.
const END: Duration = Duration::from_secs(1);

/// Free buffers.
#[derive(Default)]
pub(super) struct Buffers(Mutex<Vec<MoverBuffer>>);

/// A buffer, until it is dropped.
pub(super) struct Lent {
    buffer: Option<MoverBuffer>,
    home: Arc<Buffers>,
}

/// A buffer that the accelerator's mover knows, so that copies of its pieces cost no question to the driver.
struct MoverBuffer {
    accelerator: Arc<dyn Device>,
    is_registered: bool,
    buffer: Box<dyn Buffer>,
}

impl MoverBuffer {
    fn new(accelerator: &Arc<dyn Device>, bytes: u64) -> Result<Self> {
        let buffer = accelerator.allocate_buffer(bytes)?;
        let register = |mover: &dyn Mover| mover.register(buffer.address(), buffer.bytes()).is_ok();
        let is_registered = accelerator.mover().is_some_and(register);
        Ok(Self { accelerator: Arc::clone(accelerator), is_registered, buffer })
    }
}

impl Drop for MoverBuffer {
    fn drop(&mut self) {
        if let (Some(mover), true) = (self.accelerator.mover(), self.is_registered) {
            mover.unregister(self.buffer.address(), self.buffer.bytes());
        }
    }
}

impl Buffers {
    /// One of at least so many bytes.
    ///
    /// # Errors
    /// `NotExist` there is no accelerator · `OutOfMemory`.
    pub(super) fn lend(self: &Arc<Self>, devices: &Devices, bytes: u64) -> Result<Lent> {
        let mut all = lock(&self.0);
        let fitting = all.iter().enumerate().filter(|(_, known)| known.buffer.bytes() >= bytes);
        let smallest = fitting.min_by_key(|(_, known)| known.buffer.bytes()).map(|(at, _)| at);
        let found = smallest.map(|at| all.swap_remove(at));
        drop(all);
        let buffer = match found {
            Some(buffer) => buffer,
            None => {
                let gone = || Error::new(Kind::NotExist, super::OP).what("no accelerator in this process");
                let bytes = bytes.max(LEAST_BYTES).checked_next_power_of_two().unwrap_or(bytes);
                MoverBuffer::new(devices.accelerator().ok_or_else(gone)?, bytes)?
            }
        };
        Ok(Lent { buffer: Some(buffer), home: Arc::clone(self) })
    }
}

impl Lent {
    /// Returns its address.
    pub(super) fn address(&self) -> u64 {
        self.buffer.as_ref().map_or(0, |known| known.buffer.address())
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        lock(&self.home.0).extend(self.buffer.take());
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        let all = std::mem::take(&mut *lock(&self.0));
        if all.is_empty() {
            return;
        }
        let (freed, until) = channel();
        let free = move || {
            drop(all);
            // It does not matter if a thread waits for it.
            let _ = freed.send(());
        };
        match thread::spawn("mf-device-free", free) {
            Ok(_) => drop(until.recv_timeout(END)),
            Err(error) => tracing::warn!(%error, "buffers of the accelerator are not given back"),
        }
    }
}
