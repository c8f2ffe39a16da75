// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Log lines in a file of this process.

use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::line;
use crate::os::descriptor;

/// Size at which a file takes no further lines.
const MOST_BYTES: u64 = 1 << 30;

/// Files tried for one pid and time.
const MOST_OF_A_NAME: u32 = 1000;

static FILE: OnceLock<File> = OnceLock::new();
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Sends further lines to a new file `NAME_PID_TIME.log` of a directory, which is made where it is missing.
/// The first directory of a process stays.
///
/// # Errors
/// The directory or the file cannot be made.
pub fn to_directory(directory: &Path, name: &str) -> io::Result<()> {
    if FILE.get().is_some() {
        return Ok(());
    }
    create_dir_all(directory)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("{name}_{}_{}", std::process::id(), line::digits(now));
    let _ = FILE.set(create(directory, &name)?);
    Ok(())
}

/// Creates `NAME.log`, or `NAME_2.log` and so on where that exists: containers that share the directory have
/// processes of equal pids. Others can guess the name, so an existing file or link is left alone.
fn create(directory: &Path, name: &str) -> io::Result<File> {
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("_{number}") };
        let path = directory.join(format!("{name}{suffix}.log"));
        match descriptor::open_file(OpenOptions::new().append(true).create_new(true).mode(0o640), path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MOST_OF_A_NAME => {
                number += 1;
            }
            created => return created,
        }
    }
}

/// Writes the line to the file. Returns true if the file exists and had room.
pub(super) fn write(line: &str) -> bool {
    let Some(mut file) = FILE.get() else { return false };
    let before = WRITTEN.fetch_add(line.len() as u64, Ordering::Relaxed);
    before < MOST_BYTES && file.write_all(line.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_equal_pid_and_time_get_files_of_their_own() {
        let folder = std::env::temp_dir().join(format!("mf-log-names-{}", std::process::id()));
        create_dir_all(&folder).unwrap();
        for _ in 0..3 {
            create(&folder, "mf_1_2026").unwrap();
        }
        for name in ["mf_1_2026.log", "mf_1_2026_2.log", "mf_1_2026_3.log"] {
            assert!(folder.join(name).is_file(), "{name}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
