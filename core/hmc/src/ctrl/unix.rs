// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Unix sockets: socket files, and abstract names.
//!
//! A path of more bytes than the kernel's address holds stands for an abstract name, which both ends derive
//! from it, and `@name` for the abstract name itself. A listener with a TCP port has a second name, of the
//! path and that port ([`named_by_port`]): if two jobs on a host share a path, a client finds the right one
//! by it.
//!
//! Socket files are made with mode 0600 under a temporary name, and only then get the name that peers know.
//!
//! So no peer connects before the mode is set, the name of a living process is never taken, and if two
//! processes find the file of a dead one, one of them gets the name: they use a lock on the folder, which the
//! kernel releases when its holder dies. Files that are not sockets are left alone.
//!
//! Temporary names depend on the path: the next process at the path removes the leftovers of one that was
//! killed.

use std::fs::{self, Metadata, Permissions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mf_base::os::descriptor;
use mf_base::os::random;
use mf_base::{Error, Kind, Result, interrupt};
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use sha2::{Digest, Sha256};

use super::START;
use crate::Status;

/// Most bytes of the path of a file: the kernel's address has 108, the last of which is zero. A longer path
/// stands for an abstract name.
pub const PATH_BYTES_MAX: usize = 107;
/// Longest wait for other processes.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
/// Attempts at a name that other processes take and release meanwhile.
const ATTEMPTS: u32 = 16;

/// Returns the path of the socket of `rank` in `dir`.
pub fn path_for(dir: &str, rank: u32) -> String {
    format!("{}/hmc_ctrl_rank_{rank}.sock", dir.strip_suffix('/').unwrap_or(dir))
}

/// Returns the name of the listener at a path that also listens at a TCP port; [`Control`](super::Control)
/// accepts it as a path.
pub fn named_by_port(path: &str, port: u16) -> String {
    format!("@{}", abstract_name(&format!("{path}:{port}")))
}

/// Returns the abstract name that stands for a text.
fn abstract_name(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("hmc-ctrl-{hex}")
}

/// Returns the abstract name of a path, if it stands for one.
fn abstract_of(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    match text.strip_prefix('@') {
        Some(name) if text.len() <= PATH_BYTES_MAX => Some(name.to_owned()),
        _ if text.len() > PATH_BYTES_MAX => Some(abstract_name(text)),
        _ => None,
    }
}

/// A socket file with its listener; on drop it is unlinked, if it is still the same file.
pub(super) struct SocketFile {
    path: PathBuf,
    made: (u64, u64),
}

fn identity(about: &Metadata) -> (u64, u64) {
    (about.dev(), about.ino())
}

/// Returns the address of a path, or of the abstract name that it stands for.
pub(super) fn address(op: &'static str, path: &Path) -> Result<SocketAddrUnix> {
    let refused = |errno| Error::os(op, errno).with("path", path.display());
    if let Some(name) = abstract_of(path) {
        return SocketAddrUnix::new_abstract_name(name.as_bytes()).map_err(refused);
    }
    if path.as_os_str().is_empty() {
        return Err(
            Error::invalid(op, "the path of a socket is empty").code_of_family(Status::InvalidConfig as i32)
        );
    }
    SocketAddrUnix::new(path).map_err(refused)
}

pub(super) fn socket() -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    descriptor::socket(AddressFamily::UNIX, SocketType::STREAM, flags, None)
}

/// Listens at `path`; the socket does not block. An abstract name has no file.
///
/// # Errors
/// `InvalidParam` the path is empty · `InUse` a living process listens there, or it is not a socket ·
/// errors of the kernel.
pub(super) fn listen(path: &Path) -> Result<(OwnedFd, Option<SocketFile>)> {
    let at = address(START, path)?;
    if abstract_of(path).is_none() {
        return listen_at_file(path).map(|(listener, file)| (listener, Some(file)));
    }
    let refused = |errno| match errno {
        Errno::ADDRINUSE => path_in_use(path, "another process listens at the path"),
        errno => Error::os(START, errno).with("path", path.display()),
    };
    let listener = socket().map_err(refused)?;
    rustix::net::bind(&listener, &at).map_err(refused)?;
    rustix::net::listen(&listener, 64).map_err(refused)?;
    Ok((listener, None))
}

