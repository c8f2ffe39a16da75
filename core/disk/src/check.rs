// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Checker: reads folders that no process uses, changes nothing, and verifies every live value.

use std::collections::HashMap;
use std::path::PathBuf;

use mf_base::{Error, Result};

use crate::buffers::Buffers;
use crate::cipher::{DiskKey, FolderCipher};
use crate::disks::Disks;
use crate::footer::Entry;
use crate::index::{Found, Place};
use crate::options::EngineOptions;
use crate::read::Reading;
use crate::segment::Use;
use crate::tier::Folders;
use crate::view;
use crate::voided::Voided;

const OPERATION: &str = "disk check";

/// Contents of the folders of a tier.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Job that owns the folders.
    pub job: String,
    /// True if keys and values are encrypted.
    pub is_encrypted: bool,
    /// True if their key was given; without, [`check`] compares the checksums of the encrypted bytes.
    pub has_key: bool,
    /// Bytes of a segment.
    pub segment_bytes: u64,
    /// Number of slots.
    pub slots: u64,
    /// Segments with a footer.
    pub sealed: u64,
    /// Segments without a footer: one was being written when a process ended.
    pub unsealed: u64,
    /// Live values, and the bytes of their records.
    pub values: u64,
    /// See `values`.
    pub live_bytes: u64,
    /// Records of removed and replaced values.
    pub void_records: u64,
    /// Tombstones in the ring of the folder that has most.
    pub tombstones: u64,
    /// Damage that was found.
    pub damage: Vec<Damage>,
}

/// A value or a segment that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Slot of the segment, from 0.
    pub slot: u32,
    /// Position in the segment.
    pub at: u64,
    /// Description of the damage.
    pub what: String,
}

/// A live value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveValue {
    /// Key of the value.
    pub key: Vec<u8>,
    /// Generation of the value.
    pub generation: u64,
    /// Bytes of the value.
    pub bytes: u64,
}

/// A tier that is only read.
struct Inspected {
    disks: Disks,
    options: EngineOptions,
    cipher: Option<FolderCipher>,
    buffers: Buffers,
    folders: Folders,
}

/// A live record.
#[derive(Clone, Copy)]
struct Live {
    slot: u32,
    used: Use,
    entry: Entry,
}

impl Inspected {
    fn open(paths: &[PathBuf], key: Option<&DiskKey>) -> Result<(Self, Report)> {
        let folders = Folders::existing(paths, key)?;
        let options = folders.engine_options(&EngineOptions::default());
        let disks = Disks::new(folders.disks()?, options.segment_bytes)
            .ok_or_else(|| Error::invalid(OPERATION, "no folder was given"))?;
        let report = Report {
            job: folders.job().to_owned(),
            is_encrypted: folders.is_encrypted(),
            has_key: options.key.is_some(),
            segment_bytes: options.segment_bytes,
            slots: u64::from(options.slots),
            ..Report::default()
        };
        let cipher = options
            .key
            .as_ref()
            .map(|key| FolderCipher::new(key, options.set, u128::from_le_bytes(options.secret)));
        Ok((Self { disks, options, cipher, buffers: Buffers::default(), folders }, report))
    }

