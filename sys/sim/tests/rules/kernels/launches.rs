// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S59: blocks and cores.

use super::*;

#[test]
fn s59_numbers_of_blocks() {
    with_binary("plain.c", &[], |binary, stream| {
        let counter = Words::new(&[0]);
        let count = function(binary, "count");
        for (blocks, code) in [(0, 100_000), (65_536, WRONG), (u32::MAX, WRONG)] {
            assert_eq!(launch(count, blocks, stream, &[counter.address()]), code);
        }
        assert_eq!(launch(count, 65_535, stream, &[counter.address()]), 0);
        assert_eq!(wait(stream), 0, "{}", last_error());
        assert_eq!(counter.get(), [65_535]);
    });
}

#[test]
fn s59_a_launch_returns_before_the_kernel_ends() {
    with_binary("plain.c", &[], |binary, stream| {
        let word = Words::new(&[0]);
        assert_eq!(launch(function(binary, "deaf"), 2, stream, &[word.address()]), 0);
        let mut status = 9;
        assert_eq!(call!(aclrtStreamQuery(stream, &raw mut status)), 0);
        assert_eq!(status, 1, "it cannot have ended");
        word.set(&[1]);
        assert_eq!(wait(stream), 0);
    });
}

#[test]
fn s59_every_block_runs_once_with_its_own_index() {
    with_binary("attached.c", &[("ADDR", "alias"), ("SCHEDULE", "random(3)")], |binary, stream| {
        set_device(0);
        let place = Words::bytes(100 * 48);
        let mut attributes = [attribute(4, [1000, 0, 0, 0]), attribute(2, [4096, 0, 0, 0])];
        let code =
            launch_as(function(binary, "self"), 100, stream, &mut attributes, &[place.address(), 1000]);
        assert_eq!(code, 0, "{}", last_error());
        assert_eq!(wait(stream), 0, "{}", last_error());
        let words = place.get();
        for index in 0..100 {
            let expected = [1000 + index as u64, 100, 48, 192 << 10, 4096, 0];
            assert_eq!(words[index * 6..index * 6 + 6], expected);
        }
    });
}

/// Launches a kernel and returns its words afterwards.
fn run_on(binary: *mut c_void, stream: *mut c_void, kernel: &str, blocks: u32, words: usize) -> Vec<u64> {
    let place = Words::new(&vec![0; words]);
    assert_eq!(launch(function(binary, kernel), blocks, stream, &[place.address()]), 0, "{}", last_error());
    assert_eq!(wait(stream), 0, "{}", last_error());
    place.get()
}

#[test]
fn s59_more_blocks_than_cores_run_in_waves() {
    with_binary("attached.c", &[], |binary, stream| {
        assert_eq!(call!(aclrtSetDeviceResLimit(0, 1, 3)), 0);
        let [now, most, all] = run_on(binary, stream, "width", 50, 3)[..] else { panic!() };
        assert_eq!((now, all), (0, 50));
        assert!((1..=3).contains(&most), "{most} blocks at once on 3 cores");
    });
}

#[test]
fn s59_limits_of_cores() {
    with_binary("attached.c", &[], |binary, stream| {
        let mut value = 0;
        for (sort, all) in [(0, 24), (1, 48)] {
            assert_eq!(call!(aclrtGetDeviceResLimit(0, sort, &raw mut value)), 0);
            assert_eq!(value, all);
            assert_eq!(call!(aclrtSetDeviceResLimit(0, sort, all + 1)), WRONG);
            assert_eq!(call!(aclrtSetDeviceResLimit(0, sort, 0)), WRONG);
        }
        assert_eq!(call!(aclrtSetDeviceResLimit(0, 2, 1)), 100_000);
        assert_eq!(call!(aclrtSetDeviceResLimit(8, 1, 1)), 107_001);
        assert_eq!(call!(aclrtSetDeviceResLimit(0, 1, 20)), 0);
        assert_eq!(call!(aclrtGetStreamResLimit(stream, 1, &raw mut value)), 0);
        assert_eq!(value, 20, "the device's");
        assert_eq!(call!(aclrtSetStreamResLimit(stream, 1, 5)), 0);
        assert_eq!(call!(aclrtGetStreamResLimit(stream, 1, &raw mut value)), 0);
        assert_eq!(value, 5);
        let cores = run_on(binary, stream, "self", 1, 6)[2];
        assert_eq!(cores, 5);
    });
}

