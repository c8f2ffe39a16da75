// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A picture of a job as text.

use mf_base::ByteLen;
use mf_base::log::escaped;
use mf_fabric::group::wait_report::ranks_text;
use mf_program::table::{TextTable, figure};

use super::snapshot::{CacheTiers, Heap, Member, Picture, Segment};

const NONE: &str = "-";

/// Titles of tables, and the lines under them.
const TITLES: usize = 2;

/// All of it; with `rows`, at most so many lines: half for the ranks, an eighth each for caches, waits and
/// deaths as far as they need it, and the rest for the traffic.
pub(super) fn text(picture: &Picture, rows: Option<usize>) -> String {
    let head = head(picture);
    let traffic = if picture.traffic.is_empty() { String::new() } else { traffic(picture) };
    let others = [
        (ranks(picture), 2, TITLES, "ranks"),
        (caches(picture), 8, TITLES, "caches"),
        (waits(picture), 8, 0, "waits"),
        (dead(picture), 8, 0, "deaths"),
    ];
    let count = |text: &str| text.lines().count();
    // An empty line is before each part.
    let left = rows.map(|rows| rows.saturating_sub(count(&head) + 5));
    let [ranks, caches, waits, dead] = others.map(|(text, share, titles, name)| {
        first_lines(&text, left.map(|left| (left / share).max(1) + titles), name)
    });
    let used = [&ranks, &caches, &waits, &dead].map(|text| count(text)).iter().sum::<usize>();
    let traffic = first_lines(&traffic, left.map(|left| left.saturating_sub(used).max(TITLES + 1)), "flows");
    [head, ranks, caches, traffic, waits, dead]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The first lines, and how many there are more.
fn first_lines(text: &str, most: Option<usize>, name: &str) -> String {
    let count = text.lines().count();
    match most.filter(|most| count > *most) {
        None => text.to_owned(),
        Some(most) => {
            let shown: String =
                text.lines().take(most.saturating_sub(1)).map(|line| format!("{line}\n")).collect();
            format!("{shown}({} more {name})\n", count - most + 1)
        }
    }
}

fn head(picture: &Picture) -> String {
    let world = match picture.world_size {
        0 => String::new(),
        size => format!(" of {size}"),
    };
    let count =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut parts = vec![
        format!("{}{world} ranks", picture.ranks.len()),
        count(picture.hosts.len(), "host", "hosts"),
        format!("epoch {}", picture.epoch),
    ];
    if !picture.waits.is_empty() {
        parts.push(count(picture.waits.len(), "wait", "waits"));
    }
    if !picture.dead.is_empty() {
        parts.push(format!("{} dead", picture.dead.len()));
    }
    format!("job at {}: {}\n", escaped(&picture.store), parts.join(", "))
}

fn ranks(picture: &Picture) -> String {
    let mut table = TextTable::new(
        9,
        &["rank", "host", "pid", "pools", "heaps", "MB/s", "ops/s", "figures", "at the store"],
    );
    for member in &picture.ranks {
        let rate = |value: Option<f64>, unit: f64| {
            value.map_or_else(|| NONE.to_owned(), |value| figure(value / unit))
        };
        table.row(vec![
            member.rank.to_string(),
            member.host.clone(),
            member.pid.to_string(),
            all(member.segments.iter().map(segment)),
            all(member.heaps.iter().map(heap)),
            rate(member.bytes_per_s, 1e6),
            rate(member.operations_per_s, 1.0),
            member.age_s.map_or_else(|| "none".to_owned(), |age| format!("{} s old", figure(age))),
            store_text(member),
        ]);
    }
    table.render()
}

/// Caches with a tier on disk, a line for each part of a rank; empty without.
fn caches(picture: &Picture) -> String {
    let parts =
        picture.ranks.iter().flat_map(|member| member.caches.iter().map(|cache| (member.rank, cache)));
    caches_of(parts)
}

fn caches_of<'a>(parts: impl Iterator<Item = (u32, &'a CacheTiers)>) -> String {
    let mut table = TextTable::new(
        9,
        &["rank", "cache", "memory", "disk", "hits/s", "disk hits/s", "misses/s", "dropped", "queue"],
    );
    let rate = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), figure);
    let mut count = 0;
    for (rank, cache) in parts {
        count += 1;
        let of = |bytes, most| format!("{} of {}", ByteLen(bytes), ByteLen(most));
        table.row(vec![
            rank.to_string(),
            cache.pool.to_string(),
            of(cache.memory_bytes, cache.memory_most_bytes),
            of(cache.disk_bytes, cache.disk_most_bytes) + if cache.is_off { ", off" } else { "" },
            rate(cache.memory_hits_per_s),
            rate(cache.disk_hits_per_s),
            rate(cache.misses_per_s),
            cache.drops.to_string(),
            ByteLen(cache.queue_bytes).to_string(),
        ]);
    }
    if count == 0 { String::new() } else { table.render() }
}

