// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfcli logs`: collects the files of a fault report in one folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};
use mf_program::child::ourselves;
use mf_program::output::{note, print};

const OPERATION: &str = "mfcli logs";
/// Folder of CANN's logs by its variable, and below the home folder.
const PLOG_VARIABLE: &str = "ASCEND_PROCESS_LOG_PATH";
const PLOG_FOLDER: &str = "ascend/log";

/// Collect logs in a new folder: the files of MF_LOG_PATH, CANN's logs, the kernel's messages, and the
/// reports of `mf info`.
///
/// CANN's logs are below ASCEND_PROCESS_LOG_PATH, or ~/ascend/log. Secrets are masked in the reports. Log
/// files have no secrets, but addresses and names of hosts.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mfcli logs
  mfcli logs --path /var/log/my_job --hours 24 --output /tmp/report
  mfcli logs --output-dir /tmp --no-plog --no-dmesg --max-size 100")]
pub(super) struct Args {
    /// Further folders of log files, or files.
    #[arg(long, value_name = "PATH")]
    path: Vec<PathBuf>,
    /// Only files that were written to in the last hours.
    #[arg(long, value_name = "HOURS", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    hours: u32,
    /// The folder, which must not be there yet [default: mf-logs-PID below the output directory].
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Existing folder in which the new one is made [default: the present folder].
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    output_dir: Option<PathBuf>,
    /// Leave out CANN's logs.
    #[arg(long)]
    no_plog: bool,
    /// Leave out the kernel's messages.
    #[arg(long)]
    no_dmesg: bool,
    /// Most MiB of log files, the newest first; others are left out.
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    max_size: u64,
}

fn failed(what: &str, path: &Path, error: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what.to_owned()).with("path", path.display()).source(error)
}

/// Collects.
pub(super) fn main(args: &Args) -> Result<()> {
    let configured = settings()?.log_path.clone();
    let mut sources = args.path.clone();
    if !configured.is_empty() {
        sources.push(PathBuf::from(configured));
    }
    let since = SystemTime::now().checked_sub(Duration::from_secs(u64::from(args.hours) * 3600));
    let mut files = Vec::new();
    for source in &sources {
        files.extend(log_files(source, since)?);
    }
    if !args.no_plog {
        add_plog(&mut files, since)?;
    }
    let left_out = leave_out(&mut files, args.max_size.saturating_mul(1 << 20));
    let parent = args.output_dir.clone().unwrap_or_default();
    let output = args.output.clone();
    let output = output.unwrap_or_else(|| parent.join(format!("mf-logs-{}", std::process::id())));
    std::fs::create_dir(&output).map_err(|error| failed("the folder cannot be made", &output, error))?;
    for (number, file) in files.iter().enumerate() {
        // Files of two folders may have one name.
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let to = output.join(format!("{number:04}-{name}"));
        std::fs::copy(file, &to).map_err(|error| failed("the file cannot be copied", file, error))?;
    }
    if !args.no_dmesg {
        write_kernel_messages(&output.join("dmesg.txt"))?;
    }
    if left_out > 0 {
        note(&format!("{left_out} log files are left out, which exceed --max-size {} MiB", args.max_size));
    }
    for (name, arguments) in [("info.txt", &["info", "--settings"][..]), ("info.json", &["info", "--json"])] {
        let path = output.join(name);
        let said =
            ourselves(arguments).output().map_err(|error| failed("mf info does not start", &path, error))?;
        std::fs::write(&path, said.stdout)
            .map_err(|error| failed("the file cannot be written", &path, error))?;
    }
    print(&format!("{} log files and 2 reports are in {}\n", files.len(), output.display()))
}

/// The files of a folder, without its folders, sorted by name; a file is itself.
fn log_files(source: &Path, since: Option<SystemTime>) -> Result<Vec<PathBuf>> {
    let unread = |error| failed("the logs cannot be read", source, error);
    let is_folder = std::fs::metadata(source).map_err(unread)?.is_dir();
    let mut files = if is_folder {
        let entries = std::fs::read_dir(source).map_err(unread)?;
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
    } else {
        vec![source.to_owned()]
    };
    files.retain(|path| {
        std::fs::metadata(path).is_ok_and(|about| {
            // A file with unknown time is taken.
            let is_recent = since.zip(about.modified().ok()).is_none_or(|(since, at)| at >= since);
            about.is_file() && is_recent
        })
    });
    files.sort();
    Ok(files)
}

/// Adds CANN's logs, of all folders below theirs, if there are any.
fn add_plog(files: &mut Vec<PathBuf>, since: Option<SystemTime>) -> Result<()> {
    let named = std::env::var_os(PLOG_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let Some(top) = named.or_else(|| std::env::home_dir().map(|home| home.join(PLOG_FOLDER))) else {
        return Ok(());
    };
    let mut open = if top.is_dir() { vec![top] } else { Vec::new() };
    while let Some(folder) = open.pop() {
        files.extend(log_files(&folder, since)?);
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        // Not through links, which may lead round.
        open.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
    Ok(())
}

/// Keeps the newest files of at most so many bytes. Returns the number of the others.
fn leave_out(files: &mut Vec<PathBuf>, most_bytes: u64) -> usize {
    let all = files.len();
    let mut newest: Vec<_> = std::mem::take(files)
        .into_iter()
        .enumerate()
        .map(|(number, path)| (number, std::fs::metadata(&path).ok(), path))
        .collect();
    newest.sort_by_key(|(_, about, _)| std::cmp::Reverse(about.as_ref().and_then(|it| it.modified().ok())));
    let mut left = most_bytes;
    newest.retain(|(_, about, _)| {
        let rest = left.checked_sub(about.as_ref().map_or(0, std::fs::Metadata::len));
        left = rest.unwrap_or(left);
        rest.is_some()
    });
    newest.sort_by_key(|(number, ..)| *number);
    files.extend(newest.into_iter().map(|(.., path)| path));
    all - files.len()
}

/// Writes the kernel's messages, where this user may read them.
fn write_kernel_messages(to: &Path) -> Result<()> {
    match Command::new("dmesg").output() {
        Ok(said) if said.status.success() => {
            std::fs::write(to, said.stdout).map_err(|error| failed("the file cannot be written", to, error))
        }
        Ok(said) => {
            let why = String::from_utf8_lossy(&said.stderr).trim().to_owned();
            note(&format!("the kernel's messages cannot be read: {why}"));
            Ok(())
        }
        Err(error) => {
            note(&format!("the kernel's messages cannot be read: dmesg does not start: {error}"));
            Ok(())
        }
    }
}
