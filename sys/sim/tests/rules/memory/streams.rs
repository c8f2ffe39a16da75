// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies on streams: S11, S15, and combining.

use std::ptr::null_mut;

use ascend_sim::acl::callback::*;
use ascend_sim::acl::contexts::*;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;
use ascend_sim::context::stream_of;
use ascend_sim::control::*;

use super::*;
use crate::calls::{Gate, SharedHandle, a_stream};
use crate::isolated;

#[test]
fn s11_task_on_freed_memory_faults() {
    both(&[], || {
        let stream = a_stream();
        for bytes in [64, 3 * MIB] {
            let (one, other) = (device_memory(bytes), device_memory(bytes));
            let fill = |stream| {
                let gate = Gate::default();
                gate.hold(stream);
                ok!(aclrtMemsetAsync(one, bytes, 1, bytes, stream));
                ok!(aclrtMemcpyAsync(other, bytes, one, bytes, D2D, stream));
                gate
            };
            let gate = fill(stream);
            // It does not wait for the stream.
            ok!(aclrtFree(one));
            gate.open();
            assert_eq!(code!(aclrtSynchronizeStream(stream)), 507053);
            assert!(last_error_names("memset"));
            assert!(read(other, bytes).iter().all(|byte| *byte == 0xCD));
            ok!(aclrtMemsetAsync(other, bytes, 1, bytes, stream));
            ok!(aclrtSynchronizeStream(stream));
            ok!(aclrtFree(other));
        }
    });
}

#[test]
fn s11_synchronizing_free_waits_for_the_device() {
    isolated::run(&[], || {
        let stream = a_stream();
        for host in [false, true] {
            let block = if host { host_memory(64) } else { device_memory(64) };
            let device = device_memory(64);
            let gate = Gate::default();
            gate.hold(stream);
            ok!(aclrtMemcpyAsync(device, 64, block, 64, AUTO, stream));
            gate.wait_reached();
            let freed = SharedHandle::new(block);
            let free = std::thread::spawn(move || {
                ok!(aclrtSetDevice(0));
                if host {
                    ok!(aclrtFreeHostWithDevSync(freed.get()));
                } else {
                    ok!(aclrtFreeWithDevSync(freed.get()));
                }
            });
            assert!(!free.is_finished());
            gate.open();
            free.join().unwrap();
            ok!(aclrtSynchronizeStream(stream));
            assert_eq!(code!(aclrtFree(block)), 107000);
        }
    });
}

#[test]
fn s15_pinned_memory_is_read_when_the_task_runs() {
    both(&[], || {
        let stream = a_stream();
        let (host, device) = (host_memory(64), device_memory(64));
        // SAFETY: pinned memory of 64 bytes.
        unsafe { host.cast::<u8>().write_bytes(1, 64) };
        let gate = Gate::default();
        gate.hold(stream);
        ok!(aclrtMemcpyAsync(device, 64, host, 64, H2D, stream));
        gate.wait_reached();
        // SAFETY: as above; the copy has not begun.
        unsafe { host.cast::<u8>().write_bytes(2, 64) };
        assert_eq!(read(device, 64), [0xCD; 64], "not yet");
        gate.open();
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(read(device, 64), [2; 64]);
    });
}

#[test]
fn s15_pinned_memory_is_written_when_the_task_runs() {
    both(&[], || {
        let stream = a_stream();
        let (host, device) = (host_memory(64), device_memory(64));
        write(device, &[1; 64]);
        let gate = Gate::default();
        gate.hold(stream);
        ok!(aclrtMemcpyAsync(host, 64, device, 64, D2H, stream));
        write(device, &[2; 64]);
        // SAFETY: pinned memory of 64 bytes; the copy has not begun.
        assert_eq!(unsafe { host.cast::<u8>().read_volatile() }, 0xCD);
        gate.open();
        ok!(aclrtSynchronizeStream(stream));
        // SAFETY: as above; the copy is over.
        assert_eq!(unsafe { host.cast::<u8>().read_volatile() }, 2);
    });
}

#[test]
fn s15_pageable_source_is_read_before_the_call_returns() {
    both(&[], || {
        let stream = a_stream();
        for (copy, bytes) in [(false, 64), (true, 64), (false, 3 * MIB)] {
            let device = device_memory(bytes);
            let mut sent = data(bytes, 1);
            let gate = Gate::default();
            gate.hold(stream);
            let from = sent.as_ptr().cast();
            if copy {
                ok!(aclrtMemcpyAsyncWithCondition(device, bytes, from, bytes, H2D, stream));
            } else {
                ok!(aclrtMemcpyAsync(device, bytes, from, bytes, H2D, stream));
            }
            sent.fill(0);
            assert_eq!(read(device, 8), [0xCD; 8], "not yet");
            gate.open();
            ok!(aclrtSynchronizeStream(stream));
            assert!(read(device, bytes) == data(bytes, 1));
        }
    });
}

