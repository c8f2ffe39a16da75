// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

namespace mf {
namespace {

// A socket address of either family.
struct Address {
    sockaddr_storage storage{};
    socklen_t bytes = 0;
};

bool resolve(const std::string &host, std::uint16_t port, Address &out) {
    auto *four = reinterpret_cast<sockaddr_in *>(&out.storage);
    if (inet_pton(AF_INET, host.c_str(), &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        out.bytes = sizeof *four;
        return true;
    }
    auto *six = reinterpret_cast<sockaddr_in6 *>(&out.storage);
    if (inet_pton(AF_INET6, host.c_str(), &six->sin6_addr) != 1) return false;
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    out.bytes = sizeof *six;
    return true;
}

// A socket that closes itself.
struct Socket {
    explicit Socket(int family) : number(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}
    ~Socket() {
        if (number >= 0) close(number);
    }
    Socket(const Socket &) = delete;
    Socket &operator=(const Socket &) = delete;
    const int number;
};

}  // namespace

std::string Session::text() const {
    const std::string place = host.find(':') == std::string::npos ? host : "[" + host + "]";
    return place + ":" + std::to_string(port);
}

bool parse_session(const std::string &text, Session &session) {
    std::string host = text, port;
    if (!text.empty() && text[0] == '[') {
        const std::size_t end = text.find(']');
        if (end == std::string::npos) return false;
        host = text.substr(1, end - 1);
        port = text.substr(end + 1);
        if (!port.empty() && port[0] != ':') return false;
        port.erase(0, 1);
    } else if (const std::size_t colon = text.find(':'); colon != std::string::npos && colon == text.rfind(':')) {
        host = text.substr(0, colon);
        port = text.substr(colon + 1);
        if (port.empty()) return false;
    }
    Session parsed{host, 0};
    if (!port.empty()) {
        const auto [stop, error] = std::from_chars(port.data(), port.data() + port.size(), parsed.port);
        if (error != std::errc() || stop != port.data() + port.size()) return false;
    }
    Address address;
    if (!resolve(host, parsed.port, address)) return false;
    session = parsed;
    return true;
}

bool address_of_nic(const std::string &nic, Session &session) {
    if (parse_session(nic.rfind("tcp://", 0) == 0 ? nic.substr(6) : nic, session)) {
        // The port of the nic is the network's, not the store's.
        session.port = 0;
        return true;
    }
    ifaddrs *all = nullptr;
    if (getifaddrs(&all) != 0) return false;
    bool is_found = false;
    for (const ifaddrs *one = all; one != nullptr && !is_found; one = one->ifa_next) {
        if (nic != one->ifa_name || one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
        char text[INET_ADDRSTRLEN];
        const auto *four = reinterpret_cast<const sockaddr_in *>(one->ifa_addr);
        is_found = inet_ntop(AF_INET, &four->sin_addr, text, sizeof text) != nullptr;
        if (is_found) session = {text, 0};
    }
    freeifaddrs(all);
    return is_found;
}

std::uint16_t free_port(const std::string &host) {
    Address address;
    if (!resolve(host, 0, address)) return 0;
    const Socket probe(address.storage.ss_family);
    auto *place = reinterpret_cast<sockaddr *>(&address.storage);
    if (probe.number < 0 || bind(probe.number, place, address.bytes) != 0 ||
        getsockname(probe.number, place, &address.bytes) != 0)
        return 0;
    return ntohs(address.storage.ss_family == AF_INET ? reinterpret_cast<sockaddr_in *>(place)->sin_port
                                                      : reinterpret_cast<sockaddr_in6 *>(place)->sin6_port);
}

bool answers(const std::string &url, int timeout_ms) {
    Session session;
    Address address;
    if (url.rfind("tcp://", 0) != 0 || !parse_session(url.substr(6), session) ||
        !resolve(session.host, session.port, address))
        return true;
    const Socket probe(address.storage.ss_family);
    if (connect(probe.number, reinterpret_cast<sockaddr *>(&address.storage), address.bytes) == 0) return true;
    if (errno != EINPROGRESS) return false;
    pollfd ready{probe.number, POLLOUT, 0};
    if (poll(&ready, 1, timeout_ms) != 1) return false;
    int error = 0;
    socklen_t bytes = sizeof error;
    return getsockopt(probe.number, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 && error == 0;
}

}  // namespace mf
