// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf info`: what this build can do, which place in a job a launcher has given, what this machine has, and
//! which settings are in force.

mod devices;
mod launcher;
mod machine;
mod report;
mod symmetric;
mod transports;

use mf_abi::smem::SMEM_ABI_VERSION;
use mf_base::Result;
use mf_base::settings::loaded;
use mf_device_kernels::{for_soc, simulated};
use serde_json::json;

pub(crate) use machine::{kernel_row, max_mappings, meminfo, transparent_huge_pages};
use report::{Fact, Report};

use crate::kernel::CHIPS;

/// Show version, place in the job, devices, limits and settings.
///
/// The exit code is 1 when a setting or a variable of a launcher is not usable.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf info
  mpirun -n 2 mf info
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
    let loaded = loaded();
    // An unusable setting is the first thing to know; what depends on settings would repeat it.
    if let Err(error) = &loaded {
        if args.json {
            report.section("error", vec![Fact::text("settings", error.to_string())]);
        } else {
            crate::output::print(&format!("error: {error}\n"))?;
        }
    }
    report.section("build", build());
    let mut is_usable = loaded.is_ok();
    if loaded.is_ok() {
        let (facts, is_understood) = launcher::summary();
        report.section("launcher", facts);
        is_usable &= is_understood;
        report.section("devices", devices::summary());
        report.section("transports", transports::summary());
        report.section("symmetric heap", symmetric::summary());
    }
    report.section("processor", machine::processor());
    report.section("memory", machine::memory());
    report.section("limits", machine::limits());
    if let Ok(loaded) = loaded {
        if args.settings {
            report.section("settings", loaded.shown.iter().map(setting).collect());
        }
        let warnings = loaded.warnings.iter().map(|text| Fact::text("warning", text.clone()));
        report.section("warnings", warnings.collect());
    }
    crate::output::print(&if args.json { report.json() } else { report.text() })?;
    Ok(u8::from(!is_usable))
}

/// What was built in.
fn features() -> Vec<String> {
    let kernels = |target: &str, built: std::result::Result<&[u8], &str>| match built {
        Ok(_) => format!("kernels for {target}"),
        Err(reason) => format!("no kernels for {target} ({reason})"),
    };
    let npu = CHIPS.iter().map(|(name, soc)| kernels(name, for_soc(soc)));
    let fixed = [
        "big memory",
        "share memory",
        "transfers",
        "symmetric heaps (OpenSHMEM, CANN SHMEM)",
        "message and HTTP servers",
        "stores tcp, reg, etcd",
        "transports tcp, ucx, cma",
    ];
    fixed.map(str::to_owned).into_iter().chain([kernels("the simulator", simulated())]).chain(npu).collect()
}

fn build() -> Vec<Fact> {
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let profile = if cfg!(debug_assertions) { "debug (slow; figures mean nothing)" } else { "release" };
    vec![
        Fact::text("version", env!("CARGO_PKG_VERSION")),
        Fact::shown("abi", json!(SMEM_ABI_VERSION), format!("{SMEM_ABI_VERSION:#010x}")),
        Fact::shown("features", json!(features()), features().join("; ")),
        Fact::text("target", target),
        Fact::text("profile", profile),
    ]
}

fn setting(row: &mf_base::settings::ShownSetting) -> Fact {
    let value = json!({
        "value": row.value, "origin": row.origin.to_string(), "default": row.key.default, "doc": row.key.doc,
    });
    let shown = if row.value.is_empty() { "(empty)" } else { &row.value };
    Fact::shown(row.key.name, value, format!("{shown}  [{}]  {}", row.origin, row.key.doc))
}
