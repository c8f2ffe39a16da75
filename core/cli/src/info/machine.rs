// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Facts of the machine that decide how fast and how large a pool can be.

use mf_base::ByteLen;
use mf_base::os::process;
use mf_program::procfs::meminfo;
use serde_json::json;

use super::report::Fact;

/// Memory and memory nodes in a sentence.
pub(super) fn host_memory_text() -> String {
    let show = |name| meminfo(name).map_or_else(|| "unknown".to_owned(), |bytes| ByteLen(bytes).to_string());
    format!("{} of memory, {} available, {}", show("MemTotal"), show("MemAvailable"), nodes_text())
}

fn nodes_text() -> String {
    match memory_nodes() {
        0 => "memory nodes unknown".to_owned(),
        1 => "1 memory node".to_owned(),
        count => format!("{count} memory nodes"),
    }
}

fn memory_nodes() -> usize {
    std::fs::read_to_string("/sys/devices/system/node/has_memory").map_or(0, |list| count_list(list.trim()))
}

/// Members of a kernel list such as `0-3,8`.
fn count_list(list: &str) -> usize {
    list.split(',')
        .filter_map(|part| match part.split_once('-') {
            Some((from, to)) => {
                let (from, to): (usize, usize) = (from.parse().ok()?, to.parse().ok()?);
                to.checked_sub(from)?.checked_add(1)
            }
            None => part.parse::<usize>().ok().map(|_| 1),
        })
        .sum()
}

/// The processor, and the instructions that the copy kernels choose from.
pub(super) fn processor() -> Vec<Fact> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let features = copy_features();
    vec![
        Fact::text("model", processor_model()),
        Fact::with_text("usable cores", json!(cores), cores.to_string()),
        Fact::with_text("copy instructions", json!(features), features.join(" ")),
    ]
}

fn processor_model() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| "unknown".to_owned(), |(_, name)| name.trim().to_owned())
}

#[cfg(target_arch = "x86_64")]
fn copy_features() -> Vec<&'static str> {
    let detected = [
        ("sse2", true),
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("ermsb", is_x86_feature_detected!("ermsb")),
    ];
    detected.into_iter().filter_map(|(name, there)| there.then_some(name)).collect()
}

#[cfg(target_arch = "aarch64")]
fn copy_features() -> Vec<&'static str> {
    let detected = [
        ("neon", std::arch::is_aarch64_feature_detected!("neon")),
        ("sve", std::arch::is_aarch64_feature_detected!("sve")),
    ];
    detected.into_iter().filter_map(|(name, there)| there.then_some(name)).collect()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn copy_features() -> Vec<&'static str> {
    Vec::new()
}

/// Pages, huge pages and memory nodes.
pub(super) fn memory() -> Vec<Fact> {
    let mut facts = Vec::new();
    for (name, row) in [("total", "MemTotal"), ("available", "MemAvailable"), ("shared", "Shmem")] {
        facts.push(bytes(name, meminfo(row)));
    }
    let nodes = memory_nodes();
    facts.push(Fact::with_text("memory nodes", json!(nodes), nodes.to_string()));
    facts.push(bytes("page", Some(process::page_bytes())));
    for pool in huge_page_pools() {
        let shown = format!("{} free of {}, {} more on demand", pool.free, pool.total, pool.on_demand);
        let value = json!({ "total": pool.total, "free": pool.free, "on_demand": pool.on_demand });
        facts.push(Fact::with_text(format!("huge pages of {}", ByteLen(pool.page_bytes)), value, shown));
    }
    for (name, file) in
        [("transparent huge pages", "enabled"), ("the same for shared memory", "shmem_enabled")]
    {
        let mode = transparent_huge_pages(file);
        facts.push(Fact::text(name, mode.unwrap_or_else(|| "not in this kernel".to_owned())));
    }
    facts
}

/// The mode of transparent huge pages: `enabled` for private memory, `shmem_enabled` for shared memory.
pub(crate) fn transparent_huge_pages(file: &str) -> Option<String> {
    let path = format!("/sys/kernel/mm/transparent_hugepage/{file}");
    std::fs::read_to_string(path).ok().and_then(|text| chosen(&text))
}

/// The word in brackets of a kernel choice such as `always [madvise] never`.
fn chosen(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('[')?;
    rest.split_once(']').map(|(word, _)| word.to_owned())
}

struct HugePagePool {
    page_bytes: u64,
    total: u64,
    free: u64,
    on_demand: u64,
}

fn huge_page_pools() -> Vec<HugePagePool> {
    let Ok(entries) = std::fs::read_dir("/sys/kernel/mm/hugepages") else { return Vec::new() };
    let mut pools: Vec<HugePagePool> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let kib: u64 =
                path.file_name()?.to_str()?.strip_prefix("hugepages-")?.strip_suffix("kB")?.parse().ok()?;
            let read = |name| {
                Some(std::fs::read_to_string(path.join(name)).ok()?.trim().parse::<u64>().unwrap_or(0))
            };
            let on_demand = read("nr_overcommit_hugepages")?.saturating_sub(read("surplus_hugepages")?);
            let free = read("free_hugepages")?.saturating_sub(read("resv_hugepages")?);
            Some(HugePagePool { page_bytes: kib << 10, total: read("nr_hugepages")?, free, on_demand })
        })
        .collect();
    pools.sort_by_key(|pool| pool.page_bytes);
    pools
}

/// Limits that a pool runs into.
pub(super) fn limits() -> Vec<Fact> {
    let maps = max_mappings();
    let count = |limit: Option<u64>| limit.map_or_else(|| "unlimited".to_owned(), |n| n.to_string());
    let descriptors = process::descriptor_limit();
    vec![
        limit_bytes("address space (RLIMIT_AS)", process::address_space_limit()),
        Fact::with_text("descriptors (RLIMIT_NOFILE)", json!(descriptors), count(descriptors)),
        limit_bytes("memory of the control group", process::cgroup_memory_limit()),
        Fact::with_text(
            "mappings (vm.max_map_count)",
            json!(maps),
            maps.map_or("unknown".to_owned(), |n| n.to_string()),
        ),
    ]
}

/// Limit of mappings per process.
pub(crate) fn max_mappings() -> Option<u64> {
    std::fs::read_to_string("/proc/sys/vm/max_map_count").ok()?.trim().parse().ok()
}

fn limit_bytes(name: &str, limit: Option<u64>) -> Fact {
    Fact::with_text(
        name,
        json!(limit),
        limit.map_or_else(|| "unlimited".to_owned(), |n| ByteLen(n).to_string()),
    )
}

fn bytes(name: &str, value: Option<u64>) -> Fact {
    Fact::with_text(
        name,
        json!(value),
        value.map_or_else(|| "unknown".to_owned(), |n| ByteLen(n).to_string()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_texts_are_parsed() {
        assert_eq!(chosen("always [madvise] never\n").as_deref(), Some("madvise"));
        assert_eq!(chosen("nothing"), None);
        for (list, count) in [("0", 1), ("0-3,8", 5), ("", 0), ("3-1", 0)] {
            assert_eq!(count_list(list), count, "{list}");
        }
    }
}
