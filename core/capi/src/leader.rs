// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that concern stores with several servers. The store of this release is one server, for which the interface
//! defines the answers: there is no leader to move to and none that publishes an address.

use std::ffi::{c_char, c_void};

use mf_base::{Error, Kind, Result};

use crate::abi::TlsConfig;
use crate::boundary::{code, not_null};
use crate::process::context;

type LeaderChangeCallback = extern "C" fn(user: *mut c_void);

fn no_leader(operation: &'static str) -> Result<()> {
    Err(Error::new(Kind::Failed, operation).what("the store is a single server: it has no leader"))
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_update_store_server(ip: *const c_char, _port: u16) -> i32 {
    const OP: &str = "bm update store server";
    code(OP, || not_null(OP, "the address", ip).and_then(|()| no_leader(OP)))
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_get_bindable_leader_address(ip: *mut c_char, _ip_len: usize, port: *mut u16) -> i32 {
    const OP: &str = "bm leader address";
    code(OP, || {
        not_null(OP, "the address", ip)?;
        not_null(OP, "the port", port)?;
        no_leader(OP)
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_get_bindable_leader_address_by_store_url(
    url: *const c_char,
    _tls: *const TlsConfig,
    _world_size: u32,
    ip: *mut c_char,
    _ip_len: usize,
    port: *mut u16,
) -> i32 {
    const OP: &str = "bm leader address";
    code(OP, || {
        not_null(OP, "the store URL", url)?;
        not_null(OP, "the address", ip)?;
        not_null(OP, "the port", port)?;
        no_leader(OP)
    })
}

/// No connection is cached while no store has a leader.
#[unsafe(no_mangle)]
extern "C" fn smem_bm_release_leader_address_store() {}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_register_leader_change_callback(
    _callback: Option<LeaderChangeCallback>,
    _user: *mut c_void,
) -> i32 {
    const OP: &str = "bm leader change callback";
    code(OP, || context(OP).and_then(|_| no_leader(OP)))
}
