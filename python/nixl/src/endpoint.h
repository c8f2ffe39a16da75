// SPDX-License-Identifier: Apache-2.0 OR MIT
// An endpoint of the library at one store, and the notifications that it sends without data.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "library.h"

namespace mf {

// Options that all endpoints of an agent share.
struct EndpointOptions {
    std::string name;
    std::string nic;
    std::uint32_t timeout_s;
};

// Owner of a smem_trans_t. Thread-safe, as the library is.
class Endpoint {
public:
    // Takes the name at a store; blocks at most for the timeout. Null on failure: `code` has the library's
    // code, `why` its text.
    static std::shared_ptr<Endpoint> make(const Library &library, const std::string &store, const EndpointOptions &options,
                                          int &code, std::string &why);
    ~Endpoint();
    Endpoint(const Endpoint &) = delete;
    Endpoint &operator=(const Endpoint &) = delete;

    smem_trans_t handle() const { return handle_; }

    // Starts sending a message. Returns a code of the library, also of an earlier message to this peer that
    // has failed meanwhile.
    int notify(const std::string &peer, const std::string &message);
    // Takes over a transfer of this endpoint that has no data left, and releases it when its message is sent.
    void adopt(const std::string &peer, mfx_transfer_t message);

private:
    Endpoint(const Library &library, smem_trans_t handle) : library_(library), handle_(handle) {}
    // Releases the messages at the front that have ended, and notes failures. Needs the lock.
    void reap();

    const Library &library_;
    const smem_trans_t handle_;
    std::mutex lock_;
    // Messages being sent, with their peers, in the order of their starts.
    std::deque<std::pair<std::string, mfx_transfer_t>> sending_;
    // By the peer: code of a message that has failed.
    std::unordered_map<std::string, int> failed_;
};

}  // namespace mf
