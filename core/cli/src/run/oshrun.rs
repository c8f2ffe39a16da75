// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `oshrun`: starts the PEs of an OpenSHMEM program on this machine; a second name of the program `mf`.

use std::ffi::{OsStr, OsString};
use std::net::{ToSocketAddrs, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use mf_base::{Error, Kind, Result};

use super::environment::Words;
use super::{Args, MAX_RANKS, parse_seconds, start};

const OPERATION: &str = "oshrun";

/// How long PEs may end by themselves after one has ended: PEs in shmem_global_exit flush their output first.
const SETTLING: Duration = Duration::from_millis(200);

/// Start an OpenSHMEM program as N PEs on this machine.
///
/// Standard input goes to PE 0. Output is forwarded in whole lines. When a PE fails, the others are ended;
/// the exit code comes from the first failed PE: 128 + N for one ended by signal N.
#[derive(Parser)]
#[command(
    name = "oshrun",
    version,
    max_term_width = 100,
    after_help = "Options of mpirun that place processes or tune another library are taken and change nothing:
--oversubscribe, --allow-run-as-root, --mca KEY VALUE, --map-by HOW, --rank-by HOW, --bind-to WHAT,
--report-bindings, --tag-output. Long options may have one dash.

Examples:
  oshrun -np 4 ./a.out input.dat
  oshrun -n 2 -x SHMEM_SYMMETRIC_SIZE=1g ./a.out"
)]
struct Oshrun {
    /// Number of PEs, 1 to 16384; also -np, -c [default: the value of -N, else the slots of -H or --hostfile,
    /// else 1].
    #[arg(short = 'n', short_alias = 'c', long = "np", alias = "n", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RANKS)))]
    pes: Option<u32>,
    /// Number of PEs on each host, of which there is one; also --npernode.
    #[arg(short = 'N', long = "npernode", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RANKS)))]
    per_host: Option<u32>,
    /// Hosts: HOST or HOST:SLOTS, separated by commas; all of them this host, as PEs start here.
    #[arg(short = 'H', long = "host", value_name = "HOSTS", value_delimiter = ',')]
    hosts: Vec<String>,
    /// File of hosts, HOST [slots=N] a line; all of them this host.
    #[arg(long = "hostfile", alias = "machinefile", value_name = "FILE")]
    host_files: Vec<PathBuf>,
    /// Folder in which PEs start.
    #[arg(long = "wdir", alias = "wd", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Set a variable for all PEs. They have all variables of this environment anyway, so that a NAME
    /// without a value changes nothing.
    #[arg(short = 'x', value_name = "NAME[=VALUE]")]
    variables: Vec<String>,
    /// Put the number of its PE in front of each line.
    #[arg(long)]
    prefix: bool,
    /// Seconds between SIGTERM and SIGKILL.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds)]
    grace: Duration,
    #[arg(long = "mca", alias = "gmca", num_args = 2, action = clap::ArgAction::Append, hide = true)]
    mca: Vec<String>,
    #[arg(long = "map-by", alias = "rank-by", alias = "bind-to", action = clap::ArgAction::Append, hide = true)]
    places: Vec<String>,
    #[arg(long = "oversubscribe", alias = "allow-run-as-root", alias = "report-bindings", alias = "tag-output", action = clap::ArgAction::Count, hide = true)]
    ignored: u8,
    /// The program and its arguments.
    #[arg(required = true, value_name = "PROGRAM", num_args = 1.., trailing_var_arg = true)]
    command: Vec<OsString>,
}

/// True if this program was called by that name.
pub(crate) fn is_called(program: &OsStr) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "oshrun")
}

/// Runs the program.
pub(crate) fn main(arguments: impl Iterator<Item = OsString>) -> Result<u8> {
    let options = Oshrun::parse_from(with_two_dashes(arguments));
    let pes = options.pes()?;
    let Oshrun { variables, prefix, grace, folder, command, .. } = options;
    if command.iter().any(|argument| argument == ":") {
        return Err(Error::invalid(OPERATION, "several programs in one job, separated by ':'").hint(
            "start one program for all PEs; a script that reads RANK may choose among several: \
             oshrun -np 4 sh -c 'exec ./program-$((RANK / 2))'",
        ));
    }
    if let Some(folder) = folder {
        std::env::set_current_dir(&folder).map_err(|error| {
            failed("the folder of -wdir cannot be entered", error).with("folder", folder.display())
        })?;
    }
    let set = variables.iter().filter_map(|text| text.split_once('='));
    let further: Vec<(String, String)> =
        set.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let command = with_local_program(command);
    let args = Args {
        ranks: pes,
        store: None,
        no_prefix: !prefix,
        stdin_to_first: true,
        restarts: 0,
        logs: None,
        nodes: None,
        node_rank: None,
        grace,
        command,
    };
    start(&args, &further, SETTLING, Words { command: "oshrun", rank: "PE" })
}

