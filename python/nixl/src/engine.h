// SPDX-License-Identifier: Apache-2.0 OR MIT
// The engine of one agent: NIXL's interface over an endpoint of transfers. Host memory only.
#pragma once

#include <memory>
#include <string>

#include "abi.h"
#include "meeting.h"
#include "ranges.h"

namespace mf {

class Engine final : public nixl::EngineBase {
public:
    // Opens an engine. Null on failure; the reason is printed.
    static Engine *open(const nixl::InitParams &init);

    bool supports_remote() const override { return true; }
    bool supports_local() const override { return true; }
    bool supports_notifications() const override { return true; }
    nixl::Mems supported_mems() const override;
    nixl::Status register_memory(const nixl::BlobDesc &range, const nixl::Mem &mem, nixl::Metadata *&out) override;
    nixl::Status deregister_memory(nixl::Metadata *metadata) override;
    nixl::Status connect(const std::string &peer) override;
    nixl::Status disconnect(const std::string &peer) override;
    nixl::Status unload_metadata(nixl::Metadata *metadata) override;
    nixl::Status prepare(const nixl::Op &op, const nixl::DescList<nixl::MetaDesc> &local,
                         const nixl::DescList<nixl::MetaDesc> &remote, const std::string &peer, nixl::Request *&request,
                         const nixl::OptArgs *options) const override;
    nixl::Status post(const nixl::Op &op, const nixl::DescList<nixl::MetaDesc> &local,
                      const nixl::DescList<nixl::MetaDesc> &remote, const std::string &peer, nixl::Request *&request,
                      const nixl::OptArgs *options) const override;
    nixl::Status check(nixl::Request *request) const override;
    nixl::Status release(nixl::Request *request) const override;
    nixl::Status public_data(const nixl::Metadata *metadata, std::string &out) const override;
    nixl::Status connection_info(std::string &out) const override;
    nixl::Status load_connection_info(const std::string &peer, const std::string &info) override;
    nixl::Status load_remote_metadata(const nixl::BlobDesc &range, const nixl::Mem &mem, const std::string &peer,
                                      nixl::Metadata *&out) override;
    nixl::Status load_local_metadata(nixl::Metadata *in, nixl::Metadata *&out) override;
    nixl::Status take_notifications(nixl::Notifications &out) override;
    nixl::Status notify(const std::string &peer, const std::string &message) const override;

private:
    Engine(const nixl::InitParams &init, const Library &library, std::unique_ptr<Meeting> meeting);

    const Library &library_;
    const std::unique_ptr<Meeting> meeting_;
    Ranges ranges_;
};

// Names and defaults of the parameters of the backend.
nixl::Params engine_options();

}  // namespace mf
