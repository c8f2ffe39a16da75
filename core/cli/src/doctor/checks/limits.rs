// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Limits of this process and of the machine that pools run into.

use mf_base::ByteLen;
use mf_base::os::process;
use mf_program::procfs::meminfo;
use rustix::process::Resource;

use super::super::finding::Finding;
use crate::info::max_mappings;

/// The limits. None: no limit, or not known to the kernel.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct LimitsFacts {
    pub(in super::super) address_space_bytes: Option<u64>,
    /// The soft limit, and the hard one up to which it may be raised.
    pub(in super::super) descriptors: (Option<u64>, Option<u64>),
    pub(in super::super) locked_bytes: Option<u64>,
    pub(in super::super) file_bytes: Option<u64>,
    /// Processes and threads of the user.
    pub(in super::super) processes: Option<u64>,
    /// Root is not counted.
    pub(in super::super) is_root: bool,
    pub(in super::super) mappings: Option<u64>,
    /// Of the control group.
    pub(in super::super) group_bytes: Option<u64>,
    pub(in super::super) memory_bytes: Option<u64>,
    pub(in super::super) available_bytes: Option<u64>,
    /// Total and free bytes of `/dev/shm`.
    pub(in super::super) shm_bytes: Option<(u64, u64)>,
    /// True if memory is registered with RDMA cards, which locks it.
    pub(in super::super) has_rdma: bool,
}

/// Asks the kernel.
pub(in super::super) fn gather() -> LimitsFacts {
    let descriptors = process::limit(Resource::Nofile);
    let shm = rustix::fs::statvfs("/dev/shm")
        .ok()
        .map(|shm| (shm.f_blocks.saturating_mul(shm.f_frsize), shm.f_bavail.saturating_mul(shm.f_frsize)));
    LimitsFacts {
        address_space_bytes: process::address_space_limit(),
        descriptors: descriptors.map_or((None, None), |limit| (limit.current, limit.maximum)),
        locked_bytes: process::limit(Resource::Memlock).and_then(|limit| limit.current),
        file_bytes: process::file_limit(),
        processes: process::limit(Resource::Nproc).and_then(|limit| limit.current),
        is_root: rustix::process::geteuid().is_root(),
        mappings: max_mappings(),
        group_bytes: process::cgroup_memory_limit(),
        memory_bytes: meminfo("MemTotal"),
        available_bytes: meminfo("MemAvailable"),
        shm_bytes: shm,
        has_rdma: std::fs::read_dir("/sys/class/infiniband").is_ok_and(|mut cards| cards.next().is_some()),
    }
}

/// Needed by a job of 64 ranks on a host; small jobs may work with less.
const DESCRIPTORS: u64 = 256;
/// Leaves room for the program itself.
const DESCRIPTORS_WANTED: u64 = 1024;
/// The kernel's own default.
const MAPPINGS: u64 = 65_530;
/// A process has some tens of threads.
const PROCESSES: u64 = 1024;
/// Less than this and no pool of use fits.
const LEAST_MEMORY: u64 = 1 << 30;
/// UCX keeps some MiB in `/dev/shm` for each process.
const LEAST_SHM: u64 = 64 << 20;

/// Which of them are too low.
pub(in super::super) fn diagnose(facts: &LimitsFacts) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(limit) = facts.address_space_bytes {
        findings.push(address_space(limit, facts.memory_bytes));
    }
    findings.extend(descriptors(facts.descriptors));
    if let Some(limit) = facts.locked_bytes.filter(|_| facts.has_rdma) {
        findings.push(Finding::warning(
            format!("locked memory (RLIMIT_MEMLOCK) is {}: RDMA cards register no more", ByteLen(limit)),
            "ulimit -l unlimited (docker: --ulimit memlock=-1)",
        ));
    }
    if let Some(limit) = facts.file_bytes {
        let text =
            format!("the size of files (RLIMIT_FSIZE) is {}: segments are memory files", ByteLen(limit));
        findings.push(match limit < LEAST_MEMORY {
            true => Finding::error(text, "ulimit -f unlimited"),
            false => Finding::warning(text, "ulimit -f unlimited"),
        });
    }
    if let Some(limit) = facts.processes.filter(|limit| *limit < PROCESSES && !facts.is_root) {
        findings.push(Finding::warning(
            format!("processes and threads of this user (RLIMIT_NPROC) are {limit} at most"),
            "ulimit -u 16384",
        ));
    }
    if let Some(limit) = facts.mappings.filter(|limit| *limit < MAPPINGS) {
        findings.push(Finding::warning(
            format!(
                "a process has {limit} mappings at most (vm.max_map_count): a pool takes two for each rank"
            ),
            format!("sysctl vm.max_map_count={MAPPINGS}"),
        ));
    }
    findings.extend(memory(facts));
    if let Some((size, free)) = facts.shm_bytes.filter(|(_, free)| *free < LEAST_SHM) {
        findings.push(
            Finding::note(format!(
                "/dev/shm has {} of {} free; pools do not use it, UCX between processes of one host does",
                ByteLen(free),
                ByteLen(size)
            ))
            .remedy("mount -o remount,size=1G /dev/shm (docker: --shm-size=1g)"),
        );
    }
    if findings.is_empty() {
        findings.push(Finding::ok("none is in the path of a pool"));
    }
    findings
}

