// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The answer as text and as JSON.

use mf_base::{MemKind, Rank, Result};
use mf_fabric::pool::member_record::MemberRecord;
use mf_program::output;
use mf_program::table::TextTable;
use serde_json::{Value, json};

use super::query::{Answer, Source};
use super::route::From;

/// Prints it; exit code 1 when nothing serves the route.
pub(super) fn print(answer: &Answer, as_json: bool) -> Result<u8> {
    output::print(&if as_json { format!("{:#}\n", json(answer)) } else { text(answer) })?;
    Ok(u8::from(answer.explanation.error.is_some()))
}

fn text(answer: &Answer) -> String {
    let explanation = &answer.explanation;
    let from = match answer.route.from {
        From::Member(rank) => end(rank, answer.from.as_ref(), answer.route.from_kind),
        From::Here => "this machine".to_owned(),
    };
    let to = end(answer.route.to, answer.to.as_ref(), answer.route.to_kind);
    let mut text = format!("{from} to {to}, pool {}\n", answer.pool);
    if answer.source != Source::Here {
        let rule = if explanation.by_rule { ", by a tag rule" } else { "" };
        let strict = if explanation.is_strict { ", and nothing else (MF_STRICT_ENGINE)" } else { "" };
        let tags = explanation.tags.each_ref().map(|tag| if tag.is_empty() { "none" } else { tag.as_str() });
        text.push_str(&format!(
            "asked for: {}{rule}{strict}\ntags: {} and {}\n",
            explanation.asked, tags[0], tags[1]
        ));
    }
    text.push_str(match answer.source {
        Source::Member => "reported by the member itself\n\n",
        Source::Records => "derived from what the members have published\n\n",
        Source::Here => "found out from here\n\n",
    });
    let mut table = TextTable::new(4, &["engine", "chosen", "score", "why"]);
    for engine in &explanation.engines {
        let mark = if engine.is_chosen { "yes" } else { "" };
        let score = engine.score.map(|score| score.to_string()).unwrap_or_default();
        table.row(vec![engine.engine.clone(), mark.to_owned(), score, engine.text.clone()]);
    }
    text.push_str(&table.render());
    for (name, line) in
        [("warning", &explanation.warning), ("note", &explanation.note), ("error", &explanation.error)]
    {
        if let Some(line) = line {
            text.push_str(&format!("\n{name}: {line}\n"));
        }
    }
    text
}

/// `rank 1 (host memory, pid 77 on node1)`
fn end(rank: Rank, record: Option<&MemberRecord>, kind: MemKind) -> String {
    match record {
        Some(record) => format!("rank {rank} ({kind} memory, pid {} on {})", record.pid, record.host),
        None => format!("rank {rank} ({kind} memory, not in the pool)"),
    }
}

fn json(answer: &Answer) -> Value {
    let explanation = &answer.explanation;
    let end = |rank: Option<Rank>, record: Option<&MemberRecord>, kind: MemKind, tag: &str| {
        json!({
            "rank": rank.map(|rank| rank.0), "kind": kind.to_string(), "tag": tag,
            "host": record.map(|record| &record.host), "pid": record.map(|record| record.pid),
        })
    };
    let from = match answer.route.from {
        From::Member(rank) => Some(rank),
        From::Here => None,
    };
    let engines = explanation.engines.iter().map(|engine| {
        json!({ "engine": engine.engine, "chosen": engine.is_chosen, "score": engine.score, "why": engine.text })
    });
    json!({
        "pool": answer.pool,
        "from": end(from, answer.from.as_ref(), answer.route.from_kind, &explanation.tags[0]),
        "to": end(Some(answer.route.to), answer.to.as_ref(), answer.route.to_kind, &explanation.tags[1]),
        "source": match answer.source {
            Source::Member => "member",
            Source::Records => "records",
            Source::Here => "here",
        },
        "asked": explanation.asked, "byRule": explanation.by_rule, "strict": explanation.is_strict,
        "engines": engines.collect::<Vec<_>>(),
        "warning": explanation.warning, "note": explanation.note, "error": explanation.error,
    })
}
