// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The place in a job of MPI ranks of a Rust program, by the MPI crate, which initialises MPI if the program
//! has not.
//!
//! All calls of that crate here are safe functions. MPI's own errors do not return: its default handler ends
//! the job.

use std::fmt;
use std::marker::PhantomData;
use std::net::IpAddr;

use mf_base::{Error, Kind, Result};
use mf_store::Server;
use mpi::Threading;
use mpi::environment::{Universe, initialize_with_threading, is_finalized};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, Root as _};

use super::{Exchange, OPERATION, meet};
use crate::bootstrap::Bootstrap;

/// A place in a job of MPI ranks. Dropping it finalises MPI, if it was initialised here, and then leaves the
/// store, if it runs here, to its last members: drop it last, on the thread that made it.
///
/// The end of MPI waits for all ranks (MPI libraries do, the standard does not require it), so that the
/// process with the store exists until the last of them has arrived.
pub struct MpiJob {
    /// The place.
    pub bootstrap: Bootstrap,
    /// The store, in rank 0.
    pub server: Option<Server>,
    universe: Option<Universe>,
    /// MPI must be finalised by the thread that initialised it, so this stays there.
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
    /// MPI is initialised unless the application has done so, which then finalises it, too. Only this thread
    /// calls MPI (`MPI_THREAD_FUNNELED`). Rank 0 starts a store on a free port of its `address`, with a fresh
    /// secret, and the others receive both over MPI, so neither a URL nor a secret needs to be set. Other
    /// ranks' `address` is ignored. Without one it is loopback when all ranks are on one host, else as for
    /// [`UniqueId::create`](crate::UniqueId::create).
    ///
    /// # Errors
    /// On all ranks alike: `NotInit` MPI has been finalised · `InvalidParam` more ranks than a job can have
    /// · what rank 0 met when it started the store, on the others as `NotConnected` with its text.
    pub fn from_mpi(address: Option<IpAddr>) -> Result<MpiJob> {
        if is_finalized() {
            return Err(Error::new(Kind::NotInit, OPERATION).what("MPI has been finalised in this process"));
        }
        let universe = initialize_with_threading(Threading::Funneled).map(|(universe, _)| universe);
        let (bootstrap, server) = meet(&SimpleCommunicator::world(), address)?;
        Ok(MpiJob { bootstrap, server, universe, thread: PhantomData })
    }
}

impl Exchange for SimpleCommunicator {
    fn place(&self) -> Result<(u32, u32)> {
        Ok((number(self.rank())?, number(self.size())?))
    }

    fn place_on_host(&self) -> Result<(u32, u32)> {
        let host = self.split_shared(self.rank());
        Ok((number(host.rank())?, number(host.size())?))
    }

    fn broadcast(&self, bytes: &mut [u8]) -> Result<()> {
        self.process_at_rank(0).broadcast_into(bytes);
        Ok(())
    }
}

fn number(number: i32) -> Result<u32> {
    u32::try_from(number).map_err(|_| {
        Error::new(Kind::Failed, OPERATION)
            .what("MPI gave a rank or a number of ranks below 0")
            .with("number", number)
    })
}
