// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A process that executes the test's orders.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::deadline;
use crate::guests;
use crate::order::{Answer, Failure, Order};
use crate::transcript::Transcript;

/// Names the parent to the process, so that it notices when that is gone before it could ask for a signal.
pub const PARENT_VARIABLE: &str = "MF_TEST_PARENT";

/// `false`: members do not map each other's memory but use the network, all tests alike.
pub const SHARED_MEMORY_VARIABLE: &str = "MF_TEST_SHM";

/// True if members map each other's memory in this run of the tests.
pub fn shares_memory() -> bool {
    std::env::var_os(SHARED_MEMORY_VARIABLE).is_none_or(|value| value != "false")
}

/// As [`shares_memory`]; says why a test is skipped where they do not.
pub fn needs_shared_memory(what: &str) -> bool {
    let shares = shares_memory();
    if !shares {
        crate::skip(what, format!("members do not map each other's memory ({SHARED_MEMORY_VARIABLE}=false)"));
    }
    shares
}

/// A member process. Dropping it kills it.
#[derive(Debug)]
pub struct Member {
    name: String,
    child: Child,
    orders: Option<ChildStdin>,
    answers: Receiver<Result<Answer, Failure>>,
    /// Orders with an answer not taken yet.
    waiting_for: Vec<String>,
    readers: Vec<JoinHandle<()>>,
    transcript: Transcript,
}

impl Member {
    /// Starts `program` with nothing but `environment` of the library's settings. `through`: the words of a
    /// command that becomes the program in its place, such as one that enters a network namespace.
    pub(crate) fn start(
        through: &[String],
        program: &Path,
        name: &str,
        environment: &[(String, String)],
        transcript: &Transcript,
    ) -> Self {
        let mut command = match through.split_first() {
            None => Command::new(program),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
        };
        for (variable, _) in std::env::vars_os() {
            if variable.to_string_lossy().starts_with("MF_") {
                command.env_remove(variable);
            }
        }
        command.env(PARENT_VARIABLE, std::process::id().to_string());
        // The member's own waits end before the test's wait for its answer.
        command.env(deadline::VARIABLE, (deadline::limit() / 2).as_secs().max(1).to_string());
        if let Some(value) = std::env::var_os(SHARED_MEMORY_VARIABLE) {
            command.env("MF_SHM", value);
        }
        if guests::are_used() {
            command.env("MF_TRANSPORTS", guests::TRANSPORT);
        }
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the member program starts");
        let (sender, answers) = channel();
        let readers = vec![
            read_answers(child.stdout.take().unwrap(), sender, name, transcript),
            read_output(child.stderr.take().unwrap(), name, transcript),
        ];
        let orders = child.stdin.take();
        let (name, transcript) = (name.to_owned(), transcript.clone());
        Self { name, child, orders, answers, waiting_for: Vec::new(), readers, transcript }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Orders something; [`Member::answer`] takes the answer.
    pub fn send(&mut self, order: &Order) {
        let mut line = serde_json::to_string(order).unwrap();
        self.transcript.note(&self.name, &format!("< {order:?}"));
        self.waiting_for.push(format!("{order:?}"));
        line.push('\n');
        // A member that has ended shows when its answer is taken.
        if let Some(orders) = &mut self.orders {
            let _ = orders.write_all(line.as_bytes());
        }
    }

    /// The answer to the oldest order without one.
    #[track_caller]
    pub fn answer(&mut self) -> Result<Answer, Failure> {
        self.answer_within(deadline::limit())
    }

    /// The same, for which the test waits so long.
    #[track_caller]
    pub fn answer_within(&mut self, limit: Duration) -> Result<Answer, Failure> {
        assert!(!self.waiting_for.is_empty(), "{} was ordered nothing", self.name);
        let order = self.waiting_for.remove(0);
        match self.answers.recv_timeout(limit) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => {
                panic!("{} did not answer to {order} within {limit:?}{}", self.name, self.state())
            }
            Err(RecvTimeoutError::Disconnected) => {
                panic!("{} ended instead of answering to {order}: {:?}", self.name, self.child.wait())
            }
        }
    }

    /// Orders something and takes the answer.
    #[track_caller]
    pub fn order(&mut self, order: &Order) -> Result<Answer, Failure> {
        self.send(order);
        self.answer()
    }

