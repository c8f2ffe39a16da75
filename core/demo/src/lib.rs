// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The command `mf demo`: a pool at work on a file.
//!
//! This process starts the ranks, shows their progress and their figures, and notices when one fails.
//! `rank` runs in each rank; `plan` computes the place of every block.
//!
//! 1. All ranks join a pool; ranks are automatic.
//! 2. Rank 0 cuts the file into blocks and puts them into the segments of all ranks.
//! 3. The others read all of it through their own copies and compare SHA-256, block by block and as a whole.
//! 4. Every block moves to another rank, moved by a third one, and is compared again.
//! 5. One rank moves its blocks away and leaves; the others go on reading; a new rank joins and takes the
//!    blocks over.
//! 6. Two ranks read the whole file once more.

mod figures;
mod message;
mod plan;
mod rank;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mf_base::{ByteLen, Error, Kind, Result};
use mf_measure::members::{Job, Member};
use mf_program::output::print;
use mf_program::table::figure;

use message::Message;
use plan::Plan;
pub use rank::Task;

const OPERATION: &str = "mf demo";

/// Show a pool at work on a file: spread it, read it back, move it, leave and join, verify each step.
///
/// RANKS processes form a pool. The file is spread over it, read back by every other rank, verified by
/// SHA-256, moved between ranks, and stays readable while one rank leaves and a new one joins. The table at
/// the end shows what each rank held and how fast its copies were, beside plain memcpy in the same run. Any
/// difference ends it with exit code 1.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf demo /usr/bin/python3 -n 4")]
pub struct Args {
    /// The file; it is only read.
    file: PathBuf,
    /// Number of ranks.
    #[arg(short = 'n', long = "ranks", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    ranks: u32,
}

/// Runs the demonstration, and returns the exit code.
///
/// **Local.** Blocks until all ranks have ended. Each is a process of this very program, which then calls
/// [`Task::run`].
///
/// # Errors
/// `InvalidParam` an unusable file · `OutOfMemory` · `Failed` a rank failed, or read a difference.
pub fn main(args: &Args) -> Result<u8> {
    let bytes = file_bytes(&args.file)?;
    let plan = Plan::new(bytes, args.ranks);
    check_memory(&plan)?;
    print(&format!(
        "{}: {} in {} blocks of {} over {} ranks, {} a rank\n",
        args.file.display(),
        ByteLen(bytes),
        plan.blocks(),
        ByteLen(plan.block_bytes()),
        args.ranks,
        ByteLen(plan.segment_bytes())
    ))?;
    let start = Instant::now();
    let mut show = Show::start(args, &plan)?;
    let outcome = show.watch();
    show.bar.finish_and_clear();
    outcome?;
    print(&format!("\n{}", message::table(&show.rows)))?;
    let seconds = start.elapsed().as_secs_f64();
    print(&format!("\nevery block was read back equal; {} s in all\n", figure(seconds)))?;
    Ok(0)
}

fn file_bytes(path: &Path) -> Result<u64> {
    let refuse = |what: &str| Error::invalid(OPERATION, what).with("file", path.display());
    let facts = std::fs::metadata(path).map_err(|error| refuse("the file cannot be found").source(error))?;
    if facts.is_dir() {
        return Err(refuse("this is a directory").hint("name a file"));
    }
    if !facts.is_file() {
        return Err(
            refuse("this is not a regular file, so its size is not known").hint("copy it to a file first")
        );
    }
    File::open(path).map_err(|error| refuse("the file cannot be read").source(error))?;
    Ok(facts.len())
}

fn check_memory(plan: &Plan) -> Result<()> {
    let available = mf_program::procfs::meminfo("MemAvailable").unwrap_or(u64::MAX);
    let limit = mf_base::os::process::cgroup_memory_limit().unwrap_or(u64::MAX);
    let (needed, room) = (plan.memory_bytes(), available.min(limit));
    if needed <= room {
        return Ok(());
    }
    Err(Error::new(Kind::OutOfMemory, OPERATION)
        .what("the file is too large for this machine's memory: every block is held twice while it moves")
        .with("file", ByteLen(plan.file_bytes()))
        .with("needed", ByteLen(needed))
        .with("available", ByteLen(room)))
}

/// Live display on the user's terminal.
struct Show {
    job: Job,
    /// The process that serves the store: with automatic ranks any rank may leave.
    store: Option<Member>,
    task: Task,
    members: BTreeMap<usize, Member>,
    started: usize,
    sender: Sender<(usize, Option<String>)>,
    receiver: Receiver<(usize, Option<String>)>,
    expected_rows: usize,
    rows: Vec<message::Row>,
    bar: ProgressBar,
}

impl Show {
    fn start(args: &Args, plan: &Plan) -> Result<Self> {
        let (sender, receiver) = channel();
        let file = args.file.to_str().map(str::to_owned).ok_or_else(|| {
            Error::invalid(OPERATION, "the name of the file is not UTF-8")
                .hint("give it a link with another name")
        })?;
        let (bytes, ranks) = (plan.file_bytes(), args.ranks);
        let task = Task { file, bytes, ranks, newcomer: false, store_only: false };
        // The leaving rank and its replacement have two rows.
        let expected_rows = args.ranks as usize + usize::from(args.ranks > 1);
        let job = Job::new()?;
        let store = Task { store_only: true, ..task.clone() };
        let mut store = job.start("store", &store, &[])?;
        // Its first line says that it listens.
        store.line()?;
        let mut show = Self {
            job,
            store: Some(store),
            task,
            members: BTreeMap::new(),
            started: 0,
            sender,
            receiver,
            expected_rows,
            rows: Vec::new(),
            bar: progress_bar(plan.work_bytes()),
        };
        for _ in 0..args.ranks {
            show.add(false)?;
        }
        Ok(show)
    }

    fn add(&mut self, newcomer: bool) -> Result<()> {
        // Never used twice: the last words of a process may come after its successor was started.
        let number = self.started;
        self.started += 1;
        let task = Task { newcomer, ..self.task.clone() };
        let mut member = self.job.start(&format!("process {number}"), &task, &[])?;
        let sender = self.sender.clone();
        member.listen(move |line| {
            // There is no receiver any more when the demonstration has failed elsewhere.
            let _ = sender.send((number, line));
        });
        self.members.insert(number, member);
        Ok(())
    }

    /// Follows the ranks until all have delivered their figures and ended.
    fn watch(&mut self) -> Result<()> {
        while self.rows.len() < self.expected_rows {
            let (number, line) =
                self.receiver.recv().map_err(|error| Error::new(Kind::Failed, OPERATION).source(error))?;
            match line.as_deref().map(Message::parse).transpose()? {
                Some(Message::Progress { bytes }) => self.bar.inc(bytes),
                Some(Message::Note { text }) => self.note(&text)?,
                Some(Message::Figures(row)) => self.rows.push(row),
                Some(Message::Left { rank }) => {
                    self.note(&format!("rank {rank} left the pool; a new process asks to join"))?;
                    self.members.remove(&number).map_or(Ok(()), Member::end)?;
                    self.add(true)?;
                }
                None if self.members.contains_key(&number) => {
                    return Err(Error::new(Kind::Failed, OPERATION)
                        .what("a rank ended before its work was done: its message stands above")
                        .with("process", number));
                }
                None => {}
            }
        }
        std::mem::take(&mut self.members).into_values().try_for_each(Member::end)?;
        self.store.take().map_or(Ok(()), Member::end)
    }

    fn note(&self, text: &str) -> Result<()> {
        self.bar.suspend(|| print(&format!("  {text}\n")))
    }
}

fn progress_bar(bytes: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {bytes_per_sec}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
