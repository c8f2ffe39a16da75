// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A terminal that shows a job until a signal ends it.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_program::output;
use mf_program::signals;

use super::collect::Collector;
use super::text;

/// The other screen of the terminal, without a cursor; and back.
const BEGIN: &str = "\x1b[?1049h\x1b[?25l";
const END: &str = "\x1b[?25h\x1b[?1049l";

/// Lines and columns of a terminal that does not say.
const ROWS: usize = 40;
const COLUMNS: usize = 120;

/// True if the output is a terminal.
pub(super) fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Shows the job again and again.
///
/// # Errors
/// Errors of the store.
pub(super) fn show(collector: &mut Collector, interval: Duration) -> Result<()> {
    let signals = signals::install_for_waits()?;
    output::print(BEGIN)?;
    let shown = (|| {
        loop {
            let next = Instant::now() + interval;
            let picture = collector.sample()?;
            let (rows, columns) = size();
            output::print(&frame(&text::text(&picture, Some(rows)), rows, columns))?;
            if signals::wait(&signals, Some(next)).is_some() {
                return Ok(());
            }
        }
    })();
    output::print(END)?;
    shown
}

/// Output that overwrites the previous frame completely.
fn frame(text: &str, rows: usize, columns: usize) -> String {
    let cut = |line: &str| line.chars().take(columns).collect::<String>();
    let lines: Vec<String> = text.lines().take(rows).map(|line| format!("{}\x1b[K", cut(line))).collect();
    format!("\x1b[H{}\x1b[J", lines.join("\r\n"))
}

/// Rows and columns of the terminal.
fn size() -> (usize, usize) {
    match rustix::termios::tcgetwinsize(std::io::stdout()) {
        Ok(size) if size.ws_row > 0 && size.ws_col > 0 => (size.ws_row.into(), size.ws_col.into()),
        _ => (ROWS, COLUMNS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_fits_the_terminal_and_clears_the_previous_one() {
        assert_eq!(frame("abcdef\ng\nh\n", 2, 3), "\x1b[Habc\x1b[K\r\ng\x1b[K\x1b[J");
    }
}
