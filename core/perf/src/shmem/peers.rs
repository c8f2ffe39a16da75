// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Other libraries: MPI, and OpenSHMEM of others. Their compilers make small programs that measure the same
//! calls as often; their launchers start them.

use mf_measure::turns::median;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mf_program::output::{note, save};

use super::row::{Name, start_seconds};

const TIMING: &str = include_str!("peers/timing.h");
const MPI: &str = include_str!("peers/mpi.c");
const SHMEM: &str = include_str!("peers/shmem.c");

/// Longest time of a run, in seconds.
const LIMIT: &str = "300";

/// Options of Open MPI's launchers: processes share cores and memory.
const OPEN_MPI: &[&str] = &["--allow-run-as-root", "--oversubscribe", "-quiet"];
/// The same for MPI: transports within a machine.
const WITHIN: &[&str] = &["--mca", "btl", "self,vader", "--mca", "osc", "sm"];

/// Another library.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    /// Its name in documents.
    pub(super) name: String,
    /// And above its column.
    pub(super) title: String,
    compiler: PathBuf,
    launcher: PathBuf,
    options: Vec<&'static str>,
    source: &'static str,
    program: PathBuf,
}

/// Output of a run of another library.
#[derive(Debug, Default)]
pub(super) struct Others {
    seconds: BTreeMap<Name, Vec<f64>>,
    starts: Vec<(f64, f64)>,
}

impl Others {
    /// Lines of `timing.h`; others are left out.
    pub(super) fn of(text: &str) -> Self {
        let mut others = Self::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [name, first, second] = words[..] else { continue };
            match (name, first.parse::<f64>(), first.parse::<u64>(), second.parse::<f64>()) {
                ("init", Ok(begin), _, Ok(end)) => others.starts.push((begin, end)),
                (_, _, Ok(bytes), Ok(seconds)) => {
                    others.seconds.entry((name.to_owned(), bytes)).or_default().push(seconds);
                }
                _ => {}
            }
        }
        others
    }

    /// Seconds of a call, and of the start.
    pub(super) fn seconds(&self, name: &Name) -> Option<f64> {
        if name.0 == "init" {
            return (!self.starts.is_empty()).then(|| start_seconds(&self.starts));
        }
        self.seconds.get(name).map(|turns| median(turns))
    }
}

/// Finds the installed ones.
pub(super) fn find(more: &[PathBuf]) -> Vec<Peer> {
    let mut peers = Vec::new();
    if let (Some(compiler), Some(launcher)) = (in_path("mpicc"), in_path("mpirun")) {
        let is_open = says(&launcher, "--version", "Open MPI");
        let options = if is_open { [OPEN_MPI, WITHIN].concat() } else { Vec::new() };
        let name = if is_open { "Open MPI" } else { "MPI" };
        peers.push(Peer { compiler, launcher, options, source: MPI, ..Peer::named(name) });
    }
    for compiler in more.iter().cloned().chain(in_path("oshcc")) {
        peers.extend(open_shmem(compiler));
    }
    for (name, what) in [("MPI", "mpicc and mpirun"), ("SOS", "an oshcc of it")] {
        if !peers.iter().any(|peer| peer.name.contains(name)) {
            note(&format!("mf perf shmem: {name} is not measured: {what} is not in PATH"));
        }
    }
    peers
}

/// The OpenSHMEM that a compiler belongs to; none: it is this one, or not usable.
fn open_shmem(compiler: PathBuf) -> Option<Peer> {
    let launcher = compiler.parent()?.join("oshrun");
    if !launcher.is_file() || says(&compiler, "--showme", "-lmf_smem") {
        return None;
    }
    if says(&launcher, "--version", "Open") {
        let options = OPEN_MPI.to_vec();
        return Some(Peer {
            compiler,
            launcher,
            options,
            source: SHMEM,
            ..Peer::named("Open MPI OpenSHMEM")
        });
    }
    let is_sos = says(&compiler, "-show", "-lsma");
    let name = if is_sos { "SOS".to_owned() } else { format!("OpenSHMEM of {}", compiler.display()) };
    Some(Peer { compiler, launcher, options: Vec::new(), source: SHMEM, ..Peer::named(&name) })
}

impl Peer {
    /// One of that name, of which nothing else is known.
    pub(super) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: format!("{name} ns"),
            compiler: PathBuf::new(),
            launcher: PathBuf::new(),
            options: Vec::new(),
            source: "",
            program: PathBuf::new(),
        }
    }

    /// Compiles its program; none, with a note, when that fails.
    pub(super) fn compile(self, folder: &Path) -> Option<Self> {
        let stem: String =
            self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let (source, program) = (folder.join(format!("{stem}.c")), folder.join(stem));
        let saved = save(&folder.join("timing.h"), TIMING).and_then(|()| save(&source, self.source));
        let mut command = Command::new(&self.compiler);
        command.arg("-O2").arg("-w").arg(&source).arg("-o").arg(&program);
        let compiled = saved.is_ok() && command.status().is_ok_and(|status| status.success());
        if !compiled {
            note(&format!("mf perf shmem: {} is not measured: {command:?} failed", self.name));
        }
        compiled.then_some(Self { program, ..self })
    }

    /// Runs it with so many processes. Missing figures of a failed run are left out.
    pub(super) fn run(&self, pes: u32, sizes: &[u64], quick: bool) -> Others {
        let mut command = Command::new("timeout");
        command.arg(LIMIT).arg(&self.launcher).args(&self.options).args(["-n", &pes.to_string()]);
        command.arg(&self.program).args(quick.then_some("--quick"));
        command.args(sizes.iter().map(ToString::to_string));
        // Started inside of a job of another launcher, its own names would be of that job.
        for name in ["RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"] {
            command.env_remove(name);
        }
        let output = command.stdin(Stdio::null()).output();
        let text =
            output.map_or_else(|_| String::new(), |out| String::from_utf8_lossy(&out.stdout).into_owned());
        if !text.lines().any(|line| line == "done") {
            note(&format!("mf perf shmem: {} did not come to its end with {pes} processes", self.name));
        }
        Others::of(&text)
    }
}

/// A program of the search path.
fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// True if a program prints that text when called with the option.
fn says(program: &Path, option: &str, text: &str) -> bool {
    let output = Command::new(program).arg(option).stdin(Stdio::null()).output();
    output.is_ok_and(|out| {
        [out.stdout, out.stderr].iter().any(|bytes| String::from_utf8_lossy(bytes).contains(text))
    })
}
