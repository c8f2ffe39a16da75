// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Declarations of Ascend C: the emulation declares those of the table, and our sources compile against them.
//!
//! ```text
//!   table.cpp   every name that the emulation offers, with its types ──┬─ the emulation, for A2/A3 and for the 950
//!                                                                      └─ standin/, in both generations of CANN
//!   further.cpp, forms.cpp, library.cpp, traits.cpp, registers.cpp,
//!   threads.cpp, c_interface.cpp, cubes.cpp: of others' kernels ────── the emulation alone
//!   host.cpp: of host code beside kernels ──────────────────────────── the emulation alone
//!   our headers, kernels and examples ───────────────────────────────── standin/, for both kinds of cores
//! ```
//! So the emulation cannot accept code that the device's compiler refuses, as far as types go.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test ends where it fails")]

mod names;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The generations, with the products that each is compiled for here.
const GENERATIONS: [(&str, &str); 3] = [("81", "2201"), ("26", "2201"), ("26", "3510")];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds a compiler call with these folders for headers; `None` without a compiler.
fn compiler(folders: &[&str]) -> Option<Command> {
    let named = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    if Command::new(&named).arg("--version").output().is_err() {
        println!("skip signatures: no C++ compiler {}", Path::new(&named).display());
        return None;
    }
    let mut command = Command::new(named);
    command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror"]);
    for folder in folders {
        command.arg("-I").arg(here().join(folder));
    }
    Some(command)
}

fn standin(generation: &str, product: &str) -> Option<Command> {
    let mut command = compiler(&["tests/signatures/standin", "include", "include/shmem"])?;
    // Unlike the device's compiler, the host's knows no address spaces.
    command.arg("-DMF_ONE_ADDRESS_SPACE");
    command.arg(format!("-DCANN_GENERATION={generation}")).arg(format!("-D__NPU_ARCH__={product}"));
    Some(command)
}

fn check(output: &Output, what: &str) {
    let text = [&output.stdout[..], &output.stderr].concat();
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&text));
}

/// Compiles a table and runs it.
fn check_table(mut command: Command, table: &str, name: &str) {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("signatures-{table}-{name}"));
    let source = here().join("tests/signatures").join(table);
    check(&command.arg(source).arg("-o").arg(&program).output().unwrap(), name);
    check(&Command::new(program).output().unwrap(), name);
}

#[test]
fn emulation_declares_the_table_signatures() {
    let tables = [
        "table.cpp",
        "further.cpp",
        "forms.cpp",
        "library.cpp",
        "traits.cpp",
        "cubes.cpp",
        "host.cpp",
        "layouts.cpp",
    ];
    for (product, table) in tables
        .into_iter()
        .flat_map(|table| [("2201", table), ("3510", table)])
        .chain([("3510", "registers.cpp"), ("3510", "threads.cpp")])
        .chain([("2201", "c_interface.cpp"), ("3510", "c_interface.cpp")])
    {
        let folders = ["emulation/include", "emulation/host", "../sys/sim/include"];
        let Some(mut command) = compiler(&folders) else { return };
        command.arg(format!("-D__NPU_ARCH__={product}"));
        if table != "table.cpp" {
            // Types alone: other tests cover their behaviour.
            command.arg("-fsyntax-only");
            check(&command.arg(here().join("tests/signatures").join(table)).output().unwrap(), product);
        } else {
            check_table(command, table, &format!("emulation-{product}"));
        }
    }
}

#[test]
fn stand_in_declares_the_table_signatures() {
    for (generation, product) in GENERATIONS {
        let Some(command) = standin(generation, product) else { return };
        check_table(command, "table.cpp", &format!("standin-{generation}-{product}"));
    }
}

fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [
        "include",
        "include/shmem",
        "include/shmem/device",
        "include/shmem/device/gm2gm",
        "include/shmem/device/team",
        "include/shmem/device/ub2gm",
        "kernels",
        "../examples/kernels",
        "../tests/c/cann_shmem/kernels",
    ] {
        found.extend(fs::read_dir(here().join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    found.push(here().join("../examples/shmem/ring.cpp"));
    found.push(here().join("../examples/matmul_allreduce/kernel.cpp"));
    let examples = fs::read_dir(here().join("../examples/shmem")).unwrap();
    found.extend(examples.map(|entry| entry.unwrap().path().join("kernel.cpp")).filter(|source| {
        // Launches by <<<…>>> are for CANN's compiler.
        fs::read_to_string(source).is_ok_and(|text| !text.contains("<<<"))
    }));
    let is_for_kernels = |path: &PathBuf| {
        let known = path.extension().is_some_and(|kind| kind == "h" || kind == "cpp");
        known && path.file_name().is_some_and(|name| name != "main.cpp")
    };
    found.retain(is_for_kernels);
    found.sort();
    assert!(found.len() > 20, "{found:?}");
    found
}

#[test]
fn our_headers_and_kernels_compile_against_the_stand_in() {
    let all: String = sources().iter().map(|source| format!("#include \"{}\"\n", source.display())).collect();
    let together = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signatures-all.cpp");
    fs::write(&together, all).unwrap();
    for (generation, product) in GENERATIONS {
        for core in ["1", "2"] {
            let Some(mut command) = standin(generation, product) else { return };
            command.args(["-fsyntax-only", &format!("-DCORE={core}")]).arg(&together);
            check(&command.output().unwrap(), &format!("CANN {generation}, {product}, core {core}"));
        }
    }
}

#[test]
fn each_header_stands_alone() {
    for header in sources().iter().filter(|source| source.extension().is_some_and(|kind| kind == "h")) {
        let Some(mut command) = standin("81", "2201") else { return };
        // Through a file that includes it: a header as the source is warned of.
        let alone = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signatures-alone.cpp");
        fs::write(&alone, format!("#include \"{}\"\n", header.display())).unwrap();
        check(&command.arg("-fsyntax-only").arg(&alone).output().unwrap(), &header.display().to_string());
    }
}

/// Atomic operations of CANN SHMEM that cores of A2 and A3 have no instruction for.
#[test]
fn unsupported_atomics_are_refused_per_chip() {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signatures-words.cpp");
    for call in ["aclshmem_int64_atomic_add", "aclshmem_int64_atomic_swap", "aclshmemx_mte_atomic_fetch_add"]
    {
        let text = format!(
            "#include \"shmem.h\"\n__aicore__ void kernel(__gm__ int64_t *at) {{ {call}(at, int64_t{{1}}, 0); }}\n"
        );
        fs::write(&source, text).unwrap();
        for (generation, product) in GENERATIONS {
            let Some(mut command) = standin(generation, product) else { return };
            let output = command.arg("-fsyntax-only").arg(&source).output().unwrap();
            let printed = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.success(),
                product == "3510",
                "{call}, {generation}, {product}: {printed}"
            );
            assert!(output.status.success() || printed.contains(call), "{call}: {printed}");
        }
    }
}

/// Configurations of operations of UDMA that hardware has no request for.
#[test]
fn impossible_configurations_of_udma_are_refused() {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signatures-udma.cpp");
    let (no_entry, possible) = ("{0, 0, 0, 0}", "{1, 0, 1, 7}");
    let put_signal = "aclshmemx_udma_put_signal_nbi<int64_t, PIPE_MTE3, C>(at, at, 1, word, 1, 0)";
    let with_buffer =
        "aclshmemx_udma_put_signal_nbi<int64_t, PIPE_MTE3, C>(at, at, 1, word, 1, 0, nullptr, 1)";
    let queue_pair = "aclshmemx_udma_qp_put_signal_nbi<int64_t, PIPE_MTE3, C>(at, at, 1, word, 1, 0, 1)";
    let add = "aclshmemx_udma_atomic_add<int64_t, PIPE_MTE3, C>(at, 1, 0)";
    let bits = "aclshmemx_udma_atomic_fetch_or<int64_t, PIPE_S, C>(at, 1, 0)";
    for (call, config, text) in [
        (put_signal, possible, ""),
        (put_signal, no_entry, "needs cqe"),
        (with_buffer, possible, ""),
        (with_buffer, no_entry, "needs cqe"),
        (queue_pair, possible, ""),
        (queue_pair, "{1, 0, 0, 8}", "odr at most 7"),
        (add, possible, ""),
        (add, no_entry, "needs cqe"),
        (bits, possible, ""),
        (bits, "{1, 1, 0, 0}", "se is 0"),
        ("aclshmemx_udma_atomic_set<int64_t, PIPE_V, C>(at, 1, 0)", possible, "PIPE_MTE3 or PIPE_S"),
    ] {
        let program = format!(
            "#include \"shmem.h\"\nconstexpr aclshmemx_udma_op_config_t C = {config};\n\
             __aicore__ void kernel(__gm__ int64_t *at, __gm__ uint64_t *word) {{ (void)word; {call}; }}\n"
        );
        fs::write(&source, program).unwrap();
        let Some(mut command) = standin("26", "3510") else { return };
        let output = command.arg("-fsyntax-only").arg(&source).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), text.is_empty(), "{call}, {config}: {printed}");
        assert!(printed.contains(text), "{call}, {config}: {printed}");
    }
}

