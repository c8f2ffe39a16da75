// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program around the device: its devices, contexts and streams stay unchanged by all operations of a
//! pool.

use std::sync::mpsc::channel;

use ascend_acl_sys::acl::Stream;
use mf_device::{Locality, RawStream, StreamEnd};

use super::simulator::{A2, A3, acl, add_faults, count, crew_on, device, pinned, run_on};
use super::suite::{self, KIND, Rig, at, map, transfer};

/// Everything that a pool asks of a device, with one window.
fn use_all(rig: &Rig, place: u64) {
    let granule = rig.granule();
    let base = rig.base(place);
    let window = rig.windows().reserve(KIND, base, 2 * granule, granule).unwrap();
    let memory = rig.windows().allocate(KIND, granule).unwrap();
    map(&*window, 0, &*memory, 0..granule);
    memory.share(&rig.0.identity().unwrap()).unwrap();
    rig.write(base, b"anywhere");
    assert_eq!(rig.read(base, 8), b"anywhere");
    let host = [1u8; 16];
    let step = |place| transfer(host.as_ptr(), Locality::Host, at(base + place), Locality::Device, 16);
    // SAFETY: the window is mapped and the buffer lives.
    unsafe { rig.mover().copy(&[step(0), step(64)]) }.unwrap();
    let lane = rig.mover().lane().unwrap();
    // SAFETY: the window is mapped, and the buffer lives until the wait.
    unsafe { lane.enqueue(&[step(128)]) }.unwrap();
    lane.wait().unwrap();
    rig.mover().register(host.as_ptr().addr() as u64, 16).unwrap();
    rig.mover().unregister(host.as_ptr().addr() as u64, 16);
    rig.mover().quiesce().unwrap();
}

#[test]
fn s4_thread_without_a_device_is_left_without_one() {
    run_on(A3, &[], || {
        let rig = device(2);
        use_all(&rig, 0);
        assert!(acl().context().unwrap_err().is_no_context());
        std::thread::scope(|scope| {
            for place in 1..4 {
                let rig = &rig;
                scope.spawn(move || {
                    use_all(rig, place);
                    assert!(acl().device().unwrap_err().is_no_context());
                });
            }
        });
    });
}

#[test]
fn become_current_sets_the_device_only_if_unset() {
    run_on(A3, &[], || {
        let rig = device(2);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                acl().set_device(5).unwrap();
                rig.0.become_current();
                assert_eq!(acl().device().unwrap(), 5);
            });
        });
        rig.0.become_current();
        assert_eq!(acl().device().unwrap(), 2);
        use_all(&rig, 0);
        assert_eq!(acl().device().unwrap(), 2);
    });
}

#[test]
fn s4_s6_current_device_and_context_of_a_thread_are_restored() {
    run_on(A3, &[], || {
        let rig = device(2);
        acl().set_device(5).unwrap();
        let context = acl().context().unwrap();
        use_all(&rig, 0);
        assert_eq!(acl().device().unwrap(), 5);
        assert_eq!(acl().context().unwrap(), context);
        // Also when a call fails in between.
        add_faults("aclrtMallocPhysical@1=207001");
        let window = rig.windows().reserve(KIND, rig.base(1), rig.granule(), rig.granule()).unwrap();
        let memory = rig.windows().allocate(KIND, rig.granule()).unwrap();
        // SAFETY: nobody else knows the window.
        unsafe { window.map(0, &*memory, 0..rig.granule()) }.unwrap_err();
        assert_eq!(acl().context().unwrap(), context);
        // A context of the program's own, on our device.
        let own = acl().create_context(2).unwrap();
        use_all(&rig, 2);
        assert_eq!(acl().context().unwrap(), own);
        // The primary context of our device, as simple programs have it.
        acl().set_device(2).unwrap();
        let primary = acl().context().unwrap();
        use_all(&rig, 3);
        assert_eq!(acl().context().unwrap(), primary);
    });
}

#[test]
fn s5_reset_by_the_program_keeps_our_device() {
    run_on(A3, &[], || {
        acl().set_device(0).unwrap();
        let rig = device(0);
        let base = rig.base(0);
        let window = rig.windows().reserve(KIND, base, rig.granule(), rig.granule()).unwrap();
        let memory = rig.windows().allocate(KIND, rig.granule()).unwrap();
        map(&*window, 0, &*memory, 0..rig.granule());
        rig.write(base, b"survives");
        // SAFETY: the program uses nothing of its own any more.
        unsafe { acl().reset_device(0) }.unwrap();
        assert_eq!(rig.read(base, 8), b"survives");
    });
}

