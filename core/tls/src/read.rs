// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads the files of an identity, by rules: regular, no symbolic link, at most [`MOST_BYTES`],
//! of keys and passwords [`MOST_SECRET_BYTES`].
//!
//! The checks are made on the opened file, so that it cannot be exchanged between check and reading, and
//! opening does not block (on a FIFO in place of a file).

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use mf_base::os::descriptor;
use mf_base::{Error, Result};
use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use zeroize::Zeroizing;

use crate::OPERATION;
use crate::files::{PemSource, TlsFiles};

/// No file of certificates is larger.
const MOST_BYTES: u64 = 1 << 20;
/// No file of a private key or a password is larger.
const MOST_SECRET_BYTES: u64 = 64 << 10;
/// No folder of CAs or revocation lists has more files.
const MOST_FILES: usize = 1000;

/// A text and where it is from.
pub(crate) struct Text {
    pub(crate) from: String,
    pub(crate) bytes: Zeroizing<Vec<u8>>,
}

/// The texts at `place`: one, or one for each file of a folder, in the order of their names.
///
/// # Errors
/// `InvalidParam` names the file and why it is not taken.
pub(crate) fn texts(place: &PemSource) -> Result<Vec<Text>> {
    texts_of(place, MOST_BYTES)
}

/// The same for private keys and passwords.
///
/// # Errors
/// As [`texts`].
pub(crate) fn secrets(place: &PemSource) -> Result<Vec<Text>> {
    texts_of(place, MOST_SECRET_BYTES)
}

fn texts_of(place: &PemSource, most_bytes: u64) -> Result<Vec<Text>> {
    let text = |path: &Path| Ok(Text { from: path.display().to_string(), bytes: file(path, most_bytes)? });
    match place {
        PemSource::Memory(name, bytes) => {
            Ok(vec![Text { from: (*name).to_owned(), bytes: (**bytes).clone() }])
        }
        PemSource::File(path) => Ok(vec![text(path)?]),
        PemSource::FileOrFolder(path) if path.is_dir() => {
            let entries =
                entries(path).map_err(|error| unusable(path, "the folder cannot be read").source(error))?;
            if entries.is_empty() {
                return Err(unusable(path, "the folder is empty"));
            }
            if entries.len() > MOST_FILES {
                return Err(unusable(path, "the folder has too many files").with("files", entries.len()));
            }
            entries.iter().map(|entry| text(entry)).collect()
        }
        PemSource::FileOrFolder(path) => Ok(vec![text(path)?]),
    }
}

/// The files of a folder but the hidden ones, ordered by name.
pub(crate) fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in descriptor::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn unusable(path: &Path, what: &str) -> Error {
    Error::invalid(OPERATION, what).with("file", path.display())
}

fn file(path: &Path, most_bytes: u64) -> Result<Zeroizing<Vec<u8>>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = descriptor::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::LOOP => unusable(path, "the file is a symbolic link").hint("name the file that it leads to"),
        _ => unusable(path, "the file cannot be opened").source(std::io::Error::from(errno)),
    })?;
    let facts = rustix::fs::fstat(&opened)
        .map_err(|errno| unusable(path, "the file cannot be examined").source(std::io::Error::from(errno)))?;
    if FileType::from_raw_mode(facts.st_mode) != FileType::RegularFile {
        return Err(unusable(path, "this is not a regular file"));
    }
    let size = u64::try_from(facts.st_size).unwrap_or(u64::MAX);
    let too_large =
        |bytes: u64| unusable(path, "the file is too large").with("bytes", bytes).with("limit", most_bytes);
    if size > most_bytes {
        return Err(too_large(size));
    }
    // Room for everything, so that no copies of a key are left behind by growing.
    let mut bytes = Zeroizing::new(Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1));
    File::from(opened)
        .take(most_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unusable(path, "the file cannot be read").source(error))?;
    let length = bytes.len() as u64;
    if length > most_bytes { Err(too_large(length)) } else { Ok(bytes) }
}

/// Warns when others may read a private key.
pub(crate) fn warn_of_readers(place: &PemSource) {
    if let PemSource::File(path) = place
        && let Ok(facts) = rustix::fs::lstat(path)
        && facts.st_mode & 0o077 != 0
    {
        tracing::warn!(file = %path.display(), "other users may read this private key; chmod 600 helps");
    }
}

/// Identity of a file's contents: if any field differs, the file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    size: i64,
    /// Seconds and nanoseconds; systems differ in the types of their parts.
    modified: (i128, i128),
    changed: (i128, i128),
}

impl From<Stat> for Stamp {
    fn from(facts: Stat) -> Self {
        Self {
            device: facts.st_dev,
            inode: facts.st_ino,
            size: facts.st_size,
            modified: (facts.st_mtime.into(), facts.st_mtime_nsec.into()),
            changed: (facts.st_ctime.into(), facts.st_ctime_nsec.into()),
        }
    }
}

/// The stamps of all files of an identity; none for a file that is not there.
pub(crate) type Stamps = BTreeMap<PathBuf, Option<Stamp>>;

/// Examines every file of `files` without reading it.
pub(crate) fn stamps(files: &TlsFiles) -> Stamps {
    let places = files.authorities.iter().chain(&files.revocations).chain([&files.chain]);
    let mut found = Stamps::new();
    let mut note = |path: PathBuf| {
        let stamp = rustix::fs::lstat(&path).ok().map(Stamp::from);
        found.insert(path, stamp);
    };
    for place in places.chain(&files.key).chain(&files.password) {
        match place {
            PemSource::Memory(..) => {}
            PemSource::File(path) => note(path.clone()),
            PemSource::FileOrFolder(path) => {
                note(path.clone());
                for entry in entries(path).unwrap_or_default() {
                    note(entry);
                }
            }
        }
    }
    found
}
