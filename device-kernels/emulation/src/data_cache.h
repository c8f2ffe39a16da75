// SPDX-License-Identifier: Apache-2.0 OR MIT
// The data cache of the scalar unit: 512 lines of 64 bytes. It is coherent with nothing: what it read once
// stays until it is dropped, and what was stored stays in it until the line is cleaned, pushed out by
// another, or the kernel ends. A line is written back whole, over whatever others have written beside it.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core.h"

namespace mf::emulation {

class DataCache {
  public:
    explicit DataCache(Core &core);
    ~DataCache();

    void read(uint64_t global, void *to, uint32_t bytes, const Head &head);
    void write(uint64_t global, const void *from, uint32_t bytes, const Head &head);
    void clean(uint64_t global, const Head &head);
    void clean_all(const Head &head);
    void write_back_all();
    // A copy reads global memory: refuses when it would miss what is still in the cache. K12.
    void check_copy(const Head &head, const Access &access) const;

  private:
    static constexpr uint64_t LINE = 64;
    static constexpr size_t MOST = 512;

    struct Line {
        uint64_t address;
        // The part of the line that is memory.
        uint32_t begin;
        uint32_t end;
        uint64_t dirty = 0; // a bit a byte
        Head stored = {};
        uint8_t bytes[LINE];
    };

    // Calls body(line, offset in it, offset in the access, bytes) for each line of an access.
    template <typename Body> void each(uint64_t global, uint32_t bytes, const Head &head, Body body);
    Line &fetch(uint64_t address, uint64_t wanted, const Head &head);
    void write_back(Line &line);
    void drop(size_t index);

    Core &core;
    bool pushes_out;
    std::vector<std::unique_ptr<Line>> lines;
    std::unordered_map<uint64_t, size_t> places;
};

} // namespace mf::emulation
