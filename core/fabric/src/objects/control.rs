// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Control area: exchange between the host and the kernels of an object, in device memory of each rank,
//! beside the symmetric memory.
//!
//! The host writes the time limit of kernels' waits, and the lost ranks, so that a kernel that waits for a
//! dead rank ends at once. A kernel that gives up writes a report before it ends itself; the host turns it
//! into an error that names the rank. The layout is described in `device-kernels/include/mf_control.h`.

use std::sync::{Arc, Weak};
use std::time::Duration;

use mf_base::{Error, Gva, Kind, MemKind, Rank, Result, warn_limited};
use mf_device::{AddressWindows, Device, Mover};

use super::meta;
use crate::pool::{GroupEvent, Pool};
use crate::space::Presence;

/// Bytes of each rank's area; more where the device's pages are larger.
const AREA_BYTES: u64 = 2 << 20;

const REPORT_AT: u64 = 0;
const REPORT_BYTES: usize = 32;
const LIMIT_AT: u64 = 0x40;
const LOST_AT: u64 = 0x10000;

const DIED: u32 = 1;
const LEFT: u32 = 2;

/// The own area, inside the pool of all areas.
#[derive(Clone)]
pub struct Control {
    pool: Arc<Pool>,
    device: Arc<dyn Device>,
    /// Address of the own area.
    own: Gva,
}

/// Bytes of an area on this device.
pub fn control_bytes(device: &dyn AddressWindows) -> u64 {
    AREA_BYTES.next_multiple_of(device.granule_bytes(MemKind::Device))
}

impl Control {
    /// Sets up the area in this pool, which is opened and not joined yet: the beginning of the device memory
    /// of each member. From now on kernels are notified of lost ranks.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn begin(pool: Arc<Pool>, device: &Arc<dyn Device>, limit: Duration) -> Result<Self> {
        let own = pool.address(MemKind::Device, pool.rank())?;
        let control = Self { pool, device: Arc::clone(device), own };
        let limit_us = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
        control.write(LIMIT_AT, &limit_us.to_le_bytes())?;
        let (weak, device) = (Arc::downgrade(&control.pool), Arc::clone(device));
        let notify = move |rank: Rank, event: GroupEvent| note_event(&weak, &device, own, rank, event);
        control.pool.on_event(Some(Arc::new(notify)));
        Ok(control)
    }

    /// The pool of all areas.
    pub fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// Copies to and from the device.
    pub fn mover(&self) -> Option<&dyn Mover> {
        self.device.mover()
    }

    /// Address of rank 0's area.
    pub fn base(&self) -> u64 {
        self.pool.layout().range(MemKind::Device).start
    }

    /// From one rank's area to the next.
    pub fn stride(&self) -> u64 {
        self.pool.layout().shape().max_bytes[MemKind::Device.index()]
    }

    /// Replaces `error` if the last kernel gave up waiting for a rank, which is the cause then. Clears the
    /// report.
    pub fn explain(&self, error: Error, kernel: &str, id: u32) -> Error {
        let mut bytes = [0; REPORT_BYTES];
        if let Err(unread) = self.read(REPORT_AT, &mut bytes) {
            tracing::debug!("the report of a failed kernel was not read: {unread}");
            return error;
        }
        let Some(report) = Report::decode(&bytes) else { return error };
        if let Err(uncleared) = self.write(REPORT_AT, &[0; REPORT_BYTES]) {
            tracing::warn!(
                "the report of a failed kernel stays, and may be taken for that of the next: {uncleared}"
            );
        }
        report.error(kernel, id).source(error)
    }

    /// Writes to the own memory at `offset` from the beginning of the area, also behind its end.
    ///
    /// # Errors
    /// `InvalidParam` outside of the own memory · errors of the device.
    pub fn put(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.check_range(offset, bytes.len())?;
        self.write(offset, bytes)
    }

    /// Reads it.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn get(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.check_range(offset, bytes.len())?;
        self.read(offset, bytes)
    }

    /// Ends the waits of kernels that still run here.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn end_waits(&self) -> Result<()> {
        self.write(LOST_AT + u64::from(self.pool.rank().0) * 4, &LEFT.to_le_bytes())
    }

    fn check_range(&self, offset: u64, bytes: usize) -> Result<()> {
        let most = self.pool.local_bytes(MemKind::Device);
        if offset.checked_add(bytes as u64).is_some_and(|end| end <= most) {
            return Ok(());
        }
        Err(Error::invalid("control area", "the range is not in the own memory")
            .with("offset", offset)
            .with("bytes", bytes)
            .with("of", most))
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        // SAFETY: inside the own area, which is mapped as long as the pool lives.
        unsafe { meta::write(&self.device, self.own.0 + offset, bytes) }
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        // SAFETY: as in `write`.
        unsafe { meta::read(&self.device, self.own.0 + offset, bytes) }
    }
}

