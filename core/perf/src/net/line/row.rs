// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures of a line, and their presentation.

use mf_base::ByteLen;
use mf_measure::turns::{Measured, speed_ratio};
use mf_program::table::{Column, figure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::spec::Line;

/// Headers of a segment: IP, TCP and its timestamps.
const SEGMENT_HEADER_BYTES: f64 = 52.0;
/// Part of the line that a long put or get should fill.
const FILLED: f64 = 0.95;
/// So many bandwidth-delay products make a call long.
const LONG: f64 = 50.0;
/// Least speed of many short puts, beside a raw stream.
const FLOOD: f64 = 0.9;
/// Most round trips of a join behind its last member.
const JOIN_ROUND_TRIPS: f64 = 8.0;

/// Figures of one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Figures {
    /// `put`, `store get`, …
    pub(super) call: String,
    pub(super) bytes: u64,
    /// Calls in flight at a time; members of a join.
    pub(super) in_flight: u32,
    pub(super) own: Measured,
    /// Raw sockets, or the same call on a line without a delay.
    pub(super) raw: Vec<Measured>,
}

/// A row: a call on a line.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) line: Line,
    pub(super) tls: bool,
    pub(super) connections: u32,
    pub(super) figures: Figures,
    /// Seconds of 8 bytes there and back on a raw socket of this line.
    pub(super) round_trip: f64,
    /// Seconds of the phases of a join.
    pub(super) phases: Option<[f64; 3]>,
}

impl Row {
    fn is_join(&self) -> bool {
        self.phases.is_some()
    }

    fn best(&self) -> Option<&Measured> {
        Measured::fastest(&self.figures.raw)
    }

    /// Speed relative to the best baseline.
    fn ratio(&self) -> Option<f64> {
        let best = self.best().filter(|_| !self.is_join())?;
        Some(speed_ratio(&self.figures.own.seconds, &best.seconds))
    }

    fn bits_per_second(&self) -> Option<f64> {
        let is_long = self.figures.bytes > 0 && !self.is_join();
        is_long.then(|| self.figures.bytes as f64 * 8.0 / self.figures.own.median())
    }

    /// Part of the payload that the line could carry.
    fn of_line(&self) -> Option<f64> {
        let payload = 1.0 - SEGMENT_HEADER_BYTES / f64::from(self.line.mtu);
        Some(self.bits_per_second()? / (self.line.rate? * payload))
    }

    /// Round trips of a call that waits for them; of a join, without the time that it takes on a line without
    /// a delay.
    fn round_trips(&self) -> Option<f64> {
        let own = self.figures.own.median();
        if self.is_join() {
            let without = self.best().map_or(0.0, Measured::median);
            return Some((own - without).max(0.0) / self.round_trip);
        }
        (self.figures.in_flight == 1 && self.figures.bytes <= 4096).then(|| own / self.round_trip)
    }

    /// The goal and whether it is reached; none is set where the line itself decides.
    fn goal(&self) -> Option<(String, bool)> {
        if self.is_join() {
            let round_trips = self.round_trips()?;
            return Some((format!("<= {JOIN_ROUND_TRIPS} round trips"), round_trips <= JOIN_ROUND_TRIPS));
        }
        if self.figures.in_flight > 1 && self.figures.bytes <= 4096 {
            return Some((format!(">= {FLOOD} of raw"), self.ratio()? >= FLOOD));
        }
        let is_clean = !self.line.needs_single_packets() && self.line.reroute.is_none();
        let is_long =
            self.line.product_bytes().is_some_and(|bytes| self.figures.bytes as f64 >= LONG * bytes);
        (is_clean && is_long).then_some(())?;
        Some((format!(">= {FILLED} of the line"), self.of_line()? >= FILLED))
    }

    fn goal_text(&self) -> String {
        match self.goal() {
            Some((goal, true)) => goal,
            Some((goal, false)) => goal + " MISSED",
            None => "-".to_owned(),
        }
    }

    /// One line, shown before the tables are ready.
    pub(super) fn brief(&self) -> String {
        let ms = |measured: &Measured| format!("{} ms", figure(measured.median() * 1e3));
        let best = self.best().map_or_else(|| "-".to_owned(), |best| format!("{} ({})", ms(best), best.name));
        let (call, bytes) = (&self.figures.call, ByteLen(self.figures.bytes));
        format!(
            "{call} of {bytes}, {} in flight: {}, raw {best}",
            self.figures.in_flight,
            ms(&self.figures.own)
        )
    }

