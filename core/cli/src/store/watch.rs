// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Changes of keys, as they come.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::channel;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_program::output;
use mf_store::Change;

use super::show::{change_json, change_line};
use super::{Guest, OPERATION};

/// Print changes of keys as they come.
///
/// A line for each: "put KEY VALUE", "deleted KEY", "left KEY" and "lost KEY" (its owner left, or was lost),
/// "expired KEY" (its lease ended). Runs until it is interrupted, or --count changes have come. Exit code 1
/// when the store is gone for good.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store watch tcp://127.0.0.1:5570 model/
  mf store watch tcp://127.0.0.1:5570 ready --exact --count 1
  mf store watch tcp://127.0.0.1:5570 --existing --json")]
pub(super) struct Args {
    #[command(flatten)]
    guest: Guest,
    /// Only keys that start with this.
    #[arg(value_name = "PREFIX", default_value = "")]
    prefix: String,
    /// Only the key that is PREFIX.
    #[arg(long)]
    exact: bool,
    /// End after this number of changes.
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Print present keys first, as if they had just been put.
    #[arg(long)]
    existing: bool,
}

pub(super) fn main(args: &Args) -> Result<u8> {
    let store = args.guest.enter()?;
    let (sender, changes) = channel();
    // A callback may run on any thread, one after the other.
    let sender = Mutex::new(sender);
    store.watch(&args.prefix, args.exact, move |change| {
        // There is no receiver any more when the program is ending.
        let _ = lock(&sender).send(change.clone());
    })?;
    let show = |change: &Change| {
        output::print(&if args.guest.json { change_json(change) } else { change_line(change) })
    };
    // Revisions of keys that were shown as present; changes up to these are in them.
    let mut shown = BTreeMap::new();
    if args.existing {
        let entries = if args.exact {
            store.get(&args.prefix)?.into_iter().collect()
        } else {
            store.list(&args.prefix)?
        };
        for entry in entries {
            shown.insert(entry.key.clone(), entry.revision);
            show(&Change::Put(entry))?;
        }
    }
    let mut left = args.count;
    while left != Some(0) {
        match changes.recv() {
            Ok(Change::StoreLost) | Err(_) => {
                return Err(Error::new(Kind::NotConnected, OPERATION)
                    .what("the store is gone for good")
                    .with("url", args.guest.store.url(OPERATION)?));
            }
            Ok(change) if is_in(&shown, &change) => continue,
            Ok(change) => show(&change)?,
        }
        left = left.map(|left| left - 1);
    }
    store.close();
    Ok(0)
}

/// True if the key was shown with this change or a later one.
fn is_in(shown: &BTreeMap<String, u64>, change: &Change) -> bool {
    let (key, revision) = match change {
        Change::Put(entry) => (&entry.key, entry.revision),
        Change::Removed { key, revision, .. } => (key, *revision),
        Change::StoreLost => return false,
    };
    shown.get(key).is_some_and(|shown| revision <= *shown)
}
