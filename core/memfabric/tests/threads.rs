// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every public type may be sent to and shared by threads; the compiler checks it.

use memfabric::*;

fn are_shared<T: Send + Sync>() {}

#[test]
fn types_of_the_root_are_send_and_sync() {
    are_shared::<Error>();
    are_shared::<Job>();
    are_shared::<JobBuilder>();
    are_shared::<Accelerator>();
    are_shared::<UniqueId>();
    are_shared::<Certificates>();
    are_shared::<(Rank, Gva, MemKind, ErrorKind, Retry)>();
    assert_eq!(size_of::<Result<()>>(), size_of::<usize>(), "a result is one word");
}

#[test]
fn types_of_pools_and_stores_are_send_and_sync() {
    are_shared::<(Pool, bm::PoolBuilder, bm::Copies<'static>)>();
    are_shared::<(bm::Atomic, bm::Signal, bm::Engine, bm::Event, bm::Presence)>();
    are_shared::<(Store, store::Watch, store::Server, store::ServerBuilder)>();
    are_shared::<(store::Entry, store::Change, store::Lease, Lifetime, store::Member, store::MembershipChange)>(
    );
}

#[cfg(feature = "full")]
#[test]
fn types_of_the_other_families_are_send_and_sync() {
    are_shared::<(cache::Cache, cache::CacheBuilder, cache::Put, cache::Lease, cache::Stats)>();
    are_shared::<(shm::ShareMemory, shm::ShareMemoryBuilder, shm::DataOps)>();
    are_shared::<(shm::Kernel, shm::Arguments, shm::Launch)>();
    are_shared::<(trans::Endpoint, trans::EndpointBuilder, trans::Block, trans::Transfer, trans::Notification)>(
    );
    are_shared::<(shmem::World, shmem::WorldBuilder, shmem::Array<f64>)>();
    are_shared::<(hmc::Buffer, hmc::Communicator, hmc::CommunicatorBuilder, hmc::Peer, hmc::Operation)>();
    are_shared::<(acc::MessageServer, acc::MessageServerBuilder, acc::Link, acc::HttpServer, acc::Request)>();
}
