// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of the library keep the rules: hazards (K8), bounds (K5), parameters (K6). Their results:
//! `tests/c/kernel_samples`.

use crate::program::Words;
use crate::{compiled, launch};

/// Functions of the kernel `reads`, by number.
const FUNCTIONS: [&str; 20] = [
    "SoftmaxFlash",
    "LogSoftMax",
    "AdjustSoftMaxRes",
    "LayerNormGrad",
    "LayerNormGradBeta",
    "DeepNorm",
    "GroupNorm",
    "WelfordUpdate",
    "WelfordFinalize",
    "CumSum",
    "Digamma",
    "Pad",
    "UnPad",
    "DropOut",
    "AscendQuant",
    "AscendDequant",
    "AscendAntiQuant",
    "TopK",
    "Broadcast",
    "ReduceXorSum",
];

/// The same of the 950.
const FUNCTIONS_OF_THE_950: [&str; 12] = [
    "Fma",
    "Where",
    "Clamp",
    "BitwiseXor",
    "LogicalAnds",
    "IsFinite",
    "SinCos",
    "Quantize",
    "AscendQuant",
    "AscendDequant",
    "Sort",
    "Broadcast",
];

/// Runs each case of `reads` without the flag, which must be found, and with it.
fn check_reads(file: &str, functions: &[&str]) {
    launch::with(file, &[], |kernels| {
        let memory = Words::new(&[0; 128]);
        for (which, name) in functions.iter().enumerate() {
            let words = |is_ordered| [memory.address(), which as u64, is_ordered];
            let text = kernels.fault("reads", 1, &words(0));
            for part in ["K8", file, &format!("hazard: {name} (pipe V) reads"), "MTE2_V"] {
                assert!(text.contains(part), "{name}: no {part} in: {text}");
            }
            kernels.run("reads", 1, &words(1));
        }
    });
}

/// Runs each case of `refuses`, and checks the text of its fault.
fn check_refusals(file: &str, expected: &[&str]) {
    launch::with(file, &[], |kernels| {
        let memory = Words::new(&[0; 128]);
        for (which, part) in expected.iter().enumerate() {
            let text = kernels.fault("refuses", 1, &[memory.address(), which as u64]);
            assert!(text.contains("K6") && text.contains(part), "{which}: no {part} in: {text}");
        }
    });
}

#[test]
fn k08_library_functions_declare_what_they_read() {
    check_reads("library.cpp", &FUNCTIONS);
}

#[test]
fn k08_library_functions_of_the_950_declare_what_they_read() {
    check_reads("library_950.cpp", &FUNCTIONS_OF_THE_950);
}

#[test]
fn k06_parameters_of_library_functions_of_the_950_have_limits() {
    let expected = [
        "Rint: dst overlaps src",
        "Quantize: groupSize is 0, must be 1 or more",
        "AscendQuant: calCount is 31, must be m times n, 2 and 16",
        "AscendDequant: calCount is 33, must be m times n, 2 and 16",
        "along axis 1 the source has 3 elements, which are neither 1 nor the 8 of the result",
        "Broadcast: there are 10 dimensions; 1 to 9 are possible",
    ];
    check_refusals("library_950.cpp", &expected);
}

#[test]
fn k06_parameters_of_library_functions_have_limits() {
    let expected = [
        "CumSum: inner is 5 elements, must be a multiple of 32 bytes",
        "WelfordUpdate: rnLength is 2, must be 1",
        "WelfordUpdate: abLength is 12 elements, must be a multiple of 32 bytes",
        "headCountLength and tailCountLength are 3 and 3, together they must be abLength, 8",
        "GroupNorm: 3 channels are not divided by 2 groups",
        "GroupNorm: hw is 7 elements, must be a multiple of 32 bytes",
        "Pad: rows of 7 elements become 9, must become 8, the next multiple of 32 bytes",
        "Pad: rows of 8 elements are whole blocks of 32 bytes: leftPad must be 0",
        "UnPad: rows are 7 elements, must be a multiple of 32 bytes",
        "DropOut: keepProb is 1, must be between 0 and 1",
        "DropOut: maskLastAxis is 14 for rows of 16 elements; must be even, and hold them",
        "AscendQuant: scaleCount is 0",
        "AscendDequant: rows are 12 elements, must be a multiple of 32 bytes",
        "AscendDequant: calCount is 9 of 8 elements of a row",
        "AscendAntiQuant: k is 4, and there are 3 groups",
        "TopK: inner is 40, must be a multiple of 32, at most 4096",
        "TopK: k is 33, must be 1 to n, 32",
        "TopK: here srcIndexLocal is for one row alone, and there are 2",
        "Broadcast: rows are 7 elements, must be a multiple of 32 bytes",
        "LogSoftMax: dst overlaps src",
        "SoftmaxFlash: 9 elements of a row count, and a row has 8",
        "CumSum: dstTensor overlaps srcTensor",
        "LayerNormGrad: here the format is ND alone",
    ];
    check_refusals("library.cpp", &expected);
}

#[test]
fn k05_library_functions_stay_in_their_buffers() {
    launch::with("library.cpp", &[], |kernels| {
        let text = kernels.fault("leaves", 1, &[0]);
        assert!(text.contains("K5") && text.contains("CumSum: dstTensor"), "{text}");
    });
}

#[test]
fn library_functions_of_another_product_or_type_do_not_compile() {
    let expected = [
        "is on the 950 alone: A2 and A3 have none",
        "is on the 950 alone: A2 and A3 have none",
        "Broadcast by a tiling is on the 950 alone",
        "CumSum is for half and float",
        "DropOut has the modes 0 to 4",
        "matrices of fractals (isDataFormatNZ) do not exist here",
        "here the source is int8_t alone",
        "this function is for half and float",
    ];
    for (case, part) in (1..).zip(expected) {
        let Some(text) = compiled::refusal("library.cpp", case) else { return };
        assert!(text.contains(part), "{case}: no {part} in: {text}");
    }
    assert_eq!(compiled::refusal("library.cpp", 0).unwrap(), "");
}
