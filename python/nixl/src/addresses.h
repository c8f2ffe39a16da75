// SPDX-License-Identifier: Apache-2.0 OR MIT
// Addresses of this host and of stores.
#pragma once

#include <cstdint>
#include <string>

namespace mf {

// A numeric address and a port, 0: any.
struct Session {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;

    // "ip:port" or "[ip6]:port".
    std::string text() const;
};

// Parses "ip", "ip:port", "[ip6]" and "[ip6]:port". Returns false for anything else.
bool parse_session(const std::string &text, Session &session);

// The address that a nic names: an address, or an interface of this host. False for anything else.
bool address_of_nic(const std::string &nic, Session &session);

// A free port at an address; 0: none, or it is not an address of this host.
std::uint16_t free_port(const std::string &host);

// Connects to "tcp://ip:port" and closes again. False if it does not answer within the time; URLs of another
// form are not tried, and give true.
bool answers(const std::string &url, int timeout_ms);

}  // namespace mf
