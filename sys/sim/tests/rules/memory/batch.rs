// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many copies in one call: S17.

use std::ptr::null_mut;

use ascend_acl_sys::raw::types as raw;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::streams::*;

use super::*;
use crate::calls::{Gate, a_stream};
use crate::isolated;

const HOST: raw::aclrtMemLocation = raw::aclrtMemLocation { id: 0, type_: raw::ACL_MEM_LOCATION_TYPE_HOST };

fn device(id: u32) -> raw::aclrtMemLocation {
    raw::aclrtMemLocation { id, type_: raw::ACL_MEM_LOCATION_TYPE_DEVICE }
}

/// The arguments of a batch.
struct Batch {
    dsts: Vec<Handle>,
    rooms: Vec<usize>,
    srcs: Vec<Handle>,
    sizes: Vec<usize>,
    attributes: Vec<raw::aclrtMemcpyBatchAttr>,
    firsts: Vec<usize>,
}

impl Batch {
    fn new(from: raw::aclrtMemLocation, to: raw::aclrtMemLocation) -> Self {
        let attribute = raw::aclrtMemcpyBatchAttr { dstLoc: to, srcLoc: from, rsv: [0; 16] };
        Self {
            dsts: Vec::new(),
            rooms: Vec::new(),
            srcs: Vec::new(),
            sizes: Vec::new(),
            attributes: vec![attribute],
            firsts: vec![0],
        }
    }

    fn add(&mut self, dst: Handle, src: Handle, bytes: usize) {
        self.dsts.push(dst);
        self.rooms.push(bytes);
        self.srcs.push(src);
        self.sizes.push(bytes);
    }

    /// Returns the code of the call, and the failed entry.
    fn run(&mut self) -> (i32, usize) {
        let mut failed = 12345;
        let code = code!(aclrtMemcpyBatch(
            self.dsts.as_mut_ptr(),
            self.rooms.as_mut_ptr(),
            self.srcs.as_mut_ptr(),
            self.sizes.as_mut_ptr(),
            self.dsts.len(),
            self.attributes.as_mut_ptr(),
            self.firsts.as_mut_ptr(),
            self.attributes.len(),
            &raw mut failed,
        ));
        (code, failed)
    }

    fn run_v2(&mut self) -> i32 {
        code!(aclrtMemcpyBatchV2(
            self.dsts.as_mut_ptr(),
            self.rooms.as_mut_ptr(),
            self.srcs.as_mut_ptr(),
            self.sizes.as_mut_ptr(),
            self.dsts.len(),
            self.attributes.as_mut_ptr(),
            self.firsts.as_mut_ptr(),
            self.attributes.len(),
        ))
    }

    fn run_on(&mut self, stream: Handle) -> (i32, usize) {
        let mut failed = 12345;
        let code = code!(aclrtMemcpyBatchAsync(
            self.dsts.as_mut_ptr(),
            self.rooms.as_mut_ptr(),
            self.srcs.as_mut_ptr(),
            self.sizes.as_mut_ptr(),
            self.dsts.len(),
            self.attributes.as_mut_ptr(),
            self.firsts.as_mut_ptr(),
            self.attributes.len(),
            &raw mut failed,
            stream,
        ));
        (code, failed)
    }

    fn run_v2_on(&mut self, stream: Handle) -> i32 {
        code!(aclrtMemcpyBatchAsyncV2(
            self.dsts.as_mut_ptr(),
            self.rooms.as_mut_ptr(),
            self.srcs.as_mut_ptr(),
            self.sizes.as_mut_ptr(),
            self.dsts.len(),
            self.attributes.as_mut_ptr(),
            self.firsts.as_mut_ptr(),
            self.attributes.len(),
            stream,
        ))
    }
}

