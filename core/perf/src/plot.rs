// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Line plots as SVG: values above, ratios to a baseline below, both by size.
//!
//! Own code: it draws lines, axes of powers of two and labels, as text. plotters would replace only the
//! lines, and bring four crates of 31,000 lines.

use std::fmt::Write as _;

use mf_base::ByteLen;

const LEFT: f64 = 70.0;
const RIGHT: f64 = 750.0;
/// Space right of the panels for the lines' names, without their text.
const LEGEND: f64 = 50.0;
/// Width of a character, about.
const CHARACTER: f64 = 7.5;
const PANEL: f64 = 260.0;
const TOPS: [f64; 2] = [50.0, 390.0];
const HEIGHT: f64 = 720.0;
/// Readable on white, distinguishable with colour blindness.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const PLAIN: &str = "#666666";

/// A named line; points are (bytes, value).
struct Line {
    name: String,
    colour: &'static str,
    dashed: bool,
    points: Vec<(u64, f64)>,
}

impl Line {
    /// The line of this number.
    fn own(number: usize, name: String, points: Vec<(u64, f64)>) -> Self {
        Self { name, colour: COLOURS[number % COLOURS.len()], dashed: false, points }
    }
}

/// One of the two parts of a picture.
struct Panel {
    label: &'static str,
    lines: Vec<Line>,
    /// A value with a dashed line across.
    reference: Option<f64>,
}

/// Rows of a measurement as lines by size: a value above, the speed relative to a baseline below.
pub(crate) struct Lines<'a, R> {
    pub(crate) title: &'static str,
    pub(crate) labels: [&'static str; 2],
    /// The line of a row; `None`: it is not drawn.
    pub(crate) name: &'a dyn Fn(&R) -> Option<String>,
    pub(crate) bytes: fn(&R) -> u64,
    pub(crate) value: fn(&R) -> f64,
    pub(crate) ratio: fn(&R) -> f64,
    pub(crate) plain: Plain<R>,
}

/// Dashed lines of the baseline in the upper panel.
pub(crate) enum Plain<R> {
    /// One with this name, from the rows of the first line.
    First(&'static str, fn(&R) -> f64),
    /// One for each line.
    Each(fn(&R) -> f64),
}

impl<R> Lines<'_, R> {
    /// Draws the rows; values that are no numbers are left out.
    pub(crate) fn picture(&self, rows: &[R]) -> Picture {
        let mut names: Vec<String> = Vec::new();
        for name in rows.iter().filter_map(self.name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let (mut values, mut ratios) = (Vec::new(), Vec::new());
        for (number, name) in names.into_iter().enumerate() {
            let points = |value: fn(&R) -> f64| -> Vec<(u64, f64)> {
                let of_name = rows.iter().filter(|row| (self.name)(row).as_ref() == Some(&name));
                let points = of_name.map(|row| ((self.bytes)(row), value(row)));
                points.filter(|(_, value)| value.is_finite()).collect()
            };
            values.push(Line::own(number, name.clone(), points(self.value)));
            match &self.plain {
                Plain::First(plain, value) if number == 0 => {
                    values.push(Line {
                        name: (*plain).to_owned(),
                        colour: PLAIN,
                        dashed: true,
                        points: points(*value),
                    });
                }
                Plain::Each(value) => {
                    let plain = Line::own(number, format!("{name}, plain"), points(*value));
                    values.push(Line { dashed: true, ..plain });
                }
                Plain::First(..) => {}
            }
            ratios.push(Line::own(number, name.clone(), points(self.ratio)));
        }
        let [above, below] = self.labels;
        Picture {
            title: self.title,
            panels: [
                Panel { label: above, lines: values, reference: None },
                Panel { label: below, lines: ratios, reference: Some(1.0) },
            ],
        }
    }
}

/// Two panels, one above the other.
pub(crate) struct Picture {
    title: &'static str,
    panels: [Panel; 2],
}

impl Picture {
    /// The picture as SVG.
    pub(crate) fn svg(&self) -> String {
        let width = self.width();
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{}</text>\n",
            escaped(self.title)
        );
        for (top, part) in TOPS.into_iter().zip(&self.panels) {
            panel(&mut text, top, part.label, &part.lines, part.reference);
        }
        text.push_str("</svg>\n");
        text
    }

