// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Completions of shells and pages of `man`, from the description of a command line that also makes its help
//! texts.
//!
//! Written by clap's own generators: each shell's quoting and troff's would be more lines here than the two
//! crates add to the build (three crates, 3 seconds of one core).

use std::path::{Path, PathBuf};

use crate::output::{print, print_bytes};
use clap::Command;
use mf_base::{Error, Kind, Result};

/// Print completions of mf for a shell.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf completions bash > ~/.local/share/bash-completion/completions/mf
  mf completions zsh > ~/.zfunc/_mf          (a folder of fpath)
  mf completions fish > ~/.config/fish/completions/mf.fish")]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Shells that are known here.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Write the man pages of mf, one for each command, into a folder.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf man ~/.local/share/man/man1
  mf man . && man ./mf-run.1")]
pub struct ManArgs {
    /// The folder, which is made where it is missing.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints the completions of the program `name` with the command line `all`, without its hidden commands.
///
/// # Errors
/// `Failed` standard output takes no more.
pub fn completions(args: &CompletionsArgs, name: &'static str, all: &Command) -> Result<u8> {
    let shell = match args.shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut without_internal_options(name, all), name, &mut text);
    print_bytes(&text)?;
    Ok(0)
}

/// Writes the pages of the program `name` with the command line `all`, one for each visible command.
///
/// # Errors
/// `Failed` the folder or a page cannot be written.
pub fn man(args: &ManArgs, name: &'static str, all: &Command) -> Result<u8> {
    let failed = |path: &Path, error| {
        Error::new(Kind::Failed, "man")
            .what("a page cannot be written")
            .with("path", path.display())
            .source(error)
    };
    std::fs::create_dir_all(&args.folder).map_err(|error| failed(&args.folder, error))?;
    let command = without_internal_options(name, all).disable_help_subcommand(true);
    clap_mangen::generate_to(command, &args.folder).map_err(|error| failed(&args.folder, error))?;
    print(&format!("The page of {name} is {}\n", args.folder.join(format!("{name}.1")).display()))?;
    Ok(0)
}

/// The command line without the program's internal options.
fn without_internal_options(name: &'static str, all: &Command) -> Command {
    let visible = Command::new(name)
        .version(env!("CARGO_PKG_VERSION"))
        .about(all.get_about().cloned().unwrap_or_default())
        .long_about(all.get_long_about().cloned().unwrap_or_default())
        .after_help(all.get_after_help().cloned().unwrap_or_default());
    visible.subcommands(all.get_subcommands().filter(|command| !command.is_hide_set()).cloned())
}
