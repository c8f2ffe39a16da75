// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The part of libucp's C interface that is used here, as of version 1.10: later ones only append fields, and
//! the library reads a field only when its bit is in the mask of the structure.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// `ucs_status_t`: one byte.
pub(super) type Status = i8;
pub(super) const OK: Status = 0;
pub(super) const IN_PROGRESS: Status = 1;
pub(super) const NO_MEMORY: Status = -4;
pub(super) const UNREACHABLE: Status = -6;
pub(super) const BUSY: Status = -15;
pub(super) const CANCELED: Status = -16;
/// `UCS_ERR_LAST`: pointers from here up are statuses.
const LAST: isize = -100;

/// The interface that these declarations follow.
pub(super) const API_MAJOR: c_uint = 1;
pub(super) const API_MINOR: c_uint = 10;

/// Result of a call that may complete later: null (done), a request, or a status.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Done,
    Pending(*mut c_void),
    Refused(Status),
}

/// `ucs_status_ptr_t`, taken apart.
pub(super) fn outcome(pointer: *mut c_void) -> Outcome {
    let value = pointer.addr().cast_signed();
    match value {
        0 => Outcome::Done,
        LAST..=-1 => Outcome::Refused(Status::try_from(value).unwrap_or(Status::MIN)),
        _ => Outcome::Pending(pointer),
    }
}

pub(super) const FEATURE_RMA: u64 = 1 << 1;
pub(super) const FEATURE_WAKEUP: u64 = 1 << 4;
pub(super) const FEATURE_AM: u64 = 1 << 6;

pub(super) const CONTEXT_FEATURES: u64 = 1;

/// `ucp_params_t`
#[repr(C)]
pub(super) struct ContextParams {
    pub(super) field_mask: u64,
    pub(super) features: u64,
    pub(super) request_size: usize,
    pub(super) request_init: *const c_void,
    pub(super) request_cleanup: *const c_void,
    pub(super) tag_sender_mask: u64,
    pub(super) mt_workers_shared: c_int,
    pub(super) estimated_num_eps: usize,
    pub(super) estimated_num_ppn: usize,
    pub(super) name: *const c_char,
}

pub(super) const WORKER_THREAD_MODE: u64 = 1;
pub(super) const THREADS_SERIALIZED: c_uint = 1;

/// `ucp_worker_params_t`
#[repr(C)]
pub(super) struct WorkerParams {
    pub(super) field_mask: u64,
    pub(super) thread_mode: c_uint,
    pub(super) cpu_mask: [u64; 16],
    pub(super) events: c_uint,
    pub(super) user_data: *mut c_void,
    pub(super) event_fd: c_int,
    pub(super) flags: u64,
    pub(super) name: *const c_char,
    pub(super) am_alignment: usize,
    pub(super) client_id: u64,
}

/// `ucs_sock_addr_t`
#[repr(C)]
pub(super) struct SocketAddress {
    pub(super) address: *const c_void,
    pub(super) bytes: u32,
}

pub(super) type OnEndpointError =
    unsafe extern "C" fn(argument: *mut c_void, endpoint: *mut c_void, status: Status);

pub(super) const ENDPOINT_ADDRESS: u64 = 1;
pub(super) const ENDPOINT_ERROR_MODE: u64 = 1 << 1;
pub(super) const ENDPOINT_ERROR_HANDLER: u64 = 1 << 2;
pub(super) const ERRORS_OF_PEER: c_uint = 1;

/// `ucp_ep_params_t`
#[repr(C)]
pub(super) struct EndpointParams {
    pub(super) field_mask: u64,
    pub(super) address: *const c_void,
    pub(super) error_mode: c_uint,
    pub(super) on_error: Option<OnEndpointError>,
    pub(super) on_error_argument: *mut c_void,
    pub(super) user_data: *mut c_void,
    pub(super) flags: c_uint,
    pub(super) socket_address: SocketAddress,
    pub(super) connection_request: *mut c_void,
    pub(super) name: *const c_char,
    pub(super) local_socket_address: SocketAddress,
}

pub(super) const MAP_ADDRESS: u64 = 1;
pub(super) const MAP_LENGTH: u64 = 1 << 1;
pub(super) const MAP_FLAGS: u64 = 1 << 2;
/// Pages are not all touched at once.
pub(super) const MAP_NONBLOCK: c_uint = 1;

/// `ucp_mem_map_params_t`
#[repr(C)]
pub(super) struct MapParams {
    pub(super) field_mask: u64,
    pub(super) address: *mut c_void,
    pub(super) length: usize,
    pub(super) flags: c_uint,
    pub(super) protection: c_uint,
    pub(super) memory_type: c_uint,
}

