// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Movers of bytes: the processor only between host memory and host memory.

use mf_base::Kind;
use mf_device::RawStream;
use mf_fabric::pool::{Mode, Side};
use mf_tests::pattern;

use super::pools::{
    AUTO, GET, INSIDE, MIB, MOMENT, PUT, alone, batch, copy, device, holds, host, piece, put, two,
};
use super::scripted::Site;

#[test]
fn mover_is_used_only_for_device_memory() {
    let (member, pool) = alone();
    let mut buffer = pattern::stream(1, 4096);
    let start = buffer.as_mut_ptr();
    member.device.take_calls();
    for (piece, sides, calls) in [
        (piece(start, host(&pool, 0).as_ptr(), 4096), PUT, &[][..]),
        (piece(start, host(&pool, 0).as_ptr(), 4096), AUTO, &[]),
        (piece(host(&pool, 0).as_ptr(), host(&pool, 8192).as_ptr(), 4096), INSIDE, &[]),
        (piece(host(&pool, 8192).as_ptr(), start, 4096), GET, &[]),
        (piece(start, device(&pool, 0, 0).as_ptr(), 4096), PUT, &["copy"]),
        (piece(device(&pool, 0, 0).as_ptr(), device(&pool, 0, 8192).as_ptr(), 4096), INSIDE, &["copy"]),
        (piece(device(&pool, 0, 8192).as_ptr(), host(&pool, 16384).as_ptr(), 4096), INSIDE, &["copy"]),
        (piece(device(&pool, 0, 8192).as_ptr(), start, 4096), AUTO, &["copy"]),
    ] {
        copy(&pool, piece, sides, Mode::Sync).unwrap();
        assert_eq!(member.device.take_calls(), calls, "{piece:?}");
    }
    assert!(holds(&pool, host(&pool, 16384), 4096, 1));
    assert_eq!(pattern::mismatch(1, &buffer), None);
    drop(pool);
    member.left_nothing();
}

#[test]
fn a_mixed_batch_is_shared_between_mover_and_processor() {
    let (member, pool) = alone();
    let content = pattern::stream(2, 8000);
    for mode in [Mode::Sync, Mode::Async] {
        let pieces: Vec<_> = (0..8u64)
            .map(|at| {
                let there = if at % 2 == 0 { host(&pool, at * 1000) } else { device(&pool, 0, at * 1000) };
                piece(content[usize::try_from(at * 1000).unwrap()..].as_ptr(), there.as_ptr(), 1000)
            })
            .collect();
        member.device.take_calls();
        batch(&pool, &pieces, PUT, mode).unwrap();
        pool.wait().unwrap();
        let calls = member.device.take_calls();
        let copies: Vec<_> = calls.into_iter().filter(|call| !["lane", "wait"].contains(call)).collect();
        assert_eq!(copies, [if mode == Mode::Sync { "copy many" } else { "enqueue" }]);
        let mut back = vec![0; 8000];
        let back_pieces: Vec<_> = pieces
            .iter()
            .enumerate()
            .map(|(at, there)| piece(there.dst, back[at * 1000..].as_mut_ptr(), 1000))
            .collect();
        batch(&pool, &back_pieces, GET, mode).unwrap();
        pool.wait().unwrap();
        assert_eq!(back, content);
    }
    // On the processor alone.
    member.device.take_calls();
    batch(&pool, &[piece(content.as_ptr(), host(&pool, 0).as_ptr(), 8); 2], PUT, Mode::Sync).unwrap();
    assert!(member.device.take_calls().is_empty());
    drop(pool);
    member.left_nothing();
}

#[test]
fn mismatched_copy_types_are_refused_and_nothing_is_written() {
    let (member, pool) = alone();
    let mut buffer = pattern::stream(1, 64);
    let start = buffer.as_mut_ptr();
    put(&pool, host(&pool, 0), 4096, 7).unwrap();
    put(&pool, device(&pool, 0, 0), 4096, 7).unwrap();
    let (in_host, in_device) = (host(&pool, 64).as_ptr(), device(&pool, 0, 64).as_ptr());
    for (piece, sides, promised, name) in [
        (piece(start, in_host, 64), (Side::LocalDevice, Side::Global), "device", "source"),
        (piece(start, in_device, 64), (Side::LocalDevice, Side::Global), "device", "source"),
        (piece(in_device, start, 64), (Side::Global, Side::LocalDevice), "device", "destination"),
        (piece(in_device, in_host, 64), (Side::LocalHost, Side::Global), "host", "source"),
        (piece(in_host, in_device, 64), (Side::Global, Side::LocalHost), "host", "destination"),
        (piece(in_host, in_device, 64), (Side::LocalDevice, Side::Global), "device", "source"),
    ] {
        for mode in [Mode::Sync, Mode::Async, Mode::Stream(member.device.stream().raw())] {
            let error = copy(&pool, piece, sides, mode).unwrap_err();
            assert_eq!(error.kind(), Kind::InvalidParam);
            let text = error.to_string();
            assert!(text.contains(&format!("promises {promised} memory at the {name}")), "{text}");
            let error = batch(&pool, &[piece; 3], sides, mode).unwrap_err();
            assert_eq!(error.fact("element"), Some("0"), "{error}");
        }
    }
    // The same ends under types that do not promise otherwise.
    for sides in [AUTO, (Side::Global, Side::LocalHost), (Side::LocalDevice, Side::Local)] {
        copy(&pool, piece(in_device, in_host, 64), sides, Mode::Sync).unwrap();
    }
    assert!(holds(&pool, device(&pool, 0, 0), 4096, 7));
    assert_eq!(pattern::mismatch(1, &buffer), None);
    drop(pool);
    member.left_nothing();
}

