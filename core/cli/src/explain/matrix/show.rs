// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The matrix as text and as JSON. A pair without an engine is `-`, a member that did not answer `?`.

use std::collections::{BTreeMap, BTreeSet};

use mf_base::{Rank, Result};
use mf_fabric::pool::explain::row::{Cell, Row};
use mf_program::output;
use mf_program::table::TextTable;
use serde_json::{Value, json};

use super::Matrix;

/// Largest number of ranks with full engine names in the table; above it, initials.
const NAMED_RANKS_MAX: usize = 16;

/// Prints it; exit code 1 when a pair has no engine or a member did not answer.
pub(in crate::explain) fn print(matrix: &Matrix, as_json: bool) -> Result<u8> {
    output::print(&if as_json { format!("{:#}\n", json(matrix)) } else { text(matrix) })?;
    let is_served = |row: &std::result::Result<Row, String>| {
        row.as_ref().is_ok_and(|row| row.iter().all(|cell| cell.engine.is_some()))
    };
    Ok(u8::from(!matrix.rows.values().all(is_served)))
}

fn text(matrix: &Matrix) -> String {
    let ranks: BTreeSet<Rank> = matrix.members.keys().copied().collect();
    let mut text = format!(
        "pool {}, {} members: {} memory of the row's rank, {} memory of the column's\n",
        matrix.pool,
        ranks.len(),
        matrix.kinds.0,
        matrix.kinds.1
    );
    for (host, of_host) in hosts(matrix) {
        text.push_str(&format!("{host}: {}\n", spans(&of_host)));
    }
    text.push('\n');
    text.push_str(&table(matrix, &ranks));
    for (engine, (pairs, why)) in reasons(matrix) {
        let counted = if pairs == 1 { "pair" } else { "pairs" };
        text.push_str(&format!("\n{engine}, {pairs} {counted}: {why}"));
    }
    text.push('\n');
    for line in failures(matrix) {
        text.push_str(&format!("{line}\n"));
    }
    text
}

fn table(matrix: &Matrix, ranks: &BTreeSet<Rank>) -> String {
    let is_short = ranks.len() > NAMED_RANKS_MAX;
    let titles: Vec<String> = ranks.iter().map(ToString::to_string).collect();
    let titles: Vec<&str> = std::iter::once("from \\ to").chain(titles.iter().map(String::as_str)).collect();
    let mut table = TextTable::new(1, &titles);
    for (from, row) in &matrix.rows {
        let cell = |to: &Rank| match row {
            Err(_) => "?".to_owned(),
            Ok(row) => {
                match row.iter().find(|cell| cell.to == to.0).and_then(|cell| cell.engine.as_deref()) {
                    Some(engine) if is_short => engine.chars().take(1).collect(),
                    Some(engine) => engine.to_owned(),
                    None => "-".to_owned(),
                }
            }
        };
        table.row(std::iter::once(from.to_string()).chain(ranks.iter().map(cell)).collect());
    }
    table.render()
}

/// The ranks of each host.
fn hosts(matrix: &Matrix) -> BTreeMap<&str, Vec<Rank>> {
    let mut hosts: BTreeMap<&str, Vec<Rank>> = BTreeMap::new();
    for (rank, record) in &matrix.members {
        hosts.entry(&record.host).or_default().push(*rank);
    }
    hosts
}

/// `0-3, 7`
fn spans(ranks: &[Rank]) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for rank in ranks {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == rank.0 => *last = rank.0,
            _ => spans.push((rank.0, rank.0)),
        }
    }
    let span = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    spans.iter().map(span).collect::<Vec<_>>().join(", ")
}

/// Of each engine the number of pairs that it serves, and why of the first.
fn reasons(matrix: &Matrix) -> BTreeMap<&str, (usize, &str)> {
    let mut reasons: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for cell in matrix.rows.values().flatten().flatten() {
        if let Some(engine) = &cell.engine {
            reasons.entry(engine).or_insert((0, &cell.why)).0 += 1;
        }
    }
    reasons
}

