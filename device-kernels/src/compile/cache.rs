// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The emulation, compiled once for all builds of this user.
//!
//! It is the same for every kernel, and takes ten times as long to compile. The cached objects are in a
//! folder named by a hash of all dependencies: the contents of the sources and headers, the compiler with its
//! version, the flags. So no entry ever becomes stale, and the whole cache may be deleted while no build
//! runs.
//!
//! Objects become part of a program that runs, so objects are used only if no other user can have written
//! them: they and their folder belong to this user, and no other may enter the folder.
//!
//! An installation may have the objects beside its headers ([`prepare`]). They are used if they belong to
//! the owner of the headers (able to change these as well), and no other may write to them.
//!
//! Concurrent builders: each compiles into a separate folder and renames it when it is complete. The second
//! finds the name taken, and discards its own folder.

use std::collections::hash_map::{DefaultHasher, RandomState};
use std::ffi::OsString;
use std::fs::{DirBuilder, File, Metadata, Permissions};
use std::hash::{BuildHasher, Hash, Hasher};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::host::{Compiler, FLAGS, Job, Unit, units};
use super::{Home, join_sources, run_all};

/// The folder of this user: `memfabric/kernels` in `XDG_CACHE_HOME`, or else in `.cache` of `HOME`. None
/// where neither is set.
pub fn default_cache(variables: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let named = |name: &str| variables(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("memfabric/kernels"))
}

/// The objects of the emulation: from the job's cache where it has one that can be written, else made in its
/// scratch folder.
pub(super) fn emulation(compiler: &Compiler, home: &Home, job: &Job<'_>) -> Result<Vec<PathBuf>, String> {
    let name = format!("emulation-{}", key(compiler, home)?);
    let prepared = home.prepared.as_ref().and_then(|all| {
        let owner = std::fs::metadata(&home.emulation).ok()?;
        Own(owner.uid()).whole(&all.join(&name), 0o022)
    });
    prepared.map_or_else(|| of_user(compiler, home, &name, job.cache, job.scratch), Ok)
}

/// The objects from a user's cache, where there is one that can be written, else made in `scratch`.
fn of_user(
    compiler: &Compiler,
    home: &Home,
    name: &str,
    cache: Option<&Path>,
    scratch: &Path,
) -> Result<Vec<PathBuf>, String> {
    let cache = cache.and_then(|cache| Some((cache, Own::of_private(cache)?)));
    let Some((cache, own)) = cache else { return make(compiler, home, scratch) };
    let kept = cache.join(name);
    if let Some(objects) = own.whole(&kept, 0o077) {
        return Ok(objects);
    }
    let draft = draft_beside(&kept);
    if DirBuilder::new().mode(0o700).create(&draft).is_err() {
        return make(compiler, home, scratch);
    }
    let made = make(compiler, home, &draft);
    if made.is_ok() && std::fs::rename(&draft, &kept).is_err() && own.whole(&kept, 0o077).is_none() {
        // The cached folder is damaged: a part of it was deleted.
        let _ = std::fs::remove_dir_all(&kept);
        let _ = std::fs::rename(&draft, &kept);
    }
    let _ = std::fs::remove_dir_all(&draft);
    made?;
    own.whole(&kept, 0o077).ok_or_else(|| format!("the folder {} went away during the build", kept.display()))
}

