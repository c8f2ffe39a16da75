// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One context and one worker of libucp, each call with its types and statuses.

use std::ffi::c_void;
use std::os::fd::RawFd;

use mf_base::os::descriptor;
use mf_base::{Error, Result};

use super::abi::{self, Outcome, RequestParams, Status};
use super::callbacks::{Data, on_arrived, on_endpoint_error, on_sent};
use super::context::{check, make_context};
use super::library::Library;
use super::slab::Id;
use super::text::{copies_by_itself, lanes_of, print, resources_of};
use super::wire::HEAD_BYTES;

/// Number of our active messages.
const MESSAGE_ID: u32 = 1;

// SAFETY: a handle of the worker, which is used by one thread at a time; so for the next three.
unsafe impl Send for Endpoint {}
// SAFETY: see above.
unsafe impl Send for RemoteKey {}
// SAFETY: see above.
unsafe impl Send for Memory {}
// SAFETY: see above.
unsafe impl Send for Closing {}

/// An endpoint of the worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Endpoint(pub(super) *mut c_void);

/// A remote key, unpacked for one endpoint.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemoteKey(*mut c_void);

/// Registered memory.
#[derive(Debug)]
pub(super) struct Memory(*mut c_void);

/// A call that ends or flushes an endpoint, or flushes a worker.
type EndingCall = unsafe extern "C" fn(*mut c_void, *const RequestParams) -> *mut c_void;

/// A close or a flush that has not ended, as far as is known.
#[derive(Debug)]
pub(super) struct Closing(*mut c_void);

pub(super) struct Worker {
    library: &'static Library,
    context: *mut c_void,
    handle: *mut c_void,
    /// Readable when there is something to do, after [`arm`](Self::arm).
    pub(super) event_fd: RawFd,
    /// Its resources: `tcp/eth0`, `rc_mlx5/mlx5_0:1`.
    pub(super) resources: Vec<String>,
}

// SAFETY: the worker is used by one thread at a time (the lock around it sees to that), which is the thread
// mode that it was made with.
unsafe impl Send for Worker {}

impl Worker {
    /// # Errors
    /// `NotExist` libucp was not found · `Failed` refusals of libucp.
    pub(super) fn open(tls: Option<&str>) -> Result<Self> {
        let library = Library::get()?;
        let context = make_context(library, tls)?;
        let mut worker =
            Self { library, context, handle: std::ptr::null_mut(), event_fd: -1, resources: Vec::new() };
        let text = print(|file| {
            // SAFETY: the context was just made, and `file` is open.
            unsafe { (library.ucp_context_print_info)(context, file) };
        });
        worker.resources = resources_of(&text);
        // SAFETY: all fields are integers and pointers, for which zeroes are valid; the mask selects the set
        // ones.
        let mut params: abi::WorkerParams = unsafe { std::mem::zeroed() };
        params.field_mask = abi::WORKER_THREAD_MODE;
        params.thread_mode = abi::THREADS_SERIALIZED;
        let status = descriptor::reserving(|| {
            // SAFETY: a context, a structure with a mask of its set fields, and a place for the result.
            unsafe { (library.ucp_worker_create)(context, &raw const params, &raw mut worker.handle) }
        });
        worker.checked("ucp_worker_create", status)?;
        // SAFETY: the worker was just made.
        let status = unsafe { (library.ucp_worker_get_efd)(worker.handle, &raw mut worker.event_fd) };
        worker.checked("ucp_worker_get_efd", status)?;
        let handler = abi::HandlerParams {
            field_mask: abi::HANDLER_ALL,
            id: MESSAGE_ID,
            flags: abi::HANDLER_WHOLE_AND_KEPT,
            callback: Some(on_arrived),
            argument: std::ptr::null_mut(),
        };
        // SAFETY: the callback is a function, and needs no argument.
        let status = unsafe { (library.ucp_worker_set_am_recv_handler)(worker.handle, &raw const handler) };
        worker.checked("ucp_worker_set_am_recv_handler", status)?;
        Ok(worker)
    }

