// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lint of kernel sources: code that a compiler for the host accepts and the NPU's does not, found by text.
//!
//! | rule | finding |
//! |---|---|
//! | `table` | an `MF_KERNEL` line without an entry, arguments that disagree |
//! | `header` | headers of the C or C++ library |
//! | `word` | exceptions, the heap, virtual functions, `std::`, `double` |
//! | `gm` | a pointer of an entry, or a cast to a pointer, that does not say `__gm__` or `__ubuf__` |
//! | `scalar` | global memory read or written through a pointer, which goes through a cache that other cores do not see |
//! | `recursion` | functions that call themselves, also through others |
//! | `name` | names of Ascend C outside the subset that both builds know |
//! | `meeting` | cores that synchronize by hardware in a kernel of a type without it |
//! | `release` | names that CANN 8.1 has not |
//! | `buffers` | buffers without a `static_assert` on their sum |
//!
//! It reads words, not the language: findings are worth a look, and sources without findings may still be
//! wrong.

mod functions;
mod meetings;
mod names;
mod pointers;
mod words;

use crate::table::{self, Kernel};
use functions::Function;

/// Something that is wrong, or may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1.
    pub line: usize,
    /// The rule, by its name.
    pub rule: &'static str,
    /// Error and remedy.
    pub text: String,
}

impl Finding {
    fn new(line: usize, rule: &'static str, text: impl Into<String>) -> Self {
        Self { line, rule, text: text.into() }
    }
}

/// Checks a source text; findings in the order of lines.
pub fn lint(source: &str) -> Vec<Finding> {
    // A function for devices, also where CANN SHMEM's words say so.
    let spelled = source.replace("ACLSHMEM_GLOBAL_VECTOR", "__global__ __vector__ __aicore__");
    let text = table::without_comments(&spelled.replace("ACLSHMEM_GLOBAL", "__global__ __aicore__"));
    let functions = functions::functions_of(&text);
    let mut found = Vec::new();
    match table::kernels_of(source) {
        Ok(kernels) => check_table(&kernels, &functions, &mut found),
        Err(error) => found.push(Finding::new(1, "table", error)),
    }
    // Beside what launches stands code for the host, to which the rules do not apply.
    let has_host_code = text.contains("<<<");
    let text = if has_host_code { only_functions(&text, &functions) } else { text };
    if !has_host_code {
        words::check_headers(source, &mut found);
    }
    words::check_words(&text, &mut found);
    names::check(source, &text, &mut found);
    pointers::check(&text, &functions, &mut found);
    meetings::check(&text, &functions, &mut found);
    functions::check_recursion(&text, &functions, &mut found);
    check_buffers(&text, &mut found);
    found.sort_by_key(|finding| finding.line);
    found
}

/// The text with blanks outside of the functions for devices.
fn only_functions(text: &str, functions: &[Function]) -> String {
    let is_inside = |at: usize| functions.iter().any(|function| function.body.contains(&at));
    text.char_indices().fold(String::with_capacity(text.len()), |mut out, (at, c)| {
        if c == '\n' || is_inside(at) {
            out.push(c);
        } else {
            out.extend(std::iter::repeat_n(' ', c.len_utf8()));
        }
        out
    })
}

fn check_table(kernels: &[Kernel], functions: &[Function], found: &mut Vec<Finding>) {
    let entries = || functions.iter().filter(|function| function.is_entry);
    for entry in entries() {
        // `mf kernel build` finds an entry without a line by itself.
        let Some(kernel) = kernels.iter().find(|kernel| kernel.name == entry.name) else { continue };
        let declared: Vec<String> =
            entry.parameters.iter().map(|parameter| spelled(&parameter.of_type)).collect();
        let listed: Vec<String> = kernel.arguments.iter().map(|of_type| spelled(of_type)).collect();
        if declared != listed {
            let text = format!(
                "{} takes ({}), and its line says ({})",
                entry.name,
                declared.join(", "),
                listed.join(", ")
            );
            found.push(Finding::new(kernel.line, "table", text));
        }
    }
    for kernel in kernels.iter().filter(|kernel| !entries().any(|entry| entry.name == kernel.name)) {
        let text =
            format!("there is no extern \"C\" __global__ __aicore__ void {}(…) in this file", kernel.name);
        found.push(Finding::new(kernel.line, "table", text));
    }
}

