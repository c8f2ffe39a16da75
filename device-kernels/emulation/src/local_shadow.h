// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the emulation remembers of a local memory: for each block of 32 bytes who wrote it last and who read
// it since, and for each byte whether it was ever written.
#pragma once

#include <cstdint>
#include <vector>

#include "clock.h"

namespace mf::emulation {

class LocalShadow {
  public:
    explicit LocalShadow(uint64_t bytes);

    // Checks whether the access comes after all that it conflicts with, and remembers it.
    Conflict touch(const Access &access, const Doer &doer, const Clock &known);

    // The first byte that the access reads and nobody wrote, or `NONE`; a write marks its bytes.
    static constexpr uint64_t NONE = ~0ull;
    uint64_t unwritten(const Access &access);
    // What these bytes hold is of no meaning any more.
    void forget_written(uint64_t begin, uint64_t bytes);

  private:
    struct Cell {
        uint32_t write_number = 0;
        uint32_t write_call = 0;
        Pipe write_pipe = Pipe::Scalar;
        uint32_t read_number[PIPES] = {};
        uint32_t read_call[PIPES] = {};
        uint8_t readers = 0; // a bit for each pipe that has read since
    };

    Conflict read(Cell &cell, const Doer &doer, const Clock &known);
    Conflict write(Cell &cell, const Doer &doer, const Clock &known);

    void mark(uint64_t begin, uint64_t end, bool is_written);

    std::vector<Cell> cells;
    // A bit for each byte, 64 of them in a word: most accesses are of many bytes.
    std::vector<uint64_t> written;
};

} // namespace mf::emulation