/// The order in which 20 blocks start on one core.
fn starts(knobs: &[(&str, &str)], check: impl FnOnce(&[u64])) {
    with_binary("attached.c", knobs, |binary, stream| {
        assert_eq!(call!(aclrtSetDeviceResLimit(0, 1, 1)), 0);
        let words = run_on(binary, stream, "order", 20, 21);
        let mut sorted = words[1..].to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<u64>>(), "each once");
        check(&words[1..]);
    });
}

#[test]
fn s59_blocks_start_in_an_order_drawn_from_the_seed() {
    starts(&[], |order| assert!(order.is_sorted(), "{order:?}"));
    starts(&[("SCHEDULE", "random(11)")], |order| assert!(!order.is_sorted(), "{order:?}"));
    starts(&[("SCHEDULE", "random(12)")], |order| assert!(!order.is_sorted(), "{order:?}"));
}

#[test]
fn s59_blocks_synchronise_with_each_other() {
    with_binary("attached.c", &[], |binary, stream| {
        let place = Words::new(&[0; 48]);
        assert_eq!(launch(function(binary, "ring"), 48, stream, &[place.address(), 20]), 0);
        assert_eq!(wait(stream), 0, "{}", last_error());
        assert_eq!(place.get(), [20; 48]);
    });
}

#[test]
fn s59_two_kernels_with_block_barriers_do_not_deadlock() {
    with_binary("attached.c", &[("SCHEDULE", "random(5)")], |binary, first| {
        let ring = function(binary, "ring");
        let streams = [first, stream(), stream()];
        let places = streams.map(|stream| {
            let place = Words::new(&[0; 40]);
            for _ in 0..3 {
                assert_eq!(launch(ring, 40, stream, &[place.address(), 3]), 0);
            }
            place
        });
        for (stream, place) in streams.into_iter().zip(places) {
            assert_eq!(wait(stream), 0, "{}", last_error());
            assert_eq!(place.get(), [3; 40]);
        }
    });
}

#[test]
fn s59_kernel_can_query_the_extent_of_memory() {
    with_binary("attached.c", &[("ADDR", "alias")], |binary, stream| {
        let (result, memory) = (Words::new(&[7]), Words::bytes(4 << 20));
        for (address, expected) in [(memory.address() + 100, (4 << 20) - 100), (64, 0)] {
            let extent = function(binary, "extent");
            assert_eq!(launch(extent, 1, stream, &[result.address(), address]), 0);
            assert_eq!(wait(stream), 0, "{}", last_error());
            assert_eq!(result.get(), [expected]);
        }
    });
}

#[test]
fn kernels_receive_their_mode_and_may_use_threads() {
    for (mode, eager) in [("checked", 0), ("eager", 1)] {
        with_binary("attached.c", &[("KERNELS", mode)], |binary, stream| {
            let since_2 = function(binary, "since_2");
            let mut numbers = Vec::new();
            for _ in 0..2 {
                let places = Words::new(&[0; 9]);
                assert_eq!(launch(since_2, 3, stream, &[places.address()]), 0);
                assert_eq!(wait(stream), 0, "{}", last_error());
                let places = places.get();
                for place in places.chunks(3) {
                    assert_eq!(place, [eager, places[1], 1]);
                }
                numbers.push(places[1]);
            }
            assert!(numbers[0] != 0 && numbers[0] != numbers[1], "{numbers:?}");
        });
    }
}
