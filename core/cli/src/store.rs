// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf store`: runs a config store, and inspects one as a guest.
//!
//! * [`serve`]: the store itself, until a signal ends it.
//! * [`keys`]: get, set, add, delete, ls.
//! * [`watch`]: changes as they come.
//! * [`members`]: the members, and the state of the store.
//! * [`hang`]: waits between ranks.
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

use std::time::Duration;

use clap::Subcommand;
use mf_base::settings::settings;
use mf_base::{Error, Result};
use mf_bootstrap::StoreUrl;
use mf_program::store_option::STORE;

use crate::job_store::JobStore;
use crate::run::parse_seconds;
pub(crate) use show::escaped;

const OPERATION: &str = "mf store";

/// Run a config store, or read and write in one.
///
/// URL is the address of the store in every command: the first argument, or --store, or MF_CONFIG_STORE_URL;
/// tcp://ip:port (several addresses separated by commas: standby stores), etcd://host:port/prefix, or
/// reg://ip:port. The secret of the job comes from MF_JOB_SECRET or MF_JOB_SECRET_FILE; with one, connections
/// are encrypted, without, the store stays on this host unless MF_STORE_TLS=off. All commands but serve are
/// guests: they take no rank.
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

/// The store that a command works at.
#[derive(clap::Args)]
pub(crate) struct StoreArg {
    /// The store, for example tcp://127.0.0.1:5570; also as the first argument, without --store [default:
    /// MF_CONFIG_STORE_URL].
    #[arg(long = "store", id = STORE, value_name = "URL")]
    typed: Option<String>,
}

impl StoreArg {
    /// True if it was given on the command line.
    pub(crate) fn is_typed(&self) -> bool {
        self.typed.is_some()
    }

    /// The given store, or the store of the job in the environment.
    pub(crate) fn url(&self, operation: &'static str) -> Result<String> {
        let url = match &self.typed {
            Some(url) => url,
            None => &settings()?.store_url,
        };
        if url.is_empty() {
            return Err(Error::invalid(operation, "no store of the job is named")
                .hint("name it: tcp://ip:port, or MF_CONFIG_STORE_URL"));
        }
        Ok(url.to_owned())
    }
}

/// Output for guests.
#[derive(clap::Args)]
struct Guest {
    #[command(flatten)]
    store: StoreArg,
    /// Longest time to reach the store, and for each answer.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    timeout: Duration,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Guest {
    /// Connects.
    fn enter(&self) -> Result<JobStore> {
        enter(&self.store.url(OPERATION)?, self.timeout, false)
    }

    /// Connects, and sees the keys of the library, too.
    fn enter_all(&self) -> Result<JobStore> {
        visit(&self.store.url(OPERATION)?, self.timeout)
    }
}

/// Connects to a store as a guest, and sees the keys of the library, too. A timeout of zero asks for what can
/// be had at once.
pub(crate) fn visit(url: &str, timeout: Duration) -> Result<JobStore> {
    enter(url, timeout, true)
}

fn enter(url: &str, timeout: Duration, all_keys: bool) -> Result<JobStore> {
    // A malformed URL is refused without the library.
    StoreUrl::parse(url)?;
    JobStore::visit(url, timeout, all_keys)
}

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

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::CommandFactory;
    use mf_program::store_option::with_store_option;

    #[test]
    fn every_command_takes_the_store_as_argument_or_option() {
        let spelled = |text: &str| {
            let words = text.split(' ').map(OsString::from).collect();
            let words = with_store_option(&crate::Cli::command(), words);
            words.join(std::ffi::OsStr::new(" ")).into_string().unwrap()
        };
        for (typed, meant) in [
            ("mf store get tcp://a:1 k", "mf store get --store tcp://a:1 k"),
            (
                "mf store get --timeout 5 --raw tcp://a:1 k",
                "mf store get --timeout 5 --raw --store tcp://a:1 k",
            ),
            ("mf store set k tcp://a:1", "mf store set k tcp://a:1"),
            ("mf store set k -- tcp://a:1", "mf store set k -- tcp://a:1"),
            ("mf store get --store tcp://a:1 k", "mf store get --store tcp://a:1 k"),
            (
                "mf store serve --world-size 4 etcd://a:1/p",
                "mf store serve --world-size 4 --store etcd://a:1/p",
            ),
            ("mf top --interval=2 tcp://a:1 --web", "mf top --interval=2 --store tcp://a:1 --web"),
            ("mf top --web tcp://a:1", "mf top --web --store tcp://a:1"),
            ("mf explain tcp://a:1 0:1", "mf explain --store tcp://a:1 0:1"),
            ("mf explain 0:1 --store tcp://a:1", "mf explain 0:1 --store tcp://a:1"),
            ("mf run tcp://a:1 -n 2 -- cat tcp://b:1", "mf run --store tcp://a:1 -n 2 -- cat tcp://b:1"),
            ("mf run -n 2 -- cat tcp://b:1", "mf run -n 2 -- cat tcp://b:1"),
            ("mf info tcp://a:1", "mf info tcp://a:1"),
            ("mf", "mf"),
        ] {
            assert_eq!(spelled(typed), meant);
        }
    }
}
