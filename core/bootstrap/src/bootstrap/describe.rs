// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Description of a bootstrap for people: its values, and the variables they come from.

use super::{Bootstrap, HandOn, Launcher};

/// Origin of a bootstrap, for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The launcher.
    pub launcher: &'static str,
    /// The variable that holds the rank; empty without one.
    pub rank: &'static str,
    /// The variables that give the address of the store; empty where none do.
    pub store: &'static str,
}

impl Bootstrap {
    /// The rank and where it was found, for people: "rank 1 of 4, from Open MPI's OMPI_COMM_WORLD_RANK".
    pub fn place_text(&self) -> String {
        let (size, Origin { launcher, rank: variable, .. }) = (self.world_size, self.origin);
        match self.rank {
            Some(rank) if variable.is_empty() => format!("rank {rank} of {size}"),
            Some(rank) => format!("rank {rank} of {size}, from {launcher}'s {variable}"),
            None => format!("one of {size}, with an automatic rank, from WORLD_SIZE"),
        }
    }

    /// Describes the store's address and its source, for people.
    pub fn store_text(&self) -> String {
        match (&self.store, &self.hand_on) {
            (Some(url), _) if self.origin.store.is_empty() => url.clone(),
            (Some(url), _) => format!("{url}, from {}", self.origin.store),
            (None, Some(HandOn::Launcher(_))) => {
                "chosen by rank 0 and handed on by the launcher (PMI_FD)".to_owned()
            }
            (None, Some(HandOn::Host(job))) => {
                format!(
                    "chosen by rank 0 and handed on between the ranks of this host (job \"{}\")",
                    job.trim_end()
                )
            }
            (None, None) => format!("not known; {}", self.store_hint()),
        }
    }

    /// Returns the hint for a bootstrap without a store address.
    pub(super) fn store_hint(&self) -> &'static str {
        match self.launcher {
            Launcher::Kubernetes => {
                "set MASTER_ADDR to the name of pod 0 (JOB-0.SERVICE) and MASTER_PORT, or \
                 MF_CONFIG_STORE_URL=tcp://JOB-0.SERVICE:port, in all pods"
            }
            Launcher::OpenMpi | Launcher::Pmi => {
                "the ranks are not known to be on one host: set MF_CONFIG_STORE_URL=tcp://host:port, or MASTER_ADDR and \
                 MASTER_PORT, in all ranks; or use a unique id; or begin by MPI"
            }
            _ => {
                "set MF_CONFIG_STORE_URL=tcp://host:port, or MASTER_ADDR and MASTER_PORT, in all ranks; or use a unique id"
            }
        }
    }
}
