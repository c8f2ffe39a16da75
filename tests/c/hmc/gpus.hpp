// SPDX-License-Identifier: Apache-2.0 OR MIT
// Common parts of the tests of HMC on simulated GPUs: the vendors, their drivers' functions by name, the
// current device.
#ifndef MF_TESTS_HMC_GPUS_HPP
#define MF_TESTS_HMC_GPUS_HPP

#include "peers.hpp"

#include <array>
#include <cstring>
#include <dlfcn.h>

// A vendor and the names of its driver's functions.
struct Vendor {
    MemoryType type;
    int devices; // as tests/c/run.sh starts the simulator
    const char *start, *current, *allocate, *free;
};

constexpr Vendor VENDORS[] = {
    {MemoryType::NVIDIA_GPU, 2, "cuInit", "cuCtxGetCurrent", "cuMemAlloc_v2", "cuMemFree_v2"},
    {MemoryType::AMD_GPU, 1, "hipInit", "hipGetDevice", "hipMalloc", "hipFree"},
    {MemoryType::MOORE_GPU, 1, "muInit", "muCtxGetCurrent", "muMemAlloc_v2", "muMemFree_v2"},
    {MemoryType::CAMBRICON_MLU, 1, "cnInit", "cnCtxGetCurrent", "cnMalloc", "cnFree"},
};

// A function of the simulator, which is behind the names of all drivers.
template <class Function>
Function *of_driver(const char *name)
{
    static void *const library = dlopen("libcuda.so.1", RTLD_NOW);
    void *const found = library != nullptr ? dlsym(library, name) : nullptr;
    if (found == nullptr) {
        std::printf("no %s: %s\n", name, dlerror());
        std::exit(2);
    }
    return reinterpret_cast<Function *>(found);
}

// The current device or context of this thread, by vendor.
inline std::array<std::uint64_t, 4> current()
{
    std::array<std::uint64_t, 4> found = {};
    for (std::size_t at = 0; at < found.size(); at++) CHECK(of_driver<int(std::uint64_t *)>(VENDORS[at].current)(&found[at]) == 0);
    return found;
}

// The call returns this status, and the thread's current device stays.
#define KEEPS(status, call)                                                                                            \
    do {                                                                                                               \
        const std::array<std::uint64_t, 4> current_before = current();                                                 \
        IS(status, call);                                                                                              \
        CHECK(current() == current_before);                                                                            \
    } while (0)

// Lets the nth call of a driver from now fail; 0: none.
inline void fail_call(std::uint64_t nth) { of_driver<void(std::uint64_t)>("gpusim_fail")(nth); }
// The function that failed so last.
inline std::string failed_call()
{
    char name[64] = "";
    of_driver<void(char *, int)>("gpusim_failed")(name, sizeof name);
    return name;
}
inline std::uint64_t driver_calls() { return of_driver<std::uint64_t()>("gpusim_calls")(); }
inline std::uint64_t leaks() { return of_driver<std::uint64_t()>("gpusim_leaks")(); }

#endif