    fn checked(&self, call: &'static str, status: Status) -> Result<()> {
        check(self.library, call, status)
    }

    /// The version of the library.
    pub(super) fn version(&self) -> &str {
        &self.library.version
    }

    /// A status in words.
    pub(super) fn text(&self, status: Status) -> String {
        self.library.text(status)
    }

    /// Returns true if a network card that copies by itself is among the resources.
    pub(super) fn has_rdma(&self) -> bool {
        self.resources.iter().any(|resource| copies_by_itself(resource))
    }

    pub(super) fn address(&self) -> Result<Vec<u8>> {
        let (mut start, mut bytes) = (std::ptr::null_mut(), 0);
        // SAFETY: a worker, and places for both results.
        let status =
            unsafe { (self.library.ucp_worker_get_address)(self.handle, &raw mut start, &raw mut bytes) };
        self.checked("ucp_worker_get_address", status)?;
        // SAFETY: libucp gave this start and length.
        let address = unsafe { std::slice::from_raw_parts(start.cast_const().cast::<u8>(), bytes) }.to_vec();
        // SAFETY: `start` is from the call above and is not used after this.
        unsafe { (self.library.ucp_worker_release_address)(self.handle, start) };
        Ok(address)
    }

    /// Makes progress on all work. Returns true if there was any.
    pub(super) fn progress(&self) -> bool {
        // SAFETY: the worker lives; callbacks only note.
        unsafe { (self.library.ucp_worker_progress)(self.handle) != 0 }
    }

    /// Arms the descriptor. Returns false if there is work to do at once.
    pub(super) fn arm(&self) -> bool {
        // SAFETY: the worker lives.
        let status = unsafe { (self.library.ucp_worker_arm)(self.handle) };
        status != abi::BUSY
    }

    /// Makes an endpoint; `connection` comes back with `Event::Failed`, if it is to be `guarded`.
    pub(super) fn connect(
        &self,
        address: &[u8],
        connection: usize,
        guarded: bool,
    ) -> Result<Endpoint, Status> {
        // SAFETY: all fields are integers and pointers, for which zeroes are valid; the mask selects the set
        // ones.
        let mut params: abi::EndpointParams = unsafe { std::mem::zeroed() };
        params.field_mask = abi::ENDPOINT_ADDRESS;
        if guarded {
            params.field_mask |= abi::ENDPOINT_ERROR_MODE | abi::ENDPOINT_ERROR_HANDLER;
        }
        params.address = address.as_ptr().cast();
        params.error_mode = abi::ERRORS_OF_PEER;
        params.on_error = Some(on_endpoint_error);
        params.on_error_argument = std::ptr::without_provenance_mut(connection);
        let mut endpoint = std::ptr::null_mut();
        let status = descriptor::reserving(|| {
            // SAFETY: the address is one that a worker of the peer gave, and is only read during the call.
            unsafe { (self.library.ucp_ep_create)(self.handle, &raw const params, &raw mut endpoint) }
        });
        if status == abi::OK { Ok(Endpoint(endpoint)) } else { Err(status) }
    }

    /// The lanes that the endpoint uses, as `(resource, use)`: `("tcp/lo", "am rma_bw#0")`.
    pub(super) fn lanes(&self, endpoint: Endpoint) -> Vec<(String, String)> {
        let text = print(|file| {
            // SAFETY: the endpoint lives, and `file` is open.
            unsafe { (self.library.ucp_ep_print_info)(endpoint.0, file) };
        });
        lanes_of(&text)
    }

    /// Ends a guarded endpoint at once; operations in flight on it end with a status. `None`: it has ended.
    /// Over TCP nothing may be in flight on it; see the essay of [`ucx`](super).
    pub(super) fn close(&self, endpoint: Endpoint) -> Option<Closing> {
        self.ask(self.library.ucp_ep_close_nbx, endpoint.0, abi::CLOSE_FORCE)
    }

    /// Flushes the endpoint. `None`: it is flushed, or broken.
    pub(super) fn drain(&self, endpoint: Endpoint) -> Option<Closing> {
        self.ask(self.library.ucp_ep_flush_nbx, endpoint.0, 0)
    }

