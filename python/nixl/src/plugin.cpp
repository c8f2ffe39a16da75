// SPDX-License-Identifier: Apache-2.0 OR MIT
// Entry of the plug-in: the two functions that NIXL finds by name.

#include <exception>

#include "abi.h"
#include "engine.h"
#include "transfer.h"
#include "version.h"

namespace {

constexpr char name[] = "MEMFABRIC";

// Null if it cannot be opened, or NIXL is of another minor version. No exception leaves it.
nixl::EngineBase *create(const nixl::InitParams *init) {
    try {
        return init == nullptr ? nullptr : mf::Engine::open(*init);
    } catch (const std::exception &error) {
        mf::complain(error.what());
    } catch (...) {
        mf::complain("unknown exception");
    }
    return nullptr;
}

void destroy(nixl::EngineBase *engine) { delete engine; }

const char *plugin_name() { return name; }

const char *plugin_version() { return MF_NIXL_PLUGIN_VERSION; }

nixl::Params options() { return mf::engine_options(); }

nixl::Mems mems() { return {nixl::Mem::dram}; }

nixl::Plugin plugin{nixl::api_version, create, destroy, plugin_name, plugin_version, options, mems};

}  // namespace

extern "C" {

// Null if NIXL is of another minor version: none of its structures is touched.
[[gnu::visibility("default")]] nixl::Plugin *nixl_plugin_init() { return mf::is_loaded_by_its_nixl() ? &plugin : nullptr; }

// Called at each unload; the library stays loaded.
[[gnu::visibility("default")]] void nixl_plugin_fini() {}
}