/// A type with single blanks and no blank before a star.
fn spelled(of_type: &str) -> String {
    of_type.split_whitespace().collect::<Vec<_>>().join(" ").replace(" *", "*")
}

fn check_buffers(text: &str, found: &mut Vec<Finding>) {
    let mut used = words::places_of(text, "InitBuffer");
    if let Some(first) = used.next()
        && words::places_of(text, "static_assert").next().is_none()
    {
        found.push(Finding::new(
            words::line_at(text, first),
            "buffers",
            "say what the buffers take together: a constexpr table and a static_assert that it is at most 176 * 1024 bytes",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "#include \"mf_kernel.h\"\n";

    fn rules(source: &str) -> Vec<(usize, &'static str)> {
        lint(&format!("{HEAD}{source}")).into_iter().map(|finding| (finding.line, finding.rule)).collect()
    }

    fn entry(body: &str) -> String {
        format!(
            "extern \"C\" __global__ __aicore__ void k(GM_ADDR dst, uint32_t count)\n{{\n{body}\n}}\nMF_KERNEL(k, GM_ADDR, uint32_t)\n"
        )
    }

    #[test]
    fn correct_kernel_has_no_findings() {
        let source = entry(
            "    MF_KERNEL_VECTOR();\n    AscendC::GlobalTensor<half> out; // new, throw, std::vector\n    \
             out.SetGlobalBuffer((__gm__ half *)dst + 2 * count);\n    uint64_t area = count * count;",
        );
        assert_eq!(lint(&format!("{HEAD}{source}")), []);
    }

    #[test]
    fn entries_and_the_table_agree() {
        // It is found without a line.
        assert_eq!(rules("extern \"C\" __global__ __aicore__ void k(GM_ADDR a) {}\n"), []);
        assert_eq!(rules("MF_KERNEL(k, GM_ADDR)\n"), [(2, "table")]);
        assert_eq!(rules("MF_KERNEL(k, double)\n")[0], (1, "table"));
        let wrong = "extern \"C\" __global__ __aicore__ void k(GM_ADDR a, uint64_t n) {}\nMF_KERNEL(k, GM_ADDR, uint32_t)\n";
        assert_eq!(rules(wrong), [(3, "table")]);
        let same =
            "extern \"C\" __global__ __aicore__ void k(__gm__ half *a) {}\nMF_KERNEL(k, __gm__ half*)\n";
        assert_eq!(rules(same), []);
    }

    #[test]
    fn finds_features_missing_on_devices() {
        for (body, rule) in [
            ("    throw 1;", "word"),
            ("    int *p = new int;", "word"),
            ("    std::min(1, 2);", "word"),
            ("    double d = 1;", "word"),
            ("    AscendC::TransData(dst);", "name"),
            ("    AscendC::InitSocState();", "release"),
            ("    pipe.InitBuffer(queue, 2, 1024);", "buffers"),
        ] {
            let found = rules(&entry(body));
            assert!(found.contains(&(4, rule)), "{body}: {found:?}");
        }
        let newer = entry(
            "#if __NPU_ARCH__ == 3510\n    AscendC::AtomicAdd(dst, 1);\n#else\n    AscendC::AtomicAdd(dst, 1);\n#endif",
        );
        assert_eq!(rules(&newer), [(7, "release")]);
        let host = "#include <vector>\nvoid run(void *s) { std::vector<double> d; k<<<1, 0, s>>>(); }\n\
                    __aicore__ inline void f() { double d = 1; }\n";
        assert_eq!(lint(host).iter().map(|finding| finding.line).collect::<Vec<_>>(), [3]);
        let found = lint("#include <vector>\n#include \"kernel_operator.h\"\n");
        assert_eq!((found.len(), found[0].line, found[0].rule), (1, 1, "header"));
        let host = "#ifdef MF_EMULATION\n#if 1\n#include <cstdio>\n#endif\n#else\n#include <cmath>\n#endif\n";
        assert_eq!(lint(host).iter().map(|finding| finding.line).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn pointers_need_an_address_space() {
        let bare = "extern \"C\" __global__ __aicore__ void k(float *a) {}\nMF_KERNEL(k, float *)\n";
        assert_eq!(rules(bare), [(2, "gm")]);
        assert_eq!(rules(&entry("    use((float *)dst);")), [(4, "gm")]);
        assert_eq!(rules(&entry("    use(reinterpret_cast<float *>(dst));")), [(4, "gm")]);
        assert_eq!(rules(&entry("    use(reinterpret_cast<__gm__ float *>(dst));")), []);
    }

    #[test]
    fn global_memory_is_not_read_through_pointers() {
        assert_eq!(rules(&entry("    uint8_t first = *dst;")), [(4, "scalar")]);
        assert_eq!(rules(&entry("    dst[count] = 1;")), [(4, "scalar")]);
        assert_eq!(
            rules(&entry("    __gm__ Record *record = find();\n    use(record->rank);")),
            [(5, "scalar")]
        );
        assert_eq!(rules(&entry("    uint32_t twice = 2 *count;\n    use(dst + count);")), []);
    }

    #[test]
    fn core_synchronisation_requires_a_fitting_kernel_type() {
        for alone in [
            "MF_KERNEL_VECTOR_ALONE();",
            "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);",
            "MF_KERNEL_CUBE_ONLY();",
            "",
        ] {
            for call in [
                "AscendC::SyncAll();",
                "SyncAll<true>();",
                "CrossCoreSetFlag<0, PIPE_V>(1);",
                "mf::barrier(x);",
            ] {
                assert_eq!(
                    rules(&entry(&format!("    {alone}\n    {call}"))),
                    [(5, "meeting")],
                    "{alone} {call}"
                );
            }
            assert_eq!(rules(&entry(&format!("    {alone}\n    SyncAll(space, own);"))), [], "{alone}");
        }
        for able in [
            "MF_KERNEL_VECTOR();",
            "MF_KERNEL_MIX_1_2();",
            "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);",
        ] {
            assert_eq!(rules(&entry(&format!("    {able}\n    SyncAll();"))), [], "{able}");
        }
        let indirect = "__aicore__ inline void meet() { AscendC::SyncAll(); }\n\
            extern \"C\" __global__ __vector__ __aicore__ void k(GM_ADDR a) { meet(); }\nMF_KERNEL(k, GM_ADDR)\n";
        assert_eq!(rules(indirect), [(2, "meeting")]);
    }

    #[test]
    fn finds_code_rejected_by_one_compiler() {
        for (body, rule) in [
            ("    if (ASCEND_IS_AIV) { }", "word"),
            ("    bool is_vector = ASCEND_IS_AIV;", "word"),
            ("    if (!ASCEND_IS_AIC) { }", "word"),
            ("    [[block_local]] int calls;", "word"),
            ("    use((__ubuf__ float *)64);", "gm"),
            ("    use(AscendC::GetTaskRatio());", "release"),
        ] {
            assert_eq!(rules(&entry(body)), [(4, rule)], "{body}");
        }
        assert_eq!(rules(&entry("    if ASCEND_IS_AIV { use((__ubuf__ float *)place); }")), []);
    }

    #[test]
    fn direct_and_mutual_recursion_is_found() {
        let own = "__aicore__ inline int down(int n) { return n ? down(n - 1) : 0; }\n";
        assert_eq!(rules(own), [(2, "recursion")]);
        let two = "__aicore__ void b(int n);\n__aicore__ void a(int n) { b(n); }\n__aicore__ void b(int n) { a(n); }\n";
        assert_eq!(rules(two), [(3, "recursion")]);
        assert_eq!(rules("__aicore__ void a() { b(); }\n__aicore__ void b() { c(); }\n"), []);
    }
}
