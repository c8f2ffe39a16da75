// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Identity of a folder: format version, job, owner and geometry, as a text file with a checksum.

use mf_base::{Error, Kind, Result};

use crate::cipher::{DiskKey, FolderCipher};
use crate::options::Options;

const OPERATION: &str = "disk open";
const TITLE: &str = "memfabric disk tier";
/// Version of the format of folders.
const VERSION: u64 = 2;
/// Values of the line "cipher"; the name of a cipher is followed by the check value of the key.
const NO_CIPHER: &str = "none";
const CIPHER: &str = "aes-256-gcm";
/// Longest name of a job.
const JOB_BYTES_MAX: usize = 256;

/// See the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) job: String,
    pub(crate) owner: u32,
    /// Random number of the tier, and the secret key of its prints.
    pub(crate) set: u64,
    pub(crate) secret: u128,
    /// Number of this folder, and of all.
    pub(crate) folder: u32,
    pub(crate) folders: u32,
    pub(crate) segment_bytes: u64,
    /// Slots of all folders.
    pub(crate) slots: u32,
    pub(crate) tombstones_max: u64,
    /// Value by which an encrypted folder recognises its key; `None` for a plain one.
    pub(crate) key_check: Option<u128>,
}

/// Refuses names of jobs that do not fit a line.
pub(crate) fn check_job(job: &str) -> Result<()> {
    if job.is_empty() || job.len() > JOB_BYTES_MAX || job.chars().any(char::is_control) {
        return Err(Error::invalid(OPERATION, "the name of a job has 1 to 256 printable characters")
            .with("bytes", job.len()));
    }
    Ok(())
}

impl Identity {
    pub(crate) fn encode(&self) -> String {
        let Self { job, owner, set, secret, folder, folders, segment_bytes, slots, .. } = self;
        let tombstones_max = self.tombstones_max;
        let cipher = self.key_check.map_or(NO_CIPHER.to_owned(), |check| format!("{CIPHER} {check:032x}"));
        let text = format!(
            "{TITLE}\nversion {VERSION}\njob {job}\nowner {owner}\nset {set:016x}\nsecret {secret:032x}\n\
             folder {folder}\nfolders {folders}\nsegment_bytes {segment_bytes}\nslots {slots}\n\
             tombstones_max {tombstones_max}\ncipher {cipher}\n"
        );
        format!("{text}checksum {:08x}\n", crc32c::crc32c(text.as_bytes()))
    }

    /// Decodes the file; `path` names it in errors.
    pub(crate) fn decode(text: &str, path: &str) -> Result<Self> {
        let broken = |what: &str| {
            Error::new(Kind::Failed, OPERATION)
                .what(what.to_owned())
                .with("file", path)
                .hint("remove the folder's contents to begin with an empty one")
        };
        let field = |name: &str| {
            let found = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            found.ok_or_else(|| broken("the identity of the folder has no such line").with("line", name))
        };
        let number = |name: &str| {
            field(name)?.parse::<u64>().map_err(|_| broken("malformed identity").with("line", name))
        };
        let small = |name: &str| {
            u32::try_from(number(name)?).map_err(|_| broken("malformed identity").with("line", name))
        };
        if text.lines().next() != Some(TITLE) {
            return Err(broken("the folder does not belong to a disk tier"));
        }
        // Before the checksum: another version may have another one.
        if number("version")? != VERSION {
            return Err(Error::new(Kind::Failed, OPERATION)
                .what("the folder has another format version")
                .with("file", path)
                .with("version", field("version")?)
                .with("supported", VERSION)
                .hint("use the version of the program that wrote it, or another folder"));
        }
        let sum = field("checksum")?;
        let before = text.rfind("checksum ").and_then(|at| text.get(..at)).unwrap_or_default();
        if u32::from_str_radix(sum, 16) != Ok(crc32c::crc32c(before.as_bytes())) {
            return Err(broken("the identity of the folder has a wrong checksum"));
        }
        let key_check = match field("cipher")? {
            NO_CIPHER => None,
            cipher => {
                let check = cipher.strip_prefix(CIPHER).and_then(|check| check.strip_prefix(' '));
                let check = check.and_then(|check| u128::from_str_radix(check, 16).ok());
                Some(check.ok_or_else(|| broken("malformed identity").with("line", "cipher"))?)
            }
        };
        Ok(Self {
            job: field("job")?.to_owned(),
            owner: small("owner")?,
            set: u64::from_str_radix(field("set")?, 16).map_err(|_| broken("malformed identity"))?,
            secret: u128::from_str_radix(field("secret")?, 16).map_err(|_| broken("malformed identity"))?,
            folder: small("folder")?,
            folders: small("folders")?,
            segment_bytes: number("segment_bytes")?,
            slots: small("slots")?,
            tombstones_max: number("tombstones_max")?,
            key_check,
        })
    }

