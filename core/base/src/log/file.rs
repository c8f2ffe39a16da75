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

/// Bytes after which a file takes no more lines.
const MOST_BYTES: u64 = 1 << 30;

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
    let name = format!("{name}_{}_{}.log", std::process::id(), line::digits(now));
    // Of a name that others can guess: what stands there already, or a link, is left alone.
    let file = descriptor::open_file(
        OpenOptions::new().append(true).create_new(true).mode(0o640),
        directory.join(name),
    )?;
    let _ = FILE.set(file);
    Ok(())
}

/// Whether the line is in the file: there is one, and it has room.
pub(super) fn write(line: &str) -> bool {
    let Some(mut file) = FILE.get() else { return false };
    let before = WRITTEN.fetch_add(line.len() as u64, Ordering::Relaxed);
    before < MOST_BYTES && file.write_all(line.as_bytes()).is_ok()
}