/// Batches of so many entries up to a block of the device, and the host's bytes.
fn up(entries: usize) -> (Batch, Handle, Vec<u8>) {
    let block = device_memory(entries * 100);
    let mut sent = data(entries * 100, 1);
    let mut batch = Batch::new(HOST, device(0));
    for entry in 0..entries {
        batch.add(at(block, entry * 100), at(sent.as_mut_ptr().cast(), entry * 100), 100);
    }
    (batch, block, sent)
}

#[test]
fn s17_batch_copies_to_the_device_and_back() {
    both(&[], || {
        let stream = a_stream();
        for variant in 0..4 {
            let (mut batch, block, sent) = up(33);
            let run = |batch: &mut Batch| match variant {
                0 => assert_eq!(batch.run(), (0, 12345)),
                1 => assert_eq!(batch.run_v2(), 0),
                2 => assert_eq!(batch.run_on(stream), (0, 12345)),
                _ => assert_eq!(batch.run_v2_on(stream), 0),
            };
            run(&mut batch);
            ok!(aclrtSynchronizeStream(stream));
            assert!(read(block, sent.len()) == sent);
            let mut back = vec![0; sent.len()];
            let mut batch = Batch::new(device(0), HOST);
            for entry in 0..33 {
                batch.add(at(back.as_mut_ptr().cast(), entry * 100), at(block, entry * 100), 100);
            }
            run(&mut batch);
            assert!(back == sent);
        }
    });
}

#[test]
fn s17_batch_entries_are_unordered() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let word = device_memory(8);
        let mut last = std::collections::HashSet::new();
        // A destination common to all entries shows the last one; the order is undefined for programs, which
        // this test observes.
        for _ in 0..40 {
            let mut sent: Vec<u64> = (0..8).collect();
            let mut batch = Batch::new(HOST, device(0));
            for value in &mut sent {
                batch.add(word, (&raw mut *value).cast(), 8);
            }
            assert_eq!(batch.run().0, 0);
            last.insert(read(word, 8));
        }
        assert!(last.len() > 2, "{last:?}");
    });
}

/// Makes an entry wrong.
type Break<'a> = &'a dyn Fn(&mut Batch);

#[test]
fn s17_a_wrong_entry_is_named_and_nothing_is_copied() {
    both(&[], || {
        let stream = a_stream();
        let (_, other, _) = up(1);
        let mut host = [0_u8; 100];
        let breaks: [(Break<'_>, i32); 7] = [
            (&|batch| batch.dsts[3] = null_mut(), 100000),
            (&|batch| batch.srcs[3] = null_mut(), 100000),
            (&|batch| batch.rooms[3] = 99, 107000),
            (&|batch| batch.sizes[3] = 101, 107000),
            (&|batch| batch.srcs[3] = other, 107000),
            (&|batch| batch.dsts[3] = at(batch.dsts[3], 7 * 100), 107000),
            (&|batch| batch.dsts[3] = at(null_mut(), 64), 107000),
        ];
        for (index, (break_it, code)) in breaks.into_iter().enumerate() {
            let (mut batch, block, _sent) = up(8);
            break_it(&mut batch);
            assert_eq!(batch.run(), (code, 3), "{index}");
            assert_eq!(batch.run_v2(), code, "{index}");
            assert_eq!(batch.run_on(stream), (code, 3), "{index}");
            assert_eq!(batch.run_v2_on(stream), code, "{index}");
            ok!(aclrtSynchronizeStream(stream));
            assert_eq!(read(block, 800), [0xCD; 800], "{index}");
        }
        // All entries go in one direction.
        let (mut batch, block, _sent) = up(8);
        batch.dsts[3] = host.as_mut_ptr().cast();
        batch.srcs[3] = block;
        assert_eq!(batch.run(), (107000, 3));
    });
}

#[test]
fn s17_attributes_cover_the_entries() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let (mut batch, block, sent) = up(8);
        let attribute = batch.attributes[0];
        for firsts in [vec![1], vec![0, 0], vec![0, 3, 2], vec![0, 8], vec![0; 9]] {
            batch.attributes = vec![attribute; firsts.len()];
            batch.firsts = firsts;
            assert_eq!(batch.run(), (107000, usize::MAX));
        }
        assert_eq!(read(block, 800), [0xCD; 800]);
        // The second one covers the entries from 5 on.
        batch.attributes = vec![attribute, raw::aclrtMemcpyBatchAttr { dstLoc: device(1), ..attribute }];
        batch.firsts = vec![0, 5];
        assert_eq!(batch.run(), (107000, 5));
        assert!(last_error_names("dstLoc"));
        batch.attributes = vec![attribute, raw::aclrtMemcpyBatchAttr { srcLoc: device(0), ..attribute }];
        assert_eq!(batch.run(), (107000, 5));
        batch.attributes = vec![attribute; 2];
        assert_eq!(batch.run().0, 0);
        assert!(read(block, 800) == sent);
    });
}

