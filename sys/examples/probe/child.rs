// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One question, one process: what crashes or hangs there is an answer too.
//!
//! A child writes one line with [`MARK`] and JSON to its standard output; other output of the libraries is
//! ignored.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::cann::{Cann, Machine, Product};
use crate::options::Options;
use crate::rule::{Answer, Reply, Rule, Start, Stop};

/// Prefix of a child's answer line.
const MARK: &str = "probe-answer ";
/// Longest life of a child. Starting real libraries takes seconds, and a communicator waits two minutes for
/// its members.
const TIMEOUT: Duration = Duration::from_secs(180);
/// The machine that the simulator makes for one run of the probe, so that no other program is met there.
const SESSION: &str = "ASCEND_SIM_SESSION";

/// In the child: says what machine this is.
pub(crate) fn describe(options: &Options) -> Result<u8, String> {
    let mut cann = match Cann::open(options) {
        Ok(cann) => cann,
        Err(why) => return send(&json!({ "failed": why })).map(|()| 0),
    };
    let origin = cann.acl().origin();
    let (simulator, file) = (origin.simulator().map(str::to_owned), origin.file().display().to_string());
    let acl = origin.version().map_or_else(|| "unknown".to_owned(), |version| version.to_string());
    let package = cann.acl().package_version(c"runtime").unwrap_or_else(|_| "unknown".to_owned());
    let (soc, devices) = match cann.start(Start::Initialised) {
        Ok(()) => (cann.acl().soc_name().unwrap_or_default(), cann.acl().device_count().unwrap_or(0)),
        Err(_) => (String::new(), 0),
    };
    send(&json!({
        "simulator": simulator, "acl": acl, "cann": package, "soc": soc, "devices": devices, "file": file,
    }))?;
    cann.end();
    Ok(0)
}

/// In the child: answers one rule.
pub(crate) fn answer(options: &Options, rule: &'static Rule) -> Result<u8, String> {
    let mut cann = Cann::open(options)?;
    let reply = cann.start(rule.start).and_then(|()| (rule.ask)(&cann));
    send(&match reply {
        Ok(Answer { found, text }) => json!({ "said": found, "text": text }),
        Err(Stop::NotHere(why)) => json!({ "missing": why }),
        Err(Stop::Before(why)) => json!({ "failed": why }),
    })?;
    cann.end();
    Ok(0)
}

fn send(what: &Value) -> Result<(), String> {
    // On a new line, in case a library has left one unfinished.
    writeln!(std::io::stdout(), "\n{MARK}{what}").map_err(|error| format!("standard output: {error}"))
}

/// Asks a child for the description of this machine.
pub(crate) fn query_machine(options: &Options) -> Result<Machine, String> {
    let facts = run(options, &["--describe".into()], &[])?;
    if let Some(why) = facts["failed"].as_str() {
        return Err(why.to_owned());
    }
    let text = |name: &str| facts[name].as_str().unwrap_or_default().to_owned();
    let soc = text("soc");
    let devices = facts["devices"].as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
    Ok(Machine {
        simulator: facts["simulator"].as_str().map(str::to_owned),
        acl: text("acl"),
        cann: text("cann"),
        // An unknown product is compared with the simulator's default.
        product: Product::from_soc(&soc).unwrap_or(Product::A3),
        soc,
        devices,
        file: text("file"),
    })
}

/// Puts one question.
pub(crate) fn query(options: &Options, rule: &Rule) -> Reply {
    let found = match run(options, &["--answer".into(), rule.id.into()], rule.environment) {
        Ok(found) => found,
        Err(why) => return Reply::Unanswered(why),
    };
    let text = |name: &str| found[name].as_str().map(str::to_owned);
    match (text("said"), text("missing"), text("failed")) {
        (Some(found), ..) => Reply::Answer(Answer { found, text: text("text").unwrap_or_default() }),
        (_, Some(why), _) => Reply::NotHere(why),
        (.., why) => Reply::Unanswered(why.unwrap_or_else(|| "the answer is not one".to_owned())),
    }
}

/// Builds the command that runs this program as a child.
pub(crate) fn command(options: &Options, arguments: &[OsString]) -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program has no path: {error}"))?;
    let mut command = Command::new(program);
    command.args(options.for_children()).args(arguments);
    command.stderr(if options.verbose { Stdio::inherit() } else { Stdio::null() });
    Ok(command)
}

/// Runs a child to its end and returns its output.
fn run(options: &Options, arguments: &[OsString], environment: &[(&str, &str)]) -> Result<Value, String> {
    let mut command = command(options, arguments)?;
    command.envs(environment.iter().copied()).stdin(Stdio::null()).stdout(Stdio::piped());
    if std::env::var_os(SESSION).is_none() {
        command.env(SESSION, format!("probe-{}", std::process::id()));
    }
    let mut child =
        Ended(command.spawn().map_err(|error| format!("a process of its own cannot be started: {error}"))?);
    let lines = lines_of(&mut child.0)?;
    let mut last = None;
    let mut others = Vec::new();
    loop {
        match lines.recv_timeout(TIMEOUT) {
            Ok(line) => match line.strip_prefix(MARK) {
                Some(answer) => last = Some(answer.to_owned()),
                None => others.push(line),
            },
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => return Err(format!("it printed nothing for {TIMEOUT:?}")),
        }
    }
    let status = child.0.wait().map_err(|error| format!("its end cannot be seen: {error}"))?;
    match last {
        // A crash after the answer does not void it.
        Some(answer) => {
            serde_json::from_str(&answer).map_err(|error| format!("its answer is not one: {error}"))
        }
        None => Err(format!("{}{}", described(status), quoted(&others))),
    }
}

/// The lines that a child writes, until it ends.
pub(crate) fn lines_of(child: &mut Child) -> Result<mpsc::Receiver<String>, String> {
    let output = child.stdout.take().ok_or("its output is lost")?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // Ends with the output, or when the receiver is gone.
        BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    Ok(receiver)
}

/// A child that is over when this is dropped.
pub(crate) struct Ended(pub(crate) Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn described(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (_, Some(libc::SIGSEGV)) => "its process died of SIGSEGV".to_owned(),
        (_, Some(libc::SIGABRT)) => "its process died of SIGABRT".to_owned(),
        (_, Some(signal)) => format!("its process died of signal {signal}"),
        (code, None) => format!("its process ended with {} and no answer", code.unwrap_or(-1)),
    }
}

/// Quotes the last output of a child that gave no answer.
fn quoted(lines: &[String]) -> String {
    let last = lines.iter().rev().find(|line| !line.trim().is_empty());
    last.map(|line| format!(": {line}")).unwrap_or_default()
}