    /// Refuses a folder of another user or another job.
    pub(crate) fn check_owner(&self, job: Option<&str>, owner: u32, path: &str) -> Result<()> {
        let refused =
            |what: &str| Error::new(Kind::InUse, OPERATION).what(what.to_owned()).with("folder", path);
        if self.owner != owner {
            return Err(refused("the folder belongs to another user")
                .with("owner", self.owner)
                .with("user", owner)
                .hint("use a folder of this user"));
        }
        if let Some(job) = job.filter(|job| *job != self.job) {
            return Err(refused("the folder belongs to another job")
                .with("job", &self.job)
                .with("wanted", job)
                .hint("use another folder, or remove this one when its job is done with it"));
        }
        Ok(())
    }

    /// This identity with other random numbers, for a folder with this key.
    pub(crate) fn renewed(self, set: u64, secret: u128, key: Option<&DiskKey>) -> Result<Self> {
        let key_check = key.map(|key| FolderCipher::new(key, set, secret).check()).transpose()?;
        Ok(Self { set, secret, key_check, ..self })
    }

    /// Refuses a key that is not the folder's, and a key for a plain folder.
    pub(crate) fn check_key(&self, key: Option<&DiskKey>, path: &str) -> Result<()> {
        let refused = |what: &str| Error::invalid(OPERATION, what.to_owned()).with("folder", path);
        match (self.key_check, key) {
            (None, None) => Ok(()),
            (Some(check), Some(key)) if FolderCipher::new(key, self.set, self.secret).check()? == check => Ok(()),
            (Some(_), Some(_)) => Err(refused("the folder is encrypted with another secret").hint(
                "give the MF_JOB_SECRET that the folder was made with, or remove the folder's contents to begin anew",
            )),
            (Some(_), None) => Err(refused("the folder is encrypted, and no secret was given")
                .hint("set MF_JOB_SECRET or MF_JOB_SECRET_FILE as the job that made the folder had them")),
            (None, Some(_)) => Err(refused("the folder is not encrypted, and the job has a secret").hint(
                "remove the folder's contents to begin with an encrypted one; MF_CACHE_DISK_PLAIN=true goes without encryption",
            )),
        }
    }

    /// The identities of new folders, without their random numbers.
    pub(crate) fn of_new(options: &Options, owner: u32) -> Vec<Self> {
        let folders = u32::try_from(options.folders.len()).unwrap_or(u32::MAX);
        let slots = options.capacity_bytes / options.engine.segment_bytes.max(1);
        (0..folders)
            .map(|folder| Self {
                job: options.job.clone(),
                owner,
                set: 0,
                secret: 0,
                folder,
                folders,
                segment_bytes: options.engine.segment_bytes,
                slots: u32::try_from(slots).unwrap_or(u32::MAX),
                tombstones_max: options.engine.tombstones_max,
                key_check: None,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity {
            job: "training 7".to_owned(),
            owner: 1000,
            set: 5,
            secret: 1 << 90,
            folder: 0,
            folders: 2,
            segment_bytes: 64 << 20,
            slots: 100,
            tombstones_max: 1000,
            key_check: None,
        }
    }

    #[test]
    fn key_of_another_secret_or_none_is_refused() {
        let (one, other) = (DiskKey::new([1; 32]), DiskKey::new([2; 32]));
        let encrypted = identity().renewed(8, 9, Some(&one)).unwrap();
        assert_eq!(Identity::decode(&encrypted.encode(), "x").unwrap(), encrypted);
        assert!(encrypted.check_key(Some(&one), "x").is_ok());
        let reason = |identity: &Identity, key| identity.check_key(key, "x").unwrap_err().reason().to_owned();
        assert!(reason(&encrypted, Some(&other)).contains("another secret"));
        assert!(reason(&encrypted, None).contains("no secret"));
        assert!(identity().check_key(None, "x").is_ok());
        assert!(reason(&identity(), Some(&one)).contains("not encrypted"));
    }

    #[test]
    fn identity_is_read_back_and_damage_is_named() {
        let text = identity().encode();
        assert_eq!(Identity::decode(&text, "x").unwrap(), identity());
        let reason = |text: &str| Identity::decode(text, "x").unwrap_err().reason().to_owned();
        assert!(reason(&text.replace("slots 100", "slots 101")).contains("checksum"));
        assert!(reason(&text.replace("version 2", "version 1")).contains("version"));
        assert!(reason("something else\n").contains("does not belong"));
        assert!(reason("memfabric disk tier\nversion 2\n").contains("no such line"));
    }

    #[test]
    fn another_user_and_another_job_are_refused() {
        let refused = |job, owner| identity().check_owner(Some(job), owner, "x").unwrap_err();
        assert!(refused("training 7", 1001).reason().contains("another user"));
        assert!(refused("training 8", 1000).reason().contains("another job"));
        assert!(identity().check_owner(None, 1000, "x").is_ok());
    }
}
