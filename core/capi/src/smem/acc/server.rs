// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers: made, started, stopped; and links that they make.

use std::ffi::c_char;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, Once};

use mf_abi::smem::{
    AccConnectRequest, AccDecryptFn, AccHttpOptions, AccLinkHandle, AccServerHandle, AccTcpOptions,
    TlsOptions,
};
use mf_acc::hello::Hello;
use mf_acc::{Bounds, HttpOptions, Protocol, Server, TcpOptions, Times, code};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_job::process::Handles as SlotHandles;
use mf_tls::TlsFiles;

use super::Context;
use super::links::{self, Handles};
use crate::boundary::{present, text};
use crate::decrypter;
use crate::startup::prepare;
use crate::tls_options::files_of_options;

/// A server as callers hold it.
pub(crate) struct AccServer {
    pub(super) server: Server,
    pub(super) decrypt: Mutex<Option<(AccDecryptFn, Context)>>,
}

/// Servers; programs end them at any time.
static SERVERS: SlotHandles<AccServer, 256> =
    SlotHandles::new("server", "smem_acc_tcp_server_create or smem_acc_http_server_create");

/// The server of a handle.
pub(super) fn find(operation: &'static str, server: AccServerHandle) -> Result<Arc<AccServer>> {
    let server = SERVERS.get(operation, server, Kind::InvalidParam)?;
    server.server.check_process(operation)?;
    Ok(server)
}

fn create(op: &'static str, protocol: Protocol) -> Result<AccServerHandle> {
    prepare()?;
    let server = Server::with_hooks(protocol, Arc::new(Handles));
    SERVERS.insert(op, Arc::new(AccServer { server, decrypt: Mutex::new(None) }))
}

pub(crate) fn smem_acc_tcp_server_create(op: &'static str) -> Result<AccServerHandle> {
    create(op, Protocol::Messages)
}

pub(crate) fn smem_acc_http_server_create(op: &'static str) -> Result<AccServerHandle> {
    create(op, Protocol::Http)
}

pub(crate) fn smem_acc_server_destroy(op: &'static str, server: AccServerHandle) -> Result<()> {
    if server.is_null() {
        return Ok(());
    }
    find(op, server)?.server.stop()?;
    // Callers that use it meanwhile hold shares.
    drop(SERVERS.remove(server));
    Ok(())
}

pub(crate) fn smem_acc_server_stop(op: &'static str, server: AccServerHandle) -> Result<()> {
    if server.is_null() {
        return Ok(());
    }
    find(op, server)?.server.stop()
}

/// An address of the program.
///
/// # Safety
/// `pointer` is null or a C string.
unsafe fn address(op: &'static str, name: &str, pointer: *const c_char) -> Result<IpAddr> {
    // SAFETY: the caller passes a C string or null.
    let text = unsafe { text(op, name, pointer) }?;
    text.trim_matches(['[', ']']).parse().map_err(|_| {
        Error::invalid(op, format!("{name} is not an IPv4 or IPv6 address")).with("text", format!("{text:?}"))
    })
}

/// A place to listen.
///
/// # Safety
/// `ip` is null or a C string.
unsafe fn place(op: &'static str, ip: *const c_char, port: u16) -> Result<(IpAddr, u16)> {
    if port == 0 {
        return Err(Error::invalid(op, "listen_port is 0"));
    }
    // SAFETY: the caller passes a C string or null.
    Ok((unsafe { address(op, "listen_ip", ip) }?, port))
}

/// The certificates of a server; none: plaintext.
///
/// # Safety
/// `options` is null, or its strings are null or C strings.
unsafe fn files(
    op: &'static str,
    server: &AccServer,
    options: *const TlsOptions,
) -> Result<Option<TlsFiles>> {
    // SAFETY: null, or a struct of this size that nobody changes meanwhile.
    let options = unsafe { options.as_ref() };
    let Some(options) = options.filter(|options| options.enable_tls != 0) else { return Ok(None) };
    // SAFETY: null, or options with strings that are null or C strings: the interface.
    let files = unsafe { files_of_options(op, options) }?;
    Ok(Some(match *lock(&server.decrypt) {
        // SAFETY: the program vouches for its function and the context while the server lives.
        Some((callback, context)) => files.decrypt(unsafe { decrypter::from_callback(callback, context.0) }),
        None => files,
    }))
}

