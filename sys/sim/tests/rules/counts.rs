// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lengths of arrays are foreign input: one beyond all sense, or of memory that is not there, is a parameter
//! error of CANN and ends no process.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use ascend_acl_sys::raw::types::*;
use ascend_sim::acl::ipc::*;
use ascend_sim::acl::kernels::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::notify::*;
use ascend_sim::acl::virtual_memory::*;
use ascend_sim::hal::addresses::*;
use ascend_sim::stars::*;

use crate::isolated;
use crate::kernels::compiled::Compiled;
use crate::program::{Words, call, last_error, set_device, stream};

/// More entries than any address space holds, and as many as an address space would just hold.
const FORGED: [usize; 3] = [1 << 37, usize::MAX, usize::MAX / 64];
const WRONG: i32 = 107_000;
const HAL_WRONG: i32 = 3;

/// Each code is CANN's for a wrong parameter, and the text names the number.
fn refused(name: &str, count: usize, code: i32, wanted: i32) {
    let text = last_error();
    assert_eq!(code, wanted, "{name} with {count}: {text}");
    assert!(text.contains(&count.to_string()), "{name}: {text}");
}

#[test]
fn s9_s17_s30_forged_lengths_are_parameter_errors() {
    isolated::run(&[], || {
        set_device(0);
        let memory = Words::new(&[0; 8]);
        for count in FORGED {
            let mut place = null_mut();
            let mut attribute = aclrtMallocAttribute::default();
            let mut wishes = aclrtMallocConfig { attrs: &raw mut attribute, numAttrs: count };
            let code = call!(aclrtMallocWithCfg(&raw mut place, 4096, 0, &raw mut wishes));
            refused("aclrtMallocWithCfg", count, code, WRONG);
            let code = call!(aclrtMallocHostWithCfg(&raw mut place, 4096, &raw mut wishes));
            refused("aclrtMallocHostWithCfg", count, code, WRONG);
            assert!(place.is_null());

            let mut word = [7_u64];
            let mut dsts = [memory.at];
            let mut srcs = [word.as_mut_ptr().cast::<c_void>()];
            let (mut rooms, mut sizes, mut firsts, mut failed) = ([8], [8], [0], 0);
            let mut attributes = [aclrtMemcpyBatchAttr::default()];
            for (copies, kinds) in [(count, 1), (count, count)] {
                let code = call!(aclrtMemcpyBatch(
                    dsts.as_mut_ptr(),
                    rooms.as_mut_ptr(),
                    srcs.as_mut_ptr(),
                    sizes.as_mut_ptr(),
                    copies,
                    attributes.as_mut_ptr(),
                    firsts.as_mut_ptr(),
                    kinds,
                    &raw mut failed
                ));
                refused("aclrtMemcpyBatch", count, code, WRONG);
                assert_eq!(failed, usize::MAX);
            }
            let mut rights = aclrtMemAccessDesc::default();
            let code = call!(aclrtMemSetAccess(memory.at, 4096, &raw mut rights, count));
            refused("aclrtMemSetAccess", count, code, WRONG);
            let mut rights = drv_mem_access_desc::default();
            let code = call!(halMemSetAccess(memory.at, 4096, &raw mut rights, count));
            refused("halMemSetAccess", count, code, HAL_WRONG);
            let mut server = aclrtServerPid { sdid: 0, pid: null_mut(), num: 0 };
            let code = call!(aclrtIpcMemImportPidInterServer(c"key".as_ptr(), &raw mut server, count));
            refused("aclrtIpcMemImportPidInterServer", count, code, WRONG);
            let mut process = 1;
            let code = call!(aclrtMemSetPidToShareableHandle(1, &raw mut process, count));
            refused("aclrtMemSetPidToShareableHandle", count, code, WRONG);
        }
        assert_eq!(memory.get(), [0; 8]);
    });
}

