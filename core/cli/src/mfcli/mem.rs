// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfcli mem scan`: memory of this machine by process, and holders of its huge pages.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use mf_base::{ByteLen, Error, Kind, Result};
use mf_program::output::{note, print};
use mf_program::procfs::kernel_row;
use mf_program::table::TextTable;

const OPERATION: &str = "mfcli mem scan";
const MIB: u64 = 1 << 20;

/// Memory of this machine.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: MemoryCommand,
}

#[derive(clap::Subcommand)]
enum MemoryCommand {
    Scan(ScanArgs),
}

/// Show memory and huge pages by memory node and by process, the largest first.
///
/// Read from /proc/PID/numa_maps: pages that processes share count for each of them. Processes of other users
/// are read by root only; the number of unreadable ones is printed on standard error.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mfcli mem scan
  mfcli mem scan -n 1 -m 100")]
struct ScanArgs {
    /// Only memory of this node.
    #[arg(short, long, value_name = "N")]
    node: Option<u32>,
    /// Leave out processes with less, in MiB.
    #[arg(short, long, value_name = "M", default_value_t = 1)]
    min_mb: u64,
    /// Threads that read; without it one for each usable core, 8 at most.
    #[arg(short, long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=256))]
    workers: Option<u32>,
}

/// Runs the subcommand.
pub(super) fn main(args: &Args) -> Result<()> {
    let MemoryCommand::Scan(args) = &args.what;
    scan(args)
}

/// Memory use of a process, in bytes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Usage {
    /// By node.
    nodes: BTreeMap<u32, u64>,
    huge: u64,
    /// Memory of pools and other memory files.
    files: u64,
}

impl Usage {
    fn sum(&self) -> u64 {
        self.nodes.values().sum()
    }
}

/// The text of `numa_maps`: a mapping a line, with `N0=pages` for each node and the size of its pages. With a
/// node, only the pages there.
fn usage(maps: &str, node: Option<u32>) -> Usage {
    let mut usage = Usage::default();
    for line in maps.lines() {
        let mut nodes = Vec::new();
        let (mut page_bytes, mut is_huge, mut is_file) = (4096, false, false);
        for word in line.split_whitespace() {
            if let Some(text) = word.strip_prefix("kernelpagesize_kB=") {
                page_bytes = text.parse::<u64>().unwrap_or(4) << 10;
            } else if word == "huge" {
                is_huge = true;
            } else if let Some(path) = word.strip_prefix("file=") {
                is_file = path.starts_with("/memfd:") || path.starts_with("/dev/shm/");
            } else if let Some((number, pages)) = word.strip_prefix('N').and_then(|text| text.split_once('='))
                && let (Ok(number), Ok(pages)) = (number.parse::<u32>(), pages.parse::<u64>())
                && node.is_none_or(|one| one == number)
            {
                nodes.push((number, pages));
            }
        }
        for (number, pages) in nodes {
            let bytes = pages.saturating_mul(page_bytes);
            *usage.nodes.entry(number).or_default() += bytes;
            usage.huge += if is_huge { bytes } else { 0 };
            usage.files += if is_file { bytes } else { 0 };
        }
    }
    usage
}

struct Found {
    pid: u32,
    command: String,
    usage: Usage,
}

fn processes() -> Result<Vec<u32>> {
    let entries = std::fs::read_dir("/proc").map_err(|error| {
        Error::new(Kind::Failed, OPERATION).what("the list of processes cannot be read").source(error)
    })?;
    let number = |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().to_str()?.parse().ok();
    Ok(entries.filter_map(number).collect())
}

/// `None`: it has ended, or is another user's.
fn read_process(pid: u32, node: Option<u32>) -> Option<Found> {
    let folder = Path::new("/proc").join(pid.to_string());
    let maps = std::fs::read_to_string(folder.join("numa_maps")).ok()?;
    let command = std::fs::read_to_string(folder.join("comm")).unwrap_or_default().trim().to_owned();
    Some(Found { pid, command, usage: usage(&maps, node) })
}

/// All processes that can be read, and how many cannot.
fn read_all(pids: &[u32], node: Option<u32>, workers: usize) -> (Vec<Found>, usize) {
    let next = AtomicUsize::new(0);
    let read = || {
        let (mut found, mut unread) = (Vec::new(), 0);
        while let Some(pid) = pids.get(next.fetch_add(1, Ordering::Relaxed)) {
            match read_process(*pid, node) {
                Some(one) => found.push(one),
                None if Path::new("/proc").join(pid.to_string()).exists() => unread += 1,
                None => {}
            }
        }
        (found, unread)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(read)).collect();
        let parts = threads.into_iter().filter_map(|thread| thread.join().ok());
        parts.fold((Vec::new(), 0), |(mut all, sum), (found, unread)| {
            all.extend(found);
            (all, sum + unread)
        })
    })
}

