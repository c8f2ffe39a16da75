// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf store`: runs a config store, and inspects one as a guest.
//!
//! * [`serve`]: the store itself, until a signal ends it.
//! * [`keys`]: get, set, add, delete, ls.
//! * [`watch`]: changes as they come.
//! * [`members`]: the members, and the state of the store.
//! * [`hang`]: who waits for whom.
//! * [`show`]: bytes as text and JSON.
//!
//! Secrets come from MF_JOB_SECRET or MF_JOB_SECRET_FILE, as everywhere; there is no option for them, because
//! arguments of programs can be read by every user of the machine.

mod hang;
mod keys;
mod members;
#[expect(unsafe_code, reason = "waits for signals")]
mod serve;
mod show;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use clap::Subcommand;
use mf_base::settings::settings;
use mf_base::{Error, Result};
use mf_store::{Access, Store, StoreUrl, UserStore, rendezvous};

use crate::run::parse_seconds;

const OPERATION: &str = "mf store";

/// Run a config store, or read and write in one.
///
/// URL is where the store is: tcp://ip:port (several addresses separated by commas: standby stores),
/// etcd://host:port/prefix, or reg://ip:port. The secret of the job comes from MF_JOB_SECRET or
/// MF_JOB_SECRET_FILE; with one, connections are encrypted, without, the store stays on this host unless
/// MF_STORE_TLS=off. All commands but serve are guests: they take no rank.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Get(keys::GetArgs),
    Set(keys::SetArgs),
    Add(keys::AddArgs),
    Delete(keys::DeleteArgs),
    Ls(keys::LsArgs),
    Watch(watch::Args),
    Members(members::MembersArgs),
    Status(members::StatusArgs),
    Hang(hang::Args),
}

/// What guests are shown that need no further argument.
#[derive(clap::Args)]
struct GuestArgs {
    /// The store, for example tcp://127.0.0.1:5570 [default: MF_CONFIG_STORE_URL].
    #[arg(value_name = "URL")]
    url: Option<String>,
    /// Longest time to reach the store, and for each answer.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    timeout: Duration,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl GuestArgs {
    /// With the store that is meant.
    fn guest(&self) -> Result<Guest> {
        let url = job_store(OPERATION, self.url.as_deref())?;
        Ok(Guest { url, timeout: self.timeout, json: self.json })
    }
}

/// The store that was typed, or that of the job in the environment.
pub(crate) fn job_store(operation: &'static str, typed: Option<&str>) -> Result<String> {
    let url = match typed {
        Some(url) => url,
        None => &settings()?.store_url,
    };
    if url.is_empty() {
        return Err(Error::invalid(operation, "no store of the job is named")
            .hint("name it: tcp://ip:port, or MF_CONFIG_STORE_URL"));
    }
    Ok(url.to_owned())
}

/// What other guests are shown.
#[derive(clap::Args)]
struct Guest {
    /// The store, for example tcp://127.0.0.1:5570.
    #[arg(value_name = "URL")]
    url: String,
    /// Longest time to reach the store, and for each answer.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    timeout: Duration,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Guest {
    /// Connects.
    fn enter(&self) -> Result<Arc<dyn Store>> {
        Ok(UserStore::shared(&self.enter_all()?))
    }

    /// Connects, and sees the keys of the library, too.
    fn enter_all(&self) -> Result<Arc<dyn Store>> {
        visit(&self.url, self.timeout)
    }
}

/// Connects to a store as a guest.
pub(crate) fn visit(url: &str, timeout: Duration) -> Result<Arc<dyn Store>> {
    rendezvous::visit(StoreUrl::parse(url)?, Access::default(), timeout.max(SHORTEST))
}

/// A timeout of zero asks for what can be had at once.
const SHORTEST: Duration = Duration::from_millis(1);

/// Runs a command.
pub(crate) fn main(args: &Args) -> Result<u8> {
    match &args.command {
        Command::Serve(args) => serve::main(args),
        Command::Get(args) => keys::get(args),
        Command::Set(args) => keys::set(args),
        Command::Add(args) => keys::add(args),
        Command::Delete(args) => keys::delete(args),
        Command::Ls(args) => keys::ls(args),
        Command::Watch(args) => watch::main(args),
        Command::Members(args) => members::members(args),
        Command::Status(args) => members::status(args),
        Command::Hang(args) => hang::main(args),
    }
}
