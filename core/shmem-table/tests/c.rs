// SPDX-License-Identifier: Apache-2.0 OR MIT
//! C compilation tests of the table: headers compile in every dialect, names bind to their symbols, and plain
//! names reach them.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test; helpers outside of test functions may fail it, too"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mf_shmem_table::header::{self, Names};
use mf_shmem_table::{
    CANN_RELEASES, Function, Release, Row, aliases, cann, entries, generic, lists, openshmem,
};

const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];
const C: [&str; 4] = ["-std=c99", "-std=c11", "-std=c17", "-std=c2x"];
const CXX: [&str; 4] = ["-std=c++11", "-std=c++14", "-std=c++17", "-std=c++20"];

/// A separate folder for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn headers(&self) {
        self.write("shmem.h", &header::page(Names::Standard));
        self.write("pshmem.h", &header::page(Names::Twins));
        self.write("shmemx.h", &header::page(Names::Extensions));
    }

    /// Runs a program here. Returns its output.
    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).current_dir(&self.0).output();
        let output = output.expect("the program is installed");
        let printed = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&printed).into_owned();
        let command = arguments.join(" ");
        assert!(output.status.success(), "{program} {command}: {}\n{text}", output.status);
        text
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn sources(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name).display().to_string()
}

/// Returns the installed compilers of C and of C++: the system's, and LLVM's.
fn compilers() -> Vec<(&'static str, &'static str)> {
    let has_clang =
        Command::new("clang").arg("--version").output().is_ok_and(|output| output.status.success());
    let clang = has_clang.then_some(("clang", "clang++"));
    [Some(("cc", "c++")), clang].into_iter().flatten().collect()
}

/// Statements that take the address of a function, by a pointer of its type.
fn address_of(function: &Function, name: &str) -> String {
    let (result, parameters) = (&function.result, function.parameters());
    format!("    {{ {result}(*one)({parameters}) = {name}; take((void (*)(void))one); }}\n")
}

fn addresses(includes: &[&str], statements: &str) -> String {
    let mut text = String::new();
    for include in includes {
        writeln!(text, "#include \"{include}\"").unwrap();
    }
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    text += "void take(void (*function)(void));\nvoid take_all(void);\nvoid take_all(void)\n{\n";
    text += statements;
    text + "}\n#ifdef __cplusplus\n}\n#endif\n"
}

fn addresses_of_openshmem() -> String {
    let mut statements = String::new();
    for function in openshmem::rows().flat_map(Row::functions) {
        statements += &address_of(&function, &function.name);
        statements += &address_of(&function, &function.twin());
        if let Some(name) = function.extension() {
            statements += &address_of(&function, &name);
        }
    }
    addresses(&["shmem.h", "pshmem.h", "shmemx.h"], &statements)
}

fn in_every_dialect(folder: &Folder, name: &str) {
    for (c, cxx) in compilers() {
        for (compiler, language, dialects) in [(c, "c", C), (cxx, "c++", CXX)] {
            for dialect in dialects {
                let mut arguments = vec!["-fsyntax-only", "-x", language, dialect, "-I."];
                arguments.extend(STRICT);
                arguments.push(name);
                folder.run(compiler, &arguments);
            }
        }
    }
}

#[test]
fn headers_of_openshmem_compile_in_every_dialect() {
    let folder = Folder::new("openshmem");
    folder.headers();
    folder.write("all.c", &addresses_of_openshmem());
    in_every_dialect(&folder, "all.c");
}

/// Calls every generic name, for each type. Returns the calls, and the symbols that they must select.
fn calls_by_type() -> (String, BTreeSet<String>) {
    let (mut text, mut symbols) =
        (String::from("#include \"shmem.h\"\n#include \"shmemx.h\"\n"), BTreeSet::new());
    for generic in generic::names().into_iter().chain(generic::extensions()) {
        for function in generic.functions.iter().chain(&generic.on_context) {
            let arguments: Vec<&str> = function.arguments.iter().map(|one| one.name.as_str()).collect();
            let (parameters, call) = (function.parameters(), arguments.join(", "));
            let (name, chosen) = (&generic.name, &function.name);
            let returned = if function.result == "void " { "" } else { "return " };
            let prototype = format!("{}call_{chosen}({parameters})", function.result);
            writeln!(text, "{prototype};\n{prototype} {{ {returned}{name}({call}); }}").unwrap();
            symbols.insert(function.symbol());
        }
    }
    (text, symbols)
}

#[test]
fn generic_names_select_the_typed_function() {
    let folder = Folder::new("generic");
    folder.headers();
    let (calls, mut symbols) = calls_by_type();
    folder.write("calls.c", &calls);
    let used = sources("generic.c");
    for (c, cxx) in compilers() {
        let selections = C[1..].iter().map(|dialect| (c, "c", *dialect));
        for (compiler, language, dialect) in selections.chain(CXX.map(|dialect| (cxx, "c++", dialect))) {
            let strict = [&["-fsyntax-only", "-x", language, dialect, "-I."][..], &STRICT].concat();
            folder.run(compiler, &[&strict[..], &["calls.c", &used]].concat());
        }
    }
    folder.run("cc", &["-x", "c", "-c", "calls.c", "-o", "calls.o"]);
    assert_names(&folder.run("nm", &["-u", "calls.o"]), &symbols);
    // In C++ two of the names are functions of C, which are overloads themselves.
    for (typed, plain) in
        [("shmem15_long_wait_until", "shmem15_wait_until"), ("shmem15_long_swap", "shmem15_swap")]
    {
        symbols.remove(typed);
        symbols.insert(plain.to_owned());
    }
    folder.run("c++", &["-x", "c++", "-c", "calls.c", "-o", "calls.o"]);
    assert_names(&folder.run("nm", &["-u", "calls.o"]), &symbols);
}

