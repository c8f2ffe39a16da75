// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Communicator's calls that name a peer by its address alone: see hmc_communicator.h.
#ifndef HMC_BY_ADDRESS_H
#define HMC_BY_ADDRESS_H

#include "hmc_communicator.h"

namespace hmc {

namespace detail {

// The port of the control channel that belongs to a data port.
inline std::uint16_t ctrl_port_of(std::uint16_t data_port) { return static_cast<std::uint16_t>(data_port + 1); }

// Distance of the port for data from the control channel's port (0: none): elsewhere, where both are the
// same. Programs have data at 2025, with the control channel at 2026, and further data at 2026.
inline std::uint16_t data_port_beside(std::int32_t ctrl_port, std::uint16_t port)
{
    return ctrl_port != 0 && ctrl_port == port ? static_cast<std::uint16_t>(port + 10000) : port;
}

// Header of a transfer by send.
constexpr int SENT = 1;
constexpr int NOT_SENT = 2;

} // namespace detail

inline status_t Communicator::initServer(std::string ip, std::uint16_t port, ConnType serverType)
{
    // If another process of the host listens, this one only connects.
    static_cast<void>(mfx_hmc_ctrl_start_plain(ip.c_str(), detail::ctrl_port_of(port)));
    const std::uint16_t data_port = detail::data_port_beside(mfx_hmc_ctrl_plain_port(nullptr), port);
    return status(mfx_hmc_comm_listen(handle(), ip.c_str(), data_port, number(serverType)));
}

inline status_t Communicator::connectTo(std::string ip, std::uint16_t port, ConnType connType)
{
    if (mfx_hmc_ctrl_descriptor(ip.c_str(), detail::ctrl_port_of(port)) < 0) return status_t::ERROR;
    port = detail::data_port_beside(mfx_hmc_ctrl_plain_port(ip.c_str()), port);
    const status_t connected = status(mfx_hmc_comm_connect(handle(), ip.c_str(), port, number(connType)));
    if (connected != status_t::SUCCESS) return connected;
    const std::lock_guard<std::mutex> lock(by_address_lock_);
    const auto inserted = by_address_.insert({{ip, connType}, port});
    const std::uint16_t before = std::exchange(inserted.first->second, port);
    return before == port ? status_t::SUCCESS : disConnect(ip, before, connType);
}

inline status_t Communicator::writeTo(std::string ip, std::size_t ptr_bias, std::size_t size, ConnType connType)
{
    std::uint16_t port = 0;
    const status_t found = port_of(ip, connType, port);
    return found == status_t::SUCCESS ? put(std::move(ip), port, ptr_bias, ptr_bias, size, connType) : found;
}

inline status_t Communicator::readFrom(std::string ip, std::size_t ptr_bias, std::size_t size, ConnType connType)
{
    std::uint16_t port = 0;
    const status_t found = port_of(ip, connType, port);
    return found == status_t::SUCCESS ? get(std::move(ip), port, ptr_bias, ptr_bias, size, connType) : found;
}

inline status_t Communicator::sendDataTo(std::string ip, void *send_buf, std::size_t buf_size, MemoryType buf_type,
                                         ConnType connType)
{
    std::uint16_t port = 0;
    const status_t found = port_of(ip, connType, port);
    return found == status_t::SUCCESS ? sendDataTo(std::move(ip), port, send_buf, buf_size, buf_type, connType) : found;
}

inline status_t Communicator::recvDataFrom(std::string ip, void *recv_buf, std::size_t buf_size, MemoryType buf_type,
                                           std::size_t *flag, ConnType connType)
{
    std::uint16_t port = 0;
    const status_t found = port_of(ip, connType, port);
    return found == status_t::SUCCESS ? recvDataFrom(std::move(ip), port, recv_buf, buf_size, buf_type, flag, connType)
                                      : found;
}

inline status_t Communicator::send(std::string ip, std::size_t ptr_bias, std::size_t size, ConnType connType)
{
    const status_t written = writeTo(ip, ptr_bias, size, connType);
    const int message = written == status_t::SUCCESS ? detail::SENT : detail::NOT_SENT;
    const bool said = CtrlSocketManager::instance().sendCtrlInt(ip, message);
    return written == status_t::SUCCESS && !said ? status_t::ERROR : written;
}

inline status_t Communicator::recv(std::string ip, std::size_t, std::size_t, ConnType connType)
{
    const status_t found = checkConn(ip, connType);
    if (found != status_t::SUCCESS) return found;
    int message = 0;
    const bool received = CtrlSocketManager::instance().recvCtrlInt(ip, message);
    return received && message == detail::SENT ? status_t::SUCCESS : status_t::ERROR;
}

inline status_t Communicator::disConnect(std::string ip, ConnType connType)
{
    std::uint16_t port = 0;
    status_t found = port_of(ip, connType, port);
    {
        const std::lock_guard<std::mutex> lock(by_address_lock_);
        const auto own = by_address_.find({ip, connType});
        if (own != by_address_.end()) {
            // Of several, the connection that this interface made.
            if (found == status_t::ERROR) {
                port = own->second;
                found = status_t::SUCCESS;
            }
            by_address_.erase(own);
        }
    }
    if (found == status_t::ERROR) return found;
    if (found == status_t::SUCCESS) static_cast<void>(disConnect(ip, port, connType));
    static_cast<void>(mfx_hmc_ctrl_close_address(ip.c_str()));
    return status_t::SUCCESS;
}

inline status_t Communicator::checkConn(std::string ip, ConnType connType)
{
    std::uint16_t port = 0;
    return port_of(ip, connType, port);
}

} // namespace hmc

#endif
