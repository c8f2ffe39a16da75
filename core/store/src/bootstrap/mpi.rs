// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The place of a process that MPI has started: rank and size by MPI, and the store by a unique id that rank 0 makes and
//! broadcasts.
//!
//! All calls of the MPI crate that stand here are safe functions, so this crate stays free of unsafe code. MPI's own
//! errors do not come back: its default handler ends the job.

use std::fmt;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr};

use mf_base::{Error, Kind, Rank, Result};
use mpi::Threading;
use mpi::environment::{Universe, initialize_with_threading, is_finalized};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, Root as _};

use super::{Bootstrap, Launcher, UniqueId, place};
use crate::server::Server;

const OPERATION: &str = "bootstrap mpi";
/// What rank 0 broadcasts: how it went, then the id, or the text of its error.
const MESSAGE_BYTES: usize = 1024;
const MADE: u8 = 1;
const FAILED: u8 = 2;

/// A place in a job of MPI ranks. Dropping it finalises MPI, if it was initialised here, and then leaves the store, if it
/// runs here, to its last members: drop it last, on the thread that made it.
///
/// The end of MPI waits for all ranks (MPI libraries do, the standard does not ask for it), so that the process with
/// the store is there until the last of them has come.
pub struct MpiJob {
    /// The place.
    pub bootstrap: Bootstrap,
    /// The store, in rank 0.
    pub server: Option<Server>,
    universe: Option<Universe>,
    /// MPI wants to be finalised by the thread that initialised it, so this stays there.
    thread: PhantomData<*const ()>,
}

impl Drop for MpiJob {
    fn drop(&mut self) {
        drop(self.universe.take());
        if let Some(server) = self.server.take() {
            server.linger();
        }
    }
}

impl fmt::Debug for MpiJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MpiJob")
            .field("bootstrap", &self.bootstrap)
            .field("server", &self.server)
            .field("initialised_mpi", &self.universe.is_some())
            .finish_non_exhaustive()
    }
}

impl Bootstrap {
    /// The place that MPI gives. **Collective** over all ranks of the MPI job.
    ///
    /// MPI is initialised unless the application has done so, which then finalises it, too. Only this thread calls MPI
    /// (`MPI_THREAD_FUNNELED`). Rank 0 starts a store on a free port of its `address`, with a fresh secret, and the
    /// others learn both over MPI, so neither a URL nor a secret needs to be set. Other ranks' `address` is not looked
    /// at. Without one it is loopback when all ranks are on one host, else the address on the default route.
    ///
    /// # Errors
    /// On all ranks alike: `NotInit` MPI has been finalised · `InvalidParam` more ranks than a job can have · what
    /// rank 0 met when it started the store, on the others as `NotConnected` with its text.
    pub fn from_mpi(address: Option<IpAddr>) -> Result<MpiJob> {
        if is_finalized() {
            return Err(Error::new(Kind::NotInit, OPERATION).what("MPI has been finalised in this process"));
        }
        let universe = initialize_with_threading(Threading::Funneled).map(|(universe, _)| universe);
        let world = SimpleCommunicator::world();
        let host = world.split_shared(world.rank());
        let (rank, world_size) = (number(world.rank())?, number(world.size())?);
        let (local_rank, local_size) = (number(host.rank())?, number(host.size())?);
        place::check("MPI_Comm_size", world_size, "MPI_Comm_rank", Some(rank))?;

        let made = (rank == 0).then(|| {
            let one_host = (local_size == world_size).then_some(IpAddr::V4(Ipv4Addr::LOCALHOST));
            UniqueId::create(address.or(one_host))
        });
        let mut message = made.as_ref().map_or([0; MESSAGE_BYTES], told);
        world.process_at_rank(0).broadcast_into(&mut message[..]);
        let (id, server) = match made {
            Some(made) => made.map(|(id, server)| (id, Some(server)))?,
            None => (heard(&message)?, None),
        };
        let bootstrap = Bootstrap {
            launcher: Launcher::Mpi,
            local_rank: Some(local_rank),
            local_size: Some(local_size),
            hosts_store: server.is_some(),
            ..Self::from_unique_id(&id, Some(Rank(rank)), world_size)?
        };
        Ok(MpiJob { bootstrap, server, universe, thread: PhantomData })
    }
}

fn number(number: i32) -> Result<u32> {
    u32::try_from(number).map_err(|_| {
        Error::new(Kind::Failed, OPERATION)
            .what("MPI gave a rank or a number of ranks below 0")
            .with("number", number)
    })
}

/// What rank 0 says about the store it made.
fn told(made: &Result<(UniqueId, Server)>) -> [u8; MESSAGE_BYTES] {
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

/// What the others hear.
fn heard(message: &[u8; MESSAGE_BYTES]) -> Result<UniqueId> {
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
    use super::*;

    #[test]
    fn what_rank_0_says_arrives() {
        let made = UniqueId::create(Some(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert_eq!(heard(&told(&made)).unwrap(), made.unwrap().0);
        for text in ["the port is in use".to_owned(), "\u{f6}".repeat(MESSAGE_BYTES)] {
            let error = heard(&told(&Err(Error::invalid("test", text.clone())))).unwrap_err().to_string();
            assert!(error.contains(text.get(..18).unwrap()) && error.contains("rank 0"), "{error}");
        }
    }
}