#[test]
fn each_header_stands_alone() {
    let folder = Folder::new("alone");
    folder.headers();
    for header in ["shmem.h", "pshmem.h", "shmemx.h"] {
        folder.write("one.c", &format!("#include \"{header}\"\n#include \"{header}\"\ntypedef int some;\n"));
        in_every_dialect(&folder, "one.c");
    }
}

#[test]
fn declarations_of_every_release_of_cann_compile() {
    let folder = Folder::new("cann");
    folder.write("cann_types.h", include_str!("c/cann_types.h"));
    for release in CANN_RELEASES {
        folder.write("cann.h", &header::of_release(*release));
        let functions = cann::functions(*release);
        let statements: String =
            functions.iter().map(|function| address_of(function, &function.name)).collect();
        folder.write("all.c", &addresses(&["cann_types.h", "cann.h"], &statements));
        for (compiler, language, dialect) in [("cc", "c", "-std=c11"), ("c++", "c++", "-std=c++11")] {
            let mut arguments = vec!["-fsyntax-only", "-x", language, dialect, "-I."];
            arguments.extend(STRICT);
            arguments.push("all.c");
            folder.run(compiler, &arguments);
        }
    }
}

#[test]
fn former_cann_names_compile() {
    let folder = Folder::new("aliases");
    folder.write("cann_types.h", include_str!("c/cann_types.h"));
    folder.write("cann.h", &(header::of_release(Release::Head) + &aliases::macros()));
    let names = aliases::aliases().into_keys();
    let statements: String = names.map(|name| format!("    take((void (*)(void)){name});\n")).collect();
    folder.write("all.c", &addresses(&["cann_types.h", "cann.h"], &statements));
    for (compiler, language) in [("cc", "c"), ("c++", "c++")] {
        folder.run(compiler, &[&["-fsyntax-only", "-x", language, "-I.", "all.c"][..], &STRICT].concat());
    }
}

/// Compares the names in the output of nm with the expected ones.
fn assert_names(output: &str, expected: &BTreeSet<String>) {
    let names = output.lines().filter_map(|line| line.split_whitespace().last());
    let found: BTreeSet<&str> =
        names.filter(|name| !["take", "_GLOBAL_OFFSET_TABLE_"].contains(name)).collect();
    let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
    let missing: Vec<&&str> = expected.difference(&found).collect();
    let unknown: Vec<&&str> = found.difference(&expected).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "missing {missing:?}, unknown {unknown:?}");
}

#[test]
fn names_bind_to_their_symbols() {
    let folder = Folder::new("bind");
    folder.headers();
    folder.write("all.c", &addresses_of_openshmem());
    for (compiler, language) in [("cc", "c"), ("c++", "c++")] {
        folder.run(compiler, &["-x", language, "-c", "all.c", "-I.", "-o", "all.o"]);
        assert_names(&folder.run("nm", &["-u", "all.o"]), &lists::openshmem_symbols());
    }
}

#[test]
fn both_headers_in_one_file_are_refused_with_the_reason() {
    let folder = Folder::new("clash");
    folder.headers();
    folder.write("both.c", "#define MF_CANN_SHMEM_H\n#include \"shmem.h\"\n");
    let output =
        Command::new("cc").args(["-fsyntax-only", "both.c"]).current_dir(&folder.0).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("OpenSHMEM and shmem.h of CANN SHMEM"), "{text}");
}

#[test]
fn plain_names_bind_to_symbols_and_their_replacements() {
    let folder = Folder::new("plain");
    folder.headers();
    folder.write("entries.S", include_str!("../../oshmem/entries.S"));
    let entries = entries::entries();
    let rows: String =
        entries.iter().map(|entry| format!("ENTRY {} {}\n", entry.name, entry.symbol)).collect();
    folder.write("names.inc", &rows);
    // The functions that fake.c does not have.
    let known =
        ["my_pe", "long_p", "longdouble_p", "longdouble_g", "pcontrol"].map(|name| format!("shmem15_{name}"));
    let mut rest = String::from(".section .note.GNU-stack, \"\", %progbits\n.text\n");
    for symbol in lists::openshmem_symbols() {
        if !known.contains(&symbol) && symbol != "pshmem15_long_p" {
            writeln!(rest, ".globl {symbol}\n.type {symbol}, %function\n{symbol}:").unwrap();
        }
    }
    folder.write("rest.s", &(rest + "    ret\n"));
    let (fake, tool, plain) = (sources("fake.c"), sources("tool.c"), sources("plain.c"));
    folder.run("cc", &["-shared", "-fPIC", "-I.", &fake, "rest.s", "-o", "libfake.so"]);
    folder.run("cc", &["-shared", "-nostartfiles", "entries.S", "-L.", "-lfake", "-o", "liboshmem.so"]);
    let expected = entries.into_iter().map(|entry| entry.name).collect();
    assert_names(&folder.run("nm", &["-D", "--defined-only", "liboshmem.so"]), &expected);
    let link = ["-L.", "-loshmem", "-lfake", "-Wl,-rpath,$ORIGIN", "-o", "tool"];
    folder.run("cc", &[&["-I.", tool.as_str(), plain.as_str()][..], &link].concat());
    folder.run("./tool", &[]);
}
