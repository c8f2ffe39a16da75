// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pools of device memory.

use std::ffi::c_void;
use std::ptr::null_mut;

use ascend_acl_sys::raw::types as raw;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::mem_pool::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::streams::*;
use ascend_sim::context::stream_of;

use super::*;
use crate::isolated;

const THRESHOLD: u32 = raw::ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD;
const RESERVED: u32 = raw::ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT;
const USED: u32 = raw::ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT;
const USED_MOST: u32 = raw::ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH;

fn pool_of(limit: usize) -> *mut c_void {
    let location = raw::aclrtMemLocation { id: 0, type_: raw::ACL_MEM_LOCATION_TYPE_DEVICE };
    let props = raw::aclrtMemPoolProps { location, maxSize: limit, ..Default::default() };
    made!(aclrtMemPoolCreate(&raw const props))
}

fn attribute(pool: *mut c_void, number: u32) -> u64 {
    let mut value = 0_u64;
    ok!(aclrtMemPoolGetAttr(pool, number, (&raw mut value).cast()));
    value
}

fn set(pool: *mut c_void, number: u32, mut value: u64) -> i32 {
    code!(aclrtMemPoolSetAttr(pool, number, (&raw mut value).cast()))
}

#[test]
fn pool_memory_is_used_and_freed_in_stream_order() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let (pool, stream): (_, *mut c_void) = (pool_of(0), made!(aclrtCreateStream()));
        assert_eq!(set(pool, THRESHOLD, 1 << 30), 0);
        let first: *mut c_void = made!(aclrtMemPoolMallocAsync(1000, pool, stream));
        ok!(aclrtMemsetAsync(first, 1000, 7, 1000, stream));
        assert_eq!((attribute(pool, USED), attribute(pool, RESERVED)), (1024, 1024));
        ok!(aclrtMemPoolFreeAsync(first, stream));
        // The same stream may have it at once, though it has not got there.
        let again: *mut c_void = made!(aclrtMemPoolMallocAsync(1000, pool, stream));
        assert_eq!(again, first);
        ok!(aclrtMemsetAsync(again, 1000, 9, 1000, stream));
        ok!(aclrtSynchronizeStream(stream));
        let mut seen = [0_u8; 1000];
        ok!(aclrtMemcpy((&raw mut seen).cast(), 1000, again, 1000, 2));
        assert_eq!(seen, [9; 1000]);
        ok!(aclrtMemPoolFreeAsync(again, stream));
        assert_eq!(code!(aclrtMemPoolFreeAsync(again, stream)), 107000);
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(
            (attribute(pool, USED), attribute(pool, USED_MOST), attribute(pool, RESERVED)),
            (0, 1024, 1024)
        );
        ok!(aclrtMemPoolTrimTo(pool, 0));
        assert_eq!(attribute(pool, RESERVED), 0);
        assert_eq!((set(pool, USED_MOST, 0), attribute(pool, USED_MOST)), (0, 0));
        assert_eq!((set(pool, USED_MOST, 1), set(pool, USED, 0), set(pool, 99, 0)), (100000, 100000, 100000));
        ok!(aclrtMemPoolDestroy(pool));
        assert_eq!(code!(aclrtMemPoolDestroy(pool)), 107000);
    });
}

#[test]
fn other_streams_reuse_memory_only_after_the_freeing_stream() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let before = budget();
        let pool = pool_of(0);
        assert_eq!(set(pool, THRESHOLD, 1 << 30), 0);
        let (one, other): (*mut c_void, *mut c_void) =
            (made!(aclrtCreateStream()), made!(aclrtCreateStream()));
        let device = stream_of(one).unwrap().device.clone();
        device.pause();
        let first: *mut c_void = made!(aclrtMemPoolMallocAsync(4096, pool, one));
        ok!(aclrtMemPoolFreeAsync(first, one));
        let second: *mut c_void = made!(aclrtMemPoolMallocAsync(4096, pool, other));
        assert_ne!(second, first);
        device.resume();
        ok!(aclrtSynchronizeStream(one));
        let third: *mut c_void = made!(aclrtMemPoolMallocAsync(4096, pool, other));
        assert_eq!(third, first);
        // The pool goes with its last piece, and gives all back.
        ok!(aclrtMemPoolDestroy(pool));
        for piece in [second, third] {
            assert_eq!(code!(aclrtFree(piece)), 107000, "it is the pool's");
            ok!(aclrtMemPoolFreeAsync(piece, other));
        }
        ok!(aclrtSynchronizeStream(other));
        assert_eq!(budget(), before);
    });
}

#[test]
fn pool_keeps_its_limit_and_rejects_invalid_ones() {
    isolated::run(&[], || {
        ok!(aclrtSetDevice(0));
        let (pool, stream): (_, *mut c_void) = (pool_of(8192), made!(aclrtCreateStream()));
        let most: *mut c_void = made!(aclrtMemPoolMallocAsync(8192, pool, stream));
        let mut out = null_mut();
        assert_eq!(code!(aclrtMemPoolMallocAsync(&raw mut out, 1, pool, stream)), 207001);
        assert_eq!(code!(aclrtMemPoolMallocAsync(&raw mut out, 0, pool, stream)), 100000);
        assert_eq!(code!(aclrtMemPoolMallocAsync(null_mut(), 1, pool, stream)), 100000);
        // Without a threshold memory leaves the pool as soon as it is back.
        ok!(aclrtMemPoolFreeAsync(most, stream));
        ok!(aclrtSynchronizeStream(stream));
        assert_eq!(attribute(pool, RESERVED), 0);
        let host = raw::aclrtMemPoolProps::default();
        assert_eq!(code!(aclrtMemPoolCreate(&raw mut out, &raw const host)), 207000);
        assert_eq!(code!(aclrtMemPoolCreate(&raw mut out, std::ptr::null())), 100000);
        assert_eq!(code!(aclrtMemPoolFreeAsync(null_mut(), stream)), 100000);
    });
}