/// Code that the emulation once accepted and the device's compiler refuses.
#[test]
fn mistakes_are_refused_by_stand_in_and_emulation() {
    let mistakes = [
        (
            "const LocalTensor<half> tensor = queue.AllocTensor<half>(); queue.FreeTensor(tensor);",
            "FreeTensor",
        ),
        ("queue.FreeTensor(queue.AllocTensor<half>());", "FreeTensor"),
        ("LocalTensor<half> t; Copy(t, t, 16);", "Copy"),
        (
            "LocalTensor<half> t; const uint64_t mask[2] = {1, 0}; Max(t, t, t, mask, 1, BinaryRepeatParams());",
            "Max",
        ),
        ("const DataCopyExtParams params{1, 2, 3, 4}; (void)params;", "DataCopyExtParams"),
        ("const GlobalTensor<int> words; words.SetValue(0, 1);", "SetValue"),
        ("const TBuf<TPosition::VECCALC> buffer; (void)buffer.Get<half>();", "Get"),
        ("if (ASCEND_IS_AIV) { PipeBarrier<PIPE_V>(); }", "ASCEND_IS_AIV"),
        ("const bool is_vector = ASCEND_IS_AIV; (void)is_vector;", "ASCEND_IS_AIV"),
        ("SetFlag<HardEvent::MTE3_FIX>(0);", "MTE3_FIX"),
        ("LocalTensor<half> t; if (t.GetPosition() == TPosition::VECIN) { Trap(); }", "=="),
        ("GlobalTensor<float> words; DataCachePreload(words, int64_t{0});", "DataCachePreload"),
    ];
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signatures-mistake.cpp");
    for (mistake, word) in [("(void)queue;", "")].into_iter().chain(mistakes) {
        let text = format!(
            "#include \"mf_kernel.h\"\nusing namespace AscendC;\n\
             __aicore__ void kernel(TQue<TPosition::VECIN, 1> &queue) {{ (void)queue; {mistake} }}\n"
        );
        fs::write(&source, text).unwrap();
        let emulation = compiler(&["emulation/include", "../sys/sim/include", "include"]);
        for command in [standin("81", "2201"), standin("26", "2201"), emulation] {
            let Some(mut command) = command else { return };
            let output = command.arg("-fsyntax-only").arg(&source).output().unwrap();
            let printed = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.success(), word.is_empty(), "{mistake}: {printed}");
            assert!(printed.contains(word), "{mistake}: {printed}");
        }
    }
}
