// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Plain-text tables: a heading, right-aligned numbers, nothing that a terminal or a pipe could trip over.
//!
//! Own code: its 60 lines would become calls of comfy-table, with 40,000 lines in three crates.

use mf_base::log::escaped;

/// A table that is filled row by row and printed at the end.
pub struct TextTable {
    rows: Vec<Vec<String>>,
    /// Columns from the left that hold text and are aligned to the left.
    text_columns: usize,
}

/// A column: its title, and the cell of a row.
pub type Column<'a, R> = (&'a str, fn(&R) -> String);

impl TextTable {
    /// A table of rows; the first `text_columns` are aligned to the left, the others to the right.
    pub fn from_rows<R>(rows: &[R], text_columns: usize, columns: &[Column<'_, R>]) -> Self {
        let titles: Vec<&str> = columns.iter().map(|(title, _)| *title).collect();
        let mut table = Self::new(text_columns, &titles);
        for row in rows {
            table.row(columns.iter().map(|(_, cell)| cell(row)).collect());
        }
        table
    }

    /// A table with these column titles; the first `text_columns` are aligned to the left, the others to the
    /// right.
    pub fn new(text_columns: usize, titles: &[&str]) -> Self {
        Self { rows: vec![titles.iter().map(|title| (*title).to_owned()).collect()], text_columns }
    }

    /// Appends a row. Cells may be texts of others, such as names of hosts.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(|cell| escaped(&cell).into_owned()).collect());
    }

    /// The table as text, every line ended.
    pub fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                self.rows
                    .iter()
                    .filter_map(|row| row.get(column))
                    .map(|c| c.chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            push_row(&mut text, row, &widths, self.text_columns);
            if number == 0 {
                let mut line: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                // Free text at the end is as long as it is; a line under its title is enough.
                if self.text_columns >= columns
                    && let (Some(last), Some(title)) = (line.last_mut(), row.last())
                {
                    *last = "-".repeat(title.chars().count());
                }
                push_row(&mut text, &line, &widths, self.text_columns);
            }
        }
        text
    }
}

fn push_row(text: &mut String, row: &[String], widths: &[usize], text_columns: usize) {
    let mut line = String::new();
    for (column, (cell, &width)) in row.iter().zip(widths).enumerate() {
        if column > 0 {
            line.push_str("  ");
        }
        if column < text_columns {
            line.push_str(&format!("{cell:<width$}"));
        } else {
            line.push_str(&format!("{cell:>width$}"));
        }
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

/// A number with about three significant digits.
pub fn figure(value: f64) -> String {
    match value {
        v if !v.is_finite() => "-".to_owned(),
        v if v.abs() >= 100.0 => format!("{v:.0}"),
        v if v.abs() >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = TextTable::new(1, &["size", "GB/s"]);
        table.row(vec!["8 B".into(), "0.5".into()]);
        table.row(vec!["1024 KiB".into(), "12.3".into()]);
        assert_eq!(table.render(), "size      GB/s\n--------  ----\n8 B        0.5\n1024 KiB  12.3\n");
    }

    #[test]
    fn rows_are_shown_by_columns() {
        let columns: [Column<'_, (u32, u32)>; 2] =
            [("one", |row| row.0.to_string()), ("two", |row| row.1.to_string())];
        assert_eq!(
            TextTable::from_rows(&[(1, 22), (3, 4)], 0, &columns).render(),
            "one  two\n---  ---\n  1   22\n  3    4\n"
        );
    }

    #[test]
    fn text_at_the_end_may_be_longer_than_its_line() {
        let mut table = TextTable::new(2, &["name", "why"]);
        table.row(vec!["a".into(), "because of a long story".into()]);
        assert_eq!(table.render(), "name  why\n----  ---\na     because of a long story\n");
    }

    #[test]
    fn figures_keep_three_digits() {
        for (value, text) in [(0.5, "0.50"), (12.34, "12.3"), (1234.5, "1234"), (f64::NAN, "-")] {
            assert_eq!(figure(value), text);
        }
    }
}
