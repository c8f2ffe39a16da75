// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Folder of a disk tier: `lock`, `identity`, `running`, and the files of data, `segments`, `removals` and
//! `view`.
//!
//! `segments` is one sparse file that is cut into slots. It is read and written past the page cache where
//! the file system allows it; the others go through the page cache, so that a removal does not wait for
//! the disk.

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use mf_base::os::descriptor;
use mf_base::{Error, Kind, Result};
use rustix::fs::{FallocateFlags, FlockOperation, OFlags, fallocate, fdatasync, flock};
use rustix::io::Errno;

use crate::disk::{Area, Disk, PAGE};
use crate::identity::Identity;
use crate::page_buffer::PageBuffer;

const OPERATION: &str = "disk open";

/// A folder that this process has locked.
pub(crate) struct Folder {
    path: PathBuf,
    /// Locked until it is closed.
    _lock: File,
}

fn failed(what: &'static str, path: &Path, error: &std::io::Error) -> Error {
    let errno = Errno::from_io_error(error).unwrap_or(Errno::IO);
    Error::os(OPERATION, errno).what(what).with("path", path.display()).hint(crate::faults::remedy(errno))
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options
}

impl Folder {
    /// Locks a folder, after making it if `makes`.
    pub(crate) fn lock(path: &Path, makes: bool) -> Result<Self> {
        if makes {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(path)
                .map_err(|error| failed("the folder cannot be made", path, &error))?;
        }
        let facts =
            std::fs::metadata(path).map_err(|error| failed("the folder cannot be read", path, &error))?;
        let user = rustix::process::geteuid().as_raw();
        let refused = |what: &str| {
            Error::new(Kind::InUse, OPERATION).what(what.to_owned()).with("folder", path.display())
        };
        if facts.uid() != user {
            return Err(refused("the folder belongs to another user")
                .with("owner", facts.uid())
                .with("user", user)
                .hint("use a folder of this user"));
        }
        if facts.mode() & 0o077 != 0 {
            return Err(
                refused("the folder is open to other users").hint(format!("chmod 700 {}", path.display()))
            );
        }
        if !makes && !path.join("identity").exists() {
            return Err(Error::new(Kind::NotExist, OPERATION)
                .what("the folder does not belong to a disk tier")
                .with("folder", path.display()));
        }
        let file = path.join("lock");
        let lock = descriptor::open_file(&options(), &file)
            .map_err(|error| failed("the lock cannot be opened", &file, &error))?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive).map_err(|errno| match errno {
            Errno::WOULDBLOCK => {
                refused("another process uses the folder").hint("end it, or use another folder")
            }
            errno => failed("the folder cannot be locked", &file, &errno.into()),
        })?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The identity, if the folder has one.
    pub(crate) fn identity(&self) -> Result<Option<Identity>> {
        let path = self.path.join("identity");
        match descriptor::read_text(&path) {
            Ok(text) => Identity::decode(&text, &path.display().to_string()).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("the identity of the folder cannot be read", &path, &error)),
        }
    }

    /// Replaces a small file, whole or not at all, whenever power fails.
    pub(crate) fn replace(&self, name: &str, text: &str) -> Result<()> {
        let (path, fresh) = (self.path.join(name), self.path.join(format!("{name}.new")));
        let written = descriptor::open_file(options().truncate(true), &fresh)
            .and_then(|file| file.write_all_at(text.as_bytes(), 0).and_then(|()| file.sync_all()))
            .and_then(|()| std::fs::rename(&fresh, &path))
            .and_then(|()| self.sync());
        written.map_err(|error| failed("a file of the folder cannot be written", &path, &error))
    }

    /// Reads a small file; `None` if it is not there.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        descriptor::read_text(self.path.join(name)).ok()
    }

    /// Removes a small file, for good.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        let path = self.path.join(name);
        std::fs::remove_file(&path)
            .and_then(|()| self.sync())
            .map_err(|error| failed("a file of the folder cannot be removed", &path, &error))
    }

    fn sync(&self) -> std::io::Result<()> {
        descriptor::read_file(&self.path)?.sync_all()
    }

    /// Opens the files of data. Their lengths follow the identity.
    pub(crate) fn open(&self, identity: &Identity) -> Result<FileDisk> {
        let path = self.path.join("segments");
        let open = |path: &Path, options: &OpenOptions| {
            descriptor::open_file(options, path)
                .map_err(|error| failed("a file cannot be opened", path, &error))
        };
        let segments = open(&path, &options())?;
        let rest = u64::from(identity.folder < identity.slots % identity.folders.max(1));
        let slots = u64::from(identity.slots / identity.folders.max(1)) + rest;
        segments
            .set_len(slots * identity.segment_bytes)
            .map_err(|error| failed("a file cannot be extended", &path, &error))?;
        let flags = i32::try_from(OFlags::DIRECT.bits()).unwrap_or(0);
        let direct = descriptor::open_file(options().custom_flags(flags), &path).ok().filter(|direct| {
            let mut page = PageBuffer::zeroed(PAGE);
            direct.read_at(page.bytes_mut(), 0).is_ok()
        });
        let removals = open(&self.path.join("removals"), &options())?;
        let view = open(&self.path.join("view"), &options())?;
        Ok(FileDisk { segments, direct, removals, view })
    }
}

/// The files of data of a folder.
pub(crate) struct FileDisk {
    segments: File,
    /// The same file without the page cache.
    direct: Option<File>,
    removals: File,
    view: File,
}

impl FileDisk {
    fn file(&self, area: Area) -> &File {
        match area {
            Area::Segments => self.direct.as_ref().unwrap_or(&self.segments),
            Area::Removals => &self.removals,
            Area::View => &self.view,
        }
    }
}

fn errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

impl Disk for FileDisk {
    fn read(&self, area: Area, at: u64, into: &mut [u8]) -> Result<(), Errno> {
        let (file, mut done) = (self.file(area), 0);
        while let Some(rest) = into.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match file.read_at(rest, at + done as u64) {
                Ok(0) => {
                    rest.fill(0);
                    break;
                }
                Ok(bytes) => done += bytes,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(errno(&error)),
            }
        }
        Ok(())
    }

    fn write(&self, area: Area, at: u64, bytes: &[u8]) -> Result<(), Errno> {
        self.file(area).write_all_at(bytes, at).map_err(|error| errno(&error))
    }

    fn sync(&self, area: Area) -> Result<(), Errno> {
        fdatasync(self.file(area))
    }

    fn allocate(&self, at: u64, bytes: u64) -> Result<(), Errno> {
        match fallocate(&self.segments, FallocateFlags::KEEP_SIZE, at, bytes) {
            // A file system without reservations fails in the write instead.
            Err(Errno::OPNOTSUPP) => Ok(()),
            done => done,
        }
    }

    fn discard(&self, at: u64, bytes: u64) -> Result<(), Errno> {
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        fallocate(&self.segments, flags, at, bytes)
    }
}