#[test]
fn s15_pageable_destination_is_written_before_the_call_returns() {
    both(&[], || {
        let stream = a_stream();
        let device = device_memory(3 * MIB);
        write(device, &data(3 * MIB, 2));
        let gate = Gate::default();
        gate.hold(stream);
        gate.wait_reached();
        let (source, queue) = (SharedHandle::new(device), SharedHandle::new(stream));
        let context = SharedHandle::new(made!(aclrtGetCurrentContext()));
        let copy = std::thread::spawn(move || {
            ok!(aclrtSetCurrentContext(context.get()));
            let mut out = vec![0_u8; 3 * MIB];
            ok!(aclrtMemcpyAsync(
                out.as_mut_ptr().cast(),
                out.len(),
                source.get(),
                out.len(),
                D2H,
                queue.get()
            ));
            out
        });
        assert!(!copy.is_finished());
        gate.open();
        assert!(copy.join().unwrap() == data(3 * MIB, 2));
    });
}

#[test]
fn s15_abort_ends_a_blocked_copy() {
    isolated::run(&[], || {
        let stream = a_stream();
        let device = device_memory(64);
        ok!(ascsim_pause_device(0));
        let (source, queue) = (SharedHandle::new(device), SharedHandle::new(stream));
        let context = SharedHandle::new(made!(aclrtGetCurrentContext()));
        let copy = std::thread::spawn(move || {
            ok!(aclrtSetCurrentContext(context.get()));
            let mut out = [0_u8; 64];
            let to = out.as_mut_ptr().cast();
            code!(aclrtMemcpyAsync(to, 64, source.get(), 64, D2H, queue.get()))
        });
        crate::calls::eventually("the copy is queued", || !stream_of(stream).unwrap().is_done());
        ok!(aclrtStreamAbort(stream));
        assert_eq!(copy.join().unwrap(), 107023);
        ok!(ascsim_resume_device(0));
    });
}

#[test]
fn s54_callbacks_must_not_use_memory_functions() {
    /// Two blocks, then what calls with them return.
    struct Calls {
        device: Handle,
        host: Handle,
        codes: Vec<i32>,
    }
    unsafe extern "C" fn call_back_in(calls: Handle) {
        // SAFETY: the test's own, which waits for this function.
        let calls = unsafe { &mut *calls.cast::<Calls>() };
        calls.codes = vec![
            code!(aclrtFree(calls.device)),
            code!(aclrtFreeHost(calls.host)),
            code!(aclrtMallocHost(crate::calls::nowhere(), 64)),
            code!(aclrtMalloc(crate::calls::nowhere(), 64, 0)),
            code!(aclrtMemcpy(calls.device, 64, calls.host, 64, H2D)),
            code!(aclrtMemset(calls.device, 64, 1, 64)),
        ];
    }
    isolated::run(&[], || {
        let stream = a_stream();
        let mut calls = Calls { device: device_memory(64), host: host_memory(64), codes: Vec::new() };
        ok!(aclrtLaunchHostFunc(stream, Some(call_back_in), (&raw mut calls).cast()));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(calls.codes, [207000; 6]);
    });
}

#[test]
fn s15_streams_do_not_copy_from_host_to_host() {
    both(&[], || {
        let stream = a_stream();
        let (one, other) = (host_memory(64), host_memory(64));
        let mut own = [0_u8; 64];
        for (dst, src) in [(one, other), (one, own.as_mut_ptr().cast()), (own.as_mut_ptr().cast(), one)] {
            for kind in [H2H, AUTO] {
                assert_eq!(code!(aclrtMemcpyAsync(dst, 64, src, 64, kind, stream)), 207000);
                assert_eq!(code!(aclrtMemcpyAsyncWithCondition(dst, 64, src, 64, kind, stream)), 207000);
            }
        }
    });
}

#[test]
fn s15_synchronous_copy_does_not_wait_for_streams() {
    isolated::run(&[], || {
        let stream = a_stream();
        let device = device_memory(64);
        let gate = Gate::default();
        gate.hold(stream);
        ok!(aclrtMemsetAsync(device, 64, 1, 64, stream));
        ok!(aclrtMemset(device, 64, 2, 64));
        assert_eq!(read(device, 64), [2; 64]);
        gate.open();
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(read(device, 64), [1; 64]);
    });
}