    /// Flushes the worker, also endpoints that peers have begun to connect to. `None`: it is flushed.
    pub(super) fn drain_all(&self) -> Option<Closing> {
        self.ask(self.library.ucp_worker_flush_nbx, self.handle, 0)
    }

    fn ask(&self, call: EndingCall, handle: *mut c_void, flags: u32) -> Option<Closing> {
        let mut params = RequestParams::new(std::ptr::null(), 0, flags);
        params.attributes = abi::REQUEST_FLAGS;
        // SAFETY: the worker lives; an endpoint lives until here, and is not used after its close.
        match abi::outcome(unsafe { call(handle, &raw const params) }) {
            Outcome::Pending(request) => Some(Closing(request)),
            Outcome::Done | Outcome::Refused(_) => None,
        }
    }

    /// Returns true if a close or a flush has ended, and frees its request then.
    pub(super) fn is_over(&self, closing: &Closing) -> bool {
        // SAFETY: the request lives until the call below.
        let status = unsafe { (self.library.ucp_request_check_status)(closing.0) };
        if status == abi::IN_PROGRESS {
            return false;
        }
        // SAFETY: it has ended, and the caller drops it when this returns true.
        unsafe { (self.library.ucp_request_free)(closing.0) };
        true
    }

    /// Sends a message.
    ///
    /// # Safety
    /// Head and data stay until the outcome is `Done` or the part was noted as sent.
    pub(super) unsafe fn send(
        &self,
        endpoint: Endpoint,
        head: *const [u8; HEAD_BYTES],
        data: *const u8,
        bytes: usize,
        part: Id,
    ) -> Outcome {
        let params =
            RequestParams::new(on_sent as abi::OnSent as *const c_void, user_data(part), abi::SEND_EAGER);
        // SAFETY: the endpoint lives; the memory is valid for as long as it must, by the caller.
        abi::outcome(unsafe {
            (self.library.ucp_am_send_nbx)(
                endpoint.0,
                MESSAGE_ID,
                head.cast(),
                HEAD_BYTES,
                data.cast(),
                bytes,
                &raw const params,
            )
        })
    }

    /// Writes straight into the memory of the peer.
    ///
    /// # Safety
    /// The data stays until the outcome is `Done` or the part was noted as sent.
    pub(super) unsafe fn put(
        &self,
        endpoint: Endpoint,
        data: *const u8,
        bytes: usize,
        (address, key): (u64, RemoteKey),
        part: Id,
    ) -> Outcome {
        let params = RequestParams::new(on_sent as abi::OnSent as *const c_void, user_data(part), 0);
        // SAFETY: endpoint and key live and belong together; the memory is valid, by the caller.
        abi::outcome(unsafe {
            (self.library.ucp_put_nbx)(endpoint.0, data.cast(), bytes, address, key.0, &raw const params)
        })
    }

    /// Reads straight from the memory of the peer.
    ///
    /// # Safety
    /// As [`put`](Self::put), and the local memory is not used otherwise meanwhile.
    pub(super) unsafe fn get(
        &self,
        endpoint: Endpoint,
        data: *mut u8,
        bytes: usize,
        (address, key): (u64, RemoteKey),
        part: Id,
    ) -> Outcome {
        let params = RequestParams::new(on_sent as abi::OnSent as *const c_void, user_data(part), 0);
        // SAFETY: endpoint and key live and belong together; the memory is valid, by the caller.
        abi::outcome(unsafe {
            (self.library.ucp_get_nbx)(endpoint.0, data.cast(), bytes, address, key.0, &raw const params)
        })
    }

    /// Ends when all that was put through the endpoint is in the memory of the peer.
    pub(super) fn flush(&self, endpoint: Endpoint, part: Id) -> Outcome {
        let params = RequestParams::new(on_sent as abi::OnSent as *const c_void, user_data(part), 0);
        // SAFETY: the endpoint lives.
        abi::outcome(unsafe { (self.library.ucp_ep_flush_nbx)(endpoint.0, &raw const params) })
    }

