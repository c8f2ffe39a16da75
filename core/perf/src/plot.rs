// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A line plot as SVG: above GB/s, below the ratio to memcpy, both by size.
//!
//! Own code: it draws lines, axes of powers of two and labels, as text. plotters would replace only the
//! lines, and bring four crates of 31,000 lines.

use std::fmt::Write as _;

use mf_base::ByteLen;

use super::report::Row;

const WIDTH: f64 = 900.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 150.0;
const PANEL: f64 = 260.0;
const TOPS: [f64; 2] = [50.0, 390.0];
const HEIGHT: f64 = 720.0;
/// Readable on white, distinguishable with colour blindness.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const PLAIN: &str = "#666666";

/// A named line; points are (bytes, value).
pub(super) struct Line {
    name: String,
    colour: &'static str,
    dashed: bool,
    points: Vec<(u64, f64)>,
}

impl Line {
    /// Line of the given number among own measurements.
    pub(super) fn own(number: usize, name: String, points: Vec<(u64, f64)>) -> Self {
        Self { name, colour: COLOURS[number % COLOURS.len()], dashed: false, points }
    }

    /// The line of a baseline.
    pub(super) fn plain(name: String, points: Vec<(u64, f64)>) -> Self {
        Self { name, colour: PLAIN, dashed: true, points }
    }
}

/// One of the two parts of a picture.
pub(super) struct Panel {
    pub(super) label: &'static str,
    pub(super) lines: Vec<Line>,
    /// A value with a dashed line across.
    pub(super) reference: Option<f64>,
}

/// The plot of the rows that copy one piece a call.
pub(super) fn svg(rows: &[Row], title: &str) -> String {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.pieces == 1).collect();
    let mut names: Vec<(String, u32)> = Vec::new();
    for row in &rows {
        let name = (row.operation.clone(), row.ranks);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let several_pools = names.iter().any(|(_, ranks)| Some(*ranks) != names.first().map(|(_, ranks)| *ranks));
    let (mut speeds, mut ratios) = (Vec::new(), Vec::new());
    for (number, (operation, ranks)) in names.iter().enumerate() {
        let of_name = || rows.iter().filter(|row| row.operation == *operation && row.ranks == *ranks);
        let name = if several_pools { format!("{operation}, {ranks} ranks") } else { operation.clone() };
        let points = |value: fn(&Row) -> f64| -> Vec<(u64, f64)> {
            of_name().map(|row| (row.bytes, value(row))).filter(|(_, value)| value.is_finite()).collect()
        };
        speeds.push(Line::own(number, name.clone(), points(|row| row.gbps(row.seconds))));
        ratios.push(Line::own(number, name, points(|row| row.same_ratio)));
        if number == 0 {
            speeds.push(Line::plain("memcpy".to_owned(), points(|row| row.gbps(row.private_seconds))));
        }
    }
    picture(
        title,
        &[
            Panel { label: "GB/s", lines: speeds, reference: None },
            Panel { label: "times memcpy between the same addresses", lines: ratios, reference: Some(1.0) },
        ],
    )
}

/// The plot of barriers (at the left edge) and allgathers: microseconds, and the ratio to the baseline.
pub(super) fn groups(rows: &[super::group::Row], title: &str) -> String {
    let mut ranks: Vec<u32> = rows.iter().map(|row| row.ranks).collect();
    ranks.dedup();
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for (number, ranks) in ranks.into_iter().enumerate() {
        let points = |value: fn(&super::group::Row) -> f64| -> Vec<(u64, f64)> {
            rows.iter().filter(|row| row.ranks == ranks).map(|row| (row.bytes.max(1), value(row))).collect()
        };
        times.push(Line::own(number, format!("{ranks} ranks"), points(|row| row.figures.seconds * 1e6)));
        let plain = points(|row| row.figures.plain_seconds * 1e6);
        times.push(Line { dashed: true, ..Line::own(number, format!("{ranks} ranks, plain"), plain) });
        ratios.push(Line::own(number, format!("{ranks} ranks"), points(|row| row.figures.ratio)));
    }
    picture(
        title,
        &[
            Panel { label: "microseconds", lines: times, reference: None },
            Panel { label: "times as fast as the plain barrier", lines: ratios, reference: Some(1.0) },
        ],
    )
}

/// The plot of OpenSHMEM's calls that move bytes: speed of a PE, and the ratio to the baseline.
pub(super) fn symmetric(rows: &[super::shmem::Row], title: &str) -> String {
    let mut names: Vec<(&str, u32)> = Vec::new();
    for row in rows.iter().filter(|row| row.bytes > 8) {
        let name = (row.operation.as_str(), row.pes);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let (mut speeds, mut ratios) = (Vec::new(), Vec::new());
    for (number, (operation, pes)) in names.into_iter().enumerate() {
        let of_name = || rows.iter().filter(|row| row.operation == operation && row.pes == pes);
        let points = |value: fn(&super::shmem::Row) -> f64| -> Vec<(u64, f64)> {
            of_name().map(|row| (row.bytes, value(row))).filter(|(_, value)| value.is_finite()).collect()
        };
        let name = format!("{operation}, {pes} PEs");
        speeds.push(Line::own(number, name.clone(), points(|row| row.bytes as f64 / row.seconds / 1e9)));
        ratios.push(Line::own(number, name, points(|row| row.ratio)));
    }
    picture(
        title,
        &[
            Panel { label: "GB/s of a PE", lines: speeds, reference: None },
            Panel { label: "times as fast as plain", lines: ratios, reference: Some(1.0) },
        ],
    )
}

/// Two panels, one above the other.
pub(super) fn picture(title: &str, panels: &[Panel; 2]) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{}</text>\n",
        escaped(title)
    );
    for (top, part) in TOPS.into_iter().zip(panels) {
        panel(&mut text, top, part.label, &part.lines, part.reference);
    }
    text.push_str("</svg>\n");
    text
}

