// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The relay: a thread for each direction carries packets between the two hosts' devices, as late and as
//! lossy as [`Path`] decides.
//!
//! It stands for netem and tbf, which many kernels lack. Its threads need processor time that the measured
//! processes then lack, and they wake up some 50 us late where the processor is shared: a baseline on the
//! same line suffers alike.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::Result;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::super::failed;
use super::path::{Packet, Path};
use super::spec::Line;

/// In front of each packet: `struct virtio_net_hdr`.
pub(super) const HEADER_BYTES: usize = 10;
/// A packet before its segmentation, with the header.
const PACKET_BYTES_MAX: usize = HEADER_BYTES + (64 << 10);
/// Longest sleep of a thread, after which it checks whether to end.
const TICK: Duration = Duration::from_millis(50);
/// Packets that are read before due ones are written again.
const BURST: usize = 32;

/// Packets that the line has carried and lost since its start.
#[derive(Debug, Default)]
struct Counts {
    carried: AtomicU64,
    lost: AtomicU64,
}

/// A running relay. Dropping it ends its threads.
pub(super) struct Relay {
    is_ending: Arc<AtomicBool>,
    counts: Arc<Counts>,
    threads: Vec<JoinHandle<()>>,
}

impl Relay {
    /// Starts to carry packets between two devices.
    ///
    /// # Errors
    /// `Failed` when no thread can be started, or a device has no second descriptor.
    pub(super) fn start(line: Line, devices: [&File; 2]) -> Result<Self> {
        let mut relay = Self { is_ending: Arc::default(), counts: Arc::default(), threads: Vec::new() };
        for (number, [from, to]) in [devices, [devices[1], devices[0]]].into_iter().enumerate() {
            let os = |error: std::io::Error| failed("the relay cannot be started").source(error);
            let direction = Direction {
                from: from.try_clone().map_err(os)?,
                to: to.try_clone().map_err(os)?,
                path: Path::new(line, 0x9e37_79b9_7f4a_7c15 + number as u64),
                under_way: BTreeMap::new(),
                free: Vec::new(),
                number: 0,
                is_ending: Arc::clone(&relay.is_ending),
                counts: Arc::clone(&relay.counts),
            };
            let name = format!("line {number}");
            let thread = std::thread::Builder::new().name(name).spawn(move || direction.run());
            relay.threads.push(thread.map_err(os)?);
        }
        Ok(relay)
    }

    /// Packets that were carried and lost so far.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.counts.carried.load(Ordering::Relaxed), self.counts.lost.load(Ordering::Relaxed))
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.is_ending.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

struct Direction {
    from: File,
    to: File,
    path: Path,
    /// By arrival, then by number.
    under_way: BTreeMap<(Duration, u64), Vec<u8>>,
    /// Buffers of packets that have arrived.
    free: Vec<Vec<u8>>,
    number: u64,
    is_ending: Arc<AtomicBool>,
    counts: Arc<Counts>,
}

impl Direction {
    fn run(mut self) {
        // Sleeps of some microseconds; otherwise the kernel adds 50.
        let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
        let start = Instant::now();
        let mut buffer = vec![0; PACKET_BYTES_MAX];
        while !self.is_ending.load(Ordering::Relaxed) {
            self.deliver(start.elapsed());
            let left =
                self.under_way.first_key_value().map(|((due, _), _)| due.saturating_sub(start.elapsed()));
            if self.wait(left.unwrap_or(TICK).min(TICK)).is_err() {
                return;
            }
            for _ in 0..BURST {
                match self.from.read(&mut buffer) {
                    Ok(bytes) => self.take(start.elapsed(), buffer.get(..bytes).unwrap_or_default()),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    // The device is gone: so is the measurement.
                    Err(_) => return,
                }
            }
        }
    }

    /// Writes packets that are due.
    fn deliver(&mut self, now: Duration) {
        while let Some(first) = self.under_way.first_entry().filter(|first| first.key().0 <= now) {
            let packet = first.remove();
            // A device that is full or down loses it, as a host would.
            let done = self.to.write(&packet);
            let counter = if done.is_ok() { &self.counts.carried } else { &self.counts.lost };
            counter.fetch_add(1, Ordering::Relaxed);
            self.free.push(packet);
        }
    }

    fn wait(&self, longest: Duration) -> rustix::io::Result<()> {
        let mut polled = [PollFd::new(&self.from, PollFlags::IN)];
        let limit = Timespec { tv_sec: 0, tv_nsec: longest.subsec_nanos().into() };
        match poll(&mut polled, Some(&limit)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(errno) => Err(errno),
        }
    }

    fn take(&mut self, now: Duration, bytes: &[u8]) {
        let Some(arrival) = packet(bytes).and_then(|packet| self.path.send(now, packet)) else {
            self.counts.lost.fetch_add(1, Ordering::Relaxed);
            return;
        };
        let mut kept = self.free.pop().unwrap_or_default();
        kept.clear();
        kept.extend_from_slice(bytes);
        self.number += 1;
        self.under_way.insert((arrival, self.number), kept);
    }
}

/// Reads the sizes from the header: a packet of several segments takes the line with the headers of each.
fn packet(bytes: &[u8]) -> Option<Packet> {
    let (header, packet) = bytes.split_at_checked(HEADER_BYTES)?;
    let word = |at: usize| header.get(at..at + 2).map(|word| u16::from_ne_bytes([word[0], word[1]]));
    let (kind, header_bytes, segment_bytes) = (header.first()?, word(2)?, word(4)?);
    let length = u32::try_from(packet.len()).ok()?;
    if *kind == 0 || segment_bytes == 0 {
        return Some(Packet { wire_bytes: u64::from(length), longest: length });
    }
    let (header_bytes, segment_bytes) = (u32::from(header_bytes), u32::from(segment_bytes));
    let segments = length.saturating_sub(header_bytes).div_ceil(segment_bytes).max(1);
    let wire_bytes = u64::from(length) + u64::from(segments - 1) * u64::from(header_bytes);
    Some(Packet { wire_bytes, longest: header_bytes + segment_bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_count_with_their_headers() {
        let mut bytes = vec![0; HEADER_BYTES + 52 + 3000];
        assert_eq!(packet(&bytes).unwrap().wire_bytes, 3052);
        bytes[0] = 1;
        bytes[1 + 1..4].copy_from_slice(&52u16.to_ne_bytes());
        bytes[4..6].copy_from_slice(&1448u16.to_ne_bytes());
        let packet = packet(&bytes).unwrap();
        // 1448, 1448 and 104 bytes with a header each.
        assert_eq!((packet.wire_bytes, packet.longest), (3052 + 2 * 52, 1500));
        assert!(super::packet(&bytes[..5]).is_none());
    }
}
