// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Work of a member: JSON on the command line of the process that is started for it.

use std::process::Command;

use mf_base::{Error, Kind, Result};
use mf_program::child::ourselves;
use serde::{Deserialize, Serialize};

use crate::measurement::Measurement;
use crate::{acc, benchmark, demo, group, hmc, kernel, net, pool_member, shmem, store, transfer};

/// Work of one member.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task {
    /// With so many links that do nothing.
    Acc(u32),
    Benchmark(benchmark::Task),
    /// Keeps all cores busy until it is killed.
    Burn,
    Demo(demo::rank::Task),
    Group(group::Task),
    Hmc(hmc::Task),
    Kernel(kernel::Task),
    Net(Box<net::Args>),
    Pool(pool_member::Task),
    Shmem(shmem::Task),
    Store(store::Task),
    Transfer(transfer::Task),
}

/// A member; started by another process of this program.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Its [`Task`].
    #[arg(long)]
    task: String,
}

impl Args {
    /// The task.
    ///
    /// # Errors
    /// `InvalidParam` a person has started this command.
    pub(crate) fn task(&self) -> Result<Task> {
        serde_json::from_str(&self.task)
            .map_err(|error| Error::invalid("mf perf", "this command is started by mf perf").source(error))
    }
}

impl Task {
    /// The command that does it, in a process that ends with this one.
    ///
    /// # Errors
    /// `Failed` it has no JSON.
    pub(crate) fn command(&self) -> Result<Command> {
        let text = serde_json::to_string(self)
            .map_err(|error| Error::new(Kind::Failed, "member").what("the task has no JSON").source(error))?;
        Ok(ourselves(&["member", "--task", &text]))
    }

    /// Does it.
    ///
    /// # Errors
    /// As the member.
    pub(crate) fn run(&self) -> Result<()> {
        match self {
            Self::Acc(links) => acc::member(*links),
            Self::Burn => net::busy::burn(),
            Self::Benchmark(task) => benchmark::member(task),
            Self::Demo(task) => demo::rank::main(task),
            Self::Group(task) => group::member(task),
            Self::Hmc(task) => hmc::member(task),
            Self::Kernel(task) => kernel::member(task),
            Self::Net(task) => task.measure().map(drop),
            Self::Pool(task) => pool_member::main(task),
            Self::Shmem(task) => shmem::member(task),
            Self::Store(task) => store::member(task),
            Self::Transfer(task) => transfer::member(task),
        }
    }
}
