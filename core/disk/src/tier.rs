// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Disk tier: an engine over folders, with the threads that write values and tombstones.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::os::{descriptor, random, thread};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use crate::cipher::DiskKey;
use crate::disk::Disk;
use crate::engine::Engine;
use crate::folder::Folder;
use crate::identity::{Identity, check_job};
use crate::options::{EngineOptions, Options};

const OPERATION: &str = "disk open";
/// File in the first folder while a process uses the tier: the boot id of the machine.
const RUNNING: &str = "running";
/// File in the first folder with the note of its user.
const NOTE: &str = "note";
/// Longest sleep of the writing thread: it also tries again after faults.
const NAP: Duration = Duration::from_millis(200);

/// Locked folders of one tier with equal identities.
pub(crate) struct Folders {
    pub(crate) folders: Vec<Folder>,
    pub(crate) identities: Vec<Identity>,
    /// Key of encrypted folders.
    key: Option<DiskKey>,
}

impl Folders {
    /// Locks existing folders, of any job. The key is not used for plain folders.
    pub(crate) fn existing(paths: &[PathBuf], key: Option<&DiskKey>) -> Result<Self> {
        let locked = paths.iter().map(|path| Folder::lock(path, false)).collect::<Result<Vec<_>>>()?;
        let known = Self::read(&locked)?.ok_or_else(|| Error::invalid(OPERATION, "no folder was given"))?;
        let mut folders = Self::checked(locked, known, None)?;
        folders.key = key.filter(|_| folders.is_encrypted()).cloned();
        if folders.key.is_some() {
            folders.check_key()?;
        }
        Ok(folders)
    }

    /// Returns true if keys and values are encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.identities.iter().any(|identity| identity.key_check.is_some())
    }

    /// Refuses folders that the key does not fit.
    pub(crate) fn check_key(&self) -> Result<()> {
        let mut all = self.folders.iter().zip(&self.identities);
        all.try_for_each(|(folder, identity)| identity.check_key(self.key.as_ref(), &folder.name()))
    }

    /// Locks folders and makes them a tier if they are new.
    fn prepared(options: &Options) -> Result<Self> {
        check_job(&options.job)?;
        let folders =
            options.folders.iter().map(|path| Folder::lock(path, true)).collect::<Result<Vec<_>>>()?;
        if let Some(known) = Self::read(&folders)? {
            let mut folders = Self::checked(folders, known, Some(&options.job))?;
            folders.key = options.key.clone();
            folders.check_key()?;
            return Ok(folders);
        }
        let mut made =
            Self { folders, identities: Identity::of_new(options, user()), key: options.key.clone() };
        made.begin()?;
        Ok(made)
    }

    /// The identities; `None` if no folder has one.
    fn read(folders: &[Folder]) -> Result<Option<Vec<Identity>>> {
        let found = folders.iter().map(Folder::identity).collect::<Result<Vec<_>>>()?;
        let Some(first) = found.iter().position(Option::is_some) else { return Ok(None) };
        let fresh = found.iter().position(Option::is_none).and_then(|at| folders.get(at));
        if let (Some(fresh), Some(used)) = (fresh, folders.get(first)) {
            return Err(Error::invalid(OPERATION, "one folder is new and another is not")
                .with("new", fresh.name())
                .with("used", used.name())
                .hint("give the folders of one tier, or remove them all to begin anew"));
        }
        Ok(Some(found.into_iter().flatten().collect()))
    }

    fn checked(folders: Vec<Folder>, identities: Vec<Identity>, job: Option<&str>) -> Result<Self> {
        let count = u32::try_from(identities.len()).unwrap_or(u32::MAX);
        for (number, (folder, identity)) in (0..).zip(folders.iter().zip(&identities)) {
            identity.check_owner(job, user(), &folder.name())?;
            let is_of_set = identities.first().is_some_and(|first| first.set == identity.set);
            if !is_of_set || identity.folders != count || identity.folder != number {
                return Err(Error::invalid(
                    OPERATION,
                    "the folders are not those of one tier, in their order",
                )
                .with("folder", folder.name())
                .with("number", identity.folder + 1)
                .with("of", identity.folders)
                .hint("give all folders in the order of the first time"));
            }
        }
        Ok(Self { folders, identities, key: None })
    }

    /// Makes the folders an empty tier, by new random numbers.
    fn begin(&mut self) -> Result<()> {
        let set = u64::from_le_bytes(random(OPERATION)?);
        let secret = u128::from_le_bytes(random(OPERATION)?);
        self.identities = std::mem::take(&mut self.identities)
            .into_iter()
            .map(|identity| identity.renewed(set, secret, self.key.as_ref()))
            .collect::<Result<_>>()?;
        self.folders
            .iter()
            .zip(&self.identities)
            .try_for_each(|(folder, identity)| folder.replace("identity", &identity.encode()))
    }

    /// Marks the tier as used. After a restart of the machine that no clean end preceded, removals may have
    /// been lost: the tier then begins empty.
    fn mark_running(&mut self) -> Result<()> {
        let boot = descriptor::read_text("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let before = self.folders.first().and_then(|first| first.read(RUNNING));
        if before.is_some_and(|before| before != boot) {
            tracing::warn!(
                "the machine was restarted while the disk tier was in use: it begins empty, removals may be lost"
            );
            self.begin()?;
        }
        self.folders.first().map_or(Ok(()), |first| first.replace(RUNNING, &boot))
    }

    pub(crate) fn disks(&self) -> Result<Vec<Box<dyn Disk>>> {
        let open = |(folder, identity): (&Folder, &Identity)| {
            folder.open(identity).map(|disk| Box::new(disk) as Box<dyn Disk>)
        };
        self.folders.iter().zip(&self.identities).map(open).collect()
    }

    /// Options of the engine, as the folders have them.
    pub(crate) fn engine_options(&self, given: &EngineOptions) -> EngineOptions {
        let Some(identity) = self.identities.first() else { return given.clone() };
        EngineOptions {
            set: identity.set,
            secret: identity.secret.to_le_bytes(),
            key: self.key.clone(),
            segment_bytes: identity.segment_bytes,
            slots: identity.slots,
            tombstones_max: identity.tombstones_max,
            ..given.clone()
        }
    }

    /// Job that owns the folders.
    pub(crate) fn job(&self) -> &str {
        self.identities.first().map_or("", |identity| &identity.job)
    }
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Values in folders of local disks. All calls of [`Engine`] are calls of this.
///
/// Dropping it writes the queue and marks a clean end.
#[derive(Debug)]
pub struct DiskTier {
    engine: Arc<Engine>,
    folders: Folders,
    writer: Mutex<Option<JoinHandle<()>>>,
    remover: Mutex<Option<JoinHandle<()>>>,
    is_ending: Arc<Mutex<bool>>,
}

impl std::fmt::Debug for Folders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.folders.iter().map(Folder::name)).finish()
    }
}

