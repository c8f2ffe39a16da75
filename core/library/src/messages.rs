// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Message and HTTP servers (`smem_acc_api.h`).

use std::any::Any;
use std::ffi::{CStr, c_void};

use mf_abi::smem::{
    AccConnectRequest, AccHttpOptions, AccHttpRequestHandle, AccLinkHandle, AccMessage, AccServerHandle,
    AccTcpOptions,
};
use mf_base::Result;

use crate::call::{call, pointer, value};
use crate::library::{Library, library};

/// A server. Dropping it stops the server: no callback runs behind that.
pub struct Server {
    library: &'static Library,
    handle: AccServerHandle,
    /// The callbacks, for which the library has addresses.
    callbacks: Vec<Box<dyn Any + Send + Sync>>,
}

// SAFETY: a handle is a number for the library, which any thread may call.
unsafe impl Send for Server {}
// SAFETY: as above.
unsafe impl Sync for Server {}

/// A link, lent for a call of a callback.
#[derive(Clone, Copy)]
pub struct LentLink {
    library: &'static Library,
    handle: AccLinkHandle,
}

/// A link that the program owns. Dropping it gives the share back; the link stays.
pub struct Link(LentLink);

// SAFETY: a handle is a number for the library, which any thread may call.
unsafe impl Send for Link {}
// SAFETY: as above.
unsafe impl Sync for Link {}

/// Sequence number and body of a message, and its link.
pub type Received<'a> = (u32, &'a [u8], LentLink);

impl LentLink {
    /// Sends a message of a type; returns the code of the library.
    pub fn try_send(&self, message_type: i16, sequence: u32, body: &[u8]) -> i32 {
        let (start, bytes) = (body.as_ptr().cast::<c_void>(), u32::try_from(body.len()).unwrap_or(u32::MAX));
        value!(self.library, smem_acc_link_send(self.handle, message_type, 0, sequence, start, bytes))
    }
}

impl Link {
    /// Sends a message of a type.
    ///
    /// # Errors
    /// Errors of `smem_acc_link_send`.
    pub fn send(&self, message_type: i16, sequence: u32, body: &[u8]) -> Result<()> {
        self.0.library.check("smem_acc_link_send", self.0.try_send(message_type, sequence, body))
    }

