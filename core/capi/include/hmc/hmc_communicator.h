// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Transfers between a buffer and buffers of peers: see hmc.h.
#ifndef HMC_COMMUNICATOR_H
#define HMC_COMMUNICATOR_H

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hmc_buffer.h"
#include "hmc_ctrl.h"

namespace hmc {

// Purpose of a connection. The peers of each are a table of their own.
enum class ConnType {
    RDMA = 0, // remote direct memory access, where there is such hardware; else as UCX
    UCX = 1   // UCX where it is installed; else the transports of this library
};

// The connections of a buffer: it listens, connects, or both, and a connection serves both directions.
//
// Peers are known by (address, data port, type), as they were connected to; one that connected to this
// process by its address and the data port that it listens at with this type itself, 0 when it does not.
// Addresses are numbers, as "192.0.2.1".
//
// All calls may be made from any thread; one-sided, the peer need not call anything. Offsets and sizes are
// bytes. ERROR: a range outside of either buffer, a broken connection; NOT_FOUND: no such peer. A
// transfer to a peer that is alive has no deadline; to one that died it fails within seconds, and the peer is
// not found afterwards.
class Communicator {
public:
    using CtrlId = std::uint32_t;
    enum class CtrlTransport : std::uint8_t { TCP = 0, UDS = 1 };

    // Address of a peer's control channel.
    struct CtrlLink {
        CtrlTransport transport{CtrlTransport::TCP};
        std::string ip;        // of TCP
        std::uint16_t port{0}; // of TCP
        std::string uds_path;  // of UDS: the socket file of the peer
    };

    // num_chs: channels of each connection, 1 to 16; the smaller number of both ends counts. Throws Error (a
    // std::runtime_error, INVALID_CONFIG) for another number, or when buffer is null.
    explicit Communicator(std::shared_ptr<ConnBuffer> buffer, std::size_t num_chs = 1)
        : buffer_(std::move(buffer)), handle_(created(buffer_.get(), num_chs), mfx_hmc_comm_destroy)
    {
    }
    Communicator(const Communicator &) = delete;
    Communicator &operator=(const Communicator &) = delete;

    // ---- Transfers. When put returns SUCCESS the bytes are in the peer's buffer, for all of the peer's
    // processors: a message that is sent then comes behind them. get: bytes as they are there meanwhile.

    status_t put(std::string ip, std::uint16_t port, std::size_t local_off, std::size_t remote_off, std::size_t size,
                 ConnType connType = ConnType::RDMA)
    {
        return status(mfx_hmc_put(handle(), ip.c_str(), port, local_off, remote_off, size, number(connType)));
    }
    status_t get(std::string ip, std::uint16_t port, std::size_t local_off, std::size_t remote_off, std::size_t size,
                 ConnType connType = ConnType::RDMA)
    {
        return status(mfx_hmc_get(handle(), ip.c_str(), port, local_off, remote_off, size, number(connType)));
    }

    // They return when the transfer has begun; the range is left alone until wait has returned for its id.
    // wr_id: where the id goes, 0 when it failed; may be null, then nothing says when the transfer is done.
    status_t putNB(std::string ip, std::uint16_t port, std::size_t local_off, std::size_t remote_off, std::size_t size,
                   std::uint64_t *wr_id, ConnType connType = ConnType::RDMA)
    {
        if (wr_id != nullptr) *wr_id = 0;
        return status(mfx_hmc_put_nb(handle(), ip.c_str(), port, local_off, remote_off, size, number(connType), wr_id));
    }
    status_t getNB(std::string ip, std::uint16_t port, std::size_t local_off, std::size_t remote_off, std::size_t size,
                   std::uint64_t *wr_id, ConnType connType = ConnType::RDMA)
    {
        if (wr_id != nullptr) *wr_id = 0;
        return status(mfx_hmc_get_nb(handle(), ip.c_str(), port, local_off, remote_off, size, number(connType), wr_id));
    }
    // Blocks until the transfer is done; in any order, each id once. 0: done already, SUCCESS. NOT_FOUND:
    // an id that there is not, or that was waited for. ERROR: the transfer failed.
    status_t wait(std::uint64_t wr_id) { return status(mfx_hmc_wait(handle(), wr_id)); }
    // Of several, all. TIMEOUT: not all were done within a second for each peer; they may be waited for
    // again.
    status_t wait(const std::vector<std::uint64_t> &wr_ids)
    {
        return status(mfx_hmc_wait_all(handle(), wr_ids.data(), wr_ids.size()));
    }

    // put and get in chunks of chunk_size bytes (0: 4 MiB), max_inflight at once (0: 1).
    status_t putPipeline(std::string ip, std::uint16_t port, std::size_t local_off, std::size_t remote_off, std::size_t size,
                         std::size_t chunk_size = 0, std::size_t max_inflight = 64, ConnType connType = ConnType::RDMA)
    {
        return status(mfx_hmc_put_pipeline(handle(), ip.c_str(), port, local_off, remote_off, size, chunk_size,
                                           max_inflight, number(connType)));
    }
    status_t getPipeline(std::string ip, std::uint16_t port, std::size_t local_off, std::size_t remote_off, std::size_t size,
                         std::size_t chunk_size = 0, std::size_t max_inflight = 64, ConnType connType = ConnType::RDMA)
    {
        return status(mfx_hmc_get_pipeline(handle(), ip.c_str(), port, local_off, remote_off, size, chunk_size,
                                           max_inflight, number(connType)));
    }

