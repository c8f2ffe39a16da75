// SPDX-License-Identifier: Apache-2.0 OR MIT
// Register functions of the 950: engine functions for the headers (ascendc/registers).
//
// Such a function is one instruction of the vector pipe. Its accesses are found before its turn:
//
//   1. it runs without memory, when the kernel calls it. Its loads give zeros, its stores are noted. A
//      function without gathers, scatters, comparisons and squeezed stores needs no more;
//   2. a function with one of them runs once more, with memory, when all earlier instructions of the pipe
//      have ended. Its stores are taken back.
//
// Then it is checked as any instruction, and runs for good when its turn comes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine.h"

namespace mf::emulation {

constexpr uint32_t REGISTER_BYTES = 256;

// Bytes of the unified buffer that a register function touches.
class Traces {
  public:
    // Without memory loads give zeros and stores have no effect.
    explicit Traces(bool has_memory);
    Traces(const Traces &) = delete;
    Traces &operator=(const Traces &) = delete;

    void load(const char *name, const void *reg, uint32_t from, uint32_t bytes);
    void store(const void *reg, uint32_t to, uint32_t bytes);
    // Orders later loads after earlier stores (LocalMemBar).
    void order_stores();

    bool has_memory() const { return has_memory_; }
    // An address depends on loaded values.
    void need_values() { needs_values_ = true; }
    bool needs_values() const { return needs_values_; }
    // Bytes read before they were written, and bytes written, in rows if possible.
    std::vector<Access> accesses() const;

    struct Piece {
        uint32_t begin;
        std::vector<uint8_t> bytes;
    };
    // The written bytes, as they are now.
    std::vector<Piece> written() const;
    // Restores the memory.
    void take_back();

  private:
    using Bits = std::vector<uint64_t>;

    void check(const char *name, uint32_t at, uint32_t bytes) const;
    static std::vector<Access> runs(const Bits &bits, Mode mode);

    const bool has_memory_;
    bool needs_values_ = false;
    Bits read_, written_;
    // Stored since the last order of stores, and the last register stored, by blocks of 32 bytes.
    Bits unordered_;
    std::vector<const void *> stored_from_;
    std::vector<Piece> before_;
};

// Of the thread's register function; null while it runs for good.
extern thread_local Traces *traces;

// Memory of the unified buffer for loads and stores of registers. `counted`: the bytes that count as an
// access; the others may be undefined. K4, K5.
// `reg` is the register, by which loads and stores are in order.
void load_register(const char *name, const void *reg, void *into, uint32_t from, uint32_t bytes, uint32_t counted, uint32_t alignment);
void store_register(const char *name, const void *reg, uint32_t to, const void *bytes, uint32_t count);
// A byte that an index gives, within the unified buffer. K5.
uint32_t within_ub(const char *name, uint64_t at);
void check_register_address(const char *name, uint32_t at, uint32_t alignment);

// Ends the launch with a fault in a register function; `format` without its name.
[[noreturn]] void fault_in_registers(const char *rule, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Runs a register function as an instruction.
void call_registers(const char *name, Site at, std::function<void()> function);

// A block of register code in a kernel (__VEC_SCOPE__): it runs where it stands, once everything before it
// in the vector pipe has ended, and its stores are made when its turn comes. So it cannot stand behind a
// wait for a flag that the kernel sets later.
class RegisterScope {
  public:
    explicit RegisterScope(Site at);
    ~RegisterScope() noexcept(false);
    RegisterScope(const RegisterScope &) = delete;
    RegisterScope &operator=(const RegisterScope &) = delete;

    bool is_open() const { return is_open_; }
    void close();

  private:
    const Head head_;
    bool is_open_ = true;
    Traces *own_ = nullptr;
    int exceptions_;
};

// The count register (AR): bytes squeezed since ClearSpr, and how many of them are stored.
struct SqueezedBytes {
    uint32_t all = 0;
    uint32_t stored = 0;
};
SqueezedBytes &squeezed_bytes();

} // namespace mf::emulation