/// Compiles the emulation for all users of an installation, in place of an earlier one there; takes the
/// objects of this user's `cache` where it has them. Returns the folder.
///
/// # Errors
/// `home` is no installation · the folder cannot be written · the compiler's words.
pub fn prepare(compiler: &Compiler, home: &Home, cache: Option<&Path>) -> Result<PathBuf, String> {
    let all = home.prepared.as_ref().ok_or("this is no installation; each user's first build compiles it")?;
    let unwritable = |error: std::io::Error| format!("cannot write to {}: {error}", all.display());
    DirBuilder::new().recursive(true).mode(0o755).create(all).map_err(unwritable)?;
    let name = format!("emulation-{}", key(compiler, home)?);
    let draft = draft_beside(&all.join(&name));
    DirBuilder::new().mode(0o755).create(&draft).map_err(unwritable)?;
    let kept = fill(compiler, home, &name, cache, &draft).and_then(|()| {
        for entry in std::fs::read_dir(all).map_err(unwritable)?.flatten() {
            if entry.path() != draft && entry.file_name().to_string_lossy().starts_with("emulation-") {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        std::fs::rename(&draft, all.join(&name)).map_err(unwritable)
    });
    let _ = std::fs::remove_dir_all(&draft);
    kept.map(|()| all.join(name))
}

/// Puts the objects into `folder`, for all to read.
fn fill(
    compiler: &Compiler,
    home: &Home,
    name: &str,
    cache: Option<&Path>,
    folder: &Path,
) -> Result<(), String> {
    for object in of_user(compiler, home, name, cache, folder)? {
        let unwritable = |error: std::io::Error| format!("cannot write to {}: {error}", folder.display());
        let own = folder.join(object.file_name().unwrap_or_default());
        if own != object {
            std::fs::copy(&object, &own).map_err(unwritable)?;
        }
        std::fs::set_permissions(&own, Permissions::from_mode(0o644)).map_err(unwritable)?;
    }
    Ok(())
}

fn make(compiler: &Compiler, home: &Home, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let sources = home.emulation_sources()?;
    if sources.is_empty() {
        return Err(format!("there is no emulation in {}", home.emulation.display()));
    }
    // Every other file to each: the parts take about the same time.
    for (number, part) in parts(folder).iter().enumerate() {
        let files: Vec<&PathBuf> = sources.iter().skip(number).step_by(PARTS.len()).collect();
        join_sources(part, &files)?;
    }
    let units = units(folder, "emulation", &parts(folder));
    run_all(&units, PARTS.len(), |unit| unit.compile(compiler, home))?;
    Ok(units.iter().map(Unit::object).collect())
}

/// The emulation is compiled as this many files: each of its sources includes the same headers, which would
/// take most of the time. So names in unnamed namespaces differ between its sources.
const PARTS: [&str; 2] = ["first", "second"];

fn parts(folder: &Path) -> Vec<PathBuf> {
    PARTS.iter().map(|part| folder.join(format!("{part}.cpp"))).collect()
}

/// Owner of trusted objects: the user of this process, as recorded in files that it creates, or the owner of
/// an installation.
struct Own(u32);

impl Own {
    /// Makes the folder of a cache if it is missing, and takes from others the right to write to it. `None`:
    /// it is another user's, or cannot be made.
    ///
    /// The user is found by a file that is made there: `/proc` may be missing, and belongs to root where the
    /// process may not be dumped.
    fn of_private(folder: &Path) -> Option<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder).ok()?;
        let probe = draft_beside(&folder.join("owner"));
        let made = File::create_new(&probe).and_then(|file| file.metadata());
        let _ = std::fs::remove_file(&probe);
        let own = Self(made.ok()?.uid());
        let about = std::fs::metadata(folder).ok().filter(|about| own.has(about))?;
        if about.mode() & 0o022 != 0 {
            std::fs::set_permissions(folder, Permissions::from_mode(about.mode() & 0o755)).ok()?;
        }
        Some(own)
    }

    fn has(&self, about: &Metadata) -> bool {
        about.uid() == self.0
    }

    /// The objects in a folder without any of these `rights`, where all are there.
    fn whole(&self, folder: &Path, rights: u32) -> Option<Vec<PathBuf>> {
        let objects: Vec<PathBuf> =
            units(folder, "emulation", &parts(folder)).iter().map(Unit::object).collect();
        let about = std::fs::symlink_metadata(folder).ok()?;
        let is_private = about.is_dir() && self.has(&about) && about.mode() & rights == 0;
        let is_object = |path: &PathBuf| {
            let about = std::fs::symlink_metadata(path);
            about.is_ok_and(|about| about.is_file() && self.has(&about) && about.mode() & 0o022 == 0)
        };
        (is_private && objects.iter().all(is_object)).then_some(objects)
    }
}

/// A name that no other build has, of this process or another. A pid would not do: containers that share the
/// folder have processes of equal pids.
pub(super) fn draft_beside(kept: &Path) -> PathBuf {
    let mut name = kept.as_os_str().to_owned();
    name.push(format!(".{:016x}", RandomState::new().build_hasher().finish()));
    PathBuf::from(name)
}

/// Made of all that the objects depend on.
fn key(compiler: &Compiler, home: &Home) -> Result<String, String> {
    let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
    1_u8.hash(&mut hashers[1]);
    let mut files = Vec::new();
    for folder in [&home.emulation, &home.headers] {
        files_in(folder, Path::new(""), &mut files)?;
    }
    // An installation has no other header of the simulator.
    files_in(&home.simulator, Path::new("ascend_sim_kernel.h"), &mut files)?;
    files.sort();
    for hasher in &mut hashers {
        (&compiler.command, &compiler.version, FLAGS, &files).hash(hasher);
    }
    Ok(hashers.map(|hasher| format!("{:016x}", hasher.finish())).concat())
}

/// Names, from the folder on, and contents of all files below it. Links to folders are not followed: an
/// installation has one that leads to its own folder.
fn files_in(folder: &Path, name: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) -> Result<(), String> {
    let at = folder.join(name);
    let unreadable = |error: std::io::Error| format!("cannot read {}: {error}", at.display());
    if at.is_dir() {
        for entry in std::fs::read_dir(&at).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            if !(entry.file_type().map_err(unreadable)?.is_symlink() && entry.path().is_dir()) {
                files_in(folder, &name.join(entry.file_name()), found)?;
            }
        }
        return Ok(());
    }
    found.push((name.to_owned(), std::fs::read(&at).map_err(unreadable)?));
    Ok(())
}