fn address_space(limit: u64, memory: Option<u64>) -> Finding {
    let text = format!(
        "address space (RLIMIT_AS) is {}: every process reserves that of the whole pool",
        ByteLen(limit)
    );
    let remedy = "ulimit -v unlimited, or smaller maxima of pools";
    match memory {
        Some(memory) if limit > memory => Finding::warning(text, remedy),
        _ => Finding::error(text, remedy),
    }
}

fn descriptors((soft, hard): (Option<u64>, Option<u64>)) -> Option<Finding> {
    let soft = soft.filter(|soft| *soft < DESCRIPTORS_WANTED)?;
    let text =
        format!("open descriptors (RLIMIT_NOFILE) are {soft} at most: 64 ranks of a host take about 150");
    let remedy = match hard {
        Some(hard) if hard < DESCRIPTORS_WANTED => {
            format!("as root: prlimit --nofile=65536 --pid $$, since the hard limit is {hard}")
        }
        _ => format!("ulimit -n {}", hard.map_or(65_536, |hard| hard.min(65_536))),
    };
    Some(if soft < DESCRIPTORS { Finding::error(text, remedy) } else { Finding::warning(text, remedy) })
}

fn memory(facts: &LimitsFacts) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(limit) = facts.group_bytes
        && facts.memory_bytes.is_none_or(|memory| limit < memory)
    {
        let text = format!(
            "the control group may use {}: what it touches of a pool counts, and the kernel ends processes beyond it",
            ByteLen(limit)
        );
        findings.push(match limit < LEAST_MEMORY {
            true => Finding::warning(text, "raise memory.max of the group (docker: --memory; Slurm: --mem)"),
            false => Finding::note(text),
        });
    }
    if let Some(available) = facts.available_bytes.filter(|available| *available < LEAST_MEMORY) {
        findings.push(Finding::warning(
            format!("{} of memory are available", ByteLen(available)),
            "end what uses it (ps aux --sort=-rss), or make pools smaller",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::{Severity, severities};
    use super::*;

    /// A machine that nothing is wrong with.
    fn roomy() -> LimitsFacts {
        LimitsFacts {
            descriptors: (Some(1 << 20), Some(1 << 20)),
            locked_bytes: Some(8 << 20),
            mappings: Some(MAPPINGS),
            memory_bytes: Some(64 << 30),
            available_bytes: Some(32 << 30),
            shm_bytes: Some((32 << 30, 32 << 30)),
            ..LimitsFacts::default()
        }
    }

    #[test]
    fn low_limits_are_found_with_remedies() {
        use Severity::{Good, Hinders, Note, Warning};
        let table: [(LimitsFacts, Severity, &str, &str); 14] = [
            (roomy(), Good, "none", ""),
            (
                LimitsFacts { address_space_bytes: Some(8 << 30), ..roomy() },
                Hinders,
                "RLIMIT_AS",
                "ulimit -v",
            ),
            (LimitsFacts { address_space_bytes: Some(1 << 40), ..roomy() }, Warning, "1 TiB", "ulimit -v"),
            (
                LimitsFacts { descriptors: (Some(64), Some(4096)), ..roomy() },
                Hinders,
                "64 at most",
                "ulimit -n 4096",
            ),
            (LimitsFacts { descriptors: (Some(512), None), ..roomy() }, Warning, "512", "ulimit -n 65536"),
            (LimitsFacts { descriptors: (Some(100), Some(100)), ..roomy() }, Hinders, "100", "prlimit"),
            (LimitsFacts { has_rdma: true, ..roomy() }, Warning, "RLIMIT_MEMLOCK", "ulimit -l"),
            (LimitsFacts { has_rdma: true, locked_bytes: None, ..roomy() }, Good, "none", ""),
            (LimitsFacts { file_bytes: Some(1 << 20), ..roomy() }, Hinders, "RLIMIT_FSIZE", "ulimit -f"),
            (LimitsFacts { processes: Some(100), ..roomy() }, Warning, "RLIMIT_NPROC", "ulimit -u"),
            (LimitsFacts { processes: Some(100), is_root: true, ..roomy() }, Good, "none", ""),
            (LimitsFacts { mappings: Some(1000), ..roomy() }, Warning, "max_map_count", "sysctl"),
            (LimitsFacts { group_bytes: Some(512 << 20), ..roomy() }, Warning, "control group", "memory.max"),
            (LimitsFacts { shm_bytes: Some((64 << 20, 0)), ..roomy() }, Note, "/dev/shm", "--shm-size"),
        ];
        for (facts, severity, text, remedy) in table {
            let findings = diagnose(&facts);
            assert_eq!(severities(&findings), [severity], "{facts:?}: {findings:?}");
            assert!(findings[0].text.contains(text), "{findings:?}");
            assert!(findings[0].remedy.clone().unwrap_or_default().contains(remedy), "{findings:?}");
        }
    }

    #[test]
    fn several_low_limits_are_all_found() {
        let facts = LimitsFacts {
            descriptors: (Some(64), None),
            file_bytes: Some(1 << 40),
            available_bytes: Some(1 << 20),
            group_bytes: Some(4 << 30),
            ..roomy()
        };
        let found = severities(&diagnose(&facts));
        assert_eq!(found, [Severity::Hinders, Severity::Warning, Severity::Note, Severity::Warning]);
    }

    #[test]
    fn limits_of_this_machine_are_readable() {
        let facts = gather();
        assert!(facts.memory_bytes.is_some_and(|bytes| bytes > 0));
        assert!(facts.mappings.is_some());
    }
}
