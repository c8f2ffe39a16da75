// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Output: each rule as it is answered, then a table, or all of it as JSON.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::cann::{Machine, Product};
use crate::rule::{Answer, Reply, Rule, Verdict};

const HELP: &str = "\
Asks the CANN of this machine what is not documented, and compares it with what the simulator assumes.

Usage: probe [--json] [--verbose] [--device N] [--library PATH] [RULE…]
       probe --list

  RULE            id of a rule, or its start: S44 means S44.default and all its sisters (default: all rules)
  --device N      the device to use, as programs number it (default: 0)
  --library PATH  a folder with libascendcl.so, or that file (default: where the environment says)
  --json          everything as one JSON object
  --verbose       let the libraries write to standard error
  --list          the rules, and where in the simulator they are decided

Exit status: 0 the simulator is right, 1 it is not, 2 nothing could be asked.
";

/// The answers so far.
pub(crate) struct Report {
    json: bool,
    machine: Machine,
    rows: Vec<Row>,
}

struct Row {
    rule: &'static Rule,
    expected: &'static str,
    /// Answer of this machine, or the reason for a missing one.
    found: String,
    text: String,
    verdict: Verdict,
}

pub(crate) fn help() -> Result<u8, String> {
    write(HELP)?;
    Ok(0)
}

pub(crate) fn list(rules: &[&'static Rule]) -> Result<u8, String> {
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for rule in rules {
        write(format_args!("{:width$}  {}\n{:width$}  {}\n", rule.id, rule.question, "", rule.place))?;
    }
    Ok(0)
}

pub(crate) fn refuse(why: &str) -> ExitCode {
    // Without standard error there is no reader.
    let _ = writeln!(std::io::stderr(), "probe: {why}");
    ExitCode::from(2)
}

fn write(text: impl Display) -> Result<(), String> {
    write!(std::io::stdout(), "{text}").map_err(|error| format!("standard output: {error}"))
}

impl Report {
    /// Says what machine is asked.
    pub(crate) fn begin(json: bool, machine: Machine) -> Result<Self, String> {
        if !json {
            write(format_args!("{machine}\n\n"))?;
        }
        Ok(Self { json, machine, rows: Vec::new() })
    }

    pub(crate) fn add(&mut self, rule: &'static Rule, reply: Reply) -> Result<(), String> {
        let verdict = rule.evaluate(&self.machine, &reply);
        let (found, text) = match reply {
            Reply::Answer(Answer { found, text }) => (found, text),
            Reply::NotHere(why) | Reply::Unanswered(why) => (String::new(), why),
        };
        let row = Row { rule, expected: rule.expected(&self.machine), found, text, verdict };
        if !self.json {
            write(&row)?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// The table, and the exit status.
    pub(crate) fn end(self) -> Result<u8, String> {
        write(if self.json { format!("{:#}\n", self.to_json()) } else { self.table() })?;
        let wrong = |row: &Row| matches!(row.verdict, Verdict::Differs | Verdict::Unanswered);
        Ok(u8::from(self.rows.iter().any(wrong)))
    }

    fn table(&self) -> String {
        let columns = ["RULE", "SIMULATOR", "THIS MACHINE", ""].map(str::to_owned);
        let cells = |row: &Row| {
            let found = if row.found.is_empty() { "—".to_owned() } else { row.found.clone() };
            [row.rule.id.to_owned(), row.expected.to_owned(), found, row.verdict.text().to_owned()]
        };
        let lines: Vec<[String; 4]> = std::iter::once(columns).chain(self.rows.iter().map(cells)).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let [first, second, third] = [0, 1, 2].map(width);
        let mut text = String::new();
        for [rule, simulator, machine, verdict] in &lines {
            let line = format!("{rule:first$}  {simulator:second$}  {machine:third$}  {verdict}");
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let counts: Vec<String> =
            self.counts().into_iter().map(|(verdict, count)| format!("{count} {}", verdict.text())).collect();
        format!("{text}\n{}\n", counts.join(", "))
    }

    fn counts(&self) -> Vec<(Verdict, usize)> {
        let all =
            [Verdict::Agrees, Verdict::Allowed, Verdict::Differs, Verdict::Unanswered, Verdict::NotHere];
        let count = |verdict| self.rows.iter().filter(|row| row.verdict == verdict).count();
        all.into_iter().map(|verdict| (verdict, count(verdict))).collect()
    }

    fn to_json(&self) -> Value {
        let Machine { simulator, acl, cann, soc, devices, file, .. } = &self.machine;
        let rules: Vec<Value> = self.rows.iter().map(Row::to_json).collect();
        let counts =
            self.counts().into_iter().map(|(verdict, count)| (verdict.text().to_owned(), count.into()));
        json!({
            "machine": {
                "simulator": simulator, "acl": acl, "cann": cann, "soc": soc, "devices": devices, "library": file,
            },
            "rules": rules,
            "counts": Value::Object(counts.collect()),
        })
    }
}

impl Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.simulator {
            Some(version) => write!(f, "simulator {version}")?,
            None => write!(f, "CANN {}", self.cann)?,
        }
        let devices = if self.devices == 1 { "device" } else { "devices" };
        write!(f, ", ACL {}, {}, {} {devices}, {}", self.acl, self.soc, self.devices, self.file)?;
        if Product::from_soc(&self.soc).is_none() {
            write!(f, "\nnobody knew this product; it is compared with what the simulator does by default")?;
        }
        Ok(())
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rule, expected, found, text, verdict } = self;
        writeln!(f, "{}  {}", rule.id, rule.question)?;
        match verdict {
            Verdict::NotHere => return writeln!(f, "    not possible here: {text}"),
            Verdict::Unanswered => return writeln!(f, "    no answer: {text}"),
            Verdict::Agrees => writeln!(f, "    agrees: {found}")?,
            Verdict::Allowed => writeln!(f, "    allowed: {found}, the simulator: {expected}")?,
            Verdict::Differs => {
                writeln!(f, "    differs: {found}, the simulator: {expected}")?;
                writeln!(f, "    to be changed in sys/sim/src/{}", rule.place)?;
            }
        }
        if text.is_empty() { Ok(()) } else { writeln!(f, "    {text}") }
    }
}

impl Row {
    fn to_json(&self) -> Value {
        json!({
            "rule": self.rule.id,
            "question": self.rule.question,
            "simulator": self.expected,
            "machine": self.found,
            "text": self.text,
            "verdict": self.verdict.text(),
            "place": self.rule.place,
        })
    }
}
