// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Callbacks from libucp.
//!
//! It calls them only from inside calls to it, on the calling thread, and the caller holds the lock of the
//! transport. So callbacks only note the event in a list of the thread, and the holder of the lock works it
//! off before letting go.

use std::cell::RefCell;
use std::ffi::c_void;

use super::abi::{self, Status};
use super::library::Library;
use super::slab::Id;
use super::wire::HEAD_BYTES;

/// Event from libucp.
pub(super) enum Event {
    /// Does not touch memory for this part any more.
    Sent { part: Id, status: Status },
    /// A message.
    Arrived { head: [u8; HEAD_BYTES], data: Data },
    /// The connection broke: link and connection, as given to `Worker::connect`.
    Failed { connection: usize, status: Status },
}

/// Data of a message, beside its head: memory of libucp, until `Worker::release`.
pub(super) struct Data {
    pub(super) start: *mut c_void,
    pub(super) bytes: usize,
}

impl Data {
    pub(super) const NONE: Self = Self { start: std::ptr::null_mut(), bytes: 0 };

    /// # Safety
    /// It is not released while the slice is in use.
    pub(super) unsafe fn as_slice<'a>(&self) -> &'a [u8] {
        if self.start.is_null() {
            return &[];
        }
        // SAFETY: libucp gave this start and length, no other code writes there, and the caller guarantees
        // that it is not released.
        unsafe { std::slice::from_raw_parts(self.start.cast_const().cast(), self.bytes) }
    }
}

// SAFETY: plain memory that belongs to the holder of this; libucp does not tie it to a thread.
unsafe impl Send for Data {}
thread_local! {
    static EVENTS: RefCell<Vec<Event>> = const { RefCell::new(Vec::new()) };
}

fn note(event: Event) {
    // Neither can fail: no callback runs inside another one's push, nor when the thread is at its end.
    let _ = EVENTS.try_with(|events| events.try_borrow_mut().map(|mut events| events.push(event)));
}

/// Moves the events noted by this thread into `events`.
pub(super) fn collect(events: &mut Vec<Event>) {
    let _ = EVENTS.try_with(|noted| noted.try_borrow_mut().map(|mut noted| events.append(&mut noted)));
}

pub(super) unsafe extern "C" fn on_sent(request: *mut c_void, status: Status, user_data: *mut c_void) {
    note(Event::Sent { part: user_data.addr() as u64, status });
    if let Ok(library) = Library::get() {
        // SAFETY: libucp hands the request over with this call, which is its last use.
        unsafe { (library.ucp_request_free)(request) };
    }
}

pub(super) unsafe extern "C" fn on_arrived(
    _: *mut c_void,
    header: *const c_void,
    header_length: usize,
    data: *mut c_void,
    length: usize,
    params: *const abi::ArrivedParams,
) -> Status {
    // SAFETY: libucp passes a valid structure.
    let attributes = unsafe { (*params).attributes };
    // Rendezvous messages are not ours, and are refused: libucp drops them then.
    if header_length != HEAD_BYTES || header.is_null() || attributes & abi::ARRIVED_RENDEZVOUS != 0 {
        return abi::OK;
    }
    // SAFETY: the head has this many bytes, which was checked above; bytes need no alignment.
    let head = unsafe { header.cast::<[u8; HEAD_BYTES]>().read_unaligned() };
    let keeps = length > 0 && attributes & abi::ARRIVED_KEEPABLE != 0;
    if length > 0 && !keeps {
        return abi::OK;
    }
    let data = if keeps { Data { start: data, bytes: length } } else { Data::NONE };
    note(Event::Arrived { head, data });
    if keeps { abi::IN_PROGRESS } else { abi::OK }
}

pub(super) unsafe extern "C" fn on_endpoint_error(argument: *mut c_void, _: *mut c_void, status: Status) {
    note(Event::Failed { connection: argument.addr(), status });
}