fn all(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { NONE.to_owned() } else { parts.join(", ") }
}

fn segment(segment: &Segment) -> String {
    let kind = if segment.kind == "host" { String::new() } else { format!(" {}", segment.kind) };
    let [bytes, most] = [segment.bytes, segment.most_bytes].map(ByteLen);
    match segment.bytes == segment.most_bytes {
        true => format!("{}{kind}: {bytes}", segment.pool),
        false => format!("{}{kind}: {bytes} of {most}", segment.pool),
    }
}

fn heap(heap: &Heap) -> String {
    let whole = heap.used_bytes + heap.free_bytes + heap.quarantined_bytes;
    let percent = if whole == 0 { 0.0 } else { heap.used_bytes as f64 * 100.0 / whole as f64 };
    format!("{}: {} % of {}", heap.heap, figure(percent), ByteLen(whole))
}

fn store_text(member: &Member) -> String {
    match (member.connected, member.silent_s) {
        (Some(false), _) => "its connection is broken".to_owned(),
        (_, Some(silent)) => format!("{} s ago, {}", figure(silent), member.phase),
        _ => NONE.to_owned(),
    }
}

fn traffic(picture: &Picture) -> String {
    let mut table =
        TextTable::new(4, &["from", "to", "route", "operation", "MB/s", "ops/s", "mean µs", "errors"]);
    for flow in &picture.traffic {
        table.row(vec![
            flow.from.to_string(),
            flow.to.map_or_else(|| "several".to_owned(), |to| to.to_string()),
            flow.route.clone(),
            flow.kind.clone(),
            figure(flow.bytes_per_s / 1e6),
            figure(flow.operations_per_s),
            flow.mean_us.map_or_else(|| NONE.to_owned(), figure),
            flow.errors.to_string(),
        ]);
    }
    table.render()
}

fn waits(picture: &Picture) -> String {
    picture.waits.iter().map(|wait| format!("rank {} {}\n", wait.rank, escaped(&wait.text))).collect()
}

fn dead(picture: &Picture) -> String {
    let line = |dead: &super::snapshot::Dead| {
        let since =
            dead.since_ms.map(|since| format!(" since {} s", picture.at_ms.saturating_sub(since) / 1000));
        let (rank, host, since) = (ranks_text(&[dead.rank]), escaped(&dead.host), since.unwrap_or_default());
        format!("{rank} ({host} pid {}) is dead{since}, lost in epoch {}\n", dead.pid, dead.epoch)
    };
    picture.dead.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_have_a_line_for_each_part_of_a_rank() {
        let tiers = |is_off| CacheTiers {
            pool: 63,
            memory_bytes: 1 << 20,
            memory_most_bytes: 16 << 20,
            disk_bytes: 5 << 20,
            disk_most_bytes: 1 << 30,
            memory_hits_per_s: Some(8.0),
            disk_hits_per_s: None,
            misses_per_s: Some(2.0),
            drops: 4,
            queue_bytes: 0,
            is_off,
        };
        let table = caches_of([(3, &tiers(false)), (4, &tiers(true))].into_iter());
        let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(words[0].starts_with(&["rank", "cache", "memory", "disk"]), "{table}");
        let last = words.last().unwrap().join(" ");
        assert_eq!(last, "4 63 1 MiB of 16 MiB 5 MiB of 1 GiB, off 8.00 - 2.00 4 0 B", "{table}");
        assert!(table.lines().any(|line| line.contains("5 MiB of 1 GiB  ")), "{table}");
        assert_eq!(caches_of(std::iter::empty()), "");
    }

    #[test]
    fn omitted_rows_are_counted() {
        assert_eq!(first_lines("a\nb\nc\nd\n", Some(3), "ranks"), "a\nb\n(2 more ranks)\n");
        assert_eq!(first_lines("a\nb\n", Some(2), "ranks"), "a\nb\n");
        assert_eq!(first_lines("a\nb\n", None, "ranks"), "a\nb\n");
    }
}
