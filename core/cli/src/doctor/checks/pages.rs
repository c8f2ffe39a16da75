// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Huge pages for segments.

use mf_base::ByteLen;
use mf_base::os::memfile::free_huge_bytes;
use mf_base::settings::{Settings, Switch};

use super::super::finding::Finding;
use crate::info::transparent_huge_pages;

/// Pages of the machine, and the requested setting.
#[derive(Clone, Debug)]
pub(in super::super) struct PagesFacts {
    /// `MF_HUGE_PAGES`, or off by `MF_HYBM_ENABLE_4K_PAGE`.
    pub(in super::super) wish: Switch,
    /// Free bytes in the pool of pages of 2 MiB, including pages added on demand.
    pub(in super::super) free_bytes: u64,
    /// Transparent ones for shared memory: `always`, `advise`, `never`, …; none: the kernel has none.
    pub(in super::super) transparent: Option<String>,
}

/// Asks the kernel.
pub(in super::super) fn gather(settings: &Settings) -> PagesFacts {
    let wish = if settings.normal_pages { Switch::Off } else { settings.huge_pages };
    PagesFacts { wish, free_bytes: free_huge_bytes(), transparent: transparent_huge_pages("shmem_enabled") }
}

const POOL: &str = "sysctl vm.nr_overcommit_hugepages=4096";
const TRANSPARENT: &str = "echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled";

/// Decides if segments get them.
pub(in super::super) fn diagnose(facts: &PagesFacts) -> Vec<Finding> {
    let free = ByteLen(facts.free_bytes);
    let is_transparent =
        matches!(facts.transparent.as_deref(), Some("always" | "advise" | "within_size" | "force"));
    vec![match (facts.wish, facts.free_bytes) {
        (Switch::Off, _) => Finding::ok("segments have pages of the normal size, as is set"),
        (Switch::On, 0) => Finding::error(
            "MF_HUGE_PAGES=on requires huge pages, and the pool of pages of 2 MiB has none free",
            format!("{POOL}, or MF_HUGE_PAGES=auto"),
        ),
        (_, 1..) => {
            Finding::ok(format!("{free} of huge pages can be had for segments; larger ones get normal pages"))
        }
        (_, 0) if is_transparent => {
            Finding::ok("segments may get transparent huge pages; the pool of 2 MiB is empty")
        }
        (_, 0) => Finding::note(format!(
            "segments get normal pages: no huge page is free, and transparent ones for shared memory are {}",
            facts.transparent.as_deref().unwrap_or("not in this kernel")
        ))
        .remedy(format!("for faster first copies of large segments, as root: {POOL}, or: {TRANSPARENT}")),
    }]
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Note};
    use super::*;

    #[test]
    fn huge_page_finding_follows_setting_pool_and_kernel() {
        let table: [(Switch, u64, Option<&str>, Severity, &str); 7] = [
            (Switch::Off, 0, None, Good, "as is set"),
            (Switch::On, 0, Some("always"), Hinders, "MF_HUGE_PAGES=on"),
            (Switch::On, 2 << 20, None, Good, "2 MiB"),
            (Switch::Auto, 1 << 30, Some("never"), Good, "1 GiB"),
            (Switch::Auto, 0, Some("advise"), Good, "transparent"),
            (Switch::Auto, 0, Some("never"), Note, "never"),
            (Switch::Auto, 0, None, Note, "not in this kernel"),
        ];
        for (wish, free_bytes, transparent, severity, part) in table {
            let facts = PagesFacts { wish, free_bytes, transparent: transparent.map(str::to_owned) };
            let findings = diagnose(&facts);
            assert_eq!(findings.len(), 1);
            assert_eq!(findings[0].severity, severity, "{facts:?}: {findings:?}");
            assert!(findings[0].text.contains(part), "{findings:?}");
            assert_eq!(findings[0].remedy.is_some(), severity > Good, "{findings:?}");
        }
    }
}
