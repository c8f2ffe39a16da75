// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The control channel: see hmc.h.
#ifndef HMC_CTRL_H
#define HMC_CTRL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "hmc_error.h"

namespace hmc {

// Kind of a message; more kinds are the program's.
enum CtrlMsgType : std::uint16_t {
    CTRL_INT = 0x01,   // an integer of 4 or 8 bytes
    CTRL_STRUCT = 0x02 // a structure, byte by byte
};

// Header of each message, in the byte order of the host.
struct CtrlMsgHeader {
    std::uint16_t type;
    std::uint16_t flags;  // the program's, except 0x8000
    std::uint32_t length; // bytes behind it
};
static_assert(sizeof(CtrlMsgHeader) == 8, "it is sent as it is");

// The control channel of this process: messages to and from peers, which are known by a rank that they
// choose, or by their address. Over a link each direction keeps its order, and data that was put before a
// message has arrived when it is received. All Communicators of the process share it.
//
// All calls may be made from any thread; one thread at a time receives from a peer. Functions of type bool
// return false when they failed, and last_error() says why. Sending may block while the peer receives
// nothing; receiving blocks until there is a message or the link ends.
class CtrlSocketManager {
public:
    using CtrlId = std::uint32_t;

    // The one of the process; usable before main and until the process ends. Local.
    static CtrlSocketManager &instance()
    {
        static CtrlSocketManager one;
        return one;
    }
    CtrlSocketManager(const CtrlSocketManager &) = delete;
    CtrlSocketManager &operator=(const CtrlSocketManager &) = delete;

    // ---- Peers by rank.

    // Listens. tcp_port: 0 for no TCP; uds_path: of a socket file, which is replaced, empty for none. Where
    // it listens already, it is true and nothing changes. False: a listener cannot start; then none does.
    bool start(const std::string &bind_ip, std::uint16_t tcp_port, const std::string &uds_path = "")
    {
        return mfx_hmc_ctrl_start(bind_ip.c_str(), tcp_port, uds_path.c_str()) == 0;
    }
    // Ends the listeners; links stay.
    void stop() { static_cast<void>(mfx_hmc_ctrl_stop()); }
    // Returns true if it listens.
    bool isServer() const { return mfx_hmc_ctrl_is_server() == 1; }

    // Connects once to the listener of peer_id, which then knows this process as self_id. A link to that rank
    // that was there ends.
    bool connectTcp(CtrlId peer_id, const std::string &ip, std::uint16_t port, CtrlId self_id)
    {
        return mfx_hmc_ctrl_connect_tcp(peer_id, ip.c_str(), port, self_id) == 0;
    }
    bool connectUds(CtrlId peer_id, const std::string &uds_path, CtrlId self_id)
    {
        return mfx_hmc_ctrl_connect_uds(peer_id, uds_path.c_str(), self_id) == 0;
    }
    // The socket file of a rank in a folder.
    static std::string udsPathFor(const std::string &dir, CtrlId peer_id)
    {
        const bool has_slash = !dir.empty() && dir.back() == '/';
        return dir.substr(0, dir.size() - (has_slash ? 1 : 0)) + "/hmc_ctrl_rank_" + std::to_string(peer_id) + ".sock";
    }

    // False: there is no link to the rank or it ends, a payload is null and len is not 0, or too long.
    bool send(CtrlId peer_id, CtrlMsgType type, const void *payload, std::size_t len, std::uint16_t flags = 0)
    {
        return mfx_hmc_ctrl_send(peer_id, type, flags, payload, len) == 0;
    }
    bool recv(CtrlId peer_id, CtrlMsgHeader &hdr, std::vector<std::uint8_t> &payload)
    {
        mfx_hmc_frame_t frame = {};
        void *message = nullptr;
        return mfx_hmc_ctrl_recv(peer_id, NO_TIMEOUT, &frame, &message) == 0 && taken(frame, message, hdr, payload);
    }

    // A message of another type or length is consumed, and false.
    bool sendInt(CtrlId peer_id, int value) { return send(peer_id, CTRL_INT, &value, sizeof value); }
    bool recvInt(CtrlId peer_id, int &value) { return recv_into(peer_id, CTRL_INT, &value, sizeof value); }
    bool sendU64(CtrlId peer_id, std::uint64_t value) { return send(peer_id, CTRL_INT, &value, sizeof value); }
    bool recvU64(CtrlId peer_id, std::uint64_t &value) { return recv_into(peer_id, CTRL_INT, &value, sizeof value); }
    template <class T>
    bool sendStruct(CtrlId peer_id, const T &object)
    {
        static_assert(std::is_trivially_copyable<T>::value, "a structure is sent byte by byte");
        return send(peer_id, CTRL_STRUCT, &object, sizeof object);
    }
    template <class T>
    bool recvStruct(CtrlId peer_id, T &object)
    {
        static_assert(std::is_trivially_copyable<T>::value, "a structure is received byte by byte");
        return recv_into(peer_id, CTRL_STRUCT, &object, sizeof object);
    }

