// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "names.h"

#include <charconv>
#include <fstream>
#include <random>

namespace mf {
namespace {

constexpr char digits[] = "0123456789abcdef";
constexpr std::size_t nonce_digits = 16;
constexpr char connection_head[] = "memfabric-nixl 1";
constexpr char range_head[] = "range 1";

bool is_plain(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

std::string escaped(const std::string &text) {
    std::string out;
    for (const unsigned char c : text)
        if (is_plain(c)) out += static_cast<char>(c);
        else (out += '_').append({digits[c >> 4], digits[c & 15]});
    return out;
}

bool unescape(const std::string &text, std::string &out) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '_') {
            out += text[at];
            continue;
        }
        unsigned value = 0;
        if (at + 2 >= text.size()) return false;
        const char *first = text.data() + at + 1;
        if (std::from_chars(first, first + 2, value, 16).ptr != first + 2) return false;
        out += static_cast<char>(value);
        at += 2;
    }
    return true;
}

// Cuts the first line off `rest`. Returns false without one.
bool take_line(std::string &rest, std::string &line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string::npos) return false;
    line = rest.substr(0, end);
    rest.erase(0, end + 1);
    return true;
}

bool parse_number(const std::string &text, std::uint64_t &number) {
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, 16);
    return error == std::errc() && stop == end;
}

std::string hex(std::uint64_t number) {
    char text[16];
    return {text, std::to_chars(text, text + sizeof text, number, 16).ptr};
}

}  // namespace

std::string endpoint_name(const std::string &session, const std::string &nonce, const std::string &agent) {
    const std::string name = escaped(agent);
    return name.size() > agent_bytes_max ? "" : session + "_" + nonce + "." + name;
}

std::string agent_of(const std::string &endpoint) {
    const std::size_t suffix = endpoint.find('_', endpoint.rfind(':') == std::string::npos ? 0 : endpoint.rfind(':'));
    std::string agent;
    if (suffix == std::string::npos || endpoint.size() < suffix + 2 + nonce_digits ||
        endpoint[suffix + 1 + nonce_digits] != '.' || !unescape(endpoint.substr(suffix + 2 + nonce_digits), agent))
        return endpoint;
    return agent;
}

std::string random_nonce() {
    std::random_device source;
    std::string nonce;
    while (nonce.size() < nonce_digits) nonce += digits[source() & 15];
    return nonce;
}

std::string host_id() {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return id;
}

std::string ConnectionInfo::text() const {
    return std::string(connection_head) + "\n" + name + "\n" + store + "\n" + host + "\n";
}

bool ConnectionInfo::parse(const std::string &text) {
    std::string rest = text, head;
    return take_line(rest, head) && head == connection_head && take_line(rest, name) && take_line(rest, store) &&
           take_line(rest, host) && rest.empty() && !name.empty() && !store.empty();
}

std::string RangeInfo::text() const { return std::string(range_head) + "\n" + hex(address) + "\n" + hex(bytes) + "\n"; }

bool RangeInfo::parse(const std::string &text) {
    std::string rest = text, head, first, second;
    return take_line(rest, head) && head == range_head && take_line(rest, first) && take_line(rest, second) && rest.empty() &&
           parse_number(first, address) && parse_number(second, bytes) && address != 0 && bytes != 0 &&
           address + bytes > address;
}

}  // namespace mf
