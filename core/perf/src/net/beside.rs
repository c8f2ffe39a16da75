// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Baselines for other tools that move bytes between two processes.

use std::cell::RefCell;

use mf_base::Result;
use mf_measure::memory::Buffer;
use mf_measure::turns::Pair;

use super::super::length;
use super::failed;
use super::measure::SHORT_BYTES_MAX;
use super::raw::{Card, Client, Op, Server};
use super::routes::{calls, routes};
use super::session::use_one_arena;
use super::turns::{Effort, Named, in_long_turns};

/// Serves the baselines on the loopback as long as the process lives. Returns the address for the other
/// process.
///
/// # Errors
/// `Failed` there is no port or no randomness.
pub(crate) fn serve() -> Result<String> {
    use_one_arena();
    let server = Server::start("127.0.0.1")?;
    serde_json::to_string(&server.card).map_err(|error| failed("no card").source(error))
}

/// The measuring side.
pub(crate) struct Beside {
    client: Client,
    tls: bool,
}

impl Beside {
    /// Connects to the address from [`serve`]; `tls`: uses encrypted baselines.
    ///
    /// # Errors
    /// `NotConnected` the other process does not answer.
    pub(crate) fn connect(card: &str, tls: bool) -> Result<Self> {
        use_one_arena();
        let card: Card = serde_json::from_str(card)
            .map_err(|error| failed("the other process is another version of this program").source(error))?;
        Ok(Self { client: Client::connect(&card)?, tls })
    }

    /// Measures puts or gets of so many bytes by `call`, in turns with the baselines. Returns the name of the
    /// compared baseline (for long calls the fastest) and the times of both.
    ///
    /// # Errors
    /// The first error of a call.
    pub(crate) fn measure(
        &mut self,
        bytes: u64,
        is_put: bool,
        quick: bool,
        call: impl FnMut() -> Result<()>,
    ) -> Result<(String, Pair)> {
        let mut memory = Buffer::filled(length(bytes)?);
        let is_short = bytes <= SHORT_BYTES_MAX;
        let all = routes(is_short, self.tls, false);
        let (source, into);
        let plain: Vec<Named<'_>> = if is_put {
            source = &*memory.bytes_mut();
            all.into_iter().map(|route| route.put(Op::Put, source)).collect()
        } else {
            into = RefCell::new(memory.bytes_mut());
            all.into_iter().map(|route| route.get(Op::Get, &into)).collect()
        };
        let mut candidates: Vec<_> = std::iter::once(calls(call)).chain(plain).collect();
        let effort = Effort::for_bytes(bytes, quick);
        let mut measured = in_long_turns(effort, &mut self.client, &mut candidates)?;
        let own = measured.remove(0).seconds;
        measured.truncate(if is_short { 1 } else { measured.len() });
        let best = measured.into_iter().min_by(|one, other| one.median().total_cmp(&other.median()));
        let best = best.ok_or_else(|| failed("no baseline was measured"))?;
        Ok((best.name, Pair { own, plain: best.seconds }))
    }
}
