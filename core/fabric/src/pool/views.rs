// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Mappings of the own memory that outlive the pool, for arrays that show it.

use mf_base::os::mapped::Mapped;
use mf_base::os::memfile::MemFile;
use mf_base::{Error, Kind, MemKind, Result};

use super::Pool;
use crate::device::{Share, Token};

const OP: &str = "pool map";

impl Pool {
    /// Maps what this member contributes of `kind` now a second time, where the kernel likes. The mapping
    /// shows the same bytes as long as this member is in the pool, and stays when it leaves, destroys the
    /// pool, or joins another. **Local.**
    ///
    /// # Errors
    /// `NotExist` it contributes none, or after destroy · `Failed` memory of an accelerator, which the
    /// processor does not reach · `NoResources`, `OutOfMemory`.
    pub fn map_own(&self, kind: MemKind) -> Result<Mapped> {
        self.check_process(OP)?;
        let own = self.own();
        let memory = own[kind.index()].as_ref().ok_or_else(|| {
            Error::new(Kind::NotExist, OP)
                .what("this rank contributes no memory of that kind")
                .with("pool", self.id)
                .with("kind", kind)
        })?;
        if !self.is_host_memory(self.address(kind, self.rank)?) {
            return Err(Error::new(Kind::Failed, OP)
                .what("memory of an accelerator has no address for the processor")
                .with("kind", kind)
                .hint("copy it"));
        }
        match <[Share; 1]>::try_from(memory.share(&self.identity)?) {
            Ok([Share { bytes, sealed, token: Token::Descriptor(descriptor) }]) => {
                Mapped::new(&MemFile::from_descriptor(descriptor, bytes, sealed)?)
            }
            _ => Err(Error::new(Kind::Failed, OP)
                .what("this memory is no file that could be mapped a second time")
                .with("kind", kind)),
        }
    }
}
