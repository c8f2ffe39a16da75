// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Measurement of `mf perf`, and its report: tables, a JSON document, a picture.

use std::path::{Path, PathBuf};

use mf_base::Result;
use mf_program::output::{print, save};
use mf_program::procfs::meminfo;
use mf_program::table::{Column, TextTable};
use serde::Serialize;
use serde_json::{Value, json};

use crate::load;
use crate::plot::Picture;

/// A measurement: the arguments of its command.
pub(crate) trait Measurement {
    /// Its name in the document.
    const NAME: &'static str;

    /// Measures. `None`: another process reports.
    ///
    /// # Errors
    /// The first error of a member or a call.
    fn measure(&self) -> Result<Option<Report>>;
}

/// Figures of a measurement.
pub(crate) struct Report {
    text: String,
    rows: Vec<Value>,
    /// Other facts, for the document.
    pub(crate) more: Value,
    pub(crate) picture: Option<Picture>,
}

impl Report {
    /// A report without figures.
    pub(crate) fn new() -> Self {
        Self { text: String::new(), rows: Vec::new(), more: json!({}), picture: None }
    }

    /// A report of these rows.
    pub(crate) fn of<R: Serialize>(rows: &[R], text_columns: usize, columns: &[Column<'_, R>]) -> Self {
        let mut report = Self::new();
        report.section(rows, text_columns, columns);
        report
    }

    /// Adds rows to the document and their table to the text.
    pub(crate) fn section<R: Serialize>(
        &mut self,
        rows: &[R],
        text_columns: usize,
        columns: &[Column<'_, R>],
    ) {
        self.rows(rows);
        self.table(rows, text_columns, columns);
    }

    /// Appends a table; an empty line separates it from the text before.
    pub(crate) fn table<R>(&mut self, rows: &[R], text_columns: usize, columns: &[Column<'_, R>]) {
        self.paragraph(&TextTable::from_rows(rows, text_columns, columns).render());
    }

    /// Appends text after an empty line.
    pub(crate) fn paragraph(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }

    /// Appends text.
    pub(crate) fn note(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds rows to the document.
    pub(crate) fn rows<R: Serialize>(&mut self, rows: &[R]) {
        self.rows.extend(rows.iter().map(|row| json!(row)));
    }
}

// A measurement with its options of output. A doc comment here would replace the command's.
#[derive(clap::Args)]
pub(crate) struct Saved<M: Measurement + clap::Args> {
    #[command(flatten)]
    pub(crate) measurement: M,
    /// Also write the figures as JSON; - is standard output, instead of the table.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

// The same, with a picture.
#[derive(clap::Args)]
pub(crate) struct Drawn<M: Measurement + clap::Args> {
    #[command(flatten)]
    pub(crate) saved: Saved<M>,
    /// Also draw them.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl<M: Measurement + clap::Args> Saved<M> {
    /// Measures, prints the tables, and writes the document if it was asked for.
    ///
    /// # Errors
    /// Errors of the measurement, or of a file.
    pub(crate) fn run(&self) -> Result<Option<Picture>> {
        let Some(report) = self.measurement.measure()? else { return Ok(None) };
        if self.json.as_deref() != Some(Path::new("-")) {
            print(&report.text)?;
        }
        if let Some(path) = &self.json {
            let (rows, more) = (report.rows, report.more);
            let document =
                json!({ "measurement": M::NAME, "machine": machine(), "rows": rows, "more": more });
            save(path, &format!("{document:#}\n"))?;
        }
        Ok(report.picture)
    }
}

impl<M: Measurement + clap::Args> Drawn<M> {
    /// As [`Saved::run`]; draws the picture if it was asked for.
    ///
    /// # Errors
    /// As [`Saved::run`].
    pub(crate) fn run(&self) -> Result<Option<Picture>> {
        let picture = self.saved.run()?;
        if let (Some(path), Some(picture)) = (&self.svg, &picture) {
            save(path, &picture.svg())?;
        }
        Ok(picture)
    }
}

/// Facts of the machine that belong to every set of figures.
fn machine() -> Value {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "debug_build": cfg!(debug_assertions),
        "architecture": std::env::consts::ARCH,
        "processor": model.map(|(_, name)| name.trim()),
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "memory_bytes": meminfo("MemTotal"),
        "free_huge_page_bytes": mf_base::os::memfile::free_huge_bytes(),
        "busy": load::facts(),
    })
}
