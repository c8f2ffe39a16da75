// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reports of the ranks to the parent process, one line each, and the final table.

use mf_base::{ByteLen, Error, Kind, Result};
use mf_program::table::{TextTable, figure};
use serde::{Deserialize, Serialize};

/// A message of a rank.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// So many more bytes are done.
    Progress { bytes: u64 },
    /// Something worth a line.
    Note { text: String },
    /// The rank left the pool and ends.
    Left { rank: u32 },
    /// The rank is done.
    Figures(Row),
}

/// A line of the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) rank: u32,
    /// `stayed`, `left` or `came`.
    pub(crate) part: String,
    pub(crate) process: u32,
    /// Blocks and bytes that it held when it ended or left.
    pub(crate) blocks: u64,
    pub(crate) bytes: u64,
    /// Bytes that it read and compared.
    pub(crate) compared_bytes: u64,
    /// Bytes of a measured copy.
    pub(crate) copy_bytes: u64,
    /// 10⁹ bytes a second.
    pub(crate) put_gbps: f64,
    pub(crate) get_gbps: f64,
    pub(crate) memcpy_gbps: f64,
    /// Nanoseconds of a copy of 8 bytes.
    pub(crate) put_ns: f64,
    pub(crate) get_ns: f64,
    pub(crate) memcpy_ns: f64,
}

impl Message {
    /// Sends it.
    pub(crate) fn send(&self) -> Result<()> {
        let line = serde_json::to_string(self)
            .map_err(|error| Error::new(Kind::Failed, super::OPERATION).source(error))?;
        mf_program::output::print(&format!("{line}\n"))
    }

    /// Reads one.
    pub(crate) fn parse(line: &str) -> Result<Self> {
        serde_json::from_str(line).map_err(|error| {
            Error::new(Kind::Failed, super::OPERATION)
                .what("a rank printed something unexpected")
                .with("line", line)
                .source(error)
        })
    }
}

/// The table of all ranks, in their order.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut rows: Vec<&Row> = rows.iter().collect();
    // Leavers before joiners of the same rank number.
    rows.sort_by_key(|row| (row.rank, row.part == "came"));
    let copy = ByteLen(rows.iter().map(|row| row.copy_bytes).max().unwrap_or(0));
    let mut table = TextTable::new(
        0,
        &[
            "rank",
            "part",
            "blocks",
            "held",
            "compared",
            "put GB/s",
            "get GB/s",
            "memcpy GB/s",
            "put 8 B ns",
            "get 8 B ns",
            "memcpy 8 B ns",
        ],
    );
    for row in rows {
        table.row(vec![
            row.rank.to_string(),
            row.part.clone(),
            row.blocks.to_string(),
            ByteLen(row.bytes).to_string(),
            ByteLen(row.compared_bytes).to_string(),
            figure(row.put_gbps),
            figure(row.get_gbps),
            figure(row.memcpy_gbps),
            figure(row.put_ns),
            figure(row.get_ns),
            figure(row.memcpy_ns),
        ]);
    }
    format!(
        "{}GB/s: copies of {copy} to and from the next rank, memcpy between two private buffers, in turns.\n",
        table.render()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_their_encoding() {
        for message in
            [Message::Progress { bytes: 1 }, Message::Left { rank: 3 }, Message::Figures(Row::default())]
        {
            let line = serde_json::to_string(&message).unwrap();
            assert_eq!(Message::parse(&line).unwrap(), message);
        }
        assert!(Message::parse("hello").is_err());
    }

    #[test]
    fn demo_lists_leavers_before_joiners() {
        let row = |rank, part: &str| Row { rank, part: part.to_owned(), ..Row::default() };
        let text = table(&[row(1, "came"), row(1, "left"), row(0, "stayed")]);
        let order: Vec<usize> =
            ["stayed", "left", "came"].iter().map(|part| text.find(part).unwrap()).collect();
        assert!(order.is_sorted(), "{text}");
    }
}
