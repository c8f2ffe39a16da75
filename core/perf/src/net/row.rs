// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures of a measurement, and their presentation.

use mf_base::{ByteLen, Result};
use mf_measure::members::print_value;
use mf_measure::turns::{Measured, speed_ratio};
use mf_program::table::{Column, TextTable, figure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::plot::{Lines, Picture, Plain};

/// Targets of figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Goal {
    /// At most that many times the time of the baseline.
    Times(f64),
    /// At least that part of the speed of the baseline.
    Speed(f64),
    /// At least that many calls a second.
    PerSecond(f64),
    /// None is set; the speed is compared.
    Open,
}

/// The settings of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Setup {
    pub(super) tls: bool,
    pub(super) connections: u32,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) setup: Setup,
    /// `put`, `get`, …
    pub(super) what: String,
    pub(super) bytes: u64,
    /// Calls that were in flight at a time.
    pub(super) in_flight: u32,
    /// The pool; not measured when only the baselines are.
    pub(super) own: Option<Measured>,
    /// The baselines.
    pub(super) raw: Vec<Measured>,
    /// The pool is compared with the best of the first so many baselines; the others are shown only.
    pub(super) counted: usize,
    pub(super) goal: Goal,
}

/// Line from the measuring process to its parent.
#[derive(Serialize, Deserialize)]
pub(super) enum Line {
    Row(Box<Row>),
    Done,
}

impl Row {
    /// One line, shown before the tables are ready.
    pub(super) fn brief(&self) -> String {
        let us = |measured: &Measured| format!("{} us", figure(measured.median() * 1e6));
        let own = self.own.as_ref().map_or_else(|| "not measured".to_owned(), us);
        let best = self.best().map_or_else(|| "-".to_owned(), |best| format!("{} ({})", us(best), best.name));
        format!(
            "{} of {}, {} in flight: pool {own}, raw {best}",
            self.what,
            ByteLen(self.bytes),
            self.in_flight
        )
    }

    /// Prints it for the process that started this one.
    pub(super) fn print(self) -> Result<()> {
        print_value(&Line::Row(Box::new(self)))
    }

    /// The baseline that counts.
    fn best(&self) -> Option<&Measured> {
        Measured::fastest(self.raw.iter().take(self.counted))
    }

    /// The figure that the goal refers to.
    fn ratio(&self) -> Option<f64> {
        let own = self.own.as_ref()?;
        let speed = || self.best().map(|best| speed_ratio(&own.seconds, &best.seconds));
        match self.goal {
            Goal::Times(_) => speed().map(|speed| 1.0 / speed),
            Goal::Speed(_) | Goal::Open => speed(),
            Goal::PerSecond(_) => Some(1.0 / own.median()),
        }
    }

    fn has_reached(&self) -> Option<bool> {
        let ratio = self.ratio()?;
        match self.goal {
            Goal::Times(most) => Some(ratio <= most),
            Goal::Speed(least) | Goal::PerSecond(least) => Some(ratio >= least),
            Goal::Open => None,
        }
    }

    fn goal_text(&self) -> String {
        let verdict = match self.has_reached() {
            Some(false) => " MISSED",
            Some(true) | None => "",
        };
        match self.goal {
            Goal::Times(most) => format!("<= {most:.2}{verdict}"),
            Goal::Speed(least) => format!(">= {least:.2}{verdict}"),
            Goal::PerSecond(least) => format!(">= {} M/s{verdict}", figure(least / 1e6)),
            Goal::Open => "-".to_owned(),
        }
    }

    fn ratio_text(&self) -> String {
        match (self.ratio(), self.goal) {
            (None, _) => "-".to_owned(),
            (Some(rate), Goal::PerSecond(_)) => format!("{} M/s", figure(rate / 1e6)),
            (Some(ratio), Goal::Times(_)) => format!("{} x time", figure(ratio)),
            (Some(ratio), _) => format!("{} x speed", figure(ratio)),
        }
    }

    fn gbps(&self, measured: &Measured) -> f64 {
        self.bytes as f64 / measured.median() / 1e9
    }

    fn tls_text(&self) -> String {
        if self.setup.tls { "on" } else { "off" }.to_owned()
    }

    /// Processor seconds of a GiB; short calls use a core all the time.
    fn cpu_text(&self, measured: Option<&Measured>) -> String {
        let gib = self.bytes as f64 / f64::from(1 << 30);
        measured.filter(|_| self.bytes > 4096).map_or_else(dash, |m| figure(m.cpu_seconds / gib))
    }

    /// For programs.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "what": self.what, "bytes": self.bytes, "in_flight": self.in_flight, "tls": self.setup.tls,
            "connections": self.setup.connections, "own": self.own.as_ref().map(Measured::to_json),
            "raw": self.raw.iter().map(Measured::to_json).collect::<Vec<_>>(), "compared_with": self.best().map(|best| &best.name),
            "ratio": self.ratio(), "goal": self.goal_text(), "reached": self.has_reached(),
        })
    }
}

