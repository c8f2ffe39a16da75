// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `libra.so` and `libtsdclient.so`: the RDMA client of the devices, as a machine without network cards has
//! it.
//!
//! Programs look all of its functions up before they do anything, and ask for interfaces first: there are
//! none. So device RDMA fails at interface discovery, and everything else runs. Each function has both of its
//! names, the older with underscores and the newer in camel case.

use std::ffi::{c_int, c_void};

use crate::codes::hal;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;

/// Error of every function of this library that would need a network card.
fn no_card() -> Outcome {
    Err(Fault::new(hal::NOT_SUPPORT, "the simulated machine has no RDMA network cards"))
}

unsafe fn interface_count(attributes: *const c_void, number: *mut u32) -> Outcome {
    ensure(!attributes.is_null() && !number.is_null(), hal::PARA_ERROR, || "an argument is null".to_owned())?;
    // SAFETY: not null; the caller passes a valid out-pointer.
    unsafe { number.write(0) };
    Ok(())
}

unsafe fn open_service(device: u32, _ranks: u32) -> Outcome {
    let user = i32::try_from(device).unwrap_or(-1);
    machine()?.devices.get(user).map(drop)
}

/// Functions that need a network card, under both names; their arguments are only passed by.
macro_rules! need_cards {
    ($($old:ident $new:ident ($($arg:ident: $type:ty),*);)*) => { $(
        need_cards!(@one $old ($($arg: $type),*));
        need_cards!(@one $new ($($arg: $type),*));
    )* };
    (@one $name:ident ($($arg:ident: $type:ty),*)) => {
        /// Refuses: there are no network cards.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names are CANN's")]
        pub extern "C" fn $name($($arg: $type),*) -> c_int {
            $crate::boundary::call(
                stringify!($name),
                || [$((stringify!($arg), $crate::arg::Arg::from($arg))),*],
                no_card,
            )
        }
    };
}

// Structures that are passed by value go by; a caller that passes them on the stack or in registers finds the
// same answer.
need_cards! {
    ra_init RaInit(config: *const c_void);
    ra_rdev_get_handle RaRdevGetHandle(device: u32, handle: *mut *mut c_void);
    ra_rdev_init_v2 RaRdevInitV2();
    ra_get_ifaddrs RaGetIfaddrs(attributes: *const c_void, interfaces: *mut c_void, number: *mut u32);
    ra_socket_init RaSocketInit(mode: c_int);
    ra_socket_deinit RaSocketDeinit(socket: *mut c_void);
    ra_socket_batch_connect RaSocketBatchConnect(connections: *mut c_void, number: u32);
    ra_socket_batch_close RaSocketBatchClose(connections: *mut c_void, number: u32);
    ra_socket_listen_start RaSocketListenStart(listeners: *mut c_void, number: u32);
    ra_socket_listen_stop RaSocketListenStop(listeners: *mut c_void, number: u32);
    ra_get_sockets RaGetSockets(role: u32, sockets: *mut c_void, number: u32, connected: *mut u32);
    ra_socket_white_list_add RaSocketWhiteListAdd(socket: *mut c_void, entries: *const c_void, number: u32);
    ra_socket_white_list_del RaSocketWhiteListDel(socket: *mut c_void, entries: *const c_void, number: u32);
    ra_qp_create RaQpCreate(device: *mut c_void, flag: c_int, mode: c_int, queue: *mut *mut c_void);
    ra_qp_create_with_attrs RaQpCreateWithAttrs(device: *mut c_void, attributes: *const c_void, queue: *mut *mut c_void);
    ra_ai_qp_create RaAiQpCreate(device: *mut c_void, attributes: *const c_void, info: *mut c_void, queue: *mut *mut c_void);
    ra_qp_destroy RaQpDestroy(queue: *mut c_void);
    ra_get_qp_status RaGetQpStatus(queue: *mut c_void, status: *mut c_int);
    ra_qp_connect_async RaQpConnectAsync(queue: *mut c_void, socket: *const c_void);
    ra_set_qp_attr_qos RaSetQpAttrQos(queue: *mut c_void, attributes: *const c_void);
    ra_register_mr RaRegisterMr(device: *const c_void, info: *mut c_void, region: *mut *mut c_void);
    ra_deregister_mr RaDeregisterMr(device: *const c_void, region: *mut c_void);
    ra_send_wr RaSendWr(queue: *mut c_void, request: *mut c_void, response: *mut c_void);
    ra_send_wr_v2 RaSendWrV2(queue: *mut c_void, request: *mut c_void, response: *mut c_void);
    ra_get_notify_base_addr RaGetNotifyBaseAddr(device: *mut c_void, address: *mut u64, size: *mut u64);
    ra_get_notify_mr_info RaGetNotifyMrInfo(device: *mut c_void, info: *mut c_void);
}

exports! {
    /// Returns the number of network interfaces of a device: 0.
    fn ra_get_ifnum(attributes: *const c_void, number: *mut u32) = interface_count;
    /// As `ra_get_ifnum`.
    fn RaGetIfnum(attributes: *const c_void, number: *mut u32) = interface_count;
    /// Starts the device's services for `ranks` processes: they need no start.
    fn TsdOpen(device: u32, ranks: u32) = open_service;
}
