// SPDX-License-Identifier: Apache-2.0 OR MIT
// Resources of communication below HCCL: endpoints, registered memory, channels and threads. In libhcomm.so.
//
// All functions are optional: a release may lack them. Results are numbers of HcclResult.
#ifndef ASCEND_ABI_HCOMM_H
#define ASCEND_ABI_HCOMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Result of every call: a number of HcclResult.
typedef int32_t HcommResult;
typedef void *EndpointHandle;
typedef void *HcommMemHandle;
typedef void *HcommSocket;
typedef uint64_t ChannelHandle;
typedef uint64_t ThreadHandle;

/// Processor that issues the work of a channel or a thread.
typedef enum CommEngine {
    COMM_ENGINE_RESERVED = -1,
    COMM_ENGINE_CPU = 0,
    COMM_ENGINE_CPU_TS = 1,
    COMM_ENGINE_AICPU = 2,
    COMM_ENGINE_AICPU_TS = 3,
    COMM_ENGINE_AIV = 4,
    COMM_ENGINE_CCU = 5,
} CommEngine;

/// Protocol of an endpoint.
typedef enum CommProtocol {
    COMM_PROTOCOL_RESERVED = -1,
    COMM_PROTOCOL_HCCS = 0,
    COMM_PROTOCOL_ROCE = 1,
    COMM_PROTOCOL_PCIE = 2,
    COMM_PROTOCOL_SIO = 3,
    COMM_PROTOCOL_UBC_CTP = 4,
    COMM_PROTOCOL_UBC_TP = 5,
    COMM_PROTOCOL_UB_MEM = 6,
} CommProtocol;

/// Kind of an address.
typedef enum CommAddrType {
    COMM_ADDR_TYPE_RESERVED = -1,
    COMM_ADDR_TYPE_IP_V4 = 0,
    COMM_ADDR_TYPE_IP_V6 = 1,
    COMM_ADDR_TYPE_ID = 2,
    COMM_ADDR_TYPE_EID = 3,
} CommAddrType;

/// Side of an endpoint.
typedef enum EndpointLocType {
    ENDPOINT_LOC_TYPE_RESERVED = -1,
    ENDPOINT_LOC_TYPE_DEVICE = 0,
    ENDPOINT_LOC_TYPE_HOST = 1,
} EndpointLocType;

/// Side of memory.
typedef enum CommMemType {
    COMM_MEM_TYPE_INVALID = -1,
    COMM_MEM_TYPE_DEVICE = 0,
    COMM_MEM_TYPE_HOST = 1,
} CommMemType;

/// Role of an end of a channel.
typedef enum HcommSocketRole {
    HCOMM_SOCKET_ROLE_CLIENT = 0,
    HCOMM_SOCKET_ROLE_SERVER = 1,
} HcommSocketRole;

/// First word behind the version in a channel's header.
static const uint32_t HCOMM_CHANNEL_MAGIC_WORD = 0x0fcf0f0f;
static const uint32_t HCOMM_CHANNEL_VERSION = 4;

/// An address.
typedef struct CommAddr {
    CommAddrType type;
    /// IPv4 address, IPv6 address, id or EID, from the first byte.
    uint8_t value[36];
} CommAddr;

/// Place of an endpoint.
typedef struct EndpointLoc {
    EndpointLocType locType;
    /// Device: physical number, number in the super pod, server, super pod. Host: its id.
    uint32_t value[15];
} EndpointLoc;

/// An endpoint.
typedef struct EndpointDesc {
    CommProtocol protocol;
    CommAddr commAddr;
    EndpointLoc loc;
    uint8_t raws[52];
} EndpointDesc;

/// Memory to register, or memory of another process.
typedef struct CommMem {
    CommMemType type;
    void *addr;
    uint64_t size;
} CommMem;

/// Header of a structure that grows.
typedef struct HcommAbiHeader {
    uint32_t version;
    uint32_t magicWord;
    uint32_t size;
    uint32_t reserved;
} HcommAbiHeader;

/// A channel to create. Version 1 ends in front of qos, with 344 bytes.
typedef struct HcommChannelDesc {
    HcommAbiHeader header;
    EndpointDesc remoteEndpoint;
    uint32_t notifyNum;
    bool exchangeAllMems;
    HcommMemHandle *memHandles;
    uint32_t memHandleNum;
    HcommSocket socket;
    HcommSocketRole role;
    uint16_t port;
    /// Options of the protocol.
    uint64_t options[16];
    uint32_t qos;
    const char *channelName;
} HcommChannelDesc;

/// Kinds of transfers in a batch.
typedef enum HcommTransferType {
    HCOMM_TRANSFER_TYPE_WRITE = 0,
    HCOMM_TRANSFER_TYPE_READ = 4,
} HcommTransferType;

