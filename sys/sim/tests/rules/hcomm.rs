// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HCOMM: endpoints, registered memory, channels, threads, copies and batches between two processes.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use ascend_acl_sys::raw::types::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::notify::*;
use ascend_sim::acl::streams::*;
use ascend_sim::hcomm::channels::*;
use ascend_sim::hcomm::endpoints::*;
use ascend_sim::hcomm::memory::*;
use ascend_sim::hcomm::threads::*;
use ascend_sim::hcomm::transfers::*;
use ascend_sim::rt::rtGetDevResAddress;

use crate::calls::{a_stream, eventually, last_error};
use crate::isolated::{self, Board};
use crate::program::{Words, set_device};
use crate::sharing::{die, introduce, pid_of, wait_until_dead};

/// Numbers of HCCL.
const PARA: i32 = 1;
const PTR: i32 = 2;
const MEMORY: i32 = 3;
const NOT_SUPPORT: i32 = 5;
const UNAVAILABLE: i32 = 7;
const REMOTE: i32 = 21;

const A5: [(&str, &str); 2] = [("SOC", "Ascend950PR_9599"), ("DEVICES", "2")];

fn desc(rank: usize) -> EndpointDesc {
    let mut desc = EndpointDesc { protocol: COMM_PROTOCOL_UBC_CTP, ..Default::default() };
    desc.commAddr.type_ = COMM_ADDR_TYPE_EID;
    desc.commAddr.value[15] = u8::try_from(rank).unwrap() + 1;
    desc.loc.value[0] = u32::try_from(rank).unwrap();
    desc
}

fn endpoint(rank: usize) -> *mut c_void {
    let mut handle = null_mut();
    ok!(HcommEndpointCreate(&desc(rank), &raw mut handle));
    handle
}

fn register(endpoint: *mut c_void, kind: CommMemType, address: *mut c_void, size: u64) -> *mut c_void {
    let mem = CommMem { type_: kind, addr: address, size };
    let mut handle = null_mut();
    ok!(HcommMemReg(endpoint, c"tag".as_ptr(), &raw const mem, &raw mut handle));
    handle
}

fn export(endpoint: *mut c_void, handle: *mut c_void) -> Vec<u8> {
    let (mut at, mut len) = (null_mut(), 0);
    ok!(HcommMemExport(endpoint, handle, &raw mut at, &raw mut len));
    // SAFETY: the description lives as long as the registration.
    unsafe { std::slice::from_raw_parts(at.cast::<u8>(), len as usize) }.to_vec()
}

fn import(endpoint: *mut c_void, bytes: &[u8]) -> CommMem {
    let mut mem = CommMem { type_: COMM_MEM_TYPE_INVALID, addr: null_mut(), size: 0 };
    ok!(HcommMemImport(endpoint, bytes.as_ptr().cast(), len(bytes), &raw mut mem));
    mem
}

fn len(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap()
}

/// A description of the first version, or of the newest with a name.
fn channel_desc(peer: usize, name: Option<&std::ffi::CStr>) -> HcommChannelDesc {
    let size = if name.is_some() { 360 } else { 344 };
    let version = if name.is_some() { 4 } else { 1 };
    let header = HcommAbiHeader { version, magicWord: HCOMM_CHANNEL_MAGIC_WORD, size, reserved: 0 };
    HcommChannelDesc {
        header,
        remoteEndpoint: desc(peer),
        channelName: name.map_or(null(), |name| name.as_ptr()),
        ..Default::default()
    }
}

fn channel(endpoint: *mut c_void, peer: usize, name: Option<&std::ffi::CStr>) -> u64 {
    let (mut wanted, mut channel) = (channel_desc(peer, name), 0);
    ok!(HcommChannelCreate(endpoint, COMM_ENGINE_AICPU_TS, &raw mut wanted, 1, &raw mut channel));
    channel
}

fn is_connected(channel: u64) -> bool {
    let mut status = -1;
    ok!(HcommChannelGetStatus(&raw const channel, 1, &raw mut status));
    status == 0
}

