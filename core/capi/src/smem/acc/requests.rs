// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests of HTTP: routes, and requests by handle while their handlers run.

use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, Mutex};

use mf_abi::smem::{AccHttpCallback, AccHttpParamCallback, AccHttpRequestHandle, AccServerHandle};
use mf_acc::HttpRequest;
use mf_acc::http::Method;
use mf_base::sync::lock;
use mf_base::{Error, Result};

use super::Context;
use super::server::find;
use crate::boundary::{bytes, call_program, present, text};

/// Marks these handles, so that none of another table matches.
const TAG: usize = 0x4d68 << 48;
const INDEX_BITS: u32 = 16;
const INDEX: usize = (1 << INDEX_BITS) - 1;
const GENERATION: usize = 0xffff_ffff;

/// Requests with a running handler: at most one per worker, so few that a linear search is fast.
static SERVED: Mutex<Vec<RequestSlot>> = Mutex::new(Vec::new());

struct RequestSlot {
    generation: usize,
    request: Option<Arc<HttpRequest>>,
}

/// A handle that names a request until it is dropped.
struct Lent(usize);

impl Lent {
    fn new(request: &Arc<HttpRequest>) -> Self {
        let mut places = lock(&SERVED);
        let index = places.iter().position(|place| place.request.is_none()).unwrap_or_else(|| {
            places.push(RequestSlot { generation: 0, request: None });
            places.len() - 1
        });
        let Some(place) = places.get_mut(index) else { return Self(TAG) };
        place.generation = (place.generation + 1) & GENERATION;
        place.request = Some(Arc::clone(request));
        Self(TAG | place.generation << INDEX_BITS | index & INDEX)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(place) = lock(&SERVED).get_mut(self.0 & INDEX) {
            place.request = None;
        }
    }
}

fn served(operation: &'static str, request: AccHttpRequestHandle) -> Result<Arc<HttpRequest>> {
    present(operation, "the request", request)?;
    let places = lock(&SERVED);
    let place = places
        .get(request.addr() & INDEX)
        .filter(|place| request.addr() == TAG | place.generation << INDEX_BITS | request.addr() & INDEX);
    place.and_then(|place| place.request.clone()).ok_or_else(|| {
        Error::invalid(operation, "the handle names no request")
            .with("handle", format!("{request:p}"))
            .hint("a request is valid while its handler runs")
    })
}

pub(crate) unsafe fn smem_acc_http_server_register_handler(
    op: &'static str,
    server: AccServerHandle,
    method: u8,
    path: *const c_char,
    callback: AccHttpCallback,
    context: *mut c_void,
) -> Result<()> {
    present(op, "the server", server)?;
    let server = find(op, server)?;
    let callback = present(op, "the callback", callback)?;
    let method = Method::from_number(method)
        .ok_or_else(|| Error::invalid(op, "the method is unknown").with("method", method).with("most", 8))?;
    // SAFETY: the caller passes a C string or null.
    let path = unsafe { text(op, "the path", path) }?;
    let context = Context::new(context);
    server.server.on_http(
        method,
        path,
        Arc::new(move |request: &Arc<HttpRequest>| {
            let lent = Lent::new(request);
            // SAFETY: the program vouches for its function, from any thread, until the server is stopped.
            call_program("smem_acc_http_cb", || unsafe {
                callback(context.pointer(), std::ptr::without_provenance_mut(lent.0))
            })
        }),
    )
}

/// Returns the body, which lives as long as the request: its worker holds it until the handler has returned.
pub(crate) unsafe fn smem_acc_http_request_body(
    op: &'static str,
    request: AccHttpRequestHandle,
    length: *mut u32,
) -> Result<*const c_void> {
    // SAFETY: null, or a place for a number.
    let mut length = unsafe { length.as_mut() };
    if let Some(length) = &mut length {
        **length = 0;
    }
    if request.is_null() {
        return Ok(std::ptr::null());
    }
    let request = served(op, request)?;
    if let Some(length) = length {
        *length = u32::try_from(request.body().len()).unwrap_or(u32::MAX);
    }
    Ok(request.body().as_ptr().cast())
}

pub(crate) unsafe fn smem_acc_http_request_param(
    op: &'static str,
    request: AccHttpRequestHandle,
    name: *const c_char,
) -> Result<*const c_char> {
    if request.is_null() || name.is_null() {
        return Ok(std::ptr::null());
    }
    let request = served(op, request)?;
    // SAFETY: not null, so a C string; its bytes are compared without decoding.
    let name = unsafe { CStr::from_ptr(name) };
    let found = request.parameters().first(name.to_bytes());
    Ok(found.map_or(std::ptr::null(), |value| value.as_ptr().cast()))
}

pub(crate) fn smem_acc_http_request_visit_params(
    op: &'static str,
    request: AccHttpRequestHandle,
    callback: AccHttpParamCallback,
    context: *mut c_void,
) -> Result<()> {
    let request = served(op, request)?;
    let callback = present(op, "the callback", callback)?;
    for (name, value) in request.parameters().all() {
        // SAFETY: both end with zero bytes and live through the call; the program vouches for its function.
        call_program("smem_acc_http_param_cb", || unsafe {
            callback(context, name.as_ptr().cast(), value.as_ptr().cast());
        });
    }
    Ok(())
}

pub(crate) unsafe fn smem_acc_http_request_reply(
    op: &'static str,
    request: AccHttpRequestHandle,
    status: u16,
    content_type: *const c_char,
    body: *const c_void,
    body_len: u32,
) -> Result<()> {
    let request = served(op, request)?;
    // SAFETY: the caller passes a C string or null.
    let content_type = unsafe { text(op, "the content type", content_type) }?;
    // SAFETY: the caller passes so many readable bytes.
    let body = unsafe { bytes(op, "the body", body, u64::from(body_len)) }?;
    request.reply(status, content_type, body)
}