/// Remarks below the table: missing engines, missing answers, warnings.
fn failures(matrix: &Matrix) -> Vec<String> {
    let of_cell = |from: Rank, cell: &Cell| match (&cell.engine, &cell.warning) {
        (None, _) => Some(format!("error: {from} to {}: {}", cell.to, cell.why)),
        (Some(_), Some(warning)) => Some(format!("warning: {from} to {}: {warning}", cell.to)),
        (Some(_), None) => None,
    };
    let of_row = |(from, row): (&Rank, &std::result::Result<Row, String>)| match row {
        Err(reason) => vec![format!("error: rank {from}: {reason}")],
        Ok(row) => row.iter().filter_map(|cell| of_cell(*from, cell)).collect(),
    };
    matrix.rows.iter().flat_map(of_row).collect()
}

fn json(matrix: &Matrix) -> Value {
    let members = matrix.members.iter().map(
        |(rank, record)| json!({ "rank": rank.0, "host": record.host, "pid": record.pid, "tag": record.tag }),
    );
    let row = |(from, row): (&Rank, &std::result::Result<Row, String>)| match row {
        Err(reason) => json!({ "from": from.0, "error": reason, "to": [] }),
        Ok(row) => {
            let cell = |cell: &Cell| json!({ "rank": cell.to, "engine": cell.engine, "why": cell.why, "warning": cell.warning });
            json!({ "from": from.0, "error": null, "to": row.iter().map(cell).collect::<Vec<_>>() })
        }
    };
    json!({
        "pool": matrix.pool,
        "kinds": { "from": matrix.kinds.0.to_string(), "to": matrix.kinds.1.to_string() },
        "members": members.collect::<Vec<_>>(),
        "rows": matrix.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use mf_base::MemKind;

    use super::*;

    fn cell(to: u32, engine: Option<&str>) -> Cell {
        Cell { to, engine: engine.map(str::to_owned), why: format!("why {to}"), warning: None }
    }

    fn matrix(rows: Vec<std::result::Result<Row, String>>) -> Matrix {
        let rows = (0..).map(Rank).zip(rows).collect();
        Matrix { pool: 3, kinds: (MemKind::Host, MemKind::Device), members: BTreeMap::new(), rows }
    }

    #[test]
    fn unreachable_pairs_and_silent_members_are_marked() {
        let row = vec![cell(0, Some("cpu")), cell(1, Some("tcp")), cell(2, None)];
        let matrix = matrix(vec![Ok(row), Err("silent".to_owned())]);
        let ranks = [0, 1, 2].map(Rank).into_iter().collect();
        let table = table(&matrix, &ranks);
        let cells = |line: usize| table.lines().nth(line).unwrap().split_whitespace().collect::<Vec<_>>();
        assert_eq!(cells(2), ["0", "cpu", "tcp", "-"]);
        assert_eq!(cells(3), ["1", "?", "?", "?"]);
        assert_eq!(failures(&matrix), ["error: 0 to 2: why 2", "error: rank 1: silent"]);
        assert_eq!(reasons(&matrix).get("tcp"), Some(&(1, "why 1")));
        assert_eq!(json(&matrix)["rows"][0]["to"][2]["engine"], Value::Null);
    }

    #[test]
    fn ranks_are_written_as_spans() {
        let spans_of = |ranks: &[u32]| spans(&ranks.iter().copied().map(Rank).collect::<Vec<_>>());
        assert_eq!(spans_of(&[0, 1, 2, 5, 7, 8]), "0-2, 5, 7-8");
        assert_eq!(spans_of(&[]), "");
    }

    #[test]
    fn wide_table_abbreviates_engines_to_letters() {
        let ranks: BTreeSet<Rank> = (0..17).map(Rank).collect();
        let row = (0..17).map(|to| cell(to, Some("ucx"))).collect();
        let line = table(&matrix(vec![Ok(row)]), &ranks).lines().nth(2).map(str::to_owned).unwrap();
        assert_eq!(line.split_whitespace().skip(1).collect::<Vec<_>>(), vec!["u"; 17]);
    }
}
