// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf info`: what this build can do, what this machine has, and which settings are in force.

mod devices;
mod machine;
mod report;
mod transports;

use mf_base::Result;
use mf_base::settings::loaded;
use mf_smem::ABI_VERSION;
use serde_json::json;

pub(crate) use machine::{kernel_row, meminfo};
use report::{Fact, Report};

/// Show version, devices, limits and settings.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf info
  mf info --settings
  mf info --json | python3 -m json.tool")]
pub(crate) struct Args {
    /// Also list every setting with its value, origin and meaning.
    #[arg(long)]
    settings: bool,
    /// Print JSON instead of text; sizes are bytes.
    #[arg(long)]
    json: bool,
}

/// Prints the report.
pub(crate) fn main(args: &Args) -> Result<u8> {
    let mut report = Report::default();
    report.section("build", build());
    report.section("devices", devices::summary());
    report.section("transports", transports::summary());
    report.section("processor", machine::processor());
    report.section("memory", machine::memory());
    report.section("limits", machine::limits());
    if args.settings {
        let loaded = loaded()?;
        report.section("settings", loaded.shown.iter().map(setting).collect());
        let warnings = loaded.warnings.iter().map(|text| Fact::text("warning", text.clone()));
        report.section("warnings", warnings.collect());
    }
    crate::output::print(&if args.json { report.json() } else { report.text() })?;
    Ok(0)
}

fn build() -> Vec<Fact> {
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let profile = if cfg!(debug_assertions) { "debug (slow; figures mean nothing)" } else { "release" };
    vec![
        Fact::text("version", env!("CARGO_PKG_VERSION")),
        Fact::shown("abi", json!(ABI_VERSION), format!("{ABI_VERSION:#010x}")),
        Fact::text("features", "bm (big memory on host memory and Ascend NPUs), embedded tcp store"),
        Fact::text("target", target),
        Fact::text("profile", profile),
    ]
}

fn setting(row: &mf_base::settings::Shown) -> Fact {
    let value = json!({
        "value": row.value, "origin": row.origin.to_string(), "default": row.key.default, "doc": row.key.doc,
    });
    let shown = if row.value.is_empty() { "(empty)" } else { &row.value };
    Fact::shown(row.key.name, value, format!("{shown}  [{}]  {}", row.origin, row.key.doc))
}
