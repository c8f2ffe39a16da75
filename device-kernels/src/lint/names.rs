// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The names of Ascend C that the emulation has, and so both builds know.

use super::Finding;
use super::words::{is_word, line_at};

/// What may follow `AscendC::`.
pub(super) const NAMES: &[&str] = &[
    "Add",
    "Adds",
    "And",
    "BinaryRepeatParams",
    "CFG_NZ",
    "CFG_ROW_MAJOR",
    "CO2Layout",
    "CacheLine",
    "CacheMode",
    "Cast",
    "Copy",
    "CopyRepeatParams",
    "CrossCoreSetFlag",
    "CrossCoreWaitFlag",
    "DataCacheCleanAndInvalid",
    "DataCachePreload",
    "DataCopy",
    "DataCopyExtParams",
    "DataCopyPad",
    "DataCopyPadExtParams",
    "DataCopyParams",
    "DataCopyStride",
    "DataSyncBarrier",
    "DcciDst",
    "DisableDmaAtomic",
    "Duplicate",
    "Fixpipe",
    "FixpipeConfig",
    "FixpipeParamsV220",
    "GetBlockIdx",
    "GetBlockNum",
    "GetSubBlockIdx",
    "GetSystemCycle",
    "GetTaskRatio",
    "GetTaskRation",
    "GetUBSizeInBytes",
    "GlobalTensor",
    "HardEvent",
    "IBSet",
    "IBWait",
    "LoadData",
    "LoadData2DParams",
    "LocalTensor",
    "Max",
    "MemDsbT",
    "Min",
    "Mmad",
    "MmadParams",
    "Mul",
    "Muls",
    "Nd2NzParams",
    "Or",
    "PipeBarrier",
    "QuantMode_t",
    "QuePosition",
    "ReduceMax",
    "ReduceSum",
    "RoundMode",
    "SetAtomicAdd",
    "SetAtomicMax",
    "SetAtomicMin",
    "SetAtomicNone",
    "SetFlag",
    "Sub",
    "SyncAll",
    "TBuf",
    "TEventID",
    "TPipe",
    "TPosition",
    "TQue",
    "TQueBind",
    "Trap",
    "UnaryRepeatParams",
    "WaitFlag",
];

/// Finds others.
pub(super) fn check(text: &str, found: &mut Vec<Finding>) {
    for (at, prefix) in text.match_indices("AscendC::") {
        let rest = text.get(at + prefix.len()..).unwrap_or_default();
        let name = rest.split(|c| !is_word(c)).next().unwrap_or_default();
        if !name.is_empty() && !NAMES.contains(&name) {
            let what = format!(
                "AscendC::{name} is not in the subset that runs on NPU and simulator alike (docs/kernels.md)"
            );
            found.push(Finding::new(line_at(text, at), "name", what));
        }
    }
}
