// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kind of a kernel binary, detected from its first bytes before CANN sees it, so that the error for a wrong
//! one names its kind.
//!
//! The simulator runs shared objects for the host; an NPU runs ELF files for its own machine.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use ascend_acl_sys::{AclError, Class};
use mf_base::os::descriptor;
use mf_base::{Error, Kind, Result};

use super::cann::refused;
use crate::kernels::Code;

const OP: &str = "kernel load";

/// Machine of this host, as ELF numbers it.
const HOST: u16 = if cfg!(target_arch = "x86_64") { 62 } else { 183 };

/// A binary that is to be loaded, kept to be loaded again.
pub(super) enum Image {
    /// Its absolute path.
    File(PathBuf),
    Bytes(Vec<u8>),
}

impl Image {
    /// Reads the program's binary.
    ///
    /// # Errors
    /// `NotExist` no such file · `InvalidParam` not a binary, or one for the other sort of device.
    pub(super) fn read(code: Code<'_>, simulated: bool) -> Result<Self> {
        match code {
            Code::File(path) => {
                let path = path.canonicalize().map_err(|error| unreadable(path, error))?;
                let mut head = Vec::new();
                let read = descriptor::read_file(&path).and_then(|file| file.take(20).read_to_end(&mut head));
                read.map_err(|error| unreadable(&path, error))?;
                check(&head, simulated).map_err(|error| error.with("file", path.display()))?;
                Ok(Image::File(path))
            }
            Code::Bytes(bytes) => {
                check(bytes, simulated).map_err(|error| error.with("bytes", bytes.len()))?;
                Ok(Image::Bytes(bytes.to_vec()))
            }
        }
    }
}

fn unreadable(path: &Path, error: std::io::Error) -> Error {
    let kind = if error.kind() == ErrorKind::NotFound { Kind::NotExist } else { Kind::InvalidParam };
    Error::new(kind, OP).what("the kernel binary cannot be read").with("file", path.display()).source(error)
}

fn check(head: &[u8], simulated: bool) -> Result<()> {
    let no_binary = || Error::invalid(OP, "not a kernel binary: it does not begin like an ELF file");
    if !head.starts_with(b"\x7fELF") {
        return Err(no_binary());
    }
    let &[low, high] = head.get(18..20).unwrap_or_default() else { return Err(no_binary()) };
    match (u16::from_le_bytes([low, high]), simulated) {
        (HOST, true) => Ok(()),
        (HOST, false) => {
            Err(Error::invalid(OP, "these kernels are made for the simulator, and this is an NPU")
                .hint("compile them for the NPU: scripts/build_kernels.sh --arch dav-2201"))
        }
        (machine, true) => Err(Error::invalid(
            OP,
            "these kernels are made for another machine than this host, and the simulator runs them on it",
        )
        .with("machine", machine)
        .with("host_machine", HOST)
        .hint("compile them for the simulator: scripts/build_kernels.sh --emulate")),
        (_, false) => Ok(()),
    }
}

/// CANN did not take a binary.
#[cold]
pub(super) fn binary_refused(error: AclError, image: &Image, soc: Option<&str>) -> Error {
    match error.class() {
        Class::NotFound | Class::InvalidArgument | Class::NotSupported => {
            let ours = Error::invalid(
                OP,
                "the device does not take this kernel binary: is it whole, and for this chip?",
            )
            .with("chip", soc.unwrap_or("unknown"));
            match image {
                Image::File(path) => ours.with("file", path.display()),
                Image::Bytes(bytes) => ours.with("bytes", bytes.len()),
            }
            .source(error)
        }
        _ => refused(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elf(machine: u16) -> Vec<u8> {
        let mut head = b"\x7fELF\x02\x01\x01".to_vec();
        head.resize(18, 0);
        head.extend(machine.to_le_bytes());
        head
    }

    #[test]
    fn binary_for_another_device_kind_is_named() {
        for (head, simulated, said) in [
            (elf(HOST), false, "made for the simulator"),
            (elf(0x1029), true, "machine 4137"),
            (b"\x7fELF".to_vec(), true, "not a kernel binary"),
            (b"#!/bin/sh".to_vec(), false, "not a kernel binary"),
            (Vec::new(), true, "not a kernel binary"),
        ] {
            let error = check(&head, simulated).unwrap_err();
            assert_eq!(error.kind(), Kind::InvalidParam);
            assert!(error.to_string().contains(said), "{error}");
        }
        check(&elf(HOST), true).unwrap();
        check(&elf(0x1029), false).unwrap();
    }
}
