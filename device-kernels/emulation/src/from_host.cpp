// SPDX-License-Identifier: Apache-2.0 OR MIT
// Launches from C++ (`<<<…>>>`, aclrtlaunch_*): host code and kernels in one shared object, which the
// runtime loads a second time as a binary for the device, or in one program, which it takes as it runs.
#include "launch.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/auxv.h>
#include <unistd.h>

namespace mf::emulation {
namespace {

// Runtime functions used here, declared as in its documentation.
struct Runtime {
    int (*load)(const char *path, void *options, void **binary) = nullptr;
    int (*function)(void *binary, const char *name, void **function) = nullptr;
    int (*launch)(void *function, uint32_t blocks, void *stream, void *config, void *arguments, size_t bytes,
                  void *places, size_t place_count) = nullptr;
    int (*context)(void **context) = nullptr;
    const char *(*error)() = nullptr;
    // Of the simulator, which has it since version 2 of its interface.
    int (*fail_stream)(void *stream, int code, const char *why) = nullptr;
    std::string missing;

    Runtime()
    {
        void *library = dlopen("libascendcl.so", RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            const char *why = dlerror();
            missing = why != nullptr ? why : "libascendcl.so cannot be loaded";
            return;
        }
        find(library, "aclrtBinaryLoadFromFile", load);
        find(library, "aclrtBinaryGetFunction", function);
        find(library, "aclrtLaunchKernelWithHostArgs", launch);
        find(library, "aclrtGetCurrentContext", context);
        find(library, "aclGetRecentErrMsg", error);
        fail_stream = reinterpret_cast<decltype(fail_stream)>(dlsym(library, "ascsim_fail_stream"));
    }

  private:
    template <typename Function> void find(void *library, const char *name, Function &to)
    {
        to = reinterpret_cast<Function>(dlsym(library, name));
        if (to == nullptr)
            missing = std::string("libascendcl.so has no ") + name;
    }
};

// Handles of this binary in the runtime, by context.
struct Loaded {
    std::mutex lock;
    Runtime runtime;
    std::map<void *, void *> binaries;
};

Loaded &loaded()
{
    // Never destroyed: programs launch until they exit.
    static Loaded *const one = new Loaded;
    return *one;
}

Dl_info own_binary()
{
    Dl_info info = {};
    dladdr(reinterpret_cast<const void *>(&run_launched), &info);
    return info;
}

// True if this is a part of the program, not of a library.
bool is_program()
{
    Dl_info info = {};
    dladdr(reinterpret_cast<const void *>(getauxval(AT_ENTRY)), &info);
    return info.dli_fbase == own_binary().dli_fbase;
}

// The file of this library. The loader knows it by the path that was asked for, which may be relative.
const std::string &own_path()
{
    // Never destroyed, as above.
    static const std::string *const path = [] {
        if (is_program())
            return new std::string("/proc/self/exe");
        const char *name = own_binary().dli_fname;
        auto *absolute = new std::string(name != nullptr ? name : "");
        if (char *folder = absolute->rfind('/', 0) == 0 ? nullptr : getcwd(nullptr, 0); folder != nullptr) {
            absolute->insert(0, std::string(folder) + "/");
            std::free(folder);
        }
        return absolute;
    }();
    return *path;
}

// Resolved when the library is loaded: the program may change its working directory before it launches.
[[maybe_unused]] const std::string &path_at_load = own_path();

// 0, or the runtime's code.
int launch_by(Loaded &all, const Launching &what)
{
    const Runtime &runtime = all.runtime;
    void *context = nullptr, *function = nullptr;
    int code = runtime.context(&context);
    if (code != 0)
        return code;
    void *&binary = all.binaries[context];
    if (binary == nullptr && (code = runtime.load(own_path().c_str(), nullptr, &binary)) != 0)
        return code;
    uint64_t *slots = what.slots + 1;
    size_t count = what.entry.slots == 0 || what.ub_bytes != 0 ? what.entry.slots + size_t{1} : what.entry.slots;
    if (std::string(what.name).find('<') != std::string::npos) {
        // The binary on the device is another copy of this one: a place in it is a distance.
        *--slots = reinterpret_cast<uintptr_t>(&what.entry) - reinterpret_cast<uintptr_t>(own_binary().dli_fbase);
        count++;
        code = runtime.function(binary, "mf_launched", &function);
    } else {
        code = runtime.function(binary, what.name, &function);
    }
    if (code != 0)
        return code;
    return runtime.launch(function, what.blocks, what.stream, nullptr, slots, count * sizeof *slots, nullptr, 0);
}

} // namespace

bool launch(const Launching &what)
{
    Loaded &all = loaded();
    const std::lock_guard<std::mutex> held(all.lock);
    if (!all.runtime.missing.empty()) {
        std::fprintf(stderr, "%s was not launched: %s\n", what.name, all.runtime.missing.c_str());
        return false;
    }
    const int code = launch_by(all, what);
    if (code != 0) {
        const char *why = all.runtime.error();
        const std::string text = std::string(what.name) + " was not launched: error " + std::to_string(code) + ": " +
                                 (why != nullptr ? why : "");
        std::fprintf(stderr, "%s\n", text.c_str());
        // A stream that is invalid or has failed refuses, and fails at its next synchronisation by itself.
        if (all.runtime.fail_stream != nullptr)
            all.runtime.fail_stream(what.stream, code, text.c_str());
    }
    return code == 0;
}

void run_launched(const void *slots, size_t bytes)
{
    uint64_t distance = 0;
    std::memcpy(&distance, slots, sizeof distance);
    const auto *entry = reinterpret_cast<const Entry *>(reinterpret_cast<uintptr_t>(own_binary().dli_fbase) + distance);
    run_block(*entry, static_cast<const uint64_t *>(slots) + 1, bytes - sizeof distance);
}

} // namespace mf::emulation
