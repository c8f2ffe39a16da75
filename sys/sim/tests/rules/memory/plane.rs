// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies of rows: S16.

use std::ptr::{null, null_mut};

use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::streams::*;

use super::*;
use crate::calls::{Gate, a_stream};
use crate::isolated;

/// Returns the bytes of rows, without the gaps between them.
fn rows(bytes: &[u8], pitch: usize, width: usize) -> Vec<u8> {
    bytes.chunks(pitch).flat_map(|row| &row[..width]).copied().collect()
}

#[test]
fn s16_rows_copy_to_the_device_and_back() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let (width, height) = (100, 50);
        let sent = data(150 * height, 1);
        let device = device_memory(128 * height);
        ok!(aclrtMemcpy2d(device, 128, sent.as_ptr().cast(), 150, width, height, H2D));
        let there = read(device, 128 * height);
        assert!(rows(&there, 128, width) == rows(&sent, 150, width));
        assert_eq!(there[100..128], [0xCD; 28], "between the rows");
        let mut back = vec![0; 120 * height];
        ok!(aclrtMemcpy2d(back.as_mut_ptr().cast(), 120, device, 128, width, height, D2H));
        assert!(rows(&back, 120, width) == rows(&sent, 150, width));
        assert_eq!(back[100..120], [0; 20]);
    });
}

#[test]
fn s16_rows_move_on_a_stream_also_within_a_device() {
    both(&[], || {
        let stream = a_stream();
        let (width, height) = (100, 50);
        let mut sent = data(150 * height, 1);
        let expected = rows(&sent, 150, width);
        let (one, other) = (device_memory(128 * height), device_memory(111 * height));
        let gate = Gate::default();
        gate.hold(stream);
        ok!(aclrtMemcpy2dAsync(one, 128, sent.as_ptr().cast(), 150, width, height, H2D, stream));
        sent.fill(0);
        ok!(aclrtMemcpy2dAsync(other, 111, one, 128, width, height, D2D, stream));
        let host = host_memory(100 * height);
        ok!(aclrtMemcpy2dAsync(host, 100, other, 111, width, height, D2H, stream));
        assert_eq!(read(other, 100), [0xCD; 100], "not yet");
        gate.open();
        let mut back = vec![0; 100 * height];
        ok!(aclrtMemcpy2dAsync(back.as_mut_ptr().cast(), 100, other, 111, width, height, D2H, stream));
        assert!(back == expected);
        ok!(aclrtSynchronizeStream(stream));
        ok!(aclrtMemcpy(back.as_mut_ptr().cast(), 100 * height, host, 100 * height, H2H));
        assert!(back == expected);
    });
}

#[test]
fn s16_rows_have_limits() {
    isolated::run(&[], || {
        let stream = a_stream();
        let device = device_memory(4096);
        let host = vec![0_u8; 4096];
        let from = host.as_ptr().cast();
        let call = |dst, dst_pitch, src, src_pitch, width, height, kind| {
            let now = code!(aclrtMemcpy2d(dst, dst_pitch, src, src_pitch, width, height, kind));
            let later =
                code!(aclrtMemcpy2dAsync(dst, dst_pitch, src, src_pitch, width, height, kind, stream));
            assert_eq!(now, later);
            now
        };
        assert_eq!(call(device, 64, from, 64, 0, 1, H2D), 100000);
        assert_eq!(call(device, 64, from, 64, 1, 0, H2D), 100000);
        assert_eq!(call(null_mut(), 64, from, 64, 1, 1, H2D), 100000);
        assert_eq!(call(device, 64, null(), 64, 1, 1, H2D), 100000);
        assert_eq!(call(device, 64, from, 64, 1, 1, 8), 100000);
        assert_eq!(call(device, 6_000_000, from, 6_000_000, 5_000_001, 1, H2D), 107000);
        assert!(last_error_names("5000000"));
        assert_eq!(call(device, 64, from, 64, 1, 5_242_881, H2D), 107000);
        assert_eq!(call(device, 63, from, 64, 64, 1, H2D), 107000);
        assert_eq!(call(device, 64, from, 63, 64, 1, H2D), 107000);
        assert_eq!(call(device, 64, from, 64, 64, 65, H2D), 107000, "behind the allocation");
        assert_eq!(call(device, usize::MAX, from, 64, 64, 3, H2D), 107000);
        assert_eq!(call(device, 64, from, 64, 64, 64, H2D), 0);
        ok!(aclrtSynchronizeStream(stream));
    });
}

#[test]
fn s16_unsupported_row_copy_directions_are_rejected() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (one, other, host) = (device_memory(64), device_memory(64), host_memory(64));
        assert_eq!(code!(aclrtMemcpy2d(one, 8, other, 8, 8, 8, D2D)), 107000);
        assert_eq!(code!(aclrtMemcpy2d(host, 8, host, 8, 8, 8, H2H)), 107000);
        assert_eq!(code!(aclrtMemcpy2dAsync(host, 8, host, 8, 8, 8, H2H, stream)), 207000);
        ok!(aclrtSetDevice(1));
        let far = device_memory(64);
        ok!(aclrtSetDevice(0));
        assert_eq!(code!(aclrtMemcpy2dAsync(one, 8, far, 8, 8, 8, D2D, stream)), 107000);
    });
}
