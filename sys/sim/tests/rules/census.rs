// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Leaks after the end of processes: none.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use ascend_sim::acl::devices::aclrtSetDevice;
use ascend_sim::acl::memory::aclrtMalloc;
use ascend_sim::acl::streams::aclrtCreateStream;
use ascend_sim::machine::machine;
use ascend_sim::session::{Offer, Sort};
use rustix::process::{Signal, getpid, kill_process};

use crate::calls::eventually;
use crate::isolated;

/// Links of a process's descriptors.
fn links(process: &Path) -> Vec<String> {
    let entries = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    let links = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    links.map(|link| link.to_string_lossy().into_owned()).collect()
}

/// Names of this process's sockets.
pub(crate) fn own_names() -> Vec<String> {
    let sockets = links(Path::new("/proc/self"));
    let inodes: BTreeSet<&str> =
        sockets.iter().filter_map(|link| link.strip_prefix("socket:[")?.strip_suffix(']')).collect();
    let all = fs::read_to_string("/proc/net/unix").unwrap();
    let columns = all.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    columns
        .filter(|line| line.len() == 8 && inodes.contains(line[6]))
        .map(|line| line[7].to_owned())
        .collect()
}

/// Inodes of the simulator's memory files that this process maps.
fn own_memory() -> BTreeSet<u64> {
    mapped_memory(Path::new("/proc/self"))
}

fn mapped_memory(process: &Path) -> BTreeSet<u64> {
    let maps = fs::read_to_string(process.join("maps")).unwrap_or_default();
    let maps = maps.lines().filter(|line| line.contains("/memfd:ascend-sim"));
    maps.filter_map(|line| line.split_whitespace().nth(4)?.parse().ok()).collect()
}

/// Inodes that any process has open or maps.
fn memory_of_everybody() -> BTreeSet<u64> {
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let processes = processes.filter(|path| path.join("maps").exists());
    let mut all = BTreeSet::new();
    for process in processes {
        all.extend(mapped_memory(&process));
        let entries = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
        let ours = entries.filter(|entry| {
            fs::read_link(entry.path())
                .is_ok_and(|link| link.to_string_lossy().starts_with("/memfd:ascend-sim"))
        });
        all.extend(ours.filter_map(|entry| Some(fs::metadata(entry.path()).ok()?.ino())));
    }
    all
}

#[test]
fn s7_killed_processes_leave_nothing_behind() {
    const MEMBERS: usize = 3;
    isolated::crew(MEMBERS + 1, &[], |rank, board| {
        if rank < MEMBERS {
            ok!(aclrtSetDevice(0));
            made!(aclrtCreateStream());
            let memory = made!(aclrtMalloc(4 << 20, 0));
            let region = ascend_sim::memory::region::regions().unwrap().find(memory.addr() as u64).unwrap();
            let block = region.block.clone().unwrap();
            let published = machine().unwrap().session.publish(Offer {
                sort: Sort::Memory,
                file: block.file.clone(),
                claim: block.claim.clone(),
                facts: [0; 6],
                open: true,
                fabric: true,
            });
            board.post(&format!("number-{rank}"), &published.as_ref().unwrap().number.to_le_bytes());
            let other = board.take(&format!("number-{}", (rank + 1) % MEMBERS));
            let other = u64::from_le_bytes(other.try_into().unwrap());
            let _held = machine().unwrap().session.fetch(Sort::Memory, other, None, 1).unwrap();
            board.post(&format!("names-{rank}"), own_names().join(" ").as_bytes());
            let memory: Vec<String> = own_memory().iter().map(u64::to_string).collect();
            board.post(&format!("memory-{rank}"), memory.join(" ").as_bytes());
            board.meet("alive", rank, MEMBERS + 1);
            board.take("die");
            kill_process(getpid(), Signal::KILL).unwrap();
        }
        let mut names = BTreeSet::new();
        let mut memory: BTreeSet<u64> = BTreeSet::new();
        let text = |name: String| String::from_utf8(board.take(&name)).unwrap();
        for member in 0..MEMBERS {
            names.extend(text(format!("names-{member}")).split(' ').map(str::to_owned));
            memory.extend(
                text(format!("memory-{member}")).split(' ').map(|inode| inode.parse::<u64>().unwrap()),
            );
        }
        board.meet("alive", rank, MEMBERS + 1);
        assert_eq!(names.len(), MEMBERS, "a listener each: {names:?}");
        assert!(memory.len() > MEMBERS, "the machine, and memory of each: {memory:?}");
        assert!(memory.is_subset(&memory_of_everybody()));
        board.post("die", b"");
        eventually("the names are gone", || {
            let all = fs::read_to_string("/proc/net/unix").unwrap();
            names.iter().all(|name| !all.contains(name))
        });
        eventually("the memory is gone", || memory.is_disjoint(&memory_of_everybody()));
    });
}

#[test]
fn s7_no_file_has_a_name() {
    isolated::run(&[], || {
        let before = links(Path::new("/proc/self"));
        ok!(aclrtSetDevice(0));
        made!(aclrtCreateStream());
        made!(aclrtMalloc(4 << 20, 0));
        for link in links(Path::new("/proc/self")).iter().filter(|link| !before.contains(link)) {
            let nameless = ["/memfd:", "socket:", "anon_inode:", "/proc/"];
            assert!(nameless.iter().any(|start| link.starts_with(start)), "{link} is open");
        }
    });
}