    // Sends memory of any size to a peer that calls recvDataFrom meanwhile, through halves of both buffers,
    // which neither uses for something else then. buf_type: what memory it is; UNSUPPORT: it and the buffer
    // are on two accelerators. Either may come first; both block until all is there, or the peer ends.
    status_t sendDataTo(std::string ip, std::uint16_t port, void *send_buf, std::size_t buf_size, MemoryType buf_type,
                        ConnType connType = ConnType::RDMA)
    {
        return status(mfx_hmc_send_data(handle(), ip.c_str(), port, send_buf, buf_size, number(buf_type), number(connType)));
    }
    // buf_size: room in recv_buf; ERROR for a longer message, of which nothing is written behind it. flag:
    // where the number of received bytes goes; may be null.
    status_t recvDataFrom(std::string ip, std::uint16_t port, void *recv_buf, std::size_t buf_size, MemoryType buf_type,
                          std::size_t *flag, ConnType connType = ConnType::RDMA)
    {
        std::uint64_t received = 0;
        const std::int32_t result = mfx_hmc_recv_data(handle(), ip.c_str(), port, recv_buf, buf_size, number(buf_type),
                                                      number(connType), &received);
        if (flag != nullptr) *flag = static_cast<std::size_t>(received);
        return status(result);
    }

    // ---- Messages to peers by rank, over the control channel of the process: CtrlSocketManager. ERROR:
    // there is no link to the peer, it ended, or its message is no number of 8 bytes.

    status_t ctrlSend(CtrlId peer, std::uint64_t tag)
    {
        return detail::done_or_error(mfx_hmc_ctrl_send(peer, CTRL_INT, 0, &tag, sizeof tag));
    }
    // Blocks until there is a message. tag may be null.
    status_t ctrlRecv(CtrlId peer, std::uint64_t *tag)
    {
        std::uint64_t value = 0;
        const std::int32_t result = mfx_hmc_ctrl_recv_into(peer, -1, CTRL_INT, &value, sizeof value);
        if (result == 0 && tag != nullptr) *tag = value;
        return detail::done_or_error(result);
    }
    // Listens, as CtrlSocketManager::start. ERROR: a listener cannot start.
    status_t initCtrlServer(const std::string &bind_ip, std::uint16_t tcp_port, const std::string &uds_path = "")
    {
        return detail::done_or_error(mfx_hmc_ctrl_start(bind_ip.c_str(), tcp_port, uds_path.c_str()));
    }
    // Ends listeners and links of the process. SUCCESS.
    status_t closeCtrl()
    {
        static_cast<void>(mfx_hmc_ctrl_stop());
        static_cast<void>(mfx_hmc_ctrl_close_all());
        return status_t::SUCCESS;
    }
    // Connects once to the control channel of a peer, which then knows this process as self_id.
    status_t connectCtrl(CtrlId peer_id, CtrlId self_id, const CtrlLink &link)
    {
        return detail::done_or_error(link.transport == CtrlTransport::UDS
                                         ? mfx_hmc_ctrl_connect_uds(peer_id, link.uds_path.c_str(), self_id)
                                         : mfx_hmc_ctrl_connect_tcp(peer_id, link.ip.c_str(), link.port, self_id));
    }
    // SUCCESS, also without a link.
    status_t closeCtrlPeer(CtrlId peer_id)
    {
        static_cast<void>(mfx_hmc_ctrl_close(peer_id));
        return status_t::SUCCESS;
    }
    static std::string udsPathFor(const std::string &dir, CtrlId peer_id)
    {
        return CtrlSocketManager::udsPathFor(dir, peer_id);
    }

    // ---- Connections.

