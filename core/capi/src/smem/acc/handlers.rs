// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Callbacks of the program, made closures. Each is called without a lock of the library, from any thread,
//! until another replaces it or the server is stopped; the program vouches for this use.

use std::ffi::c_void;
use std::sync::Arc;

use mf_abi::smem::{
    AccBrokenCallback, AccConnectRequest, AccDecryptCallback, AccMessage, AccMessageV2, AccNewLinkCallback,
    AccRequestCallback, AccRequestV2Callback, AccSentCallback, AccSentV2Callback, AccServerHandle,
};
use mf_acc::frame::Message;
use mf_acc::hello::Hello;
use mf_acc::{BrokenFn, Link, NewLinkFn, RequestFn, SentFn, Server};
use mf_base::Result;
use mf_base::sync::lock;
use mf_base::warn_limited;

use super::Context;
use super::links::borrowed_handle;
use super::server::find;
use crate::boundary::call_program;

/// Sets a handler, unless the server is null.
fn set(op: &'static str, server: AccServerHandle, change: impl FnOnce(&Server)) -> Result<()> {
    if server.is_null() {
        return Ok(());
    }
    change(&find(op, server)?.server);
    Ok(())
}

fn plain(message: &Message) -> AccMessage {
    AccMessage {
        kind: message.kind,
        result: message.result,
        body_len: message.body_bytes,
        seq_no: message.sequence,
    }
}

fn second(message: &Message) -> AccMessageV2 {
    AccMessageV2 {
        kind: message.kind,
        result: message.result,
        body_len: message.body_bytes,
        seq_no: message.sequence,
        crc: message.crc.unwrap_or(0),
    }
}

/// Returns the length; bodies and callback data are shorter than 4 GiB.
fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}

pub(crate) fn smem_acc_server_set_decrypt_handler(
    op: &'static str,
    server: AccServerHandle,
    callback: AccDecryptCallback,
    context: *mut c_void,
) -> Result<()> {
    if server.is_null() {
        return Ok(());
    }
    let context = Context::new(context);
    *lock(&find(op, server)?.decrypt) = callback.map(|callback| (callback, context));
    Ok(())
}

pub(crate) fn smem_acc_server_set_new_link_handler(
    op: &'static str,
    server: AccServerHandle,
    callback: AccNewLinkCallback,
    context: *mut c_void,
) -> Result<()> {
    let context = Context::new(context);
    let handler = callback.map(|callback| -> NewLinkFn {
        Arc::new(move |hello: &Hello, link: &Arc<Link>| {
            let request = AccConnectRequest {
                magic: hello.magic,
                version: hello.version,
                reconnect: hello.reconnect,
                rank_id: hello.rank,
            };
            // SAFETY: the program vouches for its function; the request lives through the call.
            call_program("smem_acc_new_link_cb", || unsafe {
                callback(context.pointer(), &raw const request, borrowed_handle(link))
            })
        })
    });
    set(op, server, |server| server.on_new_link(handler))
}

pub(crate) fn smem_acc_server_set_link_broken_handler(
    op: &'static str,
    server: AccServerHandle,
    callback: AccBrokenCallback,
    context: *mut c_void,
) -> Result<()> {
    let context = Context::new(context);
    let handler = callback.map(|callback| -> BrokenFn {
        Arc::new(move |link: &Arc<Link>| {
            // SAFETY: the program vouches for its function.
            let code = call_program("smem_acc_link_broken_cb", || unsafe {
                callback(context.pointer(), borrowed_handle(link))
            });
            if code != 0 {
                warn_limited!(link = link.id(), code, "a handler of broken links failed");
            }
        })
    });
    set(op, server, |server| server.on_broken(handler))
}

pub(crate) fn smem_acc_server_set_request_handler(
    op: &'static str,
    server: AccServerHandle,
    kind: i16,
    callback: AccRequestCallback,
    context: *mut c_void,
) -> Result<()> {
    let context = Context::new(context);
    let handler = callback.map(|callback| -> RequestFn {
        Arc::new(move |message: &Message, body: &[u8], link: &Arc<Link>| {
            let message = plain(message);
            let data = body.as_ptr().cast();
            // SAFETY: the program vouches for its function; message and body live through the call.
            call_program("smem_acc_request_cb", || unsafe {
                callback(context.pointer(), &raw const message, data, length(body), borrowed_handle(link))
            })
        })
    });
    set(op, server, |server| server.on_request(kind, handler))
}

pub(crate) fn smem_acc_server_set_request_handler_v2(
    op: &'static str,
    server: AccServerHandle,
    kind: i16,
    callback: AccRequestV2Callback,
    context: *mut c_void,
) -> Result<()> {
    let context = Context::new(context);
    let handler = callback.map(|callback| -> RequestFn {
        Arc::new(move |message: &Message, body: &[u8], link: &Arc<Link>| {
            let message = second(message);
            let data = body.as_ptr().cast();
            // SAFETY: the program vouches for its function; message and body live through the call.
            call_program("smem_acc_request_cb_v2", || unsafe {
                callback(context.pointer(), &raw const message, data, length(body), borrowed_handle(link))
            })
        })
    });
    set(op, server, |server| server.on_request(kind, handler))
}

pub(crate) fn smem_acc_server_set_sent_handler(
    op: &'static str,
    server: AccServerHandle,
    kind: i16,
    callback: AccSentCallback,
    context: *mut c_void,
) -> Result<()> {
    let context = Context::new(context);
    let handler = callback.map(|callback| -> SentFn {
        Arc::new(move |result, message: &Message, _: &[u8]| {
            let message = plain(message);
            // SAFETY: the program vouches for its function; the message lives through the call.
            call_program("smem_acc_sent_cb", || unsafe {
                callback(context.pointer(), result, &raw const message)
            });
        })
    });
    set(op, server, |server| server.on_sent(kind, handler))
}

pub(crate) fn smem_acc_server_set_sent_handler_v2(
    op: &'static str,
    server: AccServerHandle,
    kind: i16,
    callback: AccSentV2Callback,
    context: *mut c_void,
) -> Result<()> {
    let context = Context::new(context);
    let handler = callback.map(|callback| -> SentFn {
        Arc::new(move |result, message: &Message, back: &[u8]| {
            let message = second(message);
            let data = if back.is_empty() { std::ptr::null() } else { back.as_ptr().cast() };
            // SAFETY: the program vouches for its function; message and data live through the call.
            call_program("smem_acc_sent_cb_v2", || unsafe {
                callback(context.pointer(), result, &raw const message, data, length(back))
            });
        })
    });
    set(op, server, |server| server.on_sent(kind, handler))
}
