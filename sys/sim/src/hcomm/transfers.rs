// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies on channels, and batches of them.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};

use ascend_acl_sys::raw::types::{
    HCOMM_TRANSFER_TYPE_READ, HCOMM_TRANSFER_TYPE_WRITE, HcommBatchTransferDesc,
};
use rustix::io::Errno;

use super::channels::{Channel, check_connected};
use super::memory::{RemotePlace, remote};
use super::{entries, expect, not_null, peer_gone, threads};
use crate::fault::{Fault, Outcome};
use crate::hccl::code;
use crate::memory::native;
use crate::memory::transfer::{self, Initiator};
use crate::stream::doorbell;

crate::exports! {
    /// Copies from the peer.
    fn HcommReadOnThread(thread: u64, channel: u64, dst: *mut c_void, src: *const c_void, len: u64)
        => copy(thread, channel, Direction::Read, address(dst), address(src), len);
    /// Copies to the peer.
    fn HcommWriteOnThread(thread: u64, channel: u64, dst: *mut c_void, src: *const c_void, len: u64)
        => copy(thread, channel, Direction::Write, address(dst), address(src), len);
    /// Copies from the peer; complete at once.
    fn HcommReadNbiOnThread(thread: u64, channel: u64, dst: *mut c_void, src: *const c_void, len: u64)
        => copy(thread, channel, Direction::Read, address(dst), address(src), len);
    /// Copies to the peer; complete at once.
    fn HcommWriteNbiOnThread(thread: u64, channel: u64, dst: *mut c_void, src: *const c_void, len: u64)
        => copy(thread, channel, Direction::Write, address(dst), address(src), len);
    /// Copies from the peer on the calling thread.
    fn HcommReadNbi(channel: u64, dst: *mut c_void, src: *const c_void, len: u64)
        => copy(0, channel, Direction::Read, address(dst), address(src), len);
    /// Copies to the peer on the calling thread.
    fn HcommWriteNbi(channel: u64, dst: *mut c_void, src: *const c_void, len: u64)
        => copy(0, channel, Direction::Write, address(dst), address(src), len);
    /// Completes the copies of a channel, all of which are complete.
    fn HcommChannelFenceOnThread(thread: u64, channel: u64) => fence(thread, channel);
    /// As [`HcommChannelFenceOnThread`], of the calling thread.
    fn HcommChannelFence(channel: u64) => fence(0, channel);
    /// Begins a batch of the calling thread.
    fn HcommBatchModeStart(batchTag: *const c_char) = begin_batch;
    /// Ends it; the tag must be the same.
    fn HcommBatchModeEnd(batchTag: *const c_char) = end_batch;
    /// Makes several transfers, in order.
    fn HcommBatchTransferOnThread(thread: u64, channel: u64, descs: *const HcommBatchTransferDesc, num: u32)
        = batch;
}

/// Bytes that go through memory of the simulator at once.
const PIECE: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// From the peer.
    Read,
    /// To the peer.
    Write,
}

fn address<T>(pointer: *const T) -> u64 {
    pointer.addr() as u64
}

fn copy(thread: u64, channel: u64, direction: Direction, dst: u64, src: u64, bytes: u64) -> Outcome {
    threads::check(thread)?;
    let channel = Channel::from_handle(channel)?;
    check_connected(&channel)?;
    transfer(&channel, direction, dst, src, bytes)
}

fn transfer(channel: &Channel, direction: Direction, dst: u64, src: u64, bytes: u64) -> Outcome {
    expect(bytes > 0, || "len is 0".to_owned())?;
    let (own, far) = if direction == Direction::Read { (dst, src) } else { (src, dst) };
    expect(own != 0 && own.checked_add(bytes).is_some(), || {
        format!("{bytes} bytes at {own:#x} are no range")
    })?;
    let place = remote(channel.endpoint, &channel.peer, far, bytes)?;
    let mut buffer = vec![0_u8; native(bytes).min(PIECE)];
    let mut done = 0;
    while done < bytes {
        let piece = &mut buffer[..native(bytes - done).min(PIECE)];
        move_piece(direction, own + done, place, done, piece)?;
        done += piece.len() as u64;
    }
    Ok(())
}

/// Moves a piece through memory of the simulator. The table of regions checks addresses of this process, the
/// kernel addresses of the peer.
fn move_piece(direction: Direction, own: u64, place: RemotePlace, done: u64, piece: &mut [u8]) -> Outcome {
    let bytes = piece.len() as u64;
    let by = Initiator::Host;
    match direction {
        Direction::Write => {
            // SAFETY: the buffer has so many bytes.
            unsafe { transfer::read(by, own, piece.as_mut_ptr(), bytes) }.map_err(code::of_acl)?;
            cross(direction, place, done, piece)
        }
        Direction::Read => {
            cross(direction, place, done, piece)?;
            // SAFETY: the buffer has so many bytes.
            unsafe { transfer::write(by, own, piece.as_ptr(), bytes) }.map_err(code::of_acl)?;
            doorbell::ring(own).map_err(code::of_acl)
        }
    }
}

