// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "endpoint.h"

#include <cstring>

namespace mf {
namespace {

// Longest wait for messages being sent when an endpoint ends, in milliseconds, all together.
constexpr std::uint32_t last_messages_ms = 1000;

}  // namespace

std::shared_ptr<Endpoint> Endpoint::make(const Library &library, const std::string &store, const EndpointOptions &options,
                                         int &code, std::string &why) {
    smem_trans_config_t config;
    library.smem_trans_config_init(&config);
    config.role = SMEM_TRANS_BOTH;
    config.initTimeout = options.timeout_s;
    if (options.nic.size() >= sizeof config.nic) {
        code = SMEM_INVALID_PARAM;
        why = "invalid nic: longer than 63 bytes";
        return nullptr;
    }
    std::memcpy(config.nic, options.nic.c_str(), options.nic.size() + 1);
    smem_trans_t handle = nullptr;
    if (code = library.smem_trans_init(&config); code == SMEM_OK)
        if (handle = library.smem_trans_create(store.c_str(), options.name.c_str(), &config); handle == nullptr)
            code = library.smem_get_last_err_code();
    if (handle == nullptr) {
        why = library.last_error();
        return nullptr;
    }
    return std::shared_ptr<Endpoint>(new Endpoint(library, handle));
}

Endpoint::~Endpoint() {
    std::uint32_t left = last_messages_ms;
    for (const auto &[peer, message] : sending_) {
        if (library_.mfx_trans_wait(message, left) == SMEM_TIMEOUT) left = 0;
        library_.mfx_trans_release(message);
    }
    library_.smem_trans_destroy(handle_, 0);
}

int Endpoint::reap(const std::string &peer) {
    int failed = SMEM_OK;
    std::erase_if(sending_, [&](const auto &one) {
        bool done = false;
        const int code = library_.mfx_trans_poll(one.second, &done);
        if (!done && code == SMEM_OK) return false;
        if (code != SMEM_OK && one.first == peer) failed = code;
        library_.mfx_trans_release(one.second);
        return true;
    });
    return failed;
}

int Endpoint::notify(const std::string &peer, const std::string &message) {
    std::lock_guard<std::mutex> guard(lock_);
    if (const int failed = reap(peer); failed != SMEM_OK) return failed;
    mfx_transfer_t started = library_.mfx_trans_start(handle_, 0, peer.c_str(), nullptr, nullptr, nullptr, 0, message.data(),
                                                      message.size());
    if (started == nullptr) return library_.smem_get_last_err_code();
    sending_.emplace_back(peer, started);
    return SMEM_OK;
}

}  // namespace mf