/// Columns of the table: the pool beside the best baseline.
pub(super) const COLUMNS: [Column<'static, Row>; 14] = [
    ("call", |row| row.what.clone()),
    ("tls", |row| row.tls_text()),
    ("conns", |row| row.setup.connections.to_string()),
    ("size", |row| ByteLen(row.bytes).to_string()),
    ("in flight", |row| row.in_flight.to_string()),
    ("us", |row| row.own.as_ref().map_or_else(dash, us)),
    ("GB/s", |row| row.own.as_ref().map_or_else(dash, |own| figure(row.gbps(own)))),
    ("raw us", |row| row.best().map_or_else(dash, us)),
    ("raw GB/s", |row| row.best().map_or_else(dash, |best| figure(row.gbps(best)))),
    ("raw is", |row| row.best().map_or_else(dash, |best| best.name.clone())),
    ("ratio", |row| row.ratio_text()),
    ("goal", |row| row.goal_text()),
    ("CPU s/GiB", |row| row.cpu_text(row.own.as_ref())),
    ("raw", |row| row.cpu_text(row.best())),
];

fn dash() -> String {
    "-".to_owned()
}

fn us(measured: &Measured) -> String {
    figure(measured.median() * 1e6)
}

/// Line below both tables.
pub(super) const LEGEND: &str = "us: one call, the middle of the turns. raw is: the fastest baseline of its line. CPU s/GiB: processor \
time of both processes together.\n";

/// The table of all baselines.
pub(super) fn raw_table(rows: &[Row]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for measured in rows.iter().flat_map(|row| &row.raw) {
        if !names.contains(&measured.name.as_str()) {
            names.push(&measured.name);
        }
    }
    let mut titles = vec!["all baselines, us", "tls", "conns", "size"];
    titles.extend(&names);
    let mut table = TextTable::new(2, &titles);
    for row in rows {
        let mut cells = vec![
            row.what.clone(),
            row.tls_text(),
            row.setup.connections.to_string(),
            ByteLen(row.bytes).to_string(),
        ];
        cells.extend(names.iter().map(|name| {
            let found = row.raw.iter().find(|measured| measured.name == *name);
            found.map_or_else(String::new, |measured| figure(measured.median() * 1e6))
        }));
        table.row(cells);
    }
    table.render()
}

/// GB/s and ratio by size.
pub(super) fn picture(rows: &[Row]) -> Picture {
    let name = |row: &Row| {
        let tls = if row.setup.tls { ", TLS" } else { "" };
        let drawn = row.in_flight == 1 && row.what != "atomic add";
        let (connections, plural) =
            (row.setup.connections, if row.setup.connections == 1 { "" } else { "s" });
        drawn.then(|| format!("{}, {connections} connection{plural}{tls}", row.what))
    };
    Lines {
        title: "mf perf net",
        labels: ["GB/s", "times as fast as the best raw sockets"],
        name: &name,
        bytes: |row| row.bytes,
        value: |row| row.own.as_ref().map_or(f64::NAN, |own| row.gbps(own)),
        ratio: |row| {
            let both = row.own.as_ref().zip(row.best());
            both.map_or(f64::NAN, |(own, best)| speed_ratio(&own.seconds, &best.seconds))
        },
        plain: Plain::First("raw", |row| row.best().map_or(f64::NAN, |best| row.gbps(best))),
    }
    .picture(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, seconds: f64) -> Measured {
        Measured { name: name.to_owned(), seconds: vec![seconds; 3], cpu_seconds: seconds }
    }

    fn row(goal: Goal, own: f64) -> Row {
        Row {
            setup: Setup { tls: false, connections: 4 },
            what: "put".to_owned(),
            bytes: 1 << 20,
            in_flight: 1,
            own: Some(measured("pool", own)),
            raw: vec![measured("1 conn", 2e-4), measured("2 conns", 1e-4), measured("not counted", 1e-6)],
            counted: 2,
            goal,
        }
    }

    #[test]
    fn ratio_uses_the_best_counted_baseline() {
        let row = row(Goal::Speed(0.9), 2e-4);
        assert_eq!(row.best().unwrap().name, "2 conns");
        assert_eq!(row.ratio(), Some(0.5));
        assert_eq!(row.has_reached(), Some(false));
    }

    #[test]
    fn goals_are_met_or_missed() {
        assert_eq!(row(Goal::Speed(0.9), 1e-4).has_reached(), Some(true));
        assert_eq!(row(Goal::Times(1.3), 1.25e-4).has_reached(), Some(true));
        assert_eq!(row(Goal::Times(1.3), 1.4e-4).has_reached(), Some(false));
        assert_eq!(row(Goal::PerSecond(1e6), 1e-7).has_reached(), Some(true));
        assert_eq!(row(Goal::Open, 1.0).has_reached(), None);
        assert_eq!(Row { own: None, ..row(Goal::Speed(0.9), 1.0) }.has_reached(), None);
    }

    #[test]
    fn tables_and_pictures_hold_every_line() {
        let rows = [row(Goal::Speed(0.9), 2e-4), Row { own: None, ..row(Goal::Open, 1.0) }];
        let text = TextTable::from_rows(&rows, 2, &COLUMNS).render() + &raw_table(&rows);
        assert!(
            text.contains("MISSED") && text.contains("2 conns") && text.contains("not counted"),
            "{text}"
        );
        assert!(!text.contains("NaN"), "{text}");
        assert!(picture(&rows).svg().contains("put, 4 connections"));
        assert_eq!(rows[0].to_json()["compared_with"], "2 conns");
        assert_eq!(rows[0].brief(), "put of 1 MiB, 1 in flight: pool 200 us, raw 100 us (2 conns)");
    }

    #[test]
    fn rows_survive_serialisation() {
        let sent = row(Goal::PerSecond(1e6), 1e-7);
        let line = serde_json::to_string(&Line::Row(Box::new(sent.clone()))).unwrap();
        let Line::Row(received) = serde_json::from_str(&line).unwrap() else { panic!("not a row") };
        assert_eq!(*received, sent);
    }
}
