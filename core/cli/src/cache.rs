// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf cache`: the folders of a cache's disk tier, while no process uses them.

use std::path::PathBuf;

use mf_base::Result;
use mf_base::settings::settings;
use mf_disk::{DiskKey, DiskTier, KEY_PURPOSE, LiveValue, Report};
use mf_program::output::{note, print};
use mf_tls::JobSecret;
use serde_json::{Value, json};

use crate::store::escaped;

/// Show, check and compact the folders of a cache's disk tier.
///
/// The folders of one tier are given together, in their order. A process that uses them has them locked.
/// Encrypted folders need the secret of their job, from MF_JOB_SECRET or MF_JOB_SECRET_FILE; stat needs
/// none.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Stat(Stat),
    Check(Check),
    Dump(Dump),
    Compact(Compact),
}

/// Show job, room, values and segments. Reads no values.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf cache stat /nvme0/kv /nvme1/kv")]
struct Stat {
    #[command(flatten)]
    folders: Folders,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Read every value and compare its checksums. Changes nothing.
///
/// Exit code 1: there is damage; each line of it names the slot of the segment and the position in it. The
/// tier never returns a damaged value, and forgets it with the first read. Without the secret of encrypted
/// folders it compares the checksums of the encrypted bytes.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf cache check /nvme0/kv")]
struct Check {
    #[command(flatten)]
    folders: Folders,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// List the values, oldest first: generation, bytes, key.
///
/// Control characters and bytes that are not UTF-8 are escaped (\n, \xNN). Exit code 1: a key cannot be read.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf cache dump /nvme0/kv
  mf cache dump --keys /nvme0/kv")]
struct Dump {
    #[command(flatten)]
    folders: Folders,
    /// Print the keys alone.
    #[arg(long)]
    keys: bool,
}

/// Write all values again, closely packed, and free the room of removed and replaced ones.
///
/// Needs a free segment. A tier compacts itself while it is used: this is for folders that are kept.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf cache compact /nvme0/kv")]
struct Compact {
    #[command(flatten)]
    folders: Folders,
}

#[derive(clap::Args)]
struct Folders {
    /// The folders of the tier, in their order.
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

/// Runs the subcommand.
pub(crate) fn main(args: &Args) -> Result<u8> {
    match &args.command {
        Command::Stat(args) => stat(args).map(|()| 0),
        Command::Check(args) => check(args),
        Command::Dump(args) => dump(args),
        Command::Compact(args) => compact(args).map(|()| 0),
    }
}

/// The key of encrypted folders, if the job has a secret.
fn key() -> Result<Option<DiskKey>> {
    let key = JobSecret::from_settings(settings()?)?.derive_key(KEY_PURPOSE);
    Ok(key.map(|key| DiskKey::new(*key)))
}

fn as_json(report: &Report) -> Value {
    let damage = report.damage.iter().map(|one| json!({ "slot": one.slot, "at": one.at, "what": one.what }));
    json!({
        "job": report.job,
        "encrypted": report.is_encrypted,
        "slots": report.slots,
        "segment_bytes": report.segment_bytes,
        "segments_sealed": report.sealed,
        "segments_unsealed": report.unsealed,
        "values": report.values,
        "live_bytes": report.live_bytes,
        "void_records": report.void_records,
        "tombstones": report.tombstones,
        "damage": Value::from_iter(damage),
    })
}

fn as_text(report: &Report) -> String {
    let rows = [
        ("job", report.job.clone()),
        ("encrypted", if report.is_encrypted { "yes" } else { "no" }.to_owned()),
        ("slots", format!("{} of {} bytes", report.slots, report.segment_bytes)),
        ("segments", format!("{} sealed, {} unsealed", report.sealed, report.unsealed)),
        ("values", format!("{} in {} bytes", report.values, report.live_bytes)),
        ("void records", report.void_records.to_string()),
        ("tombstones", report.tombstones.to_string()),
    ];
    rows.iter().map(|(name, value)| format!("{name:<13} {}\n", escaped(value.as_bytes()))).collect()
}

fn stat(args: &Stat) -> Result<()> {
    let report = mf_disk::stat(&args.folders.folders)?;
    print(&if args.json { format!("{:#}\n", as_json(&report)) } else { as_text(&report) })
}

fn check(args: &Check) -> Result<u8> {
    let report = mf_disk::check(&args.folders.folders, key()?.as_ref())?;
    if report.is_encrypted && !report.has_key {
        note(
            "mf cache check: the folders are encrypted, and MF_JOB_SECRET is not set: checksums alone were compared",
        );
    }
    if args.json {
        print(&format!("{:#}\n", as_json(&report)))?;
    } else {
        let damage =
            report.damage.iter().map(|one| format!("slot {} at {}: {}\n", one.slot, one.at, one.what));
        print(&format!(
            "{}damage        {}\n{}",
            as_text(&report),
            report.damage.len(),
            String::from_iter(damage)
        ))?;
    }
    Ok(u8::from(!report.damage.is_empty()))
}

fn dump(args: &Dump) -> Result<u8> {
    let mut text = String::new();
    let report = mf_disk::dump(&args.folders.folders, key()?.as_ref(), |value: LiveValue| {
        let key = escaped(&value.key);
        if args.keys {
            text.push_str(&format!("{key}\n"));
        } else {
            text.push_str(&format!("{} {} {key}\n", value.generation, value.bytes));
        }
        if text.len() > 64 << 10 { print(&std::mem::take(&mut text)) } else { Ok(()) }
    })?;
    print(&text)?;
    for one in &report.damage {
        note(&format!("mf cache dump: slot {} at {}: {}", one.slot, one.at, one.what));
    }
    Ok(u8::from(!report.damage.is_empty()))
}

fn compact(args: &Compact) -> Result<()> {
    let tier = DiskTier::open_existing(&args.folders.folders, key()?.as_ref())?;
    let before = tier.stats().bytes;
    let freed = tier.compact();
    let after = tier.stats();
    print(&format!("{freed} segments rewritten: {before} bytes before, {} bytes after\n", after.bytes))
}
