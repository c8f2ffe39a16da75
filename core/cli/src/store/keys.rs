// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys and values.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Result};
use mf_program::output;
use mf_program::table::TextTable;
use mf_store::{Entry, Lifetime};
use serde_json::{Value, json};

use crate::job_store::JobStore;

use super::show::{entry_json, escaped, shortened};
use super::{Guest, OPERATION};

/// Characters of a value in a table.
const SHOWN: usize = 60;

/// Print the values of keys.
///
/// One key: its value; several: a line "key value" for each. Bytes that are not text are escaped, unless
/// --raw is given. Exit code 1 when a key does not exist.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store get tcp://127.0.0.1:5570 model/step
  mf store get tcp://127.0.0.1:5570 ready --wait --timeout 60
  mf store get tcp://127.0.0.1:5570 blob --raw > blob.bin")]
pub(super) struct GetArgs {
    #[command(flatten)]
    guest: Guest,
    /// The keys.
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,
    /// Wait for keys that do not exist yet, up to the timeout for each.
    #[arg(long)]
    wait: bool,
    /// Write the bytes as they are, one value after the other, without line ends.
    #[arg(long, conflicts_with = "json")]
    raw: bool,
}

/// Set a key.
///
/// The value is the argument, or what --file holds. It stays until it is deleted or the last member has left
/// the store.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store set tcp://127.0.0.1:5570 model/step 42
  tar c config | mf store set tcp://127.0.0.1:5570 config --file -
  mf store set tcp://127.0.0.1:5570 maintenance soon --ttl 3600")]
pub(super) struct SetArgs {
    #[command(flatten)]
    guest: Guest,
    /// The key, 1 to 1024 bytes.
    #[arg(value_name = "KEY")]
    key: String,
    /// The value, at most 8 MiB.
    #[arg(value_name = "VALUE", required_unless_present = "file", conflicts_with = "file")]
    value: Option<String>,
    /// Take the value from this file; - is standard input.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Remove the key after this time, unless it is set again.
    #[arg(long, value_name = "SECONDS", value_parser = crate::run::parse_seconds)]
    ttl: Option<Duration>,
}

/// Add to the number under a key, and print the sum.
///
/// A missing key counts as 0.
#[derive(clap::Args)]
#[command(after_help = "Example: mf store add tcp://127.0.0.1:5570 visitors 1")]
pub(super) struct AddArgs {
    #[command(flatten)]
    guest: Guest,
    /// The key.
    #[arg(value_name = "KEY")]
    key: String,
    /// Number to add, may be negative.
    #[arg(value_name = "N", default_value = "1", allow_negative_numbers = true)]
    number: i64,
}

/// Delete keys.
///
/// Exit code 1 when one of them does not exist; the others are deleted all the same.
#[derive(clap::Args)]
#[command(after_help = "Example: mf store delete tcp://127.0.0.1:5570 model/step")]
pub(super) struct DeleteArgs {
    #[command(flatten)]
    guest: Guest,
    /// The keys.
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,
}

/// List keys.
///
/// In the order of their bytes. Owner is the rank of the member that a key lives with.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store ls tcp://127.0.0.1:5570
  mf store ls tcp://127.0.0.1:5570 model/ --long
  mf store ls tcp://127.0.0.1:5570 --json
  mf store ls tcp://127.0.0.1:5570 --all --long")]
pub(super) struct LsArgs {
    #[command(flatten)]
    guest: Guest,
    /// Only keys that start with this.
    #[arg(value_name = "PREFIX", default_value = "")]
    prefix: String,
    /// Also show sizes, revisions, owners and the beginnings of values.
    #[arg(long, short)]
    long: bool,
    /// Also show the keys by which the library's pools find each other; they begin with .mf/.
    #[arg(long, short)]
    all: bool,
}

