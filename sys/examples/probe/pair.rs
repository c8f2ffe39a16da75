// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The second process of a rule, and the lines that the two exchange.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::cann::Cann;
use crate::child::{self, Ended};
use crate::options::Options;
use crate::rule::{Rule, Stop};

/// Prefix of a line for the other process; libraries print to the same stream.
const MARK: &str = "probe-peer ";
/// Longest wait for a line. Starting real libraries takes seconds.
const TIMEOUT: Duration = Duration::from_secs(60);

/// One end of the conversation.
pub(crate) struct Talk {
    to: Box<dyn Write>,
    from: Receiver<String>,
}

impl Talk {
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Stop> {
        let lost = |error| Stop::Before(format!("the other process does not listen: {error}"));
        writeln!(self.to, "\n{MARK}{line}").and_then(|()| self.to.flush()).map_err(lost)
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let mut line = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(line, "{byte:02x}");
        }
        self.send(&line)
    }

    /// The next line of the other process.
    pub(crate) fn receive(&mut self) -> Result<String, Stop> {
        loop {
            let line = self.from.recv_timeout(TIMEOUT).map_err(|_| {
                Stop::Before(format!("the other process ended, or printed nothing for {TIMEOUT:?}"))
            })?;
            match line.strip_prefix(MARK).map(|line| line.split_once(' ').unwrap_or((line, ""))) {
                None => {}
                Some(("stopped", why)) => return Err(Stop::Before(format!("in the other process: {why}"))),
                Some(("missing", why)) => return Err(Stop::NotHere(why.to_owned())),
                Some(_) => return Ok(line[MARK.len()..].to_owned()),
            }
        }
    }

    pub(crate) fn receive_bytes(&mut self) -> Result<Vec<u8>, Stop> {
        let line = self.receive()?;
        let byte = |at: usize| u8::from_str_radix(line.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..line.len()).step_by(2).map(byte).collect();
        bytes.ok_or_else(|| Stop::Before(format!("the other process printed {line:?}")))
    }
}

/// The second process; it is over when this is dropped.
pub(crate) struct Peer {
    pub(crate) talk: Talk,
    child: Ended,
}

impl Peer {
    /// Starts the second process of the rule that this process answers.
    pub(crate) fn start() -> Result<Self, Stop> {
        let failed = |why: String| Stop::Before(format!("the second process: {why}"));
        let mut options = Options::parse(std::env::args().skip(1)).map_err(failed)?;
        let crate::Task::Answer(id) = std::mem::replace(&mut options.task, crate::Task::Ask) else {
            return Err(failed("only who answers a rule has one".to_owned()));
        };
        let mut command = child::command(&options, &["--accompany".into(), id.into()]).map_err(failed)?;
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = Ended(spawned.map_err(|error| failed(error.to_string()))?);
        let from = child::lines_of(&mut child.0).map_err(failed)?;
        let to: ChildStdin = child.0.stdin.take().ok_or_else(|| failed("its input is lost".to_owned()))?;
        Ok(Self { talk: Talk { to: Box::new(to), from }, child })
    }
}

impl Peer {
    /// Waits until it has ended.
    pub(crate) fn wait(&mut self) -> Result<(), Stop> {
        loop {
            match self.talk.from.recv_timeout(TIMEOUT) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Stop::Before(format!("the second process did not end within {TIMEOUT:?}")));
                }
            }
        }
        let ended = self.child.0.wait();
        ended.map(drop).map_err(|error| Stop::Before(format!("the end of the second process: {error}")))
    }
}

/// In the second process: does its part of the rule.
pub(crate) fn accompany(options: &Options, rule: &'static Rule) -> Result<u8, String> {
    let part = rule.peer.ok_or_else(|| format!("{} needs no second process", rule.id))?;
    let (sender, from) = mpsc::channel();
    std::thread::spawn(move || {
        // Ends with the input, or when the receiver is gone.
        std::io::stdin().lock().lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let mut talk = Talk { to: Box::new(std::io::stdout()), from };
    let mut cann = Cann::open(options)?;
    let outcome = cann.start(rule.start).and_then(|()| part(&cann, &mut talk));
    // When the first process is gone, the result is not needed.
    let _ = match outcome {
        Ok(()) => Ok(()),
        Err(Stop::NotHere(why)) => talk.send(&format!("missing {why}")),
        Err(Stop::Before(why)) => talk.send(&format!("stopped {why}")),
    };
    cann.end();
    Ok(0)
}
