// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Processes of this very program that work as members of a job: started, read line by line, ended by
//! the end of their input.
//!
//! The work of a member is JSON on its command line, after the hidden command `member` of the program.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};
use mf_program::child::ourselves;
use mf_program::output::print;
use mf_program::ports::{local_store_url, random_secret};
use mf_program::progress;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A member; started by another process of this program.
#[derive(clap::Args)]
pub struct Args {
    /// Its work.
    #[arg(long)]
    task: String,
}

impl Args {
    /// Returns the work.
    ///
    /// # Errors
    /// `InvalidParam` a person has started this command.
    pub fn task<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(&self.task).map_err(|error| {
            Error::invalid("member", "this command is started by the program itself").source(error)
        })
    }
}

/// Returns the command that does this work, in a process that ends with this one.
///
/// # Errors
/// `Failed` it has no JSON.
pub fn command(task: &impl Serialize) -> Result<Command> {
    let text = serde_json::to_string(task)
        .map_err(|error| Error::new(Kind::Failed, "member").what("the task has no JSON").source(error))?;
    Ok(ourselves(&["member", "--task", &text]))
}

/// Common data of the members of one job.
pub struct Job {
    /// Store of the job.
    pub store_url: String,
    /// `None`: the secret from the environment.
    secret: Option<String>,
}

impl Job {
    /// A job with a store and a secret of its own.
    ///
    /// # Errors
    /// `Failed` when the loopback has no free port.
    pub fn new() -> Result<Self> {
        Self::at(local_store_url()?)
    }

    /// A job at this store, with a secret of its own.
    ///
    /// # Errors
    /// `Failed` when the kernel gives no random bytes.
    pub fn at(store_url: String) -> Result<Self> {
        Ok(Self { store_url, secret: Some(random_secret()?) })
    }

    /// A job at this store, with the secret of the environment.
    pub fn for_store(store_url: String) -> Self {
        Self { store_url, secret: None }
    }

    /// Starts members with the ranks from 0.
    ///
    /// # Errors
    /// As [`Job::start`].
    pub fn start_ranks<T: Serialize>(
        &self,
        ranks: u32,
        task: impl Fn(u32) -> T,
        extra: &[(&str, &str)],
    ) -> Result<Vec<Member>> {
        (0..ranks).map(|rank| self.start(&format!("rank {rank}"), &task(rank), extra)).collect()
    }

    /// Starts a member; `extra` goes into its environment.
    ///
    /// # Errors
    /// `Failed` when no process can be started.
    pub fn start(&self, name: &str, task: &impl Serialize, extra: &[(&str, &str)]) -> Result<Member> {
        let mut command = command(task)?;
        command.env("MF_CONFIG_STORE_URL", &self.store_url);
        command.envs(self.secret.iter().map(|secret| ("MF_JOB_SECRET", secret)));
        command.envs(extra.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            Error::new(Kind::Failed, "member")
                .what("a member cannot be started")
                .with("member", name)
                .source(error)
        })?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output =
            output.ok_or_else(|| Error::new(Kind::Failed, "member").what("a member has no output"))?;
        Ok(Member { name: name.to_owned(), input, lines: Some(BufReader::new(output).lines()), child })
    }
}

/// A running member. Dropping it ends it.
pub struct Member {
    name: String,
    input: Option<ChildStdin>,
    lines: Option<Lines<BufReader<ChildStdout>>>,
    child: Child,
}

impl Member {
    /// The next line that it prints. Blocks until it does, or ends.
    ///
    /// # Errors
    /// `Failed` when it ended instead; the reason is on standard error.
    pub fn line(&mut self) -> Result<String> {
        match self.lines.as_mut().and_then(Iterator::next) {
            Some(Ok(line)) => {
                progress::set_step(|| format!("{} has reported", self.name));
                Ok(line)
            }
            Some(Err(_)) | None => {
                let status =
                    self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
                Err(Error::new(Kind::Failed, "member")
                    .what("a member ended before its work was done")
                    .with("member", &self.name)
                    .with("status", status))
            }
        }
    }

    /// Its next line as a value. Blocks as [`Member::line`] does.
    ///
    /// # Errors
    /// `Failed` when it ended instead, or printed something else.
    pub fn value<T: DeserializeOwned>(&mut self) -> Result<T> {
        let line = self.line()?;
        serde_json::from_str(&line).map_err(|error| {
            Error::new(Kind::Failed, "member")
                .what("a member printed something unexpected")
                .with("member", &self.name)
                .with("line", &line)
                .source(error)
        })
    }

    /// Sends it a line.
    ///
    /// # Errors
    /// `Failed` when it has ended.
    pub fn send(&mut self, line: &str) -> Result<()> {
        let sent = self.input.as_mut().map_or(Ok(()), |input| writeln!(input, "{line}"));
        sent.map_err(|error| {
            Error::new(Kind::Failed, "member")
                .what("a member does not read any more")
                .with("member", &self.name)
                .source(error)
        })
    }

    /// Its process.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Hands its lines to `receive`, on a thread of its own: each line, and none at their end.
    pub fn listen(&mut self, receive: impl Fn(Option<String>) + Send + 'static) {
        let Some(lines) = self.lines.take() else { return };
        std::thread::spawn(move || {
            for line in lines.map_while(std::result::Result::ok) {
                receive(Some(line));
            }
            receive(None);
        });
    }

    /// Closes its input, by which it ends.
    pub fn release(&mut self) {
        drop(self.input.take());
    }

    /// Closes its input, by which it ends, and waits for that.
    ///
    /// # Errors
    /// `Failed` when it did not end well.
    pub fn end(mut self) -> Result<()> {
        self.release();
        let status = self.child.wait().map_err(|error| Error::new(Kind::Failed, "member").source(error))?;
        if status.success() {
            return Ok(());
        }
        Err(Error::new(Kind::Failed, "member")
            .what("a member failed")
            .with("member", &self.name)
            .with("status", status))
    }
}

/// The next value of each.
///
/// # Errors
/// As [`Member::value`].
pub fn values<T: DeserializeOwned>(members: &mut [Member]) -> Result<Vec<T>> {
    members.iter_mut().map(Member::value).collect()
}

/// Ends all, in reverse order: the first serves the store.
///
/// # Errors
/// As [`Member::end`].
pub fn end_all(members: Vec<Member>) -> Result<()> {
    members.into_iter().rev().try_for_each(Member::end)
}

impl Drop for Member {
    fn drop(&mut self) {
        // After `end` both have no effect.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// In a member: prints a value as a line for the starter.
///
/// # Errors
/// `Failed` it has no JSON, or standard output takes no more.
pub fn print_value(value: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(value)
        .map_err(|error| Error::new(Kind::Failed, "member").what("a value has no JSON").source(error))?;
    print(&format!("{line}\n"))
}

/// In a member: the URL of the job's store, which the starter sets.
///
/// # Errors
/// `InvalidParam` when this process was started otherwise.
pub fn store_url() -> Result<String> {
    let url = settings()?.store_url.clone();
    if url.is_empty() {
        return Err(Error::invalid("mf perf", "MF_CONFIG_STORE_URL is not set")
            .hint("this command is started by mf perf"));
    }
    Ok(url)
}

/// In a member: blocks until the starter sends a line, closes our input or ends.
pub fn wait_for_line() {
    let mut line = String::new();
    // Without a line the starter has ended; what follows will notice.
    let _ = std::io::stdin().lock().read_line(&mut line);
}

/// In a member: blocks until the starter closes our input or ends.
pub fn wait_for_end() {
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    while matches!(input.read_line(&mut line), Ok(count) if count > 0) {
        line.clear();
    }
}
