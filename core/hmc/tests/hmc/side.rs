// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A process of the tests: it reads commands, and answers each with a number.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use mf_base::Result;
use mf_hmc::buffer::DataIn;
use mf_hmc::communicator::{At, Communicator, Ranges};
use mf_hmc::{Buffer, ConnType, MemoryType, Status};

const OP: &str = "hmc test";
/// What answers begin with, among the lines of the test program.
const MARK: &str = "@ ";
const BYTES: u64 = 16 << 20;

/// A running process.
pub(crate) struct Side {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Side {
    pub(crate) fn start(environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::side", "--ignored", "--nocapture", "--test-threads=1"])
            .env_remove("MF_JOB_SECRET")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    /// Has it do something; its answer.
    pub(crate) fn call(&mut self, command: &str) -> i64 {
        self.begin(command);
        self.finish(command)
    }

    /// Has it do something that takes a while.
    pub(crate) fn begin(&mut self, command: &str) {
        writeln!(self.input, "{command}").unwrap();
    }

    /// Its answer to what it began.
    pub(crate) fn finish(&mut self, command: &str) -> i64 {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the process ended at: {command}");
            if let Some((_, answer)) = line.split_once(MARK) {
                return answer.trim().parse().unwrap();
            }
        }
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the process does.
pub(crate) fn serve() {
    let mut all: HashMap<u64, Communicator> = HashMap::new();
    for line in std::io::stdin().lines().map_while(std::result::Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.as_slice() {
            ["census", what] => census(what),
            [number, "end"] => {
                drop(all.remove(&number.parse().unwrap()));
                0
            }
            [number, what, numbers @ ..] => {
                let communicator = all.entry(number.parse().unwrap()).or_insert_with(|| {
                    // Only the first one has a large buffer.
                    let bytes = if *number == "0" { BYTES } else { 4096 };
                    let buffer = Buffer::new(OP, 0, MemoryType::Cpu as i32, bytes).unwrap();
                    Communicator::new(OP, Arc::new(buffer), 3).unwrap()
                });
                let numbers: Vec<u64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
                run(communicator, what, &numbers)
            }
            _ => panic!("no command: {line}"),
        };
        println!("\n{MARK}{answer}");
    }
}

fn census(what: &str) -> i64 {
    let folder = if what == "threads" { "/proc/self/task" } else { "/proc/self/fd" };
    i64::try_from(std::fs::read_dir(folder).unwrap().count()).unwrap()
}

fn status(result: Result<()>) -> i64 {
    let Err(error) = result else { return 0 };
    eprintln!("{error}");
    i64::from(Status::of(&error) as i32)
}

fn run(on: &Communicator, what: &str, numbers: &[u64]) -> i64 {
    let ip = "127.0.0.1";
    let conn = |number: u64| ConnType::from_number(i32::try_from(number).unwrap()).unwrap();
    let at = |port: u64, number: u64| At {
        ip: ip.as_bytes(),
        port: u16::try_from(port).unwrap(),
        conn: conn(number),
    };
    match (what, numbers) {
        ("listen", &[port, kind]) => status(on.listen(OP, ip, u16::try_from(port).unwrap(), conn(kind))),
        ("connect", &[port, kind]) => status(on.connect(OP, ip, u16::try_from(port).unwrap(), conn(kind))),
        ("check", &[port, kind]) => status(on.connection(OP, at(port, kind)).map(drop)),
        ("put", &[port, kind, local, remote, bytes]) => {
            status(on.put(OP, at(port, kind), Ranges { local, remote, bytes }))
        }
        ("get", &[port, kind, local, remote, bytes]) => {
            status(on.get(OP, at(port, kind), Ranges { local, remote, bytes }))
        }
        ("start", &[port, kind, local, remote, bytes]) => {
            i64::try_from(on.start(OP, at(port, kind), Ranges { local, remote, bytes }, true).unwrap())
                .unwrap()
        }
        ("pipeline", &[port, kind, local, remote, bytes, chunk, inflight]) => {
            let ranges = Ranges { local, remote, bytes };
            status(on.pipeline(OP, at(port, kind), ranges, (chunk, inflight), true))
        }
        ("wait", &[id]) => status(on.wait(OP, id)),
        // The status, or 1000 more than what is wrong with the data.
        ("send", &[port, kind, bytes, seed]) => {
            let data = pattern(bytes, seed);
            let memory = MemoryType::Cpu as i32;
            // SAFETY: the vector has so many bytes.
            status(unsafe { on.send_data(OP, at(port, kind), data.as_ptr(), bytes, memory) })
        }
        ("receive", &[port, kind, room, bytes, seed]) => {
            let mut data = vec![0; usize::try_from(room).unwrap()];
            let memory = MemoryType::Cpu as i32;
            // SAFETY: the vector has room for so many bytes.
            match unsafe { on.recv_data(OP, at(port, kind), data.as_mut_ptr(), room, memory) } {
                Ok(got) if got == bytes && data[..usize::try_from(got).unwrap()] == pattern(bytes, seed) => 0,
                Ok(got) => 1000 + i64::try_from(got).unwrap(),
                Err(error) => status(Err(error)),
            }
        }
        ("fill", &[offset, bytes, seed]) => {
            let data = pattern(bytes, seed);
            // SAFETY: the vector has so many bytes.
            status(unsafe { on.buffer().write(OP, data.as_ptr(), bytes, offset, DataIn::Host) })
        }
        ("stale", &[offset, bytes, seed]) => {
            let mut data = vec![0; usize::try_from(bytes).unwrap()];
            // SAFETY: the vector has so many bytes.
            unsafe { on.buffer().read(OP, data.as_mut_ptr(), bytes, offset, DataIn::Host) }.unwrap();
            let expected = pattern(bytes, seed);
            let stale = data.iter().zip(&expected).filter(|(one, other)| one != other).count();
            i64::try_from(stale).unwrap()
        }
        _ => panic!("no command: {what} {numbers:?}"),
    }
}

/// Bytes that differ from those of the next seed everywhere.
fn pattern(bytes: u64, seed: u64) -> Vec<u8> {
    (0..bytes).map(|at| (at.wrapping_mul(31) ^ (at >> 8)).wrapping_add(seed).to_le_bytes()[0]).collect()
}
