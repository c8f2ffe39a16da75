// SPDX-License-Identifier: Apache-2.0 OR MIT
// Shadow of a local memory: the last writer and the later readers of each block of 32 bytes, and a written
// flag for each byte.
//
// Raw pointers bypass the shadow: stores through the address of a tensor are not observed. They show in the
// memory as changed bytes that no instruction wrote. A buffer with such a byte counts as written.
#pragma once

#include <cstdint>
#include <vector>

#include "clock.h"

namespace mf::emulation {

class LocalShadow {
  public:
    explicit LocalShadow(uint64_t bytes);

    // Checks whether the access comes after all that it conflicts with, and remembers it.
    Conflict touch(const Access &access, const Doer &doer, Clock &known, Implied &implied);

    // Returns the first byte that the access reads and that was never written, or `NONE`; a write marks its
    // bytes.
    static constexpr uint64_t NONE = ~0ull;
    uint64_t unwritten(const Access &access);
    // A new owner has these bytes, which are `memory` now: they are unwritten, unless their owner takes raw
    // addresses.
    void give(uint64_t begin, uint64_t end, const uint8_t *memory);
    // Marks bytes as exposed by a raw address: they count as written from now on, for any owner.
    void expose(uint64_t begin, uint64_t end);
    // Returns true if some of these bytes changed although no instruction wrote them.
    bool is_raw_written(uint64_t begin, uint64_t end, const uint8_t *memory) const;

  private:
    struct Cell {
        uint32_t write_number = 0;
        uint32_t write_call = 0;
        Pipe write_pipe = Pipe::Scalar;
        uint32_t read_number[PIPES] = {};
        uint32_t read_call[PIPES] = {};
        uint8_t readers = 0; // a bit for each pipe that has read since
    };

    Conflict read(Cell &cell, const Doer &doer, Clock &known, Implied &implied);
    Conflict write(Cell &cell, const Doer &doer, Clock &known, Implied &implied);

    void write_bytes(uint64_t begin, uint64_t end, bool is_defined);

    std::vector<Cell> cells;
    // A bit for each byte, 64 of them in a word: most accesses are of many bytes.
    std::vector<uint64_t> written;
    std::vector<uint64_t> exposed;
    // Initial value of each byte for its owner, valid while only a raw store can have changed it.
    std::vector<uint8_t> given;
    std::vector<uint64_t> untouched;
};

} // namespace mf::emulation