fn thread() -> u64 {
    let (mut thread, notifies) = (0, 2);
    ok!(HcommThreadAlloc(COMM_ENGINE_AICPU_TS, 1, &raw const notifies, &raw mut thread));
    thread
}

/// Exchanges descriptions and returns the peer's memory.
fn exchange(board: &Board, rank: usize, endpoint: *mut c_void, name: &str, own: &[u8]) -> (Vec<u8>, CommMem) {
    board.post(&format!("{name}{rank}"), own);
    let theirs = board.take(&format!("{name}{}", 1 - rank));
    let mem = import(endpoint, &theirs);
    (theirs, mem)
}

fn two_ranks_copy(knobs: &[(&str, &str)]) {
    let knobs = [&A5[..], knobs].concat();
    isolated::crew(2, &knobs, |rank, board| {
        const WORDS: usize = 300_000;
        set_device(i32::try_from(rank).unwrap());
        let own = endpoint(rank);
        let number = |index: usize| (rank * WORDS + index) as u64;
        let device = Words::new(&(0..WORDS).map(number).collect::<Vec<_>>());
        let host = vec![0_u64; WORDS].leak().as_mut_ptr();
        let bytes = 8 * WORDS as u64;
        let address = device.address() as *mut c_void;
        let handles = [
            register(own, COMM_MEM_TYPE_DEVICE, address, bytes),
            register(own, COMM_MEM_TYPE_HOST, host.cast(), bytes),
        ];
        let (first, theirs) = exchange(board, rank, own, "device", &export(own, handles[0]));
        let (second, their_host) = exchange(board, rank, own, "host", &export(own, handles[1]));
        assert_eq!((theirs.size, their_host.size), (bytes, bytes));
        assert_eq!((theirs.type_, their_host.type_), (COMM_MEM_TYPE_DEVICE, COMM_MEM_TYPE_HOST));
        let line = channel(own, 1 - rank, Some(c"line"));
        eventually("the channel connects", || is_connected(line));
        let thread = thread();
        board.meet("connected", rank, 2);
        // From the peer's device into our own, and to the peer's host memory.
        let landing = Words::bytes(8 * WORDS);
        ok!(HcommReadOnThread(thread, line, landing.address() as *mut c_void, theirs.addr, bytes));
        let expected: Vec<u64> = (0..WORDS).map(|index| ((1 - rank) * WORDS + index) as u64).collect();
        assert_eq!(landing.get(), expected);
        ok!(HcommBatchModeStart(c"batch".as_ptr()));
        let half = 4 * WORDS as u64;
        let part = |at: u64| HcommBatchTransferDesc {
            transType: HCOMM_TRANSFER_TYPE_WRITE,
            len: half,
            dst: their_host.addr.wrapping_byte_add(usize::try_from(at).unwrap()),
            src: address.wrapping_byte_add(usize::try_from(at).unwrap()),
            ..Default::default()
        };
        let parts = [part(0), part(half)];
        ok!(HcommBatchTransferOnThread(thread, line, parts.as_ptr(), 2));
        ok!(HcommChannelFenceOnThread(thread, line));
        ok!(HcommBatchModeEnd(c"batch".as_ptr()));
        board.meet("written", rank, 2);
        // SAFETY: the peer has written them, and does not touch them any more.
        let arrived = (0..WORDS).map(|index| unsafe { host.wrapping_add(index).read_volatile() });
        assert!(arrived.eq(expected), "the peer's words arrived");
        // Imported memory ends with its last byte, and an import with its end.
        let last = theirs.addr.wrapping_byte_add(8 * WORDS - 1);
        ok!(HcommReadNbi(line, landing.address() as *mut c_void, last, 1));
        assert_eq!(code!(HcommReadNbi(line, landing.address() as *mut c_void, last, 2)), MEMORY);
        ok!(HcommMemUnimport(own, first.as_ptr().cast(), len(&first)));
        assert_eq!(code!(HcommReadNbi(line, landing.address() as *mut c_void, last, 1)), MEMORY);
        assert_eq!(code!(HcommMemUnimport(own, first.as_ptr().cast(), len(&first))), PARA);
        assert_eq!(code!(HcommEndpointDestroy(own)), PARA, "it is in use");
        board.meet("done", rank, 2);
        ok!(HcommMemUnimport(own, second.as_ptr().cast(), len(&second)));
        ok!(HcommChannelDestroy(&raw const line, 1));
        ok!(HcommThreadFree(&raw const thread, 1));
        handles.into_iter().for_each(|handle| ok!(HcommMemUnreg(own, handle)));
        ok!(HcommEndpointDestroy(own));
        assert_eq!(code!(HcommEndpointDestroy(own)), PARA);
    });
}

