// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies and atomics between addresses in this process and in the memory of other members.
//!
//! **Problem.** A pool, a symmetric heap, a registered region and a buffer of a GPU all need the same
//! operation: move bytes between two addresses. Some ends are mapped here, some are reached by a transport
//! only, some are an accelerator's memory, which no processor touches. A caller wants to wait for one
//! operation, for all of them, or to order them. None of that depends on the assignment of addresses, so it
//! is here once, over one trait.
//!
//! **The path of a copy** has three steps: resolve, route, copy (`copy.rs`).
//! 1. A [`Resolver`] locates each end once (`resolve.rs`): [`End::Here`], mapped in this process, the
//!    processor's or an accelerator's; or [`End::There`], a range of a [`Member`](mf_net::Member), which is a
//!    route, a key and the address there. Ranks, layouts, presence and registration are hidden behind it.
//! 2. `route.rs` chooses the mover of the bytes from both ends.
//! 3. The mover copies. A batch is sorted by route first (`batch.rs`).
//!
//! | source | destination | route | mover | file |
//! |---|---|---|---|---|
//! | here | here | local | the resolver's own copies | – |
//! | here | there, or the reverse | remote | a put, a get | `remote_copy.rs` |
//! | an accelerator's, here | there, or the reverse | staged | chunks through host memory | `staged.rs` |
//! | blocks at equal distances, here | there, or the reverse | remote | one operation | `strided.rs` |
//! | there | there | between | the source's process puts; nothing passes through this one | `batch.rs` |
//! | there | there, beyond the source's transport | relay | a get and a put, in chunks | `relay.rs` |
//!
//! **A [`Lane`]** is a queue with an order of its own: operations are posted on it and wait for nothing;
//! [`Lane::fence`] orders them towards each peer, [`Lane::quiet`] completes them. A pool's own copies are on
//! its first lane; a context of a symmetric heap, a batch of submitted transfers or a request that is tested
//! are each another one. Lanes cost one allocation and no thread.
//!
//! **States of an operation.** Resolved, inside a read section; posted, with a deadline, on a completion;
//! ended, when the completion has counted it. Between posted and ended the caller keeps local memory valid,
//! and references from the section are not used: a waiting thread leaves the section meanwhile, unless the
//! local end belongs to another member and is mapped only as long as a thread is in a section.
//!
//! **Invariants.**
//! 1. Nothing moves unless every piece of a call is acceptable.
//! 2. A call that returns an error leaves nothing in flight that touches the caller's memory.
//! 3. An operation of a member that left and came back is retried once if the resolver reports that the
//!    member is another one now: a refused operation has had no effect.
//! 4. Memory of the program is probed before a transport touches it (`local.rs`): a hole is refused, and ends
//!    neither the process nor a connection.
//! 5. One piece between here and one member allocates nothing, takes no lock here, and makes no `Arc`: the
//!    resolver finds the member by loads, a waiting thread uses the completion of its thread (`waiter.rs`).
//!
//! **Rejected.** A transfer that owns tables of members (every user has one already, and two would disagree);
//! a completion for each operation (an allocation each; to wait for one, make a lane); counting by peer in
//! each lane for [`Lane::quiet_peers`] (state that grows with lanes × peers, where the transport has the
//! count).

mod batch;
pub(crate) mod choose_transport;
mod copy;
mod lane;
mod lane_atomics;
pub(crate) mod local;
mod relay;
mod remote_copy;
mod resolve;
mod route;
mod staged;
mod strided;
#[cfg(test)]
mod tests;
mod waiter;

use mf_base::Result;

use mf_transport::Completion;

pub use copy::copy;
pub use lane::{Lane, Until};
pub use lane_atomics::Signal;
pub use resolve::{End, Here, LocalPiece, Memory, Mode, Resolver, Wanted};
pub use strided::Blocks;

/// Keeps the error of work that no thread waits for, until the next wait for `outcome`.
fn report(outcome: &Completion, result: Result<()>) {
    if result.is_err() {
        outcome.begin(1);
        outcome.end(result);
    }
}
