// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Description of a line, as `--line` takes it: `10ms,1Gbit,loss=0.1%`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Longest round trip.
const ROUND_TRIP_MAX: Duration = Duration::from_secs(2);
/// Most bits of a second.
const RATE_MAX: f64 = 1e12;
/// Packets of this length always pass, so that connections are made.
const HOLE_MIN: u32 = 576;
const MTU_MAX: u32 = 9000;

/// A line between two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Both directions together.
    pub(super) round_trip: Duration,
    /// Bits of a second in each direction; none: as fast as the processor carries.
    pub(super) rate: Option<f64>,
    /// Part of the packets that is lost, in each direction.
    pub(super) loss: f64,
    /// Part of the packets that overtakes all that are in flight.
    pub(super) reorder: f64,
    /// Packets above this length vanish without a message.
    pub(super) hole: Option<u32>,
    /// The route changes in this interval, between the round trip and twice as much.
    pub(super) reroute: Option<Duration>,
    /// Longest packet that both hosts send.
    pub(super) mtu: u32,
}

impl Line {
    /// A line with this round trip and nothing else.
    pub(super) const fn with_round_trip(round_trip: Duration) -> Self {
        Self { round_trip, rate: None, loss: 0.0, reorder: 0.0, hole: None, reroute: None, mtu: 1500 }
    }

    /// True if each packet has its own fate: the kernel may not hand over several as one then.
    pub(super) fn needs_single_packets(&self) -> bool {
        self.loss > 0.0 || self.reorder > 0.0 || self.hole.is_some()
    }

    /// Bytes in flight on a full line, in one direction and back; none without a rate.
    pub(super) fn product_bytes(&self) -> Option<f64> {
        self.rate.map(|rate| rate / 8.0 * self.round_trip.as_secs_f64())
    }
}

impl FromStr for Line {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split(',');
        let first = words.next().unwrap_or_default();
        let round_trip =
            duration(first).filter(|round_trip| *round_trip <= ROUND_TRIP_MAX).ok_or_else(|| {
                format!("invalid round trip {first:?}: must be 0 to 2 s, for example 10ms or 0.1ms")
            })?;
        let mut line = Self::with_round_trip(round_trip);
        for word in words {
            line.add(word)?;
        }
        Ok(line)
    }
}

impl Line {
    fn add(&mut self, word: &str) -> Result<(), String> {
        let (name, value) = word.split_once('=').unwrap_or(("", word));
        match name {
            "" => {
                let rate = rate(value).ok_or_else(|| {
                    format!("invalid rate {value:?}: expected Mbit or Gbit, for example 1Gbit")
                })?;
                self.rate = Some(rate);
            }
            "loss" => self.loss = part(value)?,
            "reorder" => self.reorder = part(value)?,
            "hole" => self.hole = Some(bytes(value)?),
            "mtu" => self.mtu = bytes(value)?,
            "reroute" => {
                let interval = duration(value).filter(|interval| *interval >= Duration::from_millis(1));
                self.reroute = Some(interval.ok_or_else(|| {
                    format!("invalid interval {value:?}: must be at least 1ms, for example 500ms")
                })?);
            }
            _ => {
                return Err(format!(
                    "unknown property {name:?} of a line: expected loss=, reorder=, hole=, reroute= or mtu="
                ));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.round_trip.as_secs_f64() * 1e3)?;
        if let Some(rate) = self.rate {
            if rate >= 1e9 { write!(f, ",{}Gbit", rate / 1e9)? } else { write!(f, ",{}Mbit", rate / 1e6)? }
        }
        for (name, part) in [("loss", self.loss), ("reorder", self.reorder)] {
            if part > 0.0 {
                // The text of a part reads back as the same one to a millionth.
                write!(f, ",{name}={}%", (part * 1e8).round() / 1e6)?;
            }
        }
        if let Some(hole) = self.hole {
            write!(f, ",hole={hole}")?;
        }
        if let Some(interval) = self.reroute {
            write!(f, ",reroute={}ms", interval.as_secs_f64() * 1e3)?;
        }
        if self.mtu != 1500 {
            write!(f, ",mtu={}", self.mtu)?;
        }
        Ok(())
    }
}

fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s')?, 1.0),
    };
    let number: f64 = number.parse().ok()?;
    Duration::try_from_secs_f64(number * unit).ok()
}

fn rate(text: &str) -> Option<f64> {
    let (number, unit) = match text.strip_suffix("Gbit") {
        Some(number) => (number, 1e9),
        None => (text.strip_suffix("Mbit")?, 1e6),
    };
    let number: f64 = number.parse().ok()?;
    let rate = number * unit;
    (1e6..=RATE_MAX).contains(&rate).then_some(rate)
}

fn part(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    number
        .map(|number| number / 100.0)
        .filter(|part| (0.0..=0.5).contains(part))
        .ok_or_else(|| format!("invalid part {text:?}: must be 0% to 50%"))
}

fn bytes(text: &str) -> Result<u32, String> {
    let number = text.parse::<u32>().ok().filter(|bytes| (HOLE_MIN..=MTU_MAX).contains(bytes));
    number.ok_or_else(|| format!("invalid length of packets {text:?}: must be {HOLE_MIN} to {MTU_MAX}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back() {
        for text in [
            "10ms",
            "0.1ms,10Gbit",
            "50ms,1Gbit,loss=0.1%",
            "1ms,250Mbit,reorder=1%,mtu=9000",
            "10ms,1Gbit,hole=1400",
            "10ms,1Gbit,reroute=500ms",
            "0ms",
        ] {
            let line: Line = text.parse().unwrap();
            assert_eq!(line.to_string(), text);
        }
        assert_eq!("0.05s".parse::<Line>().unwrap().round_trip, Duration::from_millis(50));
    }

    #[test]
    fn malformed_lines_are_refused_with_the_expected_form() {
        for (text, expected) in [
            ("", "round trip"),
            ("10", "round trip"),
            ("3s", "0 to 2 s"),
            ("10ms,1G", "Gbit"),
            ("10ms,0Gbit", "Gbit"),
            ("10ms,loss=1", "0% to 50%"),
            ("10ms,loss=51%", "0% to 50%"),
            ("10ms,hole=100", "576 to 9000"),
            ("10ms,reroute=0ms", "at least 1ms"),
            ("10ms,jitter=1ms", "unknown property"),
        ] {
            let refused = text.parse::<Line>().unwrap_err();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
    }

    #[test]
    fn bandwidth_delay_product_counts_the_round_trip() {
        let line: Line = "10ms,1Gbit".parse().unwrap();
        assert_eq!(line.product_bytes(), Some(1.25e6));
        assert_eq!("10ms".parse::<Line>().unwrap().product_bytes(), None);
    }
}
