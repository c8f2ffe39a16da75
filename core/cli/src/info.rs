// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf info`: features of this build, the rank given by a launcher, this machine, and the settings in force.

mod devices;
mod launcher;
mod machine;
mod report;
mod symmetric;
mod transports;

use mf_abi::smem::SMEM_ABI_VERSION;
use mf_base::Result;
use mf_base::settings::loaded;
use serde_json::json;

pub(crate) use machine::{max_mappings, transparent_huge_pages};
use report::{Fact, Report};

use crate::kernel::{CHIPS, SIMULATOR, built_in};

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
            mf_program::output::print(&format!("error: {error}\n"))?;
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
    mf_program::output::print(&if args.json { report.json() } else { report.text() })?;
    Ok(u8::from(!is_usable))
}

/// Targets of kernels, or the reason why they are missing.
fn kernels() -> impl Iterator<Item = (&'static str, std::result::Result<&'static [u8], String>)> {
    let npu = CHIPS.iter().map(|(name, soc)| (*name, built_in(soc)));
    [("the simulator", built_in(SIMULATOR))].into_iter().chain(npu)
}

/// Built-in features.
fn features() -> Vec<String> {
    let fixed = [
        "big memory",
        "share memory",
        "transfers",
        "symmetric heaps (OpenSHMEM, CANN SHMEM)",
        "message and HTTP servers",
        "stores tcp, reg, etcd",
        "transports tcp, ucx, cma",
    ];
    let built = kernels().filter(|(_, binary)| binary.is_ok());
    fixed.map(str::to_owned).into_iter().chain(built.map(|(name, _)| format!("kernels for {name}"))).collect()
}

/// Features left out of the build. `None` if all are built in.
fn lacking() -> Option<Fact> {
    let lacking: Vec<_> = kernels().filter_map(|(name, built)| Some((name, built.err()?))).collect();
    let names: Vec<&str> = lacking.iter().map(|(name, _)| *name).collect();
    let value =
        lacking.iter().map(|(name, why)| json!({ "feature": format!("kernels for {name}"), "reason": why }));
    let text = format!("kernels for {} (mf kernel list says why)", names.join(" and "));
    (!names.is_empty()).then(|| Fact::with_text("not built in", value.collect(), text))
}

fn build() -> Vec<Fact> {
    let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let profile = if cfg!(debug_assertions) { "debug (slow; figures mean nothing)" } else { "release" };
    let facts = [
        Fact::text("version", env!("CARGO_PKG_VERSION")),
        Fact::with_text("abi", json!(SMEM_ABI_VERSION), format!("{SMEM_ABI_VERSION:#010x}")),
        Fact::with_text("features", json!(features()), features().join("; ")),
    ];
    let built_by = [Fact::text("target", target), Fact::text("profile", profile)];
    facts.into_iter().chain(lacking()).chain(built_by).collect()
}

fn setting(row: &mf_base::settings::ShownSetting) -> Fact {
    let value = json!({
        "value": row.value, "origin": row.origin.to_string(), "default": row.key.default, "doc": row.key.doc,
    });
    let text = if row.value.is_empty() { "(empty)" } else { &row.value };
    Fact::with_text(row.key.name, value, format!("{text}  [{}]  {}", row.origin, row.key.doc))
}
