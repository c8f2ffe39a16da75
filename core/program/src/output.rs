// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The one place that writes to standard output and standard error.
//!
//! A reader that goes away (`mf … | head`) is no failure of ours: the program then ends quietly, with the
//! exit code that a program ended by `SIGPIPE` has.

use std::fs::{DirBuilder, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use mf_base::{Error, Kind, Result};

use crate::ports::random_secret;
use crate::progress;
use crate::signals;

/// 128 + `SIGPIPE`, the shell's status for a program that wrote to a closed pipe.
pub const CLOSED_PIPE: u8 = 141;

/// Writes `text` to standard output and flushes it.
///
/// # Errors
/// `Failed` when standard output takes no more, for example because the disk is full.
pub fn print(text: &str) -> Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes bytes to standard output and flushes it.
///
/// # Errors
/// As [`print()`].
pub fn print_bytes(bytes: &[u8]) -> Result<()> {
    let written = progress::with_line_free(|| {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    });
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(i32::from(CLOSED_PIPE)),
        Err(error) => {
            Err(Error::new(Kind::Failed, "output").what("standard output cannot be written").source(error))
        }
    }
}

/// Writes a line to standard error; a closed standard error is no reason to fail.
pub fn note(line: &str) {
    let _ = progress::with_line_free(|| writeln!(std::io::stderr().lock(), "{line}"));
}

/// Writes `text` to the file `path`, or to standard output when it is `-`.
///
/// # Errors
/// `Failed` names the file and why it cannot be written.
pub fn save(path: &Path, text: &str) -> Result<()> {
    if path == Path::new("-") {
        return print(text);
    }
    File::create(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        Error::new(Kind::Failed, "output")
            .what("the file cannot be written")
            .with("file", path.display())
            .source(error)
    })
}

/// Attempts to remove a folder.
const ATTEMPTS: u32 = 10;

/// A private folder, removed on drop.
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Creates a folder with this prefix.
    ///
    /// # Errors
    /// `Failed` it cannot be made.
    pub fn new(name: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("{name}-{}", &random_secret()?[..12]));
        DirBuilder::new().mode(0o700).create(&path).map_err(|error| {
            Error::new(Kind::Failed, "output")
                .what("no temporary folder")
                .with("folder", path.display())
                .source(error)
        })?;
        Ok(Self(path))
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Goes, too, when a signal ends the program. Once in a program, which has no other handlers of signals.
    ///
    /// # Errors
    /// `NoResources` no descriptor or thread is left.
    pub fn goes_by_signals(&self) -> Result<()> {
        let (pipe, path) = (signals::install()?, self.0.clone());
        let run = move || {
            if let Some(signal) = signals::wait(&pipe, None) {
                // A compiler that the same signal ends may write yet.
                for _ in 0..ATTEMPTS {
                    if std::fs::remove_dir_all(&path).is_ok() {
                        break;
                    }
                }
                signals::end_by(signal);
            }
        };
        std::thread::Builder::new().name("mf-signals".to_owned()).spawn(run).map(drop).map_err(|error| {
            Error::new(Kind::NoResources, "output").what("no thread can be started").source(error)
        })
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A failure leaves a small folder in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