fn scan(args: &ScanArgs) -> Result<()> {
    if !Path::new("/proc/self/numa_maps").exists() {
        return Err(Error::new(Kind::NotExist, OPERATION)
            .what("this kernel has no /proc/PID/numa_maps")
            .hint("it is built without NUMA; mf info shows the memory of the machine"));
    }
    let nodes = nodes(args.node)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let workers = args.workers.map_or(cores, |workers| workers as usize);
    let (mut found, unread) = read_all(&processes()?, args.node, workers);
    found.retain(|one| one.usage.sum() >= args.min_mb.saturating_mul(MIB));
    found.sort_by_key(|one| (std::cmp::Reverse(one.usage.sum()), one.pid));
    let size = |bytes: u64| ByteLen(bytes >> 10 << 10).to_string();
    let mut table =
        TextTable::new(0, &["pid", "memory", "of it huge pages", "of it memory files", "by node", "program"]);
    for one in &found {
        let by_node: Vec<String> =
            one.usage.nodes.iter().map(|(node, bytes)| format!("{node}: {} MiB", bytes / MIB)).collect();
        table.row(vec![
            one.pid.to_string(),
            size(one.usage.sum()),
            size(one.usage.huge),
            size(one.usage.files),
            by_node.join(", "),
            one.command.clone(),
        ]);
    }
    print(&format!("{}\n{}", nodes, table.render()))?;
    if unread > 0 {
        note(&format!("processes that cannot be read: {unread}"));
    }
    Ok(())
}

/// The table of nodes.
fn nodes(only: Option<u32>) -> Result<String> {
    let folder = Path::new("/sys/devices/system/node");
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let number = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.ok()?.file_name().to_str()?.strip_prefix("node")?.parse::<u32>().ok()
    };
    let mut numbers: Vec<u32> = entries.filter_map(number).collect();
    numbers.sort_unstable();
    if let Some(node) = only {
        if !numbers.contains(&node) {
            let there: Vec<String> = numbers.iter().map(u32::to_string).collect();
            return Err(Error::invalid(OPERATION, "no such memory node")
                .with("node", node)
                .with("there_are", there.join(", ")));
        }
        numbers = vec![node];
    }
    let mut table = TextTable::new(0, &["node", "total", "free", "huge pages", "free huge pages"]);
    for node in numbers {
        let text = std::fs::read_to_string(folder.join(format!("node{node}/meminfo"))).unwrap_or_default();
        // Rows are "Node 0 MemTotal: 123 kB"; rows of huge pages have numbers without a unit.
        let prefix = format!("Node {node} ");
        let rows: String =
            text.lines().map(|line| line.strip_prefix(&prefix).unwrap_or(line).to_owned() + "\n").collect();
        let bytes =
            |name| kernel_row(&rows, name).map_or_else(|| "-".to_owned(), |bytes| ByteLen(bytes).to_string());
        let pages = |name: &str| {
            let row = rows.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            row.map_or_else(|| "-".to_owned(), |value| value.trim().to_owned())
        };
        let (total, free) = (pages("HugePages_Total"), pages("HugePages_Free"));
        table.row(vec![node.to_string(), bytes("MemTotal"), bytes("MemFree"), total, free]);
    }
    Ok(table.render())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_added_up_by_node() {
        let maps = "\
7f00 default anon=3 dirty=3 N0=2 N1=1 kernelpagesize_kB=4
7f10 default file=/memfd:mf-pool\\040(deleted) dirty=4 N1=4 kernelpagesize_kB=4
7f20 default huge anon=1 N0=1 kernelpagesize_kB=2048
7f30 default file=/usr/lib/libc.so mapped=9 N0=9 kernelpagesize_kB=4
7f40 default
";
        let all = usage(maps, None);
        assert_eq!(all.nodes, BTreeMap::from([(0, (2 + 9) * 4096 + 2 * MIB), (1, 5 * 4096)]));
        assert_eq!((all.huge, all.files), (2 * MIB, 4 * 4096));
        let one = usage(maps, Some(1));
        assert_eq!((one.sum(), one.huge, one.files), (5 * 4096, 0, 4 * 4096));
        assert_eq!(usage("nothing N N0 Nx=1 N1=y", None), Usage::default());
    }
}
