// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bootstrap of a process that MPI has started: rank and size by MPI, and the store by a unique id that rank
//! 0 makes and broadcasts.
//!
//! [`Bootstrap::from_loaded_mpi`] uses the MPI that the program has loaded and initialised, in any language
//! and with any MPI. `universe` (feature `mpi`) initialises MPI for Rust programs that have not.

#[cfg(feature = "mpi")]
mod universe;

use std::fmt;
use std::net::IpAddr;

use mf_base::mpi::Communicator;
use mf_base::os::interface;
use mf_base::os::process::network_namespace;
use mf_base::{Error, Kind, Rank, Result};
use mf_store::Server;
use sha2::{Digest as _, Sha256};

use super::{Bootstrap, Launcher, UniqueId, place};
#[cfg(feature = "mpi")]
pub use universe::MpiJob;

const OPERATION: &str = "bootstrap mpi";
/// Size of rank 0's broadcast: the outcome, then the id or the text of its error.
const MESSAGE_BYTES: usize = 1024;
const MADE: u8 = 1;
const FAILED: u8 = 2;

/// Collective operations of a communicator; all its ranks call each of them.
trait Exchange {
    /// Rank, and number of ranks.
    fn place(&self) -> Result<(u32, u32)>;

    /// Returns rank and size within this host.
    fn place_on_host(&self) -> Result<(u32, u32)>;

    /// Gives all ranks the bytes of rank 0.
    fn broadcast(&self, bytes: &mut [u8]) -> Result<()>;
}

impl Exchange for Communicator {
    fn place(&self) -> Result<(u32, u32)> {
        Ok((self.rank(), self.ranks()))
    }

    fn place_on_host(&self) -> Result<(u32, u32)> {
        // Processes of one host and network have the same name for it; a process without one is alone.
        let name = network_namespace().unwrap_or_else(|| format!("rank {}", self.rank()));
        let all = self.allgather(&Sha256::digest(name.as_bytes()))?;
        let own = Sha256::digest(name.as_bytes());
        let same = || all.chunks_exact(own.len()).map(|host| host == &own[..]);
        let before = same().take(self.rank() as usize).filter(|same| *same).count();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Ok((count(before), count(same().filter(|same| *same).count())))
    }

    fn broadcast(&self, bytes: &mut [u8]) -> Result<()> {
        Communicator::broadcast(self, bytes)
    }
}

/// A place in a job of MPI ranks. Dropping it leaves the store, if it runs here, to its last members.
pub struct MpiPlace {
    /// The place.
    pub bootstrap: Bootstrap,
    /// The store, in rank 0.
    pub server: Option<Server>,
}

impl Drop for MpiPlace {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.linger();
        }
    }
}

impl fmt::Debug for MpiPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MpiPlace").field("bootstrap", &self.bootstrap).field("server", &self.server).finish()
    }
}

impl Bootstrap {
    /// Returns the bootstrap from the MPI of this program. `None` if the program has not loaded or not
    /// initialised an MPI. **Collective** over the ranks of `communicator`, by default `MPI_COMM_WORLD`, by a
    /// thread that may call MPI.
    ///
    /// Rank 0 starts a store on a free port of its `address`, with a fresh secret, and the others receive
    /// both over MPI, so neither a URL nor a secret needs to be set. Other ranks' `address` is ignored.
    /// Without one it is loopback when all ranks are on one host, else as for [`UniqueId::create`].
    ///
    /// # Errors
    /// On all ranks alike: `InvalidParam` more ranks than a job can have · the error of rank 0 when it
    /// started the store, on the others as `NotConnected` with its text · `Failed` an unknown MPI, or its
    /// own failure.
    pub fn from_loaded_mpi(
        communicator: Option<Communicator>,
        address: Option<IpAddr>,
    ) -> Result<Option<MpiPlace>> {
        let communicator = match communicator {
            Some(communicator) => Some(communicator),
            None => Communicator::world()?,
        };
        let Some(communicator) = communicator else { return Ok(None) };
        let (bootstrap, server) = meet(&communicator, address)?;
        Ok(Some(MpiPlace { bootstrap, server }))
    }
}

/// The place of each rank, and the store in rank 0.
fn meet(ranks: &dyn Exchange, address: Option<IpAddr>) -> Result<(Bootstrap, Option<Server>)> {
    let (rank, world_size) = ranks.place()?;
    let (local_rank, local_size) = ranks.place_on_host()?;
    place::check("MPI_Comm_size", world_size, "MPI_Comm_rank", Some(rank))?;
    let made = (rank == 0).then(|| {
        let one_host = (local_size == world_size).then(interface::loopback);
        UniqueId::create(address.or(one_host))
    });
    let mut message = made.as_ref().map_or([0; MESSAGE_BYTES], encode_outcome);
    ranks.broadcast(&mut message)?;
    let (id, server) = match made {
        Some(made) => made.map(|(id, server)| (id, Some(server)))?,
        None => (decode_outcome(&message)?, None),
    };
    let bootstrap = Bootstrap {
        launcher: Launcher::Mpi,
        local_rank: Some(local_rank),
        local_size: Some(local_size),
        hosts_store: server.is_some(),
        ..Bootstrap::from_unique_id(&id, Some(Rank(rank)), world_size)?
    };
    Ok((bootstrap, server))
}

/// Encodes rank 0's message about the store it made.
fn encode_outcome(made: &Result<(UniqueId, Server)>) -> [u8; MESSAGE_BYTES] {
    let mut message = [0; MESSAGE_BYTES];
    let (outcome, text) = match made {
        Ok((id, _)) => (MADE, id.as_bytes().to_vec()),
        Err(error) => (FAILED, error.to_string().into_bytes()),
    };
    let [first, rest @ ..] = &mut message;
    *first = outcome;
    for (to, from) in rest.iter_mut().zip(text) {
        *to = from;
    }
    message
}

/// Decodes rank 0's message.
fn decode_outcome(message: &[u8; MESSAGE_BYTES]) -> Result<UniqueId> {
    let [outcome, rest @ ..] = message;
    if *outcome == MADE {
        return UniqueId::parse(rest.get(..UniqueId::BYTES).unwrap_or_default());
    }
    let text = String::from_utf8_lossy(rest);
    Err(Error::new(Kind::NotConnected, OPERATION)
        .what("rank 0 could not start the store")
        .with("its_error", format!("\"{}\"", text.trim_end_matches(['\0', char::REPLACEMENT_CHARACTER]))))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn message_of_rank_0_arrives() {
        let made = UniqueId::create(Some(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert_eq!(decode_outcome(&encode_outcome(&made)).unwrap(), made.unwrap().0);
        for text in ["the port is in use".to_owned(), "\u{f6}".repeat(MESSAGE_BYTES)] {
            let error = decode_outcome(&encode_outcome(&Err(Error::invalid("test", text.clone()))))
                .unwrap_err()
                .to_string();
            assert!(error.contains(text.get(..18).unwrap()) && error.contains("rank 0"), "{error}");
        }
    }
}
