// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "engine.h"

#include <charconv>
#include <cstdlib>
#include <exception>

#include "transfer.h"

namespace mf {
namespace {

using nixl::Mem;
using nixl::Status;

constexpr char timeout_default[] = "5";

// Runs the body of a function of the interface. NIXL calls it without a handler: no exception may leave it.
// A body throws std::bad_alloc and std::system_error.
template <class Body> Status guarded(const char *function, Body body) {
    try {
        return body();
    } catch (const std::exception &error) {
        complain(std::string(function) + ": " + error.what());
    } catch (...) {
    }
    return Status::backend;
}

// A parameter; if it is missing or empty, the environment's variable, then "".
std::string option(const nixl::Params &params, const char *name, const char *variable) {
    const auto found = params.find(name);
    if (found != params.end() && !found->second.empty()) return found->second;
    const char *value = variable == nullptr ? nullptr : std::getenv(variable);
    return value == nullptr ? "" : value;
}

bool parse_timeout(const std::string &text, std::uint32_t &seconds) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    return error == std::errc() && stop == text.data() + text.size() && seconds > 0;
}

struct Taken {
    nixl::Notifications &out;
    bool has_failed = false;
};

// Called by C: an exception must not leave it.
bool take(const char *from, const void *message, std::uint64_t bytes, void *context) {
    auto *taken = static_cast<Taken *>(context);
    try {
        taken->out.emplace_back(agent_of(from), std::string(static_cast<const char *>(message), bytes));
    } catch (...) {
        taken->has_failed = true;
    }
    return !taken->has_failed;
}

}  // namespace

nixl::Params engine_options() {
    return {{"store_url", ""}, {"name", ""}, {"nic", ""}, {"timeout", timeout_default}};
}

Engine *Engine::open(const nixl::InitParams &init) {
    const nixl::Params params = init.params == nullptr ? nixl::Params() : *init.params;
    std::string timeout = option(params, "timeout", nullptr), why;
    if (timeout.empty()) timeout = timeout_default;
    MeetingOptions options{option(params, "store_url", "MF_CONFIG_STORE_URL"), option(params, "name", nullptr),
                           option(params, "nic", "MF_NIC"), 0};
    if (!parse_timeout(timeout, options.timeout_s)) {
        complain("invalid timeout \"" + timeout + "\": must be seconds, 1 or more");
        return nullptr;
    }
    const Library *library = open_library(why);
    std::unique_ptr<Meeting> meeting = library == nullptr ? nullptr : Meeting::open(*library, init.agent, options, why);
    if (meeting == nullptr) {
        complain("cannot open the backend of agent \"" + init.agent + "\": " + why);
        return nullptr;
    }
    return new Engine(init, *library, std::move(meeting));
}

Engine::Engine(const nixl::InitParams &init, const Library &library, std::unique_ptr<Meeting> meeting)
    : EngineBase(init), library_(library), meeting_(std::move(meeting)), ranges_(library, meeting_->home().handle()) {}

nixl::Mems Engine::supported_mems() const { return {Mem::dram}; }

Status Engine::register_memory(const nixl::BlobDesc &range, const Mem &mem, nixl::Metadata *&out) {
    return guarded(__func__, [&]() -> Status {
        if (mem != Mem::dram) return Status::not_supported;
        auto metadata = std::make_unique<Range>(range.address, range.bytes, true);
        if (const int code = ranges_.add(range.address, range.bytes); code != SMEM_OK) {
            complain("cannot register memory: " + library_.last_error());
            return status_of(code);
        }
        out = metadata.release();
        return Status::success;
    });
}

Status Engine::deregister_memory(nixl::Metadata *metadata) {
    return guarded(__func__, [&]() -> Status {
        const auto *range = static_cast<const Range *>(metadata);
        if (range == nullptr) return Status::invalid_param;
        const int code = ranges_.remove(range->address, range->bytes);
        // A process is stopped in the middle of a copy: the memory must stay.
        if (code == SMEM_TIMEOUT) complain("cannot take memory back: " + library_.last_error());
        delete range;
        return code == SMEM_TIMEOUT ? Status::backend : status_of(code);
    });
}

Status Engine::connect(const std::string &peer) {
    return guarded(__func__, [&]() -> Status {
        const std::shared_ptr<Peer> found = meeting_->find(peer);
        if (found == nullptr) return Status::not_found;
        int code = SMEM_OK;
        return meeting_->reach(*found, code) == nullptr ? Status::remote_disconnect : Status::success;
    });
}

Status Engine::disconnect(const std::string &peer) {
    return guarded(__func__, [&]() -> Status {
        meeting_->forget(peer);
        return Status::success;
    });
}

