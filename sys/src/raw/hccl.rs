// SPDX-License-Identifier: Apache-2.0 OR MIT
// Written by scripts/regen_bindings from sys/abi; do not edit.

use super::types::*;

pub struct HcclTable {
    __library: ::libloading::Library,
    pub HcclGetRootInfo:
        Result<unsafe extern "C" fn(rootInfo: *mut HcclRootInfo) -> HcclResult, ::libloading::Error>,
    pub HcclCommInitRootInfo: Result<
        unsafe extern "C" fn(
            nRanks: u32,
            rootInfo: *const HcclRootInfo,
            rank: u32,
            comm: *mut HcclComm,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclCommInitRootInfoConfig: Result<
        unsafe extern "C" fn(
            nRanks: u32,
            rootInfo: *const HcclRootInfo,
            rank: u32,
            config: *const HcclCommConfig,
            comm: *mut HcclComm,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclCommInitAll: Result<
        unsafe extern "C" fn(ndev: u32, devices: *mut i32, comms: *mut HcclComm) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclCommInitClusterInfo: Result<
        unsafe extern "C" fn(
            clusterInfo: *const ::core::ffi::c_char,
            rank: u32,
            comm: *mut HcclComm,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclCommInitClusterInfoConfig: Result<
        unsafe extern "C" fn(
            clusterInfo: *const ::core::ffi::c_char,
            rank: u32,
            config: *mut HcclCommConfig,
            comm: *mut HcclComm,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclCommInitClusterInfoMemConfig: Result<
        unsafe extern "C" fn(
            rankTable: *const ::core::ffi::c_char,
            rank: u32,
            config: *mut HcclCommConfig,
            comm: *mut HcclComm,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclCreateSubCommConfig: Result<
        unsafe extern "C" fn(
            comm: *mut HcclComm,
            rankNum: u32,
            rankIds: *mut u32,
            subCommId: u64,
            subCommRankId: u32,
            config: *mut HcclCommConfig,
            subComm: *mut HcclComm,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclGetRankSize:
        Result<unsafe extern "C" fn(comm: HcclComm, rankSize: *mut u32) -> HcclResult, ::libloading::Error>,
    pub HcclGetRankId:
        Result<unsafe extern "C" fn(comm: HcclComm, rank: *mut u32) -> HcclResult, ::libloading::Error>,
    pub HcclGetCommName: Result<
        unsafe extern "C" fn(comm: HcclComm, commName: *mut ::core::ffi::c_char) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclAllReduce: Result<
        unsafe extern "C" fn(
            sendBuf: *mut ::core::ffi::c_void,
            recvBuf: *mut ::core::ffi::c_void,
            count: u64,
            dataType: HcclDataType,
            op: HcclReduceOp,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclBroadcast: Result<
        unsafe extern "C" fn(
            buf: *mut ::core::ffi::c_void,
            count: u64,
            dataType: HcclDataType,
            root: u32,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclReduceScatter: Result<
        unsafe extern "C" fn(
            sendBuf: *mut ::core::ffi::c_void,
            recvBuf: *mut ::core::ffi::c_void,
            recvCount: u64,
            dataType: HcclDataType,
            op: HcclReduceOp,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclAllGather: Result<
        unsafe extern "C" fn(
            sendBuf: *mut ::core::ffi::c_void,
            recvBuf: *mut ::core::ffi::c_void,
            sendCount: u64,
            dataType: HcclDataType,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclReduce: Result<
        unsafe extern "C" fn(
            sendBuf: *mut ::core::ffi::c_void,
            recvBuf: *mut ::core::ffi::c_void,
            count: u64,
            dataType: HcclDataType,
            op: HcclReduceOp,
            root: u32,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclScatter: Result<
        unsafe extern "C" fn(
            sendBuf: *mut ::core::ffi::c_void,
            recvBuf: *mut ::core::ffi::c_void,
            recvCount: u64,
            dataType: HcclDataType,
            root: u32,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclAlltoAll: Result<
        unsafe extern "C" fn(
            sendBuf: *const ::core::ffi::c_void,
            sendCount: u64,
            sendType: HcclDataType,
            recvBuf: *const ::core::ffi::c_void,
            recvCount: u64,
            recvType: HcclDataType,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclAlltoAllV: Result<
        unsafe extern "C" fn(
            sendBuf: *const ::core::ffi::c_void,
            sendCounts: *const ::core::ffi::c_void,
            sdispls: *const ::core::ffi::c_void,
            sendType: HcclDataType,
            recvBuf: *const ::core::ffi::c_void,
            recvCounts: *const ::core::ffi::c_void,
            rdispls: *const ::core::ffi::c_void,
            recvType: HcclDataType,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclSend: Result<
        unsafe extern "C" fn(
            sendBuf: *mut ::core::ffi::c_void,
            count: u64,
            dataType: HcclDataType,
            destRank: u32,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclRecv: Result<
        unsafe extern "C" fn(
            recvBuf: *mut ::core::ffi::c_void,
            count: u64,
            dataType: HcclDataType,
            srcRank: u32,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclBatchSendRecv: Result<
        unsafe extern "C" fn(
            sendRecvInfo: *mut HcclSendRecvItem,
            itemNum: u32,
            comm: HcclComm,
            stream: aclrtStream,
        ) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclBarrier:
        Result<unsafe extern "C" fn(comm: HcclComm, stream: aclrtStream) -> HcclResult, ::libloading::Error>,
    pub HcclGetCommAsyncError: Result<
        unsafe extern "C" fn(comm: HcclComm, asyncError: *mut HcclResult) -> HcclResult,
        ::libloading::Error,
    >,
    pub HcclGetErrorString:
        Result<unsafe extern "C" fn(code: HcclResult) -> *const ::core::ffi::c_char, ::libloading::Error>,
    pub HcclCommDestroy: Result<unsafe extern "C" fn(comm: HcclComm) -> HcclResult, ::libloading::Error>,
}
impl HcclTable {
    pub unsafe fn new<P>(path: P) -> Result<Self, ::libloading::Error>
    where
        P: AsRef<::std::ffi::OsStr>,
    {
        let path = path.as_ref();
        let library = unsafe { ::libloading::Library::new(path) }?;
        unsafe { Self::from_library(library) }
    }
    pub unsafe fn from_library<L>(library: L) -> Result<Self, ::libloading::Error>
    where
        L: Into<::libloading::Library>,
    {
        let __library = library.into();
        let HcclGetRootInfo = unsafe { __library.get(b"HcclGetRootInfo\0") }.map(|sym| *sym);
        let HcclCommInitRootInfo = unsafe { __library.get(b"HcclCommInitRootInfo\0") }.map(|sym| *sym);
        let HcclCommInitRootInfoConfig =
            unsafe { __library.get(b"HcclCommInitRootInfoConfig\0") }.map(|sym| *sym);
        let HcclCommInitAll = unsafe { __library.get(b"HcclCommInitAll\0") }.map(|sym| *sym);
        let HcclCommInitClusterInfo = unsafe { __library.get(b"HcclCommInitClusterInfo\0") }.map(|sym| *sym);
        let HcclCommInitClusterInfoConfig =
            unsafe { __library.get(b"HcclCommInitClusterInfoConfig\0") }.map(|sym| *sym);
        let HcclCommInitClusterInfoMemConfig =
            unsafe { __library.get(b"HcclCommInitClusterInfoMemConfig\0") }.map(|sym| *sym);
        let HcclCreateSubCommConfig = unsafe { __library.get(b"HcclCreateSubCommConfig\0") }.map(|sym| *sym);
        let HcclGetRankSize = unsafe { __library.get(b"HcclGetRankSize\0") }.map(|sym| *sym);
        let HcclGetRankId = unsafe { __library.get(b"HcclGetRankId\0") }.map(|sym| *sym);
        let HcclGetCommName = unsafe { __library.get(b"HcclGetCommName\0") }.map(|sym| *sym);
        let HcclAllReduce = unsafe { __library.get(b"HcclAllReduce\0") }.map(|sym| *sym);
        let HcclBroadcast = unsafe { __library.get(b"HcclBroadcast\0") }.map(|sym| *sym);
        let HcclReduceScatter = unsafe { __library.get(b"HcclReduceScatter\0") }.map(|sym| *sym);
        let HcclAllGather = unsafe { __library.get(b"HcclAllGather\0") }.map(|sym| *sym);
        let HcclReduce = unsafe { __library.get(b"HcclReduce\0") }.map(|sym| *sym);
        let HcclScatter = unsafe { __library.get(b"HcclScatter\0") }.map(|sym| *sym);
        let HcclAlltoAll = unsafe { __library.get(b"HcclAlltoAll\0") }.map(|sym| *sym);
        let HcclAlltoAllV = unsafe { __library.get(b"HcclAlltoAllV\0") }.map(|sym| *sym);
        let HcclSend = unsafe { __library.get(b"HcclSend\0") }.map(|sym| *sym);
        let HcclRecv = unsafe { __library.get(b"HcclRecv\0") }.map(|sym| *sym);
        let HcclBatchSendRecv = unsafe { __library.get(b"HcclBatchSendRecv\0") }.map(|sym| *sym);
        let HcclBarrier = unsafe { __library.get(b"HcclBarrier\0") }.map(|sym| *sym);
        let HcclGetCommAsyncError = unsafe { __library.get(b"HcclGetCommAsyncError\0") }.map(|sym| *sym);
        let HcclGetErrorString = unsafe { __library.get(b"HcclGetErrorString\0") }.map(|sym| *sym);
        let HcclCommDestroy = unsafe { __library.get(b"HcclCommDestroy\0") }.map(|sym| *sym);
        Ok(HcclTable {
            __library,
            HcclGetRootInfo,
            HcclCommInitRootInfo,
            HcclCommInitRootInfoConfig,
            HcclCommInitAll,
            HcclCommInitClusterInfo,
            HcclCommInitClusterInfoConfig,
            HcclCommInitClusterInfoMemConfig,
            HcclCreateSubCommConfig,
            HcclGetRankSize,
            HcclGetRankId,
            HcclGetCommName,
            HcclAllReduce,
            HcclBroadcast,
            HcclReduceScatter,
            HcclAllGather,
            HcclReduce,
            HcclScatter,
            HcclAlltoAll,
            HcclAlltoAllV,
            HcclSend,
            HcclRecv,
            HcclBatchSendRecv,
            HcclBarrier,
            HcclGetCommAsyncError,
            HcclGetErrorString,
            HcclCommDestroy,
        })
    }
    #[doc = " Makes the root info, on one rank."]
    pub unsafe fn HcclGetRootInfo(&self, rootInfo: *mut HcclRootInfo) -> HcclResult {
        unsafe { (self.HcclGetRootInfo.as_ref().expect("Expected function, got error."))(rootInfo) }
    }
    #[doc = " Forms a communicator; waits until all ranks came."]
    pub unsafe fn HcclCommInitRootInfo(
        &self,
        nRanks: u32,
        rootInfo: *const HcclRootInfo,
        rank: u32,
        comm: *mut HcclComm,
    ) -> HcclResult {
        unsafe {
            (self.HcclCommInitRootInfo.as_ref().expect("Expected function, got error."))(
                nRanks, rootInfo, rank, comm,
            )
        }
    }
    #[doc = " Forms a communicator with a configuration."]
    pub unsafe fn HcclCommInitRootInfoConfig(
        &self,
        nRanks: u32,
        rootInfo: *const HcclRootInfo,
        rank: u32,
        config: *const HcclCommConfig,
        comm: *mut HcclComm,
    ) -> HcclResult {
        unsafe {
            (self.HcclCommInitRootInfoConfig.as_ref().expect("Expected function, got error."))(
                nRanks, rootInfo, rank, config, comm,
            )
        }
    }
    #[doc = " Forms a communicator of the devices of one process."]
    pub unsafe fn HcclCommInitAll(&self, ndev: u32, devices: *mut i32, comms: *mut HcclComm) -> HcclResult {
        unsafe {
            (self.HcclCommInitAll.as_ref().expect("Expected function, got error."))(ndev, devices, comms)
        }
    }
    #[doc = " Forms a communicator from a rank table file."]
    pub unsafe fn HcclCommInitClusterInfo(
        &self,
        clusterInfo: *const ::core::ffi::c_char,
        rank: u32,
        comm: *mut HcclComm,
    ) -> HcclResult {
        unsafe {
            (self.HcclCommInitClusterInfo.as_ref().expect("Expected function, got error."))(
                clusterInfo,
                rank,
                comm,
            )
        }
    }
    #[doc = " Forms a communicator from a rank table file with a configuration."]
    pub unsafe fn HcclCommInitClusterInfoConfig(
        &self,
        clusterInfo: *const ::core::ffi::c_char,
        rank: u32,
        config: *mut HcclCommConfig,
        comm: *mut HcclComm,
    ) -> HcclResult {
        unsafe {
            (self.HcclCommInitClusterInfoConfig.as_ref().expect("Expected function, got error."))(
                clusterInfo,
                rank,
                config,
                comm,
            )
        }
    }
    #[doc = " Forms a communicator from the text of a rank table with a configuration. In libhcomm.so of CANN 9; no\n header of hccl has it."]
    pub unsafe fn HcclCommInitClusterInfoMemConfig(
        &self,
        rankTable: *const ::core::ffi::c_char,
        rank: u32,
        config: *mut HcclCommConfig,
        comm: *mut HcclComm,
    ) -> HcclResult {
        unsafe {
            (self.HcclCommInitClusterInfoMemConfig.as_ref().expect("Expected function, got error."))(
                rankTable, rank, config, comm,
            )
        }
    }
    #[doc = " Forms a communicator of some ranks of another."]
    pub unsafe fn HcclCreateSubCommConfig(
        &self,
        comm: *mut HcclComm,
        rankNum: u32,
        rankIds: *mut u32,
        subCommId: u64,
        subCommRankId: u32,
        config: *mut HcclCommConfig,
        subComm: *mut HcclComm,
    ) -> HcclResult {
        unsafe {
            (self.HcclCreateSubCommConfig.as_ref().expect("Expected function, got error."))(
                comm,
                rankNum,
                rankIds,
                subCommId,
                subCommRankId,
                config,
                subComm,
            )
        }
    }
    #[doc = " Number of ranks."]
    pub unsafe fn HcclGetRankSize(&self, comm: HcclComm, rankSize: *mut u32) -> HcclResult {
        unsafe { (self.HcclGetRankSize.as_ref().expect("Expected function, got error."))(comm, rankSize) }
    }
    #[doc = " Rank of the caller."]
    pub unsafe fn HcclGetRankId(&self, comm: HcclComm, rank: *mut u32) -> HcclResult {
        unsafe { (self.HcclGetRankId.as_ref().expect("Expected function, got error."))(comm, rank) }
    }
    #[doc = " Name of a communicator; the buffer holds 128 bytes."]
    pub unsafe fn HcclGetCommName(&self, comm: HcclComm, commName: *mut ::core::ffi::c_char) -> HcclResult {
        unsafe { (self.HcclGetCommName.as_ref().expect("Expected function, got error."))(comm, commName) }
    }
    #[doc = " Combines the buffers of all ranks, on all ranks."]
    pub unsafe fn HcclAllReduce(
        &self,
        sendBuf: *mut ::core::ffi::c_void,
        recvBuf: *mut ::core::ffi::c_void,
        count: u64,
        dataType: HcclDataType,
        op: HcclReduceOp,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclAllReduce.as_ref().expect("Expected function, got error."))(
                sendBuf, recvBuf, count, dataType, op, comm, stream,
            )
        }
    }
    #[doc = " Copies the buffer of the root to all ranks."]
    pub unsafe fn HcclBroadcast(
        &self,
        buf: *mut ::core::ffi::c_void,
        count: u64,
        dataType: HcclDataType,
        root: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclBroadcast.as_ref().expect("Expected function, got error."))(
                buf, count, dataType, root, comm, stream,
            )
        }
    }
    #[doc = " Combines the buffers of all ranks and scatters the result."]
    pub unsafe fn HcclReduceScatter(
        &self,
        sendBuf: *mut ::core::ffi::c_void,
        recvBuf: *mut ::core::ffi::c_void,
        recvCount: u64,
        dataType: HcclDataType,
        op: HcclReduceOp,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclReduceScatter.as_ref().expect("Expected function, got error."))(
                sendBuf, recvBuf, recvCount, dataType, op, comm, stream,
            )
        }
    }
    #[doc = " Gathers the buffers of all ranks, on all ranks."]
    pub unsafe fn HcclAllGather(
        &self,
        sendBuf: *mut ::core::ffi::c_void,
        recvBuf: *mut ::core::ffi::c_void,
        sendCount: u64,
        dataType: HcclDataType,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclAllGather.as_ref().expect("Expected function, got error."))(
                sendBuf, recvBuf, sendCount, dataType, comm, stream,
            )
        }
    }
    #[doc = " Combines the buffers of all ranks, on the root."]
    pub unsafe fn HcclReduce(
        &self,
        sendBuf: *mut ::core::ffi::c_void,
        recvBuf: *mut ::core::ffi::c_void,
        count: u64,
        dataType: HcclDataType,
        op: HcclReduceOp,
        root: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclReduce.as_ref().expect("Expected function, got error."))(
                sendBuf, recvBuf, count, dataType, op, root, comm, stream,
            )
        }
    }
    #[doc = " Scatters the buffer of the root."]
    pub unsafe fn HcclScatter(
        &self,
        sendBuf: *mut ::core::ffi::c_void,
        recvBuf: *mut ::core::ffi::c_void,
        recvCount: u64,
        dataType: HcclDataType,
        root: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclScatter.as_ref().expect("Expected function, got error."))(
                sendBuf, recvBuf, recvCount, dataType, root, comm, stream,
            )
        }
    }
    #[doc = " Sends an equal part to every rank."]
    pub unsafe fn HcclAlltoAll(
        &self,
        sendBuf: *const ::core::ffi::c_void,
        sendCount: u64,
        sendType: HcclDataType,
        recvBuf: *const ::core::ffi::c_void,
        recvCount: u64,
        recvType: HcclDataType,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclAlltoAll.as_ref().expect("Expected function, got error."))(
                sendBuf, sendCount, sendType, recvBuf, recvCount, recvType, comm, stream,
            )
        }
    }
    #[doc = " Sends a part of separate length to every rank."]
    pub unsafe fn HcclAlltoAllV(
        &self,
        sendBuf: *const ::core::ffi::c_void,
        sendCounts: *const ::core::ffi::c_void,
        sdispls: *const ::core::ffi::c_void,
        sendType: HcclDataType,
        recvBuf: *const ::core::ffi::c_void,
        recvCounts: *const ::core::ffi::c_void,
        rdispls: *const ::core::ffi::c_void,
        recvType: HcclDataType,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclAlltoAllV.as_ref().expect("Expected function, got error."))(
                sendBuf, sendCounts, sdispls, sendType, recvBuf, recvCounts, rdispls, recvType, comm, stream,
            )
        }
    }
    #[doc = " Sends to a rank."]
    pub unsafe fn HcclSend(
        &self,
        sendBuf: *mut ::core::ffi::c_void,
        count: u64,
        dataType: HcclDataType,
        destRank: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclSend.as_ref().expect("Expected function, got error."))(
                sendBuf, count, dataType, destRank, comm, stream,
            )
        }
    }
    #[doc = " Receives from a rank."]
    pub unsafe fn HcclRecv(
        &self,
        recvBuf: *mut ::core::ffi::c_void,
        count: u64,
        dataType: HcclDataType,
        srcRank: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclRecv.as_ref().expect("Expected function, got error."))(
                recvBuf, count, dataType, srcRank, comm, stream,
            )
        }
    }
    #[doc = " Sends and receives many."]
    pub unsafe fn HcclBatchSendRecv(
        &self,
        sendRecvInfo: *mut HcclSendRecvItem,
        itemNum: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult {
        unsafe {
            (self.HcclBatchSendRecv.as_ref().expect("Expected function, got error."))(
                sendRecvInfo,
                itemNum,
                comm,
                stream,
            )
        }
    }
    #[doc = " Waits, in the stream, until all ranks came."]
    pub unsafe fn HcclBarrier(&self, comm: HcclComm, stream: aclrtStream) -> HcclResult {
        unsafe { (self.HcclBarrier.as_ref().expect("Expected function, got error."))(comm, stream) }
    }
    #[doc = " The error of an asynchronous collective."]
    pub unsafe fn HcclGetCommAsyncError(&self, comm: HcclComm, asyncError: *mut HcclResult) -> HcclResult {
        unsafe {
            (self.HcclGetCommAsyncError.as_ref().expect("Expected function, got error."))(comm, asyncError)
        }
    }
    #[doc = " A text for a result."]
    pub unsafe fn HcclGetErrorString(&self, code: HcclResult) -> *const ::core::ffi::c_char {
        unsafe { (self.HcclGetErrorString.as_ref().expect("Expected function, got error."))(code) }
    }
    #[doc = " Destroys a communicator."]
    pub unsafe fn HcclCommDestroy(&self, comm: HcclComm) -> HcclResult {
        unsafe { (self.HcclCommDestroy.as_ref().expect("Expected function, got error."))(comm) }
    }
}