pub(super) type OnSent = unsafe extern "C" fn(request: *mut c_void, status: Status, user_data: *mut c_void);

pub(super) const REQUEST_CALLBACK: u32 = 1 << 1;
pub(super) const REQUEST_USER_DATA: u32 = 1 << 2;
pub(super) const REQUEST_FLAGS: u32 = 1 << 4;
/// `UCP_AM_SEND_FLAG_EAGER`
pub(super) const SEND_EAGER: u32 = 1 << 1;
/// `UCP_EP_CLOSE_FLAG_FORCE`
pub(super) const CLOSE_FORCE: u32 = 1;

/// `ucp_request_param_t`
#[repr(C)]
pub(super) struct RequestParams {
    pub(super) attributes: u32,
    pub(super) flags: u32,
    pub(super) request: *mut c_void,
    pub(super) callback: *const c_void,
    pub(super) datatype: u64,
    pub(super) user_data: *mut c_void,
    pub(super) reply_buffer: *mut c_void,
    pub(super) memory_type: c_uint,
    pub(super) receive_info: *mut c_void,
    pub(super) memory: *mut c_void,
}

impl RequestParams {
    /// `callback` is an [`OnSent`], or null where the attributes do not name it.
    pub(super) fn new(callback: *const c_void, user_data: usize, flags: u32) -> Self {
        Self {
            attributes: REQUEST_CALLBACK | REQUEST_USER_DATA | REQUEST_FLAGS,
            flags,
            request: std::ptr::null_mut(),
            callback,
            datatype: 0,
            user_data: std::ptr::without_provenance_mut(user_data),
            reply_buffer: std::ptr::null_mut(),
            memory_type: 0,
            receive_info: std::ptr::null_mut(),
            memory: std::ptr::null_mut(),
        }
    }
}

pub(super) const ARRIVED_KEEPABLE: u64 = 1 << 16;
pub(super) const ARRIVED_RENDEZVOUS: u64 = 1 << 17;

/// `ucp_am_recv_param_t`
#[repr(C)]
pub(super) struct ArrivedParams {
    pub(super) attributes: u64,
    pub(super) reply_endpoint: *mut c_void,
}

pub(super) type OnArrived = unsafe extern "C" fn(
    argument: *mut c_void,
    header: *const c_void,
    header_length: usize,
    data: *mut c_void,
    length: usize,
    params: *const ArrivedParams,
) -> Status;

/// Id, flags, callback and argument.
pub(super) const HANDLER_ALL: u64 = 0b1111;
/// Whole messages, with data that can be kept.
pub(super) const HANDLER_WHOLE_AND_KEPT: u32 = 0b11;

/// `ucp_am_handler_param_t`
#[repr(C)]
pub(super) struct HandlerParams {
    pub(super) field_mask: u64,
    pub(super) id: c_uint,
    pub(super) flags: u32,
    pub(super) callback: Option<OnArrived>,
    pub(super) argument: *mut c_void,
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    #[test]
    fn layouts_match_the_c_compiler() {
        assert_eq!(size_of::<ContextParams>(), 80);
        assert_eq!(offset_of!(ContextParams, estimated_num_eps), 56);
        assert_eq!(size_of::<WorkerParams>(), 200);
        assert_eq!(offset_of!(WorkerParams, events), 144);
        assert_eq!(offset_of!(WorkerParams, flags), 168);
        assert_eq!(size_of::<EndpointParams>(), 104);
        assert_eq!(offset_of!(EndpointParams, on_error), 24);
        assert_eq!(offset_of!(EndpointParams, socket_address), 56);
        assert_eq!(offset_of!(EndpointParams, name), 80);
        assert_eq!(size_of::<MapParams>(), 40);
        assert_eq!(offset_of!(MapParams, protection), 28);
        assert_eq!(size_of::<RequestParams>(), 72);
        assert_eq!(offset_of!(RequestParams, user_data), 32);
        assert_eq!(offset_of!(RequestParams, receive_info), 56);
        assert_eq!(size_of::<ArrivedParams>(), 16);
        assert_eq!(size_of::<HandlerParams>(), 32);
        assert_eq!(offset_of!(HandlerParams, callback), 16);
    }

    #[test]
    fn ucx_status_pointer_is_decoded() {
        assert!(matches!(outcome(std::ptr::null_mut()), Outcome::Done));
        let status = std::ptr::without_provenance_mut((-6_isize).cast_unsigned());
        assert!(matches!(outcome(status), Outcome::Refused(UNREACHABLE)));
        assert!(matches!(outcome(std::ptr::without_provenance_mut(0x1000)), Outcome::Pending(_)));
    }
}
