// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures of a call, from several runs.

use mf_base::ByteLen;
use mf_measure::turns::{Figures, median, speed_ratio};
use mf_program::table::{TextTable, figure};
use serde::{Serialize, Serializer};

use super::peers::{Others, Peer};

/// A call and the bytes that it moves.
pub(super) type Name = (String, u64);

/// One run of ours.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// From the last begin's begin to the last one's end.
    pub(super) start_seconds: f64,
    pub(super) cases: Vec<(Name, Figures)>,
}

/// One run of ours, and of each of the others.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) own: Own,
    pub(super) others: Vec<Others>,
}

/// Figures of a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Row {
    pub(super) operation: String,
    pub(super) pes: u32,
    pub(super) bytes: u64,
    /// Of one call: the median of the runs.
    pub(super) seconds: f64,
    plain_seconds: f64,
    /// Speed relative to the baseline.
    pub(super) ratio: f64,
    /// The others in their order, by name.
    #[serde(rename = "beside", serialize_with = "by_name")]
    others: Vec<(String, Other)>,
}

/// Seconds and ratio of another library; not a number: it has no such call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Other {
    seconds: f64,
    ratio: f64,
}

fn by_name<S: Serializer>(others: &[(String, Other)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(others.iter().map(|(name, other)| (name, other)))
}

/// The rows of runs with so many PEs.
pub(super) fn rows(peers: &[Peer], pes: u32, runs: &[Run]) -> Vec<Row> {
    let Some(first) = runs.first() else { return Vec::new() };
    let starts: Vec<f64> = runs.iter().map(|run| run.own.start_seconds).collect();
    let of_other = |number: usize, name: &Name| -> Vec<f64> {
        runs.iter()
            .map(|run| run.others.get(number).and_then(|other| other.seconds(name)).unwrap_or(f64::NAN))
            .collect()
    };
    let others = |name: &Name, own: &[f64]| {
        let beside = peers.iter().enumerate().map(|(number, peer)| {
            let seconds = of_other(number, name);
            (peer.name.clone(), Other { seconds: median(&seconds), ratio: speed_ratio(own, &seconds) })
        });
        beside.collect()
    };
    let start_name = ("init".to_owned(), 0);
    let start = Row {
        operation: start_name.0.clone(),
        pes,
        bytes: 0,
        seconds: median(&starts),
        plain_seconds: f64::NAN,
        ratio: f64::NAN,
        others: others(&start_name, &starts),
    };
    let cases = first.own.cases.iter().enumerate().map(|(number, (name, _))| {
        let figures: Vec<&Figures> =
            runs.iter().filter_map(|run| run.own.cases.get(number)).map(|(_, figures)| figures).collect();
        let middle = |of: fn(&Figures) -> f64| median(&figures.iter().map(|f| of(f)).collect::<Vec<_>>());
        let own: Vec<f64> = figures.iter().map(|figures| figures.seconds).collect();
        Row {
            operation: name.0.clone(),
            pes,
            bytes: name.1,
            seconds: median(&own),
            plain_seconds: middle(|figures| figures.plain_seconds),
            ratio: middle(|figures| figures.ratio),
            others: others(name, &own),
        }
    });
    if first.own.cases.is_empty() { vec![start] } else { cases.collect() }
}

/// A library's call by size, for the picture.
pub(super) struct Point {
    /// The call, and the library if it is another one.
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) seconds: f64,
    pub(super) plain_seconds: f64,
}

/// Puts and gets of two PEs, here and by the others; without any, every call that moves bytes.
pub(super) fn points(rows: &[Row]) -> Vec<Point> {
    let drawn = |row: &&Row| row.pes <= 2 && matches!(row.operation.as_str(), "put" | "get");
    let any = rows.iter().any(|row| drawn(&row));
    let rows = rows.iter().filter(|row| row.bytes > 0 && (!any || drawn(row)));
    rows.flat_map(|row| {
        let point = |name: String, seconds| Point {
            name,
            bytes: row.bytes,
            seconds,
            plain_seconds: row.plain_seconds,
        };
        let own = point(row.operation.clone(), row.seconds);
        let named =
            |(name, other): &(String, Other)| point(format!("{}, {name}", row.operation), other.seconds);
        std::iter::once(own).chain(row.others.iter().map(named)).collect::<Vec<_>>()
    })
    .collect()
}

/// From when the last one began to when the last one had begun.
pub(super) fn start_seconds(times: &[(f64, f64)]) -> f64 {
    let last = |of: fn(&(f64, f64)) -> f64| times.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    last(|(_, end)| *end) - last(|(begin, _)| *begin)
}

/// The table.
pub(super) fn table(peers: &[Peer], rows: &[Row], plain: &str) -> String {
    let mut titles = vec!["call", "PEs", "size", "ns", "plain ns", "ratio"];
    for peer in peers {
        titles.extend([peer.title.as_str(), "ratio"]);
    }
    let mut table = TextTable::new(1, &titles);
    for row in rows {
        let mut cells = vec![
            row.operation.clone(),
            row.pes.to_string(),
            if row.bytes > 0 { ByteLen(row.bytes).to_string() } else { String::new() },
            figure(row.seconds * 1e9),
            figure(row.plain_seconds * 1e9),
            figure(row.ratio),
        ];
        for (_, other) in &row.others {
            cells.extend([figure(other.seconds * 1e9), figure(other.ratio)]);
        }
        table.row(cells);
    }
    format!("{}plain: {plain}. Ratio: times as fast.\n", table.render())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_medians_of_the_runs() {
        let peers = [Peer::named("MPI")];
        let name: Name = ("put".to_owned(), 8);
        let run = |own: f64, other: f64| Run {
            own: Own {
                start_seconds: own,
                cases: vec![(name.clone(), Figures { seconds: own, plain_seconds: 1.0, ratio: 1.0 / own })],
            },
            others: vec![Others::of(&format!(
                "put 8 {other}\nput 8 {other}\ninit 1.0 2.0\ninit 1.5 4.0\ndone\n"
            ))],
        };
        let found = rows(&peers, 2, &[run(1.0, 2.0), run(2.0, 2.0), run(1.0, 8.0)]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].seconds, found[0].ratio), (1.0, 1.0));
        assert_eq!(found[0].others, [("MPI".to_owned(), Other { seconds: 2.0, ratio: 2.0 })]);
        let text = table(&peers, &found, "nothing");
        assert!(text.contains("MPI") && text.contains("put"), "{text}");
        let drawn: Vec<_> =
            points(&found).into_iter().map(|p| (p.name, p.seconds / p.plain_seconds)).collect();
        assert_eq!(drawn, [("put".to_owned(), 1.0), ("put, MPI".to_owned(), 2.0)]);
        let start = Run {
            own: Own { start_seconds: 1.0, cases: Vec::new() },
            others: vec![Others::of("init 1.0 2.0\ninit 1.5 4.0\ndone\n")],
        };
        let found = rows(&peers, 2, &[start]);
        assert_eq!((found[0].operation.as_str(), found[0].others[0].1.seconds), ("init", 2.5));
        // A figure missing from another library is left out of every document.
        let other = Run { own: run(1.0, 1.0).own, others: vec![Others::default()] };
        let found = rows(&peers, 2, &[other]);
        assert!(serde_json::json!(found[0]).to_string().contains("null"));
    }
}