impl Oshrun {
    /// Requested number of PEs.
    fn pes(&self) -> Result<u32> {
        let mut hosts: Vec<(String, Option<u32>)> = Vec::new();
        for host in &self.hosts {
            hosts.push(host_and_slots(host, ':').ok_or_else(|| bad_host(host))?);
        }
        for file in &self.host_files {
            let text = std::fs::read_to_string(file);
            let text = text.map_err(|error| {
                failed("the file of hosts cannot be read", error).with("file", file.display())
            })?;
            for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
                if !line.is_empty() {
                    hosts.push(line_of_hosts(line).ok_or_else(|| bad_host(line))?);
                }
            }
        }
        if let Some((host, _)) = hosts.iter().find(|(host, _)| !is_here(host)) {
            return Err(Error::invalid(OPERATION, "PEs start on this host only").with("host", host).hint(
                "on several hosts start the PEs by srun, by mpirun with MF_CONFIG_STORE_URL set, or by mf run \
                 --nodes on each of them",
            ));
        }
        let slots = hosts.iter().map(|(_, slots)| slots.unwrap_or(1)).try_fold(0, u32::checked_add);
        let pes = self.pes.or(self.per_host).or(slots.filter(|slots| *slots > 0)).unwrap_or(1);
        if let Some(most) = self.per_host.filter(|most| *most < pes) {
            return Err(Error::invalid(OPERATION, "more PEs than -N allows on the one host there is")
                .with("pes", pes)
                .with("most", most)
                .hint("leave out -N, or start the PEs of several hosts by srun or mpirun"));
        }
        Ok(pes)
    }
}

fn failed(what: &str, source: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what).source(source)
}

fn bad_host(text: &str) -> Error {
    Error::invalid(OPERATION, "a host is not HOST, HOST:SLOTS or, in a file, HOST slots=N").with("host", text)
}

/// A host and the number behind it.
fn host_and_slots(text: &str, separator: char) -> Option<(String, Option<u32>)> {
    match text.rsplit_once(separator) {
        // Of an address with colons, the last part is no number of slots.
        Some((host, slots)) if !host.is_empty() && (!host.contains(':') || host.ends_with(']')) => {
            Some((host.to_owned(), Some(slots.parse().ok().filter(|slots| *slots <= MAX_RANKS)?)))
        }
        _ => Some(text.to_owned()).filter(|host| !host.is_empty()).map(|host| (host, None)),
    }
}

/// A line of a file of hosts.
fn line_of_hosts(line: &str) -> Option<(String, Option<u32>)> {
    let mut words = line.split_whitespace();
    let (host, mut slots) = host_and_slots(words.next()?, ':')?;
    for word in words {
        let (name, value) = word.split_once('=')?;
        if name == "slots" {
            slots = Some(value.parse().ok().filter(|slots| *slots <= MAX_RANKS)?);
        }
    }
    Some((host, slots))
}

/// True if a name or an address is of this host.
fn is_here(host: &str) -> bool {
    let own = rustix::system::uname();
    let own = own.nodename().to_string_lossy();
    let short = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    host == "localhost" || short(host) == short(&own) || is_own_address(host)
}

/// True if this host has the address: only then can a socket be bound to it.
fn is_own_address(host: &str) -> bool {
    let addresses = (host.trim_matches(['[', ']']), 0).to_socket_addrs();
    addresses.is_ok_and(|mut all| all.any(|address| UdpSocket::bind(address).is_ok()))
}

/// The command, with its program taken from this folder if no folder of PATH has it: launchers take `a.out`
/// for `./a.out`.
fn with_local_program(mut command: Vec<OsString>) -> Vec<OsString> {
    if let [program, ..] = command.as_mut_slice() {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let is_name = Path::new(program).parent() == Some(Path::new(""));
        let is_found = || std::env::split_paths(&path).any(|folder| folder.join(&program).is_file());
        if is_name && Path::new(program).is_file() && !is_found() {
            *program = Path::new(".").join(&program).into_os_string();
        }
    }
    command
}

