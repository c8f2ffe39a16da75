// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sources as they are written for CANN's compiler: passes by kind of core, entries by macros, errors with
//! the places of the source.

use std::fs;
use std::path::PathBuf;

use mf_device_kernels::compile::{Home, host};

use super::{cache_of_tests, compiler, exported, here, scratch};

/// Compiles a source and returns the compiler's words: warnings, or the error. `None` without a compiler.
fn build(name: &str, source: &str, flags: &[&str]) -> Option<Result<(String, Vec<u8>), String>> {
    let compiler = compiler()?;
    let folder = scratch(&format!("front-{name}"));
    let file = folder.join("k.cpp");
    fs::write(&file, source).unwrap();
    let (between, output) = (folder.join("between"), folder.join("k.so"));
    let cache = cache_of_tests().join("memfabric/kernels");
    let flags: Vec<_> = flags.iter().map(Into::into).collect();
    let sources: [PathBuf; 1] = [file];
    let job = host::Job {
        sources: &sources,
        flags: &flags,
        scratch: &between,
        cache: Some(&cache),
        output: &output,
    };
    let built = host::compile(&compiler, &Home::at(here()).unwrap(), &job);
    Some(built.map(|warnings| (warnings, fs::read(&output).unwrap())))
}

const HEAD: &str = "#include \"kernel_operator.h\"\n";

#[test]
fn kernels_that_do_nothing_on_their_cores_are_errors() {
    for (name, kernel, expected) in [
        (
            "other-product",
            "extern \"C\" __global__ __aicore__ void k(GM_ADDR x)\n{\n#ifdef __DAV_C310__\n    f(x);\n#endif\n}\n",
            "k.cpp:2: error: the body of kernel k is empty on all cores that it runs on (vector)",
        ),
        (
            "other-kind",
            "extern \"C\" __global__ __vector__ void k(GM_ADDR x)\n{\n#ifdef __DAV_CUBE__\n    AscendC::Trap();\n#endif\n}\n",
            "it has code for others",
        ),
        (
            "type-alone",
            "extern \"C\" __global__ __aicore__ void k(GM_ADDR x)\n{\n    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);\n\
             #if __CCE_AICORE__ == 200\n    AscendC::Trap();\n#endif\n}\n",
            "(mix 1:2)",
        ),
    ] {
        let Some(built) = build(name, &format!("{HEAD}{kernel}"), &[]) else { return };
        let error = built.err().unwrap_or_default();
        assert!(error.contains(expected), "{name}: {error}");
    }
    // One that has no text at all is meant so.
    let Some(built) =
        build("nothing", &format!("{HEAD}extern \"C\" __global__ __cube__ void k() {{}}\n"), &[])
    else {
        return;
    };
    assert_eq!(exported(&built.unwrap().1, "mfk_launch_"), ["k"]);
}

#[test]
fn compiler_errors_have_the_lines_of_the_source() {
    let source = format!(
        "{HEAD}#define ENTRY extern \"C\" __global__ __aicore__\n#define CALL(x) \\\n    x(\\\n    )\nENTRY void k(GM_ADDR x)\n\
         {{\n    CALL(\n  nothing\n    );\n#ifdef __DAV_CUBE__\n    no_cube();\n#endif\n}}\n\
         void run(void *s, uint8_t *x)\n{{\n    k<<<1,\n        0,\n        s>>>(x);\n    wrong();\n}}\n"
    );
    let Some(built) = build("lines", &source, &[]) else { return };
    let error = built.err().unwrap_or_default();
    assert!(error.contains("k.cpp:8:") && error.contains("nothing"), "{error}");
    let Some(built) = build("lines-host", &source.replace("nothing", "AscendC::Trap"), &["-D__DAV_CUBE__"])
    else {
        return;
    };
    let error = built.err().unwrap_or_default();
    assert!(error.contains("k.cpp:12:") && error.contains("k.cpp:20:"), "{error}");
}

#[test]
fn unknown_products_are_refused() {
    let Some(built) = build("product-unknown", HEAD, &["-D__NPU_ARCH__=2002"]) else { return };
    let error = built.err().unwrap_or_default();
    assert!(error.contains("__NPU_ARCH__ must be 2201"), "{error}");
}

#[test]
fn table_lines_must_agree_with_their_functions() {
    let source = "#include \"mf_kernel.h\"\nextern \"C\" __global__ __aicore__ void k(GM_ADDR, uint32_t) { MF_KERNEL_VECTOR(); }\n\
                  MF_KERNEL(k, GM_ADDR,\n          uint64_t)\n";
    let Some(built) = build("table", source, &[]) else { return };
    let error = built.err().unwrap_or_default();
    assert!(error.contains("k.cpp:3:") && error.contains("MF_KERNEL has other types than k"), "{error}");
}

#[test]
fn sources_that_test_no_core_are_compiled_once() {
    for (name, body, parts) in [
        ("once", "AscendC::Trap();", 1),
        ("product", "if (__NPU_ARCH__ == 2201) AscendC::Trap();", 2),
        // The host has the text of vector cores.
        ("cubes", "\n#ifdef __DAV_CUBE__\nAscendC::Trap();\n#else\nf();\n#endif\n", 2),
        ("kinds", "\n#ifdef __DAV_CUBE__\nAscendC::Trap();\n#elif defined(__DAV_VEC__)\nf();\n#endif\n", 3),
        ("vector", "\n#ifdef __DAV_VEC__\nAscendC::Trap();\n#endif\n", 2),
    ] {
        let source = format!(
            "{HEAD}__aicore__ inline void f() {{}}\nextern \"C\" __global__ __aicore__ void k(GM_ADDR x) {{ {body} (void)x; }}\n"
        );
        let Some(built) = build(name, &source, &[]) else { return };
        built.unwrap();
        let folder =
            std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("build-front-{name}/between"));
        let compiled =
            fs::read_dir(folder).unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let compiled: Vec<String> =
            compiled.filter(|file| file.starts_with("kernel-") && file.ends_with(".o")).collect();
        assert_eq!(compiled.len(), parts, "{name}: {compiled:?}");
    }
}

