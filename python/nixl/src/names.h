// SPDX-License-Identifier: Apache-2.0 OR MIT
// Texts that agents exchange: names of endpoints, which hold the agent's name, and connection information.
#pragma once

#include <cstdint>
#include <string>

namespace mf {

// Longest name of an agent, in bytes; a byte outside a-z, A-Z, 0-9, '-' and '.' counts as three.
constexpr std::size_t agent_bytes_max = 120;

// Returns the name of an endpoint at `session` (ip:port) for an agent:
// "10.0.0.1:9000_1f2e3d4c5b6a7988.agent". `nonce` makes it unique among agents of one name. Empty if the
// name is too long.
std::string endpoint_name(const std::string &session, const std::string &nonce, const std::string &agent);

// Returns the agent in the name of an endpoint; the name itself if another program has made it.
std::string agent_of(const std::string &endpoint);

// 16 random hexadecimal digits.
std::string random_nonce();

// Identifies the running kernel: equal in all processes of a host. Empty if unknown.
std::string host_id();

// Connection information: published by an agent about its endpoint.
struct ConnectionInfo {
    std::string name;   // of the endpoint
    std::string store;  // URL at which it is met
    std::string host;   // host_id there

    std::string text() const;
    // Parses `text`. Returns false if it is malformed.
    bool parse(const std::string &text);
};

// Metadata of a registered range, published by its owner.
struct RangeInfo {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;

    std::string text() const;
    bool parse(const std::string &text);
};

}  // namespace mf
