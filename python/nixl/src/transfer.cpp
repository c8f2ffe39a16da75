// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "transfer.h"

#include <cstdio>
#include <limits>

namespace mf {
namespace {

using nixl::Status;

// Copies on one host up to these are done by the poster, as UCX's engine does all of them. A thread would
// wake up first, and share the processors with a poster that polls.
constexpr std::uint64_t short_bytes = 64 << 20;
constexpr std::size_t short_pieces = 4096;

// True if the piece lies inside the registered range of its metadata.
bool is_inside(const nixl::MetaDesc &piece) {
    const auto *range = static_cast<const Range *>(piece.metadata);
    return range != nullptr && piece.bytes != 0 && piece.address >= range->address && piece.bytes <= range->bytes &&
           piece.address - range->address <= range->bytes - piece.bytes;
}

std::string described(const nixl::MetaDesc &piece) {
    char text[80];
    std::snprintf(text, sizeof text, "address %#zx, %zu bytes", static_cast<std::size_t>(piece.address), piece.bytes);
    return text;
}

}  // namespace

Status status_of(int code) {
    switch (code) {
        case SMEM_OK: return Status::success;
        case SMEM_NOT_CONNECTED:
        case SMEM_TIMEOUT: return Status::remote_disconnect;
        case SMEM_INVALID_PARAM: return Status::invalid_param;
        case SMEM_NOT_EXIST: return Status::not_found;
        case MFX_CANCELLED: return Status::canceled;
        default: return Status::backend;
    }
}

void complain(const std::string &text) { std::fprintf(stderr, "mf_nixl: %s\n", text.c_str()); }

bool is_short_enough(const std::string &message) {
    if (message.size() <= MFX_TRANS_MESSAGE_BYTES_MAX) return true;
    complain("notification too long: " + std::to_string(message.size()) + " bytes: at most " +
             std::to_string(MFX_TRANS_MESSAGE_BYTES_MAX));
    return false;
}

Transfer::~Transfer() {
    if (started_ == nullptr) return;
    // `endpoint` was set by the post, and stays.
    if (is_copied_) peer_->endpoint->adopt(peer_->info.name, started_);
    else library_.mfx_trans_release(started_);
}

Status Transfer::set_pieces(nixl::Op op, const List &local, const List &remote) {
    const std::size_t count = local.pieces.size();
    if (op != nixl::Op::read && op != nixl::Op::write) return Status::invalid_param;
    if (local.mem != nixl::Mem::dram || remote.mem != nixl::Mem::dram) {
        complain("invalid memory: only DRAM is supported");
        return Status::invalid_param;
    }
    if (count == 0 || count != remote.pieces.size() || count > std::numeric_limits<std::uint32_t>::max()) {
        complain("invalid lists: " + std::to_string(count) + " local and " + std::to_string(remote.pieces.size()) +
                 " remote pieces: must be as many, and 1 or more");
        return Status::invalid_param;
    }
    is_read_ = op == nixl::Op::read;
    for (std::size_t number = 0; number < count; ++number) {
        const nixl::MetaDesc &here = local.pieces[number], &there = remote.pieces[number];
        if (here.bytes != there.bytes || !is_inside(here) || !is_inside(there)) {
            complain("invalid piece " + std::to_string(number) + ": local " + described(here) + ", remote " + described(there) +
                     ": must have one length, and lie inside registered memory");
            return Status::invalid_param;
        }
        locals_.push_back(reinterpret_cast<void *>(here.address));
        remotes_.push_back(reinterpret_cast<void *>(there.address));
        sizes_.push_back(here.bytes);
        bytes_ += here.bytes;
    }
    return Status::success;
}

Status Transfer::set_message(const nixl::OptArgs *options) {
    if (options == nullptr) return Status::success;
    if (options->has_message && !is_short_enough(options->message)) return Status::invalid_param;
    has_message_ = options->has_message;
    message_ = has_message_ ? options->message : std::string();
    return Status::success;
}

bool Transfer::is_short() const {
    return peer_->is_here && bytes_ <= short_bytes && sizes_.size() <= short_pieces;
}

int Transfer::copy_now(smem_trans_t endpoint) {
    const char *name = peer_->info.name.c_str();
    if (sizes_.size() == 1)
        return is_read_ ? library_.smem_trans_read(endpoint, locals_[0], name, remotes_[0], sizes_[0], 0)
                        : library_.smem_trans_write(endpoint, locals_[0], name, remotes_[0], sizes_[0], 0);
    const auto count = static_cast<std::uint32_t>(sizes_.size());
    return is_read_ ? library_.smem_trans_batch_read(endpoint, locals_.data(), name, const_cast<const void **>(remotes_.data()),
                                                     sizes_.data(), count, 0)
                    : library_.smem_trans_batch_write(endpoint, const_cast<const void **>(locals_.data()), name,
                                                      remotes_.data(), sizes_.data(), count, 0);
}

Status Transfer::failed(int code) {
    ended_ = status_of(code);
    if (ended_ == Status::remote_disconnect) peer_->is_lost.store(true);
    if (ended_ == Status::success) ended_ = Status::backend;
    return ended_;
}

Status Transfer::post() {
    if (started_ != nullptr) return Status::repost_active;
    if (peer_->is_lost.load(std::memory_order_relaxed)) return failed(SMEM_NOT_CONNECTED);
    int code = SMEM_OK;
    Endpoint *endpoint = meeting_.reach(*peer_, code);
    if (endpoint == nullptr) return failed(SMEM_NOT_CONNECTED);
    std::uint32_t left = static_cast<std::uint32_t>(sizes_.size());
    is_copied_ = is_short();
    if (is_copied_) {
        if (code = copy_now(endpoint->handle()); code != SMEM_OK) {
            complain("transfer failed: " + library_.last_error());
            return failed(code);
        }
        if (!has_message_) return ended_ = Status::success;
        // The data is visible; its message is left.
        left = 0;
    }
    started_ = library_.mfx_trans_start(endpoint->handle(), is_read_ ? MFX_TRANS_READ : 0, peer_->info.name.c_str(),
                                        locals_.data(), remotes_.data(), sizes_.data(), left,
                                        has_message_ ? message_.data() : nullptr, has_message_ ? message_.size() : 0);
    if (started_ == nullptr) {
        complain("cannot start a transfer: " + library_.last_error());
        return failed(library_.smem_get_last_err_code());
    }
    return ended_ = Status::in_progress;
}

Status Transfer::check() {
    if (started_ == nullptr) return ended_;
    bool done = false;
    const int code = library_.mfx_trans_poll(started_, &done);
    if (!done && code == SMEM_OK) return Status::in_progress;
    if (code != SMEM_OK) complain("transfer failed: " + library_.last_error());
    library_.mfx_trans_release(started_);
    started_ = nullptr;
    if (code != SMEM_OK) return failed(code);
    return ended_ = Status::success;
}

}  // namespace mf