#[cold]
fn path_in_use(path: &Path, what: &str) -> Error {
    Error::new(Kind::InUse, START).what(what).with("path", path.display())
}

fn listen_at_file(path: &Path) -> Result<(OwnedFd, SocketFile)> {
    let refused = |errno| Error::os(START, errno).with("path", path.display());
    let failed = |error: std::io::Error| {
        Error::new(Kind::Failed, START)
            .what("the socket file cannot be made")
            .with("path", path.display())
            .source(error)
    };
    let lock = lock_folder(path)?;
    let names = Names::new(path, lock.is_some())?;
    let own = &names.new;
    let listener = socket().map_err(refused)?;
    rustix::net::bind(&listener, &address(START, own)?).map_err(refused)?;
    // Unlinks the temporary name in any case, before others may; the other name stays.
    let _own = Unlinked(own);
    fs::set_permissions(own, Permissions::from_mode(0o600)).map_err(failed)?;
    rustix::net::listen(&listener, 64).map_err(refused)?;
    let made = identity(&fs::symlink_metadata(own).map_err(failed)?);
    for _ in 0..ATTEMPTS {
        match fs::hard_link(own, path) {
            Ok(()) => return Ok((listener, SocketFile { path: path.to_owned(), made })),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => remove_dead(path, &names.old)?,
            Err(error) => return Err(failed(error)),
        }
    }
    Err(Error::new(Kind::InUse, START)
        .what("other processes keep taking the path")
        .with("path", path.display()))
}

/// Locks the folder against other processes of this library. If the holder keeps it for long, it is some
/// other program: then goes without the lock, as in a folder that may not be read.
fn lock_folder(path: &Path) -> Result<Option<OwnedFd>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(folder) = descriptor::open(folder, flags, Mode::empty()) else { return Ok(None) };
    let end = Instant::now() + LOCK_TIMEOUT;
    loop {
        match rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK | Errno::INTR) if Instant::now() < end => {
                interrupt::sleep(START, Duration::from_millis(2))?;
            }
            locked => return Ok(locked.is_ok().then_some(folder)),
        }
    }
}

/// Temporary names in the same folder, for the new socket and for the old one.
struct Names {
    new: PathBuf,
    old: PathBuf,
}

impl Names {
    /// Returns the names that belong to the path, after removing the leftovers of a dead process;
    /// `is_locked`: this process has the lock. Else returns random names.
    fn new(path: &Path, is_locked: bool) -> Result<Self> {
        let number = match is_locked {
            true => {
                let mut hasher = DefaultHasher::new();
                path.file_name().hash(&mut hasher);
                hasher.finish()
            }
            false => u64::from_le_bytes(random(START)?),
        };
        let named = |kind| path.with_file_name(format!(".hmc-{kind}{:08x}", number & 0xffff_ffff));
        let names = Self { new: named(""), old: named("~") };
        for left in [&names.new, &names.old] {
            if fs::symlink_metadata(left).is_ok_and(|about| about.file_type().is_socket()) {
                let _ = fs::remove_file(left);
            }
        }
        Ok(names)
    }
}

struct Unlinked<'a>(&'a Path);

impl Drop for Unlinked<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.0);
    }
}

