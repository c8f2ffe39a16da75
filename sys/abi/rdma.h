// SPDX-License-Identifier: Apache-2.0 OR MIT Structures of libra.so, the RDMA client. No function of ours
// uses them; they are declared for the simulator, which serves programs that do. A structure with
// undocumented fields is a block of words of the right size.
#ifndef ASCEND_ABI_RDMA_H
#define ASCEND_ABI_RDMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Location of the network interface.
static const uint32_t RA_NETWORK_PEER = 0;
static const uint32_t RA_NETWORK_OFFLINE = 1;
static const uint32_t RA_NETWORK_ONLINE = 2;

/// Notification mode of completions.
static const uint32_t RA_NOTIFY_NONE = 0;
static const uint32_t RA_NOTIFY_NOTIFY = 1;
static const uint32_t RA_NOTIFY_EVENT = 2;

/// States and roles of a socket.
static const int32_t RA_SOCKET_NOT_CONNECTED = 0;
static const int32_t RA_SOCKET_CONNECTED = 1;
static const int32_t RA_SOCKET_TIMEOUT = 2;
static const int32_t RA_SOCKET_CONNECTING = 3;
static const uint32_t RA_SOCKET_SERVER = 0;
static const uint32_t RA_SOCKET_CLIENT = 1;

/// Rights of a memory region.
static const int32_t RA_ACCESS_LOCAL_WRITE = 0x1;
static const int32_t RA_ACCESS_REMOTE_WRITE = 0x2;
static const int32_t RA_ACCESS_REMOTE_READ = 0x4;
static const int32_t RA_ACCESS_REDUCE = 0x100;

/// Operation of a work request: write.
static const uint32_t RA_WR_RDMA_WRITE = 0;

/// Start of the client.
struct RaInitConfig {
    uint32_t phyId;
    uint32_t nicPosition;
    int hdcType;
    bool enableHdcAsync;
};

/// An address of 4 or 16 bytes in network order.
union IpAddr {
    uint32_t v4;
    uint32_t v6[4];
};

/// An RDMA device.
struct Rdev {
    uint32_t phyId;
    int family;
    union IpAddr localIp;
};

/// Start of an RDMA device; passed by value.
struct RdevInitInfo {
    int mode;
    uint32_t notifyType;
    bool options[3];
};

/// Owner of the requested interfaces.
struct RaGetIfAttr {
    uint32_t phyId;
    uint32_t nicPosition;
    bool isAll;
};

/// Address and mask of an interface.
struct InterfaceAddr {
    union IpAddr ip;
    uint32_t mask;
};

/// An interface.
struct InterfaceInfo {
    int family;
    int scopeId;
    struct InterfaceAddr ifaddr;
    char ifname[256];
};

/// A connection to make.
struct SocketConnectInfo {
    void *socketHandle;
    union IpAddr remoteIp;
    uint16_t port;
    char tag[192];
};

/// A connection to close.
struct SocketCloseInfo {
    void *socketHandle;
    void *fdHandle;
    int disuseLinger;
};

/// A socket that listens.
struct SocketListenInfo {
    void *socketHandle;
    uint32_t port;
    uint32_t phase;
    uint32_t err;
};

/// A connection.
struct SocketInfo {
    void *socketHandle;
    void *fdHandle;
    union IpAddr remoteIp;
    int status;
    char tag[192];
};

/// A peer that may connect.
struct WhiteListInfo {
    union IpAddr remoteIp;
    uint32_t connLimit;
    char tag[192];
};

/// A memory region.
struct MrInfo {
    void *addr;
    uint64_t size;
    int access;
    uint32_t lkey;
    uint32_t rkey;
};

/// Attributes of a queue pair; the inside is not documented.
struct QpExtAttrs {
    uint64_t opaque[28];
};

/// A queue pair for kernels; the inside is not documented.
struct AiQpInfo {
    uint64_t opaque[46];
};

/// A piece of local memory.
struct sg_list {
    uint64_t addr;
    uint32_t len;
    uint32_t lkey;
};

/// A work request.
struct send_wr {
    struct sg_list *buf_list;
    uint16_t buf_num;
    uint64_t dst_addr;
    uint32_t rkey;
    uint32_t op;
    int send_flag;
};

/// A work request of the second form; the inside is not documented.
struct send_wr_v2 {
    uint64_t opaque[7];
};

/// Answer to a work request; the inside is not documented.
struct send_wr_rsp {
    uint64_t opaque[2];
};

#ifdef __cplusplus
}
#endif
#endif
