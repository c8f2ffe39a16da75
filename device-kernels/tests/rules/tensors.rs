// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K3 to K6, K10, K11, K13, K18: buffers, operands, parameters, queues, atomic copies, unwritten bytes.

use crate::program::Words;
use crate::{compiled, launch};

/// Memory for the kernels of `tensors.cpp`.
fn memory() -> Words {
    Words::new(&[0; 512])
}

/// Runs each case of a kernel, and checks the text of its fault, or that it succeeds if the text is empty.
fn check(kernel: &str, rule: &str, outcomes: &[&str]) {
    check_with(&[], kernel, rule, outcomes);
}

fn check_with(knobs: &[(&str, &str)], kernel: &str, rule: &str, outcomes: &[&str]) {
    launch::with("tensors.cpp", knobs, |kernels| {
        for (which, expected) in outcomes.iter().enumerate() {
            let words = [memory().address(), which as u64];
            if expected.is_empty() {
                kernels.run(kernel, 1, &words);
                continue;
            }
            let text = kernels.fault(kernel, 1, &words);
            let what = format!("kernel {kernel}");
            for part in [rule, "tensors.cpp:", "block 0 of 1", &what, expected] {
                assert!(text.contains(part), "{which}: no {part} in: {text}");
            }
        }
    });
}

#[test]
fn k03_buffers_fit() {
    let expected = [
        "has 0 bytes",
        "takes 65568 bytes of the unified buffer, together with what is taken 196640: 196608 are there",
        "is buffer 65; a pipe has 64",
        "has 0 buffers",
        "makes a second TPipe",
        "",
        "",
        "",
        "Duplicate writes byte 188415 of the unified buffer, of which the runtime keeps the last 8448",
    ];
    check("capacity", "K3", &expected);
}

#[test]
fn k04_operands_are_aligned() {
    let expected = [
        "DataCopy: dst begins at byte 16 of local memory, which is not a multiple of 32",
        "DataCopy: src is at",
        "DataCopy: 48 bytes are not a multiple of 32",
        "DataCopyPad: dst begins at byte 8",
        "DataCopyPad: src begins at byte 8",
        "SetValue: the address",
        "SetValue: the element begins at byte 2",
        "DataCopy: src begins at byte 8",
        "LocalTensor: address begins at byte 20",
        "",
    ];
    check("alignment", "K4", &expected);
}

#[test]
fn k04_unaligned_copies_are_truncated_without_strict_mode() {
    launch::with("copies.cpp", &[("STRICT", "0")], |kernels| {
        let memory = memory();
        kernels.run("odd_length", 1, &[memory.address()]);
        let words = memory.get();
        assert_eq!(words[256..262], [!0, !0, !0, !0, 0, 0]);
    });
}

#[test]
fn k05_operands_are_inside_their_memory() {
    let expected = [
        "DataCopy: dst needs 64 bytes at byte 992 of a buffer of 1024 bytes",
        "DataCopy reads 64 bytes at byte 4064 of a global tensor of 4096 bytes",
        "DataCopy reads 64 bytes at",
        "SetValue: the element needs 1 bytes at byte 1024",
        "SetValue: byte 4096 of a global tensor of 4096 bytes",
        "GetValue reads 1 bytes at",
        "DataCopy: dst has no memory",
        "TBuf::Get: the part needs 32 bytes at byte 1024",
        "DataCopy writes bytes 393216 to 393248 of the unified buffer, which has 196608",
        "DataCopyPad: dst needs 1088 bytes at byte 0",
        "DataCopyPad reads 4532 bytes at byte 0 of a global tensor of 4096 bytes",
        "",
    ];
    check("bounds", "K5", &expected);
    check_with(&[("KERNELS", "eager")], "bounds", "K5", &expected);
}

