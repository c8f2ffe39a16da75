// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Work of a member.

use mf_base::Result;
use serde::{Deserialize, Serialize};

use crate::measurement::Measurement;
use crate::{acc, benchmark, group, hmc, kernel, net, pool_member, shmem, store, transfer};

/// Work of one member.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task {
    /// With so many links that do nothing.
    Acc(u32),
    Benchmark(benchmark::Task),
    /// Keeps all cores busy until it is killed.
    Burn,
    Group(group::Task),
    Hmc(hmc::Task),
    Kernel(kernel::Task),
    Line(net::line::Task),
    Net(Box<net::Args>),
    Pool(pool_member::Task),
    Shmem(shmem::Task),
    Store(store::Task),
    Transfer(transfer::Task),
}

impl Task {
    /// Does it.
    ///
    /// # Errors
    /// As the member.
    pub(crate) fn run(&self) -> Result<()> {
        match self {
            Self::Acc(links) => acc::member(*links),
            Self::Burn => net::busy::burn(),
            Self::Benchmark(task) => benchmark::member(task),
            Self::Group(task) => group::member(task),
            Self::Hmc(task) => hmc::member(task),
            Self::Kernel(task) => kernel::member(task),
            Self::Line(task) => net::line::member(task),
            Self::Net(task) => task.measure().map(drop),
            Self::Pool(task) => pool_member::main(task),
            Self::Shmem(task) => shmem::member(task),
            Self::Store(task) => store::member(task),
            Self::Transfer(task) => transfer::member(task),
        }
    }
}
