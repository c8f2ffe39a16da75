// SPDX-License-Identifier: Apache-2.0 OR MIT
// Common parts of the programs that measure HMC: time, checks, sockets of this host.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <arpa/inet.h>
#include <hmc.h>
#include <sys/socket.h>
#include <unistd.h>

constexpr auto CONN = hmc::ConnType::UCX;
constexpr const char *HERE = "127.0.0.1";

inline double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void must(bool is_so, const char *what)
{
    if (is_so) return;
    std::fprintf(stderr, "%s failed: %s\n", what, hmc::last_error().c_str());
    std::_Exit(1);
}

inline void must(hmc::status_t status, const char *what) { must(status == hmc::status_t::SUCCESS, what); }

// A socket at a port of this host that the kernel chooses.
inline int bound()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    must(bind(socket, reinterpret_cast<sockaddr *>(&at), sizeof at) == 0, "bind");
    return socket;
}

inline std::uint16_t port_of(int socket)
{
    sockaddr_in at{};
    socklen_t length = sizeof at;
    must(getsockname(socket, reinterpret_cast<sockaddr *>(&at), &length) == 0, "getsockname");
    return ntohs(at.sin_port);
}

inline std::uint16_t free_port()
{
    const int socket = bound();
    const std::uint16_t port = port_of(socket);
    close(socket);
    return port;
}