#[test]
fn s17_null_lists_are_rejected() {
    isolated::run(&[], || {
        let stream = a_stream();
        let (mut batch, _, _sent) = up(2);
        let count = batch.dsts.len();
        let (dsts, rooms, srcs, sizes) = (
            batch.dsts.as_mut_ptr(),
            batch.rooms.as_mut_ptr(),
            batch.srcs.as_mut_ptr(),
            batch.sizes.as_mut_ptr(),
        );
        let (attributes, firsts) = (batch.attributes.as_mut_ptr(), batch.firsts.as_mut_ptr());
        let mut failed = 12345;
        let out = &raw mut failed;
        let none = null_mut();
        assert_eq!(
            code!(aclrtMemcpyBatch(dsts, rooms, srcs, sizes, count, attributes, firsts, 1, none)),
            100000
        );
        let wrong = [
            code!(aclrtMemcpyBatch(null_mut(), rooms, srcs, sizes, count, attributes, firsts, 1, out)),
            code!(aclrtMemcpyBatch(dsts, none, srcs, sizes, count, attributes, firsts, 1, out)),
            code!(aclrtMemcpyBatch(dsts, rooms, null_mut(), sizes, count, attributes, firsts, 1, out)),
            code!(aclrtMemcpyBatch(dsts, rooms, srcs, none, count, attributes, firsts, 1, out)),
            code!(aclrtMemcpyBatch(dsts, rooms, srcs, sizes, 0, attributes, firsts, 1, out)),
            code!(aclrtMemcpyBatch(dsts, rooms, srcs, sizes, count, null_mut(), firsts, 1, out)),
            code!(aclrtMemcpyBatch(dsts, rooms, srcs, sizes, count, attributes, none, 1, out)),
            code!(aclrtMemcpyBatch(dsts, rooms, srcs, sizes, count, attributes, firsts, 0, out)),
            code!(aclrtMemcpyBatchAsync(dsts, rooms, srcs, none, count, attributes, firsts, 1, out, stream)),
        ];
        assert_eq!(wrong, [100000; 9]);
        assert_eq!(failed, usize::MAX);
    });
}

#[test]
fn s17_pinned_entries_run_in_order_and_pageable_ones_at_once() {
    both(&[], || {
        let stream = a_stream();
        let block = device_memory(200);
        let pinned = host_memory(100);
        let mut own = [1_u8; 100];
        // SAFETY: pinned memory of 100 bytes.
        unsafe { pinned.cast::<u8>().write_bytes(1, 100) };
        let mut batch = Batch::new(HOST, device(0));
        batch.add(block, own.as_mut_ptr().cast(), 100);
        batch.add(at(block, 100), pinned, 100);
        let gate = Gate::default();
        gate.hold(stream);
        assert_eq!(batch.run_on(stream).0, 0);
        own.fill(2);
        // SAFETY: as above.
        unsafe { pinned.cast::<u8>().write_bytes(2, 100) };
        gate.open();
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(read(block, 200), [[1; 100], [2; 100]].concat());
    });
}