    /// Sends a message of a type; yields while the queue of the link is full.
    ///
    /// # Errors
    /// Other errors of `smem_acc_link_send`.
    pub fn send_when_there_is_room(&self, message_type: i16, body: &[u8]) -> Result<()> {
        loop {
            match self.0.try_send(message_type, 0, body) {
                mf_abi::smem::MFX_ACC_QUEUE_FULL => std::thread::yield_now(),
                code => return self.0.library.check("smem_acc_link_send", code),
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        value!(self.0.library, smem_acc_link_release(self.0.handle));
    }
}

impl Server {
    /// Creates a server of messages that accepts all links.
    ///
    /// # Errors
    /// Errors of `smem_acc_tcp_server_create`.
    pub fn of_messages() -> Result<Self> {
        let library = library()?;
        let server = Self::of(library, pointer!(library, smem_acc_tcp_server_create())?);
        value!(
            library,
            smem_acc_server_set_new_link_handler(server.handle, Some(accept), std::ptr::null_mut())
        );
        Ok(server)
    }

    /// Creates a server of HTTP.
    ///
    /// # Errors
    /// Errors of `smem_acc_http_server_create`.
    pub fn of_http() -> Result<Self> {
        let library = library()?;
        Ok(Self::of(library, pointer!(library, smem_acc_http_server_create())?))
    }

    fn of(library: &'static Library, handle: AccServerHandle) -> Self {
        let server = Self { library, handle, callbacks: Vec::new() };
        let none = std::ptr::null_mut();
        value!(library, smem_acc_server_set_link_broken_handler(server.handle, Some(ignore), none));
        server
    }

    /// Sets the callback for messages of a type; its result is logged unless it is 0.
    pub fn on_message<F>(&mut self, message_type: i16, callback: F)
    where
        F: Fn(Received<'_>) -> i32 + Send + Sync + 'static,
    {
        let context = self.keep(Callback { library: self.library, call: callback });
        value!(
            self.library,
            smem_acc_server_set_request_handler(self.handle, message_type, Some(receive::<F>), context)
        );
    }

    /// Answers GET of a path with status 200 and a plain text.
    ///
    /// # Errors
    /// Errors of `smem_acc_http_server_register_handler`.
    pub fn answer_get(&mut self, path: &CStr, text: &'static [u8]) -> Result<()> {
        let context = self.keep(Callback { library: self.library, call: text });
        let (method, handle) = (mf_abi::smem::MFX_ACC_HTTP_GET, self.handle);
        let method = u8::try_from(method).unwrap_or(0);
        call!(
            self.library,
            smem_acc_http_server_register_handler(handle, method, path.as_ptr(), Some(answer), context)
        )
    }

    /// Keeps a callback at its address, until the server has stopped.
    fn keep<C: Send + Sync + 'static>(&mut self, callback: C) -> *mut c_void {
        let callback = Box::new(callback);
        let context = (&raw const *callback).cast_mut().cast();
        self.callbacks.push(callback);
        context
    }

    /// Starts a server of messages.
    ///
    /// # Errors
    /// Errors of `smem_acc_tcp_server_start`.
    pub fn start_messages(&self, options: &AccTcpOptions) -> Result<()> {
        let tls = std::ptr::null();
        call!(self.library, smem_acc_tcp_server_start(self.handle, &raw const *options, tls))
    }

    /// Starts a server of HTTP.
    ///
    /// # Errors
    /// Errors of `smem_acc_http_server_start`.
    pub fn start_http(&self, options: &AccHttpOptions) -> Result<()> {
        let tls = std::ptr::null();
        call!(self.library, smem_acc_http_server_start(self.handle, &raw const *options, tls))
    }

    /// Connects to a server of messages.
    ///
    /// # Errors
    /// Errors of `smem_acc_server_connect`.
    pub fn connect(&self, ip: &CStr, port: u16, hello: &AccConnectRequest, attempts: u32) -> Result<Link> {
        let (library, mut handle) = (self.library, std::ptr::null_mut());
        let (hello, place) = (&raw const *hello, &raw mut handle);
        call!(library, smem_acc_server_connect(self.handle, ip.as_ptr(), port, hello, attempts, place))?;
        Ok(Link(LentLink { library, handle }))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        value!(self.library, smem_acc_server_destroy(self.handle));
    }
}

/// A callback, as the library's context has it.
struct Callback<F> {
    library: &'static Library,
    call: F,
}

unsafe extern "C-unwind" fn accept(_: *mut c_void, _: *const AccConnectRequest, _: AccLinkHandle) -> i32 {
    0
}

unsafe extern "C-unwind" fn ignore(_: *mut c_void, _: AccLinkHandle) -> i32 {
    0
}

unsafe extern "C-unwind" fn receive<F: Fn(Received<'_>) -> i32>(
    context: *mut c_void,
    message: *const AccMessage,
    data: *const c_void,
    bytes: u32,
    handle: AccLinkHandle,
) -> i32 {
    // SAFETY: the callback that `keep` has put there, which lives until the server has stopped.
    let callback = unsafe { &*context.cast::<Callback<F>>() };
    // SAFETY: the library lends the message for the call.
    let sequence = unsafe { (*message).seq_no };
    // SAFETY: the library lends so many bytes for the call, and the address is never null.
    let body = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), bytes as usize) };
    (callback.call)((sequence, body, LentLink { library: callback.library, handle }))
}

unsafe extern "C-unwind" fn answer(context: *mut c_void, request: AccHttpRequestHandle) -> i32 {
    // SAFETY: the callback that `keep` has put there, which lives until the server has stopped.
    let callback = unsafe { &*context.cast::<Callback<&'static [u8]>>() };
    let (kind, text) = (c"text/plain", callback.call);
    let (body, bytes) = (text.as_ptr().cast::<c_void>(), u32::try_from(text.len()).unwrap_or(0));
    value!(callback.library, smem_acc_http_request_reply(request, 200, kind.as_ptr(), body, bytes))
}
