// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Launches of templates without template arguments: the compiler deduces them from the launch's arguments.
//!
//! A launch passes its kernel as a template argument, which has to be one function. A function with the
//! kernel's parameters, only declared, has the instance in the type of its result:
//!
//! ```text
//!   template <class T> __global__ void k(T x) {…} template <class T> LaunchOf<k<T>> mf_instance_of_k(T);
//!   k<<<…>>>(1)  ─►  decltype(mf_instance_of_k(1))::template unnamed<…>(…, 1)
//! ```

use super::entries::{Entries, KernelEntry};
use super::overloads::Overloads;
use super::text::{Text, closing, last_word, split, words};

/// The kernels of a text that are templates.
pub(super) struct Instances<'a> {
    text: &'a Text,
    entries: &'a Entries,
    overloads: &'a Overloads,
}

impl<'a> Instances<'a> {
    pub(super) fn of(text: &'a Text, entries: &'a Entries, overloads: &'a Overloads) -> Self {
        Self { text, entries, overloads }
    }

    /// Returns the function whose result names the instance of a kernel (its own name). None if no template
    /// has the name, or its parameters cannot be read.
    pub(super) fn function(&self, name: &str) -> Option<String> {
        let mut all = self.entries.kernels.iter().filter(|entry| entry.body.is_some());
        let entry = all.find(|entry| self.overloads.name_of(entry) == name)?;
        self.parameters(entry).map(|_| function_of(name))
    }

    /// Returns the declaration of that function, for behind the kernel's body.
    pub(super) fn declaration(&self, entry: &KernelEntry) -> Option<String> {
        let (parameters, names) = self.parameters(entry)?;
        let (name, types) = (self.overloads.name_of(entry), entry.parameters.join(", "));
        let function = function_of(&name);
        Some(format!(
            "template <{parameters}> ::mf::emulation::LaunchOf<{name}<{names}>> {function}({types});"
        ))
    }

    /// The template parameters of a kernel, and their names as arguments.
    fn parameters(&self, entry: &KernelEntry) -> Option<(String, String)> {
        let head = self.text.code.get(entry.head.clone())?;
        let behind = head.get(words(head, "template").next()? + "template".len()..)?.trim_start();
        let list = angles(behind)?;
        let name_of = |part: &str| {
            let part = part.split('=').next().unwrap_or_default();
            let name = last_word(part);
            let pack = if part.contains("...") { "..." } else { "" };
            let is_named = !["", "typename", "class", "auto", "bool", "int"].contains(&name);
            is_named.then(|| format!("{name}{pack}"))
        };
        let names = split(list).into_iter().map(name_of).collect::<Option<Vec<_>>>()?;
        Some((list.split_whitespace().collect::<Vec<_>>().join(" "), names.join(", ")))
    }
}

/// The text between the first `<` of a text and its `>`.
fn angles(text: &str) -> Option<&str> {
    let (mut depth, mut at) = (0_u32, 0);
    loop {
        match *text.as_bytes().get(at)? {
            // Inside of them `>` may compare.
            b'(' | b'{' => at = closing(text, at)?,
            b'<' => depth += 1,
            b'>' if depth <= 1 => return text.get(1..at),
            b'>' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
}

fn function_of(name: &str) -> String {
    format!("mf_instance_of_{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_results_of_declared_functions() {
        let source = "template <class T, uint32_t N = (2 > 1),\n typename... More> __global__ void k(T x, More... y) {}\n\
                      template <class> __global__ void unnamed(int x) {}\n__global__ void plain(int x) {}\n";
        let text = Text::new(format!("# 1 \"k.cpp\"\n{source}"), &[]);
        let entries = Entries::of(&text);
        let overloads = Overloads::of(&entries);
        let instances = Instances::of(&text, &entries, &overloads);
        assert_eq!(instances.function("k").as_deref(), Some("mf_instance_of_k"));
        assert_eq!(instances.function("unnamed"), None);
        assert_eq!(instances.function("plain"), None);
        assert_eq!(
            instances.declaration(&entries.kernels[0]).as_deref(),
            Some(
                "template <class T, uint32_t N = (2 > 1), typename... More> \
                 ::mf::emulation::LaunchOf<k<T, N, More...>> mf_instance_of_k(T, More...);"
            )
        );
    }
}
