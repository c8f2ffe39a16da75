// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfcli logs`: collects the files of a fault report in one folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};
use mf_program::child::ourselves;
use mf_program::output::print;

const OPERATION: &str = "mfcli logs";

/// Collect logs: the files of MF_LOG_PATH, and what `mf info` says of this machine, in a new folder.
///
/// Secrets are masked in what mf info says. Log files have no secrets, but addresses and names of hosts.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mfcli logs
  mfcli logs --path /var/log/my_job --hours 24 --output /tmp/report")]
pub(super) struct Args {
    /// Further folders of log files, or files.
    #[arg(long, value_name = "PATH")]
    path: Vec<PathBuf>,
    /// Only files that were written to in the last hours.
    #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..))]
    hours: Option<u32>,
    /// The folder, which must not be there yet [default: mf-logs-PID below the present folder].
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
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
    let since = args.hours.map(|hours| Duration::from_secs(u64::from(hours) * 3600));
    let since = since.and_then(|past| SystemTime::now().checked_sub(past));
    let mut files = Vec::new();
    for source in &sources {
        files.extend(log_files(source, since)?);
    }
    let output = args.output.clone();
    let output = output.unwrap_or_else(|| PathBuf::from(format!("mf-logs-{}", std::process::id())));
    std::fs::create_dir(&output).map_err(|error| failed("the folder cannot be made", &output, error))?;
    for (number, file) in files.iter().enumerate() {
        // Files of two folders may have one name.
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let to = output.join(format!("{number:04}-{name}"));
        std::fs::copy(file, &to).map_err(|error| failed("the file cannot be copied", file, error))?;
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