#[test]
fn k06_parameters_have_limits() {
    let expected = [
        "DataCopy: blockCount is 4096, at most 4095",
        "DataCopyPad: blockCount is 4096, at most 4095",
        "DataCopyPad: blockLen is 2097152 bytes, at most 2097151",
        "DataCopyPad: blockLen is 6 bytes, not a multiple of the element's 4",
        "DataCopyPad: leftPadding is 36 bytes, at most 32",
        "DataCopyPad: paddingValue of a 64-bit type must be 0",
        "DataCopy: there is no copy from global memory to L0A",
        "IBWait: blockIdx is 1000, below 1",
        "",
    ];
    check("parameters", "K6", &expected);
}

#[test]
fn k10_invalid_calls_do_not_compile() {
    let expected = [
        (1, "the scalar pipe has no barrier"),
        (2, "atomic copies exist for"),
        (3, "modes of CrossCoreSetFlag"),
        (4, "a queue of depth 0 has AllocTensor(tensor) alone"),
        (5, "no matching"),
        (6, "no matching"),
        (7, "no matching"),
        (8, "expected"),
        (9, "pipes of CrossCoreSetFlag are"),
        (10, "buffers at this position do not exist here"),
    ];
    for (case, expected) in expected {
        let Some(text) = compiled::refusal("refused.cpp", case) else { return };
        assert!(text.contains(expected), "case {case}: {text}");
    }
    assert_eq!(compiled::refusal("refused.cpp", 0).unwrap(), "");
}

#[test]
fn k11_queue_misuse_is_reported() {
    let expected = [
        "DeQue: the queue is empty",
        "AllocTensor: none of the queue's 2 buffers is free",
        "FreeTensor: the tensor is not one of the queue's",
        "",
        "EnQue: 1 tensors are in the queue, whose depth is 1",
        "FreeTensor: the tensor is free since tensors.cpp:",
        "AllocTensor: the queue has no buffers",
        "EnQue: the tensor begins 32 bytes behind",
        "EnQue: the tensor is in the queue since tensors.cpp:",
        "InitBuffer: the queue has buffers already",
        "",
        "SetFlag<MTE2_MTE3>: a queue between the same pipes may be using flag 0",
        "",
        "AllocTensor: 8 tensors of queues at this position are allocated",
        "TPipe is copied while it is in use",
    ];
    check("queues", "K11", &expected);
    check_with(&[("KERNELS", "eager")], "queues", "K11", &expected);
}

#[test]
fn k11_tensors_that_are_not_freed_are_warned_of() {
    // At the end of TPipe, and at its Reset. A place is warned of once in a process.
    for which in [3, 10] {
        launch::with("tensors.cpp", &[], |kernels| {
            let text = kernels.warnings("queues", 1, &[memory().address(), which]);
            for part in ["K11: tensors.cpp:", "is still allocated when TPipe takes its memory back"] {
                assert!(text.contains(part), "{which}: {text}");
            }
        });
    }
}

#[test]
fn k09_flags_are_allocated_from_and_returned_to_the_pipe() {
    check("numbers", "K9", &["flag 0 of MTE2_MTE3 is not taken", "all 6 flags of MTE2_S are taken"]);
}

#[test]
fn k13_atomic_copies_are_of_whole_elements_and_end() {
    let expected = [
        "",
        "combines elements of 4 bytes, but rows of 6 bytes",
        "combines elements of 4 bytes, but rows of 4 bytes",
        "",
    ];
    check("atomics", "K13", &expected);
    launch::with("tensors.cpp", &[], |kernels| {
        let text = kernels.warnings("atomics", 1, &[memory().address(), 0]);
        assert!(text.contains("K13: tensors.cpp:") && text.contains("copies are still atomic"), "{text}");
        assert_eq!(kernels.warnings("atomics", 1, &[memory().address(), 3]), "");
    });
}

#[test]
fn k18_reads_of_unwritten_bytes_are_faults() {
    let expected = [
        "DataCopy reads byte 0 of",
        "GetValue reads byte 5 of",
        "DataCopy reads byte 63 of",
        "GetValue reads byte 40 of",
        "",
    ];
    check("unwritten", "K18", &expected);
}