    /// Releases the data of a message.
    pub(super) fn release(&self, data: &Data) {
        if !data.start.is_null() {
            // SAFETY: kept by `on_arrived`, and given back once, because the only owner of the data does it
            // at its end.
            unsafe { (self.library.ucp_am_data_release)(self.handle, data.start) };
        }
    }

    /// Registers memory. Returns it with the packed key that peers need.
    ///
    /// # Errors
    /// `NoResources`, `Failed`.
    ///
    /// # Safety
    /// It stays mapped until [`unmap`](Self::unmap).
    pub(super) unsafe fn map(&self, address: u64, bytes: u64) -> Result<(Memory, Vec<u8>)> {
        let too_long = |_| Error::invalid("ucx expose", "the region is longer than the address space");
        let params = abi::MapParams {
            field_mask: abi::MAP_ADDRESS | abi::MAP_LENGTH | abi::MAP_FLAGS,
            address: std::ptr::with_exposed_provenance_mut(usize::try_from(address).map_err(too_long)?),
            length: usize::try_from(bytes).map_err(too_long)?,
            flags: abi::MAP_NONBLOCK,
            protection: 0,
            memory_type: 0,
        };
        let mut memory = std::ptr::null_mut();
        // SAFETY: the region is mapped, by the caller.
        let status = unsafe { (self.library.ucp_mem_map)(self.context, &raw const params, &raw mut memory) };
        self.checked("ucp_mem_map", status)
            .map_err(|e| e.with("address", format_args!("{address:#x}")).with("bytes", bytes))?;
        let memory = Memory(memory);
        let (mut start, mut length) = (std::ptr::null_mut(), 0);
        // SAFETY: memory that was just registered, and places for both results.
        let status =
            unsafe { (self.library.ucp_rkey_pack)(self.context, memory.0, &raw mut start, &raw mut length) };
        if let Err(error) = self.checked("ucp_rkey_pack", status) {
            self.unmap(memory);
            return Err(error);
        }
        // SAFETY: libucp gave this start and length.
        let key = unsafe { std::slice::from_raw_parts(start.cast_const().cast::<u8>(), length) }.to_vec();
        // SAFETY: `start` is from the call above and is not used after this.
        unsafe { (self.library.ucp_rkey_buffer_release)(start) };
        Ok((memory, key))
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is gone then")]
    pub(super) fn unmap(&self, memory: Memory) {
        // SAFETY: registered by `map`, and given back once, because this takes it.
        let status = unsafe { (self.library.ucp_mem_unmap)(self.context, memory.0) };
        if status != abi::OK {
            tracing::warn!(reason = self.text(status), "memory stays registered with the network");
        }
    }

    /// Makes a key usable on an endpoint.
    pub(super) fn unpack(&self, endpoint: Endpoint, packed: &[u8]) -> Result<RemoteKey, Status> {
        let mut key = std::ptr::null_mut();
        // SAFETY: the endpoint lives; the bytes are as packed by the peer, and are only read during the call.
        let status =
            unsafe { (self.library.ucp_ep_rkey_unpack)(endpoint.0, packed.as_ptr().cast(), &raw mut key) };
        if status == abi::OK { Ok(RemoteKey(key)) } else { Err(status) }
    }

    pub(super) fn forget_key(&self, key: RemoteKey) {
        // SAFETY: unpacked by `unpack`; its only holder gives it up with this call.
        unsafe { (self.library.ucp_rkey_destroy)(key.0) };
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: made by `open`, and not used after this.
            unsafe { (self.library.ucp_worker_destroy)(self.handle) };
        }
        // SAFETY: made by `open`; its only worker is destroyed.
        unsafe { (self.library.ucp_cleanup)(self.context) };
    }
}

/// Ids travel through libucp as pointers, which have as many bits on the machines that this runs on.
#[expect(clippy::cast_possible_truncation, reason = "see above")]
fn user_data(part: Id) -> usize {
    const { assert!(size_of::<usize>() == size_of::<Id>()) };
    part as usize
}