fn panel(text: &mut String, top: f64, label: &str, lines: &[Line], reference: Option<f64>) {
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let log = |bytes: u64| (bytes.max(1) as f64).log2();
    let first = points().map(|(bytes, _)| log(*bytes)).fold(f64::INFINITY, f64::min);
    let last = points().map(|(bytes, _)| log(*bytes)).fold(f64::NEG_INFINITY, f64::max);
    if first > last {
        return;
    }
    let highest = points().map(|(_, value)| *value).fold(reference.unwrap_or(0.0), f64::max);
    let step = step_for(highest);
    let ceiling = (highest / step).ceil().max(1.0) * step;
    let (bottom, right) = (top + PANEL, WIDTH - RIGHT);
    let x = |bytes: u64| {
        let share = if last > first { (log(bytes) - first) / (last - first) } else { 0.5 };
        LEFT + share * (right - LEFT)
    };
    let y = |value: f64| bottom - value / ceiling * PANEL;

    // Writing to a string cannot fail.
    let _ =
        writeln!(text, "<text x=\"{LEFT}\" y=\"{:.0}\" fill=\"#333\">{}</text>", top - 8.0, escaped(label));
    let mut tick = 0.0;
    while tick <= ceiling * 1.0001 {
        let at = y(tick);
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            tick_text(tick, step)
        );
        tick += step;
    }
    let mut sizes: Vec<u64> = points().map(|(bytes, _)| *bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for bytes in sizes {
        let at = x(bytes);
        let _ = writeln!(
            text,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{bottom}\" y2=\"{:.1}\" stroke=\"#333\"/>\
             <text transform=\"translate({:.1},{:.1}) rotate(-35)\" text-anchor=\"end\">{}</text>",
            bottom + 5.0,
            at + 4.0,
            bottom + 16.0,
            ByteLen(bytes)
        );
    }
    let _ = writeln!(
        text,
        "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\" stroke=\"#333\"/>"
    );
    if let Some(value) = reference {
        let at = y(value);
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"{PLAIN}\" stroke-dasharray=\"6 4\"/>"
        );
    }
    for (number, line) in lines.iter().enumerate() {
        let path: Vec<String> =
            line.points.iter().map(|(bytes, value)| format!("{:.1},{:.1}", x(*bytes), y(*value))).collect();
        let dashes = if line.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let legend = top + 10.0 + number as f64 * 18.0;
        let (from, to, label_at) = (right + 12.0, right + 36.0, right + 42.0);
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <line x1=\"{from}\" x2=\"{to}\" y1=\"{legend}\" y2=\"{legend}\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{label_at}\" y=\"{:.0}\">{}</text>",
            path.join(" "),
            legend + 4.0,
            escaped(&line.name),
            colour = line.colour
        );
    }
}

/// A step of 1, 2 or 5 times a power of ten that gives four to ten ticks.
fn step_for(highest: f64) -> f64 {
    let rough = (highest / 5.0).max(1e-6);
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    factor * power
}

fn tick_text(tick: f64, step: f64) -> String {
    if step >= 1.0 { format!("{tick:.0}") } else { format!("{tick:.2}") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::report::Row;
    use super::*;

    fn row(operation: &str, bytes: u64) -> Row {
        Row {
            operation: operation.to_owned(),
            ranks: 2,
            busy: 1,
            bytes,
            pieces: 1,
            seconds: 1e-6,
            same_seconds: 1e-6,
            private_seconds: 1e-6,
            same_ratio: 1.0,
            private_ratio: 1.0,
        }
    }

    #[test]
    fn every_operation_has_a_line_and_a_legend() {
        let rows = [row("put", 8), row("put", 4096), row("get", 8), row("get", 4096)];
        let text = svg(&rows, "a < b");
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        // Two lines and memcpy above, two below.
        assert_eq!(text.matches("<polyline").count(), 5);
        assert!(text.contains("a &lt; b") && text.contains("4 KiB") && text.contains(">memcpy<"));
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn nothing_to_plot_is_an_empty_picture() {
        assert_eq!(svg(&[], "nothing").matches("<polyline").count(), 0);
        assert!(!svg(&[row("put", 8)], "one").contains("NaN"));
    }

    #[test]
    fn steps_are_round() {
        for (highest, step) in [(1.3, 0.5), (10.0, 2.0), (23.0, 5.0), (0.0, 1e-6)] {
            assert!((step_for(highest) - step).abs() < step / 100.0, "{highest}: {}", step_for(highest));
        }
    }
}
