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

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use mf_abi::checks::check_of;
use mf_abi::header::{SYMBOL_MACRO, generated, symbols};

use crate::table::names::{long_double, older, plain, sized, typed};

fn header() -> String {
    let declarations: String =
        [typed::SYMBOLS, sized::SYMBOLS, plain::SYMBOLS, long_double::SYMBOLS].map(generated).concat();
    format!(
        "#ifndef TYPED_H\n#define TYPED_H\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n{SYMBOL_MACRO}\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n{declarations}\n#ifdef __cplusplus\n}}\n#endif\n#endif\n"
    )
}

fn checks() -> String {
    let all = [typed::SYMBOLS, sized::SYMBOLS, plain::SYMBOLS, long_double::SYMBOLS];
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

/// Returns the folder of the family's library.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples")
}

/// Compiles and runs a program in both languages.
fn runs(source: &Path, folder: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = libraries();
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
    assert_eq!((typed::COUNT, sized::COUNT, plain::COUNT, older::COUNT), (12, 2, 3, 3));
}

/// Exports for the C tests besides the tables.
const HELPERS: [&str; 4] =
    ["smem_get_and_clear_last_err_msg", "smem_get_last_err_code", "smem_get_last_err_msg", "typed_calls"];

#[test]
fn library_exports_exactly_the_table_symbols() {
    let tables = [typed::SYMBOLS, sized::SYMBOLS, plain::SYMBOLS, long_double::SYMBOLS, older::SYMBOLS];
    let listed = symbols(tables.into_iter().flatten()).unwrap();
    assert_eq!(listed.lines().count(), 12 * 2 - 4 + 2 * 2 + 4 + 6 + 3);
    assert!(listed.contains("ptyped15_longdouble_p\n") && listed.lines().is_sorted(), "{listed}");
    assert_eq!(
        symbols(typed::SYMBOLS.iter().chain(&typed::SYMBOLS[4..5])),
        Err("typed15_float_g".to_owned())
    );
    if !is_installed("nm") {
        println!("skipped: no nm; it comes with: apt-get install binutils");
        return;
    }
    let library = libraries().join("libtyped_family.so");
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.split(' ').next_back());
    let exported: BTreeSet<&str> = names.filter(|name| !HELPERS.contains(name)).collect();
    assert_eq!(exported, listed.lines().collect());
}

/// As a package of another language calls them: found in the loaded library, by element and operation.
#[expect(unsafe_code, reason = "calls functions of a library")]
mod callers {
    use std::ffi::{c_int, c_void};
    use std::ptr::NonNull;

    use mf_base::loader::{Candidate, LibrarySpec, Report};

    use super::*;

    mod typed {
        use std::ffi::{c_int, c_long};

        typed!(mf_abi::functions_typed { table = crate::table::names::typed });
    }

    #[test]
    fn functions_of_a_loaded_library_are_called_by_element_and_operation() {
        const PE: c_int = 3;
        let path = libraries().join("libtyped_family.so");
        let candidates = vec![Candidate::file("the target folder", path)];
        let wanted = LibrarySpec { candidates, ..LibrarySpec::new("the typed family", "this crate") };
        let library = wanted.open(&mut Report::default()).unwrap();
        // SAFETY: an address is asked for, and nothing is called.
        let find = |name: &str| unsafe { library.function::<NonNull<c_void>>(name) };
        // SAFETY: the library is made from the same table.
        let functions = unsafe { typed::Functions::resolve(find) };
        let functions = functions.map_err(|missing| missing.join(", ")).unwrap();
        let (from, mut to) = ([1.5_f32, 2.5], [0.0; 2]);
        // SAFETY: both are arrays of two.
        unsafe { (functions.float.put)(to.as_mut_ptr(), from.as_ptr(), 2, PE) };
        // SAFETY: it is an element.
        assert_eq!((to, unsafe { (functions.float.g)(&raw const from[1], PE) }), (from, 2.5));
        let mut number = 0_i64;
        // SAFETY: there is room for an element.
        assert_eq!(unsafe { (functions.longlong.p)(&raw mut number, i64::MIN, PE) }, 0);
        assert_eq!(number, i64::MIN);
        // SAFETY: the PE does not exist.
        assert_eq!(unsafe { (functions.size.p)(std::ptr::null_mut(), 1, PE) }, -7);
        // SAFETY: nothing is called.
        let missing =
            unsafe { typed::Functions::resolve(|name| find(name).filter(|_| !name.contains("15_size"))) };
        assert_eq!(missing.err().unwrap(), ["typed15_size_put", "typed15_size_g"]);
    }
}
