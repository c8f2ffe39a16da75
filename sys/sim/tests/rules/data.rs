// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values for operators, and functions that are there and refuse.

use std::ptr::null_mut;

use ascend_sim::acl::data::*;
use ascend_sim::acl::general::{aclrtGetLastError, aclrtPeekAtLastError};
use ascend_sim::unsupported::*;

use crate::calls::*;
use crate::isolated;

#[test]
fn floats_of_16_bits() {
    for (half, single) in [(0x3c00, 1.0), (0xfbff, -65504.0), (0x0001, 2f32.powi(-24)), (0, 0.0)] {
        assert_eq!((aclFloat16ToFloat(half), aclFloatToFloat16(single)), (single, half));
    }
    assert_eq!((aclFloatToFloat16(1e6), aclFloatToFloat16(f32::NEG_INFINITY)), (0x7c00, 0xfc00));
    assert!(aclFloat16ToFloat(aclFloatToFloat16(f32::NAN)).is_nan());
}

#[test]
fn data_buffers_hold_address_and_length_in_dataset_order() {
    isolated::run(&[], || {
        let mut bytes = [0_u8; 16];
        let at = (&raw mut bytes).cast();
        let (first, second) = (aclCreateDataBuffer(at, 16), aclCreateDataBuffer(null_mut(), 5 << 30));
        assert_eq!((aclGetDataBufferAddr(first), aclGetDataBufferSizeV2(first)), (at, 16));
        assert_eq!((aclGetDataBufferSize(first), aclGetDataBufferSize(second)), (16, u32::MAX));
        ok!(aclUpdateDataBuffer(second, at, 8));
        assert_eq!((aclGetDataBufferAddr(second), aclGetDataBufferSizeV2(second)), (at, 8));

        let set = aclmdlCreateDataset();
        ok!(aclmdlAddDatasetBuffer(set, second));
        ok!(aclmdlAddDatasetBuffer(set, first));
        assert_eq!(aclmdlGetDatasetNumBuffers(set), 2);
        assert_eq!((aclmdlGetDatasetBuffer(set, 0), aclmdlGetDatasetBuffer(set, 1)), (second, first));
        assert!(aclmdlGetDatasetBuffer(set, 2).is_null());
        assert_eq!(code!(aclmdlAddDatasetBuffer(set, null_mut())), 100000);
        ok!(aclmdlDestroyDataset(set));
        assert_eq!(code!(aclmdlDestroyDataset(set)), 100000);
        assert_eq!(aclmdlGetDatasetNumBuffers(set), 0);

        for buffer in [first, second] {
            ok!(aclDestroyDataBuffer(buffer));
        }
        assert_eq!(code!(aclDestroyDataBuffer(first)), 100000);
        assert!(aclGetDataBufferAddr(first).is_null() && last_error().contains("no longer valid"));
        assert_eq!(code!(aclUpdateDataBuffer(null_mut(), at, 1)), 100000);
    });
}

#[test]
fn data_type_sizes_match_the_interface() {
    let sizes = [(0, 4), (1, 2), (2, 1), (9, 8), (17, 16), (27, 2), (36, 1), (29, 0), (-1, 0), (99, 0)];
    for (number, bytes) in sizes {
        assert_eq!(aclDataTypeSize(number), bytes, "{number}");
    }
}

#[test]
fn unsimulated_function_refuses_by_number_and_name() {
    isolated::run(&[], || {
        let cases = [
            (aclrtCreateLabel as extern "C" fn() -> i32, 207000, "aclrtCreateLabel"),
            (aclmdlExecute, 200001, "aclmdlExecute"),
            (aclprofInit, 200001, "aclprofInit"),
            (acltdtCreateQueue, 200001, "acltdtCreateQueue"),
            (HcclCommSuspend, 5, "HcclCommSuspend"),
        ];
        for (function, code, name) in cases {
            assert_eq!(function(), code, "{name}");
            let text = last_error();
            assert!(text.contains(name) && text.contains("simulator"), "{text}");
        }
        assert_eq!((aclrtPeekAtLastError(0), aclrtGetLastError(0)), (200001, 200001));
        assert!(aclmdlCreateDesc().is_null() && last_error().contains("aclmdlCreateDesc"));
        assert_eq!((aclmdlGetNumInputs(), aclprofGetOpFlag()), (0, 255));
        aclopDestroyAttr();
        assert!(last_error().contains("aclopDestroyAttr"));
    });
}
