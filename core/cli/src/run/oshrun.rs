// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `oshrun`: starts the PEs of an OpenSHMEM program on this machine; a second name of the program `mf`.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use clap::Parser;
use mf_base::Result;

use super::environment::Words;
use super::{Args, MAX_RANKS, parse_seconds, start};

/// How long PEs may end by themselves after one has ended: those of shmem_global_exit flush what they have
/// printed first.
const SETTLING: Duration = Duration::from_millis(200);

/// Start an OpenSHMEM program as N PEs on this machine.
///
/// Standard input goes to PE 0. Output is forwarded in whole lines. When a PE fails, the others are ended;
/// the exit code is that of the first PE that failed: 128 + N for one ended by signal N.
#[derive(Parser)]
#[command(
    name = "oshrun",
    version,
    max_term_width = 100,
    after_help = "Examples:
  oshrun -np 4 ./a.out input.dat
  oshrun -n 2 -x SHMEM_SYMMETRIC_SIZE=1g ./a.out"
)]
struct Oshrun {
    /// Number of PEs, 1 to 16384; also -np.
    #[arg(short = 'n', long = "np", value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_RANKS)))]
    pes: u32,
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
    /// The program and its arguments.
    #[arg(required = true, value_name = "PROGRAM", num_args = 1.., trailing_var_arg = true)]
    command: Vec<OsString>,
}

/// Whether this program was called by that name.
pub(crate) fn is_called(program: &OsStr) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "oshrun")
}

/// Runs the program.
pub(crate) fn main(arguments: impl Iterator<Item = OsString>) -> Result<u8> {
    let Oshrun { pes, variables, prefix, grace, command } = Oshrun::parse_from(spelled(arguments));
    let set = variables.iter().filter_map(|text| text.split_once('='));
    let further: Vec<(String, String)> =
        set.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let command = beside(command);
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

/// The command, whose program is one of this folder where its name is in no folder of PATH: launchers take
/// `a.out` for `./a.out`.
fn beside(mut command: Vec<OsString>) -> Vec<OsString> {
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

/// The arguments with `-np`, which launchers have as one option, as `--np`. What follows the program is its
/// own.
fn spelled(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let (mut spelled, mut is_value, mut is_over): (Vec<OsString>, _, _) = (Vec::new(), true, false);
    for argument in arguments {
        if is_over || is_value {
            spelled.push(argument);
            is_value = false;
            continue;
        }
        let text = argument.to_string_lossy().into_owned();
        is_value = ["-n", "-np", "--np", "-x", "--grace"].contains(&text.as_str());
        is_over = !text.starts_with('-') || text == "--";
        spelled.push(if text == "-np" { "--np".into() } else { argument });
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Oshrun {
        Oshrun::parse_from(spelled(text.split(' ').map(OsString::from)))
    }

    #[test]
    fn options_are_those_of_launchers_and_end_at_the_program() {
        let one = parsed("oshrun -np 4 -x A=1 -x B ./a.out -np 7 -x C --help");
        assert_eq!((one.pes, one.variables), (4, vec!["A=1".to_owned(), "B".to_owned()]));
        assert_eq!(one.command, ["./a.out", "-np", "7", "-x", "C", "--help"]);
        let one = parsed("oshrun --np=2 -- -np");
        assert_eq!((one.pes, one.command), (2, vec![OsString::from("-np")]));
        assert_eq!(parsed("oshrun -n3 a").pes, 3);
        assert_eq!(parsed("oshrun a").pes, 1);
        assert!(is_called(OsStr::new("/usr/bin/oshrun")) && !is_called(OsStr::new("mf")));
    }
}