/// Removes the file of a dead process, through another name; succeeds also if it has been removed
/// meanwhile.
fn remove_dead(path: &Path, moved: &Path) -> Result<()> {
    let taken = |what: &str| path_in_use(path, what);
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    if !found.file_type().is_socket() {
        return Err(taken("the path is a file that is not a socket").hint("choose another path"));
    }
    let probe = socket().map_err(|errno| Error::os(START, errno))?;
    match rustix::net::connect(&probe, &address(START, path)?) {
        Err(Errno::CONNREFUSED) => {}
        Err(Errno::NOENT) => return Ok(()),
        Ok(()) | Err(Errno::AGAIN | Errno::INPROGRESS) => {
            return Err(taken("another process listens at the path").hint("give each rank its own path"));
        }
        Err(errno) => {
            return Err(
                taken("the socket at the path cannot be examined").source(std::io::Error::from(errno))
            );
        }
    }
    // Another process may have put its own file there meanwhile: the moved file is examined once more.
    match fs::rename(path, moved) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(taken("the file of a process that is gone cannot be removed").source(error)),
    }
    let _moved = Unlinked(moved);
    if fs::symlink_metadata(moved).is_ok_and(|about| identity(&about) != identity(&found)) {
        // Gives it back, unless a third process has taken the name by now.
        let _ = fs::hard_link(moved, path);
        return Err(taken("another process listens at the path"));
    }
    Ok(())
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|about| identity(&about) == self.made) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed at the end of the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("mf-hmc-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn paths_are_those_of_the_interface() {
        assert_eq!(path_for("/tmp/", 3), "/tmp/hmc_ctrl_rank_3.sock");
        assert_eq!(path_for("/tmp", 3), path_for("/tmp/", 3));
        assert_eq!(path_for("", 0), "/hmc_ctrl_rank_0.sock");
        assert_eq!(path_for("/", 0), "/hmc_ctrl_rank_0.sock");
    }

    #[test]
    fn socket_file_is_private_and_removed_with_its_listener() {
        let folder = Folder::new("mode");
        let path = folder.0.join("s");
        let (listener, file) = listen_at_file(&path).unwrap();
        assert_eq!(fs::symlink_metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
        let error = listen(&path).err().unwrap();
        assert_eq!(error.kind(), Kind::InUse, "{error}");
        drop(listener);
        // The file of a dead process is replaced, and dropping the dead one's handle leaves the new one.
        let (_second, second_file) = listen_at_file(&path).unwrap();
        drop(file);
        assert!(path.exists());
        drop(second_file);
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
    }

    #[test]
    fn leftovers_of_a_killed_process_are_removed() {
        let folder = Folder::new("left");
        let path = folder.0.join("s");
        let names = Names::new(&path, true).unwrap();
        for left in [&names.new, &names.old, &path] {
            drop(std::os::unix::net::UnixListener::bind(left).unwrap());
        }
        let (_listener, file) = listen_at_file(&path).unwrap();
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
        drop(file);
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
    }

    #[test]
    fn non_socket_file_is_kept() {
        let folder = Folder::new("other");
        let path = folder.0.join("s");
        fs::write(&path, "text").unwrap();
        assert!(listen(&path).err().unwrap().to_string().contains("not a socket"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
        let link = folder.0.join("l");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(listen(&link).err().unwrap().to_string().contains("not a socket"));
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2);
    }

    #[test]
    fn overlong_path_maps_to_an_abstract_name() {
        let folder = Folder::new("long");
        let long = folder.0.join("x".repeat(PATH_BYTES_MAX));
        let (_listener, file) = listen(&long).unwrap();
        assert!(file.is_none() && !long.exists());
        let client = socket().unwrap();
        rustix::net::connect(&client, &address("test", &long).unwrap()).unwrap();
        let error = listen(&long).err().unwrap();
        assert_eq!(error.kind(), Kind::InUse, "{error}");
        let error = address("test", Path::new("")).err().unwrap();
        assert_eq!(Status::from_error(&error), Status::InvalidConfig, "{error}");
        let fits = PathBuf::from(format!("/tmp/{}", "x".repeat(PATH_BYTES_MAX - 5)));
        assert!(abstract_of(&fits).is_none() && address("test", &fits).is_ok());
    }

    #[test]
    fn one_of_many_listeners_takes_over_a_dead_socket_file() {
        let folder = Folder::new("race");
        let path = folder.0.join("s");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        let all: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| listen_at_file(&path).ok())).collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(all.len(), 1);
        assert_eq!(identity(&fs::symlink_metadata(&path).unwrap()), all[0].1.made);
    }
}