impl Deref for DiskTier {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}

impl DiskTier {
    /// Opens folders, which belong to this process until the tier is dropped. New folders become a tier with
    /// these options; existing ones keep their geometry.
    ///
    /// **Local.** Blocks for the disks.
    ///
    /// # Errors
    /// `InUse` another process, job or user has a folder · `InvalidParam` the folders do not belong
    /// together, or the key is not theirs · `Failed` another format version, or a disk failed.
    pub fn open(options: &Options) -> Result<Self> {
        Self::over(Folders::prepared(options)?, &options.engine)
    }

    /// Opens existing folders, of any job of this user. `key` is that of encrypted folders; plain ones need
    /// none, and open with one as well.
    ///
    /// # Errors
    /// As for [`open`](Self::open), and `NotExist` without a tier.
    pub fn open_existing(folders: &[PathBuf], key: Option<&DiskKey>) -> Result<Self> {
        let folders = Folders::existing(folders, key)?;
        folders.check_key()?;
        Self::over(folders, &EngineOptions::default())
    }

    fn over(mut folders: Folders, given: &EngineOptions) -> Result<Self> {
        folders.mark_running()?;
        let engine = Arc::new(Engine::open(folders.disks()?, folders.engine_options(given))?);
        let is_ending = Arc::new(Mutex::new(false));
        let (writer, remover) = <_>::default();
        // Dropped if a thread cannot be started, which ends the others.
        let tier = Self { engine, folders, writer, remover, is_ending };
        let (working, ending) = (Arc::clone(&tier.engine), Arc::clone(&tier.is_ending));
        let writer = thread::spawn("mf-disk", move || {
            while !*lock(&ending) {
                if !working.step() {
                    working.wait_for_work(NAP);
                }
            }
        });
        *lock(&tier.writer) = Some(writer.map_err(not_started)?);
        let removing = Arc::clone(&tier.engine);
        tier.engine.begin_removals();
        let remover = thread::spawn("mf-disk-void", move || removing.serve_removals());
        *lock(&tier.remover) = Some(remover.map_err(not_started)?);
        Ok(tier)
    }

    /// The job that owns the folders.
    pub fn job(&self) -> &str {
        self.folders.job()
    }

    /// Reads the note that [`set_note`](Self::set_note) has left in the folders.
    pub fn note(&self) -> Option<String> {
        self.folders.folders.first().and_then(|first| first.read(NOTE))
    }

    /// Leaves a short text in the folders for the next opening: whole or not at all, also if the machine
    /// fails.
    ///
    /// **Local.** Blocks for the disk.
    ///
    /// # Errors
    /// Errors of the disk; the former note stays.
    pub fn set_note(&self, note: &str) -> Result<()> {
        self.folders.folders.first().map_or(Ok(()), |first| first.replace(NOTE, note))
    }
}

fn not_started(error: std::io::Error) -> Error {
    Error::new(Kind::NoResources, OPERATION).what("a thread of the tier cannot be started").source(error)
}

impl Drop for DiskTier {
    fn drop(&mut self) {
        *lock(&self.is_ending) = true;
        self.engine.work.notify_all();
        self.engine.end_removals();
        for thread in [&self.writer, &self.remover] {
            if let Some(thread) = lock(thread).take() {
                let _ = thread.join();
            }
        }
        let ended = self
            .engine
            .close()
            .and_then(|()| self.folders.folders.first().map_or(Ok(()), |first| first.remove(RUNNING)));
        if let Err(error) = ended {
            tracing::warn!("the disk tier did not end cleanly: {error}");
        }
    }
}
