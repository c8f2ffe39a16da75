// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The passes of CANN's compiler over one source, and the macros that each has.
//!
//! A source with kernels is compiled for the host, for vector cores and for cube cores. Passes differ by
//! macros alone, so a source that tests none of them has one text for all.

use std::ffi::{OsStr, OsString};

use super::text::{code_words, is_word};

/// The target of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    Host,
    Vector,
    Cube,
}

/// A product, by the number of its instruction set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Product {
    /// Atlas A2 and A3.
    #[default]
    A2,
    /// Ascend 950.
    A950,
}

impl Product {
    /// The product that the flags name, by `--npu-arch=dav-3510` or by `-D__NPU_ARCH__=3510`; A2 without it.
    /// Other numbers are left to the headers, which refuse them.
    pub(super) fn of_flags(flags: &[OsString]) -> Self {
        let named = |text: &OsStr| {
            let text = text.to_string_lossy();
            text == "--npu-arch=dav-3510"
                || text.strip_prefix("-D").unwrap_or(&text).trim() == "__NPU_ARCH__=3510"
        };
        if flags.iter().any(|flag| named(flag)) { Self::A950 } else { Self::A2 }
    }
}

/// A flag of CANN's compiler by which a launch has threads and may end behind them.
pub(super) const THREADS: &str = "--enable-simt";

/// Selects the flags for the host's compiler from a job's flags.
pub(super) fn of_host(flags: &[OsString]) -> impl Iterator<Item = &OsString> {
    flags.iter().filter(|flag| *flag != THREADS && !flag.to_string_lossy().starts_with("--npu-arch="))
}

/// Words of the macros by which code asks for its pass. `__DAV_…` are too many to list.
const DEVICE: [&str; 6] = [
    "__CCE_AICORE__",
    "__CCE_IS_AICORE__",
    "__NPU_ARCH__",
    "__NPU_DEVICE__",
    "__NPU_HOST__",
    "__ASC_NPU_HOST__",
];
const KINDS: [&str; 3] = ["SPLIT_CORE_CUBE", "SPLIT_CORE_VEC", "g_coreType"];

/// Which passes a source text asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asks {
    /// If it is for the host or for a device.
    pub(super) device: bool,
    /// For which kind of core.
    pub(super) kind: bool,
}

impl Asks {
    /// Of the words of a source, directives among them.
    pub(super) fn of(source: &str) -> Self {
        let mut asks = Self::default();
        for word in code_words(source) {
            let is_kind = word.starts_with("__DAV_") || KINDS.contains(&word.as_str());
            asks.device |= is_kind || DEVICE.contains(&word.as_str());
            asks.kind |= is_kind;
        }
        asks
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self { device: self.device || other.device, kind: self.kind || other.kind }
    }
}

impl Pass {
    /// The macros of a pass, as arguments of a compiler. A macro that the caller's flags define is left out.
    pub(super) fn macros(self, product: Product, flags: &[OsString]) -> Vec<String> {
        let (number, core, generation) = match product {
            Product::A2 => ("2201", "220", "__DAV_C220"),
            Product::A950 => ("3510", "310", "__DAV_C310"),
        };
        // `__CCE__` is of the language: all passes have it, and host code of other compilers has not.
        let mut macros = vec![
            ("MF_FRONT".to_owned(), "1"),
            ("MF_NPU_ARCH".to_owned(), number),
            ("__CCE__".to_owned(), "1"),
        ];
        let device = [("__NPU_ARCH__", number), ("__CCE_AICORE__", core)];
        let plain = ["__CCE_IS_AICORE__", "__NPU_DEVICE__"];
        match self {
            Self::Host => {
                macros.extend(["__NPU_HOST__", "__ASC_NPU_HOST__"].map(|name| (name.to_owned(), "1")));
            }
            Self::Vector | Self::Cube => {
                let kind = if self == Self::Cube { "CUBE" } else { "VEC" };
                macros.extend(device.map(|(name, value)| (name.to_owned(), value)));
                macros.extend(plain.map(|name| (name.to_owned(), "1")));
                macros.push((format!("{generation}__"), "1"));
                macros.push((format!("{generation}_{kind}__"), "1"));
                macros.push((format!("__DAV_{kind}__"), "1"));
                macros.push((format!("SPLIT_CORE_{kind}"), "1"));
            }
        }
        let given: Vec<String> = flags.iter().map(|flag| defined_by(flag)).collect();
        macros.retain(|(name, _)| !given.contains(name));
        macros.into_iter().map(|(name, value)| format!("-D{name}={value}")).collect()
    }
}

/// The name of the macro that a flag defines; `-D` may stand in the flag before.
fn defined_by(flag: &OsStr) -> String {
    let flag = flag.to_string_lossy();
    let name = flag.strip_prefix("-D").unwrap_or(&flag).trim_start();
    let end = name.bytes().position(|byte| !is_word(byte)).unwrap_or(name.len());
    name.get(..end).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_have_the_macros_of_their_core_and_product() {
        let of =
            |pass: Pass, product| pass.macros(product, &["-D".into(), "__NPU_ARCH__=3510".into()]).join(" ");
        let vector = of(Pass::Vector, Product::A2);
        assert!(
            vector.contains("-D__CCE_AICORE__=220") && vector.contains("-D__DAV_C220_VEC__=1"),
            "{vector}"
        );
        assert!(!vector.contains("CUBE") && !vector.contains("__NPU_ARCH__"), "{vector}");
        let cube = of(Pass::Cube, Product::A950);
        assert!(
            cube.contains("-D__DAV_C310_CUBE__=1 -D__DAV_CUBE__=1") && cube.contains("MF_NPU_ARCH=3510"),
            "{cube}"
        );
        let host = of(Pass::Host, Product::A950);
        assert!(
            host.contains("-D__CCE__=1 -D__NPU_HOST__")
                && !host.contains("_AICORE__")
                && !host.contains("__DAV"),
            "{host}"
        );
        assert_eq!(Product::of_flags(&["-D".into(), "__NPU_ARCH__=3510".into()]), Product::A950);
        assert_eq!(Product::of_flags(&["-D__NPU_ARCH__=3510".into()]), Product::A950);
        assert_eq!(Product::of_flags(&["-DX".into()]), Product::A2);
    }

    #[test]
    fn sources_ask_by_words_outside_of_comments() {
        assert_eq!(Asks::of("// __DAV_VEC__\nint a; \"__CCE_AICORE__\"\n#ifdef __CCE__"), Asks::default());
        assert_eq!(Asks::of("#if __NPU_ARCH__ == 3510\n"), Asks { device: true, kind: false });
        assert_eq!(Asks::of("#ifdef __DAV_C220_CUBE__\n"), Asks { device: true, kind: true });
        assert_eq!(Asks::of("if constexpr (g_coreType == 1)"), Asks { device: true, kind: true });
    }
}