    // Ends the link to a rank at once, or all links, those by address too; a call that waits there returns
    // false.
    void close(CtrlId peer_id) { static_cast<void>(mfx_hmc_ctrl_close(peer_id)); }
    void closeAll() { static_cast<void>(mfx_hmc_ctrl_close_all()); }

    // ---- Peers by address, of which each has one link. Both ends use these calls.

    // Listens; peers are identified by their addresses.
    bool startServer(const std::string &bindIp, std::uint16_t port)
    {
        return mfx_hmc_ctrl_start_plain(bindIp.c_str(), port) == 0;
    }
    void stopServer() { stop(); }
    // The descriptor of the link to an address, which is made on first use; -1 when it cannot be. It is the
    // library's: only for poll and its like.
    int getCtrlSockFd(const std::string &ip, std::uint16_t port) { return mfx_hmc_ctrl_descriptor(ip.c_str(), port); }

    // Without a link to the address they connect to its port 5555.
    bool sendCtrlMsg(const std::string &ip, CtrlMsgType type, const void *payload, std::size_t len, std::uint16_t flags = 0)
    {
        return mfx_hmc_ctrl_send_to(ip.c_str(), type, flags, payload, len) == 0;
    }
    bool recvCtrlMsg(const std::string &ip, CtrlMsgHeader &hdr, std::vector<std::uint8_t> &payload)
    {
        mfx_hmc_frame_t frame = {};
        void *message = nullptr;
        return mfx_hmc_ctrl_recv_from(ip.c_str(), NO_TIMEOUT, &frame, &message) == 0 && taken(frame, message, hdr, payload);
    }
    bool sendCtrlInt(const std::string &ip, int value) { return sendCtrlMsg(ip, CTRL_INT, &value, sizeof value); }
    bool recvCtrlInt(const std::string &ip, int &value) { return recv_from(ip, CTRL_INT, &value, sizeof value); }
    template <class T>
    bool sendCtrlStruct(const std::string &ip, const T &object)
    {
        static_assert(std::is_trivially_copyable<T>::value, "a structure is sent byte by byte");
        return sendCtrlMsg(ip, CTRL_STRUCT, &object, sizeof object);
    }
    template <class T>
    bool recvCtrlStruct(const std::string &ip, T &object)
    {
        static_assert(std::is_trivially_copyable<T>::value, "a structure is received byte by byte");
        return recv_from(ip, CTRL_STRUCT, &object, sizeof object);
    }
    void closeConnection(const std::string &ip) { static_cast<void>(mfx_hmc_ctrl_close_address(ip.c_str())); }

private:
    static constexpr std::int64_t NO_TIMEOUT = -1;

    CtrlSocketManager() = default;

    static bool recv_into(CtrlId peer_id, CtrlMsgType type, void *object, std::size_t bytes)
    {
        return mfx_hmc_ctrl_recv_into(peer_id, NO_TIMEOUT, type, object, bytes) == 0;
    }
    bool recv_from(const std::string &ip, CtrlMsgType type, void *object, std::size_t bytes)
    {
        CtrlMsgHeader header = {};
        std::vector<std::uint8_t> payload;
        if (!recvCtrlMsg(ip, header, payload) || header.type != type || payload.size() != bytes) return false;
        std::copy(payload.begin(), payload.end(), static_cast<std::uint8_t *>(object));
        return true;
    }
    // A message as the program has it; the library's is given back.
    static bool taken(const mfx_hmc_frame_t &frame, void *message, CtrlMsgHeader &hdr, std::vector<std::uint8_t> &payload)
    {
        const std::unique_ptr<void, std::int32_t (*)(void *)> owned(message, mfx_hmc_ctrl_release);
        const void *bytes = nullptr;
        if (mfx_hmc_ctrl_payload(message, &bytes) != 0) return false;
        hdr = CtrlMsgHeader{frame.type, frame.flags, frame.bytes};
        const std::uint8_t *first = static_cast<const std::uint8_t *>(bytes);
        payload.assign(first, first + frame.bytes);
        return true;
    }
};

} // namespace hmc

#endif
