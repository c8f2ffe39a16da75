// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams beside their stages, and names of memories.

use mf_base::ByteLen;
use mf_library::abi::{
    MFX_HMC_AMD_GPU, MFX_HMC_ASCEND_NPU, MFX_HMC_CAMBRICON_MLU, MFX_HMC_CPU, MFX_HMC_DEFAULT,
    MFX_HMC_MOORE_GPU, MFX_HMC_NVIDIA_GPU,
};
use mf_measure::turns::median;
use mf_program::table::{Column, figure};
use serde::{Deserialize, Serialize};

/// Kinds of memory, as the command line names them.
pub(super) const MEMORIES: [(i32, &str); 7] = [
    (MFX_HMC_DEFAULT, "default"),
    (MFX_HMC_CPU, "cpu"),
    (MFX_HMC_NVIDIA_GPU, "cuda"),
    (MFX_HMC_AMD_GPU, "hip"),
    (MFX_HMC_CAMBRICON_MLU, "cndrv"),
    (MFX_HMC_MOORE_GPU, "musa"),
    (MFX_HMC_ASCEND_NPU, "ascend"),
];

/// The name of a kind of memory.
pub(super) fn name_of(memory: i32) -> &'static str {
    MEMORIES.iter().find(|(known, _)| *known == memory).map_or("default", |(_, name)| name)
}

/// A stream beside its stages, of the same bytes in the same chunks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StreamRow {
    pub(super) memory: String,
    pub(super) bytes: u64,
    pub(super) chunk_bytes: u64,
    pub(super) seconds: f64,
    /// Copies from the program's memory into the buffer; none: it is put from where it is.
    pub(super) stage_seconds: Option<f64>,
    pub(super) put_seconds: f64,
    /// Copies from the other buffer into the other program's memory.
    pub(super) take_seconds: f64,
    /// Time relative to the slowest stage; 1 is the optimum.
    pub(super) over_slowest: f64,
}

impl StreamRow {
    /// Seconds turn by turn: of the stream, and of each stage.
    pub(super) fn new(
        memory: &str,
        (bytes, chunk_bytes): (u64, u64),
        stream: &[f64],
        stage: Option<&[f64]>,
        (put, take): (&[f64], &[f64]),
    ) -> Self {
        let slowest = |turn: usize| {
            let of = |seconds: &[f64]| seconds.get(turn).copied().unwrap_or(0.0);
            stage.map_or(0.0, of).max(of(put)).max(of(take))
        };
        let over: Vec<f64> =
            stream.iter().enumerate().map(|(turn, seconds)| seconds / slowest(turn)).collect();
        Self {
            memory: memory.to_owned(),
            bytes,
            chunk_bytes,
            seconds: median(stream),
            stage_seconds: stage.map(median),
            put_seconds: median(put),
            take_seconds: median(take),
            over_slowest: median(&over),
        }
    }
}

/// Columns of the table of streams.
pub(super) const STREAMS: [Column<'static, StreamRow>; 8] = [
    ("stream", |row| row.memory.clone()),
    ("size", |row| ByteLen(row.bytes).to_string()),
    ("chunk", |row| ByteLen(row.chunk_bytes).to_string()),
    ("ms", |row| figure(row.seconds * 1e3)),
    ("stage ms", |row| row.stage_seconds.map_or_else(|| "-".to_owned(), |seconds| figure(seconds * 1e3))),
    ("put ms", |row| figure(row.put_seconds * 1e3)),
    ("take ms", |row| figure(row.take_seconds * 1e3)),
    ("of the slowest", |row| figure(row.over_slowest)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_is_compared_with_its_slowest_stage() {
        let stage = [1.0, 4.0, 1.0];
        let row =
            StreamRow::new("cuda, cuda", (64, 2), &[3.0, 5.0, 4.5], Some(&stage), (&[2.0; 3], &[3.0; 3]));
        assert_eq!((row.over_slowest, row.seconds, row.stage_seconds), (1.25, 4.5, Some(1.0)));
    }
}
