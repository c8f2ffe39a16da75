// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Publishing of the store's address: rank 0 hands it to the other ranks when no variable has it.
//!
//! Rank 0 chooses a free port and a secret. They reach the other ranks through the launcher itself ([`pmi`]),
//! or, when all ranks are on this host, through a socket with a name known to all of them ([`host`]). Later
//! inits of the process reuse the address.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mf_base::os::{descriptor, interface, random};
use mf_base::{Error, Kind, Result};
use mf_tls::JobSecret;

use super::address::own_address;
use super::place::LauncherInfo;
use super::unique::UniqueId;
use super::variables::Variables;
use super::{Bootstrap, Launcher, host, pmi};
use crate::url::StoreUrl;

const OPERATION: &str = "bootstrap";

/// Channel by which rank 0 publishes the store's address.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandOn {
    /// The launcher does, which answers on this descriptor (`PMI_FD`).
    Launcher(u32),
    /// A socket of this host, named after the job.
    Host(String),
}

/// Addresses and secrets published to this process.
static HANDED_ON: Mutex<Vec<(HandOn, UniqueId)>> = Mutex::new(Vec::new());

fn handed_on() -> MutexGuard<'static, Vec<(HandOn, UniqueId)>> {
    HANDED_ON.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the channel by which the ranks of a launcher can exchange the address. `None` if there is no
/// channel.
pub(super) fn possible(variables: Variables<'_>, place: &LauncherInfo) -> Result<Option<HandOn>> {
    let name = |name: &str| variables.text(name);
    if place.rank.is_none() {
        return Ok(None);
    }
    if place.launcher == Launcher::Pmi
        && let Some(socket) = variables.number(pmi::SOCKET)?
    {
        return Ok(Some(HandOn::Launcher(socket)));
    }
    if !place.is_one_host() {
        return Ok(None);
    }
    let job = match place.launcher {
        Launcher::Slurm => {
            name("SLURM_JOB_ID").zip(name("SLURM_STEP_ID")).map(|(job, step)| format!("slurm {job}.{step}"))
        }
        // Jobs in containers that share a network may have the same name, but not the same server.
        Launcher::OpenMpi | Launcher::Pmi => name("PMIX_NAMESPACE")
            .map(|job| format!("pmix {job} {}", name("PMIX_SERVER_URI2").unwrap_or_default())),
        _ => None,
    };
    Ok(job.map(HandOn::Host))
}

/// Completes a bootstrap with the store and secret that its ranks exchange. **Collective** over the ranks.
pub(super) fn complete(place: Bootstrap) -> Result<Bootstrap> {
    let (Some(how), Some(rank)) = (&place.hand_on, place.rank) else { return Ok(place) };
    let mut known = handed_on();
    let id = match known.iter().find(|(known, _)| known == how) {
        Some((_, id)) => id.clone(),
        None => {
            let is_one_host = place.local_size == Some(place.world_size) || place.world_size == 1;
            let make = || free_place(is_one_host);
            let id = match how {
                HandOn::Launcher(socket) => pmi::hand_on(*socket, rank.0, make)?,
                HandOn::Host(job) => host::hand_on(job, rank.0, place.world_size, make)?,
            };
            known.push((how.clone(), id.clone()));
            id
        }
    };
    Ok(Bootstrap { store: Some(format!("tcp://{}", id.address())), secret: Some(id.secret()), ..place })
}

/// The secret that was handed on with the address in `url`.
pub(super) fn secret_of(url: &StoreUrl) -> Option<JobSecret> {
    let StoreUrl::Tcp { addresses } = url else { return None };
    let [address] = addresses[..] else { return None };
    handed_on().iter().find(|(_, id)| id.address() == address).map(|(_, id)| id.secret())
}

/// A port of this host that is free now, and a fresh secret.
pub(super) fn free_place(is_one_host: bool) -> Result<UniqueId> {
    let ip = if is_one_host { None } else { own_address() }.unwrap_or_else(interface::loopback);
    let address = descriptor::listen_tcp((ip, 0)).and_then(|listener| listener.local_addr());
    let address =
        address.map_err(|error| Error::new(Kind::Failed, OPERATION).with("address", ip).source(error))?;
    Ok(UniqueId::new(address, &random(OPERATION)?))
}
