// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "endpoint.h"

#include <cstring>

namespace mf {
namespace {

// Longest wait for messages being sent when an endpoint ends, in milliseconds.
constexpr std::uint32_t last_messages_ms = 1000;
// Most messages being sent: the handles of a process are limited. The sender of more waits for the oldest.
constexpr std::size_t sending_max = 2048;
constexpr std::uint32_t oldest_message_ms = 4000;

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
    if (!sending_.empty()) library_.mfx_trans_wait(sending_.back().second, last_messages_ms);
    // The newest first: messages queued behind a lost peer are never begun.
    for (; !sending_.empty(); sending_.pop_back()) library_.mfx_trans_release(sending_.back().second);
    library_.smem_trans_destroy(handle_, 0);
}

void Endpoint::reap() {
    for (bool done = false; !sending_.empty(); done = false) {
        const auto &[peer, message] = sending_.front();
        const int code = library_.mfx_trans_poll(message, &done);
        if (!done && code == SMEM_OK) return;
        if (code != SMEM_OK) failed_[peer] = code;
        library_.mfx_trans_release(message);
        sending_.pop_front();
    }
}

int Endpoint::notify(const std::string &peer, const std::string &message) {
    std::lock_guard<std::mutex> guard(lock_);
    reap();
    if (sending_.size() >= sending_max) {
        library_.mfx_trans_wait(sending_.front().second, oldest_message_ms);
        reap();
    }
    if (const auto failed = failed_.extract(peer)) return failed.mapped();
    if (sending_.size() >= sending_max) return SMEM_NO_RESOURCES;
    mfx_transfer_t started = library_.mfx_trans_start(handle_, 0, peer.c_str(), nullptr, nullptr, nullptr, 0, message.data(),
                                                      message.size());
    if (started == nullptr) return library_.smem_get_last_err_code();
    sending_.emplace_back(peer, started);
    return SMEM_OK;
}

void Endpoint::adopt(const std::string &peer, mfx_transfer_t message) {
    std::lock_guard<std::mutex> guard(lock_);
    sending_.emplace_back(peer, message);
    reap();
}

}  // namespace mf