#[test]
fn two_ranks_copy_on_a_channel() {
    two_ranks_copy(&[]);
}

#[test]
fn two_ranks_copy_with_aliased_addresses() {
    two_ranks_copy(&[("ADDR", "alias")]);
}

#[test]
fn channels_wait_for_their_other_end_and_are_told_apart_by_name() {
    isolated::run(&A5, || {
        set_device(0);
        let (one, other) = (endpoint(0), endpoint(1));
        let lines = [channel(one, 1, None), channel(one, 1, Some(c"a")), channel(one, 1, None)];
        assert!(lines.iter().all(|line| !is_connected(*line)));
        assert_eq!(code!(HcommWriteNbi(lines[0], 8 as *mut c_void, 8 as *const c_void, 8)), UNAVAILABLE);
        let back = channel(other, 0, Some(c"a"));
        assert_eq!(lines.map(is_connected), [false, true, false]);
        assert!(is_connected(back));
        let (_first, _second) = (channel(other, 0, None), channel(other, 0, None));
        assert_eq!(lines.map(is_connected), [true; 3]);
    });
}

#[test]
fn copies_fail_when_the_peer_has_died() {
    isolated::crew(2, &A5, |rank, board| {
        introduce(board, rank);
        set_device(i32::try_from(rank).unwrap());
        let own = endpoint(rank);
        let words = Words::new(&[7; 512]);
        let handle = register(own, COMM_MEM_TYPE_DEVICE, words.address() as *mut c_void, 4096);
        let (_, theirs) = exchange(board, rank, own, "memory", &export(own, handle));
        let line = channel(own, 1 - rank, None);
        eventually("the channel connects", || is_connected(line));
        board.meet("connected", rank, 2);
        if rank == 1 {
            die();
        }
        wait_until_dead(pid_of(board, 1));
        let read = || code!(HcommReadNbi(line, words.address() as *mut c_void, theirs.addr, 8));
        assert_eq!(read(), REMOTE, "{}", last_error());
    });
}

#[test]
fn reading_into_the_address_of_a_notify_records_it() {
    isolated::run(&A5, || {
        set_device(0);
        let (one, other) = (endpoint(0), endpoint(1));
        let flag = Words::new(&[1]);
        let handle = register(other, COMM_MEM_TYPE_DEVICE, flag.address() as *mut c_void, 8);
        let mem = import(one, &export(other, handle));
        let (line, _back) = (channel(one, 1, None), channel(other, 0, None));
        let notify = made!(aclrtCreateNotify(1));
        let mut id = 0;
        ok!(aclrtGetNotifyId(notify, &raw mut id));
        let (mut address, mut bytes) = (0_u64, 0_u32);
        let mut place = [(&raw mut address).addr(), (&raw mut bytes).addr()];
        let mut wanted = [0, 1, 0, id, 0];
        let mut ask = |wanted: &mut [u32; 5]| {
            code!(rtGetDevResAddress(wanted.as_mut_ptr().cast(), place.as_mut_ptr().cast()))
        };
        assert_eq!(ask(&mut [0, 1, 0, id + 1, 0]), 107_000, "no such notify");
        assert_eq!(ask(&mut [0, 1, 2, id, 0]), 207_000, "no such resource");
        assert_eq!(ask(&mut wanted), 0, "{}", last_error());
        assert_eq!(bytes, 8);
        let stream = a_stream();
        ok!(aclrtWaitAndResetNotify(notify, stream, 0));
        ok!(HcommReadNbi(line, address as *mut c_void, mem.addr, 8));
        ok!(aclrtSynchronizeStream(stream));
        ok!(aclrtDestroyNotify(notify));
        assert_eq!(code!(HcommReadNbi(line, address as *mut c_void, mem.addr, 8)), PARA);
    });
    isolated::run(&[], || {
        set_device(0);
        let mut words = [0_u64; 4];
        let at: *mut c_void = words.as_mut_ptr().cast();
        assert_eq!(code!(rtGetDevResAddress(at, at)), 207_000, "Ascend910_93 writes no notifies");
    });
}

