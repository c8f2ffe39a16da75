// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Register functions of the 950 are ordered as instructions of the vector pipe, by the bytes they touch.

use crate::launch;
use crate::program::Words;

const COUNT: usize = 64;

/// 64 floats, 64 results, 64 indexes.
fn memory(index: impl Fn(u32) -> u32) -> Words {
    let floats = (0..COUNT as u32).map(|i| if i.is_multiple_of(3) { 0 } else { (i as f32).to_bits() });
    let fresh = std::iter::repeat_n(0, COUNT);
    let words: Vec<u32> = floats.chain(fresh).chain((0..COUNT as u32).map(index)).collect();
    Words::new(&words.chunks(2).map(|two| u64::from(two[0]) | u64::from(two[1]) << 32).collect::<Vec<_>>())
}

fn results(memory: &Words) -> Vec<f32> {
    let words = memory.get().into_iter().flat_map(|word| [word as u32, (word >> 32) as u32]);
    words.skip(COUNT).take(COUNT).map(f32::from_bits).collect()
}

fn element(i: usize) -> f32 {
    if i.is_multiple_of(3) { 0.0 } else { i as f32 }
}

/// Runs a case that must fault, and checks the parts of its text.
fn faults(kernel: &str, which: u64, index: impl Fn(u32) -> u32 + Copy, parts: &[&str]) {
    launch::with("registers.cpp", &[], |kernels| {
        let text = kernels.fault(kernel, 1, &[memory(index).address(), which]);
        for part in parts {
            assert!(text.contains(part), "{kernel} {which}: no {part} in: {text}");
        }
    });
}

/// Runs a case that must be right, in every schedule and in eager mode.
fn is_right(
    kernel: &str,
    which: u64,
    index: impl Fn(u32) -> u32 + Copy,
    expected: impl Fn(usize) -> f32 + Copy,
) {
    let body = |kernels: &launch::Kernels| {
        let memory = memory(index);
        kernels.run(kernel, 1, &[memory.address(), which]);
        for (i, found) in results(&memory).into_iter().enumerate() {
            assert_eq!(found.to_bits(), expected(i).to_bits(), "{kernel} {which}: element {i}: {found}");
        }
    };
    launch::with_schedules("registers.cpp", body);
    launch::with("registers.cpp", &[("KERNELS", "eager")], body);
}

#[test]
fn k08_register_function_is_ordered_with_copies() {
    faults("called", 0, |i| i, &["K8", "asc_vf_call (pipe V) reads byte 0", "MTE2_V is missing"]);
    faults("called", 1, |i| i, &["K8", "asc_vf_call (pipe V)", "V_MTE3 is missing"]);
    is_right("called", 2, |i| i, |i| 2.0 * element(i));
}

/// The second copy arrives at 2048 while the function runs: a hazard for the indexes that lead there.
#[test]
fn k08_gather_is_a_hazard_where_its_indexes_lead() {
    faults("indexed", 0, |i| if i == 40 { 512 } else { i }, &["K8", "asc_vf_call (pipe V) reads byte 2048"]);
    is_right("indexed", 0, |i| 63 - i, |i| element(63 - i));
    faults("indexed", 3, |i| if i == 40 { 512 } else { i }, &["K8", "asc_vf_call (pipe V) writes byte 2048"]);
    is_right("indexed", 3, |i| i, |_| 1.0);
}

#[test]
fn k05_index_stays_in_the_unified_buffer() {
    faults(
        "indexed",
        0,
        |i| if i == 3 { 1 << 20 } else { 0 },
        &["K5", "registers.cpp:", "Gather: an index leads to byte"],
    );
    faults(
        "indexed",
        3,
        |i| if i == 3 { 1 << 20 } else { 0 },
        &["K5", "registers.cpp:", "Scatter: an index leads to byte"],
    );
}

#[test]
fn k18_gather_reads_written_elements() {
    faults("indexed", 0, |i| if i == 3 { 8000 } else { 0 }, &["K18", "byte 32000"]);
}

/// The flag before the function is set after the call.
#[test]
fn gather_waits_for_a_flag_that_is_set_later() {
    let body = |kernels: &launch::Kernels| {
        let memory = memory(|i| 63 - i);
        kernels.run("indexed", 1, &[memory.address(), 4]);
        for (i, found) in results(&memory).into_iter().enumerate() {
            assert_eq!(found.to_bits(), element(63 - i).to_bits(), "element {i}: {found}");
        }
    };
    launch::with_schedules("registers.cpp", body);
}

#[test]
fn k18_masks_of_comparisons_decide_what_is_stored() {
    faults("masked", 0, |i| i, &["K18", "DataCopy reads byte 1024"]);
    is_right("masked", 1, |i| i, |i| if i.is_multiple_of(3) { 3.0 } else { i as f32 });
}

#[test]
fn k08_load_behind_a_store_needs_a_barrier() {
    faults(
        "within",
        0,
        |i| i,
        &[
            "K8",
            "LoadAlign reads byte 1024",
            "LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>() is missing",
        ],
    );
    is_right("within", 6, |i| i, |_| 0.0);
}

#[test]
fn k06_unaligned_calls_come_in_their_order() {
    faults("within", 1, |i| i, &["K6", "LoadUnAlignPre comes before"]);
    faults("within", 2, |i| i, &["K6", "StoreUnAlignPost is missing"]);
    is_right("within", 5, |i| i, |_| 0.0);
}

#[test]
fn k04_loads_of_registers_are_aligned() {
    faults("within", 3, |i| i, &["K4", "LoadAlign: the address 4 is not a multiple of 32"]);
    is_right("within", 4, |i| i, |_| 0.0);
}

#[test]
fn block_of_register_code_is_ordered_as_a_function() {
    faults("blocks", 0, |i| i, &["K8", "__VEC_SCOPE__ (pipe V) reads byte 0", "MTE2_V is missing"]);
    faults("blocks", 1, |i| i, &["K9", "__VEC_SCOPE__: pipe V waits at", "set it before"]);
    faults("blocks", 2, |i| i, &["K8", "__VEC_SCOPE__ (pipe V)", "V_MTE3 is missing"]);
    is_right("blocks", 3, |i| i, |i| 3.0 * element(i));
}
