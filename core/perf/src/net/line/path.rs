// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One direction of a line as a pure decision: when a packet arrives, or that it is lost.
//!
//! A packet waits for the packets before it, takes its bytes by the rate, and then half of the round trip.
//! The queue before the line holds one bandwidth-delay product and [`QUEUE_BYTES`]; a packet that does not
//! fit is dropped, as by a switch.

use std::time::Duration;

use super::spec::Line;

/// Bytes that wait before the line beyond its bandwidth-delay product.
const QUEUE_BYTES: f64 = 1024.0 * 1024.0;

/// A packet as the line sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    /// Bytes on the line, with the headers that segmentation will add.
    pub(super) wire_bytes: u64,
    /// The longest of its segments, with headers.
    pub(super) longest: u32,
}

/// State of a direction. Time counts from the start of the line.
#[derive(Debug)]
pub(super) struct Path {
    line: Line,
    /// When the line will have taken all packets so far.
    free_at: Duration,
    random: u64,
}

impl Path {
    /// An idle direction; the same seed loses the same packets.
    pub(super) fn new(line: Line, seed: u64) -> Self {
        Self { line, free_at: Duration::ZERO, random: seed | 1 }
    }

    /// Returns the arrival of a packet that comes at `now`; `None` if it is lost.
    pub(super) fn send(&mut self, now: Duration, packet: Packet) -> Option<Duration> {
        if self.line.hole.is_some_and(|hole| packet.longest > hole) {
            return None;
        }
        let start = self.free_at.max(now);
        if let Some(rate) = self.line.rate {
            let waiting = (start - now).as_secs_f64() * rate / 8.0;
            if waiting > self.line.product_bytes().unwrap_or(0.0) + QUEUE_BYTES {
                return None;
            }
            self.free_at = start + Duration::from_secs_f64(packet.wire_bytes as f64 * 8.0 / rate);
        } else {
            self.free_at = start;
        }
        if self.line.loss > 0.0 && self.chance() < self.line.loss {
            return None;
        }
        if self.line.reorder > 0.0 && self.chance() < self.line.reorder {
            return Some(self.free_at);
        }
        let one_way = self.line.round_trip / 2;
        // On the longer route for every second interval.
        let longer =
            self.line.reroute.is_some_and(|interval| (now.as_nanos() / interval.as_nanos().max(1)) % 2 == 1);
        Some(self.free_at + if longer { 2 * one_way } else { one_way })
    }

    /// The next number in 0..1, by xorshift.
    fn chance(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: Packet = Packet { wire_bytes: 1250, longest: 1250 };

    fn path(line: &str) -> Path {
        Path::new(line.parse().unwrap(), 7)
    }

    fn us(number: u64) -> Duration {
        Duration::from_micros(number)
    }

    #[test]
    fn packets_take_their_bytes_and_half_the_round_trip() {
        let mut path = path("10ms,1Gbit");
        assert_eq!(path.send(us(100), PACKET).unwrap(), us(100 + 10 + 5000));
        // The second waits for the first.
        assert_eq!(path.send(us(100), PACKET).unwrap(), us(100 + 20 + 5000));
        assert_eq!(path.send(us(9000), PACKET).unwrap(), us(9000 + 10 + 5000));
        let free = Path::new("10ms".parse().unwrap(), 1).send(us(1), PACKET);
        assert_eq!(free.unwrap(), us(5001));
    }

    #[test]
    fn full_queue_drops() {
        let mut path = path("0ms,1Gbit");
        // 1 MiB of 1250 bytes each.
        let fits = 838;
        let taken = (0..2 * fits).filter(|_| path.send(us(0), PACKET).is_some()).count();
        assert!((fits..=fits + 2).contains(&taken), "{taken} of {fits}");
        assert!(path.send(us(1_000_000), PACKET).is_some());
    }

    #[test]
    fn losses_and_overtaking_have_their_part() {
        let mut lossy = path("1ms,loss=1%");
        let lost = (0..100_000).filter(|_| lossy.send(us(0), PACKET).is_none()).count();
        assert!((800..1200).contains(&lost), "{lost}");
        let mut mixed = path("1ms,reorder=1%");
        let early = (0..100_000).filter(|_| mixed.send(us(0), PACKET).unwrap() == us(0)).count();
        assert!((800..1200).contains(&early), "{early}");
    }

    #[test]
    fn long_packets_vanish_in_a_hole() {
        let mut path = path("1ms,hole=1400");
        assert!(path.send(us(0), Packet { wire_bytes: 1401, longest: 1401 }).is_none());
        assert!(path.send(us(0), Packet { wire_bytes: 1400, longest: 1400 }).is_some());
    }

    #[test]
    fn route_alternates() {
        let mut path = path("10ms,reroute=100ms");
        let took = |now, arrival: Option<Duration>| arrival.unwrap() - us(now);
        assert_eq!(took(0, path.send(us(0), PACKET)), us(5000));
        assert_eq!(took(150_000, path.send(us(150_000), PACKET)), us(10_000));
        assert_eq!(took(250_000, path.send(us(250_000), PACKET)), us(5000));
    }
}