    // Listens for the control channel, as initCtrlServer, and for data; returns when both do. Again with the
    // same type: SUCCESS, nothing changes. INVALID_CONFIG: bad address or path; ERROR: a port is in use. What
    // failed leaves no listener that this call began.
    status_t initServer(const std::string &bind_ip, std::uint16_t data_port, std::uint16_t ctrl_tcp_port,
                        const std::string &ctrl_uds_path, ConnType serverType)
    {
        const bool was_server = mfx_hmc_ctrl_is_server() == 1;
        const std::int32_t started = mfx_hmc_ctrl_start(bind_ip.c_str(), ctrl_tcp_port, ctrl_uds_path.c_str());
        if (started != 0) return status(started);
        const std::int32_t result = mfx_hmc_comm_listen(handle(), bind_ip.c_str(), data_port, number(serverType));
        if (result != 0 && !was_server) static_cast<void>(mfx_hmc_ctrl_stop());
        return status(result);
    }
    // Ends the whole control channel of the process, and the data listeners of this object. SUCCESS.
    status_t closeServer()
    {
        static_cast<void>(closeCtrl());
        return status(mfx_hmc_comm_stop(handle()));
    }
    // Connects control channel and data to a peer, which must listen for both. A connection that is there is
    // kept, and so is a link to peer_id, unless it was made to another place than ctrl_link: then that rank
    // is another process now. ERROR: refused; then nothing stays that this call has connected.
    status_t connectTo(CtrlId peer_id, CtrlId self_id, const std::string &peer_ip, std::uint16_t data_port,
                       const CtrlLink &ctrl_link, ConnType connType)
    {
        if (checkConn(peer_ip, data_port, connType) == status_t::SUCCESS) return status_t::SUCCESS;
        const bool is_uds = ctrl_link.transport == CtrlTransport::UDS;
        const bool had_link = mfx_hmc_ctrl_has_at(peer_id, is_uds ? "" : ctrl_link.ip.c_str(), ctrl_link.port,
                                                  is_uds ? ctrl_link.uds_path.c_str() : "") == 1;
        if (!had_link && connectCtrl(peer_id, self_id, ctrl_link) != status_t::SUCCESS) return status_t::ERROR;
        const std::int32_t result = mfx_hmc_comm_connect(handle(), peer_ip.c_str(), data_port, number(connType));
        if (result != 0 && !had_link) static_cast<void>(closeCtrlPeer(peer_id));
        return status(result);
    }
    // Ends the connection for data; the link of the control channel stays. SUCCESS, also without one.
    status_t disConnect(const std::string &ip, std::uint16_t port, ConnType connType)
    {
        static_cast<void>(mfx_hmc_comm_disconnect(handle(), ip.c_str(), port, number(connType)));
        return status_t::SUCCESS;
    }
    // SUCCESS when there is a connection, else NOT_FOUND.
    status_t checkConn(const std::string &ip, std::uint16_t port, ConnType connType)
    {
        return status(mfx_hmc_comm_check(handle(), ip.c_str(), port, number(connType)));
    }

    // ---- The interface of October 2025: peers by address alone, each with one connection of a type; offsets
    // are the same in both buffers; the control channel of a data port is the port behind it, and knows peers
    // by address; data of a control channel's port is at the port + 10000. NOT_FOUND: there is no connection
    // to the address; ERROR: several. In hmc_by_address.h.

    // Listens. A control channel that cannot start is no error: the process only connects then.
    status_t initServer(std::string ip, std::uint16_t port, ConnType serverType);
    // Connects control channel and data. One that this call made to another port of the address ends.
    status_t connectTo(std::string ip, std::uint16_t port, ConnType connType);
    status_t writeTo(std::string ip, std::size_t ptr_bias, std::size_t size, ConnType connType = ConnType::RDMA);
    status_t readFrom(std::string ip, std::size_t ptr_bias, std::size_t size, ConnType connType = ConnType::RDMA);
    status_t sendDataTo(std::string ip, void *send_buf, std::size_t buf_size, MemoryType buf_type,
                        ConnType connType = ConnType::RDMA);
    status_t recvDataFrom(std::string ip, void *recv_buf, std::size_t buf_size, MemoryType buf_type, std::size_t *flag,
                          ConnType connType = ConnType::RDMA);
    // send: writeTo, then a message how it went; recv: waits for that message.
    status_t send(std::string ip, std::size_t ptr_bias, std::size_t size, ConnType connType = ConnType::RDMA);
    status_t recv(std::string ip, std::size_t ptr_bias, std::size_t size, ConnType connType = ConnType::RDMA);
    // Ends the connection for data, of several the connection by connectTo, and the link of the control
    // channel to the address. SUCCESS, also without one.
    status_t disConnect(std::string ip, ConnType connType);
    status_t checkConn(std::string ip, ConnType connType);

    // For functions of C.
    mfx_hmc_comm_t handle() const noexcept { return handle_.get(); }

private:
    static mfx_hmc_comm_t created(const ConnBuffer *buffer, std::size_t channels)
    {
        if (buffer == nullptr) throw Error(status_t::INVALID_CONFIG, "Communicator: the buffer is null");
        mfx_hmc_comm_t handle = nullptr;
        detail::check(mfx_hmc_comm_create(buffer->handle(), channels, &handle), "mfx_hmc_comm_create");
        return handle;
    }
    static status_t status(std::int32_t result) { return detail::status_of(result); }
    static std::int32_t number(ConnType type) { return static_cast<std::int32_t>(type); }
    static std::int32_t number(MemoryType type) { return static_cast<std::int32_t>(type); }
    status_t port_of(const std::string &ip, ConnType type, std::uint16_t &port) const
    {
        return status(mfx_hmc_comm_port_of(handle(), ip.c_str(), number(type), &port));
    }

    std::shared_ptr<ConnBuffer> buffer_;
    std::unique_ptr<void, std::int32_t (*)(mfx_hmc_comm_t)> handle_;
    std::mutex by_address_lock_;
    // Ports that were connected to by address alone.
    std::map<std::pair<std::string, ConnType>, std::uint16_t> by_address_;
};

} // namespace hmc

#include "hmc_by_address.h"

#endif
