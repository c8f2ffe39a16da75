// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Work of a member: its kind, and its arguments as JSON, on the command line of the process that is started
//! for it.

use std::process::Command;

use mf_base::{Error, Kind, Result};
use mf_program::child::ourselves;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Kind of a member's work.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Work {
    Acc,
    Benchmark,
    /// Keeps all cores busy until it is killed.
    Burn,
    /// Measures the C library's latency.
    CLibrary,
    Demo,
    Group,
    Hmc,
    Kernel,
    Net,
    Pool,
    Shmem,
    Store,
    /// Measures first touches.
    Touch,
    Transfer,
}

impl Work {
    /// Returns the task with these arguments.
    ///
    /// # Errors
    /// `Failed` the arguments have no JSON.
    pub(crate) fn with(self, arguments: &impl Serialize) -> Result<Task> {
        let arguments = serde_json::to_value(arguments).map_err(without_json)?;
        Ok(Task { work: self, arguments })
    }
}

fn without_json(error: serde_json::Error) -> Error {
    Error::new(Kind::Failed, "member").what("the task has no JSON").source(error)
}

/// Task of one member.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) work: Work,
    arguments: Value,
}

/// A member; started by another process of this program.
#[derive(clap::Args)]
pub struct Args {
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
        serde_json::from_str(&self.task).map_err(not_by_us)
    }
}

fn not_by_us(error: serde_json::Error) -> Error {
    Error::invalid("mf perf", "this command is started by mf perf").source(error)
}

impl Task {
    /// Its arguments.
    ///
    /// # Errors
    /// `InvalidParam` a person has started this command.
    pub(crate) fn arguments<T: DeserializeOwned>(self) -> Result<T> {
        serde_json::from_value(self.arguments).map_err(not_by_us)
    }

    /// The command that does it, in a process that ends with this one.
    ///
    /// # Errors
    /// `Failed` it has no JSON.
    pub(crate) fn command(&self) -> Result<Command> {
        let text = serde_json::to_string(self).map_err(without_json)?;
        Ok(ourselves(&["member", "--task", &text]))
    }
}
