// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool of one member, joined.

use std::sync::Arc;
use std::time::Duration;

use mf_base::settings::Switch;
use mf_device::Devices;
use mf_device::host::HostDevice;
use mf_fabric::pool::{self, Pool};
use mf_fabric::space::{Places, Shape, agree};
use mf_net::choice::Request;
use mf_store::Store;

pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// Makes and joins pool 0 of a world of one, with 4 MiB of host memory.
pub(crate) fn pool(store: &Arc<dyn Store>) -> Arc<Pool> {
    let devices = Devices::new(Arc::new(HostDevice::new(Switch::Off)));
    agree::publish_free(&**store, &devices, None).unwrap();
    let options = pool::Options {
        network: None,
        shared_memory: true,
        id: 0,
        places: Places::all(),
        shape: Shape { world: 1, max_bytes: [0, 4 << 20] },
        own_bytes: [0, 4 << 20],
        given: None,
        given_blocks: Vec::new(),
        numa_node: None,
        together: None,
        preferred_base: None,
        prefault: false,
        queue_depth: 16,
        keep_mappings: false,
        groups_follow: false,
        create_timeout: TIMEOUT,
        control_timeout: TIMEOUT,
        engines: Request::default(),
    };
    let pool = Pool::open(devices, Arc::clone(store), &options).unwrap();
    pool.join().unwrap();
    pool
}