#[test]
fn wrong_arguments_are_refused() {
    isolated::run(&A5, || {
        set_device(0);
        let mut handle = null_mut();
        assert_eq!(code!(HcommEndpointCreate(null(), &raw mut handle)), PTR);
        assert_eq!(code!(HcommEndpointCreate(&desc(0), null_mut())), PTR);
        let roce = EndpointDesc { protocol: COMM_PROTOCOL_ROCE, ..desc(0) };
        assert_eq!(code!(HcommEndpointCreate(&raw const roce, &raw mut handle)), PARA);
        let own = endpoint(0);
        let (mut one, mut other) = (0, 0);
        ok!(HcommEndpointGetListenPort(own, &raw mut one));
        ok!(HcommEndpointGetListenPort(endpoint(1), &raw mut other));
        assert!(one != other && one > 0, "{one} {other}");
        let mut mem = CommMem { type_: COMM_MEM_TYPE_DEVICE, addr: 64 as *mut c_void, size: 64 };
        assert_eq!(code!(HcommMemReg(own, null(), &raw const mem, &raw mut handle)), MEMORY);
        mem.type_ = 2;
        assert_eq!(code!(HcommMemReg(own, null(), &raw const mem, &raw mut handle)), PARA);
        mem = CommMem { type_: COMM_MEM_TYPE_HOST, addr: 64 as *mut c_void, size: 0 };
        assert_eq!(code!(HcommMemReg(own, null(), &raw const mem, &raw mut handle)), PARA);
        assert_eq!(code!(HcommMemUnreg(own, 64 as *mut c_void)), PARA);
        assert_eq!(code!(HcommMemImport(own, [0_u8; 72].as_ptr().cast(), 72, &raw mut mem)), PARA);
        assert_eq!(code!(HcommMemImport(own, [0_u8; 72].as_ptr().cast(), 71, &raw mut mem)), PARA);
        let (mut wanted, mut line) = (channel_desc(1, None), 0);
        let mut create = |wanted: &mut HcommChannelDesc, engine| {
            code!(HcommChannelCreate(own, engine, std::ptr::from_mut(wanted), 1, &raw mut line))
        };
        assert_eq!(create(&mut wanted, 6), PARA);
        wanted.header.size = 343;
        assert_eq!(create(&mut wanted, COMM_ENGINE_CPU), PARA);
        wanted.header.magicWord = 1;
        assert_eq!(create(&mut wanted, COMM_ENGINE_CPU), PARA);
        assert_eq!(code!(HcommChannelDestroy(&77, 1)), PARA);
        assert_eq!(code!(HcommThreadFree(null(), 1)), PTR);
        assert_eq!(code!(HcommChannelFence(77)), PARA);
        assert_eq!(code!(HcommBatchModeEnd(c"none".as_ptr())), PARA);
        ok!(HcommBatchModeStart(c"one".as_ptr()));
        assert_eq!(code!(HcommBatchModeStart(c"two".as_ptr())), PARA);
        let mut memory = null_mut();
        ok!(HcommMemAlloc(&raw mut memory, 1 << 20));
        ok!(HcommMemFree(memory));
        assert_eq!(code!(HcommMemFree(memory)), PARA);
        assert_eq!(code!(aclrtFree(memory)), 107_000);
    });
    isolated::run(&[("SOC", "Ascend910_9382")], || {
        let mut handle = null_mut();
        assert_eq!(code!(HcommEndpointCreate(&desc(0), &raw mut handle)), NOT_SUPPORT);
    });
}