/// Notifies kernels that a rank has joined or is lost. Runs on the thread for events of the pool.
fn note_event(pool: &Weak<Pool>, device: &Arc<dyn Device>, own: Gva, rank: Rank, event: GroupEvent) {
    let Some(pool) = pool.upgrade() else { return };
    let word = match (event, pool.presence(rank)) {
        (GroupEvent::Join, _) => 0,
        (GroupEvent::Leave, Presence::Dead) => DIED,
        (GroupEvent::Leave, _) => LEFT,
    };
    let at = own.0 + LOST_AT + u64::from(rank.0) * 4;
    // SAFETY: inside the own area, which is mapped as long as the pool lives; of at most 16,384 ranks.
    if let Err(error) = unsafe { meta::write(device, at, &word.to_le_bytes()) } {
        warn_limited!(rank = rank.0, "kernels were not notified that a rank came or is gone: {error}");
    }
}

/// Report of a kernel that gave up.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    reason: u32,
    rank: u32,
    what: u32,
    block: u32,
    detail: u32,
    waited_us: u64,
}

impl Report {
    fn decode(bytes: &[u8; REPORT_BYTES]) -> Option<Self> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let waited = bytes.get(24..32)?.try_into().ok()?;
        (word(0)? == 1).then_some(())?;
        Some(Self {
            reason: word(4)?,
            rank: word(8)?,
            what: word(12)?,
            block: word(16)?,
            detail: word(20)?,
            waited_us: u64::from_le_bytes(waited),
        })
    }

    fn error(&self, kernel: &str, id: u32) -> Error {
        const OP: &str = "kernel launch";
        let rank = self.rank;
        let (kind, what) = match self.reason {
            _ if rank == u32::MAX => (Kind::Timeout, "no rank met the kernel's wait in time".to_owned()),
            2 => (Kind::NotConnected, format!("the kernel waited for rank {rank}, which is gone")),
            _ => (Kind::Timeout, format!("the kernel waited for rank {rank}, which did not come in time")),
        };
        let waited_in = match self.what {
            1 => format!("barrier, round {}", self.detail),
            2 => format!("signal {}", self.detail),
            3 => format!("wait for the word {} bytes into the memory", self.detail),
            other => format!("wait of kind {other}, {}", self.detail),
        };
        let error = Error::new(kind, OP).what(what).with("kernel", kernel);
        let error = if rank == u32::MAX { error } else { error.with("rank", rank) };
        error
            .with("in", waited_in)
            .with("block", self.block)
            .with("waited_us", self.waited_us)
            .with("object", id)
            .object_lost()
            .hint("all ranks of an object launch the same communicating kernels, in the same order")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(words: [u32; 6], waited_us: u64) -> [u8; REPORT_BYTES] {
        let words = words.into_iter().flat_map(u32::to_le_bytes);
        let all: Vec<u8> = words.chain(waited_us.to_le_bytes()).collect();
        all.try_into().unwrap()
    }

    #[test]
    fn reports_become_errors_naming_the_rank() {
        assert_eq!(Report::decode(&[0; REPORT_BYTES]), None);
        let error = Report::decode(&bytes([1, 2, 5, 1, 3, 9], 70)).unwrap().error("mf_barrier", 4);
        assert_eq!((error.kind(), error.fact("rank")), (Kind::NotConnected, Some("5")));
        assert_eq!(error.fact("in"), Some("barrier, round 9"));
        let error = Report::decode(&bytes([1, 1, 0, 2, 0, 17], 70)).unwrap().error("mine", 4);
        assert_eq!((error.kind(), error.fact("waited_us")), (Kind::Timeout, Some("70")));
        assert_eq!(error.fact("in"), Some("signal 17"));
        let error = Report::decode(&bytes([1, 1, u32::MAX, 3, 0, 64], 70)).unwrap().error("mine", 4);
        assert_eq!(
            (error.kind(), error.fact("in")),
            (Kind::Timeout, Some("wait for the word 64 bytes into the memory"))
        );
    }
}
