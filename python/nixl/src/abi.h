// SPDX-License-Identifier: Apache-2.0 OR MIT
// Binary interface of NIXL's backend plug-ins, versions 1.3 to 1.5, in declarations of our own.
//
// NIXL calls an engine through its vtable and reads some members of its base class directly. So order of
// virtual functions, types of arguments and offsets of members are fixed; names are ours, and no name
// crosses the border. Types of libstdc++ do: std::string of the C++11 ABI, std::unordered_map, std::vector,
// std::mutex, std::optional. The static_asserts hold the offsets that were found in released libraries.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#if !defined(__GLIBCXX__) || !_GLIBCXX_USE_CXX11_ABI
#error "NIXL's plug-ins need libstdc++ with the C++11 ABI"
#endif

namespace nixl {

enum class Mem : int { dram = 0, vram = 1, block = 2, object = 3, file = 4 };
enum class Op : int { read = 0, write = 1 };

enum class Status : int {
    in_progress = 1,
    success = 0,
    not_posted = -1,
    invalid_param = -2,
    backend = -3,
    not_found = -4,
    mismatch = -5,
    not_allowed = -6,
    repost_active = -7,
    unknown = -8,
    not_supported = -9,
    remote_disconnect = -10,
    canceled = -11,
};

using Params = std::unordered_map<std::string, std::string>;
using Mems = std::vector<Mem>;
using Notifications = std::vector<std::pair<std::string, std::string>>;

// Metadata of a registered range, local or remote; derived classes are the engine's.
class Metadata {
public:
    explicit Metadata(bool is_private) : is_private(is_private) {}
    virtual ~Metadata() = default;
    bool is_private;
};

// A transfer request; derived classes are the engine's.
class Request {
public:
    virtual ~Request() = default;
};

struct Desc {
    std::uintptr_t address;
    std::size_t bytes;
    std::uint64_t device;
};

struct BlobDesc : Desc {
    std::string blob;
};

struct MetaDesc : Desc {
    Metadata *metadata;
};

struct RemoteMetaDesc : MetaDesc {
    std::string agent;
};

template <class T> class DescList {
public:
    virtual ~DescList() = default;
    Mem mem;
    std::vector<T> pieces;
};

struct OptArgs {
    std::string message;
    bool has_message = false;
    std::string custom;
};

struct InitParams {
    std::string agent;
    std::string type;
    Params *params;
    bool has_progress_thread;
    std::uint64_t progress_delay_us;
    int sync_mode;
    bool has_telemetry;
};

struct TelemetryEvent {
    int kind;
    std::uint64_t value;
};

// Base class of all engines.
class EngineBase {
public:
    explicit EngineBase(const InitParams &init)
        : type(init.type), params(init.params ? *init.params : Params()), agent(init.agent),
          has_telemetry(init.has_telemetry) {}
    EngineBase(const EngineBase &) = delete;
    EngineBase &operator=(const EngineBase &) = delete;

