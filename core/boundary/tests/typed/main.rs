// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A typed family from its rows to a C program: header and checks are generated, the library is `library.rs`,
//! and programs in C and C++ call it.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test; helpers outside of test functions may fail it, too; a skip says why"
)]

#[macro_use]
#[allow(unused_macros, dead_code, reason = "the library reads more of it than the test")]
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use mf_abi::checks::check_of;
use mf_abi::header::{SYMBOL_MACRO, generated};

use crate::table::names::{older, plain, sized, typed};

fn header() -> String {
    let declarations: String = [typed::SYMBOLS, sized::SYMBOLS, plain::SYMBOLS].map(generated).concat();
    format!(
        "#ifndef TYPED_H\n#define TYPED_H\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n{SYMBOL_MACRO}\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n{declarations}\n#ifdef __cplusplus\n}}\n#endif\n#endif\n"
    )
}

fn checks() -> String {
    let all = [typed::SYMBOLS, sized::SYMBOLS, plain::SYMBOLS];
    let checks: String = all.into_iter().flatten().map(check_of).collect();
    // Codes are the family's own.
    let macros = "#undef SMEM_INVALID_PARAM\n#define SMEM_INVALID_PARAM (-7)\n";
    format!(
        "#include \"typed.h\"\n\n#include \"check_exports.h\"\n{macros}\nint main(void)\n{{\n{checks}    \
         return check_result();\n}}\n"
    )
}

fn is_installed(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&text));
}

/// Compiles and runs a program in both languages.
fn runs(source: &Path, folder: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples");
    for (compiler, language) in [("cc", ["-xc", "-std=c11"]), ("c++", ["-xc++", "-std=c++11"])] {
        if !is_installed(compiler) {
            println!("skipped: no compiler {compiler}; it comes with: apt-get install gcc g++");
            continue;
        }
        let program = folder.join(source.file_stem().unwrap()).with_extension(compiler);
        let mut compile = Command::new(compiler);
        compile
            .args(language)
            .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-D_GNU_SOURCE"])
            .arg("-I")
            .arg(folder);
        compile.arg("-I").arg(here.join("../../tests/c")).arg("-I").arg(here.join("../capi/include"));
        compile.arg(source).arg("-o").arg(&program).arg("-L").arg(&libraries);
        compile.arg(format!("-Wl,-rpath,{}", libraries.display())).args(["-ltyped_family", "-ldl"]);
        succeeds(&mut compile);
        succeeds(&mut Command::new(program));
    }
}

#[test]
fn a_typed_family_is_called_from_c() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("typed.h"), header()).unwrap();
    let generated = folder.join("checks.c");
    std::fs::write(&generated, checks()).unwrap();
    runs(&generated, &folder);
    runs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typed/calls.c"), &folder);
}

#[test]
fn a_row_gives_declaration_symbols_and_number() {
    let put = &typed::SYMBOLS[typed::Row::put as usize * typed::ELEMENTS + typed::Element::longlong as usize];
    assert_eq!(
        generated(std::slice::from_ref(put)),
        "\n/* Copies `nelems` elements from `source` to `dest`.\n * Errors: a null pointer, another PE than 3. */\n\
         void typed_longlong_put(long long *dest, const long long *source, size_t nelems, int pe) \
         MF_SYMBOL(\"typed15_longlong_put\");\n"
    );
    let symbols: Vec<String> = put.symbols.iter().map(ToString::to_string).collect();
    assert_eq!(symbols, ["typed15_longlong_put", "ptyped15_longlong_put"]);
    assert_eq!((typed::COUNT, sized::COUNT, plain::COUNT, older::COUNT), (9, 2, 2, 3));
}