#[test]
fn s15_unmapped_end_is_rejected_by_the_call() {
    both(&[], || {
        let stream = a_stream();
        let (block, gone, host) = (device_memory(64), device_memory(64), host_memory(64));
        ok!(aclrtFree(gone));
        assert_eq!(code!(aclrtMemcpyAsync(gone, 64, host, 64, AUTO, stream)), 107000);
        assert_eq!(code!(aclrtMemcpyAsync(block, 64, gone, 64, AUTO, stream)), 107000);
        assert_eq!(code!(aclrtMemcpyAsync(block, 128, host, 65, H2D, stream)), 107000);
        assert_eq!(code!(aclrtMemsetAsync(gone, 64, 0, 64, stream)), 107000);
        assert_eq!(code!(aclrtMemsetAsync(at(block, 1), 64, 0, 64, stream)), 107000);
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn reductions_combine_bytes_on_the_stream() {
    both(&[], || {
        let stream = a_stream();
        let combine = |kind: u32, number: i32, left: &[u8], right: &[u8]| {
            let (dst, src) = (device_memory(left.len()), device_memory(right.len()));
            write(dst, left);
            write(src, right);
            ok!(aclrtReduceAsync(dst, src, left.len() as u64, kind, number, stream, null_mut()));
            ok!(aclrtSynchronizeStream(stream));
            assert_eq!(read(src, right.len()), right);
            read(dst, left.len())
        };
        let (sum, max, min) = (10, 11, 12);
        let floats = |numbers: [f32; 2]| numbers.map(f32::to_ne_bytes).concat();
        assert_eq!(combine(sum, 0, &floats([1.5, -2.0]), &floats([2.0, 0.5])), floats([3.5, -1.5]));
        assert_eq!(combine(max, 0, &floats([1.5, -2.0]), &floats([2.0, -3.5])), floats([2.0, -2.0]));
        let words = |numbers: [i32; 2]| numbers.map(i32::to_ne_bytes).concat();
        assert_eq!(combine(sum, 3, &words([i32::MAX, 4]), &words([1, -9])), words([i32::MIN, -5]));
        assert_eq!(combine(min, 3, &words([-7, 4]), &words([1, -9])), words([-7, -9]));
        assert_eq!(combine(sum, 2, &[250, 3], &[5, 4]), [255, 7]);
        assert_eq!(combine(max, 2, &[250, 3], &[5, 4]), [5, 4], "signed");
        let halves = |numbers: [u16; 2]| numbers.map(u16::to_ne_bytes).concat();
        assert_eq!(combine(min, 6, &halves([0xffff, 3]), &halves([2, 1])), halves([0xffff, 1]));
        // 1 + 0.5 and 2 + 65504, as halves; 1 + 0.5 and −2 + 1 in the other format.
        assert_eq!(
            combine(sum, 1, &halves([0x3c00, 0x4000]), &halves([0x3800, 0x7bff])),
            halves([0x3e00, 0x7bff])
        );
        assert_eq!(
            combine(sum, 27, &halves([0x3f80, 0xc000]), &halves([0x3f00, 0x3f80])),
            halves([0x3fc0, 0xbf80])
        );
        // In pieces.
        let ones = vec![1_u8; 700_001];
        assert_eq!(combine(sum, 2, &ones, &ones), vec![2; 700_001]);
    });
}

#[test]
fn reductions_reject_unsupported_formats() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (dst, src, host) = (device_memory(64), device_memory(64), host_memory(64));
        let reduce = |dst: Handle, src: Handle, bytes: u64, kind: u32, number: i32| {
            code!(aclrtReduceAsync(dst, src, bytes, kind, number, stream, null_mut()))
        };
        assert_eq!(reduce(null_mut(), src, 8, 10, 0), 100000);
        assert_eq!(reduce(dst, null_mut(), 8, 10, 0), 100000);
        assert_eq!(reduce(dst, src, 8, 9, 0), 100000);
        assert_eq!(reduce(dst, src, 8, 10, 99), 100000);
        assert_eq!(reduce(dst, src, 8, 13, 0), 207000);
        assert_eq!(reduce(dst, src, 8, 10, 11), 207000);
        assert_eq!(reduce(dst, src, 7, 10, 0), 107000);
        assert_eq!(reduce(dst, src, 72, 10, 0), 107000);
        assert_eq!(reduce(dst, host, 8, 10, 0), 107000);
        assert_eq!(reduce(host, src, 8, 10, 0), 107000);
        assert_eq!(code!(aclrtReduceAsync(dst, src, 8, 10, 0, stream, dst)), 100000);
        ok!(aclrtReduceAsync(dst, src, 0, 10, 0, stream, null_mut()));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(read(dst, 64), [0xCD; 64]);
    });
}

#[test]
fn cache_operations_only_validate_their_addresses() {
    isolated::run(&[], || {
        let stream = a_stream();
        let block = device_memory(64);
        for operation in 0..4 {
            ok!(aclrtCmoAsync(block, 64, operation, stream));
        }
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(code!(aclrtCmoAsync(block, 64, 4, stream)), 100000);
        assert_eq!(code!(aclrtCmoAsync(block, 0, 0, stream)), 100000);
        assert_eq!(code!(aclrtCmoAsync(null_mut(), 64, 0, stream)), 100000);
        assert_eq!(code!(aclrtCmoAsync(block, 65, 0, stream)), 107000);
        assert_eq!(code!(aclrtCmoAsync(host_memory(64), 64, 0, stream)), 107000);
        ok!(aclrtMemFlush(block, 64));
        ok!(aclrtMemInvalidate(block, 64));
        assert_eq!(code!(aclrtMemFlush(null_mut(), 64)), 100000);
        assert_eq!(code!(aclrtMemInvalidate(block, 0)), 100000);
        assert_eq!(read(block, 64), [0xCD; 64]);
    });
}