/// Copies between the buffer and the other process.
fn cross(direction: Direction, place: RemotePlace, done: u64, piece: &mut [u8]) -> Outcome {
    let mut moved = 0;
    while moved < piece.len() {
        let left = &mut piece[moved..];
        let local = libc::iovec { iov_base: left.as_mut_ptr().cast(), iov_len: left.len() };
        let at = std::ptr::without_provenance_mut::<c_void>(native(place.view + done) + moved);
        let far = libc::iovec { iov_base: at, iov_len: left.len() };
        let count = match direction {
            // SAFETY: the local side is the buffer; the kernel checks the other one.
            Direction::Read => unsafe {
                libc::process_vm_readv(place.process, &raw const local, 1, &raw const far, 1, 0)
            },
            // SAFETY: as above.
            Direction::Write => unsafe {
                libc::process_vm_writev(place.process, &raw const local, 1, &raw const far, 1, 0)
            },
        };
        match usize::try_from(count) {
            Ok(count) if count > 0 => moved += count,
            _ => match Errno::from_io_error(&std::io::Error::last_os_error()) {
                Some(Errno::INTR) => {}
                errno => return Err(refused(place, errno)),
            },
        }
    }
    Ok(())
}

fn refused(place: RemotePlace, errno: Option<Errno>) -> Fault {
    let process = place.process;
    match errno {
        Some(Errno::SRCH) => peer_gone(format_args!("process {process} of the peer has ended")),
        Some(Errno::FAULT) => Fault::new(
            code::MEMORY,
            format_args!("process {process} has freed the memory that it registered"),
        ),
        Some(errno) => Fault::new(
            code::SYSCALL,
            format_args!(
                "the kernel refuses access to process {process} ({errno}), as containers may be set up"
            ),
        ),
        None => Fault::new(code::SYSCALL, format_args!("no bytes moved to or from process {process}")),
    }
}

fn fence(thread: u64, channel: u64) -> Outcome {
    threads::check(thread)?;
    Channel::from_handle(channel).map(drop)
}

thread_local! {
    /// Tag of the batch that this thread has begun.
    static BATCH: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// The tag of a batch.
///
/// # Safety
/// Null or a C string.
unsafe fn tag_of(tag: *const c_char) -> Outcome<CString> {
    not_null(tag, "batchTag")?;
    // SAFETY: not null; the program passes a C string.
    Ok(unsafe { CStr::from_ptr(tag) }.to_owned())
}

/// Assumed: batches do not nest.
unsafe fn begin_batch(tag: *const c_char) -> Outcome {
    // SAFETY: as the program promises.
    let tag = unsafe { tag_of(tag) }?;
    BATCH.with_borrow_mut(|batch| {
        expect(batch.is_none(), || format!("batch {batch:?} of this thread has not ended"))?;
        *batch = Some(tag);
        Ok(())
    })
}

unsafe fn end_batch(tag: *const c_char) -> Outcome {
    // SAFETY: as the program promises.
    let tag = unsafe { tag_of(tag) }?;
    BATCH.with_borrow_mut(|batch| {
        expect(batch.as_ref() == Some(&tag), || format!("batch {tag:?} was not begun; begun is {batch:?}"))?;
        *batch = None;
        Ok(())
    })
}

unsafe fn batch(thread: u64, channel: u64, descs: *const HcommBatchTransferDesc, count: u32) -> Outcome {
    threads::check(thread)?;
    let channel = Channel::from_handle(channel)?;
    check_connected(&channel)?;
    // SAFETY: null is refused; the program passes `num` entries of plain numbers and addresses.
    let transfers = unsafe { entries(descs, count, "descs") }?;
    for found in transfers {
        let direction = match found.transType {
            HCOMM_TRANSFER_TYPE_WRITE => Direction::Write,
            HCOMM_TRANSFER_TYPE_READ => Direction::Read,
            other => {
                let text = "the simulator makes writes (0) and reads (4) only";
                return Err(Fault::new(
                    code::NOT_SUPPORT,
                    format_args!("a transfer of kind {other}: {text}"),
                ));
            }
        };
        transfer(&channel, direction, address(found.dst), address(found.src), found.len)?;
    }
    Ok(())
}
