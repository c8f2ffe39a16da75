// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A process of the tests: reads commands, and answers each with a number.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::settings::Users;
use mf_hmc::buffer::DataIn;
use mf_hmc::communicator::{At, Communicator, Ranges};
use mf_hmc::ctrl::{Listen, PROCESS, Rules};
use mf_hmc::{Buffer, ConnType, MemoryType, Status};
use mf_tls::JobSecret;

use crate::acts::Act;
use crate::refused::forked;
use crate::stale::End;

const OP: &str = "hmc test";
/// Prefix of answers, among the output of the test program.
const MARK: &str = "@ ";
const BYTES: u64 = 16 << 20;
/// Longest wait for an answer.
const ANSWERS: Duration = Duration::from_secs(120);

/// A running process.
pub(crate) struct Side {
    child: Child,
    input: ChildStdin,
    answers: Receiver<i64>,
}

impl Side {
    pub(crate) fn start(environment: &[(&str, &str)]) -> Self {
        let mut child = crate::unreachable::command(environment)
            .args(["--exact", "processes::side", "--ignored", "--nocapture", "--test-threads=1"])
            .env_remove("MF_JOB_SECRET")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(std::result::Result::ok) {
                let Some((_, answer)) = line.split_once(MARK) else { continue };
                if sender.send(answer.trim().parse().unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { child, input, answers }
    }

    /// Runs a command. Returns its answer.
    pub(crate) fn call(&mut self, command: &str) -> i64 {
        self.begin(command);
        self.finish(command)
    }

    /// Starts a command that takes a while.
    pub(crate) fn begin(&mut self, command: &str) {
        writeln!(self.input, "{command}").unwrap();
    }

    /// Returns the answer of a started command.
    #[track_caller]
    pub(crate) fn finish(&mut self, command: &str) -> i64 {
        let answer = self.answers.recv_timeout(ANSWERS);
        answer.unwrap_or_else(|error| panic!("no answer ({error}): {command}"))
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

/// Main loop of the process.
pub(crate) fn serve() {
    let mut all: HashMap<u64, Communicator> = HashMap::new();
    let mut rounds = None;
    for line in std::io::stdin().lines().map_while(std::result::Result::ok) {
        // Ends keep references to the words.
        let words: Vec<&str> = line.leak().split_whitespace().collect();
        let answer = match words.as_slice() {
            ["census", what] => census(what),
            ["ctrl", what, path] => control(what, path),
            ["rounds", "open", words @ ..] => {
                let end = End::of(words);
                let opened = end.open().map(|communicator| rounds = Some((end, communicator)));
                status(opened)
            }
            ["rounds", "run", bytes, count] => {
                let (end, communicator) = rounds.as_ref().unwrap();
                end.run(communicator, bytes.parse().unwrap(), count.parse().unwrap()).unwrap()
            }
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
                if let ("act", [plan, victim, dialer, port, peer, bytes, folder]) = (*what, numbers) {
                    let act = Act {
                        on: communicator,
                        conn: ConnType::Ucx,
                        is_victim: *victim == "1",
                        is_dialer: *dialer == "1",
                        port: port.parse().unwrap(),
                        peer: peer.parse().unwrap(),
                        bytes: bytes.parse().unwrap(),
                        folder,
                    };
                    let step = || {
                        if act.is_victim {
                            println!("\n{MARK}0");
                        }
                    };
                    println!("\n{MARK}{}", status(act.run(plan, step)));
                    continue;
                }
                let numbers: Vec<u64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
                run(communicator, what, &numbers)
            }
            _ => panic!("no command: {words:?}"),
        };
        println!("\n{MARK}{answer}");
    }
}

fn census(what: &str) -> i64 {
    let entries = |folder| std::fs::read_dir(folder).unwrap().count();
    let maps = || std::fs::read_to_string("/proc/self/maps").unwrap();
    let count = match what {
        "threads" => entries("/proc/self/task"),
        "descriptors" => entries("/proc/self/fd"),
        // Mappings of peers' memory included.
        "memory" => maps().matches("memfd:").count(),
        // The own buffers, and peers' buffers, as often as they are mapped.
        "buffers" => maps().matches("memfd:mf-registered").count(),
        _ => panic!("no census of {what}"),
    };
    i64::try_from(count).unwrap()
}

fn control(what: &str, path: &str) -> i64 {
    let rules = Rules::new(JobSecret::new(""), Users::default(), false);
    match what {
        "listen" => status(PROCESS.start(&rules, Listen { tcp: None, unix: Some(path) }).map(drop)),
        "close" => {
            PROCESS.close_all();
            0
        }
        _ => {
            PROCESS.stop();
            0
        }
    }
}

fn status(result: Result<()>) -> i64 {
    let Err(error) = result else { return 0 };
    eprintln!("{error}");
    i64::from(Status::from_error(&error) as i32)
}

fn run(on: &Communicator, what: &str, numbers: &[u64]) -> i64 {
    let [own, peer] = crate::unreachable::addresses();
    let conn = |number: u64| ConnType::from_number(i32::try_from(number).unwrap()).unwrap();
    let at = |port: u64, number: u64| At {
        ip: peer.as_bytes(),
        port: u16::try_from(port).unwrap(),
        conn: conn(number),
    };
    match (what, numbers) {
        ("listen", &[port, kind]) => status(on.listen(OP, &own, u16::try_from(port).unwrap(), conn(kind))),
        ("connect", &[port, kind]) => status(on.connect(OP, &peer, u16::try_from(port).unwrap(), conn(kind))),
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
        ("put_from", &[port, kind, remote, bytes, seed]) => {
            let data = pattern(bytes, seed);
            // SAFETY: the vector has so many bytes.
            status(unsafe { on.put_from(OP, at(port, kind), data.as_ptr(), remote, bytes) })
        }
        // Puts a word of this value, unobserved.
        ("mark", &[port, kind, local, remote, value]) => {
            let word = value.to_ne_bytes();
            // SAFETY: it has so many bytes.
            let written = unsafe { on.buffer().write(OP, word.as_ptr(), 8, local, DataIn::Host) };
            let ranges = Ranges { local, remote, bytes: 8 };
            status(written.and_then(|()| on.start_unobserved(OP, at(port, kind), ranges, true)))
        }
        ("flush", &[]) => status(on.flush(OP)),
        ("await", &[offset, value, seconds]) => {
            let deadline = Instant::now() + Duration::from_secs(seconds);
            on.await_word(OP, &[0, offset], value, deadline)
                .map_or_else(|error| status(Err(error)), |has| i64::from(!has))
        }
        ("fork", &[port]) => forked(on, u16::try_from(port).unwrap()),
        ("wait", &[id]) => status(on.wait(OP, id)),
        // The status, or 1000 plus the result of comparing the data.
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

/// Returns bytes for a seed; consecutive seeds differ in every byte.
fn pattern(bytes: u64, seed: u64) -> Vec<u8> {
    (0..bytes).map(|at| (at.wrapping_mul(31) ^ (at >> 8)).wrapping_add(seed).to_le_bytes()[0]).collect()
}