/// Long options, which launchers have with one dash as well, and how many values each takes.
const LONG: [(&str, usize); 19] = [
    ("np", 1),
    ("n", 1),
    ("npernode", 1),
    ("host", 1),
    ("hostfile", 1),
    ("machinefile", 1),
    ("wdir", 1),
    ("wd", 1),
    ("mca", 2),
    ("gmca", 2),
    ("map-by", 1),
    ("rank-by", 1),
    ("bind-to", 1),
    ("grace", 1),
    ("oversubscribe", 0),
    ("allow-run-as-root", 0),
    ("report-bindings", 0),
    ("tag-output", 0),
    ("prefix", 0),
];
/// Options of one letter, which take a value.
const SHORT: [&str; 5] = ["-n", "-c", "-x", "-N", "-H"];

/// The arguments with two dashes before long options. What follows the program is its own.
fn with_two_dashes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    // The first one is the name of this program.
    let (mut spelled, mut values, mut is_over): (Vec<OsString>, _, _) = (Vec::new(), 1, false);
    for argument in arguments {
        if is_over || values > 0 {
            spelled.push(argument);
            values = usize::saturating_sub(values, 1);
            continue;
        }
        let text = argument.to_string_lossy().into_owned();
        is_over = !text.starts_with('-') || text == "--";
        let name = text.strip_prefix("--").or(text.strip_prefix('-')).unwrap_or_default();
        let long = LONG.iter().find(|(long, _)| *long == name);
        if SHORT.contains(&text.as_str()) {
            values = 1;
            spelled.push(argument);
        } else if let Some((name, count)) = long.filter(|_| !is_over) {
            values = *count;
            spelled.push(format!("--{name}").into());
        } else {
            spelled.push(argument);
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Oshrun {
        Oshrun::parse_from(with_two_dashes(text.split(' ').map(OsString::from)))
    }

    #[test]
    fn launcher_options_end_at_the_program() {
        let one = parsed("oshrun -np 4 -x A=1 -x B ./a.out -np 7 -x C --help");
        assert_eq!((one.pes, one.variables), (Some(4), vec!["A=1".to_owned(), "B".to_owned()]));
        assert_eq!(one.command, ["./a.out", "-np", "7", "-x", "C", "--help"]);
        let one = parsed("oshrun --np=2 -- -np");
        assert_eq!((one.pes, one.command), (Some(2), vec![OsString::from("-np")]));
        assert_eq!(parsed("oshrun -n3 a").pes, Some(3));
        assert_eq!(parsed("oshrun a").pes().unwrap(), 1);
        assert!(is_called(OsStr::new("/usr/bin/oshrun")) && !is_called(OsStr::new("mf")));
    }

    #[test]
    fn options_of_open_mpi_are_taken() {
        let one = parsed(
            "oshrun --oversubscribe -allow-run-as-root --mca btl self,vader -mca pml ob1 --map-by core -bind-to none \
             --report-bindings -H localhost:3,localhost -wdir /tmp -x A ./a.out --mca",
        );
        assert_eq!(one.pes().unwrap(), 4);
        assert_eq!((one.folder, one.command), (Some("/tmp".into()), vec!["./a.out".into(), "--mca".into()]));
        assert_eq!(parsed("oshrun -N 2 --host localhost a").pes().unwrap(), 2);
        assert_eq!(parsed("oshrun -np 2 -npernode 4 -H 127.0.0.1 a").pes().unwrap(), 2);
        assert_eq!(parsed("oshrun --n 5 -H [::1]:2 a").pes, Some(5));
        let refused = |text| parsed(text).pes().unwrap_err().to_string();
        assert!(refused("oshrun -np 4 -N 2 a").contains("more PEs than -N"));
        assert!(refused("oshrun -H localhost,elsewhere.invalid:2 a").contains("elsewhere.invalid"));
        assert!(refused("oshrun -H localhost:many a").contains("HOST:SLOTS"));
    }

    #[test]
    fn host_file_lines_are_parsed() {
        assert_eq!(line_of_hosts("a slots=4 max-slots=8"), Some(("a".to_owned(), Some(4))));
        assert_eq!(line_of_hosts("a:2"), Some(("a".to_owned(), Some(2))));
        assert_eq!(line_of_hosts("fe80::1"), Some(("fe80::1".to_owned(), None)));
        assert_eq!(line_of_hosts("a four"), None);
    }
}