#[test]
fn s52_forged_lengths_of_notifies_are_parameter_errors() {
    isolated::run(&[], || {
        set_device(0);
        let mut notify = null_mut();
        assert_eq!(call!(aclrtCreateNotify(&raw mut notify, 0)), 0);
        for count in FORGED {
            let mut process = 1;
            let code = call!(aclrtNotifySetImportPid(notify, &raw mut process, count));
            refused("aclrtNotifySetImportPid", count, code, WRONG);
            let code = call!(aclrtNotifyBatchReset(&raw mut notify, count));
            refused("aclrtNotifyBatchReset", count, code, WRONG);
        }
        assert_eq!(call!(aclrtNotifyBatchReset(&raw mut notify, 1)), 0);
    });
}

#[test]
fn s55_s60_forged_lengths_of_kernels_are_parameter_errors() {
    isolated::run(&[], || {
        set_device(0);
        let mut option = aclrtBinaryLoadOption::default();
        for count in FORGED {
            let options = aclrtBinaryLoadOptions { options: &raw mut option, numOpt: count };
            let mut binary = null_mut();
            let code =
                call!(aclrtBinaryLoadFromData(b"x".as_ptr().cast(), 1, &raw const options, &raw mut binary));
            refused("aclrtBinaryLoadFromData", count, code, WRONG);
        }
        let Some(compiled) = Compiled::from_file("plain.c") else { return };
        let bytes = std::fs::read(&compiled.path).unwrap();
        let (mut binary, mut function, stream) = (null_mut(), null_mut(), stream());
        let code =
            call!(aclrtBinaryLoadFromData(bytes.as_ptr().cast(), bytes.len(), null(), &raw mut binary));
        assert_eq!(code, 0, "{}", last_error());
        assert_eq!(call!(aclrtBinaryGetFunction(binary, c"count".as_ptr(), &raw mut function)), 0);
        let counter = Words::new(&[0]);
        let mut arguments = [counter.address()];
        let at = arguments.as_mut_ptr().cast();
        for count in FORGED {
            let mut attribute = aclrtLaunchKernelAttr::default();
            let mut config = aclrtLaunchKernelCfg { attrs: &raw mut attribute, numAttrs: count };
            let code = call!(aclrtLaunchKernelWithHostArgs(
                function,
                1,
                stream,
                &raw mut config,
                at,
                8,
                null_mut(),
                0
            ));
            refused("aclrtLaunchKernelWithHostArgs (numAttrs)", count, code, WRONG);
            let mut info = aclrtPlaceHolderInfo::default();
            let none = null_mut();
            let code =
                call!(aclrtLaunchKernelWithHostArgs(function, 1, stream, none, at, 8, &raw mut info, count));
            refused("aclrtLaunchKernelWithHostArgs (placeHolderNum)", count, code, WRONG);
        }
        assert_eq!(counter.get(), [0]);
    });
}

#[test]
fn null_arrays_are_parameter_errors() {
    isolated::run(&[], || {
        set_device(0);
        // Nothing is mapped so low.
        let nowhere = std::ptr::without_provenance_mut::<c_void>(4096);
        let mut place = null_mut();
        let mut wishes = aclrtMallocConfig { attrs: nowhere.cast(), numAttrs: 2 };
        assert_eq!(call!(aclrtMallocWithCfg(&raw mut place, 4096, 0, &raw mut wishes)), WRONG);
        assert_eq!(call!(aclrtMemSetPidToShareableHandle(1, nowhere.cast(), 3)), WRONG);
        let mut info = halTaskSendInfo {
            type_: HAL_QUEUE_NORMAL,
            tsId: 0,
            sqId: a_queue(),
            timeout: 1000,
            sqe_addr: nowhere.cast(),
            sqe_num: 5,
            pos: 0,
            res: [0; 8],
        };
        assert_eq!(call!(halSqTaskSend(0, &raw mut info)), HAL_WRONG);
        let text = last_error();
        assert!(text.contains("sqe_addr") && text.contains("0 of 320 bytes"), "{text}");
    });
}

fn a_queue() -> u32 {
    let mut input = halSqCqInputInfo { type_: HAL_QUEUE_NORMAL, ..Default::default() };
    let mut output = halSqCqOutputInfo::default();
    assert_eq!(call!(halSqCqAllocate(0, &raw mut input, &raw mut output)), 0);
    output.sqId
}