    /// For programs.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "line": self.line.to_string(), "call": self.figures.call, "bytes": self.figures.bytes,
            "in_flight": self.figures.in_flight, "tls": self.tls, "connections": self.connections,
            "own": self.figures.own.to_json(),
            "raw": self.figures.raw.iter().map(Measured::to_json).collect::<Vec<_>>(),
            "ratio": self.ratio(), "of_line": self.of_line(), "round_trips": self.round_trips(),
            "round_trip_seconds": self.round_trip, "phases_seconds": self.phases,
            "goal": self.goal_text(), "reached": self.goal().map(|(_, reached)| reached),
        })
    }
}

fn dash() -> String {
    "-".to_owned()
}

fn optional(value: Option<f64>) -> String {
    value.map_or_else(dash, figure)
}

/// Columns of the table.
pub(super) const COLUMNS: [Column<'static, Row>; 13] = [
    ("line", |row| row.line.to_string()),
    ("call", |row| row.figures.call.clone()),
    ("tls", |row| if row.tls { "on" } else { "off" }.to_owned()),
    ("conns", |row| row.connections.to_string()),
    ("size", |row| if row.figures.bytes == 0 { dash() } else { ByteLen(row.figures.bytes).to_string() }),
    ("in flight", |row| row.figures.in_flight.to_string()),
    ("ms", |row| figure(row.figures.own.median() * 1e3)),
    ("raw ms", |row| optional(row.best().map(|best| best.median() * 1e3))),
    ("times raw", |row| optional(row.ratio())),
    ("Mbit/s", |row| optional(row.bits_per_second().map(|rate| rate / 1e6))),
    ("of the line", |row| optional(row.of_line())),
    ("round trips", |row| optional(row.round_trips())),
    ("goal", |row| row.goal_text()),
];

/// Text below the table.
pub(super) const LEGEND: &str = "The line is a relay between two network namespaces: threads of this program that delay, shape and drop
packets, which needs processor time of this machine. ms: one call, the middle of the turns. raw: the fastest
plain socket, encrypted or not; of a join, the same on a line without a delay. of the line: of the payload that
its rate carries beside headers. round trips: of 8 bytes on a raw socket; of a join, the time beyond that on a
line without a delay. in flight: calls that wait at a time; of a join, the members.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: &str, call: &str, bytes: u64, in_flight: u32, own: f64, raw: f64) -> Row {
        let measured = |name: &str, seconds: f64| Measured {
            name: name.to_owned(),
            seconds: vec![seconds],
            cpu_seconds: 0.0,
        };
        let figures = Figures {
            call: call.to_owned(),
            bytes,
            in_flight,
            own: measured("pool", own),
            raw: vec![measured("1 conn", raw), measured("4 conns", 2.0 * raw)],
        };
        Row {
            line: line.parse().unwrap(),
            tls: true,
            connections: 4,
            figures,
            round_trip: 0.01,
            phases: None,
        }
    }

    #[test]
    fn long_puts_are_compared_with_the_line() {
        let payload = 64.0 * 1024.0 * 1024.0 * 8.0 / (1e9 * 1448.0 / 1500.0);
        let full = row("10ms,1Gbit", "put", 64 << 20, 1, payload, payload);
        assert!((full.of_line().unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(full.goal(), Some((">= 0.95 of the line".to_owned(), true)));
        let slow = row("10ms,1Gbit", "put", 64 << 20, 1, 2.0 * payload, payload);
        assert!(slow.goal_text().ends_with("MISSED") && slow.ratio() == Some(0.5));
        for line in ["10ms", "10ms,1Gbit,loss=1%", "50ms,1Gbit"] {
            assert_eq!(row(line, "put", 64 << 20, 1, 1.0, 1.0).goal(), None, "{line}");
        }
    }

    #[test]
    fn short_calls_and_joins_count_round_trips() {
        assert_eq!(row("10ms", "store get", 8, 1, 0.02, 0.01).round_trips(), Some(2.0));
        let flood = row("10ms", "put", 8, 1000, 1e-6, 1e-6);
        assert_eq!((flood.round_trips(), flood.goal()), (None, Some((">= 0.9 of raw".to_owned(), true))));
        let mut join = row("10ms", "join", 0, 64, 0.5, 0.4);
        join.phases = Some([0.0; 3]);
        assert!((join.round_trips().unwrap() - 10.0).abs() < 1e-9);
        assert!(join.goal_text().contains("8 round trips MISSED"), "{}", join.goal_text());
    }

    #[test]
    fn rows_have_json_and_cells() {
        let row = row("10ms,1Gbit", "put", 64 << 20, 1, 1.0, 1.0);
        let json = row.to_json();
        assert_eq!((&json["line"], &json["call"]), (&json!("10ms,1Gbit"), &json!("put")));
        assert!(COLUMNS.iter().all(|(_, cell)| !cell(&row).contains("NaN")));
        assert!(row.brief().contains("64 MiB"), "{}", row.brief());
    }
}
