// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Simulated GPUs of a folder: the simulator of their drivers under the names by which programs open them.

use std::path::{Path, PathBuf};

use mf_base::{Error, Result};
use mf_device::gpu::Vendor;

use super::layout::link;
use super::{OPERATION, failed};

/// File name of the simulator.
pub(super) const LIBRARY: &str = "libgpu_sim.so";
/// Variable that lists the GPUs.
const VARIABLE: &str = "GPUSIM_GPUS";

/// GPUs by vendor, and the simulator's library.
#[derive(Clone)]
pub(super) struct Gpus {
    text: String,
    vendors: Vec<Vendor>,
    library: PathBuf,
}

impl Gpus {
    /// Parses a list such as `2:cuda,1:hip`.
    ///
    /// # Errors
    /// `InvalidParam` names the part that is not a number, a colon and a driver.
    pub(super) fn parse(text: &str, library: PathBuf) -> Result<Self> {
        let vendor = |part: &str| {
            let (count, name) = part.split_once(':')?;
            count.parse::<u32>().ok().filter(|count| (1..=64).contains(count))?;
            Vendor::from_name(name)
        };
        let vendors = text.split(',').map(|part| {
            vendor(part).ok_or_else(|| {
                Error::invalid(OPERATION, "these are no GPUs")
                    .with("gpus", part)
                    .hint("a number from 1 to 64, a colon and cuda, hip, musa or cndrv; several by commas")
            })
        });
        Ok(Self { vendors: vendors.collect::<Result<_>>()?, text: text.to_owned(), library })
    }

    /// Variables for programs besides the loader's path.
    pub(super) fn environment(&self) -> (&'static str, String) {
        (VARIABLE, self.text.clone())
    }

    /// Writes the library and its names into the folder of libraries.
    ///
    /// # Errors
    /// `Failed` names the file.
    pub(super) fn write(&self, folder: &Path, as_copy: bool) -> Result<()> {
        let io = |path: &Path, error| failed("a file cannot be written", error).with("file", path.display());
        let own = folder.join(LIBRARY);
        let written = if as_copy {
            // A new file in the place of the old one, so that running programs keep theirs.
            let draft = folder.join(format!(".{LIBRARY}.new"));
            std::fs::copy(&self.library, &draft).and_then(|_| std::fs::rename(&draft, &own))
        } else {
            link(&own, &self.library)
        };
        written.map_err(|error| io(&own, error))?;
        for name in Vendor::ALL.iter().flat_map(|vendor| vendor.files()) {
            let path = folder.join(name);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io(&path, error)),
                _ => {}
            }
        }
        // All names lead to one file: the loader then has one library in a process, with one state.
        for name in self.vendors.iter().map(|vendor| vendor.files()[0]) {
            let path = folder.join(name);
            link(&path, Path::new(LIBRARY)).map_err(|error| io(&path, error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpu_list_is_parsed_or_refused() {
        let of = |text| Gpus::parse(text, PathBuf::new());
        assert_eq!(of("2:cuda,1:cndrv").unwrap().vendors, [Vendor::Nvidia, Vendor::Cambricon]);
        for wrong in ["", "2", "0:cuda", "2:cud", "2:cuda,"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