#[test]
fn headers_of_the_emulation_do_not_ask_for_the_pass() {
    // The host's pass lacks the macros of the product; the headers are the same in all passes.
    let mut folders = vec![here().join("emulation/include")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let is_asking = |line: &&str| {
                line.starts_with("#if") && (line.contains("__NPU_ARCH__") || line.contains("__CCE"))
            };
            let asking = text.lines().find(|line| is_asking(line));
            let is_language = path.ends_with("ascendc/language.h");
            assert!(
                is_language || asking.is_none(),
                "{}: {asking:?}: test MF_NPU_ARCH instead",
                path.display()
            );
        }
    }
}

/// As template libraries are written: GCC before 14 refuses it.
const INSIDE: &str = "
struct Steps {
    template <typename T> struct Of { static constexpr uint32_t value = 1; };
    template <> struct Of<half> { static constexpr uint32_t value = 2; };
};
static_assert(Steps::Of<half>::value == 2 && Steps::Of<float>::value == 1);
extern \"C\" __global__ __vector__ [aicore] void inside(GM_ADDR x) { AscendC::Trap(); }
";

/// The same, with a constant that the host's pass lacks in a function for cores.
const OF_CORES: &str = "
#if __NPU_ARCH__ == 2201
constexpr uint32_t OF_A2 = 3;
#endif
template <typename T> struct Steps {
    template <typename U> struct Of { static constexpr uint32_t value = 1; };
    template <> struct Of<half> { static constexpr uint32_t value = 2; };
    [aicore] void stop() { if (OF_A2 == 3 && Of<half>::value == 2) AscendC::Trap(); }
};
extern \"C\" __global__ __vector__ [aicore] void of_cores(GM_ADDR x) { Steps<int> steps; steps.stop(); }
";

/// Functions of templates found by their arguments: in C++17 by Clang alone.
const BY_ARGUMENTS: &str = "
extern \"C\" __global__ __vector__ [aicore] void by_arguments(GM_ADDR x)
{
    AscendC::LocalTensor<float> of;
    ReduceSum<float>(of, of, of, 64);
}
";

/// A template argument deduced from a pack of another type, which Clang converts.
const DEDUCED: &str = "
template <typename T, T... VALUES> struct List {};
template <typename L> struct SizeOf;
template <typename T, unsigned long... VALUES> struct SizeOf<List<T, VALUES...>> {
    static constexpr uint32_t value = sizeof...(VALUES);
};
template <typename L> [aicore] inline void stop() { if (SizeOf<L>::value == 2) AscendC::Trap(); }
extern \"C\" __global__ __vector__ [aicore] void deduced(GM_ADDR x) { stop<List<int, 3, 4>>(); }
";

#[test]
fn sources_that_only_clang_takes_are_compiled() {
    compile_by_second("inside", INSIDE, "set CXX to clang++ (Debian: apt-get install clang)");
    compile_by_second("of_cores", OF_CORES, "set CXX to clang++ (Debian: apt-get install clang)");
    compile_by_second("by_arguments", BY_ARGUMENTS, "set CXX to clang++ (Debian: apt-get install clang)");
    compile_by_second("deduced", DEDUCED, "In instantiation of");
}

#[test]
fn mistakes_in_templates_have_the_words_of_the_first_compiler() {
    let source = format!(
        "{HEAD}template <typename T> __aicore__ inline void f() {{ T::none(); }}\n\
         extern \"C\" __global__ __vector__ void k(GM_ADDR x) {{ f<half>(); }}\n"
    );
    let Some(built) = build("template-mistake", &source, &[]) else { return };
    let error = built.err().unwrap_or_default();
    assert!(error.contains("k.cpp:2:") && error.contains("none"), "{error}");
    let is_clang = compiler().unwrap().version.contains("clang");
    assert!(is_clang || error.contains("In instantiation of"), "{error}");
}

/// Compiles a source that GCC refuses with these words, with a kernel of this name.
#[expect(clippy::print_stderr, reason = "names the skipped part")]
fn compile_by_second(name: &str, source: &str, refusal: &str) {
    let Some(first) = compiler() else { return };
    let folder = scratch(&format!("front-{name}"));
    let file = folder.join("k.cpp");
    fs::write(&file, format!("{HEAD}{source}")).unwrap();
    let cache = cache_of_tests().join("memfabric/kernels");
    let job = host::Job {
        sources: &[file],
        flags: &[],
        scratch: &folder.join("between"),
        cache: Some(&cache),
        output: &folder.join("k.so"),
    };
    let build = |is_named: bool| {
        let compiler = host::Compiler { is_named, ..first.clone() };
        host::compile(&compiler, &Home::at(here()).unwrap(), &job)
    };
    match build(true) {
        Ok(_) => eprintln!("{} takes them itself: the second compiler is not tried", first.version),
        Err(error) => {
            assert!(error.contains(refusal), "{error}");
        }
    }
    match build(false) {
        Ok(_) => assert_eq!(exported(&fs::read(job.output).unwrap(), "mfk_launch_"), [name]),
        Err(error) => {
            assert!(error.contains("Debian: apt-get install clang, which is used then"), "{error}");
            eprintln!("skipped: there is no clang++");
        }
    }
}
