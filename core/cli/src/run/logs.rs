// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Output file of each rank.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use mf_base::{Error, Kind, Result};
use mf_program::output::note;

use super::{Nodes, OPERATION};

/// The files of the ranks of this host.
pub(super) struct Logs {
    files: Vec<(PathBuf, Option<File>)>,
}

impl Logs {
    /// Makes the folder and the files, named by the ranks in the job.
    ///
    /// # Errors
    /// `Failed` names what cannot be made.
    pub(super) fn create(folder: &Path, nodes: &Nodes, ranks: u32) -> Result<Self> {
        let failed = |path: &Path, error: std::io::Error| {
            let what = "the logs of the ranks cannot be written";
            Error::new(Kind::Failed, OPERATION).what(what).with("path", path.display()).source(error)
        };
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        let files = (0..ranks).map(|rank| {
            let path = folder.join(format!("rank-{}.log", nodes.number * ranks + rank));
            let file = File::create(&path).map_err(|error| failed(&path, error))?;
            Ok((path, Some(file)))
        });
        Ok(Self { files: files.collect::<Result<_>>()? })
    }

    /// Appends lines of a rank, by its number on this host. A file that takes no more is given up, with one
    /// line about it.
    pub(super) fn write(&mut self, rank: usize, lines: &[u8]) {
        let Some((path, file)) = self.files.get_mut(rank) else { return };
        if let Some(open) = file
            && let Err(error) = open.write_all(lines)
        {
            note(&format!("{OPERATION}: no more is written to {}: {error}", path.display()));
            *file = None;
        }
    }
}
