// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every form of copy and of scalar access works, in every order and in eager mode; barriers through memory.

use crate::launch;
use crate::program::Words;

const HALF: usize = 2048;

/// Returns bytes that differ from their neighbours, and between the halves.
fn pattern() -> Vec<u8> {
    (0..2 * HALF).map(|at| (at * 7 + at / 256) as u8).collect()
}

fn words_of(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
}

fn bytes_of(memory: &Words) -> Vec<u8> {
    memory.get().into_iter().flat_map(u64::to_le_bytes).collect()
}

/// Runs a kernel on some memory, in every mode, and compares the result.
fn check(file: &str, kernel: &str, blocks: u32, arguments: &[u64], before: &[u8], after: &[u8]) {
    let body = |kernels: &launch::Kernels| {
        let memory = Words::new(&words_of(before));
        let words: Vec<u64> = [memory.address()].into_iter().chain(arguments.iter().copied()).collect();
        kernels.run(kernel, blocks, &words);
        let found = bytes_of(&memory);
        for (at, (found, expected)) in found.iter().zip(after).enumerate() {
            assert_eq!(found, expected, "{kernel}: byte {at}");
        }
    };
    launch::with_schedules(file, body);
    launch::with(file, &[("KERNELS", "eager")], body);
}

/// The kernel leaves the first half, and writes into the second what `write` does (to, from).
fn copies(kernel: &str, write: impl Fn(&mut [u8], &[u8])) {
    let before = pattern();
    let mut after = before.clone();
    let (from, to) = after.split_at_mut(HALF);
    write(to, from);
    check("copies.cpp", kernel, 1, &[], &before, &after);
}

#[test]
fn plain_copies() {
    copies("plain", |to, from| to[..256].copy_from_slice(&from[..256]));
}

#[test]
fn blocks_with_gaps() {
    copies("blocks", |to, from| {
        for piece in 0..4 {
            to[piece * 64..][..32].copy_from_slice(&from[piece * 96..][..32]);
        }
    });
}

#[test]
fn rows_of_odd_length_at_odd_places() {
    copies("rows", |to, from| {
        for row in 0..5 {
            to[1 + row * 7..][..7].copy_from_slice(&from[3 + row * 16..][..7]);
        }
    });
}

#[test]
fn rows_with_padding() {
    copies("padding", |to, from| {
        for row in 0..3 {
            let block = &mut to[row * 32..][..32];
            for word in block.chunks_exact_mut(4) {
                word.copy_from_slice(&9.5_f32.to_le_bytes());
            }
            block[8..20].copy_from_slice(&from[row * 12..][..12]);
        }
    });
}

#[test]
fn local_to_local() {
    copies("local_copies", |to, from| {
        to[..64].copy_from_slice(&from[64..128]);
        to[64..128].copy_from_slice(&from[..64]);
    });
}

#[test]
fn a_queue_between_two_copies() {
    copies("bound_queue", |to, from| to.copy_from_slice(from));
}

#[test]
fn two_queues_with_the_vector_pipe_between() {
    copies("two_queues", |to, from| to.copy_from_slice(from));
}

#[test]
fn scalars_of_both_memories() {
    copies("scalars", |to, _| {
        for (word, value) in to.chunks_exact_mut(4).zip([42_u32, 43, 512, 504]) {
            word.copy_from_slice(&value.to_le_bytes());
        }
    });
}

#[test]
fn raw_pointers_to_the_unified_buffer() {
    copies("raw_pointers", |to, from| to[..100].copy_from_slice(&from[..100]));
}

#[test]
fn kernels_write_and_follow_their_own_addresses() {
    copies("own_addresses", |to, from| {
        let word = |at: usize| u32::from_le_bytes(from[4 * at..][..4].try_into().unwrap());
        to[..64].copy_from_slice(&from[..64]);
        for (at, value) in [7, word(0).wrapping_add(word(1)), 16, 1].into_iter().enumerate() {
            to[4 * at..][..4].copy_from_slice(&value.to_le_bytes());
        }
    });
}

#[test]
fn k05_dereferenced_offset_is_a_fault_and_the_process_survives() {
    for mode in ["checked", "eager"] {
        launch::with("copies.cpp", &[("KERNELS", mode)], |kernels| {
            let memory = Words::bytes(2 * HALF);
            for _ in 0..2 {
                let text = kernels.fault("made_up_pointer", 2, &[memory.address(), 64]);
                for part in ["K5", "0x40", "after the call at copies.cpp:", "GetPhyAddr"] {
                    assert!(text.contains(part), "no {part} in: {text}");
                }
            }
            kernels.run("plain", 2, &[memory.address()]);
        });
    }
}

