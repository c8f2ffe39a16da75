// SPDX-License-Identifier: Apache-2.0 OR MIT
// How the simulator's call of a block becomes a run of the kernel: used by MF_KERNEL alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "ascend_sim_kernel.h"

namespace mf::emulation {

// As mfk_kernel numbers them.
enum class Kind : int32_t { Cube = 1, Vector = 2, Mixed = 3 };

struct Entry {
    const char *name;
    Kind kind;
    uint32_t ratio; // vector cores for each cube core, of mixed kernels
    uint32_t arguments;
    void (*run)(const uint64_t *slots);
};

// Runs the calling thread's block.
void run_block(const Entry &entry, const void *slots, size_t bytes);

// The arguments of a kernel, by their types: 8 bytes a slot.
template <typename... Types> struct Arguments {
    static constexpr uint32_t COUNT = sizeof...(Types);
    static constexpr uint32_t BYTES[COUNT + 1] = {sizeof(Types)..., 0};
    static_assert(((sizeof(Types) <= 8) && ...), "an argument of a kernel is at most 8 bytes");

    template <void (*KERNEL)(Types...)> static void run(const uint64_t *slots)
    {
        run<KERNEL>(slots, std::make_index_sequence<COUNT>());
    }

  private:
    template <typename Type> static Type slot(const uint64_t *slots, size_t index)
    {
        Type value;
        std::memcpy(&value, slots + index, sizeof value);
        return value;
    }

    template <void (*KERNEL)(Types...), size_t... INDEX>
    static void run([[maybe_unused]] const uint64_t *slots, std::index_sequence<INDEX...>)
    {
        KERNEL(slot<Types>(slots, INDEX)...);
    }
};

} // namespace mf::emulation

#define MF_EMULATION_ENTRY(name, kind, ratio, ...)                                                                       \
    extern "C" __attribute__((visibility("default"))) void mfk_launch_##name(const void *args, size_t bytes)           \
    {                                                                                                                  \
        using Arguments = ::mf::emulation::Arguments<__VA_ARGS__>;                                                      \
        static constexpr ::mf::emulation::Entry entry = {#name, kind, ratio, Arguments::COUNT, Arguments::run<name>};   \
        ::mf::emulation::run_block(entry, args, bytes);                                                                 \
    }                                                                                                                  \
    extern "C" {                                                                                                       \
    extern const mfk_kernel mfk_kernel_##name __attribute__((visibility("default")));                                  \
    const mfk_kernel mfk_kernel_##name = {                                                                             \
        MFK_VERSION, sizeof(mfk_kernel), static_cast<int32_t>(kind), ratio, 0,                                         \
        ::mf::emulation::Arguments<__VA_ARGS__>::COUNT, ::mf::emulation::Arguments<__VA_ARGS__>::BYTES};               \
    }
