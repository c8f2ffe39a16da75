// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The folder of a CA: files are replaced as wholes, and one command at a time works in it.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use mf_base::{Error, Kind, Result};
use mf_tls::{Inspected, inspect};

use super::OPERATION;

/// A folder that this process has for itself until it is dropped.
pub(super) struct Folder {
    path: PathBuf,
    /// Keeps the lock.
    _locked: File,
}

impl Folder {
    /// Opens the folder of a CA that is there.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let folder = Self::lock(path)?;
        if !folder.has("ca.pem") || !folder.has("ca.key") {
            return Err(Error::new(Kind::NotExist, OPERATION)
                .what("there is no CA in the folder")
                .with("folder", path.display())
                .hint("mf certs init makes one"));
        }
        Ok(folder)
    }

    /// Opens a folder, making it where it is absent; no other user may read a new one.
    pub(super) fn create(path: &Path) -> Result<Self> {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|error| failed(path, "the folder cannot be made", error))?;
        Self::lock(path)
    }

    fn lock(path: &Path) -> Result<Self> {
        let path = path.canonicalize().map_err(|error| failed(path, "the folder cannot be found", error))?;
        if path.to_str().is_none_or(|text| text.contains([';', ',', ':'])) {
            return Err(Error::invalid(
                OPERATION,
                "the path has a character that tls_info texts cannot hold",
            )
            .with("folder", path.display())
            .hint("choose a path without ; , and :"));
        }
        let opened =
            File::open(&path).map_err(|error| failed(&path, "the folder cannot be opened", error))?;
        opened.lock().map_err(|error| failed(&path, "the folder cannot be locked", error))?;
        Ok(Self { path, _locked: opened })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.path.join(name).symlink_metadata().is_ok()
    }

    pub(super) fn refuse_existing(&self, name: &str) -> Result<()> {
        if self.has(name) {
            return Err(Error::new(Kind::Duplicated, OPERATION)
                .what("the file is there already")
                .with("file", self.path.join(name).display())
                .hint("mf certs rotate replaces certificates"));
        }
        Ok(())
    }

    pub(super) fn read(&self, name: &str) -> Result<String> {
        let path = self.path.join(name);
        std::fs::read_to_string(&path).map_err(|error| {
            let kind = if error.kind() == ErrorKind::NotFound { Kind::NotExist } else { Kind::Failed };
            Error::new(kind, OPERATION)
                .what("the file cannot be read")
                .with("file", path.display())
                .source(error)
        })
    }

    pub(super) fn inspect(&self, name: &str) -> Result<Inspected> {
        inspect(self.read(name)?.as_bytes())
            .map_err(|error| error.with("file", self.path.join(name).display()))
    }

    /// The names of the members that have a certificate here.
    pub(super) fn members(&self) -> Result<Vec<String>> {
        let unreadable = |error| failed(&self.path, "the folder cannot be read", error);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.path).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            if let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".pem"))
                && !matches!(name, "ca" | "crl")
                && !name.starts_with('.')
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Replaces a file that every user may read.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        self.replace(name, text, 0o644)
    }

    /// Replaces a file that only its owner may read.
    pub(super) fn write_secret(&self, name: &str, text: &str) -> Result<()> {
        self.replace(name, text, 0o600)
    }

    pub(super) fn remove(&self, name: &str) -> Result<()> {
        match std::fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(failed(&self.path.join(name), "the file cannot be removed", error))
            }
            _ => Ok(()),
        }
    }

    fn replace(&self, name: &str, text: &str, mode: u32) -> Result<()> {
        let (path, new) = (self.path.join(name), self.path.join(format!(".{name}.new")));
        let written = || -> std::io::Result<()> {
            // Leftover of a killed command; its mode may differ.
            match std::fs::remove_file(&new) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&new, &path)
        };
        written().map_err(|error| failed(&path, "the file cannot be written", error))
    }
}

fn failed(path: &Path, what: &str, error: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what).with("path", path.display()).source(error)
}