/// One transfer of a batch.
typedef struct HcommBatchTransferDesc {
    HcommTransferType transType;
    uint32_t reserved;
    uint64_t len;
    void *dst;
    const void *src;
    uint64_t more[4];
} HcommBatchTransferDesc;

/// Creates an endpoint. Since CANN 9.0.
HcommResult HcommEndpointCreate(const EndpointDesc *endpoint, EndpointHandle *handle);
/// Destroys an endpoint; its memory and channels must be gone. Since CANN 9.0.
HcommResult HcommEndpointDestroy(EndpointHandle handle);
/// Port that an endpoint listens at. Since CANN 9.0.
HcommResult HcommEndpointGetListenPort(EndpointHandle handle, uint32_t *port);
/// Number of endpoints of a device. Since CANN 9.0.
HcommResult HcommEndpointGetDescNum(int32_t logicDevice, uint32_t *num);
/// Endpoints of a device; num is the room, then their number. Since CANN 9.0.
HcommResult HcommEndpointGetDescs(int32_t logicDevice, uint32_t *num, EndpointDesc *endpoints);
/// Reports if an endpoint has a feature. Since CANN 9.0.
HcommResult HcommEndpointCheckFeature(int32_t feature, const EndpointDesc *endpoint, bool *supported);

/// Registers memory with an endpoint. Since CANN 9.0.
HcommResult HcommMemReg(EndpointHandle endpoint, const char *tag, const CommMem *mem, HcommMemHandle *handle);
/// Ends a registration. Since CANN 9.0.
HcommResult HcommMemUnreg(EndpointHandle endpoint, HcommMemHandle handle);
/// Describes registered memory for other processes; the bytes live as long as the registration.
/// Since CANN 9.0.
HcommResult HcommMemExport(EndpointHandle endpoint, HcommMemHandle handle, void **desc, uint32_t *len);
/// Makes exported memory usable on channels of an endpoint. Since CANN 9.0.
HcommResult HcommMemImport(EndpointHandle endpoint, const void *desc, uint32_t len, CommMem *mem);
/// Ends an import. Since CANN 9.0.
HcommResult HcommMemUnimport(EndpointHandle endpoint, const void *desc, uint32_t len);
/// Allocates memory for communication. Since CANN 9.2.
HcommResult HcommMemAlloc(void **ptr, size_t size);
/// Frees it. Since CANN 9.2.
HcommResult HcommMemFree(void *ptr);

/// Creates channels and begins to connect them. Since CANN 9.0.
HcommResult HcommChannelCreate(EndpointHandle endpoint, CommEngine engine, HcommChannelDesc *descs, uint32_t num,
                               ChannelHandle *channels);
/// Destroys channels. Since CANN 9.0.
HcommResult HcommChannelDestroy(const ChannelHandle *channels, uint32_t num);
/// Status of channels: 0 connected. Since CANN 9.0.
HcommResult HcommChannelGetStatus(const ChannelHandle *channels, uint32_t num, int32_t *status);

/// Makes threads, each with so many notifies. Since CANN 9.0.
HcommResult HcommThreadAlloc(CommEngine engine, uint32_t num, const uint32_t *notifyNumPerThread,
                             ThreadHandle *threads);
/// Ends threads. Since CANN 9.0.
HcommResult HcommThreadFree(const ThreadHandle *threads, uint32_t num);

/// Copies from the peer. Since CANN 9.0.
int32_t HcommReadOnThread(ThreadHandle thread, ChannelHandle channel, void *dst, const void *src, uint64_t len);
/// Copies to the peer. Since CANN 9.0.
int32_t HcommWriteOnThread(ThreadHandle thread, ChannelHandle channel, void *dst, const void *src, uint64_t len);
/// Copies from the peer; complete behind a fence. Since CANN 9.0.
int32_t HcommReadNbiOnThread(ThreadHandle thread, ChannelHandle channel, void *dst, const void *src, uint64_t len);
/// Copies to the peer; complete behind a fence. Since CANN 9.0.
int32_t HcommWriteNbiOnThread(ThreadHandle thread, ChannelHandle channel, void *dst, const void *src, uint64_t len);
/// Completes the copies of a channel. Since CANN 9.0.
int32_t HcommChannelFenceOnThread(ThreadHandle thread, ChannelHandle channel);
/// Begins a batch of calls. Since CANN 9.0.
int32_t HcommBatchModeStart(const char *batchTag);
/// Ends it. Since CANN 9.0.
int32_t HcommBatchModeEnd(const char *batchTag);
/// Makes several transfers. Since CANN 9.0.
int32_t HcommBatchTransferOnThread(ThreadHandle thread, ChannelHandle channel, const HcommBatchTransferDesc *descs,
                                   uint32_t num);

#ifdef __cplusplus
}
#endif
#endif