pub(super) fn get(args: &GetArgs) -> Result<u8> {
    let store = args.guest.enter()?;
    let mut found = Vec::with_capacity(args.keys.len());
    for key in &args.keys {
        found.push(find(&store, key, args.wait.then(|| Instant::now() + args.guest.timeout))?);
    }
    store.close();
    if args.raw {
        for entry in &found {
            output::print_bytes(&entry.value)?;
        }
        return Ok(0);
    }
    let text = match found.as_slice() {
        _ if args.guest.json && args.keys.len() > 1 => lines(&Value::from_iter(found.iter().map(entry_json))),
        [entry] if args.guest.json => lines(&entry_json(entry)),
        [entry] => format!("{}\n", escaped(&entry.value)),
        entries => entries
            .iter()
            .map(|entry| format!("{} {}\n", escaped(entry.key.as_bytes()), escaped(&entry.value)))
            .collect(),
    };
    output::print(&text)?;
    Ok(0)
}

/// JSON for people and programs.
pub(super) fn lines(value: &Value) -> String {
    format!("{value:#}\n")
}

fn find(store: &JobStore, key: &str, deadline: Option<Instant>) -> Result<Entry> {
    match deadline {
        Some(deadline) => store.wait(key, deadline),
        None => store.get(key)?.ok_or_else(|| absent(key)),
    }
}

fn absent(key: &str) -> Error {
    Error::new(Kind::NotExist, OPERATION)
        .what("no such key")
        .with("key", format!("\"{}\"", escaped(key.as_bytes())))
        .hint("mf store ls URL shows the keys; --wait waits for one")
}

pub(super) fn set(args: &SetArgs) -> Result<u8> {
    let value = match (&args.value, &args.file) {
        (Some(value), _) => value.clone().into_bytes(),
        (None, Some(path)) => contents(path)?,
        (None, None) => Vec::new(),
    };
    let store = args.guest.enter()?;
    let lifetime = match args.ttl {
        Some(ttl) => Lifetime::Lease(store.grant_lease(ttl)?),
        None => Lifetime::Permanent,
    };
    let revision = store.set(&args.key, &value, lifetime)?;
    store.close();
    if args.guest.json {
        output::print(&lines(&json!({ "key": args.key, "bytes": value.len(), "revision": revision })))?;
    }
    Ok(0)
}

fn contents(path: &Path) -> Result<Vec<u8>> {
    let read = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    read.map_err(|error| {
        Error::invalid(OPERATION, "the value cannot be read").with("file", path.display()).source(error)
    })
}

pub(super) fn add(args: &AddArgs) -> Result<u8> {
    let store = args.guest.enter()?;
    let sum = store.add(&args.key, args.number)?;
    store.close();
    let text =
        if args.guest.json { lines(&json!({ "key": args.key, "value": sum })) } else { format!("{sum}\n") };
    output::print(&text)?;
    Ok(0)
}

pub(super) fn delete(args: &DeleteArgs) -> Result<u8> {
    let store = args.guest.enter()?;
    let (mut deleted, mut missing) = (Vec::new(), Vec::new());
    for key in &args.keys {
        let list = if store.delete(key)? { &mut deleted } else { &mut missing };
        list.push(key);
    }
    store.close();
    if args.guest.json {
        output::print(&lines(&json!({ "deleted": deleted, "missing": missing })))?;
    }
    match missing.first() {
        None => Ok(0),
        Some(key) => Err(absent(key).with("missing", missing.len())),
    }
}

pub(super) fn ls(args: &LsArgs) -> Result<u8> {
    let store = if args.all { args.guest.enter_all() } else { args.guest.enter() }?;
    let entries = store.list(&args.prefix)?;
    store.close();
    let text = if args.guest.json {
        lines(&Value::from_iter(entries.iter().map(entry_json)))
    } else if args.long {
        let mut table = TextTable::new(2, &["key", "owner", "revision", "bytes", "value"]);
        for entry in &entries {
            table.row(vec![
                escaped(entry.key.as_bytes()),
                entry.owner.map_or_else(|| "-".to_owned(), |rank| rank.to_string()),
                entry.revision.to_string(),
                entry.value.len().to_string(),
                shortened(&escaped(entry.value.get(..256).unwrap_or(&entry.value)), SHOWN),
            ]);
        }
        table.render()
    } else {
        entries.iter().map(|entry| format!("{}\n", escaped(entry.key.as_bytes()))).collect()
    };
    output::print(&text)?;
    Ok(0)
}