    /// Lists live records, and fills the report.
    fn live(&self, report: &mut Report) -> Result<Vec<Live>> {
        let voided = (0..self.disks.count())
            .map(|folder| {
                Voided::read(self.disks.disk(folder), self.options.tombstones_max, self.options.set)
                    .map_err(|errno| Error::os(OPERATION, errno).with("folder", folder + 1))
            })
            .collect::<Result<Vec<_>>>()?;
        let found = view::read(&self.disks, self.options.set).map_err(|errno| Error::os(OPERATION, errno))?;
        let trusted = found.view.members;
        report.tombstones = voided.iter().map(Voided::count).max().unwrap_or(0);
        let mut newest: HashMap<u128, Live> = HashMap::new();
        for number in 0..self.options.slots {
            let (slot, folder) = (self.disks.slot(number), self.disks.folder(number));
            let Some(here) = voided.get(folder).filter(|_| trusted.has(folder)) else { continue };
            let used = match slot.used(self.options.set) {
                Ok(Some(used)) => used,
                Ok(None) => continue,
                Err(errno) => {
                    report.add_damage(number, 0, format!("the head cannot be read: {errno}"));
                    continue;
                }
            };
            let (entries, has_footer) = match slot.entries(used.salt) {
                Ok(listed) => listed,
                Err(errno) => {
                    report.add_damage(number, 0, format!("the segment cannot be read: {errno}"));
                    continue;
                }
            };
            if has_footer {
                report.sealed += 1;
            } else {
                report.unsealed += 1;
            }
            for entry in entries {
                let is_void = here.has(entry.print, entry.generation)
                    || voided.iter().any(|folder| folder.has_everywhere(entry.print, entry.generation));
                let rank = |live: &Live| (live.entry.generation, live.used.epoch);
                let live = Live { slot: number, used, entry };
                let known = newest.get(&entry.print);
                report.void_records += u64::from(is_void || known.is_some());
                if !is_void && known.is_none_or(|known| rank(known) < rank(&live)) {
                    newest.insert(entry.print, live);
                }
            }
        }
        let mut all: Vec<Live> = newest.into_values().collect();
        all.sort_unstable_by_key(|live| (live.used.epoch, live.entry.unit));
        report.values = all.len() as u64;
        report.live_bytes = all.iter().map(|live| live.entry.bytes).sum();
        Ok(all)
    }

    fn reading(&self, live: &Live) -> Reading<'_> {
        let place = Place::new(live.slot, live.entry.unit, live.entry.bytes);
        let found = Found { generation: live.entry.generation, place };
        Reading {
            slot: self.disks.slot(live.slot),
            print: live.entry.print,
            found,
            salt: live.used.salt,
            cipher: self.cipher.as_ref().and_then(|cipher| cipher.segment(live.used)),
            buffers: &self.buffers,
        }
    }
}

impl Report {
    fn add_damage(&mut self, slot: u32, at: u64, what: String) {
        self.damage.push(Damage { slot, at, what });
    }
}

/// Reads heads, footers and tombstones, without the values.
///
/// **Local.** Blocks for the disks.
///
/// # Errors
/// `InUse` another process uses a folder; `NotExist`, `Failed` no tier, or a disk failed.
pub fn stat(folders: &[PathBuf]) -> Result<Report> {
    let (inspected, mut report) = Inspected::open(folders, None)?;
    inspected.live(&mut report)?;
    Ok(report)
}

/// As [`stat`], and verifies every live value. Without the `key` of encrypted folders it compares the
/// checksums of the encrypted bytes, which shows damage, but not that they are authentic.
///
/// # Errors
/// As for [`stat`] · `InvalidParam` the key is not the folders'.
pub fn check(folders: &[PathBuf], key: Option<&DiskKey>) -> Result<Report> {
    let (inspected, mut report) = Inspected::open(folders, key)?;
    for live in inspected.live(&mut report)? {
        if inspected.reading(&live).is_complete() != Ok(true) {
            let what = format!(
                "a value of {} bytes on disk has a wrong checksum, or cannot be read",
                live.entry.bytes
            );
            report.add_damage(live.slot, u64::from(live.entry.unit) * crate::record::UNIT, what);
        }
    }
    Ok(report)
}

/// Passes every live value with a readable key to `each`, oldest first.
///
/// # Errors
/// As for [`stat`], and errors of `each` · `InvalidParam` the folders are encrypted, with another key.
pub fn dump(
    folders: &[PathBuf],
    key: Option<&DiskKey>,
    mut each: impl FnMut(LiveValue) -> Result<()>,
) -> Result<Report> {
    let (inspected, mut report) = Inspected::open(folders, key)?;
    inspected.folders.check_key()?;
    for live in inspected.live(&mut report)? {
        match inspected.reading(&live).key().ok().flatten() {
            Some((key, bytes)) => each(LiveValue { key, generation: live.entry.generation, bytes })?,
            None => {
                let at = u64::from(live.entry.unit) * crate::record::UNIT;
                report.add_damage(live.slot, at, "the key cannot be read".to_owned());
            }
        }
    }
    Ok(report)
}
