// SPDX-License-Identifier: Apache-2.0 OR MIT
// Entry of a block: turns the simulator's call into a run of the kernel. Used by MF_KERNEL alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "ascend_sim_kernel.h"

namespace mf::emulation {

// As mfk_kernel numbers them.
enum class Kind : int32_t { Cube = 1, Vector = 2, Mixed = 3 };

struct Entry {
    const char *name;
    Kind kind;
    uint32_t ratio; // vector cores for each cube core, of mixed kernels
    uint32_t slots; // of the arguments, 8 bytes each
    void (*run)(const uint64_t *slots);
};

// Launch from C++. The first slot is for the entry of an unnamed kernel, an instance of a template; the
// arguments follow.
struct Launching {
    const char *name;
    const Entry &entry;
    uint32_t blocks;
    void *stream;
    uint64_t *slots;
};

// Launches by the runtime of this process, from the binary that this is. Returns false on failure. As
// `<<<…>>>` has no result, the error is printed, and the next synchronisation of the stream returns it.
bool launch(const Launching &what);
// Runs the calling thread's block of an unnamed kernel.
void run_launched(const void *slots, size_t bytes);

// Runs the calling thread's block.
void run_block(const Entry &entry, const void *slots, size_t bytes);

// Returns the number of slots of the leading arguments.
constexpr uint32_t slots_of(const uint32_t bytes[], size_t count)
{
    uint32_t slots = 0;
    for (size_t index = 0; index < count; index++)
        slots += (bytes[index] + 7) / 8;
    return slots;
}

// The arguments of a kernel, by their types: each begins a slot of 8 bytes.
template <typename... Types> struct Arguments {
    static constexpr uint32_t COUNT = sizeof...(Types);
    static constexpr uint32_t BYTES[COUNT + 1] = {sizeof(Types)..., 0};
    static_assert((std::is_trivially_copyable_v<Types> && ...), "the arguments of a kernel are copied byte by byte");

    static constexpr uint32_t SLOTS = slots_of(BYTES, COUNT);
    // The slot in which an argument begins.
    static constexpr uint32_t slot_of(size_t index) { return slots_of(BYTES, index); }

    template <void (*KERNEL)(Types...)> static void run(const uint64_t *slots)
    {
        run<KERNEL>(slots, std::make_index_sequence<COUNT>());
    }

  private:
    template <typename Type> static Type slot(const uint64_t *slots, size_t index)
    {
        Type value;
        std::memcpy(static_cast<void *>(&value), slots + slot_of(index), sizeof value);
        return value;
    }

    template <void (*KERNEL)(Types...), size_t... INDEX>
    static void run([[maybe_unused]] const uint64_t *slots, std::index_sequence<INDEX...>)
    {
        KERNEL(slot<Types>(slots, INDEX)...);
    }
};

// The arguments of a function.
template <typename Function> struct ArgumentsOf;
template <typename... Types> struct ArgumentsOf<void(Types...)> : Arguments<Types...> {};

// Launch argument for a parameter: for GM_ADDR the address of any object, as with CANN's compiler.
class Address {
  public:
    Address(std::nullptr_t) {}
    template <typename Pointed, std::enable_if_t<!std::is_function_v<Pointed>, int> = 0>
    Address(Pointed *pointer) : address(reinterpret_cast<uintptr_t>(pointer)) {}
    template <typename Holder, std::enable_if_t<std::is_class_v<Holder> && std::is_convertible_v<Holder, uint8_t *>, int> = 0>
    Address(const Holder &holder) : Address(static_cast<uint8_t *>(holder)) {}

  private:
    uint64_t address = 0;
};
template <typename Type> using Passed = std::conditional_t<std::is_same_v<Type, uint8_t *>, Address, Type>;

// A kernel as C++ launches it.
template <auto KERNEL, Kind KIND, uint32_t RATIO> struct LaunchOf;
template <typename... Types, void (*KERNEL)(Types...), Kind KIND, uint32_t RATIO> struct LaunchOf<KERNEL, KIND, RATIO> {
    using Own = Arguments<Types...>;
    static constexpr Entry ENTRY = {"a template", KIND, RATIO, Own::SLOTS, Own::template run<KERNEL>};

    static bool launch(const char *name, uint32_t blocks, void *stream, Passed<Types>... arguments)
    {
        uint64_t slots[1 + Own::SLOTS + 1] = {};
        [[maybe_unused]] size_t index = 0;
        ((std::memcpy(slots + 1 + Own::slot_of(index), &arguments, sizeof arguments), index++), ...);
        return mf::emulation::launch({name, ENTRY, blocks, stream, slots});
    }
};

} // namespace mf::emulation

// Properties of a kernel for the simulator, with its arguments last.
#define MF_EMULATION_FACTS(name, kind, ratio, ...)                                                                     \
    extern "C" {                                                                                                       \
    extern const mfk_kernel mfk_kernel_##name __attribute__((visibility("default"), weak));                            \
    const mfk_kernel mfk_kernel_##name = {                                                                             \
        MFK_VERSION, sizeof(mfk_kernel), static_cast<int32_t>(kind), ratio, 0, __VA_ARGS__::COUNT, __VA_ARGS__::BYTES}; \
    }

// `mf kernel build` writes these into sources that do without MF_KERNEL lines: an entry that it found, a
// launch by `<<<…>>>`, and what launches of templates need.
#define MF_KERNEL_FOUND(name, kind, ratio)                                                                             \
    extern "C" __attribute__((visibility("default"))) void mfk_launch_##name(const void *args, size_t bytes)           \
    {                                                                                                                  \
        using Arguments = ::mf::emulation::ArgumentsOf<decltype(name)>;                                                \
        static constexpr ::mf::emulation::Entry entry = {#name, ::mf::emulation::Kind::kind, ratio, Arguments::SLOTS,  \
                                                         Arguments::template run<name>};                               \
        ::mf::emulation::run_block(entry, args, bytes);                                                                \
    }                                                                                                                  \
    MF_EMULATION_FACTS(name, ::mf::emulation::Kind::kind, ratio, ::mf::emulation::ArgumentsOf<decltype(name)>)
#define MF_LAUNCH(kind, ratio, name, ...) ::mf::emulation::LaunchOf<__VA_ARGS__, ::mf::emulation::Kind::kind, ratio>::launch(name,
#define MF_LAUNCHED(name)                                                                                              \
    extern "C" __attribute__((visibility("default"), weak)) void mfk_launch_##name(const void *args, size_t bytes)     \
    {                                                                                                                  \
        ::mf::emulation::run_launched(args, bytes);                                                                    \
    }

#define MF_EMULATION_ENTRY(name, kind, ratio, ...)                                                                       \
    extern "C" __attribute__((visibility("default"))) void mfk_launch_##name(const void *args, size_t bytes)           \
    {                                                                                                                  \
        using Arguments = ::mf::emulation::Arguments<__VA_ARGS__>;                                                      \
        static constexpr ::mf::emulation::Entry entry = {#name, kind, ratio, Arguments::SLOTS, Arguments::run<name>};   \
        ::mf::emulation::run_block(entry, args, bytes);                                                                 \
    }                                                                                                                  \
    MF_EMULATION_FACTS(name, kind, ratio, ::mf::emulation::Arguments<__VA_ARGS__>)