pub(crate) unsafe fn smem_acc_tcp_server_start(
    op: &'static str,
    server: AccServerHandle,
    options: *const AccTcpOptions,
    tls: *const TlsOptions,
) -> Result<()> {
    present(op, "the server", server)?;
    let server = find(op, server)?;
    let options = present(op, "the options", options)?;
    // SAFETY: not null, so a struct of this size that nobody changes meanwhile.
    let options = unsafe { &*options };
    let listen = match options.enable_listener {
        0 => None,
        // SAFETY: the caller passes a C string or null.
        _ => Some(unsafe { place(op, options.listen_ip, options.listen_port) }?),
    };
    let wanted = TcpOptions {
        listen,
        workers: options.worker_count,
        queue: options.link_send_queue_size,
        magic: options.magic,
        version: options.version,
        times: Times::default(),
        bounds: Bounds::default(),
    };
    // SAFETY: null, or options with strings that are null or C strings: the interface.
    let files = unsafe { files(op, &server, tls) }?;
    server.server.start_tcp(&wanted, files)
}

pub(crate) unsafe fn smem_acc_http_server_start(
    op: &'static str,
    server: AccServerHandle,
    options: *const AccHttpOptions,
    tls: *const TlsOptions,
) -> Result<()> {
    present(op, "the server", server)?;
    let server = find(op, server)?;
    let options = present(op, "the options", options)?;
    // SAFETY: not null, so a struct of this size that nobody changes meanwhile.
    let options = unsafe { &*options };
    let wanted = HttpOptions {
        // SAFETY: the caller passes a C string or null.
        listen: unsafe { place(op, options.listen_ip, options.listen_port) }?,
        workers: options.worker_count,
        body_bytes_max: options.max_body_size as u64,
        times: Times::default(),
        bounds: Bounds::default(),
    };
    // SAFETY: null, or options with strings that are null or C strings: the interface.
    let files = unsafe { files(op, &server, tls) }?;
    server.server.start_http(&wanted, files)
}

pub(crate) unsafe fn smem_acc_server_load_tls_library(
    op: &'static str,
    server: AccServerHandle,
    path: *const c_char,
) -> Result<()> {
    static ONCE: Once = Once::new();
    present(op, "the server", server)?;
    find(op, server)?;
    // SAFETY: the caller passes a C string or null.
    let path = unsafe { text(op, "the path", path) }?;
    ONCE.call_once(|| tracing::info!(path, "the folder of a TLS library is ignored: no OpenSSL is used"));
    Ok(())
}

pub(crate) unsafe fn smem_acc_server_connect(
    op: &'static str,
    server: AccServerHandle,
    peer_ip: *const c_char,
    port: u16,
    request: *const AccConnectRequest,
    max_retry_times: u32,
    link: *mut AccLinkHandle,
) -> Result<()> {
    present(op, "the server", server)?;
    let server = find(op, server)?;
    let link = present(op, "the link", link)?;
    // SAFETY: not null, so a place for a handle.
    unsafe { *link = std::ptr::null_mut() };
    let request = present(op, "the request", request)?;
    // SAFETY: not null, so a struct of this size that nobody changes meanwhile.
    let request = unsafe { &*request };
    let hello = Hello {
        magic: request.magic,
        version: request.version,
        reconnect: request.reconnect,
        rank: request.rank_id,
    };
    // SAFETY: the caller passes a C string or null.
    let address = unsafe { address(op, "peer_ip", peer_ip) }?;
    let made = server.server.connect(address, port, &hello, max_retry_times)?;
    let handle = links::owned_handle(op, &made)?;
    // SAFETY: not null; the caller passes a place for a handle.
    unsafe { *link = handle };
    Ok(())
}

pub(crate) fn smem_acc_server_release_link(
    op: &'static str,
    server: AccServerHandle,
    link: AccLinkHandle,
) -> Result<()> {
    if server.is_null() || link.is_null() {
        let what = if server.is_null() { "the server is null" } else { "the link is null" };
        return Err(Error::invalid(op, what).code_of_family(code::NULL));
    }
    find(op, server)?.server.release(&links::find(op, link)?)
}