#[test]
fn k08_k18_writes_through_references_are_tracked() {
    launch::with("copies.cpp", &[], |kernels| {
        let memory = Words::bytes(2 * HALF);
        kernels.run("references", 1, &[memory.address(), 0]);
        assert_eq!(memory.get()[HALF / 8..][..4], [1 << 32, 2 | 3 << 32, 4 | 5 << 32, 6 | 7 << 32]);
        let text = kernels.fault("references", 1, &[memory.address(), 1]);
        assert!(text.contains("K8") && text.contains("operator()") && text.contains("S_MTE3"), "{text}");
        let text = kernels.fault("references", 1, &[memory.address(), 2]);
        assert!(text.contains("K18"), "{text}");
    });
}

#[test]
fn k18_raw_pointer_stores_mark_memory_as_written() {
    launch::with("copies.cpp", &[], |kernels| {
        for which in 0..3 {
            let memory = Words::bytes(2 * HALF);
            kernels.run("raw_stores", 1, &[memory.address(), which]);
            assert_eq!(memory.get()[HALF / 8..][..3], [1 << 32, 2 | 3 << 32, 4 | 5 << 32], "{which}");
        }
        let memory = Words::bytes(2 * HALF);
        let text = kernels.fault("raw_stores", 1, &[memory.address(), 3]);
        assert!(text.contains("K18") && text.contains("byte 0 of"), "{text}");
    });
}

#[test]
fn k13_atomic_copies_combine() {
    let numbers: Vec<u8> = (0..2 * HALF / 4).flat_map(|at| (at as f32 - 520.5).to_le_bytes()).collect();
    let mut after = numbers.clone();
    for (at, word) in after[HALF..].chunks_exact_mut(4).take(16).enumerate() {
        let before = f32::from_le_bytes((&*word).try_into().unwrap());
        let now = if at < 8 { before + 10.0 } else { before.max(1.0) };
        word.copy_from_slice(&now.to_le_bytes());
    }
    check("copies.cpp", "atomic_floats", 1, &[], &numbers, &after);
}

/// Returns memory with the given first words in its first blocks of 32 bytes.
fn lines(words: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; 2 * HALF];
    for (line, word) in bytes.chunks_exact_mut(32).zip(words) {
        line[..4].copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// As [`check`], of the first half alone: the second is the blocks' to meet in.
fn meetings(kernel: &str, blocks: u32, arguments: &[u64], after: &[u32]) {
    let body = |kernels: &launch::Kernels| {
        let memory = Words::new(&[0; 2 * HALF / 8]);
        let words: Vec<u64> = [memory.address()].into_iter().chain(arguments.iter().copied()).collect();
        kernels.run(kernel, blocks, &words);
        assert_eq!(bytes_of(&memory)[..HALF], lines(after)[..HALF], "{kernel} of {blocks} blocks");
    };
    launch::with_schedules("meetings.cpp", body);
    launch::with("meetings.cpp", &[("KERNELS", "eager")], body);
}

#[test]
fn k14_blocks_synchronise_through_a_workspace() {
    for blocks in [1, 2, 5] {
        let mut words: Vec<u32> = (1..=blocks).collect();
        for _ in 0..3 {
            let next = |at: usize| words[(at + 1) % words.len()];
            words = (0..words.len()).map(|at| words[at] + next(at)).collect();
        }
        meetings("in_step", blocks, &[0], &words);
        meetings("in_step", blocks, &[u64::from(blocks)], &words);
    }
}

#[test]
fn k14_blocks_notify_their_successor() {
    meetings("chain", 6, &[], &[100, 101, 102, 103, 104, 105]);
}

#[test]
fn k14_workspaces_are_large_enough_and_zero() {
    let expected = [
        "K14: meetings.cpp:",
        "usedCores is 3; the launch has 2 cores",
        "the workspace must be zero at the launch",
        "IBSet: the workspace has 16 bytes, it needs",
        "SyncAll: the buffer needs 64 bytes",
    ];
    launch::with("meetings.cpp", &[], |kernels| {
        for (which, expected) in expected.iter().enumerate() {
            let memory = Words::new(&words_of(&pattern()));
            let text = kernels.fault("wrong_workspace", 2, &[memory.address(), which as u64]);
            assert!(text.contains(expected), "{which}: {text}");
        }
    });
}