    fn width(&self) -> f64 {
        let lines = self.panels.iter().flat_map(|panel| &panel.lines);
        let longest = lines.map(|line| line.name.chars().count()).max().unwrap_or(0);
        RIGHT + LEGEND + (longest as f64 * CHARACTER).ceil()
    }
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
    let bottom = top + PANEL;
    let x = |bytes: u64| {
        let share = if last > first { (log(bytes) - first) / (last - first) } else { 0.5 };
        LEFT + share * (RIGHT - LEFT)
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
            "<line x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
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
        "<line x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{bottom}\" y2=\"{bottom}\" stroke=\"#333\"/>"
    );
    if let Some(value) = reference {
        let at = y(value);
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"{PLAIN}\" stroke-dasharray=\"6 4\"/>"
        );
    }
    for (number, line) in lines.iter().enumerate() {
        let path: Vec<String> =
            line.points.iter().map(|(bytes, value)| format!("{:.1},{:.1}", x(*bytes), y(*value))).collect();
        let dashes = if line.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let legend = top + 10.0 + number as f64 * 18.0;
        let (from, to, label_at) = (RIGHT + 12.0, RIGHT + 36.0, RIGHT + 42.0);
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
    use super::*;

    /// Operation, bytes, value.
    type Row = (&'static str, u64, f64);

    fn svg(rows: &[Row], plain: Plain<Row>) -> String {
        Lines {
            title: "a < b",
            labels: ["GB/s", "times as fast"],
            name: &|row: &Row| Some(row.0.to_owned()),
            bytes: |row| row.1,
            value: |row| row.2,
            ratio: |_| 1.0,
            plain,
        }
        .picture(rows)
        .svg()
    }

    #[test]
    fn every_operation_has_a_line_and_a_legend() {
        let rows = [("put", 8, 1.0), ("put", 4096, 2.0), ("get", 8, 1.0), ("get", 4096, f64::NAN)];
        let text = svg(&rows, Plain::First("memcpy", |row| row.2));
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        // Two lines and memcpy above, two below.
        assert_eq!(text.matches("<polyline").count(), 5);
        assert!(text.contains("a &lt; b") && text.contains("4 KiB") && text.contains(">memcpy<"));
        assert!(!text.contains("NaN") && !text.contains("inf"));
        let text = svg(&rows, Plain::Each(|row| row.2));
        assert!(text.matches("<polyline").count() == 6 && text.contains(">get, plain<"), "{text}");
    }

    #[test]
    fn the_legend_has_room_for_its_longest_name() {
        let width = |name| {
            let text = svg(&[(name, 8, 1.0)], Plain::First("raw", |row| row.2));
            let (_, after) = text.split_once("viewBox=\"0 0 ").unwrap();
            after.split_once(' ').unwrap().0.parse::<f64>().unwrap()
        };
        assert_eq!(width("get, Open MPI OpenSHMEM") - width("get"), 20.0 * CHARACTER);
    }

    #[test]
    fn pictures_without_rows_are_empty() {
        assert_eq!(svg(&[], Plain::First("memcpy", |row| row.2)).matches("<polyline").count(), 0);
        assert!(!svg(&[("put", 8, 1.0)], Plain::Each(|row| row.2)).contains("NaN"));
    }

    #[test]
    fn steps_are_round() {
        for (highest, step) in [(1.3, 0.5), (10.0, 2.0), (23.0, 5.0), (0.0, 1e-6)] {
            assert!((step_for(highest) - step).abs() < step / 100.0, "{highest}: {}", step_for(highest));
        }
    }
}
