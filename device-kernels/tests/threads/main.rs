// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions of CANN SHMEM for threads (`-DUSE_SIMT`), as CANN's compiler for the 950 sees them: the kernels
//! that run them on the simulator compile against the stand-in of the toolkit's header, with the declarations
//! of its headers for threads.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test ends where it fails")]

use std::path::Path;
use std::process::Command;

/// Declarations of the toolkit that the functions use.
const THREADS: &str = "
#include <cstdint>
#define __simt_vf__
#define __simt_callee__
struct dim3 {
    uint32_t x, y, z;
    constexpr dim3(uint32_t wide = 1, uint32_t high = 1, uint32_t deep = 1) : x(wide), y(high), z(deep) {}
};
extern dim3 threadIdx, blockDim;
constexpr int32_t warpSize = 32;
void asc_threadfence();
template <auto function, typename... Arguments> void asc_vf_call(dim3, Arguments... arguments) { function(arguments...); }
";

#[test]
fn threads_compile_against_the_stand_in() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let kernels = here.join("../tests/c/cann_shmem/kernels/threads.cpp");
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("threads.cpp");
    std::fs::write(&source, format!("{THREADS}#include \"{}\"\n", kernels.display())).unwrap();
    for core in ["1", "2"] {
        let mut command = Command::new(&named);
        command.args([
            "-std=c++17",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsyntax-only",
            "-DMF_ONE_ADDRESS_SPACE",
        ]);
        command.args(["-DCANN_GENERATION=26", "-D__NPU_ARCH__=3510", "-DUSE_SIMT"]);
        for folder in ["tests/signatures/standin", "include", "include/shmem"] {
            command.arg("-I").arg(here.join(folder));
        }
        let output = match command.arg(format!("-DCORE={core}")).arg(&source).output() {
            Ok(output) => output,
            Err(error) => {
                println!("skip threads: no C++ compiler {}: {error}", Path::new(&named).display());
                return;
            }
        };
        assert!(output.status.success(), "core {core}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