    virtual ~EngineBase() = default;
    virtual bool supports_remote() const = 0;
    virtual bool supports_local() const = 0;
    virtual bool supports_notifications() const = 0;
    virtual Mems supported_mems() const = 0;
    virtual Status register_memory(const BlobDesc &range, const Mem &mem, Metadata *&out) = 0;
    virtual Status deregister_memory(Metadata *metadata) = 0;
    virtual Status connect(const std::string &agent) = 0;
    virtual Status disconnect(const std::string &agent) = 0;
    virtual Status unload_metadata(Metadata *metadata) = 0;
    virtual Status prepare(const Op &op, const DescList<MetaDesc> &local, const DescList<MetaDesc> &remote,
                           const std::string &agent, Request *&request, const OptArgs *options) const = 0;
    virtual Status post(const Op &op, const DescList<MetaDesc> &local, const DescList<MetaDesc> &remote,
                        const std::string &agent, Request *&request, const OptArgs *options) const = 0;
    virtual Status check(Request *request) const = 0;
    virtual Status release(Request *request) const = 0;
    virtual Status prepare_remote_view(const DescList<RemoteMetaDesc> &, void *&, const OptArgs *) const {
        return Status::not_supported;
    }
    virtual Status prepare_local_view(const DescList<MetaDesc> &, void *&, const OptArgs *) const {
        return Status::not_supported;
    }
    virtual void release_view(void *) const {}
    virtual Status public_data(const Metadata *metadata, std::string &out) const = 0;
    virtual Status connection_info(std::string &out) const = 0;
    virtual Status load_connection_info(const std::string &agent, const std::string &info) = 0;
    virtual Status load_remote_metadata(const BlobDesc &range, const Mem &mem, const std::string &agent,
                                        Metadata *&out) = 0;
    virtual Status load_local_metadata(Metadata *in, Metadata *&out) = 0;
    virtual Status take_notifications(Notifications &out) = 0;
    virtual Status notify(const std::string &agent, const std::string &message) const = 0;
    virtual Status query_memory(const DescList<BlobDesc> &, std::vector<std::optional<Params>> &) const {
        return Status::not_supported;
    }
    virtual Status estimate_cost(const Op &, const DescList<MetaDesc> &, const DescList<MetaDesc> &, const std::string &,
                                 Request *const &, std::chrono::microseconds &, std::chrono::microseconds &, int &,
                                 const void *) const {
        return Status::not_supported;
    }

    // Members that NIXL reads itself.
    std::string type;
    Params params;
    std::vector<TelemetryEvent> events;
    std::mutex events_lock;
    bool has_failed = false;
    const std::string agent;
    const bool has_telemetry;
};

// Result of nixl_plugin_init.
struct Plugin {
    int api_version;
    EngineBase *(*create)(const InitParams *);
    void (*destroy)(EngineBase *);
    const char *(*name)();
    const char *(*version)();
    Params (*options)();
    Mems (*mems)();
};
constexpr int api_version = 1;

// offsetof of classes with a vtable is conditionally supported, and works with g++ and clang.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(sizeof(void *) == 8 && sizeof(std::string) == 32 && sizeof(Params) == 56 && sizeof(std::mutex) == 40);
static_assert(sizeof(Desc) == 24 && offsetof(BlobDesc, blob) == 24 && sizeof(BlobDesc) == 56);
static_assert(sizeof(MetaDesc) == 32 && offsetof(MetaDesc, metadata) == 24);
static_assert(sizeof(RemoteMetaDesc) == 64 && offsetof(RemoteMetaDesc, agent) == 32);
static_assert(offsetof(DescList<MetaDesc>, mem) == 8 && offsetof(DescList<MetaDesc>, pieces) == 16);
static_assert(offsetof(Metadata, is_private) == 8 && sizeof(Metadata) == 16 && sizeof(Request) == 8);
static_assert(offsetof(OptArgs, has_message) == 32 && offsetof(OptArgs, custom) == 40 && sizeof(OptArgs) == 72);
static_assert(offsetof(InitParams, type) == 32 && offsetof(InitParams, params) == 64);
static_assert(offsetof(InitParams, has_progress_thread) == 72 && offsetof(InitParams, progress_delay_us) == 80);
static_assert(offsetof(InitParams, sync_mode) == 88 && offsetof(InitParams, has_telemetry) == 92);
static_assert(sizeof(TelemetryEvent) == 16);
static_assert(offsetof(EngineBase, type) == 8 && offsetof(EngineBase, params) == 40);
static_assert(offsetof(EngineBase, events) == 96 && offsetof(EngineBase, events_lock) == 120);
static_assert(offsetof(EngineBase, has_failed) == 160 && offsetof(EngineBase, agent) == 168);
static_assert(offsetof(EngineBase, has_telemetry) == 200 && sizeof(EngineBase) == 208);
static_assert(sizeof(Plugin) == 56 && offsetof(Plugin, create) == 8);
#pragma GCC diagnostic pop

}  // namespace nixl
