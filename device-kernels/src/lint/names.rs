// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The names of Ascend C that the emulation has, and so both builds know.

use super::Finding;
use super::words::{is_word, line_at};

/// What may follow `AscendC::`.
pub(super) const NAMES: &[&str] = &[
    "AIC",
    "AIV",
    "Add",
    "Adds",
    "And",
    "BaseGlobalTensor",
    "BaseLocalTensor",
    "BinaryRepeatParams",
    "CFG_COLUMN_MAJOR",
    "CFG_NZ",
    "CFG_ROW_MAJOR",
    "CO2Layout",
    "CacheLine",
    "CacheMode",
    "CacheRwMode",
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
    "DataSyncBarrier",
    "DcciDst",
    "DisableDmaAtomic",
    "Duplicate",
    "Fixpipe",
    "FixpipeConfig",
    "FixpipeParamsV220",
    "GetBlockIdx",
    "GetBlockNum",
    "GetBufferLogicPos",
    "GetSubBlockIdx",
    "GetSystemCycle",
    "GetTaskRatio",
    "GetTaskRation",
    "GetUBSizeInBytes",
    "GlobalTensor",
    "HardEvent",
    "Hardware",
    "IBSet",
    "IBWait",
    "KERNEL_TYPE_AIC_ONLY",
    "KERNEL_TYPE_AIV_ONLY",
    "KERNEL_TYPE_MIX_AIC_1_0",
    "KERNEL_TYPE_MIX_AIC_1_1",
    "KERNEL_TYPE_MIX_AIC_1_2",
    "KERNEL_TYPE_MIX_AIV_1_0",
    "KernelMetaType",
    "LoadData",
    "LoadData2DParams",
    "LocalTensor",
    "MIX",
    "Max",
    "MemDsbT",
    "Min",
    "Mmad",
    "MmadParams",
    "Mul",
    "Muls",
    "Nd2NzParams",
    "Or",
    "PaddingMode",
    "PipeBarrier",
    "QuePosition",
    "ReduceMax",
    "ReduceSum",
    "RoundMode",
    "SetAtomicAdd",
    "SetAtomicMax",
    "SetAtomicMin",
    "SetAtomicNone",
    "SetFlag",
    "SetSyncBaseAddr",
    "Sub",
    "SyncAll",
    "SyncAllConfig",
    "TBuf",
    "TBufHandle",
    "TBuffAddr",
    "TEventID",
    "TPipe",
    "TPosition",
    "TQue",
    "TQueBind",
    "Trap",
    "UnaryRepeatParams",
    "WaitFlag",
];

/// Those of them that came after CANN 8.1, with what is in both.
const NEWER: [(&str, &str); 3] = [
    ("DisableDmaAtomic", "SetAtomicNone"),
    ("GetTaskRatio", "GetTaskRation"),
    ("GetUBSizeInBytes", "a constant of your own"),
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
        if let Some((newer, both)) = NEWER.iter().find(|(newer, _)| *newer == name) {
            let what = format!("AscendC::{newer} is not in CANN 8.1; take {both}");
            found.push(Finding::new(line_at(text, at), "release", what));
        }
    }
}