#[test]
fn queued_device_copies_keep_order_and_complete_at_the_wait() {
    let (members, pools) = two(4 * MIB, 4 * MIB);
    let pool = &pools[0];
    let content = pattern::stream(3, 2 << 20);
    let mut back = vec![0u8; 2 << 20];
    members[0].device.hold(MOMENT);
    copy(pool, piece(content.as_ptr(), device(pool, 1, 0).as_ptr(), 2 * MIB), PUT, Mode::Async).unwrap();
    let inside = piece(device(pool, 1, 0).as_ptr(), device(pool, 0, MIB).as_ptr(), 2 * MIB);
    copy(pool, inside, INSIDE, Mode::Async).unwrap();
    copy(pool, piece(device(pool, 0, MIB).as_ptr(), back.as_mut_ptr(), 2 * MIB), GET, Mode::Async).unwrap();
    // Nothing happens until the device goes on, and a wait ends without it.
    assert_eq!(pool.wait().unwrap_err().kind(), Kind::Timeout);
    assert_eq!(back[0], 0);
    members[0].device.go_on();
    pool.wait().unwrap();
    assert_eq!(back, content);
    assert_eq!(members[0].device.take_calls().iter().filter(|call| **call == "lane").count(), 1);
    pool.wait().unwrap();
    drop(pools);
    members.iter().for_each(|member| member.left_nothing());
}

#[test]
fn pool_without_queued_copies_has_no_lane() {
    let (member, pool) = alone();
    put(&pool, device(&pool, 0, 0), 64, 1).unwrap();
    pool.wait().unwrap();
    assert!(!member.device.take_calls().contains(&"lane"));
}

#[test]
fn leaving_waits_for_the_lane_and_keeps_its_error() {
    let (members, pools) = two(2 * MIB, 2 * MIB);
    let pool = &pools[0];
    let content = pattern::stream(3, 1 << 20);
    members[0].device.fail(Site::Queued, 1);
    for at in 0..2 {
        let there = device(pool, 1, at * MIB).as_ptr();
        copy(pool, piece(content.as_ptr(), there, MIB), PUT, Mode::Async).unwrap();
    }
    pool.leave().unwrap();
    assert!(members[0].device.take_calls().contains(&"drain"));
    let error = pool.wait().unwrap_err();
    assert!(error.to_string().contains("Queued"), "{error}");
    pool.wait().unwrap();
    pool.join().unwrap();
    assert!(holds(pool, device(pool, 1, 0), MIB, 3));
    drop(pools);
    members.iter().for_each(|member| member.left_nothing());
}

#[test]
fn copies_on_a_callers_stream_run_in_stream_order() {
    let (member, pool) = alone();
    let content = pattern::stream(4, 4096);
    let mut back = vec![0u8; 4096];
    let stream = member.device.stream();
    let mode = Mode::Stream(stream.raw());
    member.device.hold(MOMENT);
    // Host memory to host memory as well: it has its place in the order.
    copy(&pool, piece(content.as_ptr(), host(&pool, 0).as_ptr(), 4096), PUT, mode).unwrap();
    copy(&pool, piece(host(&pool, 0).as_ptr(), device(&pool, 0, 0).as_ptr(), 4096), INSIDE, mode).unwrap();
    let halves = [
        piece(device(&pool, 0, 0).as_ptr(), back.as_mut_ptr(), 2048),
        piece(device(&pool, 0, 2048).as_ptr(), back[2048..].as_mut_ptr(), 2048),
    ];
    batch(&pool, &halves, GET, mode).unwrap();
    assert_eq!(back[0], 0);
    // The pool's own wait is not the stream's.
    pool.wait().unwrap();
    assert_eq!(stream.synchronize().unwrap_err().kind(), Kind::Timeout);
    member.device.go_on();
    stream.synchronize().unwrap();
    assert_eq!(back, content);
    let nowhere = Mode::Stream(RawStream(std::ptr::without_provenance_mut(0x40)));
    let error = copy(&pool, halves[0], GET, nowhere).unwrap_err();
    assert!(error.to_string().contains("no stream"), "{error}");
    drop(pool);
    member.left_nothing();
}

#[test]
fn ranges_are_checked_before_reaching_the_mover() {
    let (members, pools) = two(2 * MIB, 4 * MIB);
    let pool = &pools[0];
    let content = pattern::stream(4, 4096);
    members[0].device.take_calls();
    for there in [device(pool, 1, 2 * MIB - 1), device(pool, 1, 3 * MIB), device(pool, 0, 2 * MIB)] {
        for mode in [Mode::Sync, Mode::Async, Mode::Stream(members[0].device.stream().raw())] {
            let bad = piece(content.as_ptr(), there.as_ptr(), 2);
            assert_eq!(copy(pool, bad, PUT, mode).unwrap_err().kind(), Kind::InvalidParam);
            let good = piece(content.as_ptr(), device(pool, 1, 0).as_ptr(), 8);
            let error = batch(pool, &[good, bad], PUT, mode).unwrap_err();
            assert_eq!(error.fact("element"), Some("1"));
        }
    }
    assert!(members[0].device.take_calls().is_empty());
    pools[1].leave().unwrap();
    let piece = piece(content.as_ptr(), device(pool, 1, 0).as_ptr(), 8);
    assert_eq!(copy(pool, piece, PUT, Mode::Sync).unwrap_err().kind(), Kind::NotConnected);
    pool.leave().unwrap();
    assert_eq!(copy(pool, piece, PUT, Mode::Sync).unwrap_err().kind(), Kind::NotStarted);
    assert_eq!(batch(pool, &[piece; 2], PUT, Mode::Async).unwrap_err().kind(), Kind::NotStarted);
}