#[test]
fn forced_device_reset_is_an_error() {
    run_on(A3, &[], || {
        let rig = device(0);
        let base = rig.base(0);
        let window = rig.windows().reserve(KIND, base, rig.granule(), rig.granule()).unwrap();
        let memory = rig.windows().allocate(KIND, rig.granule()).unwrap();
        map(&*window, 0, &*memory, 0..rig.granule());
        // SAFETY: the test goes on to use it on purpose: only through calls of ACL, which check.
        unsafe { acl().reset_device_force(0) }.unwrap();
        let mut landing = [0u8; 8];
        let copy = transfer(at(base), Locality::Device, landing.as_mut_ptr(), Locality::Host, 8);
        // SAFETY: the window is reserved, and ACL checks its mappings.
        unsafe { rig.mover().copy(&[copy]) }.unwrap_err();
        drop((window, memory));
    });
}

#[test]
fn s40_s54_copies_on_a_callers_stream_keep_order_and_mark_it() {
    for (soc, release) in [(A2, "8.3"), (A3, "8.1")] {
        run_on(soc, &[("SCHEDULE", "random(11)"), ("CANN", release)], || {
            let rig = device(0);
            acl().set_device(0).unwrap();
            let stream = acl().create_stream().unwrap();
            suite::words_follow_data(&rig, RawStream(stream.as_raw()), || {
                acl().synchronize_stream(stream, None).unwrap();
            });
            suite::copies_on_a_stream_keep_its_order(&rig, RawStream(stream.as_raw()), pinned(), || {
                acl().synchronize_stream(stream, None).unwrap();
            });
            // The default stream has no name.
            suite::copies_on_a_stream_keep_its_order(&rig, RawStream(std::ptr::null_mut()), pinned(), || {
                acl().synchronize_device(None).unwrap();
            });
            // A stream of a context of the program's own.
            acl().create_context(0).unwrap();
            let other = acl().create_stream().unwrap();
            suite::copies_on_a_stream_keep_its_order(&rig, RawStream(other.as_raw()), pinned(), || {
                acl().synchronize_stream(other, None).unwrap();
            });
            assert_eq!(count("event"), 0);
        });
    }
}

#[test]
fn s2_error_on_a_callers_stream_stays_on_it() {
    run_on(A3, &[], || {
        let rig = device(0);
        acl().set_device(0).unwrap();
        let stream = acl().create_stream().unwrap();
        let base = rig.base(0);
        let window = rig.windows().reserve(KIND, base, rig.granule(), rig.granule()).unwrap();
        let memory = rig.windows().allocate(KIND, rig.granule()).unwrap();
        map(&*window, 0, &*memory, 0..rig.granule());
        let step = transfer(at(base), Locality::Device, at(base + 4096), Locality::Device, 4096);
        add_faults("transfer@1=507054");
        // SAFETY: the window is mapped.
        unsafe { rig.mover().copy_on(RawStream(stream.as_raw()), &[step]) }.unwrap();
        rig.mover().quiesce().unwrap();
        let error = acl().synchronize_stream(stream, None).unwrap_err();
        assert_eq!(error.code(), Some(507_054));
        // SAFETY: the window is mapped, and the copy is within it.
        unsafe { rig.mover().copy(&[step, step]) }.unwrap();
    });
}

#[test]
fn blocked_stream_keeps_the_memory_mapped() {
    for is_quick in [false, true] {
        crew_on(A3, 1, &[], |_, _| rest_waits_for_a_stream(is_quick));
    }
}

fn rest_waits_for_a_stream(is_quick: bool) {
    let rig = device(0);
    acl().set_device(0).unwrap();
    let (stream, other) = (acl().create_stream().unwrap(), acl().create_stream().unwrap());
    let base = rig.base(0);
    let window = rig.windows().reserve(KIND, base, rig.granule(), rig.granule()).unwrap();
    let memory = rig.windows().allocate(KIND, rig.granule()).unwrap();
    map(&*window, 0, &*memory, 0..rig.granule());
    // The stream waits for a word that another thread sets later.
    let gate = acl().malloc(64, 0).unwrap();
    // SAFETY: the word lives until the end of the test.
    unsafe { acl().memset(gate, 64, 0, 64) }.unwrap();
    let wait = acl().table().aclrtValueWait.as_ref().unwrap();
    // SAFETY: the word that the stream waits for lives until the end of the test.
    assert_eq!(unsafe { wait(gate, 1, 1, stream.as_raw()) }, 0);
    let source = [7u8; 8];
    let step = transfer(source.as_ptr(), Locality::Host, at(base), Locality::Device, 8);
    let raw = RawStream(stream.as_raw());
    if is_quick {
        // SAFETY: the window is mapped, and the buffer lives.
        unsafe { rig.mover().copy_quickly_on(raw, &step) }.unwrap();
    } else {
        // SAFETY: the window is mapped, and the source lives until the stream has done it.
        unsafe { rig.mover().copy_on(raw, &[step]) }.unwrap();
    }
    let (gate, other) = (gate.addr(), RawStream(other.as_raw()));
    std::thread::scope(|scope| {
        let resting = scope.spawn(|| rig.mover().quiesce());
        // It cannot be at rest, so this thread opens the gate.
        acl().set_device(0).unwrap();
        let write = acl().table().aclrtValueWrite.as_ref().unwrap();
        // SAFETY: the word lives until the end of the test.
        assert_eq!(unsafe { write(gate as *mut _, 1, 0, other.0) }, 0);
        resting.join().unwrap().unwrap();
    });
    assert_eq!(rig.read(base, 8), source);
}

