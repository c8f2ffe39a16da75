// SPDX-License-Identifier: Apache-2.0 OR MIT
// Entry of a block: turns the simulator's call into a run of the kernel. Used by MF_KERNEL alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "ascend_sim_kernel.h"

// Build with -DMF_AUTO_SYNC=1 what CANN's compiler builds with --cce-auto-sync.
#ifndef MF_AUTO_SYNC
#define MF_AUTO_SYNC 0
#endif
// As ascendc/language.h finds the product, which may come later.
#if defined(MF_NPU_ARCH) ? MF_NPU_ARCH == 3510 : __NPU_ARCH__ == 3510
#define MF_EMULATION_TARGET ::mf::emulation::Target{true, MF_AUTO_SYNC != 0}
#else
#define MF_EMULATION_TARGET ::mf::emulation::Target{false, MF_AUTO_SYNC != 0}
#endif

namespace mf::emulation {

// As mfk_kernel numbers them.
enum class Kind : int32_t { Cube = 1, Vector = 2, Mixed = 3 };

// The target of the compilation: it decides which instructions order themselves.
struct Target {
    bool is_950;
    // The compiler inserts synchronisation on vector cores (--cce-auto-sync).
    bool syncs_itself;
};

struct Entry {
    const char *name;
    Kind kind;
    uint32_t ratio; // vector cores for each cube core, of mixed kernels
    uint32_t slots; // of the arguments, 8 bytes each
    // The function on cores of each kind; null without one.
    void (*on_vector)(const uint64_t *slots);
    void (*on_cube)(const uint64_t *slots);
    Target target;
};

// Launch from C++. The first slot is for the entry of an unnamed kernel, an instance of a template; the
// arguments follow, and the bytes of the unified buffer if there are any.
struct Launching {
    const char *name;
    const Entry &entry;
    uint32_t blocks;
    uint64_t ub_bytes;
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

// A kernel on cores of one kind. `mf kernel build` compiles a source once for each kind on which its text
// depends, and defines run() in the object of that kind.
template <auto KERNEL, Kind KIND> struct BodyOf;
template <auto KERNEL> struct BodyOf<KERNEL, Kind::Vector> {
    static void run(const uint64_t *slots);
};
template <auto KERNEL> struct BodyOf<KERNEL, Kind::Cube> {
    static void run(const uint64_t *slots);
};
template <auto KERNEL> struct FunctionOf;
template <typename... Types, void (*KERNEL)(Types...)> struct FunctionOf<KERNEL> {
    using Own = Arguments<Types...>;
    static void run(const uint64_t *slots) { Own::template run<KERNEL>(slots); }
};

// An entry, and if the kernel has a function on vector and on cube cores.
template <auto KERNEL, Kind KIND, uint32_t RATIO, bool ON_VECTOR, bool ON_CUBE>
constexpr Entry entry_of(const char *name, uint32_t slots)
{
    Entry entry = {name, KIND, RATIO, slots, nullptr, nullptr, MF_EMULATION_TARGET};
    if constexpr (ON_VECTOR)
        entry.on_vector = BodyOf<KERNEL, Kind::Vector>::run;
    if constexpr (ON_CUBE)
        entry.on_cube = BodyOf<KERNEL, Kind::Cube>::run;
    return entry;
}

// Blocks of a launch: a number, or a dim3.
template <typename Grid> constexpr uint32_t blocks_of(const Grid &grid)
{
    if constexpr (std::is_class_v<Grid>)
        return static_cast<uint32_t>(grid.x * grid.y * grid.z);
    else
        return static_cast<uint32_t>(grid);
}

// Bytes of the unified buffer for a kernel's `extern __ubuf__` arrays. Older launches pass a null pointer.
constexpr uint64_t bytes_of_launch(std::nullptr_t) { return 0; }
template <typename Bytes> constexpr uint64_t bytes_of_launch(Bytes bytes) { return static_cast<uint64_t>(bytes); }

struct Grid {
    uint32_t blocks;
    uint64_t ub_bytes;

    Grid(uint32_t blocks, uint64_t ub_bytes = 0) : blocks(blocks), ub_bytes(ub_bytes) {}
};

// Launches from C++: of an entry that the binary has by this name, and of other kernels, which the launch
// itself makes: instances of templates, functions in namespaces.
template <auto KERNEL> struct LaunchOf;
template <typename... Types, void (*KERNEL)(Types...)> struct LaunchOf<KERNEL> {
    using Own = Arguments<Types...>;

    static bool named(const char *name, const Grid &grid, void *stream, Passed<Types>... arguments)
    {
        static constexpr Entry ENTRY = {"", Kind::Mixed, 0, Own::SLOTS, nullptr, nullptr, MF_EMULATION_TARGET};
        return with(ENTRY, name, grid, stream, arguments...);
    }
    template <Kind KIND, uint32_t RATIO, bool ON_VECTOR, bool ON_CUBE>
    static bool unnamed(const char *name, const Grid &grid, void *stream, Passed<Types>... arguments)
    {
        static constexpr Entry ENTRY = entry_of<KERNEL, KIND, RATIO, ON_VECTOR, ON_CUBE>("a template", Own::SLOTS);
        return with(ENTRY, name, grid, stream, arguments...);
    }

  private:
    static bool with(const Entry &entry, const char *name, const Grid &grid, void *stream, const Passed<Types> &...arguments)
    {
        uint64_t slots[1 + Own::SLOTS + 1] = {};
        [[maybe_unused]] size_t index = 0;
        ((std::memcpy(slots + 1 + Own::slot_of(index), &arguments, sizeof arguments), index++), ...);
        slots[1 + Own::SLOTS] = grid.ub_bytes;
        return mf::emulation::launch({name, entry, grid.blocks, grid.ub_bytes, stream, slots});
    }
};

// Facts about a kernel for the simulator.
template <typename Arguments> constexpr mfk_kernel facts_of(Kind kind, uint32_t ratio)
{
    return {MFK_VERSION, sizeof(mfk_kernel), static_cast<int32_t>(kind), static_cast<int32_t>(ratio),
            0,           Arguments::COUNT,   Arguments::BYTES};
}

} // namespace mf::emulation

// An entry of a source that a compiler gets as it is. `mf kernel build` writes its like.
#define MF_EMULATION_ENTRY(name, kind, ratio, ...)                                                                     \
    extern "C" {                                                                                                       \
    __attribute__((visibility("default"))) void mfk_launch_##name(const void *args, size_t bytes)                      \
    {                                                                                                                  \
        using Arguments = ::mf::emulation::Arguments<__VA_ARGS__>;                                                     \
        static constexpr ::mf::emulation::Entry entry = {                                                              \
            #name, kind, ratio, Arguments::SLOTS, Arguments::run<name>, Arguments::run<name>, MF_EMULATION_TARGET};    \
        ::mf::emulation::run_block(entry, args, bytes);                                                                \
    }                                                                                                                  \
    extern const mfk_kernel mfk_kernel_##name __attribute__((visibility("default"), weak));                            \
    const mfk_kernel mfk_kernel_##name = ::mf::emulation::facts_of<::mf::emulation::Arguments<__VA_ARGS__>>(kind, ratio); \
    }
