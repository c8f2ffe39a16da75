// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Backings of grants: files that are mapped, and device memory that is imported, once for each.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Instant;

use mf_base::os::mapped::Mapped;
use mf_base::os::memfile::MemFile;
use mf_base::sync::lock;
use mf_base::{Kind, Result};
use mf_device::{Imported, Locality};
use mf_transport::{Backing, Grant, OnDevice, SegmentKey};

use super::{Link, Remote, in_memory};
use crate::cma::grants::{At, File, Grants};
use crate::cma::wire::{Reply, Request};
use crate::link::lost_descriptor;

/// Longer files are not registered: that takes a millisecond for each 30 MiB, and gives them pages.
const REGISTERED_BYTES_MAX: usize = 1 << 30;

impl Remote {
    /// Resolves the access to each grant, with files mapped and device memory imported; `None` if a backing
    /// was freed meanwhile.
    pub(super) fn backings(
        &self,
        link: &Link,
        key: SegmentKey,
        grants: &[Grant],
        deadline: Instant,
        device: Option<OnDevice<'_>>,
    ) -> Result<Vec<Option<At>>> {
        let found = grants.iter().map(|grant| match grant.backing {
            Backing::Private => Ok(Some(At::Private)),
            Backing::Elsewhere => Ok(Some(At::Elsewhere)),
            Backing::File(place) => {
                let offset = in_memory(place.offset);
                Ok(self.file(link, key, place.id, deadline, device)?.map(|file| At::File(file, offset)))
            }
            // The memory of this process cannot be imported, and needs no import; memory of another vendor's
            // accelerator is unknown to ours.
            Backing::Device(_) if self.is_own_process() => Ok(Some(match device {
                Some(device) if device.mover.locality(grant.start) == Locality::Host => At::Elsewhere,
                _ => At::Device(grant.start, None),
            })),
            Backing::Device(id) => self.device(link, key, id, deadline, device),
        });
        found.collect()
    }

    fn is_own_process(&self) -> bool {
        self.card.pid == std::process::id() && self.refused.is_none()
    }

    /// A file, mapped, and registered with the accelerator of this process.
    fn file(
        &self,
        link: &Link,
        key: SegmentKey,
        id: u64,
        deadline: Instant,
        device: Option<OnDevice<'_>>,
    ) -> Result<Option<Arc<File>>> {
        if let Some(file) = lock(&self.known).files.get(&id) {
            return Ok(Some(Arc::clone(file)));
        }
        let Some((reply, mut descriptors)) =
            self.ask_for_backing(link, &Request::File { key, id }, deadline)?
        else {
            return Ok(None);
        };
        let (Reply::File(bytes), Some(file)) = (reply, descriptors.pop()) else {
            return Err(lost_descriptor());
        };
        let file = MemFile::from_descriptor(file, bytes, true)?;
        let mapped = Mapped::new(&file)?;
        mapped.leave_out_of_dumps();
        let device = device.filter(|_| mapped.bytes() <= REGISTERED_BYTES_MAX);
        let registered = device.and_then(|device| {
            device.mover.registered(mapped.base().expose_provenance() as u64, mapped.bytes() as u64)
        });
        let file = Arc::new(File { _registered: registered, mapped });
        lock(&self.known).files.insert(id, Arc::clone(&file));
        Ok(Some(file))
    }

    /// Device memory, imported where that is possible.
    fn device(
        &self,
        link: &Link,
        key: SegmentKey,
        id: u64,
        deadline: Instant,
        device: Option<OnDevice<'_>>,
    ) -> Result<Option<At>> {
        let at = |imported: &Option<Arc<Imported>>| match imported {
            Some(imported) => At::Device(*imported.value(), Some(Arc::clone(imported))),
            None => At::Elsewhere,
        };
        let Some(device) = device else { return Ok(Some(At::Unimported)) };
        if let Some(known) = lock(&self.known).devices.get(&id) {
            return Ok(Some(at(known)));
        }
        let asked = self.ask_for_backing(link, &Request::Device { key, id }, deadline)?;
        let Some((Reply::Device(name), _)) = asked else { return Ok(None) };
        let imported = device.mover.import(&name).inspect_err(|error| {
            tracing::debug!("device memory of process {} is not imported: {error}", self.card.pid);
        });
        let imported = imported.ok();
        let found = at(&imported);
        lock(&self.known).devices.insert(id, imported);
        Ok(Some(found))
    }

    /// Asks for the backing of a grant; `None` if it was freed meanwhile, and so the grant is void, too.
    fn ask_for_backing(
        &self,
        link: &Link,
        request: &Request,
        deadline: Instant,
    ) -> Result<Option<(Reply, Vec<OwnedFd>)>> {
        match self.ask(link.connection, request, deadline) {
            Err(error) if error.kind() == Kind::NotExist => Ok(None),
            asked => asked.map(Some),
        }
    }

    /// Drops the mapping of a freed file or device memory, with all its grants: the present ones are
    /// requested again.
    pub(in crate::cma) fn drop_backing(&self, id: u64) {
        let mut known = lock(&self.known);
        let (file, device) = (known.files.remove(&id), known.devices.remove(&id));
        if file.is_some() || device.is_some() {
            known.grants = Grants::of(known.grants.epoch);
            self.grants.set(0, None);
        }
    }
}
