// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that concern stores with several servers. The store of this release is one server, for which the interface
//! defines the answers: there is no leader to move to and none that publishes an address.

use std::ffi::{c_char, c_void};

use mf_base::{Error, Kind, Result};

use crate::abi::TlsConfig;
use crate::boundary::{code, not_null};
use crate::process::context;

type LeaderChangeCallback = extern "C" fn(user: *mut c_void);

/// Room for any numeric address.
const IP_BYTES: usize = 64;

fn check_room(operation: &'static str, ip: *const c_char, ip_len: usize, port: *const u16) -> Result<()> {
    not_null(operation, "the address", ip)?;
    not_null(operation, "the port", port)?;
    if ip_len < IP_BYTES {
        return Err(Error::invalid(operation, "the room for the address is too small")
            .with("bytes", ip_len)
            .with("needed", IP_BYTES));
    }
    Ok(())
}

fn no_leader(operation: &'static str) -> Result<()> {
    Err(Error::new(Kind::Failed, operation).what("the store is a single server: it has no leader"))
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_update_store_server(ip: *const c_char, port: u16) -> i32 {
    const OP: &str = "bm update store server";
    code(OP, || {
        not_null(OP, "the address", ip)?;
        if port == 0 {
            return Err(Error::invalid(OP, "the port is 0"));
        }
        no_leader(OP)
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_get_bindable_leader_address(ip: *mut c_char, ip_len: usize, port: *mut u16) -> i32 {
    const OP: &str = "bm leader address";
    code(OP, || {
        check_room(OP, ip, ip_len, port)?;
        no_leader(OP)
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_bm_get_bindable_leader_address_by_store_url(
    url: *const c_char,
    _tls: *const TlsConfig,
    _world_size: u32,
    ip: *mut c_char,
    ip_len: usize,
    port: *mut u16,
) -> i32 {
    const OP: &str = "bm leader address";
    code(OP, || {
        not_null(OP, "the store URL", url)?;
        check_room(OP, ip, ip_len, port)?;
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
