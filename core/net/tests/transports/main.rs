// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transports: one suite over every implementation, and over the decorators around them.
//!
//! * [`suite`]: the list of the cases, and how one is run.
//! * [`bed`]: endpoints with memory of their own; [`memory`]: that memory, as the network reaches it.
//! * [`direct`]: the reference, which carries operations inside this process; simple, and right. [`tcp`]:
//!   that one, in all its settings; [`ucx`]: over libucp's transports for every machine; [`cma`]: within this
//!   process.
//! * [`copies`], [`strides`], [`routes`], [`atomics`], [`signals`], [`remote`], [`messages`], [`counting`],
//!   [`refusals`], [`deadlines`], [`deaths`], [`crowds`]: the cases.
//! * [`decorated`]: effects of the decorators beyond passing on.
//!
//! A case that needs a missing capability prints `skip CASE on TRANSPORT: reason`.
#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::cast_possible_truncation,
    reason = "what goes wrong here fails the test"
)]

#[macro_use]
mod suite;

mod atomics;
mod bed;
mod cma;
mod copies;
mod counting;
mod crowds;
mod deadlines;
mod deaths;
mod decorated;
mod direct;
mod memory;
mod messages;
mod refusals;
mod remote;
mod routes;
mod signals;
mod strides;
mod tcp;
mod ucx;

suite!(over_direct, direct::Direct::make());
suite!(over_traced, decorated::traced(direct::Direct::make()));
suite!(over_faulty, decorated::faulty(direct::Direct::make()));
suite!(over_watched, decorated::watched(direct::Direct::make()));
suite!(over_watched_with_table, decorated::with_table(tcp::plain(2)));
suite!(over_tcp, tcp::plain(4));
suite!(over_tcp_in_two_processes, tcp::in_two_processes(4));
suite!(over_tcp_with_one_connection, tcp::plain(1));
suite!(over_tcp_with_tls, tcp::encrypted(4));
suite!(over_tcp_with_checksums, tcp::checked(2));
suite!(over_cma, cma::make());
suite!(over_ucx_by_tcp, ucx::by("tcp,self"));
suite!(over_ucx_by_shared_memory, ucx::by("posix,sysv,self"));