Status Engine::unload_metadata(nixl::Metadata *metadata) {
    delete metadata;
    return Status::success;
}

Status Engine::prepare(const nixl::Op &op, const nixl::DescList<nixl::MetaDesc> &local,
                       const nixl::DescList<nixl::MetaDesc> &remote, const std::string &peer, nixl::Request *&request,
                       const nixl::OptArgs *options) const {
    return guarded(__func__, [&]() -> Status {
        request = nullptr;
        std::shared_ptr<Peer> found = meeting_->find(peer);
        if (found == nullptr) return Status::not_found;
        auto transfer = std::make_unique<Transfer>(library_, *meeting_, found);
        if (const Status status = transfer->set_pieces(op, local, remote); status != Status::success) return status;
        if (const Status status = transfer->set_message(options); status != Status::success) return status;
        // The first request meets the peer; that it fails is the post's to report.
        int code = SMEM_OK;
        meeting_->reach(*found, code);
        request = transfer.release();
        return Status::success;
    });
}

Status Engine::post(const nixl::Op &, const nixl::DescList<nixl::MetaDesc> &, const nixl::DescList<nixl::MetaDesc> &,
                    const std::string &, nixl::Request *&request, const nixl::OptArgs *options) const {
    return guarded(__func__, [&]() -> Status {
        auto *transfer = static_cast<Transfer *>(request);
        if (transfer == nullptr) return Status::invalid_param;
        if (const Status status = transfer->set_message(options); status != Status::success) return status;
        return transfer->post();
    });
}

Status Engine::check(nixl::Request *request) const {
    return guarded(__func__, [&]() -> Status {
        auto *transfer = static_cast<Transfer *>(request);
        return transfer == nullptr ? Status::invalid_param : transfer->check();
    });
}

Status Engine::release(nixl::Request *request) const {
    return guarded(__func__, [&]() -> Status {
        delete request;
        return Status::success;
    });
}

Status Engine::public_data(const nixl::Metadata *metadata, std::string &out) const {
    return guarded(__func__, [&]() -> Status {
        const auto *range = static_cast<const Range *>(metadata);
        if (range == nullptr) return Status::invalid_param;
        out = RangeInfo{range->address, range->bytes}.text();
        return Status::success;
    });
}

Status Engine::connection_info(std::string &out) const {
    return guarded(__func__, [&]() -> Status {
        out = meeting_->own().text();
        return Status::success;
    });
}

Status Engine::load_connection_info(const std::string &peer, const std::string &info) {
    return guarded(__func__, [&]() -> Status {
        ConnectionInfo parsed;
        if (!parsed.parse(info)) {
            complain("cannot decode the connection information of agent \"" + peer + "\": is its plug-in of another version?");
            return Status::mismatch;
        }
        meeting_->load(peer, parsed);
        return Status::success;
    });
}

Status Engine::load_remote_metadata(const nixl::BlobDesc &range, const Mem &mem, const std::string &peer,
                                    nixl::Metadata *&out) {
    return guarded(__func__, [&]() -> Status {
        RangeInfo info;
        if (mem != Mem::dram) return Status::not_supported;
        if (meeting_->find(peer) == nullptr) return Status::not_found;
        if (!info.parse(range.blob)) {
            complain("cannot decode the metadata of agent \"" + peer + "\": is its plug-in of another version?");
            return Status::mismatch;
        }
        out = new Range(info.address, info.bytes, false);
        return Status::success;
    });
}

Status Engine::load_local_metadata(nixl::Metadata *in, nixl::Metadata *&out) {
    return guarded(__func__, [&]() -> Status {
        const auto *range = static_cast<const Range *>(in);
        if (range == nullptr) return Status::invalid_param;
        out = new Range(range->address, range->bytes, false);
        return Status::success;
    });
}

Status Engine::take_notifications(nixl::Notifications &out) {
    return guarded(__func__, [&]() -> Status {
        Taken taken{out};
        const int code = library_.mfx_trans_notifications(meeting_->home().handle(), 0, take, &taken);
        return taken.has_failed ? Status::backend : status_of(code);
    });
}

Status Engine::notify(const std::string &peer, const std::string &message) const {
    return guarded(__func__, [&]() -> Status {
        if (!is_short_enough(message)) return Status::invalid_param;
        const std::shared_ptr<Peer> found = meeting_->find(peer);
        if (found == nullptr) return Status::not_found;
        int code = SMEM_NOT_CONNECTED;
        Endpoint *endpoint = found->is_lost.load() ? nullptr : meeting_->reach(*found, code);
        if (endpoint != nullptr) code = endpoint->notify(found->info.name, message);
        if (status_of(code) == Status::remote_disconnect) found->is_lost.store(true);
        return status_of(code);
    });
}

}  // namespace mf
