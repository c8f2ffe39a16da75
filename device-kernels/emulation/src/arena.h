// SPDX-License-Identifier: Apache-2.0 OR MIT
// Local memories of a core. Each is surrounded by guard pages, and initially filled with `FRESH`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine.h"

namespace mf::emulation {

// Local memories are below 4 GiB if the host allows: kernels hold a pointer to one as a 32-bit number
// (bufferAddr). A smaller number is not a pointer, but an offset.
constexpr uint64_t LOWEST_ADDRESS = 0x1000'0000;

constexpr uint8_t FRESH = 0xCD;

class Arena {
  public:
    Arena() = default;
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;
    ~Arena();

    // Null when the host has no memory.
    uint8_t *make(uint64_t bytes);
    uint8_t *begin() const { return memory; }

  private:
    uint8_t *memory = nullptr;
    void *mapping = nullptr;
    size_t mapped = 0;
};

class Arenas {
  public:
    explicit Arenas(uint64_t ub_bytes) : ub(ub_bytes) {}

    uint64_t bytes(Space space) const;
    // Made on first use.
    uint8_t *of(Space space);

  private:
    uint64_t ub;
    // The unified buffer, where the cube core of the block writes to it, too.
    std::shared_ptr<Arena> shared;
    Arena arenas[LOCAL_SPACES];
};

} // namespace mf::emulation