    /// Orders something that must succeed.
    #[track_caller]
    pub fn ok(&mut self, order: &Order) -> Answer {
        match self.order(order) {
            Ok(answer) => answer,
            Err(failure) => panic!("{} failed to {order:?}: {}", self.name, failure.text),
        }
    }

    /// Orders something that must succeed with a number.
    #[track_caller]
    pub fn number(&mut self, order: &Order) -> u64 {
        match self.ok(order) {
            Answer::Number(number) => number,
            other => panic!("{} answered to {order:?}: {other:?}", self.name),
        }
    }

    /// Orders something that must fail.
    #[track_caller]
    pub fn refused(&mut self, order: &Order) -> Failure {
        match self.order(order) {
            Err(failure) => failure,
            Ok(answer) => panic!("{} did {order:?}, which must fail: {answer:?}", self.name),
        }
    }

    /// Kills it at once, as `kill -9` does, and waits until it is gone.
    pub fn kill(&mut self) {
        self.transcript.note(&self.name, "killed");
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.waiting_for.clear();
    }

    /// Stops it as Ctrl-Z does, and waits until all its threads stand still. First it may come to rest for a
    /// moment: a process that is stopped inside the simulator's lock stops the whole machine.
    pub fn stop(&self) {
        let end = Instant::now() + Duration::from_millis(200);
        while !self.sleeps() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.signal(Signal::STOP);
        assert!(
            deadline::wait_until(|| self.thread_states().iter().all(|state| *state == 'T')),
            "it runs on"
        );
        self.transcript.note(&self.name, "stopped");
    }

    /// Lets it go on after [`Member::stop`].
    pub fn resume(&self) {
        self.transcript.note(&self.name, "goes on");
        self.signal(Signal::CONT);
    }

    /// Waits until it ends by itself or by another's hand.
    pub fn wait_for_end(&mut self) -> ExitStatus {
        let mut status = None;
        let ended = deadline::wait_until(|| {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        assert!(ended, "{} does not end{}", self.name, self.state());
        self.waiting_for.clear();
        status.unwrap()
    }

    /// Announces the end of orders: the member ends after carrying out the earlier ones.
    pub fn close_orders(&mut self) {
        self.orders = None;
    }

    /// Announces that no further orders come, and waits until it ends.
    pub fn dismiss(mut self) {
        self.close_orders();
        let status = self.wait_for_end();
        assert!(status.success(), "{} ended with {status}", self.name);
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.pid().cast_signed()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// True if all its threads sleep: it waits, and has answered.
    pub fn sleeps(&self) -> bool {
        let states = self.thread_states();
        !states.is_empty() && states.iter().all(|state| *state == 'S')
    }

    fn thread_states(&self) -> Vec<char> {
        thread_states(self.pid()).into_iter().map(|(_, state)| state).collect()
    }

    /// States of its threads, for the text of a failure.
    fn state(&self) -> String {
        format!("; it is {:?}, its threads are {:?}", self.pid(), self.thread_states())
    }
}

/// The threads of a process with the states that the kernel gives them: `S` sleeps, `R` runs, `T` is stopped.
pub fn thread_states(pid: u32) -> Vec<(u32, char)> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten();
    let states = threads.filter_map(|thread| {
        let thread = thread.ok()?;
        let text = std::fs::read_to_string(thread.path().join("stat")).ok()?;
        let state = text.rsplit(')').next()?.trim_start().chars().next()?;
        Some((thread.file_name().to_str()?.parse().ok()?, state))
    });
    states.collect()
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
    }
}

fn read_answers(
    stdout: impl Read + Send + 'static,
    sender: Sender<Result<Answer, Failure>>,
    name: &str,
    transcript: &Transcript,
) -> JoinHandle<()> {
    let (name, transcript) = (name.to_owned(), transcript.clone());
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            transcript.note(&name, &format!("> {line}"));
            let answer = serde_json::from_str(&line)
                .unwrap_or_else(|error| Err(Failure::wrong(format!("no answer ({error}): {line}"))));
            // The receiver may be gone.
            let _ = sender.send(answer);
        }
    })
}

fn read_output(stderr: impl Read + Send + 'static, name: &str, transcript: &Transcript) -> JoinHandle<()> {
    let (name, transcript) = (name.to_owned(), transcript.clone());
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            transcript.note(&name, &line);
        }
    })
}
