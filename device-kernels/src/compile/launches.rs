// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Launches `name<<<blocks, ub, stream>>>(…)` in preprocessed text, written as calls.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::table::Cores;

use super::instances::Instances;
use super::kernels::Facts;
use super::overloads::Overloads;
use super::text::{Text, closing, last_word, parts};

/// The beginning of a launch up to the bracket of its arguments, and the beginning of the call.
type Edit = (Range<usize>, String);

/// The launches of a text.
#[derive(Debug, Default)]
pub(super) struct Launches {
    /// The edits that turn them into calls.
    pub(super) edits: Vec<Edit>,
    /// Functions of [`Instances`] that the calls name.
    pub(super) instances: BTreeSet<String>,
}

/// Finds the launches of a text. `facts` knows kernels by name, `overloads` their parameters. `has_threads`:
/// a launch names blocks and threads, and may end there.
///
/// # Errors
/// A launch that does not end, with its place.
pub(super) fn launches(
    text: &Text,
    facts: impl Fn(&str) -> Option<Facts>,
    (overloads, instances): (&Overloads, &Instances<'_>),
    has_threads: bool,
) -> Result<Launches, String> {
    let code = text.code.as_str();
    let mut found = Launches::default();
    for (at, behind) in openings(code) {
        let wrong = |what: &str| {
            let place = text.place(at);
            format!("{}:{}: error: the launch {what}", place.file, place.line)
        };
        let start = callee_start(code, at).ok_or_else(|| wrong("names no kernel"))?;
        let callee = text.source.get(start..at).unwrap_or_default().trim_end();
        let (end, after) = ending(code, behind).ok_or_else(|| wrong("has no `>>>`"))?;
        // Values may have quoted text, which `code` has not.
        let (list, values) = (text.source.get(behind..end).unwrap_or_default(), code.get(behind..end));
        let values: Vec<&str> = parts(values.unwrap_or_default())
            .into_iter()
            .map(|part| list.get(part).unwrap_or_default().trim())
            .collect();
        let (blocks, threads, bytes, stream) = match (values.as_slice(), has_threads) {
            ([blocks, bytes], false) => (blocks, None, *bytes, "nullptr"),
            ([blocks, bytes, stream], false) => (blocks, None, *bytes, *stream),
            ([blocks, threads], true) => (blocks, Some(threads), "0", "nullptr"),
            ([blocks, threads, bytes], true) => (blocks, Some(threads), *bytes, "nullptr"),
            ([blocks, threads, bytes, stream], _) => (blocks, Some(threads), *bytes, *stream),
            _ => {
                return Err(wrong(
                    "needs blocks, threads of them if there are any, bytes of the unified buffer, and a stream",
                ));
            }
        };
        let arguments = code.get(after..).unwrap_or_default();
        let open = after + (arguments.len() - arguments.trim_start().len());
        if code.as_bytes().get(open) != Some(&b'(') {
            return Err(wrong("has no arguments"));
        }
        let close = closing(code, open).ok_or_else(|| wrong("does not end"))?;
        let arguments = code.get(open + 1..close).unwrap_or_default();
        let passed = text.source.get(open + 1..close).unwrap_or_default().trim();
        let has_arguments = !passed.is_empty();
        let comma = if has_arguments { ", " } else { "" };
        let path = callee.split('<').next().unwrap_or_default().trim_end();
        let name = path.rsplit("::").next().unwrap_or_default().trim_start();
        let own = overloads.launched(name, if has_arguments { parts(arguments).len() } else { 0 });
        let outer = path.get(..path.len() - name.len()).unwrap_or_default();
        let is_deduced = path.len() == callee.len() && threads.is_none();
        let instance = instances.function(own.as_deref().unwrap_or(name)).filter(|_| is_deduced);
        let launch = match (&instance, own) {
            (Some(function), _) => {
                let passed = passed.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("decltype({outer}{function}({passed}))")
            }
            (None, Some(own)) => {
                launch_of(&format!("{outer}{own}{}", callee.get(path.len()..).unwrap_or_default()))
            }
            (None, None) => launch_of(callee),
        };
        found.instances.extend(instance);
        let call = match threads {
            Some(_) => call_with_threads(name, callee),
            None => call_of(name, &launch, facts(name)),
        };
        let threads =
            threads.map(|threads| format!(", ::mf::emulation::extent_of({threads})")).unwrap_or_default();
        let mut grid = format!("::mf::emulation::blocks_of({blocks})");
        if !["0", "nullptr", "NULL"].contains(&bytes) {
            grid = format!("{{{grid}, ::mf::emulation::bytes_of_launch({bytes})}}");
        }
        found.edits.push((start..open + 1, format!("(void){call}{grid}, {stream}{threads}{comma}")));
    }
    Ok(found)
}

/// The type with the launches of a kernel.
fn launch_of(callee: &str) -> String {
    format!("::mf::emulation::LaunchOf<{callee}>")
}

/// The call of a launch with threads, with its first argument.
fn call_with_threads(name: &str, callee: &str) -> String {
    let (kind, _) = kind_of(Cores::Vector);
    let launch = launch_of(&format!("&::mf::emulation::ByThreads<{callee}>::run"));
    format!("{launch}::template unnamed<{kind}, 0, true, false>(\"{name}<>\", ")
}

/// The call with its first argument. `launch` has the launches of the kernel.
fn call_of(name: &str, launch: &str, facts: Option<Facts>) -> String {
    let facts =
        facts.unwrap_or(Facts { cores: Cores::Vector, has_name: false, on_vector: true, on_cube: false });
    if facts.has_name {
        return format!("{launch}::named(\"{name}\", ");
    }
    format!("{launch}::template unnamed<{}>(\"{name}<>\", ", facts.template_arguments())
}

/// The kind as the emulation has it, and vector cores for each cube core.
pub(super) fn kind_of(cores: Cores) -> (&'static str, u32) {
    match cores {
        Cores::Vector => ("::mf::emulation::Kind::Vector", 0),
        Cores::Cube => ("::mf::emulation::Kind::Cube", 0),
        Cores::Mixed(ratio) => ("::mf::emulation::Kind::Mixed", ratio),
    }
}

/// The places of `<<<`, which the preprocessor may part, and behind each.
fn openings(code: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    code.match_indices("<<").filter_map(move |(at, _)| {
        let rest = code.get(at + 2..)?;
        let blanks = rest.len() - rest.trim_start().len();
        if last_word(code.get(..at)?) == "operator" {
            return None;
        }
        let is_third = rest.trim_start().starts_with('<') && !rest.trim_start().starts_with("<<");
        is_third.then_some((at, at + 2 + blanks + 1))
    })
}

/// The place of the next `>>>` outside of brackets, and behind it.
fn ending(code: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        let byte = *code.as_bytes().get(at)?;
        match byte {
            b'(' | b'[' | b'{' => at = closing(code, at)?,
            b';' | b')' | b'}' => return None,
            b'>' if code.get(at..)?.starts_with(">>") => {
                let rest = code.get(at + 2..)?;
                if rest.trim_start().starts_with('>') {
                    return Some((at, code.len() - rest.trim_start().len() + 1));
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Returns the start of the name before a launch, including template arguments and namespaces.
fn callee_start(code: &str, at: usize) -> Option<usize> {
    let mut before = code.get(..at)?.trim_end();
    loop {
        if before.ends_with('>') {
            let mut depth = 0_i32;
            let opening = before.bytes().rposition(|byte| {
                depth += i32::from(byte == b'>') - i32::from(byte == b'<');
                depth == 0
            })?;
            before = before.get(..opening)?.trim_end();
        }
        let name = last_word(before);
        if name.is_empty() {
            return None;
        }
        before = before.get(..before.len() - name.len())?;
        match before.trim_end().strip_suffix("::") {
            // Of a namespace or class; or of none.
            Some(outer) if !last_word(outer).is_empty() || outer.trim_end().ends_with('>') => {
                before = outer.trim_end();
            }
            Some(outer) => return Some(outer.len()),
            None => return Some(before.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::Entries;
    use super::*;

    fn rewritten(source: &str, has_threads: bool) -> Result<String, String> {
        let text = Text::new(format!("# 1 \"k.cpp\"\n{source}"), &[]);
        let facts = |name: &str| {
            let (cores, has_name) = match name {
                "k" => (Cores::Vector, true),
                "t" => (Cores::Mixed(2), false),
                _ => return None,
            };
            Some(Facts { cores, has_name, on_vector: true, on_cube: cores != Cores::Vector })
        };
        let entries = Entries::of(&text);
        let overloads = Overloads::of(&entries);
        let instances = Instances::of(&text, &entries, &overloads);
        Ok(text.edited(launches(&text, facts, (&overloads, &instances), has_threads)?.edits))
    }

    #[test]
    fn launches_become_calls_on_their_lines() {
        let text = rewritten(
            "k<<<b, nullptr, s>>>(x,\n  f(1, 2));\nif (b) n::t<half, 3><<<2 * b, 0,\n s>>>(x);\nk<< <a[1 > 0], 0>> >();\n\
             k<<<chip->cores(), 0, s>>>();\n",
            false,
        )
        .unwrap();
        for part in [
            "\n(void)::mf::emulation::LaunchOf<k>::named(\"k\", ::mf::emulation::blocks_of(b), s, x,\n  f(1, 2));\n",
            "if (b) (void)::mf::emulation::LaunchOf<n::t<half, 3>>::template unnamed<::mf::emulation::Kind::Mixed, 2, \
             true, true>(\"t<>\", ::mf::emulation::blocks_of(2 * b), s, \nx);\n",
            "named(\"k\", ::mf::emulation::blocks_of(a[1 > 0]), nullptr);\n",
            "named(\"k\", ::mf::emulation::blocks_of(chip->cores()), s);\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn launches_name_one_of_several_kernels() {
        let kernels =
            "template <class T> __global__ void a(T x); template <class T> __global__ void a(T x, int y);\n";
        let text = rewritten(&format!("{kernels}n::a<B<1>><<<2, 0, s>>>(x, f(1, 2));"), false).unwrap();
        assert!(text.contains("LaunchOf<n::a_mf_of_2<B<1>>>::template unnamed<"), "{text}");
        assert!(text.contains("(\"a<>\", "), "{text}");
    }

    #[test]
    fn launches_without_template_arguments_deduce_them() {
        let kernel = "template <class T> __global__ void d(T x) {}\n";
        let text = rewritten(&format!("{kernel}n::d<<<2, 0, s>>>(f(1,\n 2));"), false).unwrap();
        assert!(text.contains("(void)decltype(n::mf_instance_of_d(f(1, 2)))::template unnamed<"), "{text}");
        assert!(text.ends_with("::mf::emulation::blocks_of(2), s, f(1,\n 2));"), "{text}");
    }

    #[test]
    fn launches_with_threads_pass_them() {
        let by = "LaunchOf<&::mf::emulation::ByThreads<k>::run>::template unnamed<::mf::emulation::Kind::Vector, 0, true, false>";
        let text = rewritten("k<<<4, dim3(8, 2), 0, s>>>(x);", false).unwrap();
        let expected =
            "(\"k<>\", ::mf::emulation::blocks_of(4), s, ::mf::emulation::extent_of(dim3(8, 2)), x);";
        assert!(text.contains(&format!("{by}{expected}")), "{text}");
        let text = rewritten("k<<<2, 4 * n, s>>>(x);", false).unwrap();
        let expected =
            "(\"k\", {::mf::emulation::blocks_of(2), ::mf::emulation::bytes_of_launch(4 * n)}, s, x);";
        assert!(text.contains(expected), "{text}");
        let text = rewritten("k<<<4, 8>>>(x); k<<<4, 8, 0>>>(x);", true).unwrap();
        assert_eq!(text.matches(", nullptr, ::mf::emulation::extent_of(8), x);").count(), 2, "{text}");
    }

    #[test]
    fn wrong_launches_are_errors_with_their_place() {
        for (source, expected) in [
            ("\nk<<<1, 0, s(x);", "k.cpp:2: error: the launch has no `>>>`"),
            ("k<<<1>>>(x);", "blocks"),
            ("k<<<1, 0, s>>>;", "arguments"),
            ("= <<<1, 0, s>>>(x);", "names no kernel"),
        ] {
            let error = rewritten(source, false).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