#[test]
fn memory_on_a_callers_stream_is_known_by_its_address() {
    run_on(A3, &[], || {
        let rig = device(0);
        acl().set_device(0).unwrap();
        let (there, host) = (acl().malloc(8192, 0).unwrap(), [0u8; 8]);
        for _ in 0..2 {
            assert_eq!(rig.mover().end_at(there.addr() as u64 + 8), StreamEnd::Device);
            assert_eq!(rig.mover().end_at(pinned().addr() as u64), StreamEnd::Pinned);
            assert_eq!(rig.mover().end_at(host.as_ptr().addr() as u64), StreamEnd::Pageable);
        }
        // Freed device memory is queried again when the copy is refused.
        // SAFETY: not used any more.
        unsafe { acl().free(there) }.unwrap();
        let step = transfer(there.cast(), Locality::Device, pinned(), Locality::Host, 8);
        let stream = acl().create_stream().unwrap();
        // SAFETY: ACL checks the memory there.
        unsafe { rig.mover().copy_quickly_on(RawStream(stream.as_raw()), &step) }.unwrap_err();
        assert_eq!(rig.mover().end_at(there.addr() as u64 + 8), StreamEnd::Pageable);
        assert!(rig.mover().serves_this_thread());
        std::thread::scope(|scope| {
            scope.spawn(|| assert!(!rig.mover().serves_this_thread()));
        });
    });
}

#[test]
fn errors_on_other_streams_do_not_prevent_quiescing() {
    run_on(A3, &[], || {
        let rig = device(0);
        acl().set_device(0).unwrap();
        let own = acl().create_context(0).unwrap();
        let streams = [(); 3].map(|()| acl().create_stream().unwrap());
        let base = rig.base(0);
        let window = rig.windows().reserve(KIND, base, rig.granule(), rig.granule()).unwrap();
        let memory = rig.windows().allocate(KIND, rig.granule()).unwrap();
        map(&*window, 0, &*memory, 0..rig.granule());
        let step = transfer(at(base), Locality::Device, at(base + 4096), Locality::Device, 4096);
        add_faults("transfer@1=507054,transfer@2=507054");
        for stream in streams {
            // SAFETY: the window is mapped.
            unsafe { rig.mover().copy_quickly_on(RawStream(stream.as_raw()), &step) }.unwrap();
        }
        rig.mover().quiesce().unwrap();
        // A destroyed context has no work on its streams.
        // SAFETY: not used again.
        unsafe { acl().destroy_context(own) }.unwrap();
        rig.mover().quiesce().unwrap();
    });
}

#[test]
fn stream_destroyed_with_pending_work_leaves_nothing() {
    run_on(A3, &[], || {
        let rig = device(0);
        acl().set_device(0).unwrap();
        let (doomed, stream) = (acl().create_stream().unwrap(), acl().create_stream().unwrap());
        let ((release, released), (done, order)) = (channel::<()>(), channel());
        let run = |stream: &Stream, work: Box<dyn FnOnce() + Send>| {
            // SAFETY: the stream is alive; work on a destroyed one is not done.
            unsafe { rig.mover().run_waiting_on(RawStream(stream.as_raw()), work) }.unwrap();
        };
        // The work runs when its stream is destroyed, and later work on it is dropped.
        let begun = done.clone();
        run(
            &doomed,
            Box::new(move || {
                begun.send(1).unwrap();
                released.recv().unwrap();
            }),
        );
        let never = done.clone();
        run(&doomed, Box::new(move || never.send(2).unwrap()));
        assert_eq!(order.recv().unwrap(), 1);
        // SAFETY: nobody uses it again.
        unsafe { acl().destroy_stream_force(doomed) }.unwrap();
        release.send(()).unwrap();
        run(&stream, Box::new(move || done.send(3).unwrap()));
        acl().synchronize_stream(stream, None).unwrap();
        assert_eq!(order.recv().unwrap(), 3);
        // The flag of the other stream is reused; flags of the destroyed one are given up, once they cannot
        // be set any more.
        while count("notify") > 1 {
            rig.mover().quiesce().unwrap();
            std::thread::yield_now();
        }
    });
}

#[test]
fn a_thread_without_a_device_has_no_stream_to_copy_on() {
    run_on(A3, &[], || {
        let rig = device(0);
        let (one, mut other) = ([1u8; 8], [0u8; 8]);
        let step = transfer(one.as_ptr(), Locality::Host, other.as_mut_ptr(), Locality::Host, 8);
        // SAFETY: both buffers live.
        let error = unsafe { rig.mover().copy_on(RawStream(std::ptr::null_mut()), &[step]) }.unwrap_err();
        assert!(error.to_string().contains("aclrtSetDevice"), "{error}");
        assert_eq!(other, [0; 8]);
    });
}
